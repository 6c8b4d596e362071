"""What a bid costs: each statement, and one sync (docs/storage.md)."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from server.storage.databases.connection import Connection
from server.storage.table_store import StoredChange, TableStore
from tests.support.databases import begun, bid, opened, outcomes, sql_store
from tests.support.postgres import needed, shared_server

BID = StoredChange("one", None, 1, 1, [bid(0, 5)])


def first_words(statements: list[str]) -> list[str]:
    return [" ".join(it.split()[:3]) for it in statements]


async def test_on_sqlite(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        await store.append(begun())
        await store.append(begun("two"))
        said: list[str] = []
        with store.database.backend.writer.idle() as connection:
            driver: sqlite3.Connection = connection.driver  # type: ignore[attr-defined]
        driver.set_trace_callback(said.append)
        await store.append(BID)
        alone = ["UPDATE positions SET", "INSERT INTO entries"]
        assert first_words(said) == ["BEGIN IMMEDIATE", *alone, "COMMIT"]
        said.clear()
        writes = store.database.groups.count
        await outcomes(
            store.append(BID._replace(expected=2)),
            *(store.append(BID._replace(key="two", expected=it)) for it in (1, 2)),
        )
        assert store.database.groups.count - writes <= 2
        together = ["SAVEPOINT work", *alone, "RELEASE SAVEPOINT work"]
        assert first_words(said)[-9:] == [*together, *together, "COMMIT"]


async def test_on_postgresql() -> None:
    needed()
    from server.storage.databases.postgres import PostgresConnection

    said: list[str] = []
    execute: Callable[..., Any] = PostgresConnection.execute

    def noted(self: Connection, sql: str, *values: Any, **more: Any) -> Any:
        said.append(sql)
        return execute(self, sql, *values, **more)

    async with opened(shared_server().database(), serves=True) as database:
        store = TableStore(database)
        await store.append(begun())
        with patch.object(PostgresConnection, "execute", noted):
            await store.append(BID)
    assert first_words(said) == [
        "BEGIN ISOLATION LEVEL",
        "UPDATE positions SET",
        "INSERT INTO entries",
        "UPDATE numbers SET",
        "COMMIT",
    ]
