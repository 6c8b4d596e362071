"""Who is out of a stage in which only bots are left need not wait for them."""

from collections.abc import Sequence
from typing import Any

from engine.editions import Edition, Rules
from engine.views import TableView
from server.coordinator import messages as m
from server.settings.settings import Timing
from tests.support.cups import PLAN, Cup, cup
from tests.support.memory_stores import MemoryStore
from tests.support.tables import Guest, World, world

SEED = bytes([7] * 32)
FEW_PRESERVERS = (2867).to_bytes(32, "big")
"""With this deal, three people who want that are out of a stage while three bots play on."""


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
        await until_out(server, [ada])
        assert ada.info.skip == m.SkipInfo((), 1), "which is asked for in each stage"


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
    async with cup(timing=Timing(countdown=0)) as held:
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


async def a_round_of_two_tables(held: Cup, *, skip: bool) -> None:
    """Seven play in it: at one table three with three bots, who bid high until they are out."""
    plan = m.TournamentPlan(
        "Friday cup",
        m.TableOptions(Rules(Edition.BGA, 6, stages=2), m.Pace.TIMED, bots="cautious"),
        rounds=2,
        call=PLAN.call,
        pause=0,
    )
    await held.begun(8, plan)
    await held.direct(m.Directing.CLOSE)
    await held.guests[-1].ok(m.WithdrawFromTournament(held.id))
    await held.direct(m.Directing.BEGIN)
    await held.clock.settle()
    players = held.guests[:-1]
    few = [each for each in players if people_of(each) == 3]
    many = [each for each in players if each not in few]
    assert (len(few), len(many)) == (3, 4)
    while held.held.play.open_round is not None:
        if skip and few[0].info.skip == m.SkipInfo((), 3):
            await all_skip(held, few, many)
        owing = [each for each in players if each.last.table is not None and each.owes()]
        for each in owing:
            await each.bid(each.own.hand[-1 if each in few else 0])
        assert owing or await held.clock.next()


def people_of(guest: Guest) -> int:
    return sum(seat.occupant is m.Occupant.HUMAN for seat in guest.info.seats)


async def all_skip(held: Cup, few: Sequence[Guest], many: Sequence[Guest]) -> None:
    """To the end of the stage; those at the other table neither hear of it nor wait less."""
    stage, there, before = stage_of(few[0]), many[0].forget().table, held.clock.time()
    for each in few:
        await each.ok(m.Skip())
    while few[0].status() is m.Status.PLAYING and stage_of(few[0]) == stage:
        assert await held.clock.next()
    assert held.clock.time() == before
    many[0].read()
    assert (many[0].table, many[0].happenings) == (there, [])
    (info,) = many[0].last.tournaments
    assert (info.phase, info.tables, info.winners) == (m.TournamentPhase.PLAYING, 2, ())
    # What has been made of the hands is nobody's to see before the round is over.
    view = await held.view(many[0])
    assert (len(view.seeds), {len(row.rounds) for row in view.rows}) == (1, {1})
    assert held.server.lobby.feed.snapshot().games == ()


async def test_in_a_round_of_a_tournament_a_skip_changes_no_result_and_ends_nothing_early() -> None:
    results, skips = list[Any](), 0
    for skip in (False, True):
        async with cup(timing=Timing(countdown=0), seed=lambda: FEW_PRESERVERS) as held:
            await a_round_of_two_tables(held, skip=skip)
            skips += len([it for each in held.guests for it in each.heard(m.Skipped)])
            standings = (await held.directory.record(held.id))["standings"]
            games = [over.record for over in held.store.finished.values()]
            cards = sorted((game["table"], game["stages"], game["seats"]) for game in games)
            results.append((standings, cards))
    slow, fast = results
    assert skips, "they have"
    assert fast == slow
