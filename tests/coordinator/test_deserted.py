"""Tables that people have left behind: how long they stay, and which go when there are too many."""

from dataclasses import replace

import pytest

from server.coordinator import messages as m
from server.coordinator.table.steps import Close
from server.settings.settings import TableLimits, Timing
from tests.support.fake_clock import FakeClock
from tests.support.tables import SHORT, TIMED, UNTIMED, Guest, World, restarted, world

TIMING = Timing()


async def left_by_a_guest(
    server: World, options: m.TableOptions = UNTIMED, name: str = "eve"
) -> str:
    """A game against bots whose guest has hung up; the code of its table."""
    eve = server.enter(name, guest=True)
    await eve.ok(m.QuickGame(options))
    eve.visit.close()
    await server.clock.settle()
    return eve.info.id


def codes(server: World) -> set[str]:
    return {row.id for row in server.lobby.feed.snapshot().tables}


@pytest.mark.parametrize("options", [UNTIMED, replace(TIMED, seconds=3600)])
async def test_a_game_of_guests_ends_soon_after_they_have_gone(options: m.TableOptions) -> None:
    async with world() as server:
        await left_by_a_guest(server, options)
        await server.clock.advance(TIMING.guests - 1)
        assert codes(server)
        # Whoever opens hundreds of them and goes fills the list of the lobby for no longer.
        assert TIMING.guests <= 15 * 60
        await server.clock.advance(2)
        assert not codes(server)
        assert not server.store.rows


async def test_who_comes_back_in_time_finds_it_and_has_the_same_time_again() -> None:
    async with world() as server:
        await left_by_a_guest(server)
        await server.clock.advance(TIMING.guests - 1)
        eve = server.enter("eve", guest=True)
        await server.clock.settle()
        assert (eve.table.seat, eve.info.kept_for) == (0, TIMING.guests)
        eve.visit.close()
        await server.clock.advance(TIMING.guests - 1)
        assert codes(server)


async def test_games_of_accounts_paused_ones_and_a_round_a_day_are_kept() -> None:
    daily = m.TableOptions(SHORT, m.Pace.CORRESPONDENCE, 24 * 3600)
    async with world() as server:
        with_account = await server.quick(name="ada")
        assert with_account.info.kept_for == TIMING.keep
        with_account.visit.close()
        paused = server.enter("bo", guest=True)
        await paused.ok(m.QuickGame(UNTIMED))
        await paused.ok(m.Vote(m.Motion.PAUSE))
        assert paused.info.kept_for == TIMING.keep
        paused.visit.close()
        by_day = await left_by_a_guest(server, daily)
        await server.clock.advance(2 * TIMING.guests)
        assert codes(server) == {with_account.info.id, paused.info.id, by_day}


async def test_a_game_of_guests_stays_while_somebody_watches() -> None:
    async with world() as server:
        code = await left_by_a_guest(server)
        watcher = server.enter("watcher")
        await watcher.ok(m.WatchTable(code))
        await server.clock.advance(2 * TIMING.guests)
        assert codes(server)
        await watcher.ok(m.LeaveTable())
        await server.clock.advance(TIMING.over + 1)
        assert not codes(server)


async def test_the_hour_of_guests_begins_anew_with_a_restart() -> None:
    async with world() as server:
        await left_by_a_guest(server)
        await server.clock.advance(TIMING.guests - 1)
    clock = FakeClock(server.clock.time() + 3 * 24 * 3600)
    async with restarted(server, clock=clock) as server:
        await clock.advance(TIMING.guests - 1)
        assert codes(server)
        await clock.advance(2)
        assert not codes(server)


async def test_a_table_where_nobody_sits_closes_when_its_game_is_over() -> None:
    async with world() as server:
        ada = await server.quick()
        watcher = server.enter("watcher")
        await watcher.ok(m.WatchTable(ada.info.id))
        await ada.ok(m.LeaveTable())
        await server.clock.advance(200)
        assert watcher.status().value == "over", "who watches reads the standings"
        await watcher.ok(m.LeaveTable())
        await server.clock.settle()
        assert not codes(server)
        ada = await server.quick()
        await ada.ok(m.LeaveTable())
        while codes(server):
            assert await server.clock.next()
        assert len(server.store.finished) == 2
        assert not server.store.rows


async def test_with_too_many_tables_the_one_of_guests_that_is_longest_deserted_goes() -> None:
    async with world(limits=TableLimits(tables=4)) as server:
        ada = await server.quick()
        ada.visit.close()
        await server.clock.advance(1)
        oldest = await left_by_a_guest(server, name="eve1")
        await server.clock.advance(1)
        newer = await left_by_a_guest(server, name="eve2")
        played = await server.quick(name="bo")
        await server.enter("cem").ok(m.CreateTable(UNTIMED))
        assert oldest not in codes(server)
        await server.enter("dora").ok(m.CreateTable(UNTIMED))
        assert newer not in codes(server)
        await server.enter("fay").ok(m.CreateTable(UNTIMED))
        assert ada.info.id not in codes(server)
        assert played.info.id in codes(server)
        assert await server.enter("gil").code(m.CreateTable(UNTIMED)) == "too_many_tables"


async def test_the_address_with_most_deserted_tables_loses_one_first() -> None:
    async with world(limits=TableLimits(tables=5)) as server:

        async def leave_one(name: str, source: str) -> str:
            one = server.enter(name, guest=True, source=source)
            await one.ok(m.QuickGame(UNTIMED))
            one.visit.close()
            await server.clock.advance(1)
            return one.info.id

        honest = await leave_one("ada", "192.0.2.1")
        for number in range(4):
            await leave_one(f"eve{number}", "203.0.113.5")
        await server.enter("bo", source="192.0.2.2").ok(m.QuickGame(UNTIMED))
        assert honest in codes(server)


async def test_twenty_addresses_leave_room_for_forty_people_of_another() -> None:
    limits = TableLimits(tables=100, tables_per_address=20)
    async with world(limits=limits) as server:
        names = iter(range(1000))

        def somebody(source: str) -> Guest:
            return server.enter(f"p{next(names)}", source=source)

        for _ in range(20):
            for number in range(20):
                await somebody(f"203.0.113.{number}").submit(m.CreateTable(UNTIMED))
        before = len(codes(server))
        assert before <= 85
        for _ in range(4):
            await somebody("192.0.2.1").ok(m.CreateTable(UNTIMED))


async def test_guests_of_one_address_push_out_what_they_have_left_behind() -> None:
    async with world(limits=TableLimits(tables_per_address=2)) as server:
        for number in range(6):
            eve = server.enter(f"eve{number}", guest=True, source="203.0.113.5")
            await eve.ok(m.QuickGame(UNTIMED))
            eve.visit.close()
            await server.clock.advance(1)
        assert len(codes(server)) == 2


async def test_games_that_are_over_are_not_counted() -> None:
    async with world(limits=TableLimits(tables_per_player=1)) as server:
        ada, bo = await server.table(humans=2)
        for guest in (ada, bo):
            await guest.ok(m.Vote(m.Motion.END))
        await ada.ok(m.LeaveTable())
        await ada.ok(m.QuickGame(UNTIMED))


async def test_an_operator_closes_a_table() -> None:
    async with world() as server:
        ada, bo = await server.table(humans=2)
        watcher = server.enter("watcher")
        await watcher.ok(m.WatchTable(ada.info.id))
        title = ada.info.title
        assert (await server.lobby.order(ada.info.id, Close("closed"))).ok
        await server.clock.advance(1)
        for guest in (ada, bo, watcher):
            assert guest.heard(m.SentBack) == [m.SentBack("closed", title)]
            assert guest.lobby.tables == ()
        assert (await server.lobby.order("kadubilo", Close("closed"))).code == "no_such_table"
