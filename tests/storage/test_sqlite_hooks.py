"""What ``sqlite_hooks`` reads of SQLite is as SQLite writes it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from server.storage.databases.sqlite_connection import SqliteConnection, durable
from server.storage.databases.sqlite_hooks import committed_bytes


@contextmanager
def index_of(path: Path) -> Iterator[int]:
    index = os.open(f"{path}-shm", os.O_RDONLY)
    try:
        yield index
    finally:
        os.close(index)


def write(connection: SqliteConnection, rows: int) -> None:
    for number in range(rows):
        connection.execute("INSERT INTO a VALUES (:it)", it=f"{number:4000}")


@pytest.mark.parametrize("page_size", [512, 4096, 65536])
def test_what_was_committed_is_as_long_as_the_log(tmp_path: Path, page_size: int) -> None:
    path = tmp_path / "it.db"
    log = path.with_name("it.db-wal")
    with closing(sqlite3.connect(path)) as made:
        made.execute(f"PRAGMA page_size={page_size}")
        made.execute("CREATE TABLE a (it TEXT)")
    with closing(durable(path, 1.0)) as connection:
        write(connection, 1)
        with index_of(path) as index:
            for _ in range(3):
                connection.execute("BEGIN IMMEDIATE")
                write(connection, 5)
                connection.execute("COMMIT")
                assert committed_bytes(index, page_size) == log.stat().st_size > 20_000


def test_what_was_refused_is_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "it.db"
    log = path.with_name("it.db-wal")
    with closing(durable(path, 1.0)) as connection:
        connection.execute("CREATE TABLE a (it TEXT)")
        before = log.stat().st_size
        connection.execute("PRAGMA cache_size=1")  # so that it writes before the commit
        connection.execute("BEGIN IMMEDIATE")
        write(connection, 50)
        connection.execute("ROLLBACK")
        with index_of(path) as index:
            assert committed_bytes(index, 4096) == before < log.stat().st_size
