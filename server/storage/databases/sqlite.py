"""A file of SQLite: how it is opened and checked, and what its errors mean."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import ClassVar, Final
from weakref import finalize

import structlog
from typing_extensions import override

from server.private_files import sync, write_new
from server.storage.databases.connection import Connection, Pool
from server.storage.databases.database import COUNTED, READERS, Backend, CannotOpen
from server.storage.databases.migrations import versions
from server.storage.databases.sqlite_connection import (
    BUSY_SECONDS,
    SqliteConnection,
    durable,
    plain,
)
from server.storage.databases.sqlite_files import (
    copy_of_version,
    make_private,
    new_database,
    newest_copy,
    one_use,
)
from server.storage.databases.sqlite_log import LoggedFile, log_of, size_of, written_of

NAME: Final = "tide.db"
"""Of the database in the state directory."""

_CODES: Final = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_IOERR_SHMSIZE: "full",  # no room for the log's index
}
"""Of ``StoreError``, by SQLite's codes and extended codes."""

_log = structlog.get_logger("storage")


class SqliteFile(LoggedFile):
    """One file, and its ``-wal`` and ``-shm`` beside it, for this user alone."""

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        super().__init__(path, busy_seconds)
        self.readers = Pool(self._connect)
        # A writer takes the lock at once: a reader that turns writer could find itself out of date.
        self.writer = Pool(self._connect, "BEGIN IMMEDIATE")

    def _connect(self) -> Connection:
        return durable(self.path, self._busy)

    @override
    def open(self, *, migrate: bool) -> None:
        self._check(alone=migrate)
        way_out = "choose another state directory with --state."
        if copy := newest_copy(self.path):
            back = f"put {copy} in its place (docs/upgrading.md)."
            way_out = f"go back to what there was before that: {back}"
        try:
            with self.readers.transaction() as connection:
                there = versions.checked(connection, migrate=migrate, way_out=way_out)
            if there < versions.newest():
                self._migrate(there)
            if migrate:
                self.take_up()
            # As many as there will ever be in use at once: later there might be no descriptor left.
            self.readers.fill(READERS)
            self.writer.fill(1)
        except versions.WrongVersion as wrong:
            raise CannotOpen(str(wrong)) from None
        except Exception as error:
            raise CannotOpen(f"{error}. {self.advice(self.code_of(error))}") from error

    def _migrate(self, there: int) -> None:
        copy = copy_of_version(self.path, there) if there else None
        try:
            with self.writer.transaction() as connection:
                versions.run(connection)
        except BaseException:
            if copy:
                copy.unlink()  # nothing has changed
            raise
        if copy:
            self.copied, new = copy, versions.newest()
            _log.warning("database_upgraded", old=there, new=new, backup=str(copy))

    def _check(self, *, alone: bool) -> None:
        """See that the database is there and sound, and change nothing in it. Raises ``CannotOpen``.

        ``alone`` says that no server uses it: then a new one is made where there is none, and one that
        lacks something that was acknowledged is refused.
        """
        try:
            if alone and not os.path.lexists(self.path):
                self._make()
            if not size_of(self.path):
                raise CannotOpen(f"{self.path} is empty (0 bytes). {self.advice('damaged')}")
            make_private(self.path)
            found, number = self._look()
        except OSError as error:
            raise CannotOpen(
                f"{self.path} cannot be opened: {error.strerror}. Check who owns it, or choose another "
                "state directory with --state."
            ) from None
        except sqlite3.Error as error:
            advice = self.advice(self.code_of(error))
            raise CannotOpen(f"{self.path} cannot be used: {error}. {advice}") from None
        if found != "ok":
            lines = found.splitlines()
            first = next((line for line in lines if not line.startswith("***")), lines[0])
            raise CannotOpen(f"{self.path} is damaged: {first}. {self.advice('damaged')}")
        if alone:
            self._see_that_all_is_there(number)

    def _make(self) -> None:
        """Make a new database under another name first, so that there never is half of one."""
        log = log_of(self.path)
        if size_of(log):
            raise CannotOpen(
                f"{self.path} is missing, and {log.name} beside it is of no use without it. If you have "
                f"{self.path.name}, put it back. {self.advice('damaged')}"
            )
        new = self.path.with_name(f"{self.path.name}.new")
        for left in (new, Path(f"{new}-journal"), written_of(self.path)):
            left.unlink(missing_ok=True)
        write_new(new, new_database())
        new.rename(self.path)
        sync(self.path.parent)
        self.new = True

    def _look(self) -> tuple[str, int | None]:
        """What SQLite finds wrong, or ``ok``; and the number of the last transaction, ``None`` in a backup.

        A connection that may only read leaves the log as it is, also when it is the last one to be closed.
        Only where there is an old-style journal, it could not undo what a crash has left half done.
        """
        mode = "rw" if size_of(Path(f"{self.path}-journal")) else "ro"
        with closing(plain(self.path, mode, self._busy)) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                return str(found), None
            row = None
            with suppress(sqlite3.OperationalError):  # an earlier release did not have that table
                query = "SELECT last FROM numbers WHERE kind = ?"
                row = connection.execute(query, (COUNTED,)).fetchone()
        return str(found), row[0] if row else 0

    def _see_that_all_is_there(self, number: int | None) -> None:
        """Raises ``CannotOpen`` when less is there than was acknowledged."""
        written = written_of(self.path)
        try:
            acknowledged = int(written.read_text("ascii"))
        except (OSError, ValueError):
            return  # the last server has ended in good order, or was of an earlier release
        if number is not None and number < acknowledged:
            raise CannotOpen(
                f"{self.path} lacks the last {acknowledged - number} transactions that were acknowledged: "
                f"{log_of(self.path).name} was removed or is damaged, or {self.path.name} is an older copy. "
                f"Nothing has been changed. Put back what was there, or a copy made by `tide backup`; to go "
                f"on without what is missing, remove {written}."
            )

    @override
    def code_of(self, error: BaseException) -> str:
        code = getattr(error, "sqlite_errorcode", -1)
        return _CODES.get(code) or _CODES.get(code & 0xFF, "failed")

    @override
    def advice(self, code: str) -> str:
        path, folder = self.path, self.path.parent
        advice = {
            "full": f"The disk with {folder} is full: make room there. Games wait until something can be "
            "written again; nothing that was acknowledged is lost.",
            "stuck": f"The disk with {folder} does not answer: look at the system's log, and at what else "
            "uses it.",
            "locked": f"Another program is holding {path} (a backup tool, an sqlite3 shell?): end it.",
            "damaged": f"Nothing has been changed. Stop the server, move the files {path.name}, "
            f"{path.name}-wal and {path.name}-shm out of {folder}, and put a copy made by `tide backup` in "
            f"their place as {path.name} (docs/storage.md also says how to rescue what is readable); "
            "without one, the server starts afresh.",
        }
        return advice.get(code, f"Check the disk with {folder}, and who may write there.")

    @contextmanager
    def looked_at(self, *, alone: bool) -> Iterator[Connection]:
        """The database as it is, to read all of it and change nothing. ``alone`` says that no server uses it.
        Raises ``CannotOpen``.
        """
        if not self.path.is_file():
            raise CannotOpen(f"there is no database {self.path}")
        self._check(alone=alone)
        with one_use(plain(self.path, "ro")) as connection:
            yield connection


class SqliteMemory(Backend):
    """A database that lasts as long as this object: for tests, and for playing without a server."""

    errors: ClassVar = SqliteConnection.errors
    blocks = False

    def __init__(self) -> None:
        self.driver: Final = sqlite3.connect(":memory:", check_same_thread=False)
        self.driver.deserialize(new_database())
        # Nobody ever uses it while somebody else does.
        self.readers = self.writer = Pool(lambda: SqliteConnection(self.driver))
        self.readers.fill(1)
        self._closing: Final = finalize(self, self.driver.close)

    @override
    def close(self) -> None:
        super().close()
        self._closing()
