"""Of one person's visits the last one counts, whatever is lost or late."""

import asyncio

from server.coordinator.messages import CreateTable, StartGame
from server.storage.store import StoredChange
from tests.support.nodes import House, house
from tests.support.tables import UNTIMED, Guest


async def started(here: House, *guests: Guest) -> None:
    """They play at a table of the first one's node."""
    await here.clock.advance(1.0)
    await guests[0].ok(CreateTable(UNTIMED))
    await here.clock.advance(1.0)
    await here.seat(guests[0].info.id, *guests[1:])
    await guests[0].ok(StartGame())
    await here.settle()


async def test_a_visit_is_over_as_soon_as_a_later_one_is_heard_of() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada, bo, cleo = (a.guest(name) for name in ("ada", "bo", "cleo"))
        await started(here, ada, bo, cleo)
        old, new = bo.own.hand[:2]
        b.bus.lost = lambda topic: topic in ("changed", "state")
        again = b.guest("bo")
        await here.settle()
        assert (await again.submit(bo.bid_of(new))).ok
        assert await bo.code(bo.bid_of(old)) == "gone"
        b.bus.lost = lambda _topic: False
        await here.clock.advance(2.0)
        assert again.own.bid == new


async def test_what_waits_for_an_earlier_command_when_the_visit_ends_is_not_done() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada, bo, cleo = (a.guest(name) for name in ("ada", "bo", "cleo"))
        await started(here, ada, bo, cleo)
        first, old, new = bo.own.hand[:3]
        gate, append = asyncio.Event(), a.tables.append

        async def slow(change: StoredChange) -> None:
            await gate.wait()
            await append(change)

        a.tables.append = slow  # type: ignore[method-assign]
        asked = [asyncio.create_task(bo.bid(card)) for card in (first, old)]
        await here.settle()
        again = b.guest("bo")
        asked.append(asyncio.create_task(again.submit(bo.bid_of(new))))
        await here.settle()
        gate.set()
        await here.clock.advance(1.0)
        assert [(await each).code for each in asked] == ["ok", "gone", "ok"]
        assert again.own.bid == new
