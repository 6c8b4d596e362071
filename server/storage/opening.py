"""Opening what a server keeps: for the server itself, for a look at it from beside, for a copy."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from sqlalchemy import Connection

from server.storage.archive import keep
from server.storage.database import CannotOpen, Database
from server.storage.history_sql import SqlHistory
from server.storage.sqlite import NAME, SqliteFile
from server.storage.standing import key_in
from server.storage.statedir import Lock, make_private
from server.storage.statements import execute
from server.storage.tables_sql import SqlStore

T = TypeVar("T")


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


def back_up(state: Path, target: Path) -> Path:
    """Copy what a server keeps in ``state``, also while it runs; what was copied. Raises ``CannotOpen``, or
    ``OSError`` for ``target``; then that is as it was.
    """
    path = state / NAME
    if not path.is_file() or not path.stat().st_size:
        raise CannotOpen(f"there is no database in {state}; --state names another directory")
    SqliteFile(path).copy_to(target)
    return path


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
            query = "SELECT id FROM records WHERE origin = :origin AND content = :content"
            # One that was exported here names its origin. One that only says so is new, and named otherwise.
            named = {"origin": str(json.loads(content).get("id")), "content": content}
            known = execute(connection, query, named).scalar()
            if known is not None:
                return int(known), False
            origin = f"import:{hashlib.sha256(content.encode()).hexdigest()}"
            return keep(connection, origin, now, content, [""] * players)

        return await self._database.change(work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run ``work``, which only reads; what it answers. Raises ``StoreError``."""
        return await self._database.read(work)

    async def change(self, work: Callable[[Connection], T]) -> T:
        """Run ``work``, which reads and writes, all or nothing; what it answers. Raises ``StoreError``."""
        return await self._database.change(work)

    async def erase(self, work: Callable[[Connection], T]) -> T:
        """As ``change``; what ``work`` removes is overwritten on the disk as well."""

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
