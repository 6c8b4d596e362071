"""Hints: who may ask, that it is written down, and that each is thought about once."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.bots.review import AnyQuestion
from engine.editions import Rules
from engine.records.record_format import parse
from server.coordinator import messages as m
from server.coordinator.table.ports import Asker, Urgency
from tests.support.bots import Thinker
from tests.support.tables import Guest, World, rated_game, restarted, world

SHORT = m.TableOptions(Rules(players=3, stages=1), m.Pace.UNTIMED)


async def hint(guest: Guest) -> m.Reply:
    return await guest.submit(m.AskHint())


async def test_a_hint_is_thought_about_once_a_round_and_is_in_the_record() -> None:
    think = Thinker()
    async with world(think=think) as server:
        (ada,) = await server.table(SHORT)
        first = await hint(ada)
        assert first.ok
        assert first.hint is not None
        assert [card.card for card in first.hint.cards] == list(ada.own.hand)
        assert first.hint.best in ada.own.hand
        await ada.bid()
        assert await hint(ada) == first
        assert len(think.asked) == 1
        while ada.own.table.round < 2:
            if ada.owes():
                await ada.bid()
            else:
                assert await server.clock.next()
        assert (await hint(ada)).hint != first.hint
        assert [question.view.table.round for question in think.asked] == [0, 2]
    async with restarted(server, think=think) as server:
        ada = server.enter("ada")
        await server.clock.settle()
        await server.play_out(ada)
        (over,) = server.store.finished.values()
        assert over.record["seats"][0] == {"kind": "human", "hints": [[1, 1], [1, 3]]}
        assert "hints" not in over.record["seats"][1]
        assert parse(json.dumps(over.record)).players[0] == "ada"


async def test_a_hint_knows_what_its_player_knows_and_is_told_to_nobody_else() -> None:
    think = Thinker()
    async with world(think=think) as server:
        ada, bo = await server.table(SHORT, humans=2)
        await bo.bid()
        before = bo.visit.feed.now
        assert (await hint(ada)).ok
        assert bo.visit.feed.now is before
        (question,) = think.asked
        assert question.view.hand == ada.own.hand
        assert not any(seat.has_bid for seat in question.view.table.seats)
        assert not set(bo.own.hand) & set(question.view.dealt)


async def test_who_gets_no_hint() -> None:
    think = Thinker()
    async with world(think=think) as server:
        ada = server.enter("ada")
        assert await ada.code(m.AskHint()) == "not_seated"
        await ada.ok(m.CreateTable(SHORT.changed(hints=False)))
        assert await ada.code(m.AskHint()) == "no_hints"
        await ada.ok(m.LeaveTable())
        await ada.ok(m.CreateTable(SHORT))
        assert await ada.code(m.AskHint()) == "not_playing"
    async with world(think=think) as server:
        (ada,) = await server.table(SHORT)
        eve = server.enter("eve")
        await eve.ok(m.WatchTable(ada.info.id))
        assert await eve.code(m.AskHint()) == "not_seated"
        await ada.ok(m.Vote(m.Motion.PAUSE))
        await server.clock.settle()
        assert await ada.code(m.AskHint()) == "paused"
    async with world(think=think) as server:
        (ada,) = await server.table(SHORT)
        await server.play_out(ada)
        assert await ada.code(m.AskHint()) == "game_over"
    async with world(think=think) as server:
        players = await rated_game(server)
        assert await players[0].code(m.AskHint()) == "no_hints"
    assert not think.asked


async def test_a_hint_that_is_noted_in_no_round_is_not_thought_about() -> None:
    think = Thinker()
    async with world(think=think) as server:
        (ada,) = await server.table(SHORT)
        actor = server.lobby.tables.actors[ada.info.id]
        with pytest.raises(m.Refused, match="too_late"):
            await actor.hint(ada.visit.player.id)
    assert not think.asked


async def test_where_nobody_can_think_it_is_asked_again() -> None:
    think = Thinker(able=False)
    async with world(think=think) as server:
        (ada,) = await server.table(SHORT)
        assert await ada.code(m.AskHint()) == "busy"
        think.able = True
        assert (await hint(ada)).ok
        assert len(think.asked) == 2


@dataclass
class Slow:
    """Is asked for hints and thinks about them for ever."""

    asked: list[tuple[Asker, asyncio.Future[Any]]] = field(default_factory=list)

    def __call__(self, _question: AnyQuestion, asker: Asker) -> asyncio.Future[Any]:
        self.asked.append((asker, asyncio.get_running_loop().create_future()))
        return self.asked[-1][1]

    @property
    def cancelled(self) -> list[bool]:
        return [answer.cancelled() for _, answer in self.asked]


async def waiting_for_a_hint(server: World, guest: Guest) -> asyncio.Task[m.Reply]:
    task = asyncio.create_task(hint(guest))
    await server.clock.settle()
    assert not task.done()
    return task


async def test_a_hint_is_not_thought_about_for_who_has_bid() -> None:
    think = Slow()
    async with world(think=think) as server:
        ada, bo = await server.table(SHORT, humans=2)
        first = await waiting_for_a_hint(server, ada)
        other = await waiting_for_a_hint(server, bo)
        await ada.bid()
        await server.clock.settle()
        assert first.done()
        assert first.result().code == "too_late"
        assert think.cancelled == [True, False]
        # Who means to replace the bid may ask again.
        again = await waiting_for_a_hint(server, ada)
        assert think.cancelled == [True, False, False]
        assert [asker.person for asker, _ in think.asked] == ["id-ada", "id-bo", "id-ada"]
        assert {asker.urgency for asker, _ in think.asked} == {Urgency.HINT}
        await bo.bid()
        await server.clock.settle()
        assert other.done()
        assert other.result().code == "too_late"
        while not again.done():
            assert await server.clock.next()
        assert (await again).code == "too_late", "the round is over"


async def test_a_hint_is_not_thought_about_for_who_has_gone() -> None:
    think = Slow()
    async with world(think=think) as server:
        ada, bo = await server.table(SHORT, humans=2)
        asked = await waiting_for_a_hint(server, ada)
        other = await waiting_for_a_hint(server, bo)
        ada.visit.close()
        await server.clock.settle()
        assert asked.done()
        assert asked.result().code == "too_late"
        assert think.cancelled == [True, False]
        ada = server.enter("ada")
        await server.clock.settle()
        again = await waiting_for_a_hint(server, ada)
        assert len(think.asked) == 3
        again.cancel()
        other.cancel()


async def test_bots_think_for_the_people_at_the_table() -> None:
    think = Slow()
    async with world(think=think) as server:
        ada = server.enter("ada", source="192.0.2.1")
        bo = server.enter("bo", source="192.0.2.2")
        await ada.ok(m.CreateTable(SHORT))
        await bo.ok(m.JoinTable(ada.info.id))
        await ada.ok(m.AddBot(-1, "expert"))
        await ada.ok(m.StartGame())
        await server.clock.settle()
        asked = [await waiting_for_a_hint(server, each) for each in (ada, bo)]
        assert [asker for asker, _ in think.asked] == [
            Asker(Urgency.BID, "id-ada", "192.0.2.1"),
            Asker(Urgency.HINT, "id-ada", "192.0.2.1"),
            Asker(Urgency.HINT, "id-bo", "192.0.2.2"),
        ]
        for task in asked:
            task.cancel()
