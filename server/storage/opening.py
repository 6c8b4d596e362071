"""Opening what a server keeps: for the server itself, for a look at it from beside, for a copy."""

from dataclasses import dataclass
from pathlib import Path

from server.storage.database import CannotOpen, Database
from server.storage.sqlite import NAME, SqliteFile
from server.storage.standing import key_in
from server.storage.statedir import Lock, make_private
from server.storage.tables_sql import SqlStore


@dataclass(frozen=True)
class Opened:
    """The state directory in use by a server."""

    database: Database
    tables: SqlStore
    lock: Lock
    file: SqliteFile

    async def close(self) -> None:
        """Write what is still asked for, and let go."""
        await self.database.close()
        self.lock.release()


async def open_state(state: Path) -> Opened:
    """Open a state directory for a server. Raises ``CannotOpen`` with a line for the operator."""
    make_private(state)
    lock = Lock(state)
    file = SqliteFile(state / NAME)
    database = Database(file)
    try:
        await database.open()
        return Opened(database, SqlStore(database, key_in(state)), lock, file)
    except BaseException:
        await database.close()
        lock.release()
        raise


def back_up(state: Path, target: Path) -> Path:
    """Copy what a server keeps in ``state``, also while it runs; what was copied. Raises ``CannotOpen``, or
    ``OSError`` for ``target``; then that is as it was.
    """
    path = state / NAME
    if not path.is_file() or not path.stat().st_size:
        raise CannotOpen(f"there is no database in {state}; --state names another directory")
    SqliteFile(path).copy_to(target)
    return path


async def open_archive(state: Path) -> Database:
    """Open what a server has kept in ``state``, beside it or without one, to look at finished games, and to
    add or remove some. Raises ``CannotOpen``.
    """
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
    return database
