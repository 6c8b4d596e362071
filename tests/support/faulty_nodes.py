"""Nodes with which something is wrong: stopped, cut off from the bus or the database, losing messages."""

import asyncio
import random
import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, cast

from typing_extensions import override

from server.bus.bus import ALL
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.nodes.lease import NodeLease
from server.coordinator.nodes.this_node import Node
from server.coordinator.time_source import Clock
from server.settings.settings import TableLimits
from server.storage.databases.database import Database
from server.storage.databases.sqlite_connection import SqliteConnection
from server.storage.nodes import NodeStore
from server.storage.store import StoredChange, StoreError
from server.storage.tables import TableStore
from server.timers import Timer
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryStore
from tests.support.nodes import House, Hub, MemoryBus, TestNode


class StoppableClock(Clock):
    """Of one node, some seconds ``ahead`` of the others: while that is stopped, nothing comes due."""

    def __init__(self, clock: FakeClock, ahead: float = 0.0) -> None:
        self._clock: Final = clock
        self._ahead: Final = ahead
        self.stopped = False
        self._due: list[Callable[[], None]] = []

    @override
    def time(self) -> float:
        return self._clock.time() + self._ahead

    @override
    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        cancelled = False

        def call() -> None:
            if self.stopped:
                self._due.append(call)
            elif not cancelled:
                callback()

        class Cancelling(Timer):
            @override
            def cancel(self) -> None:
                nonlocal cancelled
                cancelled = True
                timer.cancel()

        timer = self._clock.call_at(when - self._ahead, call)
        return Cancelling()

    def go_on(self) -> None:
        self.stopped = False
        due, self._due = self._due, []
        for call in due:
            call()


class FaultyBus(MemoryBus):
    """Loses messages by lot; what comes while the node is stopped comes later."""

    def __init__(self, hub: Hub, clock: FakeClock, rng: random.Random) -> None:
        super().__init__(hub)
        self.rng = rng
        self.losing = 0.0
        self.mute = self.deaf = False
        """Nobody hears it, or it hears nobody."""
        self.late = 0.0
        """Seconds that each message takes to the others."""
        self.stopped = False
        self._clock: Final = clock
        self._arrived = 0.0
        """When the last message has, for none overtakes another."""
        self._missed: list[bytes] = []

    def mend(self) -> None:
        self.up, self.mute, self.deaf, self.losing, self.late = True, False, False, 0.0, 0.0

    @override
    def send(self, to: str, topic: str, message: bytes) -> None:
        if not self.up or self.stopped or self.mute:
            return
        for bus in self.hub.ends:
            if to in (bus.node, ALL) and self.rng.random() >= self.losing:
                self._send(partial(self._deliver, bus, message))

    def _send(self, deliver: Callable[[], None]) -> None:
        now = self._clock.time()
        self._arrived = max(self._arrived, now + self.late)
        if self._arrived > now:
            self._clock.call_at(self._arrived, deliver)
        else:
            asyncio.get_running_loop().call_soon(deliver)

    @override
    def _deliver(self, bus: MemoryBus, message: bytes) -> None:
        if self.up and bus.up:
            cast("FaultyBus", bus).take(message)

    def take(self, message: bytes) -> None:
        if self.stopped:
            self._missed.append(message)
        elif not self.deaf:
            self.heard(message)

    def go_on(self, *, lost: bool) -> None:
        missed, self._missed = self._missed, []
        for message in [] if lost else missed:
            self.heard(message)


class FaultyDatabase:
    """One node's way to the ``Database``, or, ``beside`` that, the connection of its lease: the same is wrong
    with both.
    """

    def __init__(
        self,
        database: Database,
        clock: FakeClock,
        rng: random.Random,
        beside: "FaultyDatabase | None" = None,
    ) -> None:
        self._database: Final = database
        self._clock: Final = clock
        self._rng: Final = rng
        self._way: Final = beside or self
        self.cut = False
        """It cannot be reached; sometimes it does what it was asked all the same."""
        self.dead = False
        """Nor does it do anything then."""
        self.answers: list[bool] = []
        """Whether those to the next commits arrive."""
        self.usual = 0.0
        self.slow = 0.0
        """Seconds that what is asked takes at most, and the answer."""

    def mend(self) -> None:
        self.cut, self.answers, self.slow = False, [], self.usual

    async def read(self, work: Any, meter: Any = None) -> Any:
        if self._way.cut:
            raise StoreError("unreachable")
        return await self._travelled(partial(self._database.read, work, meter))

    async def change(self, work: Any) -> Any:
        change = partial(self._database.change, work)
        if self._way.cut:
            uncertain = not self._way.dead and self._rng.random() < 0.3
            if uncertain and self._rng.random() < 0.7:
                await change()
            raise StoreError("unreachable", uncertain=uncertain)
        answer = await self._travelled(change)
        if self.answers and not self.answers.pop(0):
            raise StoreError("unreachable", uncertain=True)
        return answer

    async def _travelled(self, ask: Callable[[], Awaitable[Any]]) -> Any:
        if not self._way.slow:
            return await ask()
        # It is done though who has asked is gone by then.
        asked = asyncio.ensure_future(self._late(ask))
        asked.add_done_callback(lambda it: it.cancelled() or it.exception())
        return await asyncio.shield(asked)

    async def _late(self, ask: Callable[[], Awaitable[Any]]) -> Any:
        slow = self._way.slow
        there, back = self._rng.uniform(0.0, slow), self._rng.uniform(0.0, slow)
        await self._clock.sleep_until(self._clock.time() + there)
        answer = await ask()
        await self._clock.sleep_until(self._clock.time() + back)
        return answer


class FaultyTables(TableStore):
    """Keeps what is written, and may lose the answer."""

    loses_entry = False
    """That to the next change with which somebody enters an event."""

    @override
    async def append(self, change: StoredChange) -> None:
        await super().append(change)
        if self.loses_entry and change.entered:
            self.loses_entry = False
            raise StoreError("unreachable", uncertain=True)


@dataclass
class FaultyNode(TestNode):
    bus: FaultyBus
    tables: FaultyTables
    clock: StoppableClock
    database: FaultyDatabase
    leases: FaultyDatabase
    typed: list[Callable[[], object]] = field(default_factory=list)
    """What people have typed since it was stopped."""

    @property
    def stopped(self) -> bool:
        return self.clock.stopped

    def stop(self) -> None:
        """As by a signal; when it goes on it hears what has come meanwhile, unless that is ``lost``."""
        self.clock.stopped = self.bus.stopped = True

    async def go_on(self, rng: random.Random, *, lost: bool = False) -> None:
        """What was due, what was sent and what was typed come in any order."""
        self.clock.stopped = self.bus.stopped = False
        typed, self.typed = self.typed, []
        heard = partial(self.bus.go_on, lost=lost)
        waiting: list[Callable[[], object]] = [self.clock.go_on, heard, *typed]
        rng.shuffle(waiting)
        for each in waiting:
            each()
            for _ in range(rng.randrange(5)):
                await asyncio.sleep(0)

    def mend(self) -> None:
        """All but that it is stopped."""
        for each in (self.bus, self.database, self.leases):
            each.mend()
        self.tables.loses_entry = False


async def start(
    house: House,
    name: str,
    rng: random.Random,
    *,
    ahead: float = 0.0,
    prepare: Callable[[FaultyNode], object] = lambda _: None,
) -> FaultyNode:
    """Add such a node; its clock may be ``ahead``."""
    clock, bus = StoppableClock(house.clock, ahead), FaultyBus(house.hub, house.clock, rng)
    house.hub.ends.append(bus)
    database = FaultyDatabase(house.store.database, house.clock, rng)
    leases = FaultyDatabase(house.store.database, house.clock, rng, database)
    tables = FaultyTables(cast(Database, database))
    limits = TableLimits(games_per_player=10_000, games_per_address=10_000)
    seeds = random.Random(rng.random())
    lobby = Lobby(
        tables,
        clock,
        limits=limits,
        new_seed=lambda: seeds.randbytes(32),
        new_rng=lambda: random.Random(seeds.random()),
    )
    lease = NodeLease(house.clock.time)
    node = Node(name, lobby, NodeStore(cast(Database, leases)), bus, lease)
    made = FaultyNode(lobby, node, bus, tables, lease, clock, database, leases)
    prepare(made)
    await house.open(node)
    house.nodes[name] = made
    return made


async def kill(house: House, node: FaultyNode) -> None:
    """It does nothing any more, and its lease runs out."""
    node.database.cut = node.database.dead = True
    await house.kill(node.node.name)


@contextmanager
def fake_time(clock: FakeClock, store: MemoryStore, rng: random.Random) -> Iterator[None]:
    """The database and the event loop go by this clock as well; and ids are the same for the same seed."""
    loop: Any = asyncio.get_running_loop()
    own, now = loop.time, SqliteConnection.now
    store.backend.driver.create_function("test_now", 0, clock.time)
    loop.time, SqliteConnection.now = clock.time, "test_now()"
    ids, secrets.token_hex = (
        secrets.token_hex,
        lambda nbytes=None: rng.randbytes(nbytes or 32).hex(),
    )
    try:
        yield
    finally:
        loop.time, SqliteConnection.now = own, now
        secrets.token_hex = ids
