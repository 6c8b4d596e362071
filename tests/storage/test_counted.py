"""Which games count for somebody's statistics, and how many of them are read."""

import pytest

from engine.editions import Rules
from engine.records.statistics import Collector
from server.storage import history_store
from server.storage.databases.database import Database
from server.storage.events import Event, EventStore
from server.storage.history import CountedGame, PlayerTotals
from server.storage.history_store import HistoryStore, keep
from tests.support import databases
from tests.support.games import record

ADA, BO = "account:ada", "account:bo"
HUMANS = [{"kind": "human"}] * 4


async def test_the_newest_whole_games_count_the_oldest_first(
    opened: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = HistoryStore(opened)
    for number in range(1, 6):
        over = record(number, seats=HUMANS)
        await databases.keep(opened, number, over, BO, ADA, "", "")
    games = await history.counted(ADA)
    assert games == tuple(CountedGame(number, 1) for number in range(1, 6))
    assert await history.counted("account:nobody") == ()
    monkeypatch.setattr(history_store, "COUNTED_GAMES", 2)
    assert await history.counted(ADA) == games[-2:]


async def test_what_was_left_joined_broken_off_or_a_tutorial_does_not_count(
    opened: Database,
) -> None:
    left = [{"kind": "left"}, *HUMANS[1:]]
    joined = [{"kind": "joined", "since": 2}, *HUMANS[1:]]
    bots = [{"kind": "human"}, *[{"kind": "bot", "strategy": "greedy"}] * 3]
    lesson = record(4, rules=Rules(players=4, stages=1), seats=bots, pace="untimed")
    for number, over in enumerate(
        (
            record(1, seats=left),
            record(2, seats=joined),
            record(3, seats=HUMANS, rounds=15),
            lesson,
            record(5, seats=HUMANS, again=True),
            record(6, seats=HUMANS),
        ),
        1,
    ):
        await databases.keep(opened, number, over, ADA, "", "", "")
    assert await HistoryStore(opened).counted(ADA) == (CountedGame(6, 0),)


async def test_a_game_of_an_event_counts_when_that_is_closed(opened: Database) -> None:
    history, events = HistoryStore(opened), EventStore(opened)
    await events.add(Event("day-1", "day", 1.0, 2.0, "00" * 32, "11" * 32))
    text = record(1, seats=HUMANS).text
    players = (ADA, "", "", "")
    await opened.change(lambda at: keep(at, "one", 1.0, text, players, (), "day-1"))
    assert await history.counted(ADA) == ()
    collector = Collector()
    await history.collect(collector, [CountedGame(1, 0), CountedGame(7, 0)])
    assert collector.statistics().games == 0, "not even for who knows its number"
    await events.close("day-1", 3.0)
    assert await history.counted(ADA) == (CountedGame(1, 0),)
    await history.collect(collector, [CountedGame(1, 0)])
    assert collector.statistics().games == 1


async def test_people_are_told_apart_by_who_they_are(opened: Database) -> None:
    history, collector = HistoryStore(opened), Collector()
    for number, name in ((1, "bo"), (2, "Bodo")):
        over = record(number, ("ada", name, "cem", "dora"), seats=HUMANS)
        await databases.keep(opened, number, over, ADA, BO, "", "")
    await history.collect(collector, await history.counted(ADA))
    names = {each.name: each.games for each in collector.statistics().opponents}
    assert names == {"Bodo": 2, "cem": 2, "dora": 2}


async def test_the_totals_count_a_game_of_an_event_when_that_is_closed(opened: Database) -> None:
    await databases.meet(opened)
    events = EventStore(opened)
    await events.add(Event("day-1", "day", 1.0, 2.0, "00" * 32, "11" * 32))
    text, players = record(1, seats=HUMANS).text, (databases.ADA, "", "", "")
    await opened.change(lambda at: keep(at, "one", 1.0, text, players, (), "day-1"))
    assert (await databases.page_of(opened, databases.ADA)).tally == PlayerTotals()
    await events.close("day-1", 3.0)
    tally = (await databases.page_of(opened, databases.ADA)).tally
    assert (tally.games, tally.stages) == (1, 4)
