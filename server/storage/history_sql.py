"""History in a database."""

import sys
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection

from server.storage.database import Repository, reads
from server.storage.ratings import Rating
from server.storage.results import GameRow, LeaderboardRow, PlayerPage, PlayerTotals, SeatResult
from server.storage.statements import execute

PAGE_GAMES: Final = 50
"""How many games a player's page has."""

_GAMES: Final = """
    SELECT records.id, kept, edition, complete, rated, tutorial, seat, player, name, kind, score, place
    FROM (SELECT id, kept, edition, complete, rated, tutorial FROM records
          WHERE id < :before{of_player} ORDER BY id DESC LIMIT :limit) AS records
    LEFT JOIN record_seats ON record_seats.record_id = records.id
    ORDER BY records.id DESC, seat
"""
_OF_PLAYER: Final = " AND id IN (SELECT record_id FROM record_seats WHERE player = :player)"
_TALLY: Final = """
    SELECT COUNT(*) AS games, COUNT(CASE WHEN place = 1 THEN 1 END) AS wins
    FROM record_seats JOIN records ON records.id = record_id
    WHERE player = :player AND complete = 1 AND tutorial = 0 AND kind <> 'joined'
"""
# One row of the inner query for each stage of the player: the points, and what the others made of that hand.
_HANDS: Final = """
    SELECT
        COUNT(*) AS stages,
        COALESCE(AVG(points), 0.0) AS mean_points,
        COUNT(others) AS compared,
        COALESCE(AVG(CASE WHEN others IS NOT NULL THEN points END), 0.0) AS own_with_hand,
        COALESCE(AVG(others), 0.0) AS others_with_hand,
        COUNT(CASE WHEN others IS NOT NULL AND points >= most THEN 1 END) AS best_with_hand
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


class SqlHistory(Repository):
    """Finished games in a ``Database``: only games that are over, ever. All methods raise ``StoreError`` when
    it does not work.
    """

    @reads
    def games(
        self, connection: Connection, *, player: str = "", before: int = 0, limit: int = 20
    ) -> tuple[GameRow, ...]:
        """The newest first: of one player, or all; only those with smaller ids than ``before``."""
        return _games(connection, player, before, limit)

    @reads
    def record(self, connection: Connection, game: int) -> str | None:
        """A game's record, as JSON."""
        query = "SELECT content FROM records WHERE id = :id"
        return execute(connection, query, id=game).scalar()

    @reads
    def page(self, connection: Connection, player: str) -> PlayerPage | None:
        """A player's page; ``None`` for somebody unknown."""
        query = "SELECT name FROM people WHERE id = :player"
        name = execute(connection, query, player=player).scalar()
        if name is None:
            return None
        counted = execute(connection, _TALLY, player=player).one()
        hands = execute(connection, _HANDS, player=player).one()
        tally = PlayerTotals(*counted, *hands)
        rated = execute(connection, _RANK, player=player).one_or_none()
        rating = Rating(*rated[:3]) if rated else None
        rank = rated.rank if rated else 0
        return PlayerPage(name, tally, rating, rank, _games(connection, player, 0, PAGE_GAMES))

    @reads
    def shown_rating(self, connection: Connection, player: str) -> int | None:
        """How strong a player is, as people are told it; ``None`` before the first rated game."""
        row = execute(connection, _RATING, player=player).one_or_none()
        return Rating(*row).shown if row else None

    @reads
    def best(self, connection: Connection, limit: int = 20) -> tuple[LeaderboardRow, ...]:
        """The leaderboard: accounts that have played enough rated games with people of other addresses, or
        whom an operator has vouched for, the strongest first.
        """
        standings: list[LeaderboardRow] = []
        for player, name, *found in execute(connection, _BEST, limit=limit):
            rating = Rating(*found)
            last = standings[-1] if standings else None
            tied = last is not None and last.rating[:2] == rating[:2]
            rank = last.rank if last and tied else len(standings) + 1
            standings.append(LeaderboardRow(rank, player, name, rating))
        return tuple(standings)


def _games(connection: Connection, player: str, before: int, limit: int) -> tuple[GameRow, ...]:
    query = _GAMES.format(of_player=_OF_PLAYER if player else "")
    values = {"before": before or sys.maxsize, "limit": limit}
    rows = execute(connection, query, values | ({"player": player} if player else {}))
    return tuple(_game(list(found), player) for _, found in groupby(rows, lambda row: row.id))


def _game(rows: list[Any], player: str) -> GameRow:
    first, seats = rows[0], [row for row in rows if row.seat is not None]
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
