"""What people see while their node is cut off from the database."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest

from server.coordinator import messages as m
from server.coordinator.messages import (
    AddBot,
    CreateTable,
    JoinTable,
    QuickGame,
    StartGame,
    Trouble,
    TroubleOver,
)
from server.coordinator.table.steps import MOVING, Close
from server.storage.nodes import NodeStore
from server.storage.store import StoredChange, StoreError
from tests.support import faulty_nodes
from tests.support.nodes import House, TestNode, house
from tests.support.tables import UNTIMED, Guest


async def test_who_plays_while_the_database_is_away_is_told_and_the_bid_counts_afterwards() -> None:
    async with house() as here:
        rng = random.Random(1)
        with faulty_nodes.fake_time(here.clock, here.store, rng):
            a = await faulty_nodes.start(here, "a", rng)
            ada = a.guest("ada")
            await ada.ok(QuickGame(UNTIMED))
            await here.clock.advance(5.0)
            a.database.cut = True
            await here.clock.advance(4.0)
            assert [each.code for each in ada.heard(Trouble)] == ["storage"]
            bid = asyncio.create_task(ada.bid())
            await here.clock.advance(20.0)
            assert not bid.done()
            assert not ada.heard(TroubleOver)
            a.database.cut = False
            await here.clock.advance(3.0)
            assert (await bid).ok
            assert len(ada.heard(TroubleOver)) == 1
            assert a.lobby.shared.tally.leases_lost == 0


async def test_a_table_that_closed_while_the_database_was_away_does_not_come_back() -> None:
    async with house() as here:
        rng = random.Random(1)
        with faulty_nodes.fake_time(here.clock, here.store, rng):
            a = await faulty_nodes.start(here, "a", rng)
            b = await faulty_nodes.start(here, "b", rng)
            ada, bo = a.guest("ada"), b.guest("bo")
            await ada.ok(CreateTable(UNTIMED))
            await here.clock.advance(1.0)
            code = ada.info.id
            await bo.ok(JoinTable(code))
            await here.clock.advance(4.0)
            a.database.cut = a.database.dead = True
            assert (await a.lobby.order(code, Close("closed"))).ok
            await here.clock.advance(1.0)
            assert len(here.store.rows) == 1
            a.database.cut = a.database.dead = False
            a.node.membership.look_again()
            await here.clock.advance(4.0)
            assert not here.store.rows
            assert not a.lobby.forgetting
            assert (ada.last.table, bo.last.table) == (None, None)
            assert code not in a.lobby.listings
            assert code not in b.lobby.listings


async def test_a_table_whose_node_ends_is_not_gone() -> None:
    async with house("a", "b") as here:
        ada, bo = here.nodes["a"].guest("ada"), here.nodes["b"].guest("bo")
        await ada.ok(CreateTable(UNTIMED))
        await here.clock.advance(1.0)
        code = ada.info.id
        await here.seat(code, bo)
        await ada.ok(AddBot())
        await ada.ok(StartGame())
        await here.clock.advance(1.0)
        # It could not hand its tables over: the database is away.
        await here.nodes["a"].lobby.close()
        assert await bo.code(bo.bid_of(bo.own.hand[0])) == "moving"
        await here.nodes["a"].node.close()
        await here.clock.advance(2.5)
        assert bo.info.id == code
        assert (await bo.bid()).ok
        assert here.nodes["b"].lobby.tables.actors.keys() == {code}


async def at_one_table(here: House) -> tuple[Guest, Guest]:
    """Ada, at the table's node, and bo at another one, in the first round."""
    ada, bo = here.nodes["a"].guest("ada"), here.nodes["b"].guest("bo")
    await ada.ok(CreateTable(UNTIMED))
    await here.clock.advance(5.0)
    await here.seat(ada.info.id, bo)
    await ada.ok(AddBot())
    await ada.ok(StartGame())
    await here.settle()
    return ada, bo


def cut_off(node: TestNode) -> Callable[[], None]:
    """From the database, where others find its lease over; what is returned mends it."""
    store = node.node.membership._store
    renew = store.renew

    async def fail(*_: object) -> None:
        raise StoreError("unreachable")

    def mend() -> None:
        store.renew = renew  # type: ignore[method-assign]

    store.renew = fail  # type: ignore[assignment, method-assign]
    return mend


async def test_who_is_connected_to_a_node_without_the_database_plays_on_elsewhere() -> None:
    async with house("a", "b") as here:
        ada, bo = await at_one_table(here)
        mend = cut_off(here.nodes["b"])
        here.lapse("b")
        ada.forget()
        await here.clock.advance(10.0)
        assert not here.store.sql("SELECT * FROM nodes WHERE name = 'b'")
        assert (await bo.bid(card := bo.own.hand[3])).ok
        assert bo.own.bid == card
        mend()
        await here.clock.advance(5.0)
        assert here.nodes["b"].lobby.shared.tally.leases_lost == 1
        assert bo.own.bid == card
        assert not ada.heard(m.Disconnected)


async def bidding_at_a_node_that_is_gone(
    here: House, written: asyncio.Event
) -> tuple[Guest, asyncio.Task[tuple[m.Reply, int]], Callable[[], None]]:
    """As far as the other one knows, which writes the bid only then: the answer, and the bid that is shown
    when it comes.
    """
    _, bo = await at_one_table(here)
    a, b = here.nodes["a"], here.nodes["b"]
    append = a.tables.append

    async def late(change: StoredChange) -> None:
        await written.wait()
        await append(change)

    a.tables.append = late  # type: ignore[method-assign]

    async def bid() -> tuple[m.Reply, int]:
        return await bo.bid(bo.own.hand[3]), bo.own.bid

    bidding = asyncio.create_task(bid())
    await here.settle()
    mend = cut_off(b)
    here.lapse("b")
    b.bus.up = False
    await here.clock.advance(3.0)
    b.bus.up = True
    return bo, bidding, mend


async def test_no_bid_is_acknowledged_to_somebody_who_is_not_shown_it() -> None:
    async with house("a", "b") as here:
        written = asyncio.Event()
        bo, bidding, mend = await bidding_at_a_node_that_is_gone(here, written)
        written.set()
        await here.settle()
        assert bidding.done()
        assert bidding.result() == (MOVING, 0)
        mend()
        await here.clock.advance(5.0)
        assert bo.own.bid == bo.own.hand[3], "what has become of it"


async def test_what_was_asked_before_a_node_begins_again_is_not_waited_for() -> None:
    async with house("a", "b") as here:
        written = asyncio.Event()
        _, bidding, mend = await bidding_at_a_node_that_is_gone(here, written)
        assert not bidding.done()
        mend()
        await here.nodes["b"].node.membership.renew_now()
        await here.settle()
        assert bidding.done()
        assert bidding.result() == (MOVING, 0)
        written.set()
        await here.settle()


@pytest.mark.parametrize(("loses", "what"), [("b", "ask"), ("a", "answer")])
async def test_nobody_waits_long_for_an_answer_that_was_lost(loses: str, what: str) -> None:
    async with house("a", "b") as here:
        _, bo = await at_one_table(here)
        here.nodes[loses].bus.lost = lambda topic: topic == what
        bidding = asyncio.create_task(bo.bid(bo.own.hand[3]))
        await here.clock.advance(1.0)
        assert bidding.done()
        assert bidding.result() == MOVING
        assert bool(bo.own.bid) == (what == "answer")


async def test_nobody_takes_tables_over_because_the_database_has_hung(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with house() as here:
        rng = random.Random(1)
        with faulty_nodes.fake_time(here.clock, here.store, rng):
            a, b = [await faulty_nodes.start(here, name, rng) for name in "ab"]
            ada, bo = a.guest("ada"), b.guest("bo")
            await ada.ok(QuickGame(UNTIMED))
            await bo.ok(QuickGame(UNTIMED))
            await here.clock.advance(5.0)
            answers, renew = asyncio.Event(), NodeStore.renew

            async def late(store: NodeStore, *asked: Any) -> Any:
                await answers.wait()
                return await renew(store, *asked)

            monkeypatch.setattr(NodeStore, "renew", late)
            await here.clock.advance(4.0)
            answers.set()
            await here.clock.advance(5.0)
            assert [it.lobby.shared.tally.leases_lost for it in (a, b)] == [0, 0]
            assert [len(it.lobby.tables.actors) for it in (a, b)] == [1, 1]


async def test_a_node_whose_name_has_been_taken_while_it_slept_ends() -> None:
    async with house("a") as here:
        a, ends = here.nodes["a"], []
        a.node.membership.end = lambda: ends.append("a")
        ada = a.guest("ada")
        await ada.ok(QuickGame(UNTIMED))
        here.lapse("a")
        assert await NodeStore(here.store.database).join("another", "a", 60.0)
        await here.clock.advance(10.0)
        assert a.node.membership.name_taken
        assert ends == ["a"]
        assert not a.lobby.tables.actors


async def test_a_node_that_is_one_again_without_hearing_so_tells_the_others() -> None:
    async with house() as here:
        rng = random.Random(1)
        with faulty_nodes.fake_time(here.clock, here.store, rng):
            a, b = [await faulty_nodes.start(here, name, rng) for name in "ab"]
            await here.clock.advance(1.0)
            here.store.sql("DELETE FROM nodes WHERE name = 'a'")
            # The answers to its next commits: its lease is over, and it is a node again.
            a.leases.answers = [True, False]
            await here.clock.advance(5.0)
            assert not a.leases.answers
            bo = b.guest("bo")
            a.guest("ada")
            await here.clock.advance(1.0)
            assert set(bo.lobby.players) == {"ada", "bo"}
            assert a.lobby.shared.authority.valid
