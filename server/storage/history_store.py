"""Finished games in a database: stored with their results, listed, and pruned.

Players' addresses, which matter for ratings, are only stored as marks: keyed hashes that tell whether two are
the same.
"""

import hashlib
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from engine.errors import RecordError
from engine.records.outcome import SeatResult, own_replay, result_of
from engine.records.record_format import Record, parse
from engine.records.replay import Replay, fold
from engine.records.statistics import Collector, strategy_of
from server.networks import site_of
from server.storage.databases.connection import Connection, Values
from server.storage.databases.database import Database, Repository, reads, writes
from server.storage.events import SHOWN
from server.storage.history import (
    REPLAY_CODE,
    BestMonth,
    CountedGame,
    GameByCode,
    GamePlace,
    GameRow,
    KeptTotals,
    Met,
    MetBots,
    PlayerPage,
    PublicResults,
    replay_code,
)
from server.storage.ratings import BEST, BEST_MONTH, LeaderboardRow, Rating, rate, rating_and_rank

PAGE_GAMES: Final = 50
"""Games on a player's page."""
COUNTED_GAMES: Final = 300
"""Newest games of a player that count for statistics."""

_GAMES: Final = """
    SELECT listed.id, kept, edition, complete, rated, tutorial, again, event,
        CASE WHEN {shown} THEN 0 ELSE 1 END AS held, seat, player, name, kind, score, place
    FROM (SELECT id, kept, edition, complete, rated, tutorial, again, event FROM records
          WHERE {which}) AS listed
    LEFT JOIN record_seats ON record_seats.record_id = listed.id
    ORDER BY listed.id DESC, seat
"""
_NEWEST: Final = "id < :before ORDER BY id DESC LIMIT :limit"
_PUBLIC: Final = "content NOT LIKE :private"
_PRIVATE_FIELD: Final = '%"private":true%'
"""Never part of a player's text, in which quotation marks are escaped."""
_ANYBODYS: Final = f"{SHOWN} AND {_PUBLIC} AND {_NEWEST}"
_ALL: Final = f"{SHOWN} AND {_NEWEST}"
_LATELY: Final = (
    f"{{event}} AND complete = 1 AND tutorial = 0 AND again = 0 AND {_PUBLIC}"
    " ORDER BY id DESC LIMIT :limit"
)
_OF_PLAYER: Final = """id IN (
    SELECT DISTINCT record_id FROM record_seats WHERE player = :player AND record_id < :before
    ORDER BY record_id DESC LIMIT :limit
)"""
_COUNTED: Final = f"""
    SELECT records.id, seat, place FROM record_seats JOIN records ON records.id = record_id
    WHERE player = :player AND complete = 1 AND tutorial = 0 AND again = 0
    AND kind <> 'joined' AND kind <> 'left' AND {SHOWN}
    ORDER BY record_id DESC LIMIT :limit
"""
_MET: Final = f"""
    SELECT COUNT(*),
        COUNT(CASE WHEN other.place = 0 OR other.place > mine.place THEN 1 END),
        COUNT(CASE WHEN other.place > 0 AND other.place < mine.place THEN 1 END)
    FROM ({_COUNTED}) AS mine JOIN record_seats AS other ON other.record_id = mine.id
    WHERE other.player = :other AND other.kind <> 'joined'
"""
# A row for each bot in the newest games against bots.
_LATEST: Final = """
    SELECT id, latest.place, content, bots.seat, bots.place AS bot_place
    FROM (
        SELECT id, place, content FROM records JOIN (
            SELECT record_id, place FROM record_seats WHERE player = :player AND kind = 'human'
            ORDER BY record_id DESC LIMIT 50
        ) AS mine ON id = record_id
        WHERE complete = 1 AND tutorial = 0 AND again = 0 AND event = ''
        AND EXISTS (SELECT 1 FROM record_seats WHERE record_id = id AND kind = 'bot')
        ORDER BY id DESC LIMIT :limit
    ) AS latest JOIN record_seats AS bots ON bots.record_id = id AND bots.kind = 'bot'
    ORDER BY id, bots.seat
"""
_COMPARED: Final = 12
"""Newest games in which a player is compared with bots."""
_CONTENT: Final = f"SELECT content FROM records WHERE id = :id AND {SHOWN}"
_PLACES: Final = f"""
    SELECT place FROM record_seats JOIN records ON records.id = record_id
    WHERE player = :player AND record_id <= :game AND event = '' AND complete = 1 AND tutorial = 0
    AND again = 0 AND {_PUBLIC} ORDER BY record_id DESC LIMIT 100
"""
_PLACE: Final = f"""
    SELECT CASE WHEN {SHOWN} THEN 0 ELSE 1 END AS held,
        CASE WHEN {_PUBLIC} THEN 0 ELSE 1 END AS private, player, kind
    FROM records JOIN record_seats ON record_id = records.id WHERE records.id = :id ORDER BY seat
"""
_ANY_CONTENT: Final = "SELECT content FROM records WHERE id = :id"
_PLAYERS: Final = "SELECT player FROM record_seats WHERE record_id = :id ORDER BY seat"
BATCH: Final = 500
"""Old games that are deleted in one transaction, between which a running server can write."""
_OLD: Final = "FROM records WHERE kept < :before"


class OtherRecord(Exception):
    """There is another record of that origin."""


def mark(key: bytes, source: str) -> str:
    """Return the mark of an address (for IPv6, of its /48); empty for an unknown one."""
    there = site_of(source).encode()
    return hashlib.blake2b(there, key=key, digest_size=12).hexdigest() if source else ""


def keep(
    connection: Connection,
    origin: str,
    kept: float,
    content: str,
    players: Sequence[str],
    sources: Sequence[str] = (),
    event: str = "",
) -> tuple[int, bool]:
    """Store a record, once for each ``origin``; return its number, and whether it is new.

    ``sources`` are marks of the players' addresses, one for each seat; they are stored for rated games and
    events. Games of an open ``event`` are not shown.

    A record that cannot be read is stored as it is, and counts for nothing: no game is ever lost. Raises
    ``OtherRecord``.
    """
    known = _known(connection, origin, content)
    if known:
        return known, False
    number = connection.next_number("records")
    row: dict[str, Any] = {"id": number, "origin": origin, "kept": kept, "content": content}
    row["event"] = event
    seats = [{"record_id": number, "seat": it, "player": who} for it, who in enumerate(players)]
    hands, result = list[Values](), None
    with suppress(RecordError):
        _, result = result_of(content)
    if result and len(result.seats) == len(players):
        names = ("complete", "rated", "tutorial", "again")
        row |= {"edition": result.edition, **{it: int(getattr(result, it)) for it in names}}
        marks = dict(enumerate(sources)) if result.rated or event else {}
        for it, who in enumerate(players):
            seats[it] |= result.seats[it]._asdict() | {"source": who and marks.get(it, "")}
        hands = [{"record_id": number, **hand._asdict()} for hand in result.hands]
    if not connection.insert("records", row, conflict="ON CONFLICT (origin) DO NOTHING"):
        return _known(connection, origin, content), False  # another process has just kept it
    connection.insert("record_seats", *seats)
    connection.insert("hand_results", *hands)
    if result and row.get("rated"):
        rate(connection, number, kept, result, players, sources)
    return number, True


def _known(connection: Connection, origin: str, content: str) -> int:
    """Return the number of the record; 0 if there is none. Raises ``OtherRecord``."""
    query = "SELECT id, content FROM records WHERE origin = :origin"
    known = connection.execute(query, origin=origin).fetchone()
    if known is None:
        return 0
    if known.content != content:
        raise OtherRecord(origin)
    return int(known.id)


class HistoryStore(Repository):
    """Finished games in a ``Database``. All methods raise ``StoreError``."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._totals: Final = KeptTotals()

    @reads
    def games(
        self,
        connection: Connection,
        *,
        player: str = "",
        before: int = 0,
        limit: int = 20,
        private: bool = False,
    ) -> tuple[GameRow, ...]:
        """List games with ids below ``before``, the newest first.

        Those of a player, or else all; those of private tables only with ``private``.
        """
        which = _OF_PLAYER if player else _ALL if private else _ANYBODYS
        return _games(connection, which, player, before=before or sys.maxsize, limit=limit)

    @reads
    def lately(self, connection: Connection, limit: int, event: str = "") -> tuple[GameRow, ...]:
        """List complete games of an event, or of none, that count for statistics, the newest first.

        Leaves out those of private tables. Nothing may be shown of the results of an open event.
        """
        of = "event = :event AND event <> ''" if event else "event = :event"
        return _games(connection, _LATELY.format(event=of), limit=limit, event=event)

    @reads
    def wins_in_a_row(self, connection: Connection, player: str, game: int) -> int:
        """Return the length of a player's winning streak up to this game, at most 100.

        Games of events and of private tables do not count.
        """
        places = connection.scalars(_PLACES, player=player, game=game, private=_PRIVATE_FIELD)
        return next((won for won, place in enumerate(places) if place != 1), len(places))

    @reads
    def record(self, connection: Connection, game: int) -> str | None:
        """Return a game's record as JSON; ``None`` without one, and while its event is open."""
        content: str | None = connection.scalar(_CONTENT, id=game)
        return content

    @reads
    def place(self, connection: Connection, game: int, player: str) -> GamePlace | None:
        """Return a player's place in a game; ``None`` if there is none that the player may see."""
        return _place(connection, game, player)

    @reads
    def replay(
        self, connection: Connection, game: int, player: str
    ) -> tuple[Replay, GamePlace] | None:
        """Return a game as a player may see it: one of an open event as it was seen while it was played.

        ``None`` as in ``place``, and if the record cannot be read. Takes some milliseconds.
        """
        place = _place(connection, game, player)
        if place is None:
            return None
        content = connection.scalar(_ANY_CONTENT, id=game)
        try:
            replay = fold(parse(content))
        except RecordError:
            return None
        return own_replay(replay, place.mine) if place.held else replay, place

    @reads
    def by_code(self, connection: Connection, code: str, player: str) -> GameByCode | None:
        """Return the game with this ``replay_code``; ``None`` if there is none."""
        if (found := REPLAY_CODE.fullmatch(code)) is None:
            return None
        number = int(found[1])
        place = _place(connection, number, player, whoever=True)
        content = connection.scalar(_ANY_CONTENT, id=number)
        try:
            record = parse(content or "")
            if place is None or replay_code(number, record) != code:
                return None
            private = record.fields().get("private") is True and place.mine < 0
            return GameByCode(number, None if place.held or private else fold(record), place)
        except RecordError:
            return None

    @reads
    def page(self, connection: Connection, player: str) -> PlayerPage | None:
        """Return a player's page; ``None`` for an unknown player."""
        name = connection.scalar("SELECT name FROM people WHERE id = :player", player=player)
        if name is None:
            return None
        totals = self._totals.of(connection, player)
        rating, rank = rating_and_rank(connection, player)
        games = _games(connection, _OF_PLAYER, player, before=sys.maxsize, limit=PAGE_GAMES)
        return PlayerPage(name, totals, rating, rank, games)

    @reads
    def standing(self, connection: Connection, player: str, asker: str) -> PublicResults:
        """Return a player's results as the person with the id ``asker`` may see them."""
        rating, _ = rating_and_rank(connection, player)
        month = connection.execute(BEST_MONTH, player=player).fetchone()
        met = connection.execute(_MET, player=asker, other=player, limit=COUNTED_GAMES).fetchone()
        return PublicResults(rating, BestMonth(*month) if month else None, Met(*met))

    @reads
    def counted(self, connection: Connection, player: str) -> tuple[CountedGame, ...]:
        """Return the newest games that count for a player's statistics, in ascending order."""
        rows = connection.execute(_COUNTED, player=player, limit=COUNTED_GAMES).fetchall()
        return tuple(CountedGame(row.id, row.seat) for row in reversed(rows))

    @reads
    def collect(
        self, connection: Connection, collector: Collector, games: Sequence[CountedGame]
    ) -> None:
        """Add games to the statistics. Each takes a millisecond or two."""
        for game in games:
            content = connection.scalar(_CONTENT, id=game.number)
            players = connection.scalars(_PLAYERS, id=game.number)
            # It may have been deleted meanwhile.
            with suppress(RecordError):
                if content is not None:
                    collector.add(fold(parse(content)), game.seat, game.number, tuple(players))

    @reads
    def strength(self, connection: Connection, player: str) -> tuple[int | None, list[MetBots]]:
        """Return a player's rating as it is shown, and the newest games against bots, in ascending order.

        The rating is ``None`` before the first rated game.
        """
        rows = connection.execute(_LATEST, player=player, limit=_COMPARED).fetchall()
        games: list[MetBots] = []
        for (_, place, content), seats in groupby(rows, itemgetter(0, 1, 2)):
            # A foreign record may say anything about its seats.
            with suppress(ValueError, KeyError, IndexError, TypeError):
                fields = json.loads(content)
                bots = [(strategy_of(fields, row.seat), row.bot_place) for row in seats]
                games.append(MetBots(place, bots))
        rating, _ = rating_and_rank(connection, player)
        return rating and rating.shown, games

    @reads
    def best(self, connection: Connection, limit: int = 20) -> tuple[LeaderboardRow, ...]:
        """Return the leaderboard, the strongest first.

        Accounts with enough rated games against people of other addresses, or for whom operators vouch.
        """
        return tuple(
            LeaderboardRow(rank, who, name, Rating(*rating), bool(program))
            for rank, who, name, *rating, program in connection.execute(BEST, limit=limit)
        )

    @reads
    def numbers(self, connection: Connection) -> list[int]:
        """Return the numbers of all games that may be shown, in ascending order."""
        return connection.scalars(f"SELECT id FROM records WHERE {SHOWN} ORDER BY id")

    @writes
    def keep_foreign(self, connection: Connection, record: Record, now: float) -> tuple[int, bool]:
        """Store the record of a game played elsewhere; return its number, and whether it is new here.

        It counts for nobody.
        """
        query = "SELECT id FROM records WHERE origin = :origin AND content = :content"
        # One that was exported here has its origin as its id; any other gets an origin of its own.
        content, named = record.text, str(record.fields().get("id"))
        known = connection.scalar(query, origin=named, content=content)
        if known is not None:
            return int(known), False
        origin = f"import:{hashlib.sha256(content.encode()).hexdigest()}"
        return keep(connection, origin, now, content, [""] * record.rules.players)

    @reads
    def count_old(self, connection: Connection, before: float) -> int:
        """Count the games that ended before that time and would be deleted by ``prune``."""
        return int(connection.scalar(f"SELECT COUNT(*) {_OLD}", before=before))

    @writes
    def prune(self, connection: Connection, before: float) -> int:
        """Delete the oldest of them, at most ``BATCH``, and return how many. Ratings stay as they are."""
        some = f"SELECT id {_OLD} ORDER BY id LIMIT {BATCH}"
        # Their seats and hands are deleted with them.
        return connection.execute(
            f"DELETE FROM records WHERE id IN ({some})", before=before
        ).rowcount


def _place(
    connection: Connection, game: int, player: str, *, whoever: bool = False
) -> GamePlace | None:
    """Return a player's place in a game; with ``whoever`` also if the player may not see it, or not yet."""
    seats = connection.execute(_PLACE, id=game, private=_PRIVATE_FIELD).fetchall()
    held = any(seat.held for seat in seats)
    closed = held or any(seat.private for seat in seats)
    # A player who left did not see the end of the game, and one who joined later not its beginning.
    mine = (
        number
        for number, seat in enumerate(seats)
        if player and seat.player == player and (not held or seat.kind in ("human", "program"))
    )
    place = GamePlace(len(seats), next(mine, -1), held)
    hidden = closed and place.mine < 0 and not whoever
    return None if not seats or hidden else place


def _games(
    connection: Connection, which: str, player: str = "", **values: object
) -> tuple[GameRow, ...]:
    values |= {"player": player, "private": _PRIVATE_FIELD}
    rows = connection.execute(_GAMES.format(which=which, shown=SHOWN), values)
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
        bool(first.again),
        first.event,
        bool(first.held),
        tuple(row.player for row in seats),
    )
