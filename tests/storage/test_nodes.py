"""Leases and owners: what keeps two nodes from both having a table."""

import asyncio
import time
from pathlib import Path

import pytest

from server.storage.events import EventStore
from server.storage.nodes import TOURNAMENTS, NodeStore
from server.storage.store import Charge, Conflict, StoredChange
from server.storage.tables import TableStore
from server.storage.tournaments import StoredTournament, TournamentStore
from tests.support.databases import begun, bid, database, restored

OLD = Path(__file__).parent / "old" / "version13_sqlite.sql"

END = "end_node", "{}"
"""Kind and content of an order."""

OVER, HOLDS = -1.0, 60.0
"""Seconds of a lease that is over, and of one that holds for as long as a test."""


async def test_each_database_is_a_house_of_its_own_and_stays_it(tmp_path: Path) -> None:
    ids: list[str] = []
    for name in ("old", "new", "old"):
        (tmp_path / name).mkdir(exist_ok=True)
        if name == "old" and not ids:
            restored(OLD, tmp_path / name)
        async with database(tmp_path / name) as opened:
            ids.append(await NodeStore(opened).house())
    assert ids[0] == ids[2] != ids[1]
    assert all(it.isalnum() for it in ids)


async def test_the_database_knows_the_time(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        before = time.time()
        asked = await NodeStore(opened).time()
        assert before - 0.001 <= asked <= time.time(), "SQLite rounds to milliseconds"


async def test_a_name_is_one_nodes_until_its_lease_is_over(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        nodes = NodeStore(opened)
        assert await nodes.join("a1", "a", HOLDS)
        assert not await nodes.join("a2", "a", HOLDS)
        await nodes.renew("a1", OVER, bus=True)
        assert await nodes.join("a2", "a", HOLDS)
        assert [(node.id, node.name) for node in await nodes.nodes()] == [("a2", "a")]


async def test_a_lease_that_is_over_is_renewed_as_long_as_nobody_has_claimed(
    tmp_path: Path,
) -> None:
    async with database(tmp_path) as opened:
        nodes = NodeStore(opened)
        await nodes.join("a1", "a", OVER)
        await nodes.join("b1", "b", HOLDS)
        rows = await nodes.renew("a1", HOLDS, bus=False)
        assert rows is not None
        assert [(row.name, row.bus, row.left > 0) for row in rows] == [
            ("a", False, True),
            ("b", True, True),
        ]
        await nodes.renew("a1", OVER, bus=True)
        assert await nodes.claim("b1") == [TOURNAMENTS]
        assert await nodes.renew("a1", HOLDS, bus=True) is None


async def test_a_lease_that_another_clock_has_dated_ahead_is_over(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        nodes, store = NodeStore(opened), TableStore(opened)
        await nodes.join("a1", "a", 3600.0)
        store.node = "a1"
        await store.append(begun("one"))
        assert [row.left for row in await nodes.nodes()] == [0.0]
        assert await nodes.join("b1", "b", HOLDS)
        assert set(await nodes.claim("b1")) == {"one", TOURNAMENTS}
        assert [row.name for row in await nodes.nodes()] == ["b"]


async def test_tables_of_a_node_that_is_gone_are_claimed_with_a_new_epoch(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        nodes, store = NodeStore(opened), TableStore(opened)
        await nodes.join("a1", "a", HOLDS)
        await nodes.join("b1", "b", HOLDS)
        store.node = "a1"
        await store.append(begun("one"))
        store.node = "b1"
        await store.append(begun("two"))
        # Also those that it has, whether or not it has heard so.
        assert set(await nodes.claim("b1")) == {TOURNAMENTS, "two"}
        assert [(row.name, row.tables) for row in await nodes.nodes()] == [("a", 1), ("b", 1)]

        await nodes.leave("a1")
        assert set(await nodes.claim("b1")) == {TOURNAMENTS, "one", "two"}
        (kept,) = await store.load(["one"])
        assert (kept.key, kept.epoch) == ("one", 2)
        # Who was paused meanwhile writes nothing.
        with pytest.raises(Conflict):
            await store.append(StoredChange("one", None, 1, 1, [bid(0, 3)]))
        await store.append(StoredChange("one", None, 1, 1, [bid(0, 3)], epoch=2))
        assert [table.key for table in await store.load()] == ["one", "two"]
        assert [table.key for table in await store.load(["two", "three"])] == ["two"]


async def test_nobody_claims_without_a_lease(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        nodes, store = NodeStore(opened), TableStore(opened)
        store.node = "gone"
        await store.append(begun("one"))
        assert await nodes.claim("b1") == ()


async def test_a_table_is_handed_over_once(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        nodes, store = NodeStore(opened), TableStore(opened)
        await nodes.join("a1", "a", HOLDS)
        await nodes.join("b1", "b", HOLDS)
        store.node = "a1"
        await store.append(begun("one"))
        assert not await nodes.hand_over("one", 1, "nobody")
        assert await nodes.hand_over("one", 1, "b1")
        assert not await nodes.hand_over("one", 1, "b1")
        with pytest.raises(Conflict):
            await store.append(StoredChange("one", None, 1, 1, [bid(0, 3)]))
        assert [(row.name, row.tables) for row in await nodes.nodes()] == [("a", 0), ("b", 1)]


async def test_tournaments_and_their_tables_are_written_by_the_node_in_charge_alone(
    tmp_path: Path,
) -> None:
    async with database(tmp_path) as opened:
        nodes, store, kept = NodeStore(opened), TableStore(opened), TournamentStore(opened)
        await nodes.join("a1", "a", HOLDS)
        await nodes.join("b1", "b", HOLDS)
        assert await nodes.owns("a1", TOURNAMENTS) == 0
        assert await nodes.claim("a1") == [TOURNAMENTS]
        assert await nodes.claim("b1") == []
        assert await nodes.owns("a1", TOURNAMENTS) == 1
        first, second = Charge(TOURNAMENTS, 1), Charge(TOURNAMENTS, 2)
        cup = StoredTournament("cup", 1.0, 0.0, {"round": 1})
        await kept.keep(cup, first)
        await store.append(begun("tournament/cup/1/1/x")._replace(charge=first))
        assert await nodes.hand_over(TOURNAMENTS, 1, "b1")
        # Who was stopped meanwhile writes nothing.
        with pytest.raises(Conflict):
            await kept.keep(cup._replace(state={"round": 2}), first)
        with pytest.raises(Conflict):
            await store.append(begun("tournament/cup/1/2/x")._replace(charge=first))
        assert await kept.find("cup") == cup
        assert await EventStore(opened).tables("tournament/cup/1") == ["tournament/cup/1/1/x"]
        await kept.keep(cup._replace(state={"round": 2}), second)
        await store.append(begun("tournament/cup/10/1/x")._replace(charge=second))
        assert await EventStore(opened).tables("tournament/cup/1") == ["tournament/cup/1/1/x"]
        # A table that has been opened is its owner's.
        await store.append(StoredChange("tournament/cup/1/1/x", None, 1, 1, [bid(0, 3)]))
        await nodes.leave("b1")
        assert TOURNAMENTS in await nodes.claim("a1")
        assert await nodes.owns("a1", TOURNAMENTS) == 3


async def test_of_two_nodes_that_are_drained_at_once_one_goes_on(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        nodes = NodeStore(opened)
        await nodes.join("a1", "a", HOLDS)
        assert not await nodes.drain("a1", *END)
        await nodes.join("b1", "b", HOLDS)
        await nodes.join("c1", "c", OVER)
        drained = asyncio.gather(nodes.drain("a1", *END), nodes.drain("b1", *END))
        assert sorted(await drained) == [False, True]
        assert len(await nodes.orders(0)) == 1


async def test_orders_are_read_in_the_order_in_which_they_were_given(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        nodes = NodeStore(opened)
        await nodes.join("a1", "a", HOLDS)
        first = await nodes.order("drain", "{}")
        numbers = await asyncio.gather(*(nodes.order("announce", str(it)) for it in range(20)))
        orders = await nodes.orders(first)
        assert [int(order.content) for order in orders] == sorted(
            range(20), key=lambda it: numbers[it]
        )
        assert [order.number for order in orders] == sorted(numbers)
        # What was carried out an hour ago goes, but for the last word about new games.
        second = await nodes.order("undrain", "{}")
        # Nobody wants to hear in half an hour what is announced now.
        await opened.change(lambda it: it.execute("UPDATE orders SET at = at - 61"))
        assert [order.kind for order in await nodes.orders(0)] == ["drain", "undrain"]
        await opened.change(lambda it: it.execute("UPDATE orders SET at = at - 4000"))
        last = await nodes.order("announce", "")
        assert [order.number for order in await nodes.orders(0)] == [second, last]


async def test_what_was_ordered_of_nodes_that_are_all_gone_is_ordered_of_no_others(
    tmp_path: Path,
) -> None:
    async with database(tmp_path) as opened:
        nodes = NodeStore(opened)
        await nodes.join("a1", "a", HOLDS)
        before = await nodes.order("drain", "{}")
        await nodes.join("b1", "b", HOLDS)
        assert await nodes.orders(0)
        for id_ in ("a1", "b1"):
            await nodes.leave(id_)
        await nodes.join("a2", "a", HOLDS)
        assert not await nodes.orders(0)
        assert await nodes.order("drain", "{}") > before


async def test_all_nodes_of_a_database_have_one_key(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        nodes = NodeStore(opened)
        await nodes.house()
        key = await nodes.bus_key()
        assert len(key) == 32
        assert await nodes.bus_key() == key
