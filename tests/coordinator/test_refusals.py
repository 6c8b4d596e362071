"""Commands that are refused, and what becomes of a table when its store refuses or our own code fails."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from msgspec import structs

from engine.editions import Rules
from server import StoreError
from server.coordinator import messages as m
from server.storage.table_store import StoredChange
from tests.support.faulty_stores import FullStore, HeldStore
from tests.support.tables import UNTIMED, Guest, rated_game, world
from tests.support.through_frames import enter

FIVE = m.TableOptions(Rules(players=5), m.Pace.UNTIMED, hints=False)
RATED = m.TableOptions(Rules(players=3), rated=True)


async def refused(*tried: tuple[Guest, Any, str]) -> None:
    """Each is refused to the one who asks for it, with that code."""
    for guest, command, code in tried:
        assert (command, await guest.code(command)) == (command, code)


async def test_what_is_refused_before_a_game() -> None:
    async with world() as server:
        ada, bo = await server.table(FIVE, humans=2, start=False)
        table, cem, dora = ada.info.id, server.enter("cem"), server.enter("dora")
        owners = m.AddBot(), m.RemoveSeat(0), m.ChangeOptions(UNTIMED), m.StartGame(), m.HandOver(1)
        await refused(
            (cem, m.JoinTable(table, 1), "seat_taken"),
            (cem, m.JoinTable(table, 5), "no_such_seat"),
            (cem, m.CreateTable(replace(RATED, pace=m.Pace.FAST, seconds=60)), "rated_fast"),
            (cem, m.CreateTable(UNTIMED, deal="!"), "bad_deal"),
            (cem, m.PlayToday(), "no_today"),
            (cem, m.EnterTournament("cup"), "no_such_tournament"),
            (bo, m.JoinTable(table), "seated_elsewhere"),
            (bo, m.WatchTable(table), "seated_elsewhere"),
            *((bo, command, "not_owner") for command in owners),
            (bo, m.PlaceBid(1, 0, 0), "not_playing"),
            (bo, m.Vote(m.Motion.END), "not_playing"),
            (bo, m.Resume(), "not_paused"),
            (bo, m.Rematch(), "not_over"),
            (ada, m.StartGame(), "seats_empty"),
            (ada, m.AddBot(1), "seat_taken"),
            (ada, m.AddBot(9), "no_such_seat"),
            (ada, m.AddBot(-1, "clairvoyant"), "no_such_strategy"),
            (ada, m.RemoveSeat(2), "seat_empty"),
            (ada, m.RemoveSeat(0), "own_seat"),
            (ada, m.RemoveSeat(-2), "no_such_seat"),
            (ada, m.HandOver(3), "no_human"),
            (ada, m.HandOver(7), "no_such_seat"),
            (ada, m.KeepSeat(0, "x"), "seat_not_empty"),
            (ada, m.KeepSeat(9, "x"), "no_such_seat"),
            (ada, m.MoveSeat(0, 5), "no_such_seat"),
            (ada, m.MoveSeat(2, 0), "seat_empty"),
            (ada, m.SetWord("no word"), "word_form"),
            (ada, m.ChangeOptions(m.TableOptions(seconds=1)), "seconds"),
        )
        await ada.ok(m.KeepSeat(2, "zoe"))
        await cem.ok(m.JoinTable(table))
        await dora.ok(m.JoinTable(table))
        eve = server.enter("eve")
        await refused(
            (eve, m.JoinTable(table), "seat_kept"),
            (eve, m.JoinTable(table, 2), "seat_kept"),
            (ada, m.AddBot(), "seat_kept"),
            (ada, m.ChangeOptions(UNTIMED), "too_many_seated"),
        )
        await ada.ok(m.KeepSeat(2))
        await ada.ok(m.AddBot())
        await refused((ada, m.AddBot(), "table_full"), (eve, m.JoinTable(table), "table_full"))


async def test_what_is_refused_during_a_game_and_after_it() -> None:
    async with world() as server:
        fay, *_ = await rated_game(server)
        eve = server.enter("eve")
        await refused((eve, m.JoinTable(fay.info.id), "already_playing"))
    async with world() as server:
        ada, bo = await server.table(UNTIMED, humans=2)
        changes = (
            m.MoveSeat(0, 1),
            m.KeepSeat(0, "x"),
            m.AddBot(),
            m.RemoveSeat(2),
            m.ChangeOptions(UNTIMED),
        )
        await refused(
            *((ada, command, "not_open") for command in changes),
            (ada, m.StartGame(), "already_playing"),
            (ada, m.Skip(), "no_skip"),
            (ada, m.Guess(1, 0, 0), "no_guess"),
            *((ada, m.Vote(m.Motion.REPLACE, seat), "not_absent") for seat in (1, 77, -1)),
        )
        first = ada.bid_of(ada.own.hand[0])
        await server.play_out(ada, bo)
        server.lobby.announce_closing(server.clock.time() + 60)
        await server.clock.settle()
        await refused(
            (ada, first, "too_late"),
            (ada, structs.replace(first, stage=9), "game_over"),
            (ada, m.StartGame(), "not_open"),
            (ada, m.Rematch(), "closing"),
            (server.enter("cem"), m.CreateTable(UNTIMED), "closing"),
        )


async def test_a_refusal_changes_nothing_and_tells_nobody() -> None:
    async with world() as server:
        ada, bo = await server.table(FIVE, humans=2, start=False)
        bo.forget()
        for command in (
            m.StartGame(),
            m.AddBot(0),
            m.HandOver(4),
            m.ChangeOptions(m.TableOptions(seconds=1)),
        ):
            assert not (await ada.submit(command)).ok
        assert bo.visit.feed.take() is None


async def test_a_mistake_at_one_table_leaves_it_and_all_others_alive() -> None:
    seeds = iter([bytes(32), b"no seed"])

    async with world(seed=lambda: next(seeds)) as server:
        cem = await server.quick(name="cem")
        ada, bo = await server.table(humans=2, start=False)
        await ada.ok(m.AddBot())
        assert await ada.code(m.StartGame()) == "internal"
        assert bo.heard(m.Trouble) == [m.Trouble("internal")]
        await bo.ok(m.LeaveTable())
        assert (await cem.bid()).ok


async def test_a_full_disk_refuses_the_bid_and_says_so_and_then_it_goes_on() -> None:
    store = FullStore()
    async with world(store=store) as server:
        ada, bo = await server.table(humans=2)
        assert (await ada.bid(ada.own.hand[0])).ok
        before = ada.own
        store.full = True
        for card in ada.own.hand[1:4]:
            reply = await ada.bid(card)
            assert (reply.code, reply.details) == ("storage", {"reason": "full"})
        assert ada.own == before
        assert bo.heard(m.Trouble) == [m.Trouble("storage")], "once, not for every attempt"
        # The bot's bid is tried again until there is room.
        await server.clock.advance(60)
        assert not ada.own.table.seats[2].has_bid
        store.full = False
        await server.clock.advance(3)
        assert ada.own.table.seats[2].has_bid
        assert bo.heard(m.TroubleOver) == [m.TroubleOver()]
        assert bo.heard(m.Trouble) == [m.Trouble("storage")]
        await server.play_out(ada, bo)
        assert len(store.finished) == 1


async def test_a_full_disk_when_leaving_joining_and_coming_back() -> None:
    store = FullStore()
    async with world(store=store) as server:
        ada, bo = await server.table(humans=2, start=False)
        cem = server.enter("cem")
        watcher = server.enter("watcher")
        await watcher.ok(m.WatchTable(ada.info.id))
        store.full = True
        assert await cem.code(m.JoinTable(ada.info.id)) == "storage"
        assert cem.lobby.tables
        assert await watcher.code(m.JoinTable(ada.info.id)) == "storage"
        assert watcher.table.seat == -1
        assert await ada.code(m.LeaveTable()) == "storage"
        assert ada.table.seat == 0
        bo.visit.close()
        await server.clock.advance(100)
        assert ada.info.seats[1].name == "bo"
        store.full = False
        await server.clock.advance(3)
        assert ada.info.seats[1].name == ""
        await watcher.ok(m.JoinTable(ada.info.id))
        assert watcher.table.seat == 1


async def test_what_is_in_progress_when_the_server_stops_is_answered() -> None:
    store = HeldStore()
    async with world(store=store) as server:
        ada = server.enter("ada")
        waiting = [asyncio.create_task(ada.submit(m.CreateTable(UNTIMED))) for _ in range(2)]
        await server.clock.settle()
        await server.lobby.close()
        assert {(await task).code for task in waiting} == {"closing"}
        assert ada.last.closed == "shutdown"
        assert enter(server.lobby, ada.visit.player).feed.take() is not None


@dataclass
class SoonFullStore(FullStore):
    """Has room for so many more writes, if that is set."""

    room: int = -1

    async def append(self, change: StoredChange) -> None:
        if self.room == 0:
            raise StoreError("full")
        self.room -= 1
        await super().append(change)


async def test_a_vote_that_could_not_be_carried_out_is_when_there_is_room() -> None:
    store = SoonFullStore()
    async with world(store=store) as server:
        ada, bo = await server.table(humans=2)
        await ada.ok(m.Vote(m.Motion.END))
        store.room = 1  # for the vote, but not for what it leads to
        assert await bo.code(m.Vote(m.Motion.END)) == "storage"
        assert ada.status() is m.Status.PLAYING
        await server.clock.advance(10)
        assert ada.status() is m.Status.PLAYING
        store.room = -1
        await server.clock.advance(3)
        assert ada.info.ended is m.Ended.VOTED


async def test_another_game_that_could_not_begin_does_when_there_is_room() -> None:
    store = SoonFullStore()
    async with world(store=store) as server:
        ada, bo = await server.table(humans=2)
        await server.play_out(ada, bo)
        await ada.ok(m.Rematch())
        store.room = 1
        assert await bo.code(m.Rematch()) == "storage"
        await server.clock.advance(600)
        assert ada.status() is m.Status.OVER
        store.room = -1
        await server.clock.advance(3)
        assert ada.status() is m.Status.PLAYING
