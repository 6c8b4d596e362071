"""What people see while their node is cut off from the database."""

import asyncio
import random

from server.coordinator.messages import (
    AddBot,
    CreateTable,
    JoinTable,
    QuickGame,
    StartGame,
    Trouble,
    TroubleOver,
)
from server.storage.nodes_sql import SqlNodes
from tests.support import faulty_nodes
from tests.support.nodes import house
from tests.support.tables import UNTIMED


async def test_who_plays_while_the_database_is_away_is_told_and_the_bid_counts_afterwards() -> None:
    async with house() as here:
        rng = random.Random(1)
        with faulty_nodes.fake_time(here.clock, here.store, rng):
            a = await faulty_nodes.start(here, "a", rng)
            ada = a.guest("ada")
            await ada.ok(QuickGame(UNTIMED))
            await here.clock.advance(5.0)
            a.cut = True
            await here.clock.advance(4.0)
            assert [each.code for each in ada.heard(Trouble)] == ["storage"]
            bid = asyncio.create_task(ada.bid())
            await here.clock.advance(20.0)
            assert not bid.done()
            assert not ada.heard(TroubleOver)
            a.cut = False
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
            for store in a.stores:
                store.cut = store.dead = True
            assert (await a.lobby.close_table(code)).ok
            await here.clock.advance(1.0)
            assert len(here.store.rows) == 1
            for store in a.stores:
                store.cut = store.dead = False
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


async def test_a_node_whose_name_has_been_taken_while_it_slept_ends() -> None:
    async with house("a") as here:
        a, ends = here.nodes["a"], []
        a.node.membership.end = lambda: ends.append("a")
        ada = a.guest("ada")
        await ada.ok(QuickGame(UNTIMED))
        here.lapse("a")
        assert await SqlNodes(here.store.database).join("another", "a", 60.0)
        await here.clock.advance(10.0)
        assert a.node.membership.name_taken
        assert ends == ["a"]
        assert not a.lobby.tables.actors
