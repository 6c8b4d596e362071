"""A scripted telnet client, and houses with a telnet line."""

import asyncio
import ssl
import struct
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self, cast

import pyte

from server.settings.settings import ServerLimits
from server.transport.net.sockets import Listening, listen
from server.transport.session.server import MakeFrontend
from server.transport.telnet import protocol as t
from server.transport.telnet.server import TelnetServer
from tests.support.connections import GENEROUS, FakeFrontend, Open, open_server
from tests.support.patience import PATIENCE

SCREEN = frozenset({t.TTYPE, t.NAWS, t.BINARY, t.SGA})
"""What a terminal's telnet client does when it is asked."""


class Caller:
    """One connection. Commands are answered as told; what comes in between is ``text``."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        will: Iterable[bytes] = (),
        do: Iterable[bytes] = (),
        types: Iterable[str] = (),
        size: tuple[int, int] = (80, 24),
        silent: bool = False,
    ) -> None:
        """``will``, ``do``: options agreed to; the others are refused. ``silent``: nothing is answered."""
        self.reader = reader
        self.writer = writer
        self.will = set(will)
        self.do = set(do)
        self.types = list(types)
        self.size = size
        self.silent = silent
        self.data = b""
        """All that is no command."""
        self.commands: list[bytes] = []
        """Commands of two or three bytes, without IAC."""
        self.subs: list[bytes] = []
        """Subnegotiations: the option and what follows, without IACs."""
        self.received = 0
        self.ended = False
        self._asked_types = 0
        self._rest = b""
        self._news = asyncio.Event()
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self._task = asyncio.create_task(self._read())

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")

    @property
    def shown(self) -> str:
        """What a terminal would show."""
        return "\n".join(row.rstrip() for row in self.screen.display)

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    def line(self, text: str) -> None:
        self.send(text.encode() + b"\r\n")

    async def until(self, happened: Callable[[Self], object]) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not happened(self):
                    assert not self.ended, f"the server hung up:\n{self.text}"
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(
                f"waited in vain; text:\n{self.text}\nscreen:\n{self.shown}\n{self.commands}"
            ) from None

    async def reads(self, *texts: str) -> None:
        """Wait until all of the texts have come."""
        await self.until(lambda one: all(text in one.text for text in texts))

    async def sees(self, *texts: str) -> None:
        """Wait until all of the texts are on the screen."""
        await self.until(lambda one: all(text in one.shown for text in texts))

    async def end(self) -> None:
        """Wait until the server has hung up."""
        async with asyncio.timeout(PATIENCE):
            await self._task

    def listens(self, wanted: bool) -> None:
        """Whether what comes is read."""
        line = cast(asyncio.Transport, self.writer.transport)
        if wanted:
            line.resume_reading()
        else:
            line.pause_reading()

    async def close(self) -> None:
        self.writer.close()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _read(self) -> None:
        try:
            while data := await self.reader.read(4096):
                self.received += len(data)
                self._take(self._rest + data)
                self._news.set()
        except (ConnectionError, ssl.SSLError):
            pass
        finally:
            self.ended = True
            self._news.set()

    def _take(self, data: bytes) -> None:
        while data:
            found = data.find(t.IAC)
            plain, data = (data, b"") if found < 0 else (data[:found], data[found:])
            self._plain(plain)
            if not data:
                break
            length = self._length(data)
            if not length:
                break
            command, data = data[:length], data[length:]
            self._command(command)
        self._rest = data

    def _plain(self, data: bytes) -> None:
        self.data += data
        self._stream.feed(data)

    @staticmethod
    def _length(data: bytes) -> int:
        """Of the command that ``data`` begins with; 0 when it is not all there."""
        if len(data) < 2:
            return 0
        if data[1:2] == t.SB:
            end = data.find(t.IAC + t.SE)
            return end + 2 if end > 0 else 0
        size = 3 if data[1:2] in (t.DO, t.DONT, t.WILL, t.WONT) else 2
        return size if len(data) >= size else 0

    def _command(self, command: bytes) -> None:
        if command == t.IAC + t.IAC:
            self._plain(t.IAC)
        elif command[1:2] == t.SB:
            self.subs.append(command[2:-2].replace(t.IAC + t.IAC, t.IAC))
            self._sub(self.subs[-1])
        else:
            self.commands.append(command[1:])
            if len(command) == 3 and not self.silent:
                self._answer(command[1:2], command[2:])

    def _answer(self, command: bytes, option: bytes) -> None:
        if command == t.DO:
            agreed = option in self.will
            self.send(t.IAC + (t.WILL if agreed else t.WONT) + option)
            if agreed and option == t.NAWS:
                self.resize(*self.size)
        elif command == t.WILL:
            self.send(t.IAC + (t.DO if option in self.do else t.DONT) + option)

    def _sub(self, sub: bytes) -> None:
        if self.silent:
            return
        if sub == t.TTYPE + t.SEND and self.types:
            name = self.types[min(self._asked_types, len(self.types) - 1)]
            self._asked_types += 1
            self.sub(t.TTYPE + t.IS + name.encode())

    def sub(self, payload: bytes) -> None:
        """Send a subnegotiation."""
        self.send(t.IAC + t.SB + payload.replace(t.IAC, t.IAC + t.IAC) + t.IAC + t.SE)

    def resize(self, columns: int, rows: int) -> None:
        """The window has that size now."""
        self.size = columns, rows
        self.screen.resize(rows, columns)
        self.sub(t.NAWS + struct.pack("!HH", columns, rows))


@dataclass
class OpenTelnet:
    """A server that is open for telnet."""

    opened: Open
    line: TelnetServer

    @asynccontextmanager
    async def call(self, *, tls: ssl.SSLContext | None = None, **how: Any) -> AsyncIterator[Caller]:
        """A client's connection; see ``Caller``."""
        reader, writer = await asyncio.open_connection(
            how.pop("host", "127.0.0.1"),
            self.line.context.tls_port if tls else self.line.listening.port,
            ssl=tls,
            limit=2**22,
        )
        caller = Caller(reader, writer, **how)
        try:
            yield caller
        finally:
            await caller.close()

    def terminal(self, name: str = "XTERM-256COLOR", **how: Any) -> Any:
        """A client on a terminal that shows screens."""
        return self.call(
            will=how.pop("will", SCREEN),
            do=how.pop("do", (t.ECHO, t.SGA, t.BINARY)),
            types=how.pop("types", (name,)),
            **how,
        )

    @asynccontextmanager
    async def comes(self, name: str, by: Any = None) -> AsyncIterator[tuple[Caller, FakeFrontend]]:
        """Somebody who has come in, by a bare connection if not ``by`` another one; and the frontend."""
        number = len(self.opened.frontends)
        async with by or self.call(silent=True) as caller:
            if by is not None:
                await caller.reads("Your name")
            caller.line(name)
            yield caller, await self.opened.frontend(number)

    async def empty(self) -> None:
        """Wait until nobody is here any more, in any sense."""
        await self.opened.empty()


@asynccontextmanager
async def open_telnet(
    limits: ServerLimits = GENEROUS,
    make_frontend: MakeFrontend | None = None,
    tls: ssl.SSLContext | None = None,
    **settings: Any,
) -> AsyncIterator[OpenTelnet]:
    """A server with a telnet line on a free port."""
    async with open_server(limits, make_frontend, **settings) as opened:
        line = TelnetServer(
            opened.server,
            Listening(listen("localhost", 0)),
            tls,
            Listening(listen("localhost", 0)) if tls is not None else None,
            "ssh -p 22 HOST",
        )
        line.open()
        try:
            yield OpenTelnet(opened, line)
        finally:
            for session in tuple(opened.server.sessions):
                session.hang_up()
            await line.close(0.5)
