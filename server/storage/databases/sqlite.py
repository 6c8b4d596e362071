"""The backend for SQLite: files that are created, checked and copied, and the meaning of errors.

SQLite reads a write-ahead log up to the first invalid frame, and takes a missing log for an empty one. To
notice a log that is missing, cut or damaged, a server gives it its full length, and writes a marker beside
it, which it removes when everything is in the database. Format: sqlite.org/fileformat2.html, section 4.
"""

import errno
import os
import sqlite3
import stat
import struct
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from typing import Any, ClassVar, Final
from weakref import finalize

import structlog
from typing_extensions import override

from server.private_files import sync, write_new
from server.storage.databases.connection import Connection, Cursor, Pool, Values, row_of
from server.storage.databases.database import READERS, Backend, CannotOpen, Damaged
from server.storage.databases.migrations import versions

BUSY_SECONDS: Final = 5.0
"""Maximum time to wait for another program that has locked the file."""


class SqliteConnection(Connection):
    """A connection of Python's ``sqlite3`` in autocommit mode.

    A statement releases the GIL, and may have to wait for it, five times and once more for each named
    parameter; ``executescript`` and ``commit`` release it only once.
    """

    errors: ClassVar = sqlite3.Error
    tables: ClassVar = "SELECT name FROM sqlite_master WHERE type = 'table'"

    def __init__(self, driver: sqlite3.Connection) -> None:
        self.driver: Final = driver
        driver.isolation_level = None
        driver.row_factory = _row
        driver.execute("PRAGMA foreign_keys=ON")

    @property
    @override
    def usable(self) -> bool:
        return not self.driver.in_transaction

    @override
    def execute(self, sql: str, values: Values | None = None, /, **more: object) -> Cursor:
        return self.driver.execute(sql, {**(values or {}), **more})

    @override
    def begin(self, statement: str) -> None:
        if not self.usable:  # then ``executescript`` would commit first
            raise sqlite3.OperationalError("a transaction has begun already")
        self.driver.executescript(statement)

    @override
    def commit(self) -> None:
        if self.usable:  # then ``commit`` of the driver does nothing
            raise sqlite3.OperationalError("the transaction that was to be committed is over")
        self.driver.commit()

    @override
    def read(self, sql: str, size: int) -> Iterator[list[tuple[object, ...]]]:
        cursor = self.driver.cursor()
        cursor.row_factory = None  # names take time
        cursor.execute(sql)
        while rows := cursor.fetchmany(size):
            yield rows

    @override
    def overwrite_removed(self) -> None:
        self.execute("PRAGMA secure_delete=ON")

    @override
    def close(self) -> None:
        self.driver.close()


def _row(cursor: sqlite3.Cursor, values: tuple[Any, ...]) -> Any:
    return row_of(tuple([column[0] for column in cursor.description]))(values)


def durable(path: Path) -> SqliteConnection:
    """Connect to a file such that every commit is durable."""
    driver = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        made = SqliteConnection(driver)
        if made.scalar("PRAGMA journal_mode=WAL") != "wal":
            raise sqlite3.OperationalError("this file system allows no write-ahead log")
        made.execute("PRAGMA synchronous=FULL")
        made.execute(f"PRAGMA journal_size_limit={BYTES}")
    except BaseException:
        driver.close()
        raise
    return made


def plain(path: Path, mode: str) -> sqlite3.Connection:
    """Connect to a file without a server's settings; ``mode`` is ``ro`` or ``rw``."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)


BYTES: Final = 16 * 1024 * 1024
"""Length of the log, a sparse file at first.

It grows during a long read, such as a backup; when it starts anew, SQLite cuts it to this length.
"""

_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_ORDERS: Final = {0x377F0682: "<", 0x377F0683: ">"}
"""Byte order of the checksums, by the magic number."""
_NOTE: Final = """\
A server uses tide.db, or was killed: what was written last is in tide.db-wal alone. See docs/storage.md.
"""


def log_of(path: Path) -> Path:
    """Return the path of the write-ahead log of a database."""
    return path.with_name(f"{path.name}-wal")


def marker_of(path: Path) -> Path:
    """Return the path of the marker beside a database."""
    return path.with_name(f"{path.name}-open")


def mark(path: Path) -> None:
    """Extend the log, which has a transaction, to its full length, and write the marker.

    Raises ``OSError``.
    """
    log, marker = log_of(path), marker_of(path)
    if log.stat().st_size < BYTES:
        os.truncate(log, BYTES)
        sync(log)
    if not marker.exists():
        write_new(marker, _NOTE.encode("ascii"))
    sync(path.parent)


def is_whole(log: Path) -> bool:
    """Return whether a marked log has its full length and every acknowledged transaction.

    A power failure may have left an invalid last transaction. But no other one may follow it, as a
    transaction is written only when the one before is on the disk. Takes a second at most.
    """
    try:
        file = log.open("rb")
    except FileNotFoundError:
        return False
    with file:
        if os.fstat(file.fileno()).st_size < BYTES:
            return False
        header = file.read(_HEADER)
        magic, page_size, salts, sums = struct.unpack(">I4xI4x8s8s", header)
        order = _ORDERS.get(magic)
        if not order or _checksum(header[:24], order) != sums:
            return False
        readable, before = True, sums
        while len(frame := file.read(_FRAME_HEADER + page_size)) == _FRAME_HEADER + page_size:
            commits, own_salts, sums = struct.unpack_from(">4xI8s8s", frame)
            data = frame[:8] + frame[_FRAME_HEADER:]
            follows = own_salts == salts and before and sums == _checksum(data, order, before)
            if follows and not readable:
                file.seek(0)
                return file.read(_HEADER) != header  # a command has started it anew meanwhile
            readable = readable and bool(follows)
            before = sums if readable or (commits and own_salts == salts) else b""
    return True


def _checksum(data: bytes, order: str, before: bytes = bytes(8)) -> bytes:
    first, second = struct.unpack(">II", before)
    for one, two in struct.iter_unpack(f"{order}II", data):
        first = (first + one + second) & 0xFFFF_FFFF
        second = (second + two + first) & 0xFFFF_FFFF
    return struct.pack(">II", first, second)


PRIVATE: Final = stat.S_IRUSR | stat.S_IWUSR

VERSIONED: Final = "tide-version"
"""Prefix of copies that were made before the schema changed; the version follows."""


def size_of(path: Path) -> int:
    """Return the size of a file in bytes; 0 also for a missing one."""
    try:
        return os.lstat(path).st_size
    except FileNotFoundError:
        return 0


@lru_cache(1)
def new_database() -> bytes:
    """Return the content of an empty database file with the newest schema."""
    driver = sqlite3.connect(":memory:")
    with closing(Pool(lambda: SqliteConnection(driver))) as pool:
        with pool.transaction() as connection:
            versions.run(connection)
        return driver.serialize()


@contextmanager
def one_use(driver: sqlite3.Connection) -> Iterator[Connection]:
    """Run one transaction on a new connection: it is committed, or rolled back after an exception."""
    with closing(Pool(lambda: SqliteConnection(driver))) as pool, pool.transaction() as connection:
        yield connection


def make_private(path: Path) -> None:
    """Make a database and SQLite's files beside it readable by this user only. Raises ``OSError``."""
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        os.fchmod(descriptor, PRIVATE)
    finally:
        os.close(descriptor)
    for beside in (f"{path}-wal", f"{path}-shm"):
        if os.path.exists(beside):
            os.chmod(beside, PRIVATE)


@contextmanager
def filled(path: Path) -> Iterator[Connection]:
    """Create a database with everything that is written in the block, or none at all.

    Raises ``OSError``.
    """
    with _part(path, new_database()) as part, one_use(plain(part, "rw")) as connection:
        yield connection


def copy(path: Path, target: Path) -> None:
    """Write a consistent copy to the new file ``target``. Blocks.

    It is written beside ``target`` first, in place of what a killed process left there. Raises ``CannotOpen``
    or ``OSError``; then ``target`` is as it was.
    """
    try:
        with _part(target, b"") as part:
            back_up(path, part)
    except sqlite3.Error as error:
        raise CannotOpen(f"{path} could not be copied to {target}: {error}") from error


@contextmanager
def _part(target: Path, content: bytes) -> Iterator[Path]:
    """Create a file beside ``target`` that is renamed to it at the end of the block."""
    _check_free(target)
    part = target.with_name(f"{target.name}.part")
    journal = Path(f"{part}-journal")
    for left in (part, journal):
        left.unlink(missing_ok=True)
    write_new(part, content)
    own = part.stat().st_ino
    try:
        yield part
        sync(part)
        if part.stat().st_ino != own:
            raise OSError(errno.EBUSY, "another copy is being written to it")
        _rename_to_new(part, target)
        sync(target.parent)
    except BaseException:
        for left in (part, journal):
            left.unlink(missing_ok=True)
        raise


def back_up(path: Path, target: Path) -> None:
    """Copy into the file ``target``. Raises ``sqlite3.Error``."""
    # A read-only connection leaves the log of a killed server in place, but also the files that it creates.
    mode = "ro" if marker_of(path).exists() else "rw"
    with closing(plain(path, mode)) as source, closing(sqlite3.connect(target)) as made:
        # All pages in one step: several would start over after each write in between.
        source.backup(made)
        # The copy is in WAL mode, too; a backup should be one plain file.
        made.execute("PRAGMA journal_mode=DELETE")
        (found,) = made.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(f"the copy is damaged, as the original must be: {found}")


def copy_of_version(path: Path, version: int) -> Path:
    """Copy a database of this version beside itself, before its schema changes."""
    suffixes = chain([""], map("-{}".format, count(2)))
    names = (f"{VERSIONED}{version}{suffix}.db" for suffix in suffixes)
    target = next(it for it in map(path.with_name, names) if not os.path.lexists(it))
    copy(path, target)
    return target


def newest_copy(path: Path) -> Path | None:
    """Return the newest such copy that this program can use."""
    found: dict[int, Path] = {}
    copies = [each for each in path.parent.glob(f"{VERSIONED}*.db") if each.is_file()]
    for each in sorted(copies, key=lambda it: it.stat().st_mtime):
        number = each.stem.removeprefix(VERSIONED).partition("-")[0]
        if number.isdigit() and int(number) <= versions.newest():
            found[int(number)] = each
    return found[max(found)] if found else None


def _check_free(target: Path) -> None:
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))


def _rename_to_new(path: Path, target: Path) -> None:
    """Rename without overwriting anything. Raises ``OSError``."""
    try:
        os.link(path, target)
    except FileExistsError:
        raise
    except OSError:  # this file system knows no second names
        _check_free(target)
        path.rename(target)
    else:
        path.unlink()


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
    """A database file, readable by this user only."""

    errors: ClassVar = SqliteConnection.errors

    def __init__(self, path: Path, *, serves: bool = False) -> None:
        """Take the path; a server that ``serves`` marks the file as open while it runs."""
        self.path: Final = path
        self._wal: Final = log_of(path)
        self._marker: Final = marker_of(path)
        self._serves: Final = serves
        self._opened: tuple[tuple[int, int], ...] = ()
        """Device and inode of the file and its log, once it is marked as open."""
        self._used = False
        """Whether there were connections: the last one to be closed removes the log."""
        self.readers = Pool(self._connect)
        # A transaction that begins with a read could not write after another one has.
        self.writer = Pool(self._connect, "BEGIN IMMEDIATE")

    def _connect(self) -> Connection:
        self._used = True
        return durable(self.path)

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
            # As many as will ever be used at the same time: later there might be no descriptor left.
            self.readers.fill(READERS)
            self.writer.fill(1)
            if there < versions.newest():
                self._migrate(there)
            if self._serves:
                # After a failed sync it is unknown which part of the log is on the disk: before anything is
                # added, everything is written to the database.
                with self.writer.idle() as connection:
                    connection.execute("PRAGMA wal_checkpoint(RESTART)")
                # With this the log starts anew.
                with self.writer.transaction() as connection:
                    for sql in versions.PROBE:
                        connection.execute(sql)
                mark(self.path)
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
        """Check that the database exists and is not damaged. Raises ``CannotOpen``.

        With ``alone``, no server uses it: then a missing one is created.
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
        """Create a database, under another name first, so that there never is half of one."""
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
        """Raise ``Damaged`` if the log is of another database, or not as a killed server left it."""
        name = self.path.name
        with self.path.open("rb") as file:
            # A backup is not in WAL mode (sqlite.org/fileformat2.html, 1.3.3).
            is_backup = file.read(20)[18:] == b"\1\1"
        if is_backup and size_of(self._wal):
            raise Damaged(
                f"{self._wal} is not the log of {name}, which must be a backup: what is in the log is "
                f"newer. Move all files {name}-* away if you want the backup."
            )
        if self._marker.exists() and not is_whole(self._wal):
            raise Damaged(
                f"{self._wal} is missing or damaged, and what was written last was only there. If you have "
                f"it, put it back. If an sqlite3 shell has opened {name} since, it has emptied the log, and "
                f"nothing is lost: remove {self._marker.name}. {self.advice('damaged')}"
            )

    def _look(self) -> str:
        """Return what SQLite finds wrong, or ``ok``.

        A read-only connection leaves the log as it is, also when it is the last one to be closed. But it
        could not roll back an old-style journal.
        """
        mode = "rw" if size_of(Path(f"{self.path}-journal")) else "ro"
        with closing(plain(self.path, mode)) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            return str(found)

    @override
    def was_written(self, error: Exception, transaction: str) -> bool:
        # A transaction takes effect with its last frame in the log, and SQLite never reports "full" after
        # that: a failed sync is another error (tests/storage/test_faulty_disk.py).
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
                    # If a read-only connection is closed last, the log stays.
                    reader = last.enter_context(closing(plain(self.path, "ro")))
                    reader.execute("SELECT 1 FROM sqlite_master").fetchone()
            super().close()

    def _unmark(self) -> None:
        """Merge the log into the database, and remove the marker if that worked. Raises ``OSError``."""
        with self.writer.idle() as connection:
            busy, frames, done = connection.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        if not busy and frames == done:
            self._marker.unlink()
            sync(self.path.parent)

    @contextmanager
    def looked_at(self, *, alone: bool) -> Iterator[Connection]:
        """Open the database for reading in one transaction. Raises ``CannotOpen``.

        With ``alone``, no server uses it.
        """
        if not self.path.is_file():
            raise CannotOpen(f"there is no database {self.path}")
        self.check(alone=alone)
        with one_use(plain(self.path, "ro")) as connection:
            yield connection


class SqliteMemory(Backend):
    """A database in memory, for playing without a server, and for tests."""

    errors: ClassVar = SqliteConnection.errors
    blocks = False

    def __init__(self) -> None:
        self.driver: Final = sqlite3.connect(":memory:", check_same_thread=False)
        self.driver.deserialize(new_database())
        # Nothing uses it at the same time.
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
