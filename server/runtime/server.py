"""A running server: the composition root, which builds all parts and closes them in the opposite order; and
what can change while it runs.
"""

import asyncio
import os
import resource
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, aclosing, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from ssl import SSLContext
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import structlog

from server import logs, version
from server.config import (
    ConfigError,
    Settings,
    bus_url,
    database_url,
    declared,
    node_name,
    unknown_variables,
)
from server.coordinator.clock import SystemClock
from server.coordinator.events.seasons import Seasons
from server.coordinator.events.today import TodaysTide
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import Player
from server.coordinator.messages.orders import OperatorReply
from server.coordinator.people.people import People
from server.coordinator.tournaments.directory import Tournaments
from server.coordinator.tournaments.known import KnownTournaments
from server.measures import Distribution
from server.operators.admin_socket import AdminSocket
from server.operators.online_people import OnlinePeople
from server.operators.service import OperatorService
from server.runtime import cluster, gc_policy
from server.runtime.banner import join_lines, places_of, way_in
from server.runtime.health import DRAINING, OPEN, Health, measure_lag, watch_writes
from server.runtime.process import (
    ORDERED,
    READY,
    STOPPING,
    SdNotify,
    Shutdown,
    handle_hang_up,
)
from server.runtime.thinkers import Thinkers
from server.storage.databases.database import Database
from server.storage.events import EventStore
from server.storage.history_sql import HistoryStore
from server.storage.leaderboard_sql import SeasonStore
from server.storage.moderation_sql import ModerationStore
from server.storage.people import PeopleStore
from server.storage.statedir import Opened, open_state
from server.storage.tournaments import TournamentStore
from server.transport.access.authorized_keys import AuthorizedKeys
from server.transport.access.bans import Bans
from server.transport.access.policy import OPERATORS
from server.transport.net.proxy_protocol import Networks, networks
from server.transport.net.sockets import Listening
from server.transport.session.frontends import frontend_for
from server.transport.session.server import GameServer
from server.transport.ssh.host_keys import COMING, HostKey, KeyProblem, load, load_or_make
from server.transport.ssh.server import SshServer
from server.transport.telnet.server import CertificateProblem, TelnetServer, load_certificate

if TYPE_CHECKING:
    from server.coordinator.nodes.node import Node
    from server.transport.lan.discovery import Announcement

log = structlog.get_logger("server")

SWITCH_SECONDS: Final = 0.0002
"""Python's switch interval. The thread that writes to disk needs the interpreter several times for a bid:
with the default of 5 ms, the slowest bids take twice as long."""

CHECKPOINT_SECONDS: Final = 60.0
"""The write-ahead log is merged into the database this often."""

LIVE: Final = (
    *("access", "notice", "log_level", "log_addresses", "stop_seconds"),
    *("limits", "tables", "timing"),
)
"""Settings that can change while the server runs; all others are looked at only when it starts."""


def run(read: Callable[[], Settings], hung_up: Sequence[int] = ()) -> int:
    """Serve until told to stop; the exit status. ``read`` reads the settings, now and whenever they are to be
    read again, or raises ``ConfigError``; ``hung_up`` has the SIGHUPs that have come so far.

    Raises ``Problem`` or ``StoreError``.
    """
    settings = read()
    if bus_url(settings):
        node_name(settings)
    try:
        Path.home()
    except RuntimeError:
        # A user in a container may have none; asyncssh needs one, and uses nothing in it.
        os.environ["HOME"] = str(settings.state)
    logs.set_up(settings.log, settings.log_level)
    sys.setswitchinterval(SWITCH_SECONDS)
    logs.adjust(settings.log_level, settings.log_addresses)
    for problem in unknown_variables():
        log.warning("unknown variable", reason=problem)
    try:
        with suppress(KeyboardInterrupt):
            return asyncio.run(_serve(settings, read, hung_up))
        return 0
    finally:
        # Before the command prints why the server has ended.
        logs.drain()


async def open_and_tell(settings: Settings) -> Opened:
    """Open what a server keeps everything in, and say on standard error where the copy is if it was brought
    up to date.
    """
    state = await open_state(settings.state, database_url(settings), settings.keys)
    if copied := state.database.backend.copied:
        done = f"The database has been brought up to date. As it was: {copied}"
        print(done, file=sys.stderr)
    return state


@dataclass(frozen=True)
class Stores:
    """What everything is kept in, what time it is, and the ports where who connects waits for the rest."""

    state: Opened
    ssh_port: Listening
    telnet_port: Listening | None
    tls_port: Listening | None
    clock: SystemClock
    history: HistoryStore


async def _open_stores(stack: AsyncExitStack, settings: Settings, *, tls: bool) -> Stores:
    """Raises ``CannotOpen``, ``BindProblem``, ``ConfigError`` or ``StoreError``. ``tls`` says that there is a
    certificate.
    """
    state = await open_and_tell(settings)
    stack.push_async_callback(state.close)
    bound = partial(_bound, stack, settings)
    ssh_port = bound(settings.ssh_port)
    telnet_port = bound(settings.telnet_port) if settings.telnet else None
    tls_port = bound(settings.telnet_tls_port) if telnet_port and tls else None
    clock = await cluster.clock_of(settings, state.database)
    return Stores(state, ssh_port, telnet_port, tls_port, clock, HistoryStore(state.database))


@dataclass
class Rooms:
    """Where people meet and play; ``node`` is this server among others, if it has any beside it."""

    lobby: Lobby
    node: "Node | None"
    people: People
    today: TodaysTide
    seasons: Seasons


async def _open_lobby(
    stack: AsyncExitStack,
    settings: Settings,
    stores: Stores,
    gone: Callable[[Player], object],
) -> Rooms:
    """``gone`` as in ``Lobby``. Raises ``CannotOpen``, ``ConfigError`` or ``StoreError``."""
    database, clock = stores.state.database, stores.clock
    lobby = Lobby(
        stores.state.tables,
        clock,
        timing=settings.timing,
        limits=settings.tables,
        think=(await stack.enter_async_context(aclosing(Thinkers()))).think,
        strength=stores.history.shown_rating,
        gone=gone,
    )
    node = await cluster.node_of(stack, settings, stores.state, lobby)
    _hold_tournaments(stack, settings, database, lobby, node)
    return Rooms(
        lobby,
        node,
        People(PeopleStore(database), clock, seated=lobby.knows),
        TodaysTide(lobby, EventStore(database), clock),
        Seasons(SeasonStore(database), clock),
    )


class Keys(NamedTuple):
    """What a server shows to say who it is."""

    key: HostKey
    coming: HostKey | None
    certificate: SSLContext | None


@dataclass(frozen=True)
class Lines:
    """How people and operators come in, and what is told of it."""

    server: GameServer
    ssh: SshServer
    telnet: TelnetServer | None
    announcement: "Announcement | None"
    reloader: "Reloader"
    moderation: OperatorService
    health: Health
    metrics_port: int | None


def _game_server(
    settings: Settings, stores: Stores, rooms: Rooms, drawn: Callable[[float], object]
) -> GameServer:
    """``drawn`` is called with the seconds from a key to its frame. Raises ``PasswordProblem``."""
    server = GameServer(
        settings,
        rooms.lobby,
        partial(
            frontend_for,
            stores.clock,
            drawn=drawn,
            way_in=way_in(settings, stores.ssh_port),
            goes_on=rooms.node is not None,
        ),
        people=rooms.people,
        history=stores.history,
        day=rooms.today.page,
        season=rooms.seasons.page,
        bans=Bans(stores.clock.time),
    )
    server.access.check()
    return server


async def _open_lines(
    stack: AsyncExitStack,
    settings: Settings,
    stores: Stores,
    rooms: Rooms,
    keys: Keys,
    read: Callable[[], Settings],
    shutdown: Shutdown,
) -> Lines:
    """Nobody is let in yet. Raises ``PasswordProblem`` or ``StoreError``."""
    key_to_frame = Distribution()
    server = _game_server(settings, stores, rooms, key_to_frame.add)
    health = Health(server, stores.state.database, key_to_frame)
    metrics_port = _metrics(stack, settings, health)
    ssh = SshServer(server, stores.ssh_port, keys.key, keys.coming)
    stack.push_async_callback(ssh.close)
    telnet = None
    if stores.telnet_port is not None:
        advice = f"ssh -p {stores.ssh_port.port} HOST"
        telnet = TelnetServer(server, stores.telnet_port, keys.certificate, stores.tls_port, advice)
        stack.push_async_callback(telnet.close)
    announcement = _announcement(settings, server, ssh, keys.key)
    reloader = Reloader(settings, read, server, ssh, telnet, announcement)
    reloader.reloaded = cluster.compare(rooms.node, lambda: reloader.settings, stores.clock)
    operators = AuthorizedKeys(settings.keys / OPERATORS, stores.clock.time)
    moderation = OperatorService(
        OnlinePeople(server, rooms.lobby, stores.clock, operators),
        ModerationStore(stores.state.database),
        reload=reloader.reload,
        stop=shutdown.order,
    )
    await _open_moderation(stack, moderation, settings.state, rooms.node)
    # From here on in the order in which it ends: no more connections, no more tables, nobody inside.
    stack.push_async_callback(server.close)
    cluster.close_with(stack, rooms.lobby, rooms.node, shutdown.order, shutdown.politely)
    for listening in filter(None, (stores.ssh_port, stores.telnet_port, stores.tls_port)):
        stack.callback(listening.close)
    return Lines(server, ssh, telnet, announcement, reloader, moderation, health, metrics_port)


def _tell_open(settings: Settings, stores: Stores, lines: Lines, key: HostKey, tables: int) -> None:
    ssh_port, telnet_port, tls_port = stores.ssh_port, stores.telnet_port, stores.tls_port
    lan = lines.announcement.place if lines.announcement is not None else ""
    told = join_lines(
        settings, ssh_port, telnet_port, key, lan=lan, metrics_port=lines.metrics_port
    )
    with suppress(OSError, AttributeError, UnicodeError):  # nobody reads it
        print("\n".join(told), flush=True)
    log.info(
        "open",
        host=settings.host,
        ssh_port=ssh_port.port,
        telnet_port=telnet_port.port if telnet_port is not None else None,
        telnet_tls_port=tls_port.port if tls_port is not None else None,
        tables=tables,
        database="new database" if stores.state.database.backend.new else "known",
        metrics_port=lines.metrics_port,
    )


def _work(stores: Stores, rooms: Rooms, lines: Lines) -> list[Coroutine[None, None, None]]:
    """What is done again and again, until the end."""
    clock, server, lobby = stores.clock, lines.server, rooms.lobby
    work = [
        rooms.people.keep_tidy(),
        lines.moderation.keep_tidy(),
        rooms.today.keep(),
        rooms.seasons.keep(),
        gc_policy.keep_clean(
            clock, lambda: max(server.limiter.gone, server.ended), lambda: len(server.sessions)
        ),
        measure_lag(lines.health, asyncio.get_running_loop().time),
        watch_writes(lines.health),
        _keep_checkpointed(stores.state.database, clock),
    ]
    if lines.announcement is not None:
        work.append(
            lines.announcement.keep_telling(
                clock, lambda: (len(lobby.snapshot().players), len(lobby.listings))
            )
        )
    return work


async def _serve(settings: Settings, read: Callable[[], Settings], hung_up: Sequence[int]) -> int:
    """Build everything from the bottom up, serve, and close it in the opposite order; the exit status."""
    shutdown, terminals = Shutdown(), tuple(filter(os.isatty, (0, 1, 2)))
    shutdown.handle_signals()
    _raise_descriptor_limit()
    keys = Keys(
        load_or_make(settings.keys),
        load(settings.keys, COMING),
        load_certificate(settings.tls_cert, settings.tls_key),
    )
    async with AsyncExitStack() as stack:
        stores = await _open_stores(stack, settings, tls=keys.certificate is not None)
        rooms = await _open_lobby(
            stack,
            settings,
            stores,
            gone=lambda player: lines.server.left(player),  # noqa: PLW0108 - not built yet
        )
        lines = await _open_lines(stack, settings, stores, rooms, keys, read, shutdown)
        tables = await take_up(
            rooms.lobby,
            lines.ssh,
            *([lines.telnet] if lines.telnet is not None else []),
            node=rooms.node,
        )
        handle_hang_up(shutdown, terminals, lines.reloader.reload, hung_up)
        _tell_open(settings, stores, lines, keys.key, tables)
        lines.health.status = OPEN
        supervisor = SdNotify()
        supervisor.tell(READY)
        gc_policy.settle()
        _run_beside(stack, [*_work(stores, rooms, lines), supervisor.keep_telling(stores.clock)])
        await shutdown.asked()
        server = lines.server
        lines.health.status, server.closing = DRAINING, True
        supervisor.tell(STOPPING)
        # Other nodes play on at once.
        seconds = 0.0 if rooms.node else server.settings.stop_seconds
        await shutdown.last_call(rooms.lobby, stores.clock, seconds)
        log.info("closing", sessions=len(server.sessions))
    log.info("closed")
    return ORDERED if shutdown.ordered else 0


def _run_beside(stack: AsyncExitStack, work: Sequence[Coroutine[None, None, None]]) -> None:
    """Run all of it until the end."""
    running = [asyncio.create_task(one) for one in work]
    stack.push_async_callback(lambda: asyncio.gather(*running, return_exceptions=True))
    for task in running:
        stack.callback(task.cancel)


async def take_up(
    lobby: Lobby,
    *servers: SshServer | TelnetServer,
    node: "Node | None" = None,
) -> int:
    """Recover tables and tournaments, and only then let people in: somebody who came back earlier would not
    find the own seat, and a guest without one is forgotten. Returns the number of tables.

    Raises ``StoreError``.
    """
    tables = await (lobby.recover() if node is None else cluster.opened(node))
    await lobby.tournaments.directory.recover()
    for server in servers:
        server.open()
    return tables


def _proxies(settings: Settings) -> Networks:
    try:
        return networks(settings.proxies)
    except ValueError as problem:
        raise ConfigError(f"proxies: {problem}") from None


def _bound(stack: AsyncExitStack, settings: Settings, port: int) -> Listening:
    # Nodes on one machine can have one port.
    shared = bool(bus_url(settings))
    listening = Listening(settings.host, port, _proxies(settings), shared=shared)
    return stack.enter_context(closing(listening))


def _hold_tournaments(
    stack: AsyncExitStack,
    settings: Settings,
    database: Database,
    lobby: Lobby,
    node: "Node | None",
) -> None:
    """At a LAN party anybody opens one, elsewhere operators."""
    known = KnownTournaments(lobby, TournamentStore(database), EventStore(database))
    if node is None:
        held = Tournaments(known, guests=settings.lan)
    else:
        held = cluster.tournaments_of(node, known, guests=settings.lan)
    stack.push_async_callback(held.close)


def _metrics(stack: AsyncExitStack, settings: Settings, health: Health) -> int | None:
    """Serve metrics if that is wanted; the port."""
    if settings.metrics_port is None:
        return None
    from server.runtime.metrics import MetricsServer

    metrics = MetricsServer(health, settings.metrics_host, settings.metrics_port)
    stack.push_async_callback(metrics.close)
    return metrics.port


def _announcement(
    settings: Settings, server: GameServer, ssh: SshServer, key: HostKey
) -> "Announcement | None":
    if not settings.lan:
        return None
    from server.transport.lan.discovery import Announcement
    from server.transport.lan.local_addresses import host_name

    def addresses() -> list[str]:
        places = places_of(settings.host, ssh.listening.addresses)
        return [place for place in places if place != "localhost"] or ["127.0.0.1"]

    return Announcement(
        host_name(),
        ssh.listening.port,
        addresses,
        key.fingerprint,
        version(),
        lambda: server.settings.access.replace("password", "word"),  # as it was first called
    )


async def _open_moderation(
    stack: AsyncExitStack, moderation: OperatorService, state: Path, node: "Node | None"
) -> None:
    """With a socket for ``tide admin``; a system without Unix sockets can run a server all the same."""
    cluster.share_moderation(moderation, node)
    await moderation.open()
    stack.callback(moderation.end_draining)
    admin = AdminSocket(moderation, state)
    stack.push_async_callback(admin.close)
    try:
        await admin.open()
    except OSError as problem:
        log.warning("no tide admin", reason=problem.strerror or str(problem))


async def _keep_checkpointed(database: Database, clock: SystemClock) -> None:
    while True:
        await clock.sleep_until(clock.time() + CHECKPOINT_SECONDS)
        await database.checkpoint()


def _raise_descriptor_limit() -> None:
    """To as many connections as the system allows."""
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@dataclass
class Reloader:
    """SIGHUP and ``tide admin reload``: settings, keys and certificate are read again, and applied as far as
    they can change while people play. ``read`` reads the settings, or raises ``ConfigError``.
    """

    settings: Settings
    read: Callable[[], Settings]
    server: GameServer
    ssh: SshServer
    telnet: TelnetServer | None
    announcement: "Announcement | None"
    reloaded: Callable[[], None] = lambda: None
    """Called when it has been done."""

    def reload(self) -> OperatorReply:
        """Read and apply, and log what came of it. A file that cannot be used changes nothing."""
        self._reload_keys()
        self._reload_certificate()
        try:
            wanted = self.read()
        except ConfigError as problem:
            log.error("settings not reread", reason=str(problem))
            return OperatorReply("settings", {"problem": str(problem)})
        changed = [
            key
            for key, setting in declared().items()
            if setting.value_in(self.settings) != setting.value_in(wanted)
        ]
        live = [name for name in changed if name.split(".")[0] in LIVE]
        late = [name for name in changed if name not in live]
        self.settings = msgspec.structs.replace(
            self.settings, **{name: getattr(wanted, name) for name in LIVE}
        )
        self.server.coordinator.adjust(self.settings.timing, self.settings.tables)
        self.server.adjust(self.settings)
        logs.adjust(self.settings.log_level, self.settings.log_addresses)
        log.info("settings reread", changed=live)
        if late:
            log.warning("these settings need a restart", settings=late)
        self.reloaded()
        return OperatorReply(facts={"changed": ", ".join(live), "late": ", ".join(late)})

    def _reload_keys(self) -> None:
        directory = self.settings.keys
        try:
            key, coming = load(directory), load(directory, COMING)
        except KeyProblem as problem:
            log.error("keys not reread", reason=str(problem))
            return
        if key is None:
            log.error("keys not reread", reason=f"there is no key in {directory}")
            return
        self.ssh.use(key, coming)
        if self.announcement is not None:
            self.announcement.fingerprint = key.fingerprint
        log.info("keys reread", key=key.fingerprint, coming=coming.fingerprint if coming else None)

    def _reload_certificate(self) -> None:
        if self.telnet is None:
            return
        try:
            self.telnet.use(load_certificate(self.settings.tls_cert, self.settings.tls_key))
        except CertificateProblem as problem:
            log.error("certificate not reread", reason=str(problem))
