"""History in a database."""

from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection
from typing_extensions import override

from server.storage.database import Database
from server.storage.history import GameRow, HistoryStore, LeaderboardRow, PlayerPage, PlayerTotals
from server.storage.ratings import Rating
from server.storage.results import SeatResult
from server.storage.statements import execute

PAGE_GAMES: Final = 50
"""How many games a player's page has."""

_GAMES: Final = """
    SELECT records.id, kept, edition, complete, rated, tutorial, seat, player, name, kind, score, place
    FROM (SELECT id, kept, edition, complete, rated, tutorial FROM records
          WHERE {which} ORDER BY id DESC LIMIT :limit) AS records
    LEFT JOIN record_seats ON record_seats.record_id = records.id
    ORDER BY records.id DESC, seat
"""
_TALLY: Final = """
    SELECT COUNT(*) AS games, SUM(CASE WHEN place = 1 THEN 1 ELSE 0 END) AS wins
    FROM record_seats JOIN records ON records.id = record_id
    WHERE player = :player AND complete = 1 AND tutorial = 0 AND kind <> 'joined'
"""
# One row of the inner query for each stage of the player: the points, and what the others made of that hand.
_HANDS: Final = """
    SELECT
        COUNT(*) AS stages,
        AVG(points) AS mean_points,
        SUM(CASE WHEN others IS NULL THEN 0 ELSE 1 END) AS compared,
        AVG(CASE WHEN others IS NULL THEN NULL ELSE points END) AS own_with_hand,
        AVG(others) AS others_with_hand,
        SUM(CASE WHEN others IS NOT NULL AND points >= most THEN 1 ELSE 0 END) AS best_with_hand
    FROM (
        SELECT CAST(mine.points AS DOUBLE PRECISION) AS points,
            AVG(CAST(CASE WHEN played.seat = mine.seat THEN NULL ELSE played.points END
                AS DOUBLE PRECISION)) AS others,
            MAX(played.points) AS most
        FROM record_seats
        JOIN records ON records.id = record_seats.record_id
            AND records.complete = 1 AND records.tutorial = 0
        JOIN hand_results AS mine
            ON mine.record_id = record_seats.record_id AND mine.seat = record_seats.seat
        JOIN hand_results AS played
            ON played.record_id = mine.record_id AND played.hand = mine.hand
        WHERE record_seats.player = :player AND record_seats.kind <> 'joined'
        GROUP BY mine.record_id, mine.stage, mine.seat, mine.points
    ) AS stages
"""
_BEST: Final = """
    SELECT person, people.name, mu, sigma, games FROM ratings
    JOIN people ON people.id = person
    WHERE listed = 1 OR vouched = 1
    ORDER BY mu - 3 * sigma DESC, person LIMIT :limit
"""
_RATING: Final = "SELECT mu, sigma, games FROM ratings WHERE person = :player"
_RANK: Final = """
    SELECT mu, sigma, games,
        CASE WHEN listed = 0 AND vouched = 0 THEN 0 ELSE
            (SELECT COUNT(*) FROM ratings AS better JOIN people AS them ON them.id = better.person
             WHERE (better.listed = 1 OR them.vouched = 1)
             AND better.mu - 3 * better.sigma > ratings.mu - 3 * ratings.sigma) + 1
        END AS rank
    FROM ratings JOIN people ON people.id = person WHERE person = :player
"""


class SqlHistory(HistoryStore):
    """Finished games in a ``Database``."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    @override
    async def games(
        self, *, player: str = "", before: int = 0, limit: int = 20
    ) -> tuple[GameRow, ...]:
        return await self._database.read(
            lambda connection: _games(connection, player, before, limit)
        )

    @override
    async def record(self, game: int) -> str | None:
        query = "SELECT content FROM records WHERE id = :id"
        return await self._database.read(
            lambda connection: execute(connection, query, {"id": game}).scalar()
        )

    @override
    async def page(self, player: str) -> PlayerPage | None:
        return await self._database.read(lambda connection: _page(connection, player))

    async def shown_rating(self, player: str) -> int | None:
        """How strong a player is, as people are told it; ``None`` before the first rated game."""

        def work(connection: Connection) -> int | None:
            row = execute(connection, _RATING, {"player": player}).one_or_none()
            return Rating(row.mu, row.sigma, row.games).shown if row else None

        return await self._database.read(work)

    @override
    async def best(self, limit: int = 20) -> tuple[LeaderboardRow, ...]:
        def work(connection: Connection) -> tuple[LeaderboardRow, ...]:
            standings: list[LeaderboardRow] = []
            for row in execute(connection, _BEST, {"limit": limit}):
                rating = Rating(row.mu, row.sigma, row.games)
                last = standings[-1] if standings else None
                tied = last is not None and last.rating[:2] == rating[:2]
                rank = last.rank if last and tied else len(standings) + 1
                standings.append(LeaderboardRow(rank, row.person, row.name, rating))
            return tuple(standings)

        return await self._database.read(work)


def _games(connection: Connection, player: str, before: int, limit: int) -> tuple[GameRow, ...]:
    which = ["1 = 1"]
    if before:
        which.append("id < :before")
    if player:
        which.append("id IN (SELECT record_id FROM record_seats WHERE player = :player)")
    query = _GAMES.format(which=" AND ".join(which))
    values = {"limit": limit} | ({"before": before} if before else {})
    rows = execute(connection, query, values | ({"player": player} if player else {}))
    return tuple(_game(list(found), player) for _, found in groupby(rows, lambda row: row.id))


def _game(rows: list[Any], player: str) -> GameRow:
    first = rows[0]
    seats = [row for row in rows if row.seat is not None]
    return GameRow(
        first.id,
        first.kept,
        first.edition,
        bool(first.complete),
        bool(first.rated),
        tuple(SeatResult(row.name, row.kind, row.score, row.place) for row in seats),
        next((row.seat for row in seats if player and row.player == player), -1),
        bool(first.tutorial),
    )


def _page(connection: Connection, player: str) -> PlayerPage | None:
    known = {"player": player}
    name = execute(connection, "SELECT name FROM people WHERE id = :player", known).scalar()
    if name is None:
        return None
    counted = execute(connection, _TALLY, known).one()
    hands = execute(connection, _HANDS, known).one()
    tally = PlayerTotals(
        counted.games,
        counted.wins or 0,
        hands.stages,
        hands.mean_points or 0.0,
        hands.compared or 0,
        hands.own_with_hand or 0.0,
        hands.others_with_hand or 0.0,
        hands.best_with_hand or 0,
    )
    rated = execute(connection, _RANK, known).one_or_none()
    rating = Rating(rated.mu, rated.sigma, rated.games) if rated else None
    rank = rated.rank if rated else 0
    return PlayerPage(name, tally, rating, rank, _games(connection, player, 0, PAGE_GAMES))
