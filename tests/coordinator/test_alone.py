"""Games that are left to their bots are played to their end, one at a time."""

from dataclasses import dataclass, field

import pytest

from server import StoreError
from server.coordinator.messages import LeaveTable, QuickGame, WatchTable
from server.coordinator.table.steps import Close
from server.storage.table_store import StoredChange
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryStore
from tests.support.tables import UNTIMED, Guest, World, world


async def left_games(server: World, count: int) -> list[Guest]:
    people = [server.enter(f"eve{number}") for number in range(count)]
    for one in people:
        await one.ok(QuickGame(UNTIMED))
    for one in people:
        await one.ok(LeaveTable())
    return people


async def test_one_game_after_another_is_played_to_its_end() -> None:
    store = MemoryStore()
    begun: list[int] = []
    async with world(store=store) as server:
        await left_games(server, 5)
        before = {key: len(entries) for key, (_, entries) in store.games.items()}
        while store.games:
            begun.append(sum(len(e) > before[key] for key, (_, e) in store.games.items()))
            assert await server.clock.next()
        assert len(store.finished) == 5
        assert not server.lobby.shared.one_alone.locked()
    assert max(begun) == 1, "never two at a time"


async def test_who_comes_to_watch_has_the_bots_bid_at_once() -> None:
    async with world() as server:
        await left_games(server, 5)
        *_, last = server.lobby.feed.snapshot().tables
        watcher = server.enter("watcher")
        await watcher.ok(WatchTable(last.id))
        await server.clock.advance(3)
        table = watcher.table.table
        assert table is not None
        assert table.round == 1, "at the usual pace, whoever else waits"


@dataclass
class Failing(MemoryStore):
    """Refuses so many writes."""

    left: int = 0

    async def append(self, change: StoredChange) -> None:
        if self.left:
            self.left -= 1
            raise StoreError("full")
        await super().append(change)


async def test_a_round_that_could_not_be_written_is_tried_again() -> None:
    store = Failing()
    async with world(store=store) as server:
        await left_games(server, 2)
        store.left = 3
        await server.clock.advance(60)
        assert len(store.finished) == 2


@dataclass
class Slow(MemoryStore):
    """Takes its time for a write once there is a clock."""

    clock: FakeClock | None = None
    began: list[tuple[str, float]] = field(default_factory=list)

    async def append(self, change: StoredChange) -> None:
        if self.clock is not None:
            now = self.clock.time()
            self.began.append((change.key, now))
            await self.clock.sleep_until(now + 0.5)
        await super().append(change)


@pytest.mark.direct
async def test_the_longer_a_round_takes_the_longer_all_rest() -> None:
    store = Slow()
    async with world(store=store) as server:
        await left_games(server, 2)
        start, store.clock = server.clock.time(), server.clock
        await server.clock.advance(7)
        assert [when - start for _, when in store.began[1:4]] == [2.0, 4.0, 6.0]


async def test_who_closes_in_its_turn_keeps_nobody_waiting() -> None:
    store = Slow()
    async with world(store=store) as server:
        await left_games(server, 2)
        start, store.clock = server.clock.time(), server.clock
        await server.clock.advance(1)
        ((gone, _),) = store.began
        (table,) = (each for each in server.lobby.known.values() if each.key == gone)
        store.clock = None
        assert (await server.lobby.order(table.id, Close("closed"))).ok
        store.clock = server.clock
        await server.clock.settle()
        ((next_, when),) = store.began[1:]
        assert (next_ != gone, when) == (True, start + 1)
