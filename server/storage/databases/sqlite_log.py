"""The write-ahead log of a database of SQLite, of which nothing may be lost, and nothing come back.

SQLite's commit writes to the log, syncs it, and says in the log's index that the transaction is there. When
that sync fails, the log holds a whole transaction that was refused; whoever opens the database without an
index (after a kill, or when the last connection was closed) would take it for a committed one. So ``settle``
cuts it off, and one connection stays open for as long as the database is in use.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Final

from typing_extensions import override

from server.private_files import sync
from server.storage.databases.database import COUNTED, Backend
from server.storage.databases.sqlite_connection import SqliteConnection, durable
from server.storage.databases.sqlite_hooks import committed_bytes

PRIVATE: Final = stat.S_IRUSR | stat.S_IWUSR


def log_of(path: Path) -> Path:
    """The write-ahead log of the database ``path``."""
    return path.with_name(f"{path.name}-wal")


def written_of(path: Path) -> Path:
    """The file beside the database, while it is in use, that has the number of the last transaction that was
    acknowledged.
    """
    return path.with_name(f"{path.name}-written")


def size_of(path: Path) -> int:
    """In bytes; 0 also when there is nothing."""
    try:
        return os.lstat(path).st_size
    except FileNotFoundError:
        return 0


class LoggedFile(Backend):
    """A file of SQLite and its log, in use. All of it blocks, and raises ``sqlite3.Error`` or ``OSError``."""

    errors: ClassVar = SqliteConnection.errors

    def __init__(self, path: Path, busy_seconds: float) -> None:
        self.path: Final = path
        self._log: Final = log_of(path)
        self._busy: Final = busy_seconds
        self._own: SqliteConnection | None = None
        self._index = -1
        """Open for as long as ``_own``."""
        self._files: tuple[tuple[int, int], ...] = ()
        self._written = -1

    @override
    def settle(self, number: int = 0) -> bool:
        """After a failed transaction: cut off what was refused, and bring the rest to the disk."""
        own = self._opened()
        own.execute("BEGIN IMMEDIATE")  # nobody else writes meanwhile
        try:
            page_size = own.execute("PRAGMA page_size").scalar()
            committed = committed_bytes(self._index, page_size)
            if size_of(self._log) > committed:
                os.truncate(self._log, committed)
        finally:
            own.execute("ROLLBACK")
        sync(self._log)
        # What was committed is in the log; whether all of that is on the disk, nobody knows after a failure.
        own.execute("PRAGMA wal_checkpoint(TRUNCATE)").first()
        sync(self._log)
        return False

    def take_up(self) -> None:
        """Settle, for a server that uses the database alone, and from now on notice when it is taken away."""
        self.settle()
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._written = os.open(written_of(self.path), flags, PRIVATE)
        query = "SELECT COALESCE(MAX(last), 0) FROM numbers WHERE kind = :kind"
        self.acknowledged(self._opened().execute(query, kind=COUNTED).scalar())
        os.fsync(self._written)
        sync(self.path.parent)
        self._files = self._identity()

    @override
    def check_in_place(self) -> None:
        """Raise ``FileNotFoundError`` when it has been taken away since then."""
        if self._files and self._files != self._identity():
            raise FileNotFoundError(
                f"{self.path} or {self._log.name} has been removed or replaced while the server was "
                "running: put it back, or stop the server"
            )

    @override
    def acknowledged(self, number: int) -> None:
        """For a kill, not for a power failure: that takes the log from nobody."""
        if self._written >= 0:
            with suppress(OSError):
                os.pwrite(self._written, b"%020d\n" % number, 0)

    @override
    def checkpoint(self) -> None:
        """Bring what is in it into the database."""
        self._opened().execute("PRAGMA wal_checkpoint(PASSIVE)").first()
        if self._written >= 0:
            os.fsync(self._written)

    @override
    def close(self) -> None:
        super().close()
        # After all other connections.
        if self._own:
            self._own.close()
            os.close(self._index)
        if self._written >= 0:
            os.close(self._written)
            if not self._log.exists():  # so everything is in the one file
                written_of(self.path).unlink(missing_ok=True)
        self._own, self._index, self._written, self._files = None, -1, -1, ()

    def _identity(self) -> tuple[tuple[int, int], ...]:
        try:
            return tuple((it.st_dev, it.st_ino) for it in map(os.stat, (self.path, self._log)))
        except OSError:
            return ((0, 0),)

    def _opened(self) -> SqliteConnection:
        """A connection that stays open."""
        if self._own is None:
            own = durable(self.path, self._busy)
            own.execute("SELECT COUNT(*) FROM sqlite_master").first()
            self._index = os.open(f"{self.path}-shm", os.O_RDONLY | os.O_CLOEXEC)
            self._own = own
        return self._own
