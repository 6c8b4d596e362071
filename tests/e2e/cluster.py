"""Three real nodes behind HAProxy as ``docs/cluster.md`` sets it up, with the services that they need."""

import asyncio
import random
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from tests.e2e.card_programs import Party
from tests.e2e.forwarding import Forwarder, Streams
from tests.e2e.killing import USUAL
from tests.support.haproxy import SETTINGS, Balancer
from tests.support.nats import NatsServer
from tests.support.patience import PATIENCE
from tests.support.postgres import PostgresServer
from tests.support.servers import Server

NAMES = ("game-a", "game-b", "game-c")
_WATCHED_EVERY = 0.1

_OWNERS = """
    SELECT table_key, epoch, owners.node, COALESCE(name, ''), content::json ->> 'id' FROM owners
    LEFT JOIN nodes ON nodes.id = owners.node
    LEFT JOIN tables ON key = table_key
"""


@dataclass(eq=False)
class ClusterNode:
    """A server, and its ways to the services."""

    name: str
    server: Server
    to_postgres: Forwarder
    to_nats: Forwarder
    busy: bool = False
    """Something happens to it now."""


class Fault(NamedTuple):
    """Something that happened."""

    kind: str
    began: float
    ended: float


class Ownerless(NamedTuple):
    """How long tables were a killed node's."""

    killed: float
    seconds: float


@dataclass
class Cluster:
    """Made by ``start``, ended by ``close``; ``end_all`` leaves nothing behind, whatever has happened."""

    place: Path
    chance: random.Random
    kind: type[Server] = Server
    nodes: dict[str, ClusterNode] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    dark: list[tuple[float, float]] = field(default_factory=list)
    """From when to when nothing could be served: there was no PostgreSQL, or no node was running."""
    ownerless: list[Ownerless] = field(default_factory=list)
    epochs: dict[str, int] = field(default_factory=dict)
    """The highest that was seen, by the table's key."""
    codes: dict[str, str] = field(default_factory=dict)
    """Of all tables that there have been, by their keys."""
    wrong: list[str] = field(default_factory=list)
    served_since: Callable[[float], bool] = lambda _: True
    """Whether something was acknowledged at every table ..."""
    heard_since: Callable[[float], bool] = lambda _: True
    """... and everybody has been told something."""
    dead: dict[str, float] = field(default_factory=dict)
    """When a node was killed that has tables, by its id in the database."""
    owning: dict[str, str] = field(default_factory=dict)
    """The nodes that have tables: their names by their ids in the database."""
    parties: Sequence[Party] = ()
    """Who plays there."""
    port: int = 0
    """Where people come in."""
    _stack: ExitStack = field(default_factory=ExitStack)

    async def start(self, **settings: str) -> None:
        self.postgres = await asyncio.to_thread(PostgresServer)
        self._stack.callback(self.postgres.stop_for_good)
        self.nats = await asyncio.to_thread(NatsServer)
        self._stack.callback(self.nats.kill)
        self.url = self.postgres.empty()
        database = self.url.partition("?")[0].rpartition("/")[2]
        path = str(self.postgres.folder / ".s.PGSQL.5432")

        async def postgres() -> Streams:
            return await asyncio.open_unix_connection(path)

        async def nats() -> Streams:
            return await asyncio.open_connection("127.0.0.1", self.nats.port)

        for name in NAMES:
            ways = Forwarder(postgres), Forwarder(nats)
            for way in ways:
                await way.start()
            place = self.place / name
            place.mkdir()
            needs = {
                "TIDE_DATABASE_URL": f"postgresql://tide@127.0.0.1:{ways[0].port}/{database}",
                "TIDE_BUS_URL": f"nats://tide:for-tests@127.0.0.1:{ways[1].port}",
                "TIDE_KEYS": str(self.place / "keys"),
                "TIDE_PROXIES": "127.0.0.1",
            }
            server = self.kind(place, "--node", name, **{**USUAL, **needs, **settings})
            self.nodes[name] = ClusterNode(name, server, *ways)
        await self.launch_all()
        await asyncio.to_thread(self._balance)
        self.watch()

    async def launch_all(self) -> None:
        """The first one makes the keys and the schema."""
        first, *others = self.nodes.values()
        await self.launch(first)
        await self.launch(*others)

    def watch(self) -> None:
        """See until ``close`` which node has which table."""
        self._watching = asyncio.create_task(self._watch())

    def _balance(self) -> None:
        # The path of a socket must be short.
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="tide-")))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        ports = {name: node.server.ssh_port for name, node in self.nodes.items()}
        bind = {"2222": f"127.0.0.1:{self.port}"}
        self._stack.enter_context(Balancer(folder, SETTINGS["cluster.md"], ports, bind).running())

    async def close(self) -> None:
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)
        await asyncio.gather(
            *(asyncio.to_thread(node.server.stop, signal.SIGTERM) for node in self.nodes.values())
        )
        for node in self.nodes.values():
            await node.to_postgres.close()
            await node.to_nats.close()

    def end_all(self) -> None:
        for node in self.nodes.values():
            node.server.kill()
        self._stack.close()

    async def launch(self, *nodes: ClusterNode) -> None:
        """Until they are open: they do not start without their services."""
        await asyncio.gather(*map(self._launch, nodes))

    async def _launch(self, node: ClusterNode) -> None:
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                await node.server.started()
            except AssertionError:
                if time.monotonic() > limit:
                    raise
                await asyncio.sleep(0.5)
            else:
                # HAProxy knows where it was.
                node.server.environ["TIDE_SSH_PORT"] = str(node.server.ssh_port)
                return

    async def kill(self, *nodes: ClusterNode) -> None:
        """At the same moment."""
        names = {node.name for node in nodes}
        dead = [id_ for id_, name in self.owning.items() if name in names]
        for node in nodes:
            node.server.kill()
        if len(nodes) < len(self.nodes):  # otherwise there is nobody who could take the tables
            self.dead |= dict.fromkeys(dead, time.monotonic())
        for node in nodes:
            await asyncio.to_thread(node.server.wait)

    @contextmanager
    def darkness(self) -> Iterator[None]:
        """For so long nothing can be served."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.dark.append((began, time.monotonic()))

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
        for key, epoch, id_, name, code in rows:
            if code is not None:
                self.codes[key] = code
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
