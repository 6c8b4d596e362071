"""A server with an SSH line, frontends that do as they are told, and clients."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import asyncssh
import msgspec

from server.coordinator.arrivals import Arrivals
from server.coordinator.contract import Visit
from server.coordinator.events.days import DayPages
from server.coordinator.events.today import TodaysTide
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import Command, Reply
from server.coordinator.people.people import People
from server.session.account import Account
from server.session.client import SessionClient, Visitor
from server.settings.settings import ServerLimits, Settings, Timing
from server.storage.events import EventStore
from server.storage.history_store import HistoryStore
from server.storage.moderation import BanRow
from server.terminal.capabilities import ByteStream, Capabilities
from server.timers import SystemClock
from server.transport.net.sockets import Listening, listen
from server.transport.session.frontends import frontend_for
from server.transport.session.server import GameServer, MakeFrontend, SessionNotice
from server.transport.ssh.server import HostKey, SshServer
from tests.support import through_frames
from tests.support.clients import connect
from tests.support.databases import keys_of
from tests.support.memory_stores import MemoryPeople, MemoryStore
from tests.support.patience import PATIENCE

GENEROUS: Final = ServerLimits(attempts=100_000, waiting=10_000, waiting_per_address=10_000)


real_frontend: Final = partial(frontend_for, SystemClock())
"""Makes what players have: for ``open_server``."""


@cache
def host_key() -> HostKey:
    return HostKey(asyncssh.generate_private_key("ssh-ed25519"), Path("nowhere"), False)


@cache
def key(name: str) -> asyncssh.SSHKey:
    """A player's key; the same for the same name."""
    return asyncssh.generate_private_key("ssh-ed25519", comment=name)


def fingerprint(name: str) -> str:
    return key(name).get_fingerprint("sha256")


class FakeFrontend:
    """Says who is there and how big the terminal is, notes what is typed, and leaves at a ``q``."""

    def __init__(
        self,
        terminal: ByteStream,
        visit: Visit,
        notices: tuple[SessionNotice, ...],
        account: Account,
    ) -> None:
        self.account = account
        self.terminal = terminal
        self.visit = visit
        self.notices = notices
        self.typed = ""
        self.sizes = [terminal.size]
        self.drains = 0
        self.slowed = 0
        self.ended = asyncio.Event()
        self.changed = asyncio.Event()
        self._leave = asyncio.Event()
        self.lines = False

    async def run(self) -> None:
        try:
            size = self.terminal.size
            self.terminal.write(f"{self.visit.player.name} {size.columns}x{size.rows}\r\n")
            await self._leave.wait()
            self.terminal.write("bye\r\n")
        finally:
            self.ended.set()

    def feed(self, text: str) -> None:
        self.typed += text
        self.changed.set()
        if "q" in text:
            self._leave.set()

    def resized(self) -> None:
        self.sizes.append(self.terminal.size)
        self.changed.set()

    def drained(self) -> None:
        self.drains += 1
        self.changed.set()

    def slow(self) -> None:
        self.slowed += 1
        self.changed.set()

    async def submit(self, command: Command) -> Reply:
        """Have a command carried out as every frontend does."""
        able, visit = self.terminal.abilities, self.visit
        client = SessionClient(Visitor(visit.player, SystemClock(), able, self.account, visit))
        return await client.submit(command)

    async def until(self, happened: Any) -> None:
        """Wait until ``happened(self)`` is true; it is asked whenever something came in."""
        async with asyncio.timeout(PATIENCE):
            while not happened(self):
                self.changed.clear()
                await self.changed.wait()


@dataclass
class Open:
    """A server that is open."""

    server: GameServer
    arrivals: Arrivals
    line: SshServer
    frontends: list[FakeFrontend] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.lobby = self.arrivals.lobby
        self.people = self.arrivals.people

    def make_frontend(
        self,
        terminal: ByteStream,
        visit: Visit,
        notices: tuple[SessionNotice, ...],
        account: Account,
        _wanted: Capabilities | None = None,
    ) -> FakeFrontend:
        self.frontends.append(FakeFrontend(terminal, visit, notices, account))
        self.arrived.set()
        return self.frontends[-1]

    async def frontend(self, number: int = 0) -> FakeFrontend:
        """The face of the session that came in as that one (from 0)."""
        async with asyncio.timeout(PATIENCE):
            while len(self.frontends) <= number:
                self.arrived.clear()
                await self.arrived.wait()
        return self.frontends[number]

    async def keys_of(self, frontend: FakeFrontend) -> tuple[str, ...]:
        """Fingerprints of the keys that open the account of whoever sits there."""
        return await keys_of(self.people.store, frontend.visit.player.id)

    def limit(self, **limits: float) -> None:
        """Change limits for who comes from now on."""
        settings = self.server.settings
        changed = msgspec.structs.replace(settings.limits, **limits)
        self.server.adjust(msgspec.structs.replace(settings, limits=changed))

    async def empty(self) -> None:
        """Wait until nobody is here any more, in any sense."""
        await until(lambda: not self.server.sessions and not self.here)

    @property
    def here(self) -> int:
        """Connections, whether they have come in or not."""
        return self.server.limiter.inside + self.server.limiter.waiting

    def connect(
        self, name: str = "ada", keys: Sequence[asyncssh.SSHKey] = (), **options: Any
    ) -> Any:
        """A client's connection; to be awaited, or used as an asynchronous context manager."""
        return connect(self.line.listening.port, name, keys, **options)

    @asynccontextmanager
    async def comes(
        self,
        name: str = "ada",
        keys: Sequence[asyncssh.SSHKey] = (),
        command: str | None = None,
        **options: Any,
    ) -> AsyncIterator[FakeFrontend]:
        """Somebody who has come in at a terminal, as a frontend has it."""
        number = len(self.frontends)
        async with self.connect(name, keys, **options) as client:
            await client.create_process(command, term_type="xterm")
            yield await self.frontend(number)


@asynccontextmanager
async def open_server(
    limits: ServerLimits = GENEROUS,
    make_frontend: MakeFrontend | None = None,
    history: HistoryStore | None = None,
    today: bool = False,
    **settings: Any,
) -> AsyncIterator[Open]:
    """A server on a free port of the loopback interface."""
    chosen = msgspec.structs.replace(Settings(limits=limits), **settings)
    store = MemoryStore()
    lobby = Lobby(store, SystemClock(), timing=chosen.timing, limits=chosen.tables)
    events = EventStore(store.database)
    if today:
        await TodaysTide(lobby, events).refresh()
        history = history or HistoryStore(store.database)
    opened: Open

    def frontend(*given: Any) -> Any:
        return (make_frontend or opened.make_frontend)(*given)

    people = People(MemoryPeople(), SystemClock(), seated=lobby.knows)
    arrivals = Arrivals(lobby, people)
    pages = DayPages(events, SystemClock(), arrivals.plays_today) if today else None
    server = GameServer(chosen, through_frames.of(arrivals), frontend, history=history, days=pages)
    line = SshServer(server, Listening(listen(chosen.host, 0)), host_key())
    opened = Open(server, arrivals, line)
    line.open()
    try:
        yield opened
    finally:
        line.listening.close()
        await lobby.close()
        for session in tuple(server.sessions):
            session.hang_up()
        await server.close()
        await line.close()


async def until(happened: Callable[[], object]) -> None:
    """Wait for something that nothing tells of when it happens."""
    async with asyncio.timeout(PATIENCE):
        while not happened():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def all_of(stream: asyncssh.SSHReader[Any]) -> str:
    """Everything that comes until the end."""
    async with asyncio.timeout(PATIENCE):
        read = await stream.read()
    return read if isinstance(read, str) else read.decode()


AT_ONCE = Timing(
    reveal=0.0,
    stage=0.0,
    bot_least=0.0,
    bot_most=0.0,
    hurried_least=0.0,
    hurried_most=0.0,
    lobby=0.0,
    lobby_again=0.0,
)


def ban(
    kind: str, matched: str, until: float = 0.0, reason: str = ""
) -> dict[tuple[str, str], BanRow]:
    return {(kind, matched): BanRow(1, kind, matched, reason, 0.0, "ada", until)}


class Deaf(asyncssh.SSHClientSession[bytes]):
    """A client that does not read until told to."""

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        self.channel = chan
        self.got = 0
        chan.pause_reading()

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self.got += len(data)
