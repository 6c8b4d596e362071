"""Who is out of a stage in which only bots are left need not wait for them."""

from collections.abc import Sequence

from engine.editions import Edition, Rules
from engine.views import TableView
from server.coordinator import messages as m
from server.settings.table_settings import Timing
from tests.support.cups import PLAN, cup
from tests.support.memory_stores import MemoryStore
from tests.support.tables import Guest, World, world

SEED = bytes([7] * 32)


def options(players: int, pace: m.Pace = m.Pace.UNTIMED) -> m.TableOptions:
    return m.TableOptions(Rules(Edition.BGA, players), pace)


def view_of(guest: Guest) -> TableView:
    view = guest.table.table
    assert view is not None
    return view


async def until_out(server: World, losers: Sequence[Guest], others: Sequence[Guest] = ()) -> None:
    """These ``losers`` are out of a stage that is not the last, and the others still in it."""
    while losers[0].status() is m.Status.PLAYING:
        view, out = view_of(losers[0]), [guest.table.seat for guest in losers]
        if view.offer and all(seat.eliminated == (n in out) for n, seat in enumerate(view.seats)):
            return
        owing = [guest for guest in (*losers, *others) if guest.owes()]
        for guest in owing:
            # The highest card takes the high tide most of the time.
            await guest.bid(guest.own.hand[-1 if guest in losers else 0])
        assert owing or await server.clock.next()
    raise AssertionError("that does not come with this seed")


def stage_of(guest: Guest) -> int:
    return view_of(guest).stage


async def test_one_person_who_is_out_waits_for_no_bot_and_has_time_to_read_the_end() -> None:
    async with world(seed=lambda: SEED) as server:
        (ada,) = await server.table(options(5))
        assert ada.info.skip is None
        assert await ada.code(m.Skip()) == "no_skip"
        await until_out(server, [ada])
        stage, before = stage_of(ada), server.clock.time()
        assert ada.info.skip == m.SkipInfo((), 1)
        await ada.ok(m.Skip())
        while stage_of(ada) == stage:
            assert await server.clock.next()
        assert server.clock.time() == before, "no second has passed"
        assert len(ada.heard(m.StageScored)) == stage + 1
        assert ada.info.skip is None, "everybody is in again"
        # What bots do next waits until the end of the stage has been read.
        bids = len(ada.heard(m.BidSealed))
        await server.clock.advance(7)
        assert len(ada.heard(m.BidSealed)) == bids


async def played(*, skip: bool) -> tuple[object, float]:
    """The record of a game in which one person is out soon, and how long it took."""
    store = MemoryStore()
    async with world(store=store, seed=lambda: SEED) as server:
        (ada,) = await server.table(options(5))
        began = server.clock.time()
        while ada.status() is m.Status.PLAYING:
            if ada.owes():
                await ada.bid(ada.own.hand[-1])
            elif skip and ada.info.skip == m.SkipInfo((), 1):
                await ada.ok(m.Skip())
            else:
                assert await server.clock.next()
        took = server.clock.time() - began
    (over,) = store.finished.values()
    return (over.record["deal"], over.record["stages"]), took


async def test_bots_bid_the_same_cards() -> None:
    (slow, long), (fast, short) = await played(skip=False), await played(skip=True)
    assert fast == slow
    assert short < long / 2


async def test_with_a_person_in_the_stage_nobody_can_skip() -> None:
    async with world(seed=lambda: SEED) as server:
        ada, bo = await server.table(options(5), 2)
        await until_out(server, [ada], [bo])
        assert ada.info.skip is None
        assert await ada.code(m.Skip()) == "no_skip"
        # Nor when the person has hung up, and may come back.
        bo.visit.close()
        await server.clock.settle()
        assert await ada.code(m.Skip()) == "no_skip"


async def test_all_who_are_out_and_there_have_to_agree() -> None:
    async with world(seed=lambda: SEED) as server:
        ada, bo = await server.table(options(6), 2)
        await until_out(server, [ada, bo])
        stage, before = stage_of(ada), server.clock.time()
        await ada.ok(m.Skip())
        assert bo.heard(m.Skipped) == [m.Skipped(0, "ada")]
        assert bo.info.skip == m.SkipInfo((0,), 2)
        round_ = view_of(ada).round
        await server.clock.advance(0)
        assert (stage_of(ada), view_of(ada).round) == (stage, round_), "bo has not agreed"
        await bo.ok(m.Skip())
        while stage_of(ada) == stage:
            assert await server.clock.next()
        assert server.clock.time() == before


async def test_who_has_agreed_in_one_game_has_not_in_the_next() -> None:
    async with world(seed=lambda: SEED) as server:
        ada, bo = await server.table(options(6), 2)
        await until_out(server, [ada, bo])
        await ada.ok(m.Skip())
        for each in (ada, bo):
            await each.ok(m.Vote(m.Motion.END))
        for each in (ada, bo):
            await each.ok(m.Rematch())
        await until_out(server, [ada, bo])
        assert ada.info.skip == m.SkipInfo((), 2)


async def test_whoever_hangs_up_is_not_waited_for() -> None:
    async with world(seed=lambda: SEED) as server:
        ada, bo = await server.table(options(6), 2)
        await until_out(server, [ada, bo])
        stage, before = stage_of(ada), server.clock.time()
        await ada.ok(m.Skip())
        bo.visit.close()
        while stage_of(ada) == stage:
            assert await server.clock.next()
        assert server.clock.time() == before


async def test_in_a_tournament_whoever_has_left_may_come_back_to_the_stage() -> None:
    five = m.TournamentPlan("Friday cup", options(5, m.Pace.TIMED), rounds=1, call=PLAN.call)
    async with cup(timing=Timing(), rng=3) as held:
        guests = await held.begun(8, five)
        loser = guests[0]
        others = [each for each in guests[1:] if each.info.id == loser.info.id]
        assert len(others) == 3
        await until_out(held.server, [loser], others)
        for each in others:
            await each.ok(m.LeaveTable())
        await held.clock.settle()
        assert sum(seat.left for seat in loser.info.seats) == 3
        assert loser.info.skip is None
        assert await loser.code(m.Skip()) == "no_skip"
