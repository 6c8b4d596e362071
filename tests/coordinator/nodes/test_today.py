"""Today's tide on several nodes: one day, one try a person, wherever it was begun."""

import asyncio
import random

import pytest

from server.coordinator.events import days
from server.coordinator.events.today import TodaysTide
from server.coordinator.messages import PlayToday, Refusal, SentBack
from server.coordinator.table.steps import Close
from server.storage.events import EventStore
from server.storage.store import StoredChange
from tests.support.nodes import House, house


def day_on(here: House, name: str) -> TodaysTide:
    drawn = random.Random(name)
    here.nodes[name].lobby.shared.new_seed = lambda: drawn.randbytes(32)
    events = EventStore(here.store.database)
    return TodaysTide(here.nodes[name].lobby, events)


async def test_a_try_goes_on_through_another_node() -> None:
    async with house("a", "b") as here:
        a, b = day_on(here, "a"), day_on(here, "b")
        await a.refresh()
        await b.refresh()
        ada = here.nodes["a"].guest("ada")
        await here.settle()
        begun = await ada.submit(PlayToday())
        assert begun.ok
        await here.clock.advance(1.0)
        (await ada.bid()).raise_if_refused()
        dealt = ada.own.dealt
        ada.visit.close()
        await here.clock.advance(1.0)
        again = here.nodes["b"].guest("ada")
        await here.clock.advance(1.0)
        assert (await again.submit(PlayToday())).details == begun.details
        await here.clock.advance(1.0)
        assert again.own.dealt == dealt
        day = await b.page(again.visit.player)
        assert day is not None
        assert day.state == "begun"


async def test_one_day_for_all_nodes_and_one_closes_it() -> None:
    async with house("a", "b") as here:
        nodes = day_on(here, "a"), day_on(here, "b")
        events = EventStore(here.store.database)
        for node in nodes:
            await node.refresh()
        ada, bo = here.nodes["a"].guest("ada"), here.nodes["b"].guest("bo")
        await here.settle()
        tables = [(await one.submit(PlayToday())).details["table"] for one in (ada, bo)]
        await here.clock.advance(1.0)
        assert ada.table.table == bo.table.table or ada.own.dealt == bo.own.dealt
        event = await events.find(days.event_at(here.clock.time()))
        assert event is not None
        here.store.sql("UPDATE events SET closes = :at", at=here.clock.time())
        for node in nodes:
            await node.refresh()
            await here.settle()
        closed = await events.find(event.id)
        assert closed is not None
        assert closed.closed
        for one in (ada, bo):
            assert [each.code for each in one.heard(SentBack)] == ["day_over"]
        assert not set(tables) & here.nodes["a"].lobby.listings.keys()


async def test_a_second_try_is_refused_on_every_node() -> None:
    async with house("a", "b") as here:
        a = day_on(here, "a")
        day_on(here, "b")
        await a.refresh()
        ada = here.nodes["a"].guest("ada")
        await here.settle()
        code = str((await ada.submit(PlayToday())).details["table"])
        await here.clock.advance(1.0)
        assert (await ada.bid()).ok
        await here.clock.advance(5.0)
        await here.nodes["a"].lobby.order(code, Close("closed"))
        await here.clock.advance(1.0)
        again = here.nodes["b"].guest("ada")
        await here.settle()
        assert await again.code(PlayToday()) == Refusal.TODAY_PLAYED


@pytest.mark.parametrize("first", ["a", "b"])
async def test_who_begins_on_two_nodes_at_the_same_moment_has_one_try(first: str) -> None:
    async with house("a", "b") as here:
        days_ = {name: day_on(here, name) for name in "ab"}
        for day in days_.values():
            await day.refresh()
        ada = here.nodes["a"].guest("ada")
        await here.settle()
        here_first = asyncio.create_task(ada.submit(PlayToday()))
        again = here.nodes["b"].guest("ada")
        there = asyncio.create_task(again.submit(PlayToday()))
        # The other one's writing waits.
        other = here.nodes["b" if first == "a" else "a"].tables
        gate, append = asyncio.Event(), other.append

        async def late(change: StoredChange) -> None:
            await gate.wait()
            await append(change)

        other.append = late  # type: ignore[method-assign]
        await here.clock.advance(0.5)
        gate.set()
        await here.clock.advance(1.0)
        (table,) = here.store.rows.values()
        assert (await there).details == {"table": table["id"]}
        assert here_first.done()
        await here.clock.advance(10.0)
        assert (again.info.id, again.table.seat) == (table["id"], 0)
        assert here.nodes["a"].lobby.listings.keys() == {table["id"]}
        assert len(here.store.rows) == 1
        # What is kept of it tells nobody who that is.
        (key,) = here.store.rows
        assert "ada" not in key
