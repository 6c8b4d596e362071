"""Screens that follow the busiest table without anybody pressing keys."""

import asyncio
from dataclasses import replace

from server.coordinator.messages import (
    AddBot,
    CreateTable,
    FollowBusiest,
    JoinTable,
    LeaveTable,
    SetWord,
    Spectating,
    StartGame,
    Status,
    WatchAnother,
    WatchTable,
)
from server.coordinator.timing import TableLimits
from tests.support.faulty_stores import HeldStore
from tests.support.tables import UNTIMED, Guest, World, world


async def game(server: World, *names: str) -> tuple[Guest, ...]:
    """People with one bot fewer each, and their game begun."""
    first, *others = [server.enter(name) for name in names]
    await first.ok(CreateTable(UNTIMED))
    for other in others:
        await other.ok(JoinTable(first.info.id))
    for _ in range(3 - len(names)):
        await first.ok(AddBot())
    await first.ok(StartGame())
    return (first, *others)


async def screen(server: World) -> Guest:
    guest = server.enter("screen")
    await guest.ok(FollowBusiest())
    return guest


async def test_it_waits_until_there_is_something_to_see() -> None:
    async with world() as server:
        watcher = await screen(server)
        assert watcher.last.table is None
        ada, *_ = await game(server, "ada")
        await server.clock.advance(1)
        assert watcher.info.id == ada.info.id
        assert watcher.table.seat == -1


async def test_it_moves_on_to_a_busier_table_but_not_at_once() -> None:
    async with world() as server:
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        assert watcher.info.id == ada.info.id
        bo, *_ = await game(server, "bo", "cem")
        await server.clock.advance(10)
        assert watcher.info.id == ada.info.id
        await server.clock.advance(10)
        assert watcher.info.id == bo.info.id
        await server.clock.advance(100)
        assert watcher.info.id == bo.info.id, "and stays there"


async def test_a_game_that_waits_for_lost_lines_is_nothing_to_look_at() -> None:
    async with world() as server:
        bo, cem = await game(server, "bo", "cem")
        await server.enter("dora").ok(WatchTable(bo.info.id))
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        assert watcher.info.id == bo.info.id
        bo.visit.close()
        cem.visit.close()
        await server.clock.advance(20)
        assert watcher.info.id == ada.info.id, "somebody plays there"
        assert (await screen(server)).info.id == ada.info.id


async def test_the_standings_stay_for_a_while_and_then_the_next_game_comes() -> None:
    async with world() as server:
        bo, cem = await game(server, "bo", "cem")
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        assert watcher.info.id == bo.info.id
        await server.clock.advance(60)
        await server.play_out(bo, cem)
        await server.clock.advance(10)
        assert (watcher.info.id, watcher.status()) == (bo.info.id, Status.OVER)
        await server.clock.advance(10)
        assert watcher.info.id == ada.info.id


async def test_when_a_table_closes_it_finds_another_one() -> None:
    async with world() as server:
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        await server.play_out(ada)
        await ada.ok(LeaveTable())
        await server.clock.advance(1)
        assert watcher.last.table is None
        bo, *_ = await game(server, "bo")
        await server.clock.advance(1)
        assert watcher.info.id == bo.info.id


async def test_private_tables_and_those_without_spectators_are_nothing_to_follow() -> None:
    async with world() as server:
        watcher = await screen(server)
        ada, bo = server.enter("ada"), server.enter("bo")
        await ada.ok(CreateTable(UNTIMED))
        await ada.ok(SetWord("otter"))
        await bo.ok(CreateTable(replace(UNTIMED, spectators=Spectating.NONE)))
        await server.clock.advance(60)
        assert watcher.last.table is None


async def test_a_table_that_becomes_private_is_left_at_once() -> None:
    async with world() as server:
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        await ada.ok(SetWord("otter"))
        await server.clock.advance(1)
        assert watcher.last.table is None
        bo, *_ = await game(server, "bo")
        await server.clock.advance(1)
        assert watcher.info.id == bo.info.id


async def test_who_does_something_else_does_not_follow_any_more() -> None:
    async with world() as server:
        await game(server, "ada")
        watcher = await screen(server)
        await watcher.ok(LeaveTable())
        await server.clock.advance(60)
        assert watcher.last.table is None
        await watcher.ok(CreateTable(UNTIMED))
        assert await watcher.code(FollowBusiest()) == "seated_elsewhere"
        await game(server, "bo", "cem")
        await server.clock.advance(60)
        assert watcher.table.seat == 0


async def test_a_follower_whose_line_drops_leaves_nothing_behind() -> None:
    async with world() as server:
        watcher = await screen(server)
        watcher.visit.close()
        ada, *_ = await game(server, "ada")
        await server.clock.advance(60)
        assert ada.info.spectators == 0
        assert not server.lobby.knows("id-screen")


async def test_nobody_gives_up_a_table_for_one_with_no_room() -> None:
    async with world(limits=TableLimits(spectators=1)) as server:
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        assert watcher.info.id == ada.info.id
        bo, *_ = await game(server, "bo", "cem")
        await server.enter("dora").ok(WatchTable(bo.info.id))
        await server.clock.advance(100)
        assert watcher.info.id == ada.info.id
        other = server.enter("other")
        await other.ok(FollowBusiest())
        await server.clock.advance(1)
        assert other.last.table is None
        eve, *_ = await game(server, "eve")
        await server.clock.advance(1)
        assert other.info.id == eve.info.id


async def test_whoever_is_on_the_way_is_not_sent_again() -> None:
    store = HeldStore()
    store.gate.set()
    async with world(store=store) as server:
        ada, *_ = await game(server, "ada")
        await screen(server)
        await game(server, "bo", "cem")
        store.gate.clear()
        held = asyncio.create_task(ada.bid())
        await server.clock.settle()
        assert store.waiting
        for number in range(20):
            server.enter(f"guest{number}")
            await server.clock.advance(1)
        assert sum(task.get_name() == "follow" for task in asyncio.all_tasks()) == 1
        store.gate.set()
        await held


async def test_who_has_gone_before_it_could_begin_does_not_follow() -> None:
    store = HeldStore()
    async with world(store=store) as server:
        store.gate.set()
        ada = server.enter("ada")
        await ada.ok(CreateTable(UNTIMED))
        store.gate.clear()
        leaving = asyncio.create_task(ada.submit(LeaveTable()))
        following = asyncio.create_task(ada.submit(FollowBusiest()))
        await server.clock.settle()
        ada.visit.close()
        store.gate.set()
        assert (await leaving).ok
        assert (await following).code == "gone"
        assert not server.lobby._lobby_feed.following


async def test_who_watches_goes_from_table_to_table() -> None:
    async with world() as server:
        ada, *_ = await game(server, "ada")
        bo, *_ = await game(server, "bo", "cem")
        dora, *_ = await game(server, "dora", "eve", "finn")
        watcher = await screen(server)
        seen = [watcher.info.id]
        for _ in range(3):
            await watcher.ok(WatchAnother())
            await server.clock.advance(1)
            seen.append(watcher.info.id)
            assert watcher.table.seat == -1
        busy, quiet = dora.info.id, ada.info.id
        assert seen == [busy, bo.info.id, quiet, busy]
        # Chosen is chosen: nobody is led on from there.
        await watcher.ok(WatchAnother())
        await server.clock.advance(100)
        assert watcher.info.id == bo.info.id


async def test_where_there_is_no_other_table_the_one_stays() -> None:
    async with world() as server:
        ada, *_ = await game(server, "ada")
        watcher = await screen(server)
        assert await watcher.code(WatchAnother()) == "no_other_table"
        assert watcher.info.id == ada.info.id
        assert await ada.code(WatchAnother()) in ("seated_elsewhere", "no_other_table")
