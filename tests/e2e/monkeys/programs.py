"""A real server, and the system's ``ssh`` and ``telnet`` in a terminal each."""

import asyncio
import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from tests.e2e.monkeys.company import Company
from tests.e2e.monkeys.lines import House, Line, Size, Terminal, Who
from tests.support.patience import PATIENCE
from tests.support.servers import LASTING, Server, environment

_QUIET: Final = 0.12
"""Seconds of silence after which a screen has come to rest."""
_LONGEST: Final = 4.0
"""Seconds that anybody waits who only waits."""
_USUAL: Final = (
    "REVEAL",
    "STAGE",
    "BOT_LEAST",
    "BOT_MOST",
    "HURRIED_LEAST",
    "HURRIED_MOST",
    "LOBBY",
)


class Program:
    """A program in a terminal."""

    def __init__(self, command: list[str], size: Size) -> None:
        self.terminal = Terminal(size)
        self.news: Final = asyncio.Event()
        self.ended = False
        self._end, far = pty.openpty()
        self._sized(size)
        env = {**environment(), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        ends = {"stdin": far, "stdout": far, "stderr": far}
        self._process = subprocess.Popen(command, env=env, start_new_session=True, **ends)  # type: ignore[call-overload]
        os.close(far)
        asyncio.get_running_loop().add_reader(self._end, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._end, 65536)
        except OSError:  # Linux says EIO when the program has left the terminal
            data = b""
        if data:
            self.terminal.show(data)
        else:
            self._close()
        self.news.set()

    def _close(self) -> None:
        if not self.ended:
            self.ended = True
            asyncio.get_running_loop().remove_reader(self._end)
            os.close(self._end)
            self._process.kill()
            self._process.wait()

    def _sized(self, size: Size) -> None:
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def send(self, text: str) -> None:
        with suppress(OSError):
            os.write(self._end, text.encode())

    def resize(self, size: Size) -> None:
        self._sized(size)
        self.terminal.screen.resize(size[1], size[0])
        self._process.send_signal(signal.SIGWINCH)

    def drop(self) -> None:
        self._close()


class ServerHouse(House):
    """See the module. To be opened by ``open_server``."""

    patience = 5.0

    def __init__(self, server: Server) -> None:
        self._server = server
        self._keys: Final = server.place / "players"
        self._keys.mkdir()
        self._read = 0

    async def connect(self, who: Who, login: str, line: str, size: Size) -> Line:
        if line == "telnet":
            command = ["telnet", "-E", "127.0.0.1", str(self._server.telnet_port)]
        else:
            options = [
                "-tt",
                "-e",
                "none",
                "-o",
                "PreferredAuthentications=publickey,keyboard-interactive",
            ]
            if who.key:
                file = self._keys / who.name
                if not file.exists():
                    file.write_bytes(who.key.export_private_key("openssh"))
                    file.chmod(0o600)
                options += ["-i", str(file)]
            command = self._server.ssh(*options, name=login)
        made = Program([str(part) for part in command], size)
        if line == "telnet":
            await self._until(made, _asks_for_a_name)
            made.send(f"{login}\r")
        heard = len(made.terminal.heard)
        await self._until(made, lambda line: len(line.terminal.heard) > heard + len(login) + 8)
        await self.rest(made, 0.3)
        return made

    async def rest(self, line: Line, seconds: float) -> None:
        assert isinstance(line, Program)
        line.news.clear()
        await asyncio.sleep(min(seconds, _LONGEST))
        with suppress(TimeoutError):
            async with asyncio.timeout(_LONGEST):
                await line.news.wait()
                while not line.ended:
                    line.news.clear()
                    async with asyncio.timeout(_QUIET):
                        await line.news.wait()

    async def _until(self, line: Program, happened: object) -> None:
        assert callable(happened)
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while not happened(line) and not line.ended:
                    line.news.clear()
                    await line.news.wait()

    async def watch_the_log(self, company: Company) -> None:
        """Until cancelled."""
        while True:
            await asyncio.sleep(1)
            self.read_the_log(company)

    def read_the_log(self, company: Company) -> None:
        """What has been logged since is looked through."""
        with self._server.log.open() as file:
            file.seek(self._read)
            lines = file.readlines()
            self._read = file.tell()
        for line in lines:
            entry = json.loads(line) if line.startswith("{") else {"exception": line}
            company.logged("error" if "Traceback" in line else entry.get("level", ""), entry)


def _asks_for_a_name(line: Program) -> bool:
    """Telnet has been told who is there, and the server waits."""
    return line.terminal.heard.rstrip(" ").endswith((":", ">", "?"))


@asynccontextmanager
async def open_server(place: Path, operator: Who, company: Company) -> AsyncIterator[ServerHouse]:
    """Whoever that is may open tournaments."""
    keys = place / "keys"
    keys.mkdir(mode=0o700)
    assert operator.key is not None
    (keys / "operators").write_bytes(operator.key.export_public_key("openssh"))
    server = Server(place, **LASTING)
    for name in _USUAL:
        del server.environ[f"TIDE_TIMING_{name}"]
    await server.started()
    house = ServerHouse(server)
    watching = asyncio.create_task(house.watch_the_log(company))
    try:
        yield house
    finally:
        watching.cancel()
        if status := await server.stopped():
            company.found("status", f"the server ended with {status}")
        house.read_the_log(company)
