"""What the addresses of players have to do with ratings: who shares one, and who is on the leaderboard.

Addresses are never kept, only marks of them: keyed hashes, which say that two are the same and no more.
"""

import hashlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sqlalchemy import Connection

from server.storage.database import CannotOpen
from server.storage.statements import execute

KEY: Final = "address.key"
"""The file in the state directory with the key of the marks. It is in no backup of the database."""
_KEY_BYTES: Final = 32

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


def key_in(state: Path) -> bytes:
    """The key of this state directory, made when there is none. Raises ``CannotOpen``."""
    path = state / KEY
    try:
        try:
            key = path.read_bytes()
        except FileNotFoundError:
            key = b""
        if len(key) == _KEY_BYTES:
            return key
        # New, or cut short when the power failed: what marks there are then are like none that come.
        key = secrets.token_bytes(_KEY_BYTES)
        beside = path.with_name(f"{KEY}.new")
        beside.unlink(missing_ok=True)
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        raise CannotOpen(
            f"{path} cannot be used: {error.strerror}. Check who owns it, or choose another state directory "
            "with --state."
        ) from None
    return key


def mark(key: bytes, source: str) -> str:
    """Of where somebody came from; empty when that is not known."""
    return hashlib.blake2b(source.encode(), key=key, digest_size=12).hexdigest() if source else ""


def times_met(connection: Connection, one: str, other: str, game: int) -> int:
    """In how many rated games besides this one both came from the same address."""
    return int(execute(connection, _MET, one=one, other=other, game=game).scalar_one())


def set_listed(connection: Connection, people: Sequence[str]) -> None:
    """Put those on the leaderboard who have played enough people of other addresses; nobody leaves it."""
    for person in people:
        row = execute(connection, _OTHERS, person=person).one()
        if row.games >= GAMES and row.opponents >= OPPONENTS:
            execute(connection, _LISTED, person=person)
