"""Days in a row on which somebody has played today's tide, from what is kept of the days."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from engine.records.statistics import Streak
from server.coordinator.events.days import KIND, event_at, new_day, opening_of, streak_of
from server.storage.databases.database import Database
from server.storage.databases.sqlite import SqliteMemory
from server.storage.events import Event, EventStore

ADA, BO = "account:ada", "account:bo"


def at(day: date, hour: int = 0) -> float:
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC).timestamp()


async def enter(opened: Database, player: str, *opens: float) -> None:
    """Have somebody begin these days."""
    for when in opens:
        await EventStore(opened).add(new_day(when, bytes(32)))
        await keep(opened, event_at(when), player)


async def keep(opened: Database, event: str, player: str) -> None:
    row = {"event": event, "player": player, "at": 1.0}
    await opened.change(lambda it: it.insert("event_players", row))


@given(
    played=some.sets(some.integers(0, 400), max_size=40),
    first=some.dates(date(2023, 12, 1), date(2028, 3, 1)),
    second=some.integers(0, 86_399),
)
async def test_they_are_counted_over_ends_of_months_and_leap_days(
    played: set[int], first: date, second: int
) -> None:
    days = sorted(first + timedelta(number) for number in played)
    opened = Database(SqliteMemory())
    await enter(opened, ADA, *map(at, days))
    await enter(opened, BO, at(first))
    runs = await EventStore(opened).runs(ADA, KIND)
    for today in (first + timedelta(400), *days[-1:], *(day + timedelta(1) for day in days[-1:])):
        in_a_row, day = 0, today if today in days else today - timedelta(1)
        while day in days:
            in_a_row, day = in_a_row + 1, day - timedelta(1)
        found = streak_of(runs, at(today), at(today) + second)
        assert found.now == in_a_row
        assert found.longest == max((row_from(day, days) for day in days), default=0)


def row_from(day: date, days: list[date]) -> int:
    count = 0
    while day in days:
        count, day = count + 1, day + timedelta(1)
    return count


@pytest.mark.parametrize(
    ("now", "streak"),
    [
        # The day is UTC's, wherever the player is.
        (datetime(2026, 2, 28, 23, 59, 59, tzinfo=UTC), 2),
        (datetime(2026, 3, 1, 0, 0, 0, tzinfo=UTC), 2),
        (datetime.fromisoformat("2026-02-28T20:00:00-05:00"), 2),
        (datetime.fromisoformat("2026-03-02T08:00:00+09:00"), 2),
        (datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC), 2),
        (datetime(2026, 3, 2, tzinfo=UTC), 0),
        (datetime.fromisoformat("2026-03-02T09:00:00+09:00"), 0),
    ],
)
async def test_a_day_that_can_still_be_begun_ends_nothing(
    opened: Database, now: datetime, streak: int
) -> None:
    await enter(opened, ADA, at(date(2026, 2, 27)), at(date(2026, 2, 28)))
    runs, time = await EventStore(opened).runs(ADA, KIND), now.timestamp()
    assert streak_of(runs, opening_of(time), time) == Streak(2, streak)


async def test_a_day_that_is_over_and_was_not_begun_ends_a_row(opened: Database) -> None:
    await enter(opened, ADA, *(at(date(2025, 12, day)) for day in (29, 30)))
    runs = await EventStore(opened).runs(ADA, KIND)
    assert streak_of(runs, at(date(2025, 12, 31)), at(date(2026, 1, 1))) == Streak(2, 0)


async def test_tournaments_are_no_days(opened: Database) -> None:
    await enter(opened, ADA, at(date(2026, 1, 31)))
    cup = Event("tournament/kadubilo/1", "tournament", at(date(2026, 2, 1)), 0, "00", "11")
    await EventStore(opened).add(cup)
    await keep(opened, cup.id, ADA)
    assert list(await EventStore(opened).runs(ADA, KIND)) == [(at(date(2026, 1, 31)),) * 2]
