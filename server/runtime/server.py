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
from typing import TYPE_CHECKING, Final

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
from server.storage.database import Database
from server.storage.events_sql import SqlEvents
from server.storage.history_sql import SqlHistory
from server.storage.moderation_sql import SqlModeration
from server.storage.people_sql import SqlPeople
from server.storage.seasons_sql import SqlSeasons
from server.storage.statedir import Opened, open_state
from server.storage.tournaments_sql import SqlTournaments
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

    Raises ``BindProblem``, ``CannotOpen``, ``CertificateProblem``, ``ConfigError``, ``KeyProblem``,
    ``PasswordProblem`` or ``StoreError``.
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


async def _serve(settings: Settings, read: Callable[[], Settings], hung_up: Sequence[int]) -> int:
    """Build everything from the bottom up, serve, and close it in the opposite order; the exit status."""
    shutdown, terminals = Shutdown(), tuple(filter(os.isatty, (0, 1, 2)))
    shutdown.handle_signals()
    _raise_descriptor_limit()
    key, coming = load_or_make(settings.keys), load(settings.keys, COMING)
    certificate = load_certificate(settings.tls_cert, settings.tls_key)
    async with AsyncExitStack() as stack:
        state = await open_and_tell(settings)
        stack.push_async_callback(state.close)

        # Who connects waits from here on, and is let in when the tables are back.
        bound = partial(_bound, stack, settings)
        ssh_port = bound(settings.ssh_port)
        telnet_port = bound(settings.telnet_port) if settings.telnet else None
        tls_port = bound(settings.telnet_tls_port) if telnet_port and certificate else None

        clock, history, key_to_frame = (
            await cluster.clock_of(settings, state.database),
            SqlHistory(state.database),
            Distribution(),
        )
        lobby = Lobby(
            state.tables,
            clock,
            timing=settings.timing,
            limits=settings.tables,
            think=(await stack.enter_async_context(aclosing(Thinkers()))).think,
            strength=history.shown_rating,
            gone=lambda player: server.left(player),  # noqa: PLW0108 - these two know each other
        )
        node = await cluster.node_of(stack, settings, state, lobby)
        people, today = (
            People(SqlPeople(state.database), clock, seated=lobby.knows),
            TodaysTide(lobby, SqlEvents(state.database), clock),
        )
        seasons = Seasons(SqlSeasons(state.database), clock)
        frontend = partial(
            frontend_for,
            clock,
            drawn=key_to_frame.add,
            way_in=way_in(settings, ssh_port),
            goes_on=node is not None,
        )
        server = GameServer(
            settings,
            lobby,
            frontend,
            people=people,
            history=history,
            day=today.page,
            season=seasons.page,
            bans=Bans(clock.time),
        )
        server.access.check()
        _hold_tournaments(stack, settings, state.database, lobby, node)
        health = Health(server, state.database, key_to_frame)
        metrics_port = _metrics(stack, settings, health)

        ssh = SshServer(server, ssh_port, key, coming)
        stack.push_async_callback(ssh.close)
        telnet = None
        if telnet_port is not None:
            telnet = TelnetServer(
                server, telnet_port, certificate, tls_port, f"ssh -p {ssh_port.port} HOST"
            )
            stack.push_async_callback(telnet.close)
        announcement = _announcement(settings, server, ssh, key)

        reloader = Reloader(settings, read, server, ssh, telnet, announcement)
        reloader.reloaded = cluster.compare(node, lambda: reloader.settings, clock)
        moderation = OperatorService(
            OnlinePeople(
                server, lobby, clock, AuthorizedKeys(settings.keys / OPERATORS, clock.time)
            ),
            SqlModeration(state.database),
            reload=reloader.reload,
            stop=shutdown.order,
        )
        await _open_moderation(stack, moderation, settings.state, node)
        stack.push_async_callback(server.close)
        cluster.close_with(stack, lobby, node, shutdown.order, shutdown.politely)
        for listening in filter(None, (ssh_port, telnet_port, tls_port)):
            stack.callback(listening.close)

        tables = await take_up(
            lobby,
            ssh,
            *([telnet] if telnet is not None else []),
            node=node,
        )
        handle_hang_up(shutdown, terminals, reloader.reload, hung_up)
        lan = announcement.place if announcement is not None else ""
        lines = join_lines(settings, ssh_port, telnet_port, key, lan=lan, metrics_port=metrics_port)
        with suppress(OSError, AttributeError, UnicodeError):  # nobody reads it
            print("\n".join(lines), flush=True)
        log.info(
            "open",
            host=settings.host,
            ssh_port=ssh_port.port,
            telnet_port=telnet_port.port if telnet_port is not None else None,
            telnet_tls_port=tls_port.port if tls_port is not None else None,
            tables=tables,
            database="new database" if state.database.backend.new else "known",
            metrics_port=metrics_port,
        )
        health.status = OPEN
        supervisor = SdNotify()
        supervisor.tell(READY)
        gc_policy.settle()
        tasks = [
            people.keep_tidy(),
            moderation.keep_tidy(),
            today.keep(),
            seasons.keep(),
            gc_policy.keep_clean(
                clock, lambda: max(server.limiter.gone, server.ended), lambda: len(server.sessions)
            ),
            measure_lag(health, asyncio.get_running_loop().time),
            watch_writes(health),
            _keep_checkpointed(state.database, clock),
            supervisor.keep_telling(clock),
        ]
        if announcement is not None:
            tasks.append(
                announcement.keep_telling(
                    clock, lambda: (len(lobby.snapshot().players), len(lobby.listings))
                )
            )
        _run_beside(stack, tasks)
        await shutdown.asked()
        health.status = DRAINING
        server.closing = True
        supervisor.tell(STOPPING)
        # Other nodes play on at once.
        await shutdown.last_call(lobby, clock, 0.0 if node else server.settings.stop_seconds)
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
    known = KnownTournaments(lobby, SqlTournaments(database), SqlEvents(database))
    if node is None:
        held = Tournaments(known, guests=settings.lan)
    else:
        held = cluster.tournaments_of(node, database, known, guests=settings.lan)
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
