"""A file of SQLite: how it is opened and checked, and what its errors mean."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import ClassVar, Final
from weakref import finalize

import structlog
from typing_extensions import override

from server.private_files import sync, write_new
from server.storage.databases import sqlite_files
from server.storage.databases.connection import Connection, Pool
from server.storage.databases.database import READERS, Backend, CannotOpen, Damaged
from server.storage.databases.migrations import versions
from server.storage.databases.sqlite_files import (
    BUSY_SECONDS,
    SqliteConnection,
    copy_of_version,
    durable,
    make_private,
    new_database,
    newest_copy,
    one_use,
    plain,
    size_of,
)

NAME: Final = "tide.db"
"""Name of the database in the state directory."""

_CODES: Final = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_IOERR_SHMSIZE: "full",  # no room for the log's index
}
"""Codes of ``StoreError``, by SQLite's codes and extended codes."""

_log = structlog.get_logger("storage")


class SqliteFile(Backend):
    """One file, and its ``-wal`` and ``-shm`` beside it, for this user alone."""

    errors: ClassVar = SqliteConnection.errors

    def __init__(
        self, path: Path, busy_seconds: float = BUSY_SECONDS, *, serves: bool = False
    ) -> None:
        """A server ``serves``: it marks the file as open as long as it runs."""
        self.path: Final = path
        self._wal: Final = sqlite_files.log_of(path)
        self._marker: Final = sqlite_files.marker_of(path)
        self._busy: Final = busy_seconds
        self._serves: Final = serves
        self._opened: tuple[tuple[int, int], ...] = ()
        """Device and inode of the file and its log, once a server has marked it."""
        self._used = False
        """Connections were made. The last one to be closed removes the log."""
        self.readers = Pool(self._connect)
        # A writer takes the lock at once: a reader that turns writer could find itself out of date.
        self.writer = Pool(self._connect, "BEGIN IMMEDIATE")

    def _connect(self) -> Connection:
        self._used = True
        return durable(self.path, self._busy)

    @override
    def open(self, *, migrate: bool) -> None:
        self.check(alone=migrate)
        way_out = "choose another state directory with --state."
        if copy := newest_copy(self.path):
            back = f"put {copy} in its place (docs/upgrading.md)."
            way_out = f"go back to what there was before that: {back}"
        try:
            with self.readers.transaction() as connection:
                there = versions.checked(connection, migrate=migrate, way_out=way_out)
            # As many as there will ever be in use at once: later there might be no descriptor left.
            self.readers.fill(READERS)
            self.writer.fill(1)
            if there < versions.newest():
                self._migrate(there)
            if self._serves:
                # After a sync that failed nobody knows which part of the log is on the disk: all of it is
                # written once more, into the database, before anything is added.
                with self.writer.idle() as connection:
                    connection.execute("PRAGMA wal_checkpoint(RESTART)")
                # It begins anew with this.
                with self.writer.transaction() as connection:
                    for sql in versions.PROBE:
                        connection.execute(sql)
                sqlite_files.mark(self.path)
                self._opened = self._files()
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

    def check(self, *, alone: bool) -> None:
        """See that the database is there and sound, and change nothing in it. Raises ``CannotOpen``.

        ``alone`` says that no server uses it: then a new one is made where there is none.
        """
        try:
            if alone and not os.path.lexists(self.path):
                self._make()
            if not size_of(self.path):
                raise Damaged(f"{self.path} is empty (0 bytes). {self.advice('damaged')}")
            make_private(self.path)
            if alone:
                self._check_log()
            found = self._look()
        except OSError as error:
            raise CannotOpen(
                f"{self.path} cannot be opened: {error.strerror}. Check who owns it, or choose another "
                "state directory with --state."
            ) from None
        except sqlite3.Error as error:
            advice = self.advice(self.code_of(error))
            kind = Damaged if self.code_of(error) == "damaged" else CannotOpen
            raise kind(f"{self.path} cannot be used: {error}. {advice}") from None
        if found != "ok":
            lines = found.splitlines()
            first = next((line for line in lines if not line.startswith("***")), lines[0])
            raise Damaged(f"{self.path} is damaged: {first}. {self.advice('damaged')}")

    def _make(self) -> None:
        """Make a new database under another name first, so that there never is half of one."""
        for left in (self._wal, self._marker):
            if size_of(left):
                raise Damaged(
                    f"{self.path} is missing, and {left.name} beside it is of no use without it. If you have "
                    f"{self.path.name}, put it back. {self.advice('damaged')}"
                )
        new = self.path.with_name(f"{self.path.name}.new")
        for left in (new, Path(f"{new}-journal")):
            left.unlink(missing_ok=True)
        write_new(new, new_database())
        new.rename(self.path)
        sync(self.path.parent)
        self.new = True

    def _check_log(self) -> None:
        """Raise ``Damaged`` when the log is not of this database, or not what a killed server has left."""
        name = self.path.name
        with self.path.open("rb") as file:
            # A backup says there that it has no log (sqlite.org/fileformat2.html, 1.3.3).
            is_backup = file.read(20)[18:] == b"\1\1"
        if is_backup and size_of(self._wal):
            raise Damaged(
                f"{self._wal} is not the log of {name}, which must be a backup: what is in the log is "
                f"newer. Move all files {name}-* away if you want the backup."
            )
        if self._marker.exists() and not sqlite_files.is_whole(self._wal):
            raise Damaged(
                f"{self._wal} is missing or damaged, and what was written last was only there. If you have "
                f"it, put it back. If an sqlite3 shell has opened {name} since, it has emptied the log, and "
                f"nothing is lost: remove {self._marker.name}. {self.advice('damaged')}"
            )

    def _look(self) -> str:
        """Return what SQLite finds wrong, or ``ok``.

        A connection that may only read leaves the log as it is, also when it is the last one to be closed.
        Only where there is an old-style journal, it could not undo what a crash has left half done.
        """
        mode = "rw" if size_of(Path(f"{self.path}-journal")) else "ro"
        with closing(plain(self.path, mode, self._busy)) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            return str(found)

    @override
    def was_written(self, error: Exception, transaction: str) -> bool:
        # The frame that makes a transaction count is the last one to be written to the log, and SQLite never
        # says "full" after that: what could not be synced is another error (tests/storage/test_full_disk.py).
        if getattr(error, "sqlite_errorcode", -1) == sqlite3.SQLITE_FULL:
            return False
        return super().was_written(error, transaction)

    @override
    def check_in_place(self) -> None:
        if self._opened and self._opened != self._files():
            raise Damaged(
                f"{self.path} or {self._wal.name} was removed or replaced while the server was "
                "running, and what was written since is in no file that has a name. Put back what was there, "
                "or a copy made by `tide backup`, and start the server again."
            )

    def _files(self) -> tuple[tuple[int, int], ...]:
        try:
            found = map(os.stat, (self.path, self._wal))
            return tuple((it.st_dev, it.st_ino) for it in found)
        except OSError:
            return ((0, 0),)

    @override
    def checkpoint(self) -> None:
        with self.writer.idle() as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

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
            "unknown": "What was written last may have been kept or not; nothing that was acknowledged is "
            f"lost. Check the disk with {folder}, and start the server again (tide serve): it finds out.",
            "damaged": f"Nothing has been changed. Stop the server, move {path.name} and {path.name}-* out "
            f"of {folder}, and put a copy made by `tide backup` in their place as {path.name} "
            "(docs/storage.md also says how to rescue what is readable); without one, the server starts "
            "afresh.",
        }
        return advice.get(code, f"Check the disk with {folder}, and who may write there.")

    @override
    def close(self) -> None:
        with ExitStack() as last:
            with suppress(sqlite3.Error, OSError):
                if self._opened:
                    self._unmark()
                if self._used and self._marker.exists():
                    # Closed after the others, a connection that may only read leaves the log where it is.
                    reader = last.enter_context(closing(plain(self.path, "ro")))
                    reader.execute("SELECT 1 FROM sqlite_master").fetchone()
            super().close()

    def _unmark(self) -> None:
        with self.writer.idle() as connection:
            busy, frames, done = connection.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        if not busy and frames == done:
            sqlite_files.unmark(self.path)

    @contextmanager
    def looked_at(self, *, alone: bool) -> Iterator[Connection]:
        """The database as it is, to read all of it and change nothing.

        ``alone`` says that no server uses it. Raises ``CannotOpen``.
        """
        if not self.path.is_file():
            raise CannotOpen(f"there is no database {self.path}")
        self.check(alone=alone)
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
    def advice(self, code: str) -> str:
        return "The game cannot go on; begin another one: tide play"

    @override
    def close(self) -> None:
        super().close()
        self._closing()
