"""A node hands its tables over while they play: nobody sees anything, and nothing gets lost."""

import asyncio

import pytest

from server.coordinator.messages import (
    CreateTable,
    RoundResolved,
    SentBack,
    StartGame,
    Trouble,
    WatchTable,
)
from server.storage.nodes import NodeStore
from server.storage.store import StoreError
from tests.support.nodes import House, hand_over, house
from tests.support.tables import TIMED, Guest


async def play_round(here: House, *guests: Guest) -> None:
    for guest in guests:
        if guest.owes():
            assert (await guest.bid()).ok
            await here.settle()
    await here.clock.advance(5.0)


async def game_on(here: House, *guests: Guest) -> str:
    await guests[0].ok(CreateTable(TIMED))
    await here.clock.advance(1.0)
    code = guests[0].info.id
    await here.seat(code, *guests[1:])
    await guests[0].ok(StartGame())
    await here.settle()
    return code


async def test_a_game_goes_on_at_another_node_and_nobody_sees_that() -> None:
    async with house("a", "b", "c") as here:
        a, b, c = (here.nodes[it] for it in "abc")
        ada, bo, cleo = a.guest("ada"), b.guest("bo"), c.guest("cleo")
        dan = c.guest("dan")
        await here.clock.advance(1.0)
        code = await game_on(here, ada, bo, cleo)
        await dan.ok(WatchTable(code))
        await play_round(here, ada, bo, cleo)
        card = bo.own.hand[3]
        assert (await bo.bid(card)).ok
        await here.settle()
        guests = (ada, bo, cleo, dan)
        for guest in guests:
            guest.forget()
        assert await hand_over(here, a.node) == 1
        assert a.lobby.shared.tally.tables_handed_over == 1
        owner = next(it for it in (b, c) if code in it.lobby.tables.actors)
        assert owner.lobby.tables.actors[code].epoch == 2
        assert owner.lobby.shared.tally.tables_taken_over == 1
        assert code not in a.lobby.tables.actors
        assert bo.own.bid == card
        await play_round(here, ada, cleo)
        for guest in guests:
            assert not guest.heard(Trouble)
            assert not guest.heard(SentBack)
            assert len(guest.heard(RoundResolved)) == 1
        # Who was connected to the node that ends comes in through another one.
        await a.lobby.close()
        again = owner.guest("ada")
        await here.clock.advance(1.0)
        assert again.table.seat == 0
        await play_round(here, again, bo, cleo)
        assert len(again.heard(RoundResolved)) == 1


async def test_who_waits_for_a_bots_seat_still_does_at_the_other_node() -> None:
    async with house("a", "b") as here:
        a, b = (here.nodes[it] for it in "ab")
        ada, bo, dan = a.guest("ada"), b.guest("bo"), b.guest("dan")
        await here.wait_for_bots_seat(ada, bo, dan)
        assert [seat.claimed for seat in dan.info.seats] == ["", "", "dan"]
        assert await hand_over(here, a.node) == 1
        await here.clock.advance(2.0)
        assert [seat.claimed for seat in dan.info.seats] == ["", "", "dan"]


async def test_what_is_asked_on_the_way_is_done_by_the_new_owner() -> None:
    async with house("a", "b", "c") as here:
        a, b, c = (here.nodes[it] for it in "abc")
        ada, bo, cleo = a.guest("ada"), b.guest("bo"), c.guest("cleo")
        await here.clock.advance(1.0)
        code = await game_on(here, ada, bo, cleo)
        handing = asyncio.create_task(a.node.handover.hand_over_all())
        while code in a.lobby.tables.actors:
            await here.settle()
        bids = [asyncio.create_task(guest.bid()) for guest in (ada, bo, cleo)]
        for _ in range(40):
            await here.clock.advance(0.05)
        assert await handing == 1
        assert [(await it).ok for it in bids] == [True] * 3
        await here.clock.advance(5.0)
        for guest in (ada, bo, cleo):
            assert len(guest.heard(RoundResolved)) == 1
            assert not guest.heard(Trouble)


async def test_a_table_goes_to_the_node_with_the_fewest_and_to_none_that_leaves() -> None:
    async with house("a", "b", "c") as here:
        a, b, c = (here.nodes[it] for it in "abc")
        owner = b.guest("bo")
        await here.clock.advance(1.0)
        await owner.ok(CreateTable(TIMED))
        for name in ("ada", "dan"):
            await a.guest(name).ok(CreateTable(TIMED))
        await here.clock.advance(1.0)
        assert await hand_over(here, a.node) == 2
        assert [len(it.lobby.tables.actors) for it in (a, b, c)] == [0, 1, 2] or [
            len(it.lobby.tables.actors) for it in (a, b, c)
        ] == [0, 2, 1]
        assert await hand_over(here, c.node) >= 1
        assert [len(it.lobby.tables.actors) for it in (a, b, c)] == [0, 3, 0]
        # Nobody is left who could take them.
        assert await hand_over(here, b.node) == 0
        assert len(b.lobby.tables.actors) == 3


async def test_a_table_whose_former_owner_dies_on_the_way_is_taken_up_all_the_same() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada = a.guest("ada")
        await here.clock.advance(1.0)
        await ada.ok(CreateTable(TIMED))
        await here.clock.advance(1.0)
        code = ada.info.id
        handing = asyncio.create_task(a.node.handover.hand_over_all())
        while code in a.lobby.tables.actors:
            await here.settle()
        await here.clock.settle()
        handing.cancel()
        await here.kill("a")
        here.lapse("a")
        await here.clock.advance(3.0)
        assert list(b.lobby.tables.actors) == [code]


async def test_a_table_that_cannot_be_read_for_long_is_taken_up_in_the_end() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada = b.guest("ada")
        await here.clock.advance(1.0)
        bo = a.guest("bo")
        await here.clock.advance(1.0)
        await bo.ok(CreateTable(TIMED))
        await here.clock.advance(1.0)
        code = bo.info.id
        await here.seat(code, ada)
        with pytest.MonkeyPatch.context() as patch:
            # The lease has a connection of its own.
            patch.setattr(b.tables, "load", _unreachable)
            await hand_over(here, a.node)
            await here.clock.advance(20.0)
            assert code not in b.lobby.tables.actors
        await here.clock.advance(3.0)
        assert list(b.lobby.tables.actors) == [code]


async def test_a_table_that_is_handed_to_a_node_without_its_knowledge_is_taken_up() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        bo = a.guest("bo")
        await here.clock.advance(1.0)
        await bo.ok(CreateTable(TIMED))
        await here.clock.advance(1.0)
        code = bo.info.id
        table = a.lobby.tables.actors[code]
        key, epoch = table.key, table.epoch
        # The order reaches the database long after it was sent, and its sender is gone.
        await here.kill("a")
        assert await NodeStore(here.store.database).hand_over(key, epoch, b.node.membership.id)
        here.lapse("a")
        await here.clock.advance(40.0)
        assert list(b.lobby.tables.actors) == [code]


async def _unreachable(*_: object) -> None:
    raise StoreError("unreachable")
