"""What a face may ask of the games that are over."""

from typing import Protocol

from server.playback.recorded_game import RecordedGame
from server.storage.history import GameRow, LeaderboardRow, PlayerPage


class GameLibrary(Protocol):
    """Finished games and what they say of players. All names are clean. All methods raise ``StoreError``
    when the database does not work.
    """

    __slots__ = ()

    async def games(self, *, mine: bool, before: int = 0) -> tuple[GameRow, ...]:
        """The newest first, only those with smaller ids than ``before``; ``mine``: this player's."""

    async def game(self, number: int) -> RecordedGame | None:
        """A game to look at, through this player's eyes for who has played it; ``None`` when it cannot be."""

    async def page(self) -> PlayerPage | None:
        """This player's page."""

    async def best(self) -> tuple[LeaderboardRow, ...]:
        """The leaderboard."""
