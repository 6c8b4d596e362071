"""What every store promises, in memory and on a disk."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import Connection, event, text

from server.storage.database import READERS
from server.storage.sql import SqlStore
from server.storage.sqlite import LOG_BYTES, NAME
from server.storage.store import MemoryStore, Store, StoredChange
from tests.support.databases import TIDES, begun, bid, database, finished, one, sql_store


@pytest.fixture(params=["memory", "sql"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    if request.param == "memory":
        yield MemoryStore()
        return
    async with sql_store(tmp_path) as opened:
        yield opened


async def test_an_empty_store_has_no_tables(store: Store) -> None:
    assert list(await store.load()) == []


async def test_a_table_comes_back_with_its_actions_in_order(store: Store) -> None:
    await store.write(begun())
    for number, seat in enumerate((2, 0, 1), 1):
        await store.write(StoredChange("one", None, 1, number, [bid(seat, 10 + seat)]))
    kept = await one(store)
    assert kept.row == {"title": "one", "number": 1}
    assert kept.game == 1
    assert [list(entry) for entry in kept.entries] == [TIDES, bid(2, 12), bid(0, 10), bid(1, 11)]


async def test_tables_come_back_in_the_order_of_their_creation(store: Store) -> None:
    keys = ["c", "a", "b"]
    for key in keys:
        await store.write(begun(key))
    await store.write(StoredChange("c", {"title": "changed"}))
    tables = await store.load()
    assert [table.key for table in tables] == keys
    assert tables[0].row == {"title": "changed"}
    assert len(tables[0].entries) == 1


async def test_a_row_alone_has_no_game(store: Store) -> None:
    await store.write(StoredChange("one", {"title": "empty"}))
    kept = await one(store)
    assert (kept.game, kept.entries) == (0, ())


async def test_a_second_try_replaces_what_the_first_may_have_left(store: Store) -> None:
    await store.write(begun())
    await store.write(StoredChange("one", None, 1, 1, [bid(0, 5), bid(1, 6), TIDES]))
    await store.write(StoredChange("one", None, 1, 1, [bid(0, 7)]))
    kept = await one(store)
    assert [list(entry) for entry in kept.entries] == [TIDES, bid(0, 7)]


async def test_a_new_game_ends_the_keeping_of_the_one_before(store: Store) -> None:
    await store.write(begun())
    await store.write(StoredChange("one", None, 1, 1, [bid(0, 5)]))
    await store.write(begun(game=2))
    kept = await one(store)
    assert kept.game == 2
    assert [list(entry) for entry in kept.entries] == [TIDES]


async def test_a_dropped_table_is_gone_and_the_others_stay(store: Store) -> None:
    await store.write(begun("one"))
    await store.write(begun("two"))
    await store.drop("one")
    assert [table.key for table in await store.load()] == ["two"]
    await store.drop("one")


async def test_a_table_of_the_same_key_starts_empty_after_a_drop(store: Store) -> None:
    await store.write(begun())
    await store.drop("one")
    await store.write(StoredChange("one", {"title": "again"}))
    assert (await one(store)).entries == ()


async def test_what_is_no_plain_data_is_refused_and_harms_nobody(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        with pytest.raises(TypeError):
            await store.write(StoredChange("one", {"title": object()}))
        with pytest.raises(ValueError, match="JSON"):
            await store.write(StoredChange("one", {"title": float("nan")}))
        await store.write(begun())
        assert len(await store.load()) == 1


async def test_everything_is_there_after_opening_again(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        await store.write(begun("one"))
        await store.write(begun("two"))
        before = await store.load()
    async with sql_store(tmp_path) as store:
        assert await store.load() == before
        await store.write(begun("three"))
        assert [table.key for table in await store.load()] == ["one", "two", "three"]


async def records(store: SqlStore) -> list[Any]:
    def rows(connection: Any) -> list[Any]:
        found = connection.execute(
            text(
                "SELECT id, origin, seat, player FROM records JOIN record_seats ON id = record_id "
                "ORDER BY id, seat"
            )
        )
        return [tuple(row) for row in found]

    return await store.database.read(rows)


async def test_a_finished_game_is_kept_once(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        await store.write(begun()._replace(finished=finished()))
        await store.write(begun()._replace(finished=finished()))
        await store.write(begun(game=2)._replace(finished=finished()))
        await store.drop("one")
        assert await records(store) == [
            (1, "one-1", 0, "id-a"),
            (1, "one-1", 1, ""),
            (2, "one-2", 0, "id-a"),
            (2, "one-2", 1, ""),
        ]


async def test_what_is_written_together_shares_a_commit(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        keys = [f"table {number}" for number in range(200)]
        await asyncio.gather(*(store.write(begun(key)) for key in keys))
        assert store.database.jobs == len(keys)
        # All asked before the first commit could begin; the loop needs at most a few.
        assert store.database.commits <= 3
        assert len(await store.load()) == len(keys)


async def test_steps_of_a_lane_keep_their_order_between_calls(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        await asyncio.gather(
            *(
                store.write(StoredChange(key, {"title": key}, 1, number, [bid(number, number)]))
                for number in range(30)
                for key in ("one", "two")
            )
        )
        for table in await store.load():
            assert [list(entry) for entry in table.entries] == [bid(n, n) for n in range(30)]


async def test_who_stops_waiting_loses_nothing(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        asked = asyncio.create_task(store.write(begun()))
        await asyncio.sleep(0)
        asked.cancel()
        await store.write(begun("two"))
        assert [table.key for table in await store.load()] == ["one", "two"]


async def test_all_connections_there_will_be_are_there_from_the_start(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        opened: list[object] = []
        event.listen(store.database.backend.engine, "connect", lambda *_: opened.append(1))
        together = Barrier(READERS)

        def read(connection: Connection) -> None:
            connection.execute(text("SELECT 1"))
            together.wait(30)

        await asyncio.gather(
            store.write(begun()), *(store.database.read(read) for _ in range(READERS))
        )
        assert not opened


async def test_the_log_that_grew_while_somebody_read_is_cut_again(tmp_path: Path) -> None:
    file = tmp_path / NAME
    log = file.with_name(f"{NAME}-wal")
    fill = (
        "INSERT INTO audit (made, who, name, action, about, details, outcome)"
        " VALUES (0, '', '', '', '', :it, '')"
    )
    async with database(tmp_path) as opened:

        async def write(it: str) -> None:
            await opened.change(
                lambda connection: connection.execute(text(fill), {"it": it}).rowcount
            )

        with closing(sqlite3.connect(file)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT COUNT(*) FROM tables").fetchone()
            await write("x" * (LOG_BYTES + 1_000_000))
        assert log.stat().st_size > LOG_BYTES
        for _ in range(2):  # one to put it all into the database, one to begin anew
            await write("x")
        assert log.stat().st_size <= LOG_BYTES


async def test_a_code_that_was_given_stays_so_when_its_table_is_dropped(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        await store.write(StoredChange("7f3a", {}, code="kadubilo"))
        await store.write(StoredChange("7f3a", {}, code="kadubilo"))
        await store.drop("7f3a")
    async with sql_store(tmp_path) as store:
        assert await store.is_given("kadubilo")
        assert not await store.is_given("bolidaku")
