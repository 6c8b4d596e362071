"""SQLite's connections and files: made and copied whole or not at all; the write-ahead log.

SQLite reads a log up to the first frame that is not valid, and takes a missing log for an empty one: it
cannot know more. A server makes the log as long as it may get, writes a marker beside it, and removes that
when everything is in the database. While the marker is there, a log that is gone, cut or damaged is noticed.
The format: sqlite.org/fileformat2.html, section 4.
"""

import errno
import os
import sqlite3
import stat
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from typing import Any, ClassVar, Final

from typing_extensions import override

from server.private_files import sync, write_new
from server.storage.databases.connection import Connection, Cursor, Pool, Values, row_of
from server.storage.databases.database import CannotOpen
from server.storage.databases.migrations import versions

BUSY_SECONDS: Final = 5.0
"""How long to wait for another program that holds the file."""


class SqliteConnection(Connection):
    """A connection of Python's ``sqlite3``, which begins no transactions by itself.

    It gives the interpreter away, and may have to wait to have it back, five times for a statement,
    once more for each parameter that has a name, and only once in ``executescript`` and ``commit``.
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


def durable(path: Path, busy_seconds: float) -> SqliteConnection:
    """Connect to a file, durably to the last commit."""
    driver = sqlite3.connect(path, timeout=busy_seconds, check_same_thread=False)
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


def plain(path: Path, mode: str, busy_seconds: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Connect to a file as it is, without a server's settings; ``mode`` is ``ro`` or ``rw``."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=busy_seconds)


BYTES: Final = 16 * 1024 * 1024
"""The length of the log, in holes at first. While somebody reads for long, as a backup does, it grows; when
it begins anew, SQLite cuts it to this. (A longer one would make a killed server's log too short.)
"""

_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_ORDERS: Final = {0x377F0682: "<", 0x377F0683: ">"}
"""Byte order of what checksums are made of, by the first four bytes."""
_NOTE: Final = """\
A server uses tide.db, or was killed: what was written last is in tide.db-wal alone. See docs/storage.md.
"""


def log_of(path: Path) -> Path:
    """Return where the log of the database ``path`` is."""
    return path.with_name(f"{path.name}-wal")


def marker_of(path: Path) -> Path:
    """Return where its marker is."""
    return path.with_name(f"{path.name}-open")


def mark(path: Path) -> None:
    """Lengthen the log, which has a transaction, and write the marker. Raises ``OSError``."""
    log, marker = log_of(path), marker_of(path)
    if log.stat().st_size < BYTES:
        os.truncate(log, BYTES)
        sync(log)
    if not marker.exists():
        write_new(marker, _NOTE.encode("ascii"))
    sync(path.parent)


def unmark(path: Path) -> None:
    """Remove the marker: everything is in the database. Raises ``OSError``."""
    marker_of(path).unlink()
    sync(path.parent)


def is_whole(log: Path) -> bool:
    """Return whether a marked log has its full length, and everything that was acknowledged.

    What SQLite cannot read at its end may be what a power failure has left of the last transaction. But no
    other one may follow: that is only written when the one before is on the disk. Takes a second at most.
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
                return file.read(_HEADER) != header  # a command beside has begun it anew meanwhile
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
"""Prefix of copies made beside a database before its schema changed; the version follows."""


def size_of(path: Path) -> int:
    """Return the size in bytes; 0 also for a missing file."""
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
    """Lend a connection for one transaction, which is committed as a whole, or rolled back."""
    with closing(Pool(lambda: SqliteConnection(driver))) as pool, pool.transaction() as connection:
        yield connection


def make_private(path: Path) -> None:
    """Let only this user read a database, and the files that SQLite keeps beside it. Raises ``OSError``."""
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
    """Make a database, which is not there yet, of what is written within: all of it or none.

    Raises ``OSError``.
    """
    with _part(path, new_database()) as part, one_use(plain(part, "rw")) as connection:
        yield connection


def copy(path: Path, target: Path) -> None:
    """Write a consistent copy to ``target``, where nothing is.

    Raises ``CannotOpen`` or ``OSError``; then ``target`` is as it was.

    It is written beside ``target`` first; what a killed one left there is thrown away. Blocks.
    """
    try:
        with _part(target, b"") as part:
            back_up(path, part)
    except sqlite3.Error as error:
        raise CannotOpen(f"{path} could not be copied to {target}: {error}") from error


@contextmanager
def _part(target: Path, content: bytes) -> Iterator[Path]:
    """Lend a file beside ``target``, which takes its name once it is whole."""
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
    # One that may only read leaves the log of a killed server where it is, but also files that it makes.
    mode = "ro" if marker_of(path).exists() else "rw"
    with closing(plain(path, mode)) as source, closing(sqlite3.connect(target)) as made:
        # All in one step: a step at a time starts over whenever somebody writes in between.
        source.backup(made)
        # What is copied is marked as using a write-ahead log; a backup is better one plain file.
        made.execute("PRAGMA journal_mode=DELETE")
        (found,) = made.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(f"the copy is damaged, as the original must be: {found}")


def copy_of_version(path: Path, version: int) -> Path:
    """Copy a database beside itself, before its schema changes from this version."""
    suffixes = chain([""], map("-{}".format, count(2)))
    names = (f"{VERSIONED}{version}{suffix}.db" for suffix in suffixes)
    target = next(it for it in map(path.with_name, names) if not os.path.lexists(it))
    copy(path, target)
    return target


def newest_copy(path: Path) -> Path | None:
    """Return the newest of these copies that this program can use."""
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
