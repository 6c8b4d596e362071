"""What every store promises, in memory, on a disk and on a server."""

import asyncio
import sqlite3
from contextlib import closing
from math import ceil
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from structlog.testing import capture_logs

from server import StoreError
from server.storage.databases import sqlite
from server.storage.databases.connection import Connection
from server.storage.databases.database import READERS, Database
from server.storage.databases.sqlite import BYTES as LOG_BYTES
from server.storage.databases.sqlite import NAME, SqliteConnection
from server.storage.table_store import Conflict, StoredChange, TableLog, TableStore
from tests.support.databases import (
    TIDES,
    begun,
    bid,
    database,
    finished,
    one,
    outcomes,
    sql_store,
)

pytestmark = pytest.mark.usefixtures("product")


@pytest.fixture
def store(opened: Database) -> TableStore:
    return TableStore(opened)


async def test_tables_come_back_in_the_order_of_their_creation(store: TableStore) -> None:
    keys = ["c", "a", "b"]
    for key in keys:
        await store.append(begun(key))
    await store.append(StoredChange("c", {"title": "changed"}, expected=1))
    tables = await store.load()
    assert [table.key for table in tables] == keys
    assert tables[0].row == {"title": "changed"}
    assert len(tables[0].entries) == 1


BID = StoredChange("one", None, 1, 1, [bid(0, 5)])


@pytest.mark.parametrize(
    "late",
    [
        pytest.param(BID._replace(entries=[bid(0, 7)]), id="a position that is taken"),
        pytest.param(BID._replace(expected=3), id="a position after a gap"),
        pytest.param(begun(), id="a table that there is"),
        pytest.param(BID._replace(key="two"), id="a table that there is not"),
        pytest.param(BID._replace(key="two", expected=0), id="a table without a row"),
        pytest.param(BID._replace(expected=1, finished=finished()), id="a game that is over"),
    ],
)
async def test_who_is_not_at_that_position_meets_a_conflict(
    store: TableStore, late: StoredChange
) -> None:
    await store.append(begun())
    await store.append(BID)
    before = await store.load()
    with pytest.raises(Conflict):
        await store.append(late)
    assert await store.load() == before, "nothing was touched"
    await store.append(BID._replace(expected=2, entries=[bid(1, 6)]))


async def test_of_two_at_one_position_one_is_kept(store: TableStore) -> None:
    await store.append(begun())
    bids = [BID._replace(entries=[bid(0, card)]) for card in range(1, 9)]
    answers = await outcomes(*(store.append(change) for change in bids))
    assert [type(answer) for answer in answers].count(Conflict) == len(bids) - 1
    (kept,) = (it for it, answer in zip(bids, answers, strict=True) if answer is None)
    assert [list(entry) for entry in (await one(store)).entries] == [TIDES, *kept.entries]


async def test_a_game_stays_until_the_next_one_is_over(store: TableStore) -> None:
    await store.append(begun())
    await store.append(BID)
    again = StoredChange("one", {"number": 2}, 2, 2, [TIDES])
    await store.append(again)
    kept = await one(store)
    assert (kept.game, [list(entry) for entry in kept.entries]) == (2, [TIDES])
    left = "SELECT DISTINCT game FROM entries ORDER BY game"
    assert await store.database.read(lambda connection: connection.scalars(left)) == [1, 2]
    await store.append(StoredChange("one", None, 2, 3, [bid(0, 5)], finished=finished()))
    assert await store.database.read(lambda connection: connection.scalars(left)) == [2]


async def test_the_log_of_a_table_finds_its_place_by_itself(store: TableStore) -> None:
    log = TableLog(store, "one")
    await log.append(StoredChange("one", {"title": "one"}))
    await log.append(StoredChange("one", None, 1, entries=[TIDES, bid(0, 5)]))
    (kept,) = await store.load()
    again = TableLog(store, "one", kept.position)
    await again.append(StoredChange("one", None, 1, entries=[bid(1, 6)]))
    with pytest.raises(Conflict):
        await log.append(StoredChange("one", None, 1, entries=[bid(1, 7)]))
    await again.drop()
    assert not await store.load()


async def test_a_dropped_table_is_gone_and_the_others_stay(store: TableStore) -> None:
    await store.append(begun("one"))
    await store.append(begun("two"))
    await store.drop("one")
    assert [table.key for table in await store.load()] == ["two"]
    await store.drop("one")
    await store.append(StoredChange("one", {"title": "again"}))
    again = await one(store)
    assert (again.game, again.entries) == (0, ())


async def test_what_is_no_plain_data_is_refused_and_harms_nobody(store: TableStore) -> None:
    with pytest.raises(TypeError):
        await store.append(StoredChange("one", {"title": object()}))
    with pytest.raises(ValueError, match="JSON"):
        await store.append(StoredChange("one", {"title": float("nan")}))
    await store.append(begun())
    assert len(await store.load()) == 1


async def test_everything_is_there_after_opening_again(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        await store.append(begun("one"))
        await store.append(begun("two"))
        before = await store.load()
    async with sql_store(tmp_path) as store:
        assert await store.load() == before
        await store.append(begun("three"))
        assert [table.key for table in await store.load()] == ["one", "two", "three"]


async def records(store: TableStore) -> list[Any]:
    def rows(connection: Any) -> list[Any]:
        found = connection.execute(
            "SELECT id, origin, seat, player FROM records JOIN record_seats ON id = record_id "
            "ORDER BY id, seat"
        )
        return [tuple(row) for row in found]

    return await store.database.read(rows)


async def test_a_finished_game_is_kept_once(store: TableStore) -> None:
    for game, expected in ((1, 0), (1, 1), (2, 2)):
        over = begun(game=game)._replace(finished=finished(), expected=expected)
        await store.append(over)
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
        await asyncio.gather(*(store.append(begun(key)) for key in keys))
        assert store.database.groups.total == len(keys)
        # All asked before the first commit could begin; the loop needs at most a few.
        assert store.database.groups.count <= 2 + ceil(len(keys) / store.database.backend.most)
        assert len(await store.load()) == len(keys)


async def test_changes_of_a_table_keep_their_order(store: TableStore) -> None:
    await asyncio.gather(
        *(
            store.append(StoredChange(key, {"title": key}, 1, number, [bid(number, number)]))
            for number in range(30)
            for key in ("one", "two")
        )
    )
    for table in await store.load():
        assert [list(entry) for entry in table.entries] == [bid(n, n) for n in range(30)]


async def test_who_stops_waiting_loses_nothing(tmp_path: Path) -> None:
    async with sql_store(tmp_path) as store:
        asked = asyncio.create_task(store.append(begun()))
        await asyncio.sleep(0)
        asked.cancel()
        await store.append(begun("two"))
        assert [table.key for table in await store.load()] == ["one", "two"]


@pytest.mark.parametrize("product", ["sqlite"], indirect=True)
async def test_all_connections_there_will_be_are_there_from_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sql_store(tmp_path) as store:
        opened = list[object]()
        connect = sqlite.durable

        def another(path: Path) -> SqliteConnection:
            opened.append(path)
            return connect(path)

        monkeypatch.setattr(sqlite, "durable", another)
        together = Barrier(READERS)

        def read(connection: Connection) -> None:
            connection.execute("SELECT 1")
            together.wait(30)

        await asyncio.gather(
            store.append(begun()), *(store.database.read(read) for _ in range(READERS))
        )
        assert not opened


async def test_an_unexpected_error_does_not_tell_what_was_to_be_written(
    opened: Database, tmp_path: Path
) -> None:
    in_the_way = "INSERT INTO entries VALUES ('one', 1, 1, '[]')"
    async with database(tmp_path) as other:
        for one_of in (opened, other):
            store = TableStore(one_of)
            await store.append(begun())
            await one_of.change(lambda connection: connection.execute(in_the_way))
            with capture_logs() as lines, pytest.raises(StoreError) as caught:
                await store.append(StoredChange("one", None, 1, 1, [bid(2, 4711)]))
            assert [line["event"] for line in lines] == ["storage_job_failed"]
            assert "entries" in lines[0]["cause"]
            assert "4711" not in f"{lines} {caught.value} {caught.value.__cause__}"


@pytest.mark.parametrize("product", ["sqlite"], indirect=True)
async def test_the_log_that_grew_while_somebody_read_is_cut_again(tmp_path: Path) -> None:
    file = tmp_path / NAME
    log = file.with_name(f"{NAME}-wal")
    fill = (
        "INSERT INTO audit (made, who, name, action, about, details, outcome)"
        " VALUES (0, '', '', '', '', :it, '')"
    )
    async with database(tmp_path) as opened:

        async def write(it: str) -> None:
            await opened.change(lambda connection: connection.execute(fill, {"it": it}).rowcount)

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
        await store.append(StoredChange("7f3a", {}, code="kadubilo"))
        await store.append(StoredChange("7f3a", {}, expected=1, code="kadubilo"))
        await store.drop("7f3a")
    async with sql_store(tmp_path) as store:
        assert await store.is_given("kadubilo")
        assert not await store.is_given("bolidaku")


async def test_a_table_that_is_no_json_stays_and_the_others_go_on(store: TableStore) -> None:
    for key in ("row", "entry", "sound"):
        await store.append(begun(key))

    def spoil(connection: Connection) -> None:
        connection.execute("UPDATE tables SET content = '{' WHERE key = 'row'")
        connection.execute("UPDATE entries SET content = ']' WHERE table_key = 'entry'")

    await store.database.change(spoil)
    with capture_logs() as lines:
        assert [table.key for table in await store.load()] == ["sound"]
    assert [(line["event"], line["key"]) for line in lines] == [
        ("table_unreadable", "row"),
        ("table_unreadable", "entry"),
    ]
    count = "SELECT COUNT(*) FROM tables"
    assert await store.database.read(lambda it: it.scalar(count)) == 3
