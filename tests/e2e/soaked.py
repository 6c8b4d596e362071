"""A real server in a process of its own, which can be asked how much there is of everything."""

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from server.storage.sqlite import NAME
from server.storage.statedir import ADMIN
from tests.e2e.enemies import Ports
from tests.e2e.flatness import grown, total
from tests.e2e.killing import AT_ONCE

PATIENCE: Final = float(os.environ.get("TIDE_PATIENCE", "90"))
"""Seconds after which what does not happen is taken to be stuck: more where much else is going on."""
TIDE: Final = Path(sys.executable).with_name("tide")
_SSH = re.compile(r"ssh -p (\d+) ")
_TELNET = re.compile(r"telnet \S+ (\d+)")
_STILL: Final = 8
"""So many looks, a quarter of a second apart, at which nothing has fallen."""


class Server:
    """Started anew as often as wanted, with the same state."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.log = place / "log"
        self._process: asyncio.subprocess.Process | None = None
        self._questions = self._answers = -1

    async def start(self, keep: float = 10.0) -> Ports:
        """Games with nobody there are kept for so many seconds."""
        environ = {name: value for name, value in os.environ.items() if name[:5] != "TIDE_"}
        environ |= {f"TIDE_TIMING_{name.upper()}": "0" for name in AT_ONCE}
        environ |= {
            "TIDE_STATE": str(self.place / "state"),
            "TIDE_KEYS": str(self.place / "keys"),
            "TIDE_SSH_PORT": "0",
            "TIDE_TELNET_PORT": "0",
            "TIDE_HOST": "127.0.0.1",
            "TIDE_LOG": "json",
            "TIDE_TIMING_OVER": "1",
            # What people have left for good has gone before it is counted what is left.
            "TIDE_TIMING_OPEN_SEAT": "2",
            "TIDE_TIMING_SUSPEND": "2",
            "TIDE_TIMING_KEEP": str(keep),
            "TIDE_TIMING_GUESTS": str(keep),
            "TIDE_STOP_SECONDS": "0",
            "TIDE_LIMITS_STUCK_SECONDS": "3",
            "TIDE_LIMITS_LOGIN_SECONDS": "20",
            "TIDE_LIMITS_IDLE_CONNECTION_SECONDS": "10",
            # Those who mean no harm come from one address; each enemy is to feel the limits all the same.
            # Their games last for seconds.
            "TIDE_TABLES_GAMES_PER_PLAYER": "100000",
            "TIDE_TABLES_GAMES_PER_ADDRESS": "100000",
            "TIDE_LIMITS_WAITING_PER_ADDRESS": "40",
            "TIDE_LIMITS_ATTEMPTS": "40",
            "TIDE_LIMITS_ATTEMPTS_SECONDS": "1",
        }
        theirs, self._questions = os.pipe()
        self._answers, back = os.pipe()
        command = [sys.executable, "-m", "tests.e2e.watched", str(theirs), str(back)]
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *command, env=environ, stdout=subprocess.PIPE, stderr=log, pass_fds=(theirs, back)
            )
        os.close(theirs)
        os.close(back)
        assert self._process.stdout is not None
        said = ""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while line := await self._process.stdout.readline():
                    said += line.decode()
                    ssh, telnet = _SSH.search(said), _TELNET.search(said)
                    if ssh and telnet:
                        admin = self.place / "state" / ADMIN
                        return Ports(int(ssh[1]), int(telnet[1]), admin)
        raise AssertionError(f"the server did not open:\n{self.log.read_text()[-3000:]}")

    async def counts(self) -> dict[str, Any]:
        """How much there is now of everything."""
        os.write(self._questions, b"?\n")
        return await asyncio.to_thread(self._read)

    def _read(self) -> dict[str, Any]:
        said = b""
        while not said.endswith(b"\n"):
            said += os.read(self._answers, 65_536)
        found: dict[str, Any] = json.loads(said)
        return found

    async def quiet(self, before: dict[str, Any] | None = None) -> dict[str, Any]:
        """The counts once everybody has gone: when they no longer fall, or are what they were before."""
        last = await self.counts()
        still = 0
        end = time.monotonic() + 60
        while time.monotonic() < end and still < _STILL:
            await asyncio.sleep(0.25)
            now = await self.counts()
            if before is not None and not grown(before, now):
                return now
            fell = any(total(now[what]) < total(last[what]) for what in ("descriptors", "objects"))
            still = 0 if fell or before is not None else still + 1
            last = now
        return last

    def kept(self) -> dict[str, int]:
        """Rows in each table of the database, and the bytes of its files."""
        file = self.place / "state" / NAME
        with closing(sqlite3.connect(file)) as database:
            names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            rows = {
                name: database.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0]
                for (name,) in names.fetchall()
            }
            guests = "SELECT COUNT(*) FROM people WHERE guest"
            rows["guests"] = database.execute(guests).fetchone()[0]
        beside = file.with_name(f"{NAME}-wal")
        return rows | {
            "bytes": file.stat().st_size,
            "log bytes": beside.stat().st_size if beside.exists() else 0,
        }

    async def kill(self) -> None:
        """Leave no process behind, whatever has happened."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def stop(self) -> int:
        """Ask it to stop; its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            status = await self._process.wait()
        os.close(self._questions)
        os.close(self._answers)
        return status
