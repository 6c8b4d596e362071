"""The store on a database: tables, what happened at them, and the games that are over."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import structlog
from sqlalchemy import Connection, text
from typing_extensions import override

from server.storage.archive import keep
from server.storage.database import CannotOpen, Database, executed
from server.storage.history_sql import SqlHistory
from server.storage.sqlite import NAME, SqliteFile
from server.storage.standing import key_in, mark
from server.storage.statedir import Lock, make_private
from server.storage.store import Conflict, Store, StoredChange, StoredTable

T = TypeVar("T")

_log = structlog.get_logger("storage")

# PostgreSQL and SQLite understand all of this.
_SAVE: Final = """
    INSERT INTO tables (key, place, content) VALUES (:key, :place, :content)
    ON CONFLICT (key) DO UPDATE SET content = excluded.content
"""
_DROP: Final = "DELETE FROM tables WHERE key = :key"
_OWN: Final = "INSERT INTO owners (table_key, epoch, position) VALUES (:key, :epoch, :position)"
_OWN_NEW: Final = f"{_OWN} ON CONFLICT (table_key) DO NOTHING"
_OWN_AGAIN: Final = f"""{_OWN}
    ON CONFLICT (table_key) DO UPDATE SET position = excluded.position
    WHERE owners.epoch = excluded.epoch
"""
_MOVE: Final = """
    UPDATE owners SET position = :position
    WHERE table_key = :key AND epoch = :epoch AND position = :expected
"""
_MOVE_AGAIN: Final = _MOVE.replace("position = :expected", "position >= :expected")
_TAKE_BACK: Final = "DELETE FROM entries WHERE table_key = :key AND number >= :expected"
_FORGET_GAMES: Final = "DELETE FROM entries WHERE table_key = :key AND game < :game"
_TABLES: Final = """
    SELECT key, place, content, position, epoch FROM tables JOIN owners ON table_key = key ORDER BY place
"""
_DISOWN: Final = "DELETE FROM owners WHERE table_key = :key AND epoch = :epoch"
_FORGET: Final = "DELETE FROM entries WHERE table_key = :key"
_GIVE: Final = "INSERT INTO codes (code) VALUES (:code) ON CONFLICT (code) DO NOTHING"
_IS_GIVEN: Final = "SELECT COUNT(*) FROM codes WHERE code = :code"
_APPEND: Final = """
    INSERT INTO entries (table_key, game, number, content) VALUES (:key, :game, :number, :content)
"""


class _Step(NamedTuple):
    """One statement to execute, with named parameters (``:name``)."""

    sql: str
    values: Mapping[str, object]


class SqlStore(Store):
    """Tables in a ``Database``."""

    def __init__(self, database: Database, address_key: bytes = b"") -> None:
        """``address_key`` is what marks of addresses are made with."""
        self.database: Final = database
        self._address_key: Final = address_key
        self._place = 0
        """Of the newest table; ``load`` finds out."""

    @override
    async def append(self, change: StoredChange) -> None:
        own, *steps = self._steps(change)
        over, origin = change.finished, f"{change.key}-{change.game}"
        content = to_json(over.record) if over else ""
        sources = [mark(self._address_key, source) for source in over.sources] if over else []

        def work(connection: Connection) -> None:
            # On a database with many writers this locks the table's row until the end of the transaction.
            if not executed(connection, own.sql, own.values).rowcount:
                raise Conflict(change.key)
            _execute(connection, steps)
            if over:
                keep(connection, origin, over.at, content, over.players, sources)

        await self.database.change(work)

    @override
    async def drop(self, key: str, epoch: int) -> None:
        it = {"key": key}

        def work(connection: Connection) -> None:
            if executed(connection, _DISOWN, {"key": key, "epoch": epoch}).rowcount:
                _execute(connection, (_Step(_DROP, it), _Step(_FORGET, it)))

        await self.database.change(work)

    @override
    async def is_given(self, code: str) -> bool:
        query = text(_IS_GIVEN)
        return await self.database.read(
            lambda connection: bool(connection.execute(query, {"code": code}).scalar_one())
        )

    @override
    async def load(self) -> Sequence[StoredTable]:
        found, self._place = await self.database.read(_load)
        return found

    def _steps(self, change: StoredChange) -> Iterator[_Step]:
        key, game = change.key, change.game
        at = {"key": key, "expected": change.expected}
        moved = {"key": key, "epoch": change.epoch, "position": change.position}
        if change.expected or change.row is None:
            yield _Step(_MOVE_AGAIN if change.again else _MOVE, moved | at)
        else:
            yield _Step(_OWN_AGAIN if change.again else _OWN_NEW, moved)
        if change.again:
            yield _Step(_TAKE_BACK, at)
        if change.code:
            yield _Step(_GIVE, {"code": change.code})
        if change.row is not None:
            self._place += 1
            yield _Step(_SAVE, {"key": key, "place": self._place, "content": to_json(change.row)})
        for number, entry in enumerate(change.entries, change.expected):
            values = {"key": key, "game": game, "number": number, "content": to_json(entry)}
            yield _Step(_APPEND, values)
        if change.finished is not None:
            yield _Step(_FORGET_GAMES, {"key": key, "game": game})


def _execute(connection: Connection, steps: Iterable[_Step]) -> None:
    for step in steps:
        executed(connection, step.sql, step.values)


def to_json(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """One line of ASCII. Raises ``TypeError`` or ``ValueError`` for what is no plain data."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _load(connection: Connection) -> tuple[list[StoredTable], int]:
    """The tables, and the place of the last one. What cannot be read stays, for somebody to look at."""
    games: dict[str, tuple[int, tuple[Any, ...]]] = {}
    wrong: set[str] = set()
    found_rows = connection.execute(
        text("SELECT table_key, game, content FROM entries ORDER BY table_key, game, number")
    )
    # There may be hundreds of thousands: the driver's own rows take half the time of SQLAlchemy's.
    rows = found_rows.cursor.fetchall()
    for (key, game), found in groupby(rows, key=itemgetter(0, 1)):
        # Parsing a whole game at once takes half the time of one entry after the other.
        try:
            entries = json.loads(f"[{','.join([row[2] for row in found])}]")
        except ValueError:
            wrong.add(key)
            continue
        games[key] = game, tuple(entries)
    tables = connection.execute(text(_TABLES))
    last = 0
    loaded = []
    for key, place, content, position, epoch in tables:
        last = place
        try:
            if key in wrong:
                raise ValueError
            game, entries = games.get(key, (0, ()))
            loaded.append(StoredTable(key, json.loads(content), game, entries, position, epoch))
        except ValueError:
            _log.error("table_unreadable", key=key, reason="what is kept of it is no JSON")
    return loaded, last


class Opened:
    """The state directory in use: its database and, for a server, its lock."""

    def __init__(
        self, database: Database, lock: Lock | None, address_key: bytes = b"", *, new: bool = False
    ) -> None:
        self.database: Final = database
        self.new: Final = new
        """Nothing had ever been kept there."""
        self.copied: Final = database.copied
        """A copy of what was there before the schema was brought up to date, if it just was."""
        self.tables: Final = SqlStore(database, address_key)
        self._lock = lock

    async def close(self) -> None:
        """Write what is still asked for, and let go."""
        await self.database.close()
        if self._lock:
            self._lock.release()


async def open_state(state: Path) -> Opened:
    """Open a state directory for a server. Raises ``CannotOpen`` with a line for the operator."""
    make_private(state)
    lock = Lock(state)
    file = SqliteFile(state / NAME)
    database = Database(file)
    try:
        await database.open()
        address_key = key_in(state)
    except BaseException:
        await database.close()
        lock.release()
        raise
    return Opened(database, lock, address_key, new=file.new)


class Archive:
    """What a server has kept, opened beside it (or without one) to look at, and to add records to."""

    def __init__(self, database: Database) -> None:
        self.history: Final = SqlHistory(database)
        self._database = database

    async def add(self, content: str, players: int, now: float) -> tuple[int, bool]:
        """Keep the record of a game that was played elsewhere: its number, and whether it is new here.

        It is nobody's result: what it says of its players is only what it says. Raises ``StoreError``.
        """

        def work(connection: Connection) -> tuple[int, bool]:
            query = text("SELECT id FROM records WHERE origin = :origin AND content = :content")
            # One that was exported here names its origin. One that only says so is new, and named otherwise.
            named = {"origin": str(json.loads(content).get("id")), "content": content}
            known = connection.execute(query, named).scalar()
            if known is not None:
                return int(known), False
            origin = f"import:{hashlib.sha256(content.encode()).hexdigest()}"
            return keep(connection, origin, now, content, [""] * players)

        return await self._database.change(work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """See ``Database.read``."""
        return await self._database.read(work)

    async def change(self, work: Callable[[Connection], T]) -> T:
        """See ``Database.change``."""
        return await self._database.change(work)

    async def erase(self, work: Callable[[Connection], T]) -> T:
        """See ``Database.change``; what ``work`` removes is overwritten on the disk as well."""

        def thoroughly(connection: Connection) -> T:
            self._database.backend.erase_for_good(connection)
            return work(connection)

        return await self._database.change(thoroughly)

    async def close(self) -> None:
        """Let go of it."""
        await self._database.close()


async def open_archive(state: Path) -> Archive:
    """Open what a server has kept in ``state``. Raises ``CannotOpen``."""
    path = state / NAME
    if not path.is_file():
        raise CannotOpen(
            f"No server has kept anything in {state}. The option --state names another directory."
        )
    try:
        lock: Lock | None = Lock(state)
    except CannotOpen:
        lock = None
    database = Database(SqliteFile(path))
    try:
        # Where a server runs, the schema is its business.
        await database.open(migrate=lock is not None)
    except BaseException:
        await database.close()
        raise
    finally:
        if lock:
            lock.release()
    return Archive(database)
