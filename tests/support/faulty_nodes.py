"""Nodes with which something is wrong: stopped, cut off from the bus or the database, losing messages."""

import asyncio
import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

from typing_extensions import override

from server.bus.bus import ALL
from server.coordinator.clock import Clock, Timer
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.nodes.lease import NodeLease
from server.coordinator.nodes.node import Node
from server.coordinator.timing import TableLimits
from server.storage import nodes_sql
from server.storage.nodes_sql import SqlNodes
from server.storage.store import StoreError
from server.storage.tables_sql import SqlStore
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryStore, driver
from tests.support.nodes import House, Hub, MemoryBus, TestNode


class StoppableClock(Clock):
    """Of one node: while that is stopped, nothing comes due."""

    def __init__(self, clock: FakeClock) -> None:
        self._clock: Final = clock
        self.stopped = False
        self._due: list[Callable[[], None]] = []

    @override
    def time(self) -> float:
        return self._clock.time()

    @override
    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
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

        timer = self._clock.call_at(when, call)
        return Cancelling()

    def go_on(self) -> None:
        self.stopped = False
        due, self._due = self._due, []
        for call in due:
            call()


class FaultyBus(MemoryBus):
    """Loses messages by lot; what comes while the node is stopped comes later."""

    def __init__(self, hub: Hub, rng: random.Random) -> None:
        super().__init__(hub)
        self.rng = rng
        self.losing = 0.0
        self.stopped = False
        self._late: list[bytes] = []

    @override
    def send(self, to: str, topic: str, message: bytes) -> None:
        if not self.up or self.stopped:
            return
        for bus in self.hub.ends:
            if to in (bus.node, ALL) and self.rng.random() >= self.losing:
                asyncio.get_running_loop().call_soon(self._deliver, bus, message)

    @override
    def _deliver(self, bus: MemoryBus, message: bytes) -> None:
        if self.up and bus.up:
            cast("FaultyBus", bus).take(message)

    def take(self, message: bytes) -> None:
        if self.stopped:
            self._late.append(message)
        else:
            self.heard(message)

    def go_on(self, *, lost: bool) -> None:
        self.stopped = False
        late, self._late = self._late, []
        for message in [] if lost else late:
            self.heard(message)


class Away:
    """A store that cannot be reached while ``cut``; sometimes it does what it was asked all the same."""

    def __init__(self, store: object, rng: random.Random) -> None:
        self._store = store
        self._rng = rng
        self.cut = False
        self.dead = False
        """Nothing is done any more."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)

        async def call(*args: Any, **more: Any) -> Any:
            if not self.cut:
                return await found(*args, **more)
            if not self.dead and self._rng.random() < 0.2:
                await found(*args, **more)
            raise StoreError("unreachable")

        return call


@dataclass
class FaultyNode(TestNode):
    bus: FaultyBus
    clock: StoppableClock
    stores: tuple[Away, Away]

    @property
    def stopped(self) -> bool:
        return self.clock.stopped

    @property
    def cut(self) -> bool:
        """Off from the database."""
        return self.stores[0].cut

    @cut.setter
    def cut(self, cut: bool) -> None:
        for store in self.stores:
            store.cut = cut

    def stop(self) -> None:
        """As by a signal; when it goes on it hears what has come meanwhile, unless that is ``lost``."""
        self.clock.stopped = self.bus.stopped = True

    def go_on(self, *, lost: bool = False, late: bool = False) -> None:
        """``late``: what was due comes before what was sent."""
        if late:
            self.clock.go_on()
        self.bus.go_on(lost=lost)
        self.clock.go_on()


async def start(house: House, name: str, rng: random.Random) -> FaultyNode:
    """Add such a node."""
    clock, bus = StoppableClock(house.clock), FaultyBus(house.hub, rng)
    house.hub.ends.append(bus)
    tables = SqlStore(house.store.database)
    stores = Away(tables, rng), Away(SqlNodes(house.store.database), rng)
    limits = TableLimits(games_per_player=10_000, games_per_address=10_000)
    seeds = random.Random(rng.random())
    lobby = Lobby(
        cast(Any, stores[0]),
        clock,
        limits=limits,
        new_seed=lambda: seeds.randbytes(32),
        new_rng=lambda: random.Random(seeds.random()),
    )
    lease = NodeLease(house.clock.time)
    lobby.shared.lease = lease

    def own(node: str) -> None:
        tables.node = node

    node = Node(name, lobby, cast(Any, stores[1]), bus, lease, own)
    await house.open(node)
    made = FaultyNode(lobby, node, bus, tables, lease, clock, stores)
    house.nodes[name] = made
    return made


async def kill(house: House, node: FaultyNode) -> None:
    """It does nothing any more, and its lease runs out."""
    for store in node.stores:
        store.cut = store.dead = True
    await house.kill(node.node.name)


@contextmanager
def fake_time(clock: FakeClock, store: MemoryStore, rng: random.Random) -> Iterator[None]:
    """The database and the event loop go by this clock as well; and ids are the same for the same seed."""
    loop: Any = asyncio.get_running_loop()
    own, now = loop.time, nodes_sql._NOW["sqlite"]
    driver(store.backend).create_function("test_now", 0, clock.time)
    loop.time, nodes_sql._NOW["sqlite"] = clock.time, "test_now()"
    ids, secrets.token_hex = (
        secrets.token_hex,
        lambda nbytes=None: rng.randbytes(nbytes or 32).hex(),
    )
    try:
        yield
    finally:
        loop.time, nodes_sql._NOW["sqlite"] = own, now
        secrets.token_hex = ids
