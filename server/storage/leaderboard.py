"""The leaderboard, and that of each month."""

from typing import NamedTuple

from server.storage.ratings import Rating


class LeaderboardRow(NamedTuple):
    """A line of the leaderboard."""

    rank: int
    """Equal ratings share one."""
    player: str
    name: str
    rating: Rating
    program: bool = False
    """The account has played as a program."""


class SeasonRow(NamedTuple):
    """A line of a month's table."""

    rank: int
    """Equal scores share one."""
    player: str
    """Empty for who has been forgotten."""
    name: str
    score: float
    """In percent (``server.storage.leaderboard_store``)."""
    games: int
    """That counted."""
    met: int
    """Opponents in these games, each as often as met."""
    program: bool = False
    """The account has played some of them as a program."""


class SeasonTable(NamedTuple):
    """A month, as it is shown."""

    month: str
    """Such as ``2026-11``."""
    until: float
    """When it is over, in seconds since 1970."""
    over: bool
    closed: bool
    """The table is kept, and does not change any more."""
    earlier: bool
    """There are months before this one."""
    rows: tuple[SeasonRow, ...]
