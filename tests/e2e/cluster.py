"""Three real nodes with the services that they need, and everything that can happen to them."""

import asyncio
import random
import signal
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from tests.e2e.forwarding import Forwarder, Streams
from tests.e2e.killing import new_server
from tests.support.nats import NatsServer
from tests.support.patience import PATIENCE
from tests.support.postgres import PostgresServer
from tests.support.servers import Server

NAMES = ("a", "b", "c")
PAUSED_SECONDS = 10.0
CUT_SECONDS = (1.0, 8.0)
AWAY_SECONDS = (0.5, 5.0)
"""Of a service, or a node, that was killed."""
_WATCHED_EVERY = 0.1

_OWNERS = """
    SELECT table_key, epoch, owners.node, COALESCE(name, '') FROM owners
    LEFT JOIN nodes ON nodes.id = owners.node
"""


@dataclass(eq=False)
class ClusterNode:
    """A server, and its ways to the services."""

    name: str
    server: Server
    to_postgres: Forwarder
    to_nats: Forwarder
    open: bool = False
    """It is running, and nothing holds it."""
    busy: bool = False
    """Something happens to it now."""


class Fault(NamedTuple):
    """Something that happened."""

    kind: str
    node: str
    """Empty for a service."""
    began: float
    ended: float


class Ownerless(NamedTuple):
    """How long tables were a killed node's."""

    killed: float
    seconds: float


@dataclass
class Cluster:
    """Made by ``start``, ended by ``close``."""

    place: Path
    chance: random.Random
    nodes: dict[str, ClusterNode] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    ownerless: list[Ownerless] = field(default_factory=list)
    epochs: dict[str, int] = field(default_factory=dict)
    """The highest that was seen, by the table's key."""
    wrong: list[str] = field(default_factory=list)
    _away: set[str] = field(default_factory=set)
    """Services that are not there now."""
    dead: dict[str, float] = field(default_factory=dict)
    """When a node was killed that has tables, by its id in the database."""
    owning: dict[str, str] = field(default_factory=dict)
    """The nodes that have tables: their names by their ids in the database."""

    async def start(self, **settings: str) -> None:
        self.postgres = await asyncio.to_thread(PostgresServer)
        self.nats = await asyncio.to_thread(NatsServer)
        self.url = self.postgres.empty()
        database = self.url.partition("?")[0].rpartition("/")[2]
        socket = str(self.postgres.folder / ".s.PGSQL.5432")

        async def postgres() -> Streams:
            return await asyncio.open_unix_connection(socket)

        async def nats() -> Streams:
            return await asyncio.open_connection("127.0.0.1", self.nats.port)

        for name in NAMES:
            ways = Forwarder(postgres), Forwarder(nats)
            for way in ways:
                await way.start()
            place = self.place / name
            place.mkdir()
            server = new_server(
                place,
                "--node",
                name,
                TIDE_DATABASE_URL=f"postgresql://tide@127.0.0.1:{ways[0].port}/{database}",
                TIDE_BUS_URL=f"nats://tide:for-tests@127.0.0.1:{ways[1].port}",
                TIDE_KEYS=str(self.place / "keys"),
                **settings,
            )
            self.nodes[name] = ClusterNode(name, server, *ways)
        # The first one makes the keys and the schema.
        first, *others = self.nodes.values()
        await self.launch(first)
        await asyncio.gather(*(self.launch(it) for it in others))
        self.balancer = Forwarder(self._reach)
        await self.balancer.start()
        self._watching = asyncio.create_task(self._watch())

    async def close(self) -> None:
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)
        for node in self.nodes.values():
            node.server.send(signal.SIGCONT)
        await asyncio.gather(
            *(asyncio.to_thread(node.server.stop, signal.SIGTERM) for node in self.nodes.values())
        )
        for node in self.nodes.values():
            await node.to_postgres.close()
            await node.to_nats.close()
        await self.balancer.close()
        self.nats.kill()

    async def launch(self, node: ClusterNode) -> None:
        """Until it is open: it does not start without its services."""
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                await node.server.started()
                break
            except AssertionError:
                if time.monotonic() > limit:
                    raise
                await asyncio.sleep(0.5)
        node.open = True

    async def _reach(self) -> Streams:
        """Some node that can be reached."""
        there = [node for node in self.nodes.values() if node.open]
        self.chance.shuffle(there)
        for node in there:
            with suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", node.server.ssh_port)
        raise OSError("no node is open")

    # ------------------------------------------------------------ what happens

    def next_fault(self) -> Awaitable[None] | None:
        """Something that can happen now, at random; ``None`` when enough is broken."""
        free = [node for node in self.nodes.values() if not node.busy and node.open]
        possible: list[Callable[[], Awaitable[None]]] = []
        if len(free) > 1:
            node = self.chance.choice(free)
            possible += [
                lambda: self.kill(node),
                lambda: self._pause(node),
                lambda: self._cut(node, "postgres", node.to_postgres),
                lambda: self._cut(node, "nats", node.to_nats),
            ]
        for service in sorted({"postgres", "nats"} - self._away):
            possible.append(lambda service=service: self._restart(service))  # type: ignore[misc]
        # What services do is not more frequent than what a node does.
        if not possible or (len(free) < 2 and self.chance.random() < 0.7):
            return None
        return self.chance.choice(possible)()

    async def kill(self, node: ClusterNode) -> None:
        """Kill a node, and start it again after a while."""
        node.busy, node.open, began = True, False, time.monotonic()
        dead = [id_ for id_, name in self.owning.items() if name == node.name]
        node.server.kill()
        self.dead |= dict.fromkeys(dead, time.monotonic())
        await asyncio.to_thread(node.server.wait)
        await asyncio.sleep(self.chance.uniform(*AWAY_SECONDS))
        await self.launch(node)
        self._happened("kill", node, began)

    async def _pause(self, node: ClusterNode) -> None:
        node.busy, node.open, began = True, False, time.monotonic()
        node.server.send(signal.SIGSTOP)
        await asyncio.sleep(PAUSED_SECONDS)
        node.server.send(signal.SIGCONT)
        node.open = True
        self._happened("pause", node, began)

    async def _cut(self, node: ClusterNode, service: str, way: Forwarder) -> None:
        node.busy, began = True, time.monotonic()
        way.cut(silently=self.chance.random() < 0.5)
        await asyncio.sleep(self.chance.uniform(*CUT_SECONDS))
        way.mend()
        self._happened(f"cut off from {service}", node, began)

    async def _restart(self, service: str) -> None:
        began = time.monotonic()
        self._away.add(service)
        stop, start = (
            (self.postgres.stop, self.postgres.start)
            if service == "postgres"
            else (self.nats.kill, self.nats.start)
        )
        await asyncio.to_thread(stop)
        await asyncio.sleep(self.chance.uniform(*AWAY_SECONDS))
        await asyncio.to_thread(start)
        self._away.discard(service)
        self._happened(f"{service} killed", None, began)

    def _happened(self, kind: str, node: ClusterNode | None, began: float) -> None:
        if node is not None:
            node.busy = False
        fault = Fault(kind, node.name if node else "", began, time.monotonic())
        self.faults.append(fault)

    # ------------------------------------------------------------ what the database says

    async def _watch(self) -> None:
        """Which node has which table, several times a second."""
        while True:
            with suppress(psycopg.Error):
                async with await psycopg.AsyncConnection.connect(self.url, autocommit=True) as it:
                    while True:
                        self._look_at(await (await it.execute(_OWNERS)).fetchall())
                        await asyncio.sleep(_WATCHED_EVERY)
            await asyncio.sleep(_WATCHED_EVERY)

    def _look_at(self, rows: list[tuple[Any, ...]]) -> None:
        now, owning = time.monotonic(), {}
        for key, epoch, id_, name in rows:
            if epoch < self.epochs.get(key, 0):
                self.wrong.append(f"{key}: epoch {epoch} after {self.epochs[key]}")
            self.epochs[key] = epoch
            # The name of a node that is gone is not there any more, but what was known of it.
            owning[id_] = name or self.owning.get(id_, "")
        self.owning = owning
        for id_ in self.dead.keys() - owning.keys():
            killed = self.dead.pop(id_)
            self.ownerless.append(Ownerless(killed, now - killed))

    def alone(self, killed: float, until: float) -> bool:
        """Whether between these times nothing else happened."""
        during = [it for it in self.faults if it.began < until and it.ended > killed]
        return len([it for it in during if abs(it.began - killed) > 0.5]) == 0
