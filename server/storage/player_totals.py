"""A player's totals in a database. All games are read once; from then on only those that have come since."""

from collections import OrderedDict
from operator import add
from typing import Any, Final

from server.storage.databases.connection import Connection
from server.storage.events import SHOWN
from server.storage.history import PlayerTotals

_PLAYERS: Final = 1_000
"""Of so many the totals are kept."""
_NEWEST: Final = 50
"""Games of a player that are always read: several processes may write them in another order than they are
numbered.
"""

_SOME: Final = "record_seats.player = :player AND record_id > :after AND record_id <= :until"
_COUNTS: Final = f"""
    records.complete = 1 AND records.tutorial = 0 AND records.again = 0
    AND record_seats.kind <> 'joined' AND {SHOWN}
"""
_GAMES: Final = f"""
    SELECT COUNT(*), COUNT(CASE WHEN place = 1 THEN 1 END)
    FROM record_seats JOIN records ON records.id = record_id WHERE {_SOME} AND {_COUNTS}
"""
# One row of the inner query for each stage of the player: the points, and what the others made of that hand.
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
# What can change what earlier games come to: they are removed, an event is closed, accounts become one.
_STATE: Final = """
    SELECT (SELECT MIN(record_id) FROM record_seats WHERE player = :player),
        (SELECT MAX(closed) FROM events), (SELECT COUNT(*) FROM events WHERE closed = 0),
        (SELECT COUNT(*) FROM keys WHERE person = :player),
        (SELECT MAX(added) FROM keys WHERE person = :player)
"""
_NEW: Final = """
    SELECT record_id FROM record_seats WHERE player = :player
    ORDER BY record_id DESC LIMIT 1 OFFSET :offset
"""

_Sums = tuple[Any, ...]
_NONE: Final = (0, 0, 0, 0.0, 0, 0.0, 0.0, 0)


class KeptTotals:
    """What has been added up so far, for all threads that read."""

    def __init__(self) -> None:
        self._kept: Final[OrderedDict[str, tuple[object, int, _Sums]]] = OrderedDict()
        """What ``_STATE`` said, the number up to which games have been added, and their sums."""

    def of(self, connection: Connection, player: str) -> PlayerTotals:
        """A player's totals as they are now."""
        state = tuple(connection.execute(_STATE, player=player).fetchone())
        until = connection.scalar(_NEW, player=player, offset=_NEWEST) or 0
        newest = connection.scalar(_NEW, player=player, offset=0) or 0
        before, after, sums = self._kept.pop(player, (None, 0, _NONE))
        if before != state or after > until:
            after, sums = 0, _NONE
        sums = _added(connection, player, sums, after, until)
        if until:
            self._kept[player] = (state, until, sums)
            if len(self._kept) > _PLAYERS:
                self._kept.popitem(last=False)
        sums = _added(connection, player, sums, until, newest)
        games, wins, stages, points, compared, own, others, best = sums
        each = compared or 1
        return PlayerTotals(
            games, wins, stages, points / (stages or 1), compared, own / each, others / each, best
        )


def _added(connection: Connection, player: str, sums: _Sums, after: int, until: int) -> _Sums:
    """Add those of the games with numbers above ``after``, up to ``until``."""
    if after >= until:
        return sums
    some = {"player": player, "after": after, "until": until}
    games, hands = (connection.execute(sql, some).fetchone() for sql in (_GAMES, _HANDS))
    return tuple(map(add, sums, (*games, *hands)))
