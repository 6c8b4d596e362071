"""Games that are left to their bots take what is left over, one at a time."""

from dataclasses import dataclass

from server.coordinator.messages import JoinTable, LeaveTable, QuickGame, WatchTable
from server.coordinator.table.ports import Background
from server.storage.store import StoredChange, StoreError
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
        background = server.lobby.shared.background
        assert not background._waiting
        assert not background._turn
    assert max(begun) == 1, "never two at a time"


async def test_who_comes_to_watch_has_the_bots_bid_at_once() -> None:
    async with world() as server:
        await left_games(server, 5)
        *_, last = server.lobby.snapshot().tables
        watcher = server.enter("watcher")
        await watcher.ok(WatchTable(last.id))
        await server.clock.advance(3)
        table = watcher.table.table
        assert table is not None
        assert table.round == 1, "at the usual pace, whoever else waits"


async def test_who_takes_a_bots_place_plays_on_at_the_usual_pace() -> None:
    async with world() as server:
        await left_games(server, 3)
        *_, last = server.lobby.snapshot().tables
        ada = server.enter("ada")
        await ada.ok(JoinTable(last.id))
        await server.clock.advance(3)
        assert ada.table.table is not None
        assert ada.table.table.round == 1


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


class _Slow:
    def __init__(self, background: Background, clock: FakeClock, took: float) -> None:
        self._background, self._clock, self._took = background, clock, took
        self.turns: list[float] = []

    def take_turn(self) -> None:
        self.turns.append(self._clock.time())
        if len(self.turns) < 3:
            self._background.join(self.take_turn)
        self._clock.call_at(
            self._clock.time() + self._took, lambda: self._background.done(self.take_turn)
        )


async def test_the_longer_a_round_takes_the_longer_all_rest() -> None:
    clock = FakeClock(0.0)
    background = Background(clock)
    slow = _Slow(background, clock, 0.5)
    background.join(slow.take_turn)
    await clock.advance(10)
    assert slow.turns == [0.0, 2.0, 4.0]
    assert not background._waiting
    assert not background._turn


async def test_who_closes_in_its_turn_keeps_nobody_waiting() -> None:
    clock = FakeClock(0.0)
    background = Background(clock)
    gone, next_ = _Slow(background, clock, 100.0), _Slow(background, clock, 0.0)
    background.join(gone.take_turn)
    background.join(next_.take_turn)
    await clock.advance(1)
    background.leave(gone.take_turn)
    background.leave(gone.take_turn)
    await clock.advance(10)
    assert len(next_.turns) == 3
