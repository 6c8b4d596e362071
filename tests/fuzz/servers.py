"""A whole server in memory: lines without sockets, a clock that hurries, and somebody who wants no harm."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, Final, cast

import msgspec

from server.coordinator.arrivals import Arrivals
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import CreateTable, Pace, TableOptions
from server.coordinator.people.people import People
from server.settings.settings import ServerLimits, Settings
from server.terminal.capabilities import Capabilities, ConnectionStats, Size
from server.terminal.meter import unlimited
from server.timers import Timer
from server.transport.access.login import Login
from server.transport.net.sockets import Listening
from server.transport.session.frontends import frontend_for
from server.transport.session.server import Caller, GameServer, Session
from server.transport.ssh.server import SshServer
from server.transport.telnet import protocol as t
from server.transport.telnet.server import TelnetServer
from tests.fuzz.ours import strange_in
from tests.support.connections import host_key
from tests.support.glass import Glass
from tests.support.memory_stores import MemoryPeople, MemoryStore

_START: Final = 1_000_000.0


class LoopClock:
    """The clock of the event loop. See ``server.timers.Clock``."""

    def time(self) -> float:
        return _START + asyncio.get_running_loop().time()

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        return asyncio.get_running_loop().call_at(when - _START, callback)

    async def sleep_until(self, when: float) -> None:
        await asyncio.sleep(when - self.time())


class Wire(asyncio.Transport):
    """A connection without a socket, as the server sees it. What the far end sends ``arrives``; what is
    sent to it is in ``sent``, or goes to ``deliver``. A far end that reads nothing has ``reads`` set to
    false.
    """

    def __init__(
        self, protocol: asyncio.BaseProtocol | bytes, address: str = "203.0.113.5"
    ) -> None:
        """Of bytes, which say why it is refused, the connection ends at once."""
        super().__init__({"peername": (address, 40000), "sockname": ("127.0.0.1", 22)})
        self.sent = bytearray()
        self.deliver: Callable[[bytes], None] | None = None
        self.reads = True
        self.breaks = False
        """The next write finds that the line has been cut."""
        self.in_vain = 0
        """Writes to a line that is closed, each of which would be a line in the log."""
        self.gone = False
        """The connection has been told that it is lost."""
        self._protocol = asyncio.Protocol() if isinstance(protocol, bytes) else protocol
        self._closing = False
        self._unread = bytearray()
        self._waiting = bytearray()
        self._reading = True
        self._limit = 65_536
        self._loop: Final = asyncio.get_running_loop()
        self._protocol.connection_made(self)
        if isinstance(protocol, bytes):
            self.write(protocol)
            self.close()

    # -------------------------------------------------------------- what the far end does

    def arrives(self, data: bytes) -> None:
        """The far end has sent this."""
        if self.gone or self._closing:
            return
        self._waiting += data
        self._hand_on()

    def drops(self) -> None:
        """The line is cut."""
        self.abort()

    @property
    def unhandled(self) -> int:
        """Bytes that have arrived and that the server does not want to read yet."""
        return len(self._waiting)

    def _hand_on(self) -> None:
        while self._waiting and self._reading and not self._closing:
            protocol = self._protocol
            if isinstance(protocol, asyncio.BufferedProtocol):
                buffer = protocol.get_buffer(-1)
                size = min(len(buffer), len(self._waiting))  # type: ignore[arg-type]
                memoryview(buffer)[:size] = self._waiting[:size]
                del self._waiting[:size]
                protocol.buffer_updated(size)
            else:
                data = bytes(self._waiting[:65_536])
                del self._waiting[:65_536]
                cast(asyncio.Protocol, protocol).data_received(data)

    # -------------------------------------------------------------- asyncio.Transport

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._closing:
            self.in_vain += 1
            return
        if self.breaks:
            self.abort()
        elif not self.reads:
            self._unread += data
            if len(self._unread) > self._limit:
                self._protocol.pause_writing()
        elif self.deliver is not None:
            self._loop.call_soon(self.deliver, bytes(data))
        else:
            self.sent += data

    def get_write_buffer_size(self) -> int:
        return len(self._unread)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._limit = high if high is not None else 65_536

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        self._reading = True
        self._loop.call_soon(self._hand_on)

    def is_reading(self) -> bool:
        return self._reading

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        return

    def is_closing(self) -> bool:
        return self._closing

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._protocol

    def close(self) -> None:
        # With something unread the system goes on trying; it gives up when the far end does.
        if not self._unread:
            self.abort()

    def abort(self) -> None:
        if not self._closing:
            self._closing = True
            self._loop.call_soon(self._lost)

    def _lost(self) -> None:
        self.gone = True
        self._protocol.connection_lost(None)


class Onlooker:
    """An honest player's terminal. Everything that is written to it is looked at."""

    def __init__(self, *, lines: bool) -> None:
        self.size = Size(80, 24)
        self.abilities = Capabilities(lines=lines, cursor=not lines, echoes=lines)
        self.meter = unlimited()
        self.writable = True
        self.facts = ConnectionStats()
        self.glass: Final = Glass(self.size)
        self.written = ""
        self.closed = False

    def write(self, text: str) -> None:
        strange = strange_in(text)
        assert not strange, f"written to another player's terminal: {strange}"
        self.written += text
        if not self.abilities.lines:
            self.glass.write(text)

    def close(self) -> None:
        self.closed = True

    def expect(self, *, lines: bool) -> None:
        assert lines == self.abilities.lines


@dataclass
class Place:
    """A server in memory, and those who look on."""

    server: GameServer
    lobby: Lobby
    telnet: TelnetServer
    ssh: SshServer
    screen: Onlooker
    lines: Onlooker
    sessions: tuple[Session, Session]
    table: str
    """The code of the table at which the onlookers wait for somebody to join them."""

    def calls(self, address: str = "203.0.113.5") -> Wire:
        """Somebody connects for telnet."""
        return Wire(self.telnet.pre_auth(address), address)

    def knocks(self, address: str = "203.0.113.5") -> Wire:
        """Somebody connects for SSH."""
        return Wire(self.ssh.pre_auth(address), address)

    @property
    def strangers(self) -> int:
        """Connections and sessions that are not the onlookers'."""
        return (
            len(self.server.sessions) - 2 + self.server.limiter.inside + self.server.limiter.waiting
        )

    async def still_works(self) -> None:
        """Fails unless both onlookers are there, and are answered at once."""
        before = len(self.lines.written), self.screen.glass.writes
        self.sessions[0].feed("?")  # help, or back from there
        self.sessions[1].feed("who\r")
        await asyncio.sleep(0.3)
        assert not self.screen.closed
        assert not self.lines.closed
        assert self.screen.glass.writes > before[1]
        assert len(self.lines.written) > before[0]


@asynccontextmanager
async def a_place(limits: ServerLimits | None = None, **settings: Any) -> AsyncIterator[Place]:
    """To be used in a ``HurriedLoop``."""
    clock = LoopClock()
    chosen = Settings(limits=limits or ServerLimits(), **settings)
    lobby = Lobby(MemoryStore(), clock, timing=chosen.timing, limits=chosen.tables)
    arrivals = Arrivals(lobby, People(MemoryPeople(), clock, seated=lobby.knows))
    server = GameServer(chosen, arrivals, partial(frontend_for, clock))
    screen, lines = Onlooker(lines=False), Onlooker(lines=True)
    ada = Session(server, screen, Caller(Login("ada"), "ada", "192.0.2.1", "ssh"))
    bo = Session(server, lines, Caller(Login("bo"), "bo", "192.0.2.2", "ssh"))
    await asyncio.sleep(0.1)
    assert ada._visit is not None
    reply = await ada._visit.submit(CreateTable(TableOptions(pace=Pace.UNTIMED)))
    assert reply.ok
    table = lobby.feed.snapshot().tables[0].id
    bo.feed(f"join {table}\r")
    await asyncio.sleep(1)
    nowhere = cast(Listening, SimpleNamespace(port=0))
    place = Place(
        server,
        lobby,
        TelnetServer(server, nowhere),
        SshServer(server, nowhere, host_key()),
        screen,
        lines,
        (ada, bo),
        table,
    )
    try:
        yield place
    finally:
        for session in tuple(server.sessions):
            session.hang_up()
        await server.close()
        await lobby.close()


def only_text(data: bytes) -> str:
    """What a telnet client would show of ``data``: all that is no command."""
    shown = bytearray()
    at = 0
    while at < len(data):
        if data[at : at + 1] != t.IAC:
            shown.append(data[at])
            at += 1
        elif data[at + 1 : at + 2] == t.SB:
            end = data.find(t.IAC + t.SE, at)
            at = len(data) if end < 0 else end + 2
        elif data[at + 1 : at + 2] == t.IAC:
            shown.append(0xFF)
            at += 2
        else:
            at += 3 if data[at + 1 : at + 2] in (t.DO, t.DONT, t.WILL, t.WONT) else 2
    return shown.replace(b"\r\0", b"\r").decode("utf-8", "replace")


GENEROUS: Final = msgspec.structs.replace(
    ServerLimits(), attempts=100_000, waiting=10_000, waiting_per_address=10_000
)
