"""Several nodes in one event loop: a database in memory, one clock, a bus that loses what a test wants."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

from typing_extensions import override

from server.bus.bus import ALL, Bus, Heard
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages import AddBot, CreateTable, JoinTable, Player, StartGame
from server.coordinator.nodes.lease import NodeLease
from server.coordinator.nodes.this_node import Node
from server.storage.nodes import NodeStore
from server.storage.tables import TableStore
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryStore
from tests.support.tables import UNTIMED, Guest

VISITS = count(1)


class MemoryBus(Bus):
    """One node's end of a ``Hub``."""

    def __init__(self, hub: "Hub") -> None:
        self.hub = hub
        self.node = ""
        self.heard: Heard = lambda _: None
        self.up = True
        self.lost: Callable[[str], bool] = lambda _topic: False
        """Of what this node sends, by its topic."""

    @property
    @override
    def connected(self) -> bool:
        return self.up

    @override
    async def listen(self, node: str, heard: Heard) -> None:
        self.node, self.heard = node, heard

    @override
    def send(self, to: str, topic: str, message: bytes) -> None:
        self.hub.sent.append((self.node, to, topic, message))
        if not self.up or self.lost(topic):
            return
        for bus in self.hub.ends:
            if to in (bus.node, ALL):
                asyncio.get_running_loop().call_soon(self._deliver, bus, message)

    def _deliver(self, bus: "MemoryBus", message: bytes) -> None:
        if self.up and bus.up:
            bus.heard(message)


@dataclass
class Hub:
    """All ends of the bus, and everything that was sent: from, to, topic, message."""

    ends: list[MemoryBus] = field(default_factory=list)
    sent: list[tuple[str, str, str, bytes]] = field(default_factory=list)


@dataclass
class TestNode:
    """A node that can be killed: from then on it does nothing, and says nothing."""

    __test__ = False

    lobby: Lobby
    node: Node
    bus: MemoryBus
    tables: TableStore
    lease: NodeLease

    def guest(self, name: str) -> Guest:
        player = Player(f"account:{name}", name, False)
        return Guest(self.lobby.enter(player, visit=next(VISITS)))


@dataclass
class House:
    clock: FakeClock
    store: MemoryStore
    nodes: dict[str, TestNode] = field(default_factory=dict)
    hub: Hub = field(default_factory=Hub)

    async def start(
        self, name: str, prepare: Callable[[TestNode], object] = lambda _: None
    ) -> TestNode:
        bus = MemoryBus(self.hub)
        self.hub.ends.append(bus)
        tables = TableStore(self.store.database)
        lobby = Lobby(tables, self.clock)
        lease = NodeLease(self.clock.time)
        node = Node(name, lobby, NodeStore(self.store.database), bus, lease)
        made = TestNode(lobby, node, bus, tables, lease)
        prepare(made)
        await self.open(node)
        self.nodes[name] = made
        await self.settle()
        return made

    async def open(self, node: Node) -> None:
        """It waits for tables whose node is gone."""
        opening = asyncio.create_task(node.open())
        await self.settle()
        while not opening.done():
            await self.clock.advance(0.25)
        await opening

    async def settle(self) -> None:
        """Have all that was sent arrive."""
        await self.clock.settle()

    async def kill(self, name: str) -> None:
        """The node is gone in the middle of everything; in the database its lease still holds."""
        gone = self.nodes.pop(name)
        gone.bus.up = False
        self.hub.ends.remove(gone.bus)
        await gone.node._tasks.end()
        await gone.lobby.close()

    def lapse(self, name: str) -> None:
        """The lease of this node is over in the database, though it does not know."""
        self.store.sql("UPDATE nodes SET until = 0 WHERE name = :name", name=name)

    async def seat(self, table: str, *guests: Guest) -> None:
        for guest in guests:
            await guest.ok(JoinTable(table))
        await self.settle()

    async def wait_for_bots_seat(self, owner: Guest, other: Guest, waiting: Guest) -> None:
        """Have two play with a bot, for whose seat a third one waits, until nothing happens by itself."""
        await owner.ok(CreateTable(UNTIMED))
        await self.clock.advance(1.0)
        await self.seat(owner.info.id, other)
        await owner.ok(AddBot())
        await owner.ok(StartGame())
        await self.clock.advance(10.0)
        await self.seat(owner.info.id, waiting)


async def hand_over(here: House, node: Node) -> int:
    """Have it hand over all, while time goes on."""
    done = asyncio.create_task(node.handover.hand_over_all())
    for _ in range(40):
        await here.clock.advance(0.05)
        if done.done():
            break
    return await done


@asynccontextmanager
async def house(*names: str) -> AsyncIterator[House]:
    made = House(FakeClock(), MemoryStore())
    try:
        for name in names:
            await made.start(name)
        await made.clock.advance(1.0)
        yield made
    finally:
        for each in made.nodes.values():
            await each.lobby.close()
            await each.node.close()
        await made.store.database.close()
