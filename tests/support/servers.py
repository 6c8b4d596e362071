"""Real servers, as ``tide serve`` starts them, each in a process of its own."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from tests.support.patience import PATIENCE
from tests.support.windows import Window

TIDE: Final = Path(sys.executable).with_name("tide")

AT_ONCE: Final = {
    f"TIDE_TIMING_{name}": "0"
    for name in ("REVEAL", "STAGE", "BOT_LEAST", "BOT_MOST", "HURRIED_LEAST", "HURRIED_MOST", "LOBBY",
                 "LOBBY_AGAIN", "COUNTDOWN")
}  # fmt: skip
"""Settings of a server that waits for people alone."""

LASTING: Final = {
    **AT_ONCE,
    # Tables stay, so that in the end their actions can be compared with the records.
    "TIDE_TIMING_OVER": "86400",
    "TIDE_STOP_SECONDS": "0",
    "TIDE_LIMITS_ATTEMPTS": "100000",
    # Their games last for seconds.
    "TIDE_TABLES_GAMES_PER_PLAYER": "100000",
    "TIDE_TABLES_GAMES_PER_ADDRESS": "100000",
    "TIDE_LIMITS_WAITING_PER_ADDRESS": "1000",
}
"""Settings of a server at which games are played one after the other, and compared in the end."""

SSH: Final = [
    shutil.which("ssh") or "ssh", "-F", os.devnull, "-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR",
    "-o", f"UserKnownHostsFile={os.devnull}", "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none",
]  # fmt: skip
"""The system's ssh, without a question and with nothing of the user's."""

_SSH: Final = re.compile(r"ssh -p (\d+) ")
_TELNET: Final = re.compile(r"telnet \S+ (\d+)")
_SAID_LAST: Final = "Ctrl-C"


def environment() -> dict[str, str]:
    """Ours, without settings of a server."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TIDE_")}


def tide(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command that ends by itself."""
    return subprocess.run(
        [TIDE, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**environment(), **env},
        check=False,
    )


class Server:
    """A server on free ports of the loopback interface, with everything it keeps in ``place``.

    Use as a context manager. It may be started again; its log (JSON, also in the file ``log``) goes on.
    """

    def __init__(
        self,
        place: Path,
        *options: str | Path,
        command: Sequence[str | Path] = (TIDE, "serve"),
        **settings: str,
    ) -> None:
        """``settings`` are variables of the environment."""
        self.place: Final = place
        self.log: Final = place / "log"
        self.said: list[str] = []
        """What it has told on standard output: how to join."""
        self.ssh_port = self.telnet_port = 0
        self.process: subprocess.Popen[str]
        self._command = [*command, *options]
        self._pass_fds: Sequence[int] = ()
        self.stderr = subprocess.PIPE
        """Or a descriptor: then there is no log here."""
        self.environ = {
            **environment(),
            "TIDE_SSH_PORT": "0",
            "TIDE_TELNET_PORT": "0",
            "TIDE_STATE": str(place / "state"),
            "TIDE_KEYS": str(place / "keys"),
            # As if typed in a shell: not in a make within a make.
            "ARGS": "",
            "MAKEFLAGS": "",
            "MAKELEVEL": "",
            **settings,
        }
        self._lines: Final[list[str]] = []
        self._news: Final = threading.Condition()
        self._reading: threading.Thread | None = None

    # ------------------------------------------------------------------------- from start to end

    def launch(self) -> None:
        """Start the process, without waiting until it is open."""
        self.process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
            text=True,
            env=self.environ,
            pass_fds=self._pass_fds,
            # A signal from a terminal reaches all that a command has started.
            start_new_session=True,
        )
        if self.stderr == subprocess.PIPE:
            self._reading = threading.Thread(target=self._read_log, args=[self.process.stderr])
            self._reading.start()

    def start(self) -> Self:
        """Start it, and wait until it is open."""
        self.launch()
        return self.wait_until_open()

    async def started(self) -> Self:
        """The same for who has an event loop."""
        self.launch()
        return await asyncio.to_thread(self.wait_until_open)

    def wait_until_open(self) -> Self:
        """Wait until it says how to join."""
        assert self.process.stdout is not None
        self.said = []
        timer = threading.Timer(PATIENCE, self.kill)
        timer.start()
        try:
            for line in self.process.stdout:
                self.said.append(line.rstrip())
                if _SAID_LAST in line:
                    break
        finally:
            timer.cancel()
        ssh, telnet = _SSH.search(self.told), _TELNET.search(self.told)
        if not ssh:
            self.close()
            raise AssertionError(
                f"the server did not open:\n{self.told}\n{''.join(self._lines[-20:])}"
            )
        self.ssh_port, self.telnet_port = int(ssh[1]), int(telnet[1]) if telnet else 0
        return self

    def send(self, number: signal.Signals) -> None:
        """As from a terminal."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def stop(self, *signals: signal.Signals) -> int:
        """Ask it to stop; its exit status."""
        for one in signals or (signal.SIGINT,):
            self.send(one)
        return self.wait()

    async def stopped(self) -> int:
        """The same for who has an event loop, with the signal that asks for a last call."""
        return await asyncio.to_thread(self.stop, signal.SIGTERM)

    def wait(self) -> int:
        """The exit status, once it has ended and all of its log has been read."""
        status = self.process.wait(PATIENCE)
        if self._reading is not None:
            self._reading.join()
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status

    def kill(self) -> None:
        """End it there and then."""
        self.send(signal.SIGKILL)

    def close(self) -> None:
        """Leave nothing behind, whatever has happened."""
        if hasattr(self, "process"):  # it was started
            self.kill()
            self.wait()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def told(self) -> str:
        """What it has told on standard output, in one piece."""
        return "\n".join(self.said)

    # ----------------------------------------------------------------------------------- its log

    def _read_log(self, stream: Any) -> None:
        with stream, self.log.open("a") as file:
            for line in stream:
                file.write(line)
                file.flush()
                with self._news:
                    self._lines.append(line)
                    self._news.notify_all()

    @property
    def events(self) -> list[dict[str, Any]]:
        """What it has logged."""
        return [json.loads(line) for line in tuple(self._lines) if line.startswith("{")]

    def logged(self, event: str, times: int = 1) -> dict[str, Any]:
        """The last log line of that event, as soon as there are so many."""

        def found() -> list[dict[str, Any]]:
            return [line for line in self.events if line["event"] == event]

        with self._news:
            assert self._news.wait_for(lambda: len(found()) >= times, PATIENCE), self.events
        return found()[-1]

    # ------------------------------------------------------------------------------- who comes in

    def ssh(self, *options: str, name: str = "ada") -> list[str]:
        """The system's ssh, on its way here."""
        return [*SSH, "-p", str(self.ssh_port), "-l", name, *options, "localhost"]


def playing(server: Server, name: str = "ada") -> Window:
    """Somebody in the first round of a game against bots."""
    player = Window(server.ssh(name=name))
    player.wait_for(f"You are {name}.")
    player.press("b")
    player.wait_for("your hand", "round 1/12", "Enter bid")
    return player
