"""Finished games as they are listed, and players' totals."""

import hashlib
import re
from collections import OrderedDict
from operator import add
from typing import Any, Final, NamedTuple

from engine.records.outcome import SeatResult
from engine.records.record_format import Record
from engine.records.replay import Replay
from server.storage.databases.connection import Connection
from server.storage.events import SHOWN
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
    """Played to the end."""
    rated: bool
    seats: tuple[SeatResult, ...]
    mine: int = -1
    """The seat of the player for whom games are listed; -1 for none."""
    tutorial: bool = False
    """A tutorial does not count for ``PlayerTotals``."""
    again: bool = False
    """Nor does a deal that was known from an earlier game."""
    event: str = ""
    """The event it was played for; empty for none."""
    held: bool = False
    """The event is open: seed and deal stay secret, and players see the game only as they saw it then."""
    players: tuple[str, ...] = ()
    """Ids of the players, one for each seat; empty for bots and people who have been erased."""


class GamePlace(NamedTuple):
    """How a person is related to a finished game. Only its players are to that of a private table."""

    seats: int
    mine: int
    """The person's seat; -1 for none."""
    held: bool
    """As in ``GameRow``: then only people who played all of it have a place."""


REPLAY_CODE: Final = re.compile(r"(?<![\w-])([1-9][0-9]{0,15})-[0-9a-f]{8}(?![\w-])")
"""A code that finds a game: its number, and eight digits that cannot be guessed from it."""


def replay_code(number: int, record: Record) -> str:
    """Return the code of a game; its digits are derived from the record's ``id`` with 128 random bits."""
    said = f"{number} {record.fields().get('id', '')}"
    return f"{number}-{hashlib.sha256(said.encode()).hexdigest()[:8]}"


class GameByCode(NamedTuple):
    """A game that was found by its code."""

    number: int
    replay: Replay | None
    """``None`` if ``place`` is held, or if the table was private and the person did not play there."""
    place: GamePlace


class CountedGame(NamedTuple):
    """A game that counts for a player's statistics."""

    number: int
    seat: int


class PlayerTotals(NamedTuple):
    """A player's results in all complete games but tutorials and those of open events."""

    games: int = 0
    wins: int = 0
    """First places, shared ones too; none in games that the player left."""
    stages: int = 0
    mean_points: float = 0.0
    """For each stage; 0 without any."""
    compared: int = 0
    """Stages in which others played the same hand."""
    own_with_hand: float = 0.0
    """The player's mean points in those stages ..."""
    others_with_hand: float = 0.0
    """... and the others' with the same hands."""
    best_with_hand: int = 0
    """Stages in which nobody else got more points with the hand."""


class Met(NamedTuple):
    """Games that two people finished together, among the newest ones of the first."""

    games: int
    ahead: int
    """Games in which the first came out ahead ..."""
    behind: int
    """... or the other one."""


class BestMonth(NamedTuple):
    """A player's best place in a month that is over."""

    month: str
    """Such as ``2026-11``."""
    rank: int
    score: float
    """In percent (``server.storage.ratings``)."""


class PublicResults(NamedTuple):
    """A player's results as other people may see them."""

    rating: Rating | None
    """``None`` before the first rated game."""
    best: BestMonth | None
    """``None`` without a place in any month."""
    met: Met
    """With the person who asks."""


class PlayerPage(NamedTuple):
    """A player's own page."""

    name: str
    tally: PlayerTotals
    rating: Rating | None
    """``None`` for guests, and before the first rated game."""
    rank: int
    """On the leaderboard, from 1; 0 when not on it."""
    games: tuple[GameRow, ...]
    """The newest ones."""


_PLAYERS: Final = 1_000
"""Number of players whose totals are kept in memory."""

_SOME: Final = "record_seats.player = :player AND record_id > :after"
_COUNTS: Final = f"""
    records.complete = 1 AND records.tutorial = 0 AND records.again = 0
    AND record_seats.kind <> 'joined' AND {SHOWN}
"""
_GAMES: Final = f"""
    SELECT COUNT(*), COUNT(CASE WHEN place = 1 THEN 1 END)
    FROM record_seats JOIN records ON records.id = record_id WHERE {_SOME} AND {_COUNTS}
"""
# The inner query has a row for each stage of the player: the points, and those of others with the same hand.
_HANDS: Final = f"""
    SELECT
        COUNT(*),
        COALESCE(SUM(points), 0.0),
        COUNT(others),
        COALESCE(SUM(CASE WHEN others IS NOT NULL THEN points END), 0.0),
        COALESCE(SUM(others), 0.0),
        COUNT(CASE WHEN others IS NOT NULL AND points >= most THEN 1 END)
    FROM (
        SELECT CAST(mine.points AS DOUBLE PRECISION) AS points,
            AVG(CAST(CASE WHEN played.seat = mine.seat THEN NULL ELSE played.points END
                AS DOUBLE PRECISION)) AS others,
            MAX(played.points) AS most
        FROM record_seats
        JOIN records ON records.id = record_seats.record_id
        JOIN hand_results AS mine
            ON mine.record_id = record_seats.record_id AND mine.seat = record_seats.seat
        JOIN hand_results AS played
            ON played.record_id = mine.record_id AND played.hand = mine.hand
        WHERE {_SOME.replace("record_id", "record_seats.record_id")} AND {_COUNTS}
        GROUP BY mine.record_id, mine.stage, mine.seat, mine.points
    ) AS stages
"""
# Changes when earlier totals are out of date: games were removed, an event was closed, accounts were merged.
_STATE: Final = """
    SELECT (SELECT MIN(record_id) FROM record_seats WHERE player = :player),
        (SELECT MAX(closed) FROM events), (SELECT COUNT(*) FROM events WHERE closed = 0),
        (SELECT COUNT(*) FROM keys WHERE person = :player),
        (SELECT MAX(added) FROM keys WHERE person = :player)
"""
_NEWEST: Final = "SELECT MAX(record_id) FROM record_seats WHERE player = :player"

_Sums = tuple[Any, ...]
_NONE: Final = (0, 0, 0, 0.0, 0, 0.0, 0.0, 0)


class KeptTotals:
    """Players' totals so far: no page may take longer the more games there are."""

    def __init__(self) -> None:
        self._kept: Final[OrderedDict[str, tuple[object, int, _Sums]]] = OrderedDict()
        """By player: the row of ``_STATE``, the number of the last game that was added, and the sums."""

    def of(self, connection: Connection, player: str) -> PlayerTotals:
        """Return a player's current totals."""
        state = tuple(connection.execute(_STATE, player=player).fetchone())
        newest = connection.scalar(_NEWEST, player=player) or 0
        before, after, sums = self._kept.pop(player, (None, 0, _NONE))
        if before != state or after > newest:
            after, sums = 0, _NONE
        if after < newest:
            some = {"player": player, "after": after}
            games, hands = (connection.execute(sql, some).fetchone() for sql in (_GAMES, _HANDS))
            sums = tuple(map(add, sums, (*games, *hands)))
        self._kept[player] = (state, newest, sums)
        if len(self._kept) > _PLAYERS:
            self._kept.popitem(last=False)
        games, wins, stages, points, compared, own, others, best = sums
        each = compared or 1
        return PlayerTotals(
            games, wins, stages, points / (stages or 1), compared, own / each, others / each, best
        )
