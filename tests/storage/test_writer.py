"""The thread that writes: what it does by itself, and what comes just when it stops."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event
from unittest.mock import patch

import pytest

from server import StoreError
from server.storage.databases.connection import Connection
from server.storage.databases.database import Database
from server.storage.databases.sqlite import NAME
from tests.support.databases import database, insert
from tests.support.patience import PATIENCE


def on_the_disk(folder: Path) -> list[str]:
    """What another program sees."""
    with closing(sqlite3.connect(folder / NAME)) as other:
        return [key for (key,) in other.execute("SELECT key FROM tables ORDER BY key")]


def stand_still(opened: Database) -> None:
    """Keep the event loop busy until the writer has no more to do."""
    opened._writing.submit(lambda: None).result(PATIENCE)


async def test_the_next_transaction_does_not_wait_for_a_busy_event_loop(tmp_path: Path) -> None:
    reached, goes_on = Event(), Event()

    def slow(_connection: Connection) -> None:
        reached.set()
        assert goes_on.wait(PATIENCE)

    async with database(tmp_path) as opened:
        first = asyncio.create_task(opened.change(slow))
        assert await asyncio.to_thread(reached.wait, PATIENCE)
        others = [asyncio.create_task(opened.change(insert(key))) for key in ("a", "b")]
        await asyncio.sleep(0)
        goes_on.set()
        stand_still(opened)
        assert on_the_disk(tmp_path) == ["a", "b"]
        assert not any(task.done() for task in (first, *others)), "nobody has been told yet"
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(first, *others)
        assert (opened.groups.count, opened.groups.total) == (2, 3)


async def comes_late(opened: Database) -> None:
    """Write something when the writer has stopped, and the event loop has not heard of it."""
    stand_still(opened)
    assert opened._drained
    await opened.change(insert("b"))


async def test_what_comes_when_the_writer_has_just_stopped_is_written(tmp_path: Path) -> None:
    async with database(tmp_path) as opened, asyncio.timeout(PATIENCE):
        await asyncio.gather(opened.change(insert("a")), comes_late(opened))
        assert on_the_disk(tmp_path) == ["a", "b"]


async def test_a_mistake_in_telling_somebody_does_not_end_the_writing(tmp_path: Path) -> None:
    failed = asyncio.Event()
    asyncio.get_running_loop().set_exception_handler(lambda _, told: failed.set())
    async with database(tmp_path) as opened, asyncio.timeout(PATIENCE):
        with patch.object(opened, "_note", side_effect=RuntimeError("a mistake of ours")):
            untold = asyncio.create_task(opened.change(insert("a")))
            await failed.wait()
        await opened.change(insert("b"))
        untold.cancel()
    assert on_the_disk(tmp_path) == ["a", "b"]


async def test_closing_waits_for_what_came_when_the_writer_had_just_stopped(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(opened.change(insert("a")), comes_late(opened), opened.close())
        with pytest.raises(StoreError):
            await opened.change(insert("c"))
    assert on_the_disk(tmp_path) == ["a", "b"]


async def test_what_was_rolled_back_by_itself_is_not_taken_for_written(tmp_path: Path) -> None:
    def work(connection: Connection) -> None:
        insert("lost")(connection)
        # As SQLite does by itself on a full disk; here somebody overlooks that.
        connection.execute("ROLLBACK")

    async with database(tmp_path) as opened:
        with pytest.raises(StoreError):
            await opened.change(work)
        assert on_the_disk(tmp_path) == []


async def test_a_transaction_within_another_one_writes_no_half_of_it(tmp_path: Path) -> None:
    def work(connection: Connection) -> None:
        insert("half")(connection)
        connection.begin("BEGIN IMMEDIATE")

    async with database(tmp_path) as opened:
        with pytest.raises(StoreError):
            await opened.change(work)
        assert on_the_disk(tmp_path) == []


async def test_a_parameter_may_stand_in_several_places(tmp_path: Path) -> None:
    sql = "SELECT :b || :a WHERE :a = :a AND :b <> :a"
    async with database(tmp_path) as opened:
        found = await opened.read(lambda at: at.scalar(sql, {"a": "x", "c": 0}, b="y"))
        assert found == "yx"
