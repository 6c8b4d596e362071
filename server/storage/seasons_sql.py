"""Seasons in a database: for each calendar month (UTC) who left the most opponents behind in rated games.

The score is the share of opponents of other addresses who came after the player, those with the same place
by half; who left a game comes last. Everybody begins a month as if ``BEGIN`` opponents had been met and half
of them left behind, so that few games say little. Listed are those who are on the leaderboard and have
played ``LEAST`` such games in the month.

When a month is over its table is kept, as soon as all its games may be shown.
"""

from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from typing_extensions import override

from server.storage.connection import Connection
from server.storage.database import Repository, reads, writes
from server.storage.erasure import FORMER
from server.storage.events_sql import SHOWN
from server.storage.results import SeasonRow, SeasonStore, SeasonTable

LEAST: Final = 5
"""Games in a month."""
BEGIN: Final = 10
"""Opponents with whom everybody begins."""
MOST_LINES: Final = 100

SETTLES: Final = 60 * 60
"""Seconds after which a game that ended in a month is certain to be kept."""
WAITS: Final = 30 * 24 * 60 * 60
"""So many seconds a month waits for open events; what becomes public later does not count."""

_IN_MONTH: Final = "rated = 1 AND again = 0 AND kept >= :since AND kept < :until"
# A row for each player and each opponent in each game; then all rows of a player together. CROSS JOIN has
# SQLite begin with the month's games, and not with everybody's of all time.
_PLACES: Final = f"""
    SELECT RANK() OVER (ORDER BY score DESC) AS rank, player, name, score, games, met, program
    FROM (
        SELECT mine.player AS player, people.name AS name,
            COUNT(DISTINCT mine.record_id) AS games,
            COUNT(*) AS met,
            MAX(CASE WHEN mine.kind = 'program' THEN 1 ELSE 0 END) AS program,
            CAST(50 AS DOUBLE PRECISION) * ({BEGIN} + SUM(CASE
                WHEN mine.place = other.place THEN 1
                WHEN mine.place > 0 AND (other.place = 0 OR other.place > mine.place) THEN 2
                ELSE 0 END)) / (COUNT(*) + {BEGIN}) AS score
        FROM records
        CROSS JOIN record_seats AS mine
        JOIN record_seats AS other ON other.record_id = records.id
        JOIN people ON people.id = mine.player
        JOIN ratings ON ratings.person = mine.player
        WHERE mine.record_id = records.id AND {_IN_MONTH} AND {SHOWN}
        AND people.guest = 0 AND (listed = 1 OR vouched = 1)
        AND other.player <> '' AND other.player <> mine.player
        AND mine.kind <> 'joined' AND other.kind <> 'joined'
        AND (mine.source = '' OR mine.source <> other.source OR vouched = 1)
        GROUP BY mine.player, people.name
        HAVING COUNT(DISTINCT mine.record_id) >= {LEAST}
    ) AS players
    ORDER BY score DESC, player LIMIT {MOST_LINES}
"""
_HELD: Final = f"SELECT COUNT(*) FROM records WHERE {_IN_MONTH} AND NOT {SHOWN}"
_FIRST: Final = "SELECT MIN(kept) FROM records WHERE rated = 1 AND kept >= :since"
_KEPT: Final = f"""
    SELECT rank, player, COALESCE(people.name, '{FORMER}'), score, games, met, program
    FROM season_places LEFT JOIN people ON people.id = player WHERE month = :month ORDER BY line
"""
_IS_KEPT: Final = "SELECT COUNT(*) FROM seasons WHERE month = :month"
_EARLIER: Final = """
    SELECT CASE WHEN EXISTS (SELECT 1 FROM seasons WHERE month < :month)
        OR EXISTS (SELECT 1 FROM records WHERE rated = 1 AND kept < :since) THEN 1 ELSE 0 END
"""


class Month(NamedTuple):
    """A calendar month of UTC, from ``since`` until before ``until``, in seconds since 1970."""

    name: str
    since: float
    until: float


def month_at(when: float, before: int = 0) -> Month:
    """The month that it is then, or the one so many months before."""
    day = datetime.fromtimestamp(when, UTC)
    number = day.year * 12 + day.month - 1 - before
    first, after = (
        datetime(each // 12, each % 12 + 1, 1, tzinfo=UTC) for each in (number, number + 1)
    )
    return Month(f"{first:%Y-%m}", first.timestamp(), after.timestamp())


class SqlSeasons(Repository, SeasonStore):
    """Seasons in a ``Database``. All methods raise ``StoreError`` when it does not work."""

    @override
    @reads
    def season(self, connection: Connection, now: float, before: int = 0) -> SeasonTable:
        month = month_at(now, before)
        kept = bool(connection.execute(_IS_KEPT, month=month.name).scalar())
        if kept:
            rows = connection.execute(_KEPT, month=month.name)
            places = tuple(map(_row, rows))
        else:
            places = _places(connection, month)
        earlier = connection.execute(_EARLIER, month=month.name, since=month.since).scalar()
        over = month.until <= now
        # A month without games has no table to keep.
        first = connection.execute(_FIRST, since=month.since).scalar()
        empty = month.until + SETTLES <= now and (first is None or first >= month.until)
        return SeasonTable(month.name, month.until, over, kept or empty, bool(earlier), places)

    @override
    async def close(self, now: float, *, wait: bool = True) -> tuple[str, ...]:
        closed, since = list[str](), 0.0
        while (found := await self._next(now, since, wait)) is not None:
            month, rows = found
            since = month.until
            if rows is not None and await self._keep(month.name, now, rows):
                closed.append(month.name)
        return tuple(closed)

    @reads
    def _next(
        self, connection: Connection, now: float, since: float, wait: bool
    ) -> tuple[Month, tuple[SeasonRow, ...] | None] | None:
        """The first month that is over and has games from ``since`` on, and the table to keep, if that is to
        be done now.
        """
        first = connection.execute(_FIRST, since=since).scalar()
        if first is None or (month := month_at(first)).until > now:
            return None
        if connection.execute(_IS_KEPT, month=month.name).scalar():
            return month, None
        late = now - month.until
        held = connection.execute(_HELD, since=month.since, until=month.until).scalar()
        if wait and (late < SETTLES or (held and late < WAITS)):
            return month, None
        return month, _places(connection, month)

    @writes
    def _keep(
        self, connection: Connection, month: str, now: float, rows: tuple[SeasonRow, ...]
    ) -> bool:
        """Whether it is this process that has kept it."""
        season = {"month": month, "kept": now}
        if not connection.insert("seasons", season, conflict="ON CONFLICT DO NOTHING"):
            return False
        lines = [
            {"month": month, "line": line, **row._asdict(), "program": int(row.program)}
            for line, row in enumerate(rows, 1)
        ]
        for each in lines:
            # The name is the person's, who may change it or be forgotten.
            del each["name"]
        connection.insert("season_places", *lines)
        return True


def _places(connection: Connection, month: Month) -> tuple[SeasonRow, ...]:
    rows = connection.execute(_PLACES, since=month.since, until=month.until)
    return tuple(map(_row, rows))


def _row(row: Any) -> SeasonRow:
    rank, player, name, score, games, met, program = row
    return SeasonRow(rank, player, name, score, games, met, bool(program))
