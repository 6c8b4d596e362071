"""The games that are over, for one visitor: whose eyes they are shown with first."""

import pytest

from server.playback.recorded_game import EVERYBODY
from server.storage.history import GameRow, LeaderboardRow, PlayerPage
from server.transport.session.game_library import VisitorLibrary
from tests.support.games import record

NUMBER = 7


class Past:
    """A database with one game of three, bo on the second seat, and later ones of his."""

    async def games(
        self, *, player: str = "", before: int = 0, limit: int = 20
    ) -> tuple[GameRow, ...]:
        mine = {"id-bo": (NUMBER + 2, NUMBER, 3), "id-zoe": (NUMBER + 1, 4)}.get(player, ())
        numbers = [number for number in mine if not before or number < before]
        return tuple(
            GameRow(number, 0.0, "amigo", True, False, (), 1) for number in numbers[:limit]
        )

    async def record(self, game: int) -> str | None:
        return record(1, ("ada", "bo", "cem")).text if game == NUMBER else None

    async def page(self, player: str) -> PlayerPage | None:
        return None

    async def best(self, limit: int = 20) -> tuple[LeaderboardRow, ...]:
        return ()


@pytest.mark.parametrize(
    ("player", "eyes"), [("id-bo", 1), ("id-zoe", EVERYBODY), ("id-new", EVERYBODY)]
)
async def test_who_has_played_a_game_sees_it_again_with_the_same_eyes(
    player: str, eyes: int
) -> None:
    library = VisitorLibrary(Past(), player)
    game = await library.game(NUMBER)
    assert game is not None
    assert game.eyes == eyes
    assert await library.game(NUMBER + 1) is None
