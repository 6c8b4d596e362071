"""Tables that people have left behind: how long they stay, and which go when there are too many."""

from dataclasses import replace

import pytest

from server.coordinator.messages import (
    CreateTable,
    LeaveTable,
    Motion,
    Pace,
    QuickGame,
    SentBack,
    TableOptions,
    Vote,
    WatchTable,
)
from server.coordinator.timing import TableLimits, Timing
from tests.support.memory_stores import MemoryStore, copy_of
from tests.support.tables import SHORT, TIMED, UNTIMED, Guest, World, world

TIMING = Timing()


async def left_by_a_guest(house: World, options: TableOptions = UNTIMED, name: str = "eve") -> str:
    """A game against bots whose guest has hung up; the code of its table."""
    eve = house.enter(name, guest=True)
    await eve.ok(QuickGame(options))
    eve.visit.close()
    await house.clock.settle()
    return eve.info.id


def codes(house: World) -> set[str]:
    return {row.id for row in house.lobby.snapshot().tables}


@pytest.mark.parametrize("options", [UNTIMED, replace(TIMED, seconds=3600)])
async def test_a_game_of_guests_ends_an_hour_after_they_have_gone(options: TableOptions) -> None:
    async with world() as house:
        await left_by_a_guest(house, options)
        await house.clock.advance(TIMING.guests - 1)
        assert codes(house)
        await house.clock.advance(2)
        assert not codes(house)
        assert isinstance(house.store, MemoryStore)
        assert not house.store.rows


async def test_who_comes_back_in_time_finds_it_and_has_the_hour_again() -> None:
    async with world() as house:
        await left_by_a_guest(house)
        await house.clock.advance(TIMING.guests - 1)
        eve = house.enter("eve", guest=True)
        await house.clock.settle()
        assert (eve.table.seat, eve.info.kept_for) == (0, TIMING.guests)
        eve.visit.close()
        await house.clock.advance(TIMING.guests - 1)
        assert codes(house)


async def test_games_of_accounts_paused_ones_and_a_round_a_day_are_kept() -> None:
    daily = TableOptions(SHORT, Pace.CORRESPONDENCE, 24 * 3600)
    async with world() as house:
        with_account = await house.quick(name="ada")
        assert with_account.info.kept_for == TIMING.keep
        with_account.visit.close()
        paused = house.enter("bo", guest=True)
        await paused.ok(QuickGame(UNTIMED))
        await paused.ok(Vote(Motion.PAUSE))
        assert paused.info.kept_for == TIMING.keep
        paused.visit.close()
        by_day = await left_by_a_guest(house, daily)
        await house.clock.advance(2 * TIMING.guests)
        assert codes(house) == {with_account.info.id, paused.info.id, by_day}


async def test_a_game_of_guests_stays_while_somebody_watches() -> None:
    async with world() as house:
        code = await left_by_a_guest(house)
        watcher = house.enter("watcher")
        await watcher.ok(WatchTable(code))
        await house.clock.advance(2 * TIMING.guests)
        assert codes(house)
        await watcher.ok(LeaveTable())
        await house.clock.advance(TIMING.over + 1)
        assert not codes(house)


async def test_the_hour_of_guests_begins_anew_with_a_restart() -> None:
    store = MemoryStore()
    async with world(store=store) as house:
        await left_by_a_guest(house)
        await house.clock.advance(TIMING.guests - 1)
        clock, left = house.clock, copy_of(store)
    await clock.advance(3 * 24 * 3600)
    async with world(store=left, clock=clock) as house:
        await house.lobby.recover()
        await clock.advance(TIMING.guests - 1)
        assert codes(house)
        await clock.advance(2)
        assert not codes(house)


async def test_a_table_where_nobody_sits_closes_when_its_game_is_over() -> None:
    async with world() as house:
        ada = await house.quick()
        watcher = house.enter("watcher")
        await watcher.ok(WatchTable(ada.info.id))
        await ada.ok(LeaveTable())
        await house.clock.advance(200)
        assert watcher.status().value == "over", "who watches reads the standings"
        await watcher.ok(LeaveTable())
        await house.clock.settle()
        assert not codes(house)
        ada = await house.quick()
        await ada.ok(LeaveTable())
        while codes(house):
            assert await house.clock.next()
        assert isinstance(house.store, MemoryStore)
        assert len(house.store.finished) == 2
        assert not house.store.rows


async def test_with_too_many_tables_the_one_of_guests_that_is_longest_deserted_goes() -> None:
    async with world(limits=TableLimits(tables=4)) as house:
        ada = await house.quick()
        ada.visit.close()
        await house.clock.advance(1)
        oldest = await left_by_a_guest(house, name="eve1")
        await house.clock.advance(1)
        newer = await left_by_a_guest(house, name="eve2")
        played = await house.quick(name="bo")
        await house.enter("cem").ok(CreateTable(UNTIMED))
        assert oldest not in codes(house)
        await house.enter("dora").ok(CreateTable(UNTIMED))
        assert newer not in codes(house)
        await house.enter("fay").ok(CreateTable(UNTIMED))
        assert ada.info.id not in codes(house)
        assert played.info.id in codes(house)
        assert await house.enter("gil").code(CreateTable(UNTIMED)) == "too_many_tables"


async def test_the_address_with_most_deserted_tables_loses_one_first() -> None:
    async with world(limits=TableLimits(tables=5)) as house:

        async def leave_one(name: str, source: str) -> str:
            one = house.enter(name, guest=True, source=source)
            await one.ok(QuickGame(UNTIMED))
            one.visit.close()
            await house.clock.advance(1)
            return one.info.id

        honest = await leave_one("ada", "192.0.2.1")
        for number in range(4):
            await leave_one(f"eve{number}", "203.0.113.5")
        await house.enter("bo", source="192.0.2.2").ok(QuickGame(UNTIMED))
        assert honest in codes(house)


async def test_twenty_addresses_leave_room_for_forty_people_of_another() -> None:
    limits = TableLimits(tables=100, tables_per_address=20)
    async with world(limits=limits) as house:
        names = iter(range(1000))

        def somebody(source: str) -> Guest:
            return house.enter(f"p{next(names)}", source=source)

        for _ in range(20):
            for number in range(20):
                await somebody(f"203.0.113.{number}").submit(CreateTable(UNTIMED))
        before = len(codes(house))
        assert before <= 85
        for _ in range(4):
            await somebody("192.0.2.1").ok(CreateTable(UNTIMED))


async def test_tables_of_an_address_are_counted_after_a_restart_as_well() -> None:
    store, limits = MemoryStore(), TableLimits(tables_per_address=2)
    async with world(store=store, limits=limits) as house:
        for name in ("ada", "bo"):
            await house.enter(name, source="203.0.113.5").ok(QuickGame(UNTIMED))
    assert "203.0.113" not in str(store.rows)
    async with world(store=store, limits=limits) as house:
        await house.lobby.recover()
        there = house.enter("eve", source="203.0.113.5")
        assert await there.code(QuickGame(UNTIMED)) == "too_many_from_there"
        await house.enter("cem", source="203.0.113.6").ok(QuickGame(UNTIMED))


async def test_guests_of_one_address_push_out_what_they_have_left_behind() -> None:
    async with world(limits=TableLimits(tables_per_address=2)) as house:
        for number in range(6):
            eve = house.enter(f"eve{number}", guest=True, source="203.0.113.5")
            await eve.ok(QuickGame(UNTIMED))
            eve.visit.close()
            await house.clock.advance(1)
        assert len(codes(house)) == 2


async def test_games_that_are_over_are_not_counted() -> None:
    async with world(limits=TableLimits(tables_per_player=1)) as house:
        ada, bo = await house.table(humans=2)
        for guest in (ada, bo):
            await guest.ok(Vote(Motion.END))
        await ada.ok(LeaveTable())
        await ada.ok(QuickGame(UNTIMED))


async def test_an_operator_closes_a_table() -> None:
    async with world() as house:
        ada, bo = await house.table(humans=2)
        watcher = house.enter("watcher")
        await watcher.ok(WatchTable(ada.info.id))
        title = ada.info.title
        assert (await house.lobby.close_table(ada.info.id)).ok
        await house.clock.advance(1)
        for guest in (ada, bo, watcher):
            assert guest.heard(SentBack) == [SentBack("closed", title)]
            assert guest.lobby.tables == ()
        assert (await house.lobby.close_table("kadubilo")).code == "no_such_table"
