"""Days of today's tide, made up; and a server with a deal of the day, and news."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from server.coordinator import messages as m
from server.coordinator.arrivals import Arrivals
from server.coordinator.events.days import OPPONENTS, DayPage, DayPages, Try
from server.coordinator.events.today import LobbyNews, TodaysTide
from server.coordinator.people.people import People
from server.storage.events import EventStore
from server.storage.history_store import HistoryStore
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryPeople, MemoryStore
from tests.support.tables import World, world

NOON = 1_763_726_400.0
"""2025-11-21, 12:00 UTC."""

TRIES = (
    Try(1, "bo", 9, (8, 4, 2), 99, "account:2"),
    Try(2, "ada", 4, (9, 9, 1), 97, "account:1", True),
)


def a_day(state: str, *, closed: bool = False, tries: bool = False) -> DayPage:
    """One that lasts for an hour after the fake clock's beginning."""
    return DayPage(
        "2025-11-21",
        1_003_600.0,
        1_007_200.0,
        closed,
        "cd" * 32,
        "ab" * 32 if closed else "",
        OPPONENTS,
        2,
        state,
        tries=TRIES if tries else (),
        tomorrow="" if closed else "ef" * 32,
    )


class Played(World):
    """A server with a deal of the day."""

    today: TodaysTide
    days: DayPages
    events: EventStore
    history: HistoryStore
    news: LobbyNews

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, and have done what is due on the server's own clock."""
        await self.clock.advance(seconds)
        await self.today.refresh()
        await self.clock.settle()

    async def newest(self) -> tuple[m.News, ...]:
        """The news as they are read now."""
        await self.news.refresh()
        return self.lobby.feed.snapshot().news


@asynccontextmanager
async def served(
    store: MemoryStore | None = None, clock: FakeClock | None = None, seeds: int = 1
) -> AsyncIterator[Played]:
    store = store or MemoryStore()
    async with world(store=store, clock=clock or FakeClock(NOON), rng=seeds) as made:
        server = Played(made.clock, made.store, made.lobby)
        server.events, server.history = EventStore(store.database), HistoryStore(store.database)
        server.today = TodaysTide(server.lobby, server.events)
        plays = Arrivals(server.lobby, People(MemoryPeople(), server.clock)).plays_today
        server.days = DayPages(server.events, server.clock, plays)
        server.news = LobbyNews(server.lobby, server.history, server.events, server.days.streak)
        await server.lobby.recover()
        await server.today.refresh()
        yield server
