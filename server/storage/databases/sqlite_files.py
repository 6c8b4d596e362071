"""Files of databases of SQLite: for this user alone, made and copied as a whole or not at all."""

import errno
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from typing import Final

from server.private_files import sync, write_new
from server.storage.databases.connection import Connection, Pool
from server.storage.databases.database import CannotOpen
from server.storage.databases.migrations import versions
from server.storage.databases.sqlite_connection import SqliteConnection, plain
from server.storage.databases.sqlite_log import marker_of

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
    """Make a database, which is not there yet, of what is written within: all of it or none. Raises
    ``OSError``.
    """
    with _part(path, new_database()) as part, one_use(plain(part, "rw")) as connection:
        yield connection


def copy(path: Path, target: Path) -> None:
    """Write a consistent copy to ``target``, where nothing is. Raises ``CannotOpen`` or ``OSError``; then
    ``target`` is as it was.

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
