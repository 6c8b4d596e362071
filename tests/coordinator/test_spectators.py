"""What people without a seat see: at once, a round late, or nothing; and all of it in the end."""

import gc
from dataclasses import replace

import pytest

from engine.editions import Rules
from engine.state import Phase
from server.coordinator import messages as m
from server.coordinator.contract import LIMIT
from tests.support.faulty_stores import FullStore
from tests.support.tables import TIMED, UNTIMED, Guest, World, world

DELAYED = replace(TIMED, spectators=m.Spectating.DELAYED)
UNSEEN = replace(UNTIMED, spectators=m.Spectating.NONE)


async def watched(server: World, options: m.TableOptions = DELAYED) -> tuple[Guest, Guest, Guest]:
    ada, bo = await server.table(options, humans=2)
    eve = server.enter("eve")
    await eve.ok(m.WatchTable(ada.info.id))
    return ada, bo, eve


async def play_round(server: World, *guests: Guest) -> None:
    now = guests[0].own.table.round
    while guests[0].own.table.round == now:
        for guest in guests:
            if guest.owes() and guest.own.table.round == now:
                await guest.bid()
        if guests[0].own.table.round == now:
            assert await server.clock.next()


def kinds(happenings: list[m.Happening]) -> list[tuple[str, int]]:
    return [
        (type(each).__name__, each.round)
        for each in happenings
        if isinstance(each, m.TidesTurned | m.RoundResolved)
    ]


async def test_a_delayed_table_shows_nothing_of_the_round_that_goes_on() -> None:
    async with world() as server:
        ada, bo, eve = await watched(server)
        assert eve.table.behind
        view = eve.table.table
        assert view is not None
        assert (view.phase, view.offer, view.round) == (Phase.TIDES, None, 0)
        assert eve.info.deadline == 0
        assert ada.info.deadline > 0
        eve.forget()
        before = eve.table
        await ada.bid()
        await bo.ok(m.Vote(m.Motion.PAUSE))
        await server.clock.settle()
        assert eve.table == before, "neither who has bid nor who votes"
        assert not eve.happenings
        late = server.enter("late")
        await late.ok(m.WatchTable(ada.info.id))
        seen = late.table.table
        assert seen is not None
        assert not any(seat.has_bid for seat in seen.seats)
        assert seen.offer is None


async def test_when_a_round_is_over_all_of_it_is_told_in_order() -> None:
    async with world() as server:
        ada, bo, eve = await watched(server)
        await bo.ok(m.Vote(m.Motion.PAUSE))
        eve.forget()
        await play_round(server, ada, bo)
        assert kinds(eve.read().happenings) == [("RoundResolved", 0)]
        assert eve.heard(m.BidSealed) == ada.heard(m.BidSealed)[-3:]
        assert len(eve.heard(m.Voted)) == 1
        view = eve.table.table
        assert view is not None
        assert (view.round, view.offer) == (1, None)
        assert view.rounds == ada.own.table.rounds
        eve.forget()
        await play_round(server, ada, bo)
        assert kinds(eve.read().happenings) == [("TidesTurned", 1), ("RoundResolved", 1)]


async def test_when_the_game_is_over_everything_is_shown_and_a_rematch_keeps_who_watches() -> None:
    async with world() as server:
        ada, bo, eve = await watched(server)
        await server.play_out(ada, bo)
        await server.clock.settle()
        assert eve.status() is m.Status.OVER
        assert not eve.table.behind
        assert eve.table.table == ada.table.table
        assert eve.table.table is not None
        assert eve.table.table.deal
        assert eve.info.seed
        for guest in (ada, bo):
            await guest.ok(m.Rematch())
        await server.clock.settle()
        assert (eve.status(), eve.info.game, eve.table.seat) == (m.Status.PLAYING, 2, -1)


async def test_a_table_may_refuse_spectators() -> None:
    async with world() as server:
        ada, bo = await server.table(UNTIMED, humans=2, start=False)
        eve = server.enter("eve")
        await eve.ok(m.WatchTable(ada.info.id))
        await ada.ok(m.ChangeOptions(UNSEEN))
        await server.clock.settle()
        assert eve.last.table is None
        assert ada.info.spectators == 0
        assert await eve.code(m.WatchTable(ada.info.id)) == "no_spectators"
        await eve.ok(m.JoinTable(ada.info.id))
        await ada.ok(m.StartGame())
        await bo.ok(m.LeaveTable())
        assert await bo.code(m.WatchTable(ada.info.id)) == "no_spectators"


async def test_tides_stay_untold_also_when_the_server_had_trouble_before() -> None:
    store = FullStore()
    async with world(store=store) as server:
        ada, bo, eve = await watched(server)
        await bo.bid()
        await server.clock.advance(5)
        store.full = True
        assert not (await ada.bid()).ok
        store.full = False
        eve.forget()
        await ada.ok(ada.bid_of(ada.own.hand[0]))
        await server.clock.settle()
        assert eve.heard(m.TroubleOver)
        assert kinds(eve.happenings) == [("RoundResolved", 0)]
        await play_round(server, ada, bo)
        assert kinds(eve.read().happenings)[1:] == [("TidesTurned", 1), ("RoundResolved", 1)]


async def test_that_the_server_closes_is_told_at_once() -> None:
    async with world() as server:
        *_, eve = await watched(server)
        when = server.clock.time() + 60
        server.lobby.announce_closing(when)
        await server.clock.settle()
        assert eve.heard(m.Closing) == [m.Closing(when)]
        assert eve.info.closing == when
        assert eve.table.behind


async def test_who_will_play_on_for_a_bot_is_told_at_once() -> None:
    async with world() as server:
        ada = await server.quick(replace(DELAYED, rules=Rules(players=3)))
        eve, fay = server.enter("eve"), server.enter("fay")
        await fay.ok(m.WatchTable(ada.info.id))
        await eve.ok(m.JoinTable(ada.info.id))
        await server.clock.settle()
        for guest in (ada, eve, fay):
            assert guest.heard(m.Claimed) == [m.Claimed(1, "eve")]
            assert guest.info.seats[1].claimed == "eve"
        await ada.bid()
        await server.clock.advance(60)
        assert fay.heard(m.Claimed) == [m.Claimed(1, "eve")]


async def test_what_players_say_is_heard_a_round_later_too() -> None:
    async with world() as server:
        ada, bo, eve = await watched(server)
        said = m.Say(m.Room.TABLE, "I have high cards")
        await ada.ok(said)
        await eve.ok(m.Say(m.Room.TABLE, "who wins?"))
        await server.clock.advance(1)
        assert [line.text for line in heard(eve)] == ["who wins?"]
        assert [line.text for line in heard(bo)] == ["I have high cards", "who wins?"]
        late = server.enter("late")
        await late.ok(m.WatchTable(ada.info.id))
        await server.clock.advance(1)
        assert [line.text for line in heard(late)] == ["who wins?"]
        await play_round(server, ada, bo)
        await server.clock.advance(1)
        for guest in (eve, late):
            assert [line.text for line in heard(guest)].count("I have high cards") == 1
        await server.play_out(ada, bo)
        await ada.ok(m.Say(m.Room.TABLE, "well played"))
        await server.clock.advance(1)
        assert heard(eve)[-1].text == "well played"


def heard(guest: Guest) -> list[m.ChatLine]:
    guest.read()
    return [line for update in guest.updates for line in update.chat]


async def test_who_comes_later_hears_what_players_said_once_and_nothing_is_lost() -> None:
    async with world() as server:
        ada, bo = await server.table(DELAYED, humans=2)
        await ada.ok(m.Say(m.Room.TABLE, "in the first round"))
        await play_round(server, ada, bo)
        await ada.ok(m.Say(m.Room.TABLE, "in the second"))
        await server.clock.advance(0.5)
        eve = server.enter("eve")
        await eve.ok(m.WatchTable(ada.info.id))
        await server.clock.settle()
        assert [(line.text, line.old) for line in heard(eve)] == [("in the first round", True)]
        await play_round(server, ada, bo)
        assert [line.text for line in heard(eve)] == ["in the first round", "in the second"]
        fay = server.enter("fay")
        await fay.ok(m.WatchTable(ada.info.id))
        await play_round(server, ada, bo)
        assert [line.text for line in heard(fay)] == ["in the first round", "in the second"]
        assert len(heard(eve)) == 2


@pytest.mark.direct
async def test_what_happens_in_a_round_without_end_is_kept_in_bounds_for_who_watches() -> None:
    async with world() as server:
        ada, bo, eve = await watched(server)
        for agree in [True, False] * (2 * LIMIT):
            await ada.ok(m.Vote(m.Motion.END, agree=agree))
        kept = sum(isinstance(each, m.Voted) for each in gc.get_objects())
        assert kept < 3 * LIMIT
        await play_round(server, ada, bo)
        assert eve.last.resynced
