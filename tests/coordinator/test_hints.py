"""Hints: who may ask, that it is written down, and that each is thought about once."""

import asyncio
import json

import pytest

from engine.editions import Rules
from engine.record import parse
from server.coordinator.messages import (
    AddBot,
    AskHint,
    CreateTable,
    LeaveTable,
    Motion,
    Pace,
    Refused,
    Reply,
    StartGame,
    TableOptions,
    Vote,
    WatchTable,
)
from server.coordinator.nodes.peer import RemoteTable
from tests.support.bots import Thinker
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryStore, copy_of
from tests.support.nodes import house
from tests.support.tables import Guest, rated_game, world

SHORT = TableOptions(Rules(players=3, stages=1), Pace.UNTIMED)


async def hint(guest: Guest) -> Reply:
    return await guest.submit(AskHint())


async def test_a_hint_is_thought_about_once_a_round_and_is_in_the_record() -> None:
    think, store = Thinker(), MemoryStore()
    async with world(think=think, store=store) as server:
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
        remains, clock = copy_of(store), FakeClock(server.clock.time() + 9)
    async with world(think=think, store=remains, clock=clock) as server:
        await server.lobby.recover()
        ada = server.enter("ada")
        await server.clock.settle()
        await server.play_out(ada)
        (over,) = remains.finished.values()
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
        assert await ada.code(AskHint()) == "not_seated"
        await ada.ok(CreateTable(SHORT.changed(hints=False)))
        assert await ada.code(AskHint()) == "no_hints"
        await ada.ok(LeaveTable())
        await ada.ok(CreateTable(SHORT))
        assert await ada.code(AskHint()) == "not_playing"
    async with world(think=think) as server:
        (ada,) = await server.table(SHORT)
        eve = server.enter("eve")
        await eve.ok(WatchTable(ada.info.id))
        assert await eve.code(AskHint()) == "not_seated"
        await ada.ok(Vote(Motion.PAUSE))
        await server.clock.settle()
        assert await ada.code(AskHint()) == "paused"
    async with world(think=think) as server:
        (ada,) = await server.table(SHORT)
        await server.play_out(ada)
        assert await ada.code(AskHint()) == "game_over"
    async with world(think=think) as server:
        players = await rated_game(server)
        assert await players[0].code(AskHint()) == "no_hints"
    assert not think.asked


async def test_a_hint_that_is_noted_in_no_round_is_not_thought_about() -> None:
    think = Thinker()
    async with world(think=think) as server:
        (ada,) = await server.table(SHORT)
        actor = server.lobby.tables.actors[ada.info.id]
        with pytest.raises(Refused, match="too_late"):
            await actor.advise(ada.visit.player.id)
    assert not think.asked


async def test_a_hint_whose_round_is_over_before_it_is_thought_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    think, gate, real = Thinker(), asyncio.Event(), RemoteTable.advise

    async def late(table: RemoteTable, player: str) -> Reply:
        await gate.wait()
        return await real(table, player)

    monkeypatch.setattr(RemoteTable, "advise", late)
    async with house("a", "b") as here:
        here.nodes["a"].lobby.shared.think = think
        ada, bo = here.nodes["a"].guest("ada"), here.nodes["b"].guest("bo")
        await here.clock.advance(1)
        await ada.ok(CreateTable(SHORT))
        await here.clock.advance(1)
        await here.seat(ada.info.id, bo)
        await ada.ok(AddBot())
        await ada.ok(StartGame())
        await here.clock.advance(4)
        asked = asyncio.create_task(hint(bo))
        await here.settle()
        for guest in (bo, ada):
            assert (await guest.bid()).ok
        await here.clock.advance(8)
        assert ada.own.table.round == 1
        gate.set()
        assert (await asked).code == "too_late"
        assert (await hint(bo)).ok
    assert [question.view.table.round for question in think.asked] == [1]


async def test_where_nobody_can_think_it_is_asked_again() -> None:
    think = Thinker(able=False)
    async with world(think=think) as server:
        (ada,) = await server.table(SHORT)
        assert await ada.code(AskHint()) == "busy"
        think.able = True
        assert (await hint(ada)).ok
        assert len(think.asked) == 2


@pytest.mark.parametrize("rated", [False, True])
def test_hints_go_with_every_option_but_rated(rated: bool) -> None:
    options = SHORT.changed(rated=rated)
    assert options.hints
    assert TableOptions.from_plain(options.to_plain()) == options
    plain = {name: value for name, value in options.to_plain().items() if name != "hints"}
    assert TableOptions.from_plain(plain).hints
