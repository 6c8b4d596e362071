"""A player's totals: added up once, and as right as if they were added up each time."""

import pytest

from server.storage import history
from server.storage.databases.database import Database
from server.storage.events import Event, EventStore
from server.storage.history import PlayerTotals
from server.storage.history_store import HistoryStore
from server.storage.people import PeopleStore
from server.storage.table_store import FinishedGame
from tests.support.databases import ADA, BO, archived, keep, meet, page_of
from tests.support.games import record


async def test_they_are_right_whatever_has_happened_since(
    opened: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await meet(opened)
    kept, people, events = HistoryStore(opened), PeopleStore(opened), EventStore(opened)

    async def games(*numbers: int, who: str = ADA, event: str = "") -> None:
        for number in numbers:
            over = record(number)
            seats = tuple(who if seat == number % 4 else "" for seat in range(4))
            result = FinishedGame(over.fields(), seats, number, event=event)
            await archived(opened, f"{number}-1", result)

    async def totals() -> PlayerTotals:
        page, afresh = await kept.page(ADA), await page_of(opened, ADA)
        assert page is not None
        assert page.tally._asdict() == pytest.approx(afresh.tally._asdict())
        return page.tally

    assert await totals() == PlayerTotals()
    await games(1, 2)
    await games(12, 13, who=BO)
    await totals()
    await games(3, 4, 5)
    await totals()
    await events.add(Event("day-1", "day", 1.0, 2.0, "", ""))
    await games(6, 7, event="day-1")
    await games(8, 9, 10, 11)
    assert (await totals()).games == 9
    await events.close("day-1", 12.0)
    assert (await totals()).games == 11, "its games may be shown by now"
    await people.add_key(BO, "key", 20.0)
    await people.add_key(ADA, "key", 21.0)
    assert (await totals()).games == 13, "two accounts have become one"
    await kept.prune(3.0)
    assert (await totals()).games == 11, "the oldest are removed"


async def test_the_totals_of_few_people_are_kept(
    opened: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "_PLAYERS", 1)
    await meet(opened)
    kept = HistoryStore(opened)
    for number in range(1, 6):
        await keep(opened, number, record(number), ADA, BO, "", "")
    for _ in range(2):
        for who in (ADA, BO):
            page = await kept.page(who)
            assert page is not None
            assert page.tally.games == 5
    assert [*kept._totals._kept] == [BO]
