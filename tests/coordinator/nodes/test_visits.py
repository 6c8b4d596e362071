"""Of one person's visits the last one counts, whatever is lost or late."""

import asyncio

from server.coordinator.messages import CreateTable, Player, StartGame
from server.storage.store import StoredChange
from tests.support.nodes import VISITS, House, house
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


async def test_who_comes_in_by_an_earlier_visit_is_shown_the_table_through_the_later_one() -> None:
    async with house("a", "b") as here:
        a, b = here.nodes["a"], here.nodes["b"]
        ada, bo, cleo = (a.guest(name) for name in ("ada", "bo", "cleo"))
        await started(here, ada, bo, cleo)
        before, bo = next(VISITS), b.guest("bo")
        await here.settle()
        # The database has numbered this one before, and has answered late.
        late = Guest(a.lobby.enter(Player("account:bo", "bo", False), visit=before))
        await here.clock.advance(1.0)
        assert late.read().visit.feed.closed == "taken_over"
        (await ada.bid()).raise_if_refused()
        await here.settle()
        assert [seat.has_bid for seat in bo.own.table.seats] == [True, False, False]
