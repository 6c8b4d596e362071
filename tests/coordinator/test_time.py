"""Clocks: deadlines, substitutes, seats that are away, bots that take their time."""

from functools import partial

import pytest

from engine.editions import Rules
from server.coordinator import messages as m
from server.coordinator.table.decide import decide
from server.coordinator.table.steps import BotsChose, Restarted
from server.coordinator.table.timers import TableTimer, TimerKind
from server.settings.settings import Timing
from tests.support.tables import SHORT, TIMED, Guest, World, world

TIMING = Timing()
DAILY = m.TableOptions(SHORT, m.Pace.CORRESPONDENCE, m.DAY)
FIVE = m.TableOptions(Rules(players=5, stages=1), m.Pace.TIMED, 60)


async def to_round(server: World, number: int, *guests: Guest) -> None:
    """Everybody bids, until the round ``number`` is open."""
    while guests[0].own.table.round < number:
        assert guests[0].status() is m.Status.PLAYING
        for guest in guests:
            if guest.owes():
                await guest.bid()
        if not any(guest.owes() for guest in guests):
            assert await server.clock.next(), "nothing will ever happen again"


@pytest.mark.direct
async def test_the_clock_starts_after_an_allowance_for_reading() -> None:
    async with world() as server:
        ada, bo = await server.table(TIMED, humans=2)
        assert ada.info.deadline == server.clock.time() + 60
        await to_round(server, 1, ada, bo)
        assert ada.info.deadline == server.clock.time() + TIMING.reveal + 60
        assert bo.info is ada.info, "what everybody sees alike is built once"


async def test_time_up_a_bot_bids_this_round_and_twice_in_a_row_makes_away() -> None:
    async with world() as server:
        ada, bo = await server.table(TIMED, humans=2)
        assert (await bo.bid()).ok
        await server.clock.advance(59)
        assert not ada.heard(m.SubstituteBid)
        await server.clock.advance(2)
        assert ada.heard(m.SubstituteBid) == [m.SubstituteBid(0, "ada")]
        assert len(ada.heard(m.RoundResolved)) == 1
        assert not ada.heard(m.WentAway)
        assert (await bo.bid()).ok
        await server.clock.advance(60 + TIMING.reveal)
        assert ada.heard(m.WentAway) == [m.WentAway(0, "ada")]
        assert ada.info.seats[0].away
        assert ada.info.seats[0].strategy
        # From now on a bot bids soon.
        bo.forget()
        await server.clock.advance(TIMING.away - 1.1)
        assert m.BidSealed(0) not in bo.heard(m.BidSealed)
        await server.clock.advance(0.2)
        assert m.BidSealed(0) in bo.heard(m.BidSealed)


async def test_a_bid_in_time_clears_the_miss() -> None:
    async with world() as server:
        ada, bo = await server.table(FIVE, humans=2)
        for _ in range(3):
            assert (await bo.bid()).ok
            await server.clock.advance(61 + TIMING.reveal)
            assert ada.heard(m.SubstituteBid)
            ada.forget()
            await to_round(server, ada.own.table.round + 1, ada, bo)
        assert not ada.heard(m.WentAway)


@pytest.mark.parametrize("by", ["touch", "bid"])
async def test_an_away_player_is_back_with_a_key_and_may_replace_the_bots_bid(by: str) -> None:
    async with world() as server:
        ada, bo = await server.table(TIMED, humans=2)
        while not ada.info.seats[0].away:
            if bo.owes():
                assert (await bo.bid()).ok
            await server.clock.advance(10)
        here = ada.own.table.round
        while not ada.own.bid:
            await server.clock.next()
        assert ada.own.table.round == here
        card = next(card for card in ada.own.hand if card != ada.own.bid)
        if by == "touch":
            await ada.ok(m.Touch())
            assert bo.heard(m.CameBack) == [m.CameBack(0, "ada")]
            await ada.ok(m.Touch())
        assert (await ada.bid(card)).ok
        assert len(bo.heard(m.CameBack)) == 1
        assert not ada.info.seats[0].away
        assert (await bo.bid()).ok
        await server.clock.advance(20)
        resolved = ada.heard(m.RoundResolved)[here]
        assert resolved.result.bids[0] == card
        # Nothing bids for a player who is back.
        bo.forget()
        await server.clock.advance(30)
        assert m.BidSealed(0) not in bo.heard(m.BidSealed)


async def test_a_dropped_line_costs_time_and_then_the_seat_is_away() -> None:
    async with world() as server:
        ada, bo = await server.table(TIMED, humans=2)
        ada.visit.close()
        assert (await bo.bid()).ok
        await server.clock.advance(59)
        assert not bo.heard(m.WentAway)
        await server.clock.advance(2)
        assert bo.heard(m.SubstituteBid)
        assert bo.heard(m.WentAway) == [m.WentAway(0, "ada")]
        again = server.enter("ada")
        await server.clock.settle()
        assert again.table.seat == 0
        assert again.info.seats[0].away, "a line is no key"
        assert bo.heard(m.Reconnected) == [m.Reconnected(0, "ada")]


async def test_with_nobody_connected_bots_wait_for_the_deadline_before_they_bid_for_people() -> (
    None
):
    async with world() as server:
        (ada,) = await server.table(TIMED)
        watcher = server.enter("watcher")
        ada.visit.close()
        await server.clock.advance(61)
        before = len(await rounds(server))
        await server.clock.advance(60)
        assert len(await rounds(server)) == before
        await server.clock.advance(10)
        assert len(await rounds(server)) == before + 1
        ada = server.enter("ada")
        await server.clock.settle()
        assert ada.info.seats[0].away
        await server.clock.advance(TIMING.away + 0.1)
        assert m.BidSealed(0) in ada.heard(m.BidSealed), "somebody waits again"
        watcher.visit.close()


async def rounds(server: World) -> list[object]:
    ((_, entries),) = server.store.games.values()
    return [entry for entry in entries if entry[0] == "tides"]


async def test_correspondence_waits_a_day_and_bids_for_the_away_at_the_deadline() -> None:
    async with world() as server:
        ada, bo = await server.table(DAILY, humans=2)
        ada.visit.close()
        assert (await bo.bid()).ok
        await server.clock.advance(m.DAY - 1)
        assert bo.own.table.round == 0
        await server.clock.advance(2)
        assert bo.own.table.round == 1
        assert bo.info.seats[0].away
        assert (await bo.bid()).ok
        await server.clock.advance(m.DAY - 10)
        assert bo.own.table.round == 1
        bo.visit.close()
        await server.clock.advance(5 * m.DAY)
        bo = await server.back("bo")
        await server.clock.settle()
        assert not bo.info.pause, "a correspondence game goes on with nobody connected"
        assert bo.own.table.round >= 4
        bo.visit.close()
        await server.clock.advance(12 * m.DAY)
        ada = await server.back("ada")
        await server.clock.settle()
        assert ada.status() is m.Status.OVER, "players who look in once a day see how it ended"


async def test_a_stale_deadline_is_ignored() -> None:
    async with world() as server:
        ada, bo = await server.table(TIMED, humans=2)
        await server.clock.advance(50)
        for guest in (ada, bo):
            await guest.ok(m.Vote(m.Motion.PAUSE))
        assert ada.info.pause is m.Pause.VOTED
        assert ada.info.deadline == 0
        await server.clock.advance(1000)
        assert not ada.heard(m.SubstituteBid)
        assert await ada.code(ada.bid_of(ada.own.hand[0])) == "paused"
        await ada.ok(m.Resume())
        assert ada.info.deadline == server.clock.time() + TIMING.reveal + 10
        await server.clock.advance(TIMING.reveal + 9)
        assert not ada.heard(m.SubstituteBid)
        await server.clock.advance(2)
        assert len(ada.heard(m.SubstituteBid)) == 2


async def test_bots_take_their_time_whatever_they_hold() -> None:
    """The same moments of bidding, whatever is dealt."""
    moments = []
    for seed in (bytes(32), bytes(range(32))):
        async with world(seed=partial(bytes, seed)) as server:
            ada = await server.quick(m.TableOptions(Rules(players=5), m.Pace.UNTIMED))
            found = []
            start = server.clock.time()
            while not all(seat.has_bid for seat in ada.own.table.seats[1:]):
                before = len(ada.heard(m.BidSealed))
                await server.clock.next()
                if len(ada.heard(m.BidSealed)) > before:
                    found.append((server.clock.time() - start, ada.heard(m.BidSealed)[-1].seat))
            moments.append(found)
    assert moments[0] == moments[1]
    assert len({when for when, _ in moments[0]}) == 4
    assert all(TIMING.bot_least <= when <= TIMING.bot_most for when, _ in moments[0])


async def test_bots_let_people_read_a_reveal_but_hurry_once_all_have_bid() -> None:
    async with world() as server:
        ada = await server.quick()
        await to_round(server, 1, ada)
        revealed = server.clock.time()
        await server.clock.advance(TIMING.reveal)
        assert not any(seat.has_bid for seat in ada.own.table.seats)
        await to_round(server, 2, ada)
        assert server.clock.time() >= revealed + TIMING.reveal
        revealed = server.clock.time()
        assert (await ada.bid()).ok
        await server.clock.advance(TIMING.hurried_most)
        assert ada.own.table.round == 3


async def test_bots_that_all_wait_for_bid_together_and_are_told_of_once() -> None:
    async with world() as server:
        ada = await server.quick()
        assert (await ada.bid()).ok
        told = len(ada.updates)
        while ada.own.table.round == 0:
            await server.clock.advance(0.01)
        assert len(ada.updates[told:]) == 2, "the own bid, and all others"


async def test_a_bot_that_cheats_is_given_a_card_of_its_hand() -> None:
    async with world(choose=lambda *_: 61) as server:
        ada = await server.quick()
        await server.play_out(ada)


async def test_what_comes_due_together_with_the_reveal_is_stale() -> None:
    """The bots' bids and the deadline fall on the same instant; the bids are first, and reveal."""
    timing = Timing(bot_least=60, bot_most=60, hurried_least=99, hurried_most=99)
    async with world(timing=timing) as server:
        (ada,) = await server.table(TIMED)
        assert (await ada.bid()).ok
        await server.clock.advance(60)
        assert ada.own.table.round == 1
        assert not ada.heard(m.SubstituteBid)
        assert ada.owes()


@pytest.mark.parametrize("old", ["round", "pause", "game"])
async def test_plans_for_another_moment_are_ignored(old: str) -> None:
    async with world() as server:
        ada, bo = await server.table(TIMED, humans=2)
        (actor,) = server.lobby.tables.actors.values()
        before = actor.table.epoch
        if old == "round":
            await to_round(server, 1, ada, bo)
        elif old == "pause":
            for guest in (ada, bo):
                await guest.ok(m.Vote(m.Motion.PAUSE))
            await ada.ok(m.Resume())
        else:
            await server.play_out(ada, bo)
            for guest in (ada, bo):
                await guest.ok(m.Rematch())
        now = actor.table
        assert now.epoch != before
        env = actor._env(Restarted())
        cards = {seat: now.game.stage.hands[seat][0] for seat in range(3)} if now.game else {}
        time_up = TableTimer(0.0, TimerKind.TIME_UP, -1, before)
        assert decide(now, time_up, env).table is now
        for stale in (
            time_up,
            *(TableTimer(0.0, TimerKind.BID, seat, before) for seat in range(3)),
        ):
            assert decide(now, BotsChose(stale, cards), env).table is now
        late = BotsChose(time_up._replace(epoch=now.epoch), cards)
        assert decide(now, late, env).table is not now
