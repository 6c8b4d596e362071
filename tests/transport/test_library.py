"""The games that are over, for one visitor: whose eyes they are shown with first."""

import pytest

from server.playback.recorded_game import EVERYBODY
from server.storage.database import Database
from server.storage.history_sql import SqlHistory
from server.storage.sqlite import SqliteMemory
from server.transport.session.account import VisitorLibrary
from tests.support.databases import keep
from tests.support.games import record

GAMES = {3: "id-bo", 4: "id-zoe", 7: "id-bo", 8: "id-zoe", 9: "id-bo"}
"""Who had the second seat."""


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
    library = VisitorLibrary(SqlHistory(opened), player)
    game = await library.game(7)
    assert game is not None
    assert game.viewpoint == viewpoint
    assert await library.game(10) is None
