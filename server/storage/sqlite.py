"""Everything that is peculiar to SQLite: how a file is opened, checked, copied, and what its errors mean."""

import errno
import os
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from typing import Any, Final
from weakref import finalize

import structlog
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool
from typing_extensions import override

from server.private_files import sync, write_new
from server.storage import migrations
from server.storage.database import COUNTED, READERS, Backend, CannotOpen, cause_of

NAME: Final = "tide.db"
"""Of the database in the state directory."""

WRITTEN: Final = f"{NAME}-written"
"""Beside it while it is in use: the number of the last transaction that was acknowledged."""

VERSIONED: Final = "tide-version"
"""How the copies beside it begin that were made before its schema changed; the version follows."""

BUSY_SECONDS: Final = 5.0
"""How long to wait for another program that holds the file."""

LOG_BYTES: Final = 16 * 1024 * 1024
"""The write-ahead log is cut to this when it begins anew: while somebody reads for long, as a backup does, it
grows, and else would stay as long for ever."""

_LOG_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_FRAMES_AT: Final = 16
"""Where the write-ahead log's index says how many frames of the log were committed: https://sqlite.org/walformat.html"""

_PRIVATE: Final = stat.S_IRUSR | stat.S_IWUSR

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


class SqliteFile(Backend):
    """One file, and its ``-wal`` and ``-shm`` beside it, for this user alone.

    SQLite's commit writes to the log, syncs it, and says in the log's index that the transaction is there.
    When that sync fails, the log holds a whole transaction that was refused; whoever opens the database
    without an index (after a kill, or when the last connection was closed) would take it for a committed
    one. So ``settle`` cuts it off, and one connection stays open for as long as the database is in use.
    """

    def __init__(self, path: Path, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path: Final = path
        self.log: Final = path.with_name(f"{path.name}-wal")
        self._busy: Final = busy_seconds
        options = {"timeout": busy_seconds, "check_same_thread": False}
        self.engine = _engine(f"sqlite:///{path}", connect_args=options)
        self.writer = self.engine.execution_options(writing=True)
        event.listen(self.engine, "connect", _prepare)
        self._own: sqlite3.Connection | None = None
        self._index = -1
        """Open for as long as ``_own``: to close it would take SQLite its locks on that file."""
        self._files: tuple[tuple[int, int], ...] = ()
        self._written = -1

    @override
    def open(self, *, migrate: bool) -> None:
        self._check(alone=migrate)
        try:
            with self.engine.begin() as connection:
                there = migrations.checked(connection, migrate=migrate)
            if there < migrations.newest():
                self._migrate(there)
            if migrate:
                self._take_up()
            with ExitStack() as here:
                # As many as there will ever be in use at once: later there might be no descriptor left.
                for _ in range(1 + READERS):
                    here.enter_context(self.engine.connect())
        except migrations.TooNew as wrong:
            way_out = "choose another state directory with --state."
            if copy := self._newest_copy():
                back = f"put {copy} in its place (docs/upgrading.md)."
                way_out = f"go back to what there was before that: {back}"
            raise CannotOpen(f"{wrong}{way_out}") from None
        except migrations.WrongVersion as wrong:
            raise CannotOpen(str(wrong)) from None
        except Exception as error:
            raise CannotOpen(f"{cause_of(error)}. {self.advice(self.code_of(error))}") from error

    def _migrate(self, there: int) -> None:
        copy = self._copy_of_version(there) if there else None
        try:
            with self.writer.begin() as connection:
                migrations.run(connection)
        except BaseException:
            if copy:
                copy.unlink()  # nothing has changed
            raise
        if copy:
            self.copied, new = copy, migrations.newest()
            _log.warning("database_upgraded", old=there, new=new, backup=str(copy))

    def _check(self, *, alone: bool) -> None:
        """See that the database is there and sound, and change nothing in it. Raises ``CannotOpen``.

        ``alone`` says that no server uses it: then a new one is made where there is none, and one that
        lacks something that was acknowledged is refused.
        """
        try:
            if alone and not os.path.lexists(self.path):
                self._make()
            if not _size(self.path):
                raise CannotOpen(f"{self.path} is empty (0 bytes). {self.advice('damaged')}")
            _make_private(self.path)
            found, number = self._look()
        except OSError as error:
            raise CannotOpen(
                f"{self.path} cannot be opened: {error.strerror}. Check who owns it, or choose another "
                "state directory with --state."
            ) from None
        except (DBAPIError, sqlite3.Error) as error:
            advice = self.advice(self.code_of(error))
            raise CannotOpen(f"{self.path} cannot be used: {cause_of(error)}. {advice}") from None
        if found != "ok":
            lines = found.splitlines()
            first = next((line for line in lines if not line.startswith("***")), lines[0])
            raise CannotOpen(f"{self.path} is damaged: {first}. {self.advice('damaged')}")
        if alone:
            self._see_that_all_is_there(number)

    def _make(self) -> None:
        """Make a new database under another name first, so that there never is half of one."""
        if _size(self.log):
            raise CannotOpen(
                f"{self.path} is missing, and {self.log.name} beside it is of no use without it. If you have "
                f"{self.path.name}, put it back. {self.advice('damaged')}"
            )
        new = self.path.with_name(f"{self.path.name}.new")
        for left in (new, Path(f"{new}-journal"), self.path.with_name(WRITTEN)):
            left.unlink(missing_ok=True)
        write_new(new, _new_database())
        new.rename(self.path)
        sync(self.path.parent)
        self.new = True

    def _look(self) -> tuple[str, int | None]:
        """What SQLite finds wrong, or ``ok``; and the number of the last transaction, ``None`` in a backup.

        A connection that may only read leaves the log as it is, also when it is the last one to be closed.
        Only where there is an old-style journal, it could not undo what a crash has left half done.
        """
        mode = "rw" if _size(Path(f"{self.path}-journal")) else "ro"
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        with closing(sqlite3.connect(uri, uri=True, timeout=self._busy)) as connection:
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
        written = self.path.with_name(WRITTEN)
        try:
            acknowledged = int(written.read_text("ascii"))
        except (OSError, ValueError):
            return  # the last server has ended in good order, or was of an earlier release
        if number is not None and number < acknowledged:
            raise CannotOpen(
                f"{self.path} lacks the last {acknowledged - number} transactions that were acknowledged: "
                f"{self.log.name} was removed or is damaged, or {self.path.name} is an older copy. Nothing "
                f"has been changed. Put back what was there, or a copy made by `tide backup`; to go on "
                f"without what is missing, remove {written}."
            )

    @override
    def settle(self, number: int = 0) -> bool:
        own = self._opened()
        own.execute("BEGIN IMMEDIATE")  # nobody else writes meanwhile
        try:
            (page,) = own.execute("PRAGMA page_size").fetchone()
            frames = int.from_bytes(os.pread(self._index, 4, _FRAMES_AT), sys.byteorder)
            committed = _LOG_HEADER + frames * (_FRAME_HEADER + page)
            if _size(self.log) > committed:
                os.truncate(self.log, committed)
        finally:
            own.execute("ROLLBACK")
        sync(self.log)
        # What was committed is in the log; whether all of that is on the disk, nobody knows after a failure.
        own.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        sync(self.log)
        return False

    def _take_up(self) -> None:
        """Settle, for a server that uses it alone, and from now on notice when it is taken away."""
        self.settle()
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._written = os.open(self.path.with_name(WRITTEN), flags, _PRIVATE)
        query = "SELECT COALESCE(MAX(last), 0) FROM numbers WHERE kind = ?"
        (number,) = self._opened().execute(query, (COUNTED,)).fetchone()
        self.acknowledged(number)
        os.fsync(self._written)
        sync(self.path.parent)
        self._files = self._identity()

    @override
    def check_in_place(self) -> None:
        if self._files and self._files != self._identity():
            raise FileNotFoundError(
                f"{self.path} or {self.log.name} has been removed or replaced while the server was running: "
                "put it back, or stop the server"
            )

    @override
    def acknowledged(self, number: int) -> None:
        """It is for a kill, not for a power failure: that takes the log from nobody."""
        if self._written >= 0:
            with suppress(OSError):
                os.pwrite(self._written, b"%020d\n" % number, 0)

    @override
    def checkpoint(self) -> None:
        self._opened().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if self._written >= 0:
            os.fsync(self._written)

    @override
    def close(self) -> None:
        self.engine.dispose()
        if self._own:
            self._own.close()
            os.close(self._index)
        if self._written >= 0:
            os.close(self._written)
            if not self.log.exists():  # so everything is in the one file
                self.path.with_name(WRITTEN).unlink(missing_ok=True)
        self._own, self._index, self._written, self._files = None, -1, -1, ()

    def _identity(self) -> tuple[tuple[int, int], ...]:
        try:
            return tuple((it.st_dev, it.st_ino) for it in map(os.stat, (self.path, self.log)))
        except OSError:
            return ((0, 0),)

    def _opened(self) -> sqlite3.Connection:
        """A connection that stays open."""
        if self._own is None:
            own = sqlite3.connect(self.path, timeout=self._busy, check_same_thread=False)
            _prepare(own)
            own.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
            self._index = os.open(f"{self.path}-shm", os.O_RDONLY | os.O_CLOEXEC)
            self._own = own
        return self._own

    @override
    def code_of(self, error: BaseException) -> str:
        code = getattr(cause_of(error), "sqlite_errorcode", -1)
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
        uri = f"{self.path.absolute().as_uri()}?mode=ro"
        with _own_engine(uri) as engine, engine.begin() as connection:
            yield connection

    @contextmanager
    def filled(self) -> Iterator[Connection]:
        """Make the database, which is not there yet, of what is written within: all of it or none. Raises
        ``OSError``.
        """
        _check_free(self.path)
        part = self.path.with_name(f"{self.path.name}.part")
        for left in (part, Path(f"{part}-journal")):
            left.unlink(missing_ok=True)
        try:
            write_new(part, _new_database())
            uri = f"{part.absolute().as_uri()}?mode=rw"
            with _own_engine(uri) as engine, engine.begin() as connection:
                yield connection
            sync(part)
            _rename_to_new(part, self.path)
            sync(self.path.parent)
        except BaseException:
            part.unlink(missing_ok=True)
            raise

    def copy_to(self, target: Path) -> None:
        """Write a consistent copy to ``target``, where nothing is. Raises ``CannotOpen`` or ``OSError``; then
        ``target`` is as it was.

        It is written beside ``target`` first; what a killed one left there is thrown away. Blocks.
        """
        _check_free(target)
        part = target.with_name(f"{target.name}.part")
        journal = Path(f"{part}-journal")
        part.unlink(missing_ok=True)
        journal.unlink(missing_ok=True)
        write_new(part, b"")
        own = part.stat().st_ino
        try:
            self._copy(part)
            sync(part)
            if part.stat().st_ino != own:
                raise OSError(errno.EBUSY, "another copy is being written to it")
            _rename_to_new(part, target)
            sync(target.parent)
        except BaseException as error:
            part.unlink(missing_ok=True)
            journal.unlink(missing_ok=True)
            if isinstance(error, sqlite3.Error):
                raise CannotOpen(f"{self.path} could not be copied to {target}: {error}") from error
            raise

    def _copy_of_version(self, version: int) -> Path:
        suffixes = chain([""], map("-{}".format, count(2)))
        names = (f"{VERSIONED}{version}{suffix}.db" for suffix in suffixes)
        target = next(path for path in map(self.path.with_name, names) if not os.path.lexists(path))
        self.copy_to(target)
        return target

    def _newest_copy(self) -> Path | None:
        """The newest of these copies that this program can use."""
        found: dict[int, Path] = {}
        copies = self.path.parent.glob(f"{VERSIONED}*.db")
        for path in sorted(copies, key=lambda it: it.stat().st_mtime):
            number = path.stem.removeprefix(VERSIONED).partition("-")[0]
            if number.isdigit() and int(number) <= migrations.newest():
                found[int(number)] = path
        return found[max(found)] if found else None

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


@contextmanager
def _own_engine(uri: str) -> Iterator[Engine]:
    """Past everything that a server needs: no write-ahead log."""

    def connect() -> sqlite3.Connection:
        own = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        own.execute("PRAGMA foreign_keys=ON")
        return own

    engine = _engine("sqlite://", creator=connect, poolclass=StaticPool)
    try:
        yield engine
    finally:
        engine.dispose()


class SqliteMemory(Backend):
    """A database that lasts as long as this object: for tests, and for playing without a server."""

    blocks = False

    def __init__(self) -> None:
        own = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        own.deserialize(_new_database())
        own.execute("PRAGMA foreign_keys=ON")
        self.engine = _engine("sqlite://", creator=lambda: own, poolclass=StaticPool)
        self.writer = self.engine
        self._closing: Final = finalize(self, own.close)

    @override
    def close(self) -> None:
        super().close()
        self._closing()


@lru_cache(1)
def _new_database() -> bytes:
    engine = _engine("sqlite://")
    with engine.begin() as connection:
        migrations.run(connection)
    with engine.connect() as connection:
        content: bytes = connection.connection.serialize()
    engine.dispose()
    return content


def _make_private(path: Path) -> None:
    """Let only this user read a database, and the files that SQLite keeps beside it. Raises ``OSError``."""
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        os.fchmod(descriptor, _PRIVATE)
    finally:
        os.close(descriptor)
    for beside in (f"{path}-wal", f"{path}-shm"):
        if os.path.exists(beside):
            os.chmod(beside, _PRIVATE)


def overwrite_removed(connection: Connection) -> None:
    """What this connection removes from now on is overwritten, and not only given up. (PostgreSQL has no such
    thing: there it is overwritten some time after the next VACUUM.)
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete=ON")


def _check_free(target: Path) -> None:
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))


def _rename_to_new(path: Path, target: Path) -> None:
    """As ``rename``, but nothing is overwritten. Raises ``OSError``."""
    try:
        os.link(path, target)
    except FileExistsError:
        raise
    except OSError:  # this file system knows no second names
        _check_free(target)
        path.rename(target)
    else:
        path.unlink()


def _size(path: Path) -> int:
    """In bytes; 0 also when there is nothing."""
    try:
        return os.lstat(path).st_size
    except FileNotFoundError:
        return 0


def _engine(url: str, **more: Any) -> Engine:
    # What was to be written, a sealed bid perhaps, does not belong into the text of an error.
    engine = create_engine(url, hide_parameters=True, **more)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, _record: object = None) -> None:
    """A new connection: durable to the last commit, and no transactions behind our back."""
    connection.isolation_level = None
    if connection.execute("PRAGMA journal_mode=WAL").fetchone() != ("wal",):
        raise sqlite3.OperationalError("this file system allows no write-ahead log")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute(f"PRAGMA journal_size_limit={LOG_BYTES}")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin(connection: Connection) -> None:
    # A writer takes the lock at once: a reader that turns writer could find itself out of date.
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
