"""People who play on for a bot: between stages, and never twice in one game."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import pytest

from engine.editions import Rules
from server import StoreError
from server.coordinator import messages as m
from server.storage.table_store import StoredChange
from tests.support.memory_stores import MemoryStore
from tests.support.tables import Guest, restarted, world

LONG = m.TableOptions(Rules(players=3), m.Pace.UNTIMED)


async def to_stage(advance: Callable[[], Awaitable[bool]], guest: Guest, stage: int) -> None:
    """The guest bids until that stage has begun, and time stands still then."""
    while guest.own.table.stage < stage:
        if not (guest.owes() and (await guest.bid()).ok):
            assert await advance()


async def test_who_arrives_takes_a_bots_place_when_the_next_stage_begins() -> None:
    async with world() as server:
        ada = await server.quick(LONG)
        bo = server.enter("bo")
        await bo.ok(m.JoinTable(ada.info.id))
        assert bo.table.seat == -1
        assert bo.table.own is None
        assert ada.heard(m.Claimed) == [m.Claimed(1, "bo")]
        assert ada.info.seats[1].claimed == "bo"
        bot = ada.info.seats[1].name
        await to_stage(server.clock.next, ada, 1)
        assert bo.heard(m.TookOver) == ada.heard(m.TookOver) == [m.TookOver(1, "bo", bot)]
        assert bo.table.seat == 1
        assert bo.own.table.stage == 1
        assert ada.info.seats[1].occupant is m.Occupant.HUMAN
        assert ada.info.spectators == 0
        assert (await bo.bid()).ok
        await server.clock.advance(600)
        assert not ada.own.table.rounds, "nobody bids for ada, nor twice for bo"


async def test_at_once_while_the_stage_has_just_begun_but_not_in_the_first() -> None:
    async with world() as server:
        ada = await server.quick(LONG)
        bo, cem = server.enter("bo"), server.enter("cem")
        await to_stage(server.clock.next, ada, 1)
        await bo.ok(m.JoinTable(ada.info.id))
        assert bo.table.seat == 1
        await server.clock.advance(600)
        await cem.ok(m.JoinTable(ada.info.id))
        assert cem.table.seat == -1, "its bot has bid in this stage"


async def test_one_seat_for_a_person_and_one_person_for_a_seat() -> None:
    async with world() as server:
        ada = await server.quick(replace(LONG, rules=Rules(players=4)))
        table = ada.info.id
        bo, cem, dora, eve = (server.enter(name) for name in ("bo", "cem", "dora", "eve"))
        await bo.ok(m.JoinTable(table))
        await bo.ok(m.JoinTable(table))
        await bo.ok(m.JoinTable(table, 3))
        assert [seat.claimed for seat in ada.info.seats] == ["", "", "", "bo"]
        assert await cem.code(m.JoinTable(table, 3)) == "no_bot_seat"
        assert await cem.code(m.JoinTable(table, 0)) == "no_bot_seat"
        await cem.ok(m.JoinTable(table))
        await dora.ok(m.JoinTable(table))
        assert await eve.code(m.JoinTable(table)) == "no_bot_seat"
        await cem.ok(m.LeaveTable())
        await dora.ok(m.WatchTable(table))
        assert [seat.claimed for seat in ada.info.seats] == ["", "", "", "bo"]
        other = server.enter("other")
        await other.ok(m.CreateTable(LONG))
        await bo.ok(m.JoinTable(other.info.id))
        await to_stage(server.clock.next, ada, 1)
        assert not ada.heard(m.TookOver), "who sits elsewhere by now is not seated here"
        assert bo.info.id == other.info.id


async def test_who_had_a_seat_in_this_game_gets_none_until_the_next() -> None:
    async with world() as server:
        ada, bo = await server.table(LONG, humans=2)
        await bo.ok(m.LeaveTable())
        assert await bo.code(m.JoinTable(ada.info.id)) == "held_seat"
        again = server.enter("bo")
        assert await again.code(m.JoinTable(ada.info.id)) == "held_seat"
        cem = server.enter("cem")
        assert await cem.code(m.JoinTable(ada.info.id, 1)) == "no_bot_seat", "the result is bo's"
        await cem.ok(m.JoinTable(ada.info.id))
        await to_stage(server.clock.next, ada, 1)
        assert cem.table.seat == 2
        await server.play_out(ada, cem)
        for guest in (ada, cem):
            await guest.ok(m.Rematch())
        assert ada.status() is m.Status.PLAYING
        await again.ok(m.JoinTable(ada.info.id))


async def test_a_claim_also_holds_for_the_next_game() -> None:
    async with world() as server:
        one = m.TableOptions(Rules(players=3, stages=1), m.Pace.UNTIMED)
        ada = await server.quick(one)
        bo = server.enter("bo")
        await bo.ok(m.JoinTable(ada.info.id))
        await server.play_out(ada)
        assert bo.table.seat == -1
        await ada.ok(m.Rematch())
        assert bo.table.seat == 1
        assert bo.own.table.stage == 0


async def test_after_the_game_there_is_a_place_in_the_next_one() -> None:
    async with world() as server:
        one = m.TableOptions(Rules(players=3, stages=1), m.Pace.UNTIMED)
        ada, bo = await server.table(one, humans=2)
        await bo.ok(m.LeaveTable())
        await server.play_out(ada)
        cem, dora = server.enter("cem"), server.enter("dora")
        for guest in (bo, cem):
            await guest.ok(m.JoinTable(ada.info.id))
        assert await dora.code(m.JoinTable(ada.info.id)) == "no_bot_seat"
        assert bo.status() is m.Status.OVER
        await ada.ok(m.Rematch())
        assert sorted(guest.table.seat for guest in (ada, bo, cem)) == [0, 1, 2]


@dataclass
class NoTakeovers(MemoryStore):
    """Cannot write a table at which somebody plays on for a bot, while ``refuse``."""

    refuse: bool = True
    refused: int = 0

    async def append(self, change: StoredChange) -> None:
        if self.refuse and change.row and any(seat["since"] for seat in change.row["seats"]):
            self.refused += 1
            raise StoreError("full")
        await super().append(change)


async def test_what_could_not_be_written_has_not_happened() -> None:
    store = NoTakeovers()
    async with world(store=store) as server:
        ada = await server.quick(LONG)
        bo = server.enter("bo")
        await bo.ok(m.JoinTable(ada.info.id))
        while not store.refused:
            if not (ada.owes() and (await ada.bid()).ok):
                assert await server.clock.next()
        assert (bo.table.seat, bo.info.seats[1].claimed) == (-1, "bo")
        assert (ada.own.table.stage, ada.info.spectators) == (0, 1)
        store.refuse = False
        await to_stage(server.clock.next, ada, 1)
        assert bo.table.seat == 1


async def test_after_a_crash_who_took_over_still_has_the_seat_and_the_record_says_so() -> None:
    async with world() as server:
        ada = await server.quick(LONG)
        bo = server.enter("bo")
        await bo.ok(m.JoinTable(ada.info.id))
        await to_stage(server.clock.next, ada, 1)
    async with restarted(server) as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await server.clock.settle()
        assert bo.table.seat == 1
        assert bo.own.table.stage == 1
        assert await server.enter("bo").code(m.JoinTable(ada.info.id)) == "seated_elsewhere"
        bo = server.enter("bo")
        await server.clock.settle()
        await server.play_out(ada, bo)
    (finished,) = server.store.finished.values()
    assert finished.players == ("id-ada", "id-bo", "")
    record = finished.record
    assert [seat["kind"] for seat in record["seats"]] == ["human", "joined", "bot"]
    assert record["seats"][1]["since"] == 2


async def test_a_game_without_an_owner_is_whoever_joins_it() -> None:
    async with world() as server:
        ada = await server.quick(LONG)
        bo = server.enter("bo")
        await bo.ok(m.JoinTable(ada.info.id))
        await ada.ok(m.LeaveTable())
        while bo.table.seat < 0:
            assert await server.clock.next()
        assert bo.heard(m.NewOwner) == [m.NewOwner(1, "bo")]
        assert bo.info.owner == 1
        assert bo.status() is m.Status.PLAYING


async def test_the_bot_plays_on_for_whose_line_dropped_before_the_seat_was_theirs() -> None:
    async with world() as server:
        ada = await server.quick(LONG)
        await to_stage(server.clock.next, ada, 1)
        bo = server.enter("bo")
        joining = asyncio.create_task(bo.submit(m.JoinTable(ada.info.id)))
        await asyncio.sleep(0)  # now it lies in the table's inbox
        bo.visit.close()
        await joining
        await ada.bid()
        while not ada.own.table.rounds:
            assert await server.clock.next(), "nobody bids for the bot's seat"


async def test_who_was_sent_away_gets_no_seat_in_the_moment_before_the_line_is_cut() -> None:
    async with world() as server:
        ada = await server.quick(LONG)
        bo = server.enter("bo")
        await bo.ok(m.JoinTable(ada.info.id))
        bo.visit.feed.close("kicked")
        await to_stage(server.clock.next, ada, 1)
        assert not ada.heard(m.TookOver)


@dataclass
class HeldTakeovers(MemoryStore):
    """Takes its time to write a table at which somebody plays on for a bot."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    waiting: bool = False

    async def append(self, change: StoredChange) -> None:
        if change.row and any(seat["since"] for seat in change.row["seats"]):
            self.waiting = True
            await self.gate.wait()
        await super().append(change)


@pytest.mark.parametrize("elsewhere", ["JoinTable", "WatchTable", "FollowBusiest", "QuickGame"])
async def test_who_goes_elsewhere_as_the_seat_comes_has_not_left_it_for_good(
    elsewhere: str,
) -> None:
    store = HeldTakeovers()
    async with world(store=store) as server:
        ada = await server.quick(LONG)
        bo = server.enter("bo")
        await bo.ok(m.JoinTable(ada.info.id))
        other, third = server.enter("other"), server.enter("third")
        await other.ok(m.CreateTable(LONG))
        await third.ok(m.JoinTable(other.info.id))
        await other.ok(m.AddBot())
        if elsewhere != "JoinTable":
            await other.ok(m.StartGame())
        while not store.waiting:
            if not (ada.owes() and (await ada.bid()).ok):
                assert await server.clock.next()
        there = {
            "JoinTable": m.JoinTable(other.info.id),
            "WatchTable": m.WatchTable(other.info.id),
            "FollowBusiest": m.FollowBusiest(),
            "QuickGame": m.QuickGame(LONG),
        }
        going = asyncio.create_task(bo.code(there[elsewhere]))
        await server.clock.settle()
        store.gate.set()
        assert await going == "seated_elsewhere"
        assert (bo.table.seat, bo.info.id) == (1, ada.info.id)
        assert not bo.info.seats[1].left


async def test_who_waits_has_the_place_in_the_next_game_and_a_bot_that_of_who_left() -> None:
    async with world() as server:
        one = m.TableOptions(Rules(players=4, stages=1), m.Pace.UNTIMED)
        ada, bo = await server.table(one, humans=2)
        await server.play_out(ada, bo)
        cem = server.enter("cem")
        await cem.ok(m.JoinTable(ada.info.id, 2))
        await bo.ok(m.LeaveTable())
        dora = server.enter("dora")
        await dora.ok(m.JoinTable(ada.info.id, 1))
        await dora.ok(m.LeaveTable())
        await ada.ok(m.Rematch())
        assert ada.status() is m.Status.PLAYING
        assert cem.table.seat == 2
        assert [seat.claimed for seat in ada.info.seats] == ["", "", "", ""]
        assert ada.info.seats[1].occupant is m.Occupant.BOT
        eve = server.enter("eve")
        await eve.ok(m.JoinTable(ada.info.id, 3))


async def test_nobody_waits_for_a_next_game_that_nobody_can_ask_for() -> None:
    async with world() as server:
        one = m.TableOptions(Rules(players=3, stages=1), m.Pace.UNTIMED)
        ada = await server.quick(one)
        bo = server.enter("bo")
        await bo.ok(m.WatchTable(ada.info.id))
        await ada.ok(m.LeaveTable())
        while bo.status() is not m.Status.OVER:
            assert await server.clock.next()
        assert await bo.code(m.JoinTable(bo.info.id)) == "no_bot_seat"
