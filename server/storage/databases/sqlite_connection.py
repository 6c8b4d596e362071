"""Connections to a database of SQLite."""

import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final

from typing_extensions import override

from server.storage.databases import sqlite_log
from server.storage.databases.connection import PARAMETER, Connection, Cursor, Values, row_of

BUSY_SECONDS: Final = 5.0
"""How long to wait for another program that holds the file."""


class SqliteConnection(Connection):
    """A connection of Python's ``sqlite3``, which begins no transactions by itself. It gives the interpreter
    away, and may have to wait to have it back, five times for a statement, once more for each parameter that
    has a name, and only once in ``executescript`` and ``commit``.
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
        nameless, names = _without_names(sql)
        given = {**(values or {}), **more}
        return self.driver.execute(nameless, tuple(map(given.__getitem__, names)))

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


@lru_cache(512)
def _without_names(sql: str) -> tuple[str, list[str]]:
    """Return the statement with a ``?`` for each parameter, and their names."""
    return PARAMETER.sub("?", sql), PARAMETER.findall(sql)


def durable(path: Path, busy_seconds: float) -> SqliteConnection:
    """Connect to a file, durably to the last commit."""
    driver = sqlite3.connect(path, timeout=busy_seconds, check_same_thread=False)
    try:
        made = SqliteConnection(driver)
        if made.scalar("PRAGMA journal_mode=WAL") != "wal":
            raise sqlite3.OperationalError("this file system allows no write-ahead log")
        made.execute("PRAGMA synchronous=FULL")
        made.execute(f"PRAGMA journal_size_limit={sqlite_log.BYTES}")
    except BaseException:
        driver.close()
        raise
    return made


def plain(path: Path, mode: str, busy_seconds: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Connect to a file as it is, without a server's settings; ``mode`` is ``ro`` or ``rw``."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=busy_seconds)
