"""The games that are over, for one visitor: whose eyes they are shown with first."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

import pytest

from engine.bots.review import Decision, reviewed
from engine.records.statistics import Collector
from server import StoreError
from server.playback import EVERYBODY
from server.session.account import GameLibrary
from server.storage.databases.database import Database
from server.storage.databases.sqlite import SqliteMemory
from server.storage.history import CountedGame
from server.storage.history_store import HistoryStore
from tests.support.accounts import cannot_review
from tests.support.databases import keep
from tests.support.games import record

GAMES = {3: "id-bo", 4: "id-zoe", 7: "id-bo", 8: "id-zoe", 9: "id-bo"}
"""Who had the second seat."""


async def test_a_review_is_made_once_and_one_at_a_time() -> None:
    made: list[Decision] = []

    async def quickly(decision: Decision, player: str, network: str) -> Any:
        assert (player, network) == ("id-bo", "id-bo")
        made.append(decision)
        await asyncio.sleep(0)
        return [*reviewed(decision, 8)] if len(made) < 5 else 0

    opened = Database(SqliteMemory())
    await keep(opened, 1, record(1, ("ada", "bo", "cem")), "", "id-bo", "")
    library = GameLibrary(HistoryStore(opened), "id-bo", quickly)
    game = await library.game(1)
    assert game is not None
    async with aclosing(library.review(game, 1)) as begun:
        first = [await anext(begun), await anext(begun)]
        second = library.review(game, 1)
        other = asyncio.ensure_future(anext(second))
        await asyncio.sleep(0)
        assert not other.done()
    assert await other == first[0]
    await second.aclose()
    assert len(made) == 2
    async with aclosing(library.review(game, 1)) as told:
        assert [await anext(told) for _ in range(4)][:2] == first
        with pytest.raises(StoreError):
            await anext(told)


@pytest.mark.parametrize(
    ("player", "viewpoint"), [("id-bo", 1), ("id-zoe", EVERYBODY), ("id-new", EVERYBODY)]
)
async def test_who_has_played_a_game_sees_it_again_with_the_same_eyes(
    player: str, viewpoint: int
) -> None:
    opened = Database(SqliteMemory())
    for number in range(1, 10):
        over = record(number, ("ada", "bo", "cem"))
        await keep(opened, number, over, "", GAMES.get(number, ""), "")
    library = GameLibrary(HistoryStore(opened), player, cannot_review)
    game = await library.game(7)
    assert game is not None
    assert game.viewpoint == viewpoint
    assert await library.game(10) is None


async def test_statistics_are_counted_once_in_small_parts_until_there_is_another_game() -> None:
    opened = Database(SqliteMemory())
    names = ("ada", "bo\x1b[2J", "cem")
    for number in range(1, 21):
        over = record(number, names, seats=["human"] * 3)
        await keep(opened, number, over, "id-ada", "", "")
    history, parts = HistoryStore(opened), list[int]()

    class Watched(HistoryStore):
        async def collect(self, collector: Collector, games: Sequence[CountedGame]) -> None:
            parts.append(len(games))
            await history.collect(collector, games)

    library = GameLibrary(Watched(opened), "id-ada", cannot_review)
    first, again = await asyncio.gather(library.statistics(), library.statistics())
    assert first == again
    assert first.games == sum(parts) == 20
    assert max(parts) <= 8, "other reads come in between"
    assert all(each.name.isprintable() for each in first.opponents)
    await keep(opened, 21, record(21, names, seats=["human"] * 3), "id-ada", "", "")
    assert (await library.statistics()).games == 21
