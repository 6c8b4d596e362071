"""A running server: the composition root, which builds all parts and closes them in the opposite order."""

import asyncio
import os
import resource
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, aclosing, closing, suppress
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from server import version
from server.coordinator.arrivals import Arrivals
from server.coordinator.bot_levels import strength_by
from server.coordinator.events.days import DayPages
from server.coordinator.events.news import LobbyNews
from server.coordinator.events.seasons import Seasons
from server.coordinator.events.today import TodaysTide
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.people import people
from server.coordinator.people.names import forbidden_words
from server.coordinator.people.people import People
from server.coordinator.time_source import SystemClock, repeated
from server.coordinator.tournaments.actor import Tournaments
from server.counters_and_histograms import Histogram
from server.operators import carry_out_orders
from server.operators.admin_socket import AdminSocket
from server.operators.carry_out_orders import OperatorService
from server.operators.online_people import OnlinePeople
from server.problem import Problem
from server.runtime import gc_policy
from server.runtime.banner import join_lines, places_of, ssh_command, way_in
from server.runtime.health import (
    DRAINING,
    OPEN,
    STARTING,
    Health,
    measure_lag,
    watch_clock,
    watch_writes,
)
from server.runtime.process import ORDERED, READY, STOPPING, SdNotify, Shutdown, handle_hang_up
from server.runtime.reloader import Reloader
from server.runtime.thinkers import Thinkers
from server.settings.addresses import database_url
from server.settings.settings import ConfigError, Settings
from server.storage.databases.database import end_process
from server.storage.events import EventStore
from server.storage.history_store import HistoryStore
from server.storage.leaderboard_store import SeasonStore
from server.storage.moderation_store import ModerationStore
from server.storage.people import PeopleStore
from server.storage.statedir import open_state
from server.storage.tables import TableStore
from server.storage.tournaments import TournamentStore
from server.transport.access.authorized_keys import AuthorizedKeys
from server.transport.access.policy import OPERATORS
from server.transport.net.proxy_protocol import networks
from server.transport.net.sockets import Listening
from server.transport.session.frontends import frontend_for
from server.transport.session.server import GameServer
from server.transport.ssh.host_keys import COMING, load, load_or_make
from server.transport.ssh.server import SshServer
from server.transport.telnet.server import TelnetServer, load_certificate

if TYPE_CHECKING:
    from server.transport.lan.discovery import Announcement

log = structlog.get_logger("server")

GOODBYE_SECONDS: Final = 2.0
"""How long each step takes at most, of telling everybody that the database is lost."""
CHECKPOINT_SECONDS: Final = 60.0
"""The write-ahead log is merged into the database this often."""


async def open_and_tell(stack: AsyncExitStack, settings: Settings) -> TableStore:
    """Open what a server keeps everything in, and say on standard error where the copy is if it was brought
    up to date.
    """
    tables = await open_state(stack, settings.state, database_url(settings), settings.keys)
    if copied := tables.database.backend.copied:
        done = f"The database has been brought up to date. As it was: {copied}"
        print(done, file=sys.stderr)
    return tables


class RunningServer:
    """A server: each of its parts is built of those before it."""

    def __init__(self, settings: Settings, read: Callable[[], Settings]) -> None:
        """``settings`` are those with which it starts, and ``read`` reads them again, or raises
        ``ConfigError``. Raises ``KeyProblem`` or ``CertificateProblem``.
        """
        self._stack: Final = AsyncExitStack()
        self._shutdown: Final = Shutdown()
        self._settings: Final = settings
        self._read: Final = read
        self._key: Final = load_or_make(settings.keys)
        self._coming: Final = load(settings.keys, COMING)
        self._certificate: Final = load_certificate(settings.tls_cert, settings.tls_key)

    async def serve(self, hung_up: Sequence[int]) -> int:
        """Build everything from the bottom up, serve until told to stop, and close it in the opposite order;
        the exit status. Raises ``Problem`` or ``StoreError``.
        """
        shutdown, terminals = self._shutdown, tuple(filter(os.isatty, (0, 1, 2)))
        shutdown.handle_signals()
        _raise_descriptor_limit()
        async with self._stack:
            await self._open_stores()
            await self._open_lobby()
            await self._open_lines()
            server, lobby = self._server, self._lobby
            lines = [each for each in (self._ssh, self._telnet) if each is not None]
            tables = await take_up(lobby, *lines)
            handle_hang_up(shutdown, terminals, self._reloader.reload, hung_up)
            self._tell_open(tables)
            self._health.status = OPEN
            supervisor = SdNotify()
            supervisor.tell(READY)
            gc_policy.settle()
            self._run_beside([*self._work(), supervisor.keep_telling(self._clock)])
            await shutdown.asked()
            self._health.status, self._arrivals.closing_down = DRAINING, True
            supervisor.tell(STOPPING)
            await shutdown.last_call(lobby, self._clock, server.settings.stop_seconds)
            log.info("closing", sessions=len(server.sessions))
        log.info("closed")
        return ORDERED if shutdown.ordered else 0

    def _lost(self, problem: Problem) -> None:
        self._leaving = asyncio.create_task(self._leave(problem))

    async def _leave(self, problem: Problem) -> None:
        """Tell every player that the server has to stop, restore their terminals, and end the process.
        Nothing else is closed: it would wait for the database.
        """
        try:
            if self._health.status != STARTING:
                self._arrivals.closing_down = True
                self._lobby.send_away("lost")
                await self._server.close(GOODBYE_SECONDS)
                lines = [each.close() for each in (self._ssh, self._telnet) if each is not None]
                await asyncio.wait(map(asyncio.create_task, lines), timeout=GOODBYE_SECONDS)
        finally:
            end_process(problem)

    def _run_beside(self, work: Sequence[Coroutine[None, None, None]]) -> None:
        """Run all of it until the end."""
        running = [asyncio.create_task(one) for one in work]
        self._stack.push_async_callback(lambda: asyncio.gather(*running, return_exceptions=True))
        for task in running:
            self._stack.callback(task.cancel)

    # ------------------------------------------------------------ what everything is kept in

    async def _open_stores(self) -> None:
        """The database, the clock, and the ports, where who connects waits for the rest. Raises ``Problem``
        or ``StoreError``.
        """
        settings = self._settings
        self._tables = await open_and_tell(self._stack, settings)
        self._database = self._tables.database
        self._database.when_lost = self._lost
        self._ssh_port = self._bound(settings.ssh_port)
        self._telnet_port = self._bound(settings.telnet_port) if settings.telnet else None
        tls = self._telnet_port and self._certificate
        self._tls_port = self._bound(settings.telnet_tls_port) if tls else None
        self._clock = SystemClock()
        self._history = HistoryStore(self._database)

    def _bound(self, port: int) -> Listening:
        settings = self._settings
        try:
            proxies = networks(settings.proxies)
        except ValueError as problem:
            raise ConfigError(f"proxies: {problem}") from None
        return self._stack.enter_context(closing(Listening(settings.host, port, proxies)))

    # ------------------------------------------------------------ where people meet and play

    async def _open_lobby(self) -> None:
        """Also people, and what happens by the calendar. Raises ``Problem`` or ``StoreError``."""
        database, clock = self._database, self._clock
        self._lobby = Lobby(
            self._tables,
            self._clock,
            timing=self._settings.timing,
            limits=self._settings.tables,
            think=(await self._stack.enter_async_context(aclosing(Thinkers()))).think,
            strength=strength_by(self._history),
            guests_invite=self._settings.lan,
        )
        events = EventStore(database)
        # At a LAN party anybody opens one, elsewhere operators.
        tournaments = Tournaments(
            self._lobby, TournamentStore(database), events, guests=self._settings.lan
        )
        self._stack.push_async_callback(tournaments.close)
        self._people = People(PeopleStore(database), clock, seated=self._lobby.knows)
        self._people.forbidden = forbidden_words(self._settings.forbidden_names)
        self._arrivals = Arrivals(self._lobby, self._people)
        self._today = TodaysTide(self._lobby, events)
        self._days = DayPages(events, clock, self._arrivals.plays_today)
        self._news = LobbyNews(self._lobby, self._history, events, self._days.streak)
        self._seasons = Seasons(SeasonStore(database), clock)

    # ------------------------------------------------------------ how people and operators come in

    async def _open_lines(self) -> None:
        """Nobody is let in yet. Raises ``Problem`` or ``StoreError``."""
        settings, stack = self._settings, self._stack
        self._operators = AuthorizedKeys(settings.keys / OPERATORS, self._clock.time)
        key_to_frame = Histogram()
        self._server = self._game_server(key_to_frame.add)
        self._health = Health(self._server, self._lobby, self._database, key_to_frame)
        self._metrics_port = self._open_metrics()
        self._ssh = SshServer(self._server, self._ssh_port, self._key, self._coming)
        stack.push_async_callback(self._ssh.close)
        self._telnet: TelnetServer | None = None
        if self._telnet_port is not None:
            way = way_in(settings, self._ssh_port)
            advice = f"ssh {way}" if way else ssh_command("HOST", self._ssh_port.port)
            self._telnet = TelnetServer(
                self._server, self._telnet_port, self._certificate, self._tls_port, advice
            )
            stack.push_async_callback(self._telnet.close)
        self._announcement = self._announced()
        self._reloader = Reloader(
            settings,
            self._read,
            self._server,
            self._lobby,
            self._people,
            self._ssh,
            self._telnet,
            self._announcement,
        )
        self._moderation = OperatorService(
            OnlinePeople(self._arrivals, self._operators),
            ModerationStore(self._database),
            reload=self._reloader.reload,
            stop=self._shutdown.order,
        )
        await self._open_moderation()
        # From here on in the order in which it ends: no more connections, no more tables, nobody inside.
        stack.push_async_callback(self._arrivals.close, GOODBYE_SECONDS)
        stack.push_async_callback(self._server.close)
        stack.push_async_callback(self._lobby.close)
        for listening in filter(None, (self._ssh_port, self._telnet_port, self._tls_port)):
            stack.callback(listening.close)

    def _game_server(self, drawn: Callable[[float], object]) -> GameServer:
        """``drawn`` is called with the seconds from a key to its frame. Raises ``PasswordProblem``."""
        server = GameServer(
            self._settings,
            self._arrivals,
            partial(
                frontend_for,
                self._clock,
                drawn=drawn,
                way_in=way_in(self._settings, self._ssh_port),
            ),
            history=self._history,
            days=self._days,
            season=self._seasons.page,
            operators=self._operators,
            now=time.monotonic,  # the event loop's, without a call of Python's
        )
        server.access.check()
        return server

    def _open_metrics(self) -> int | None:
        """Serve metrics if that is wanted; the port."""
        settings = self._settings
        if settings.metrics_port is None:
            return None
        from server.runtime.metrics_port import MetricsServer

        metrics = MetricsServer(self._health, settings.metrics_host, settings.metrics_port)
        self._stack.push_async_callback(metrics.close)
        return metrics.port

    def _announced(self) -> "Announcement | None":
        if not self._settings.lan:
            return None
        from server.transport.lan.discovery import Announcement
        from server.transport.lan.local_addresses import host_name

        def addresses() -> list[str]:
            places = places_of(self._settings.host, self._ssh_port.addresses)
            return [place for place in places if place != "localhost"] or ["127.0.0.1"]

        return Announcement(
            host_name(),
            self._ssh_port.port,
            addresses,
            self._key.fingerprint,
            version(),
            # As it was first called.
            lambda: self._server.settings.access.replace("password", "word"),
        )

    async def _open_moderation(self) -> None:
        """With a socket for ``tide admin``; a system without Unix sockets can run a server all the same."""
        await self._moderation.open()
        self._stack.callback(self._moderation.end_draining)
        admin = AdminSocket(self._moderation, self._settings.state)
        self._stack.push_async_callback(admin.close)
        try:
            await admin.open()
        except OSError as problem:
            log.warning("no_tide_admin", reason=problem.strerror or str(problem))

    # ------------------------------------------------------------ while it runs

    def _tell_open(self, tables: int) -> None:
        """How people come in: on standard output, and in the log."""
        ssh_port, telnet_port, tls_port = self._ssh_port, self._telnet_port, self._tls_port
        lan = self._announcement.place if self._announcement is not None else ""
        told = join_lines(
            self._settings,
            ssh_port,
            telnet_port,
            self._key,
            lan=lan,
            metrics_port=self._metrics_port,
        )
        with suppress(OSError, AttributeError, UnicodeError):  # nobody reads it
            print("\n".join(told), flush=True)
        log.info(
            "open",
            host=self._settings.host,
            ssh_port=ssh_port.port,
            telnet_port=telnet_port.port if telnet_port is not None else None,
            telnet_tls_port=tls_port.port if tls_port is not None else None,
            tables=tables,
            database="new database" if self._database.backend.new else "known",
            metrics_port=self._metrics_port,
        )

    def _work(self) -> list[Coroutine[None, None, None]]:
        """What is done again and again, until the end."""
        clock, lobby = self._clock, self._lobby
        work = [
            repeated(clock, people.TIDY_SECONDS, self._people.tidy),
            repeated(clock, carry_out_orders.TIDY_SECONDS, self._moderation.tidy),
            repeated(clock, CHECKPOINT_SECONDS, self._database.checkpoint),
            self._today.keep(),
            self._news.keep(),
            self._seasons.keep(),
            gc_policy.keep_clean(clock),
            measure_lag(self._health, asyncio.get_running_loop().time),
            watch_writes(self._health, clock),
            watch_clock(self._health, clock),
        ]
        if self._announcement is not None:
            work.append(
                self._announcement.keep_telling(
                    clock, lambda: (len(lobby.feed.snapshot().players), len(lobby.known))
                )
            )
        return work


async def take_up(lobby: Lobby, *servers: SshServer | TelnetServer) -> int:
    """Recover tables and tournaments, and only then let people in: somebody who came back earlier would not
    find the own seat, and a guest without one is forgotten. Returns the number of tables.

    Raises ``StoreError``.
    """
    tables = await lobby.recover()
    await lobby.directory.recover()
    for server in servers:
        server.open()
    return tables


def _raise_descriptor_limit() -> None:
    """To as many connections as the system allows."""
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
