"""Everything that is peculiar to SQLite: how a file is opened, checked, copied, and what its errors mean."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from server.storage.database import CannotOpen

NAME: Final = "tide.db"
"""Of the database in the state directory."""

BUSY_SECONDS: Final = 5.0
"""How long to wait for another program that holds the file."""

LOG_BYTES: Final = 16 * 1024 * 1024
"""The write-ahead log is cut to this when it begins anew: while somebody reads for long, as a backup does, it
grows, and else would stay as long for ever."""

_PRIVATE: Final = stat.S_IRUSR | stat.S_IWUSR

_CODES: Final = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
}
_NO_ROOM_FOR_INDEX: Final = sqlite3.SQLITE_IOERR_SHMSIZE


class SqliteFile:
    """A ``Backend``: one file, and its ``-wal`` and ``-shm`` beside it, for this user alone."""

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path: Final = path
        self.engine: Engine = create_engine(
            f"sqlite:///{path}",
            connect_args={"timeout": busy_seconds, "check_same_thread": False},
        )
        self.writer: Engine = self.engine.execution_options(writing=True)
        event.listen(self.engine, "connect", _prepare)
        event.listen(self.engine, "begin", _begin)

    def check(self) -> None:
        """See ``Backend``."""
        try:
            make_private_file(self.path)
            with self.engine.connect() as connection:
                found = list(connection.exec_driver_sql("PRAGMA quick_check(3)").scalars())
        except OSError as error:
            raise CannotOpen(
                f"{self.path} cannot be opened: {error.strerror}. Check who owns it, or choose another "
                "state directory with --state."
            ) from None
        except (DBAPIError, sqlite3.Error) as error:
            code = self.code_of(error)
            cause = getattr(error, "orig", None) or error
            raise CannotOpen(f"{self.path} cannot be used: {cause}. {self.advice(code)}") from None
        if found != ["ok"]:
            lines = str(found[0]).splitlines()
            first = next((line for line in lines if not line.startswith("***")), lines[0])
            raise CannotOpen(f"{self.path} is damaged: {first}. {self.advice('damaged')}")

    def code_of(self, error: BaseException) -> str:
        """See ``Backend``."""
        cause = error.orig if isinstance(error, DBAPIError) else error
        code = getattr(cause, "sqlite_errorcode", None)
        if code is None:
            return "failed"
        if code == _NO_ROOM_FOR_INDEX:
            return "full"
        return _CODES.get(code & 0xFF, "failed")

    def advice(self, code: str) -> str:
        """See ``Backend``."""
        path = self.path
        if code == "full":
            return (
                f"The disk with {path.parent} is full: make room there. Games wait until something can be "
                "written again; nothing that was acknowledged is lost."
            )
        if code == "locked":
            return f"Another program is holding {path} (a backup tool, an sqlite3 shell?): end it."
        if code == "damaged":
            return (
                "Nothing has been changed in it. Stop the server, move the files "
                f"{path.name}, {path.name}-wal and {path.name}-shm out of {path.parent}, and put a copy "
                f"made by `tide backup` in their place as {path.name} (docs/storage.md also says how to "
                "rescue what is readable); without one, the server starts afresh."
            )
        return f"Check the disk with {path.parent}, and who may write there."

    def erase_for_good(self, connection: Connection) -> None:
        """See ``Backend``."""
        connection.exec_driver_sql("PRAGMA secure_delete=ON")

    def copy_to(self, target: Path) -> None:
        """See ``Backend``. Raises ``sqlite3.Error`` or ``OSError``; then ``target`` is as it was."""
        make_private_file(target, new=True)
        try:
            self._copy(target)
        except BaseException:
            target.unlink(missing_ok=True)
            raise
        sync(target)

    def _copy(self, target: Path) -> None:
        uri = f"{self.path.absolute().as_uri()}?mode=rw"
        with (
            closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)) as source,
            closing(sqlite3.connect(target)) as copy,
        ):
            # All in one step: a step at a time starts over whenever somebody writes in between.
            source.backup(copy)
            # What is copied is marked as using a write-ahead log; a backup is better one plain file.
            copy.execute("PRAGMA journal_mode=DELETE")
            (found,) = copy.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                raise sqlite3.DatabaseError(
                    f"the copy is damaged, as the original must be: {found}"
                )


def make_private_file(path: Path, *, new: bool = False) -> None:
    """An empty file that only this user can read; an existing one (unless ``new``) becomes private too.

    SQLite gives the files beside it the same mode. Raises ``OSError``.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | (os.O_EXCL if new else 0)
    descriptor = os.open(path, flags, _PRIVATE)
    try:
        if stat.S_IMODE(os.fstat(descriptor).st_mode) != _PRIVATE:
            os.fchmod(descriptor, _PRIVATE)
    finally:
        os.close(descriptor)
    for beside in (f"{path}-wal", f"{path}-shm"):
        if os.path.exists(beside):
            os.chmod(beside, _PRIVATE)
    sync(path.parent)


def sync(path: Path) -> None:
    """Have the file or directory written to the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _prepare(connection: Any, _record: object) -> None:
    """A new connection: durable to the last commit, and no transactions behind our back."""
    connection.isolation_level = None
    cursor = connection.cursor()
    try:
        mode = cursor.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        if mode != "wal":
            raise sqlite3.OperationalError("this file system allows no write-ahead log")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute(f"PRAGMA journal_size_limit={LOG_BYTES}")
        cursor.execute("PRAGMA foreign_keys=ON")
    finally:
        cursor.close()


def _begin(connection: Connection) -> None:
    # A writer takes the lock at once: a reader that turns writer could find itself out of date.
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
