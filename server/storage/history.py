"""Finished games and what they say of players: the questions that can be asked, and the answers."""

from typing import NamedTuple, Protocol

from server.storage.ratings import Rating
from server.storage.results import SeatResult


class GameRow(NamedTuple):
    """A finished game in a list."""

    id: int
    kept: float
    """When it ended, in seconds since 1970."""
    edition: str
    complete: bool
    """Played to the end, and not broken off."""
    rated: bool
    seats: tuple[SeatResult, ...]
    mine: int = -1
    """The seat of the player who was asked for; -1 for none."""
    tutorial: bool = False
    """It counts for nobody's ``PlayerTotals``."""


class PlayerTotals(NamedTuple):
    """A player's results over all complete games but tutorials."""

    games: int = 0
    wins: int = 0
    """First places, shared ones too; never in a game that the player left."""
    stages: int = 0
    mean_points: float = 0.0
    """A stage; 0 without any."""
    compared: int = 0
    """Stages whose hand somebody else has played as well."""
    own_with_hand: float = 0.0
    """Mean points in those stages ..."""
    others_with_hand: float = 0.0
    """... and what the others made of the same hands, on average."""
    best_with_hand: int = 0
    """How often nobody made more of the hand."""


class PlayerPage(NamedTuple):
    """What there is to tell of one player."""

    name: str
    tally: PlayerTotals
    rating: Rating | None
    """``None`` for guests, and before the first rated game."""
    rank: int
    """On the leaderboard, from 1; 0 when not on it."""
    games: tuple[GameRow, ...]
    """The newest ones."""


class LeaderboardRow(NamedTuple):
    """A line of the leaderboard."""

    rank: int
    """Equal ratings share one."""
    player: str
    name: str
    rating: Rating


class HistoryStore(Protocol):
    """Only games that are over, ever. All raise ``StoreError`` when the database does not work."""

    async def games(
        self, *, player: str = "", before: int = 0, limit: int = 20
    ) -> tuple[GameRow, ...]:
        """The newest first: of one player, or all; only those with smaller ids than ``before``."""

    async def record(self, game: int) -> str | None:
        """A game's record, as JSON."""

    async def page(self, player: str) -> PlayerPage | None:
        """A player's page; ``None`` for somebody unknown."""

    async def best(self, limit: int = 20) -> tuple[LeaderboardRow, ...]:
        """The leaderboard: accounts that have played enough rated games with people of other addresses, or
        whom an operator has vouched for, the strongest first.
        """
