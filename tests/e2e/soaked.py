"""A real server in a process of its own, which can be asked how much there is of everything."""

import asyncio
import json
import os
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from typing_extensions import override

from server.storage.databases.sqlite import NAME
from server.storage.statedir import ADMIN
from tests.e2e.enemies import HOST, Ports
from tests.e2e.flatness import grown, total
from tests.support.servers import AT_ONCE, Server

_STILL: Final = 8
"""So many looks, a quarter of a second apart, at which nothing has fallen."""


class WatchedServer(Server):
    """Asked through two pipes. Its limits are such that who means no harm does not meet them."""

    _questions = _answers = -1

    def __init__(self, place: Path) -> None:
        usual = {
            **AT_ONCE,
            "TIDE_HOST": HOST,
            "TIDE_TIMING_OVER": "1",
            # What people have left for good has gone before it is counted what is left.
            "TIDE_TIMING_OPEN_SEAT": "2",
            "TIDE_TIMING_SUSPEND": "2",
            "TIDE_TIMING_KEEP": "6",
            "TIDE_TIMING_GUESTS": "6",
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
        super().__init__(place, **usual)

    @override
    def launch(self) -> None:
        theirs, self._questions = os.pipe()
        self._answers, back = os.pipe()
        asked = self._command[self._command.index("serve") :]
        self._command = [sys.executable, "-m", "tests.e2e.watched", str(theirs), str(back), *asked]
        self._pass_fds = theirs, back
        try:
            super().launch()
        finally:
            os.close(theirs)
            os.close(back)

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

    @override
    def wait(self) -> int:
        status = super().wait()
        if self._questions != -1:
            os.close(self._questions)
            os.close(self._answers)
            self._questions = self._answers = -1
        return status

    async def ports(self) -> Ports:
        """Start it."""
        await self.started()
        return Ports(self.ssh_port, self.telnet_port, self.place / "state" / ADMIN)

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
