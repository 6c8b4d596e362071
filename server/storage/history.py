"""Finished games as they are listed, and what they say of players."""

import hashlib
import re
from typing import Final, NamedTuple

from engine.records.outcome import SeatResult
from engine.records.record_format import Record
from engine.records.replay import Replay
from server.storage.ratings import Rating


class MetBots(NamedTuple):
    """A game against bots."""

    place: int
    """The player's."""
    bots: list[tuple[str, int]]
    """The strategy and the place of each."""


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
    again: bool = False
    """Nor does this: the deal was known from an earlier game."""
    event: str = ""
    """The event it was played for; empty for none."""
    held: bool = False
    """The event is not closed: there is no record yet, neither seed nor deal. Who played it may see it again
    as it was played.
    """
    players: tuple[str, ...] = ()
    """A seat each: the id of whose result it is; empty for bots and people who are not known any more."""


class GamePlace(NamedTuple):
    """What somebody is to a finished game. To one of a private table, only who has played it is anything."""

    seats: int
    mine: int
    """The own seat; -1 for none."""
    held: bool
    """As in ``GameRow``: then it is for who has played all of it, and nobody else has a place."""


REPLAY_CODE: Final = re.compile(r"(?<![\w-])([1-9][0-9]{0,15})-[0-9a-f]{8}(?![\w-])")
"""What a code looks like with which anybody finds a game: its number, and eight digits that nobody who knows
only that can guess.
"""


def replay_code(number: int, record: Record) -> str:
    """The code of a game: always the same. The digits follow from the ``id`` of its record, in which a server
    has 128 random bits.
    """
    said = f"{number} {record.fields().get('id', '')}"
    return f"{number}-{hashlib.sha256(said.encode()).hexdigest()[:8]}"


class GameByCode(NamedTuple):
    """A game that was asked for by its code."""

    number: int
    replay: Replay | None
    """``None`` where ``place`` is held, or else the table was private and the asker has not played there."""
    place: GamePlace


class CountedGame(NamedTuple):
    """A game that counts for somebody's statistics."""

    number: int
    seat: int


class PlayerTotals(NamedTuple):
    """A player's results over all complete games but tutorials, and those of events that are not closed."""

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


class Met(NamedTuple):
    """Games that two people have finished together, among the newest ones of the first."""

    games: int
    ahead: int
    """In which the first came out ahead ..."""
    behind: int
    """... or the other one."""


class BestMonth(NamedTuple):
    """Somebody's best place in a month that is over."""

    month: str
    """Such as ``2026-11``."""
    rank: int
    score: float
    """In percent (``server.storage.leaderboard_store``)."""


class Standing(NamedTuple):
    """What anybody may be told of a player's games."""

    rating: Rating | None
    """``None`` before the first rated game."""
    best: BestMonth | None
    """``None`` for who was listed in none."""
    met: Met
    """With whoever asks."""


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
