"""Finished games into the database: the record, what it comes to, and the ratings that follow; and out of it
when they are old.

Addresses of players, which have to do with ratings, are never kept, only marks of them: keyed hashes, which
say that two are the same and no more.
"""

import hashlib
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

from sqlalchemy import Connection

from engine.errors import RecordError
from engine.record import Record
from server.storage.ratings import Rating, rated_fairly
from server.storage.results import GameResult, result_of
from server.storage.statements import execute, execute_each, insert, next_number, upsert

_KNOWN: Final = "SELECT id, content FROM records WHERE origin = :origin"
_RATING: Final = """
    SELECT people.id, ratings.mu, ratings.sigma, ratings.games
    FROM people LEFT JOIN ratings ON ratings.person = people.id
    WHERE people.id = :id AND people.guest = 0
"""
BATCH: Final = 500
"""Old games that are removed in one transaction: a server beside it can write in between."""
# The newest stays: a release before this one gives the next game the number after it.
_OLD: Final = "FROM records WHERE kept < :before AND id < (SELECT MAX(id) FROM records)"


GAMES: Final = 10
"""Rated games with somebody of another address ..."""
OPPONENTS: Final = 4
"""... against so many such people together, before somebody is on the leaderboard."""

_MET: Final = """
    SELECT COUNT(*) FROM record_seats AS mine
    JOIN records ON records.id = mine.record_id AND records.rated = 1
    JOIN record_seats AS other ON other.record_id = mine.record_id
    WHERE mine.player = :one AND other.player = :other
    AND mine.source <> '' AND mine.source = other.source AND mine.record_id <> :game
"""
_OTHERS: Final = """
    SELECT COUNT(DISTINCT mine.record_id) AS games, COUNT(DISTINCT other.player) AS opponents
    FROM record_seats AS mine
    JOIN records ON records.id = mine.record_id AND records.rated = 1
    JOIN record_seats AS other ON other.record_id = mine.record_id
    WHERE mine.player = :person AND other.player <> mine.player AND other.player <> ''
    AND (mine.source = '' OR mine.source <> other.source)
"""
_LISTED: Final = "UPDATE ratings SET listed = 1 WHERE person = :person"


class OtherRecord(Exception):
    """There is a record of that origin, and it says something else."""


def mark(key: bytes, source: str) -> str:
    """Of where somebody came from; empty when that is not known."""
    return hashlib.blake2b(source.encode(), key=key, digest_size=12).hexdigest() if source else ""


def keep(
    connection: Connection,
    origin: str,
    kept: float,
    content: str,
    players: Sequence[str],
    sources: Sequence[str] = (),
) -> tuple[int, bool]:
    """Keep a record for good, once for each ``origin``: its number, and whether it is new. ``sources`` are
    marks of where the players came from, a seat each; they are kept where they count, in rated games.

    A record that cannot be read is kept as it is, and counts for nothing: no game is ever lost. Raises
    ``OtherRecord``.
    """
    known = execute(connection, _KNOWN, origin=origin).one_or_none()
    if known is not None:
        if known.content != content:
            raise OtherRecord(origin)
        return int(known.id), False
    number = next_number(connection, "records")
    row: dict[str, Any] = {"id": number, "origin": origin, "kept": kept, "content": content}
    seats = [{"record_id": number, "seat": it, "player": who} for it, who in enumerate(players)]
    try:
        _, result = result_of(content)
    except RecordError:
        result = None
    if result is None or len(result.seats) != len(players):
        insert(connection, "records", row)
        insert(connection, "record_seats", *seats)
        return number, True
    told = {name: int(getattr(result, name)) for name in ("complete", "rated", "tutorial")}
    insert(connection, "records", row | {"edition": result.edition, **told})
    marks = dict(enumerate(sources)) if result.rated else {}
    for it, who in enumerate(players):
        seats[it] |= result.seats[it]._asdict() | {"source": who and marks.get(it, "")}
    insert(connection, "record_seats", *seats)
    hands = [{"record_id": number, **hand._asdict()} for hand in result.hands]
    insert(connection, "hand_results", *hands)
    if result.rated:
        _rate(connection, number, result, players, sources)
    return number, True


def keep_foreign(connection: Connection, record: Record, now: float) -> tuple[int, bool]:
    """Keep the record of a game that was played elsewhere: its number, and whether it is new here.

    It is nobody's result: what it says of its players is only what it says.
    """
    query = "SELECT id FROM records WHERE origin = :origin AND content = :content"
    # One that was exported here names its origin. One that only says so is new, and named otherwise.
    content, named = record.text, str(record.fields().get("id"))
    known = execute(connection, query, origin=named, content=content).scalar()
    if known is not None:
        return int(known), False
    origin = f"import:{hashlib.sha256(content.encode()).hexdigest()}"
    return keep(connection, origin, now, content, [""] * record.rules.players)


def _rate(
    connection: Connection,
    number: int,
    result: GameResult,
    players: Sequence[str],
    sources: Sequence[str],
) -> None:
    """New ratings for the accounts in a rated game, and who is on the leaderboard by now."""
    before: dict[str, Rating] = {}
    places = []
    for seat, player in enumerate(players):
        row = execute(connection, _RATING, id=player).one_or_none()
        if row is not None and player not in before:
            before[player] = Rating() if row.mu is None else Rating(row.mu, row.sigma, row.games)
            # Who left comes after everybody who has a place.
            places.append(result.seats[seat].place or len(players) + 1)
    if len(before) < 2:
        return
    came_from, names = dict(zip(players, sources, strict=False)), list(before)
    met = {
        (one, two): _times_met(connection, names[one], names[two], number)
        for one, two in combinations(range(len(names)), 2)
        if came_from.get(names[one]) and came_from[names[one]] == came_from.get(names[two])
    }
    after = rated_fairly(list(before.values()), places, met)
    rated = zip(before, after, strict=True)
    upsert(connection, "ratings", "person", *({"person": it, **new._asdict()} for it, new in rated))
    for person in before:
        others = execute(connection, _OTHERS, person=person).one()
        if others.games >= GAMES and others.opponents >= OPPONENTS:
            execute(connection, _LISTED, person=person)


def _times_met(connection: Connection, one: str, other: str, game: int) -> int:
    """In how many rated games besides this one both came from the same address."""
    return int(execute(connection, _MET, one=one, other=other, game=game).scalar_one())


def count_old(connection: Connection, before: float) -> int:
    """How many games were over before that time, and would go."""
    return int(execute(connection, f"SELECT COUNT(*) {_OLD}", before=before).scalar_one())


def prune(connection: Connection, before: float) -> int:
    """Remove the oldest of them; how many. Ratings stay as they are."""
    query = f"SELECT id {_OLD} ORDER BY id LIMIT {BATCH}"
    found = [{"id": number} for number in execute(connection, query, before=before).scalars()]
    for table in ("hand_results", "record_seats"):
        execute_each(connection, f"DELETE FROM {table} WHERE record_id = :id", found)
    execute_each(connection, "DELETE FROM records WHERE id = :id", found)
    return len(found)
