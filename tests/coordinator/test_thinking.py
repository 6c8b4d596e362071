"""Bots that think: from when the tides turn, beside the event loop, until their time has come."""

import asyncio
import pickle
from dataclasses import dataclass, field

import pytest

from engine.bots import Question
from engine.bots.review import AnyQuestion
from engine.bots.tidal import choose as tidal
from engine.editions import Rules
from server.coordinator import messages as m
from server.coordinator.table.actor import TableActor
from server.coordinator.table.bids import thought
from server.coordinator.table.ports import Asker, Urgency
from server.coordinator.table.state import Table, Thought
from server.coordinator.table.steps import Close
from server.settings.settings import Timing
from tests.support.tables import TIMED, UNTIMED, Guest, World, restarted, world

TIMING = Timing()


@dataclass
class Asked:
    question: Question
    asker: Asker
    answer: asyncio.Future[int]

    @property
    def seat(self) -> int:
        return self.question.view.seat

    @property
    def highest(self) -> int:
        return self.question.view.hand[-1]

    def think(self) -> None:
        """Of the highest card."""
        self.answer.set_result(self.highest)


@dataclass
class Pool:
    """In which bots think until they are told what they have thought."""

    asked: list[Asked] = field(default_factory=list)

    def __call__(self, question: AnyQuestion, asker: Asker) -> asyncio.Future[int]:
        assert isinstance(question, Question)
        self.asked.append(Asked(question, asker, asyncio.get_running_loop().create_future()))
        return self.asked[-1].answer

    def take(self) -> list[Asked]:
        asked, self.asked = self.asked, []
        return asked


async def against_master(server: World, options: m.TableOptions = UNTIMED) -> Guest:
    """Somebody plays with one bot that thinks and others that do not."""
    ada = server.enter("ada")
    await ada.ok(m.CreateTable(options))
    await ada.ok(m.AddBot(1, "master"))
    for _ in range(2, options.rules.players):
        await ada.ok(m.AddBot())
    await ada.ok(m.StartGame())
    await server.clock.settle()
    return ada


def actor(server: World) -> TableActor:
    (one,) = server.lobby.tables.actors.values()
    return one


def bids(server: World) -> list[bool]:
    return [card is not None for card in actor(server).table.bids]


async def test_it_thinks_while_others_do_and_bids_at_its_time_only() -> None:
    pool = Pool()
    async with world(think=pool) as server:
        ada = await against_master(server)
        (asked,) = pool.take()
        assert asked.seat == 1
        assert asked.asker.urgency is Urgency.BID
        asked.think()
        await server.clock.advance(TIMING.bot_least / 2)
        assert bids(server) == [False, False, False]
        await server.clock.advance(TIMING.bot_most)
        assert bids(server) == [False, True, True]
        assert actor(server).table.bids[1] == asked.highest
        assert not pool.asked, "nothing to think of before the next round"
        await ada.bid()
        (asked,) = pool.take()
        assert asked.question.view.table.round == 1
        tally = server.lobby.shared.tally
        assert (tally.thinking_fallbacks, tally.thinking_seconds.count) == (0, 1)


async def test_what_is_thought_is_told_to_nobody() -> None:
    pool = Pool()
    async with world(think=pool) as server:
        ada = await against_master(server)
        ada.forget()
        before = ada.visit.feed.now
        (asked,) = pool.take()
        asked.think()
        await server.clock.settle()
        assert ada.visit.feed.now is before
        assert str(asked.highest) not in repr(actor(server).table)


async def test_it_is_waited_for_a_little_and_then_another_bot_bids() -> None:
    pool = Pool()
    async with world(think=pool) as server:
        await against_master(server)
        (asked,) = pool.take()
        await server.clock.advance(TIMING.bot_most)
        assert bids(server) == [False, False, True]
        await server.clock.advance(TIMING.thinking)
        view, history = asked.question.view, asked.question.history
        assert actor(server).table.bids[1] == tidal(view, history, server.lobby.tables._rng)
        assert asked.answer.cancelled()
        assert server.lobby.shared.tally.thinking_fallbacks == 1


async def test_what_comes_late_is_bid_at_once() -> None:
    pool = Pool()
    async with world(think=pool) as server:
        ada = await against_master(server)
        (asked,) = pool.take()
        await server.clock.advance(TIMING.bot_most)
        await ada.bid()
        await server.clock.advance(TIMING.hurried_most)
        assert bids(server) == [True, False, True]
        asked.think()
        await server.clock.advance(0)
        assert ada.own.table.round == 1
        assert ada.own.table.rounds[0].bids[1] == asked.highest


@pytest.mark.parametrize("card", [0, 61])
async def test_for_a_bot_that_cannot_choose_another_one_does_in_time(card: int) -> None:
    pool = Pool()
    async with world(think=pool) as server:
        await against_master(server)
        (asked,) = pool.take()
        asked.answer.set_result(card)
        await server.clock.advance(TIMING.bot_most)
        assert bids(server) == [False, True, True]
        view, history = asked.question.view, asked.question.history
        assert actor(server).table.bids[1] == tidal(view, history, server.lobby.tables._rng)
        assert server.lobby.shared.tally.thinking_fallbacks == 1


async def test_where_a_game_counts_it_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "counts", True)
    pool = Pool()
    async with world(think=pool) as server:
        ada = await against_master(server, TIMED)
        (asked,) = pool.take()
        assert asked.asker.urgency is Urgency.COUNTS
        await server.clock.advance(TIMED.seconds + 600)
        assert bids(server) == [True, False, True], "for people, others bid when time is up"
        assert server.clock.due is None or server.clock.due > server.clock.time() + 60
        asked.think()
        await server.clock.advance(0)
        assert ada.own.table.rounds[0].bids[1] == asked.highest
        assert server.lobby.shared.tally.thinking_fallbacks == 0


async def test_what_was_thought_of_an_earlier_round_is_forgotten() -> None:
    pool = Pool()
    async with world(think=pool) as server:
        ada = await against_master(server)
        (asked,) = pool.take()
        first = actor(server).table
        late = Thought(*first.epoch[:3], 1, asked.highest)
        await ada.bid()
        await server.clock.advance(TIMING.bot_most + TIMING.thinking)
        now = actor(server).table
        assert now.epoch.round == 1
        assert thought(now, late).table is now
        assert thought(now, late._replace(seat=0)).table is now, "nor of a person's bid"
        again = thought(now, late._replace(round=1)).table
        assert again.thought(1) == asked.highest
        assert thought(again, late._replace(round=1, card=1)).table is again, "it has chosen"


async def test_the_same_is_asked_again_after_a_restart_and_after_other_bids() -> None:
    pool = Pool()
    async with world(think=pool) as server:
        ada = await against_master(server)
        for _ in range(3):
            await ada.bid()
            pool.take()[-1].think()
            await server.clock.advance(TIMING.bot_most + TIMING.reveal)
        (asked,) = pool.take()
        await ada.bid()
        await server.clock.advance(TIMING.hurried_most)
        assert bids(server) == [True, False, True]
    async with restarted(server, think=pool, rng=7) as server:
        await server.clock.settle()
        assert not pool.asked, "nobody is there"
        server.enter("ada")
        await server.clock.settle()
        (again,) = pool.take()
        assert again.question == asked.question
        assert pickle.loads(pickle.dumps(again.question)) == asked.question
        assert len(pickle.dumps(again.question)) < 2000


async def test_nobody_thinks_while_the_game_stands_still() -> None:
    pool = Pool()
    async with world(think=pool, timing=Timing(suspend=1.0)) as server:
        ada = await against_master(server)
        (asked,) = pool.take()
        ada.visit.close()
        await server.clock.advance(1.0)
        assert actor(server).table.pause
        assert asked.answer.cancelled()
        server.enter("ada")
        await server.clock.settle()
        assert [each.question for each in pool.take()] == [asked.question]


async def test_in_games_left_to_bots_it_thinks_when_it_is_their_turn() -> None:
    pool = Pool()
    async with world(think=pool) as server:
        ada = await against_master(
            server, m.TableOptions(Rules(players=3, stages=1), m.Pace.UNTIMED)
        )
        (asked,) = pool.take()
        await ada.ok(m.LeaveTable())
        assert asked.answer.cancelled()
        rounds = 0
        while server.lobby.tables.actors:
            await server.clock.advance(60)
            for each in pool.take():
                rounds += 1
                each.think()
            await server.clock.settle()
        assert rounds
        assert server.lobby.shared.tally.thinking_fallbacks == 0


async def test_a_table_that_is_closed_does_not_have_anybody_think() -> None:
    pool = Pool()
    async with world(think=pool) as server:
        ada = await against_master(server)
        await server.lobby.order(ada.info.id, Close("closed"))
        (asked,) = pool.take()
        assert asked.answer.cancelled()
