"""An error in COMMIT itself, before and after it took effect: nobody is told what is not so."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from server.storage.databases.connection import Connection
from server.storage.databases.database import UNKNOWN
from server.storage.databases.sqlite_connection import SqliteConnection
from server.storage.store import StoredChange, StoreError
from server.storage.tables import TableStore
from tests.support.databases import (
    begun,
    bid,
    losing,
    nobody_is_told,
    one,
    opened,
    outcomes,
    sql_store,
)
from tests.support.postgres import PostgresServer, needed, shared_server

SECOND = StoredChange("one", None, 1, 1, [bid(0, 5)])


@contextmanager
def failing(
    connection: type[Connection], fail: Callable[[Any], None], *, after: bool
) -> Iterator[None]:
    """Have the next COMMIT fail, before or after it takes effect."""
    commit, bad = connection.commit, [True]

    def broken(self: Any) -> None:
        if not (bad and bad.pop()):
            commit(self)
            return
        if after:
            commit(self)
        fail(self)

    with patch.object(connection, "commit", broken):
        yield


def disk(code: int) -> Callable[[Any], None]:
    def fail(_: Any) -> None:
        error = sqlite3.OperationalError("made by the test")
        error.sqlite_errorcode = code
        raise error

    return fail


async def test_what_a_full_disk_refuses_in_commit_may_be_asked_for_again(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        await store.append(begun())
        with failing(SqliteConnection, disk(sqlite3.SQLITE_FULL), after=False):
            with pytest.raises(StoreError, match="full"):
                await store.append(SECOND)
            assert store.database.trouble == "full"
            await store.append(SECOND)
        assert store.database.trouble == ""
    async with sql_store(tmp_path) as store:
        assert len((await one(store)).entries) == 2


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize(
    "code",
    [
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
        sqlite3.SQLITE_NOMEM,
    ],
)
async def test_any_other_error_of_sqlite_ends_the_process(
    tmp_path: Path, code: int, after: bool
) -> None:
    async with sql_store(tmp_path) as store:
        await store.append(begun())
        lost = losing(store.database)
        with failing(SqliteConnection, disk(code), after=after):
            asked = [asyncio.ensure_future(store.append(it)) for it in (SECOND, begun("two"))]
            problem = await lost
            assert problem.status == UNKNOWN
            assert "start the server again" in str(problem)
            await nobody_is_told(*asked, store.append(begun("three")), store.load())
    async with sql_store(tmp_path) as store:
        found = {table.key: len(table.entries) for table in await store.load()}
        assert found == ({"one": 2, "two": 1} if after else {"one": 1})


# ---------------------------------------------------------------- PostgreSQL


def break_off(connection: Any) -> None:
    """The answer is lost with the connection."""
    import psycopg

    connection.driver.close()
    raise psycopg.OperationalError("server closed the connection unexpectedly")


@pytest.mark.parametrize("after", [False, True])
async def test_postgresql_is_asked_what_has_become_of_a_commit(after: bool) -> None:
    needed()
    from server.storage.databases.postgres import PostgresConnection

    async with opened(shared_server().database(), serves=True) as database:
        store = TableStore(database)
        await store.append(begun())
        with failing(PostgresConnection, break_off, after=after):
            told = await outcomes(store.append(SECOND), store.append(begun("two")))
        assert [type(it) for it in told] == [type(None) if after else StoreError] * 2
        assert {table.key for table in await store.load()} == ({"one", "two"} if after else {"one"})
        await store.append(SECOND._replace(expected=2) if after else SECOND)
        assert database.trouble == ""


@pytest.mark.parametrize("after", [False, True])
async def test_postgresql_is_asked_when_it_is_back(after: bool) -> None:
    needed()
    from server.storage.databases.postgres import PostgresConnection

    server = PostgresServer()
    loop = asyncio.get_running_loop()
    down = asyncio.Event()

    def restart(connection: Any) -> None:
        server.stop()
        loop.call_soon_threadsafe(down.set)
        break_off(connection)

    try:
        async with opened(server.database(), serves=True) as database:
            store = TableStore(database)
            await store.append(begun())
            with failing(PostgresConnection, restart, after=after):
                asked = asyncio.ensure_future(store.append(SECOND))
                await down.wait()
                assert not asked.done(), "nobody can know yet"
                await asyncio.to_thread(server.start)
                (told,) = await outcomes(asked)
            assert isinstance(told, type(None) if after else StoreError)
            assert len((await one(store)).entries) == (2 if after else 1)
    finally:
        server.stop_for_good()


async def test_what_postgresql_does_not_tell_in_time_ends_the_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    needed()
    from server.storage.databases import postgres

    monkeypatch.setattr(postgres, "ASK_SECONDS", 0.0)
    async with opened(shared_server().database(), serves=True) as database:
        store, lost = TableStore(database), losing(database)
        await store.append(begun())
        with failing(postgres.PostgresConnection, break_off, after=True):
            asked = asyncio.ensure_future(store.append(SECOND))
            assert (await lost).status == UNKNOWN
            await nobody_is_told(asked, store.load())
