"""The coordinator's part of a server: what exists once, however many processes there are."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, aclosing
from typing import Final

import structlog

from server import Problem
from server.coordinator.arrivals import Arrivals
from server.coordinator.events.days import DayPages
from server.coordinator.events.today import LobbyNews, Seasons, TodaysTide
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages.operator_orders import OperatorReply
from server.coordinator.people import people
from server.coordinator.people.names import forbidden_words
from server.coordinator.people.people import People
from server.coordinator.tournaments.actor import Tournaments
from server.operators import orders
from server.operators.admin_socket import AdminSocket
from server.operators.online_people import OnlinePeople
from server.operators.orders import OperatorService
from server.runtime import gc_policy
from server.runtime.health import (
    DRAINING,
    Health,
    measure_lag,
    watch_clock,
    watch_writes,
)
from server.runtime.process import STOPPING, SdNotify, Shutdown
from server.runtime.reloader import Reloader
from server.runtime.thinkers import Thinkers
from server.settings.loading import database_url
from server.settings.settings import Settings
from server.storage.databases.database import BEAT_SECONDS, end_process
from server.storage.events import EventStore, TournamentStore
from server.storage.history_store import HistoryStore
from server.storage.moderation import ModerationStore
from server.storage.people import PeopleStore
from server.storage.ratings import SeasonStore
from server.storage.statedir import open_state
from server.storage.table_store import TableStore
from server.text.bots import strength_by
from server.timers import SystemClock, repeated
from server.transport.access.login import OPERATORS, AuthorizedKeys

log = structlog.get_logger("server")

GOODBYE_SECONDS: Final = 2.0
"""Maximum seconds of each step of ending sessions when the database is lost."""
CHECKPOINT_SECONDS: Final = 60.0
"""Seconds between two checkpoints of the write-ahead log."""


async def open_and_tell(
    stack: AsyncExitStack, settings: Settings, *, in_turn: bool = False
) -> TableStore:
    """Open a server's database, ``in_turn`` once no other server uses it.

    Says on standard error where the copy is if it was brought up to date.
    """
    url = database_url(settings)
    tables = await open_state(stack, settings.state, url, settings.keys, in_turn=in_turn)
    if copied := tables.database.backend.copied:
        done = f"The database has been brought up to date. As it was: {copied}"
        print(done, file=sys.stderr)
    return tables


class Coordination:
    """The database, tables, people, scheduled events and operators."""

    _health: Health
    _reloader: Reloader

    def __init__(self, settings: Settings, read: Callable[[], Settings]) -> None:
        """``read`` reads the settings again, or raises ``ConfigError``."""
        self._stack: Final = AsyncExitStack()
        self._shutdown: Final = Shutdown()
        self._settings: Final = settings
        self._read: Final = read

    def _lost(self, problem: Problem) -> None:
        self._leaving = asyncio.create_task(self._leave(problem))

    async def _leave(self, problem: Problem) -> None:
        """End sessions, and then the process. Nothing else is closed: it would wait for the database."""
        try:
            await self._say_goodbye(problem)
        finally:
            end_process(problem)

    async def _say_goodbye(self, problem: Problem) -> None:
        """End sessions because the database is lost."""

    def _run_beside(self, work: Sequence[Coroutine[None, None, None]]) -> None:
        """Run these coroutines until the server stops."""
        running = [asyncio.create_task(one) for one in work]
        self._stack.push_async_callback(lambda: asyncio.gather(*running, return_exceptions=True))
        for task in running:
            self._stack.callback(task.cancel)

    async def _open_stores(self, *, in_turn: bool = False) -> None:
        """Open the database, and start the clock. Raises ``Problem`` or ``StoreError``."""
        self._tables = await open_and_tell(self._stack, self._settings, in_turn=in_turn)
        self._database = self._tables.database
        self._database.when_lost = self._lost
        self._clock = SystemClock()
        self._history = HistoryStore(self._database)

    async def _open_lobby(self) -> None:
        """Build the lobby, people and scheduled events. Raises ``Problem`` or ``StoreError``."""
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
        self._operators = AuthorizedKeys(self._settings.keys / OPERATORS, clock.time)

    async def _open_operators(self, reload: Callable[[], OperatorReply]) -> None:
        """Build what operators use, with a socket for ``tide admin`` where the system has Unix sockets.

        ``reload`` reads the settings again.
        """
        self._moderation = OperatorService(
            OnlinePeople(self._arrivals, self._operators),
            ModerationStore(self._database),
            reload=reload,
            stop=self._shutdown.order,
        )
        await self._moderation.open()
        self._stack.callback(self._moderation.end_draining)
        admin = AdminSocket(self._moderation, self._settings.state)
        self._stack.push_async_callback(admin.close)
        try:
            await admin.open()
        except OSError as problem:
            log.warning("no_tide_admin", reason=problem.strerror or str(problem))

    def _work(self) -> list[Coroutine[None, None, None]]:
        """Return the periodic work."""
        clock = self._clock
        return [
            repeated(clock, people.TIDY_SECONDS, self._people.tidy),
            repeated(clock, orders.TIDY_SECONDS, self._moderation.tidy),
            repeated(clock, CHECKPOINT_SECONDS, self._database.checkpoint),
            repeated(clock, BEAT_SECONDS, self._database.beat),
            self._today.keep(),
            self._news.keep(),
            self._seasons.keep(),
            gc_policy.keep_clean(clock),
            measure_lag(self._health, asyncio.get_running_loop().time),
            watch_writes(self._health, clock),
            watch_clock(self._health, clock),
        ]

    async def _until_told(self) -> None:
        """Wait until the server is to stop, and then for running games."""
        await self._shutdown.asked()
        self._health.status, self._arrivals.closing_down = DRAINING, True
        SdNotify().tell(STOPPING)
        seconds = self._reloader.settings.stop_seconds
        await self._shutdown.last_call(self._lobby, self._clock, seconds)


async def take_up(lobby: Lobby, let_in: Callable[[], object]) -> int:
    """Recover tables and tournaments, and only then let people in.

    Somebody who came back earlier would not find the own seat, and a guest without one is forgotten.
    Returns the number of tables.

    Raises ``StoreError``.
    """
    tables = await lobby.recover()
    await lobby.directory.recover()
    let_in()
    return tables
