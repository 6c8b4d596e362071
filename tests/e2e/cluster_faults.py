"""Everything that happens to three nodes and to the services that they need: a row for each kind."""

import asyncio
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from typing import Final, NamedTuple

from tests.e2e.cluster import Cluster, ClusterNode, Fault
from tests.e2e.forwarding import Forwarder
from tests.support.patience import PATIENCE
from tests.support.servers import tide

CUT_SECONDS = (1.0, 6.0)
AWAY_SECONDS = (0.2, 4.0)
"""Of a service, or a node, that was killed."""
SHORTLY_SECONDS = (0.5, 4.0)
HANGS_SECONDS = (2.0, 8.0)
SLOW_SECONDS = (3.0, 8.0)
WAY_SECONDS = (0.05, 0.5)
"""To a slow PostgreSQL, each way."""
ANSWERS = (1, 5)
"""So many are lost in a row."""
GAP_SECONDS = (0.3, 1.5)
"""Between two faults; then all tables are waited for ..."""
_LONG_SECONDS: Final = 12.0
"""... and for a node's people, but no longer than this."""


class Of(Enum):
    """What a fault happens to."""

    NODE = "a node"
    ALL = "all nodes"
    POSTGRES = "PostgreSQL"
    NATS = "NATS"


class Kind(NamedTuple):
    name: str
    of: Of
    happen: Callable[[Cluster, list[ClusterNode]], Awaitable[None]]


async def _until(happened: Callable[[], bool], seconds: float) -> None:
    limit = time.monotonic() + seconds
    while not happened() and time.monotonic() < limit:  # noqa: ASYNC110
        await asyncio.sleep(0.05)


async def _kill(cluster: Cluster, nodes: list[ClusterNode]) -> None:
    await cluster.kill(*nodes)
    await asyncio.sleep(cluster.chance.uniform(*AWAY_SECONDS))
    await cluster.launch(*nodes)


async def _kill_all(cluster: Cluster, nodes: list[ClusterNode]) -> None:
    with cluster.darkness():
        await cluster.kill(*nodes)
        await asyncio.sleep(cluster.chance.uniform(*AWAY_SECONDS))
    await cluster.launch(*nodes)


async def _stop_shortly(cluster: Cluster, nodes: list[ClusterNode]) -> None:
    await _stop(nodes[0], asyncio.sleep(cluster.chance.uniform(*SHORTLY_SECONDS)))


async def _stop_until_back(cluster: Cluster, nodes: list[ClusterNode]) -> None:
    """The node wakes up when the people who were there play elsewhere."""
    since = time.monotonic() + 0.5

    async def back() -> None:
        await _until(lambda: cluster.heard_since(since), _LONG_SECONDS)
        await asyncio.sleep(cluster.chance.uniform(0.0, 1.5))

    await _stop(nodes[0], back())


async def _stop(node: ClusterNode, over: Awaitable[None]) -> None:
    node.server.send(signal.SIGSTOP)
    try:
        await over
    finally:
        node.server.send(signal.SIGCONT)


async def _drain(cluster: Cluster, nodes: list[ClusterNode]) -> None:
    (node,) = nodes
    process, since = node.server.process, time.monotonic()
    # While there is no PostgreSQL it cannot be ordered.
    while process.poll() is None:
        done = await asyncio.to_thread(
            tide,
            "drain",
            node.name,
            TIDE_DATABASE_URL=cluster.url,
            TIDE_BUS_URL=cluster.nats.url,
            TIDE_STATE=str(node.server.place / "state"),
        )
        if not done.returncode:
            await _until(lambda: process.poll() is not None, _LONG_SECONDS)
        ordered = not done.returncode or time.monotonic() > since + PATIENCE
        if ordered and process.poll() is None:
            cluster.wrong.append(f"{node.name} goes on: {done.stdout}{done.stderr}")
            node.server.kill()
    await asyncio.to_thread(node.server.wait)
    await cluster.launch(node)


async def _cut(cluster: Cluster, way: Forwarder) -> None:
    way.cut(silently=cluster.chance.random() < 0.5)
    await asyncio.sleep(cluster.chance.uniform(*CUT_SECONDS))
    way.mend()


async def _lose_answers(cluster: Cluster, nodes: list[ClusterNode]) -> None:
    """The answers to COMMIT, with their connections."""
    way = nodes[0].to_postgres
    way.lose_answers(b"COMMIT\0", cluster.chance.randint(*ANSWERS))
    await _until(lambda: not way.losing, _LONG_SECONDS)


async def _kill_postgres(cluster: Cluster, _: list[ClusterNode]) -> None:
    with cluster.darkness():
        await asyncio.to_thread(cluster.postgres.stop)
        await asyncio.sleep(cluster.chance.uniform(*AWAY_SECONDS))
        await asyncio.to_thread(cluster.postgres.start)


async def _stop_postgres(cluster: Cluster, _: list[ClusterNode]) -> None:
    """All its processes."""
    with cluster.darkness():
        cluster.postgres.send(signal.SIGSTOP)
        try:
            await asyncio.sleep(cluster.chance.uniform(*HANGS_SECONDS))
        finally:
            cluster.postgres.send(signal.SIGCONT)


async def _slow_postgres(cluster: Cluster, _: list[ClusterNode]) -> None:
    delay = cluster.chance.uniform(*WAY_SECONDS)
    for node in cluster.nodes.values():
        node.to_postgres.delay = delay
    await asyncio.sleep(cluster.chance.uniform(*SLOW_SECONDS))
    for node in cluster.nodes.values():
        node.to_postgres.delay = 0.0


async def _kill_nats(cluster: Cluster, _: list[ClusterNode]) -> None:
    await asyncio.to_thread(cluster.nats.kill)
    await asyncio.sleep(cluster.chance.uniform(*AWAY_SECONDS))
    await asyncio.to_thread(cluster.nats.start)


KILLED: Final = Kind("node killed", Of.NODE, _kill)
ALL_KILLED: Final = Kind("all nodes killed", Of.ALL, _kill_all)

KINDS: Final = (
    KILLED,
    ALL_KILLED,
    Kind("node stopped shortly", Of.NODE, _stop_shortly),
    Kind("node stopped until its people are back", Of.NODE, _stop_until_back),
    Kind("node drained", Of.NODE, _drain),
    Kind("node cut off from PostgreSQL", Of.NODE, lambda it, at: _cut(it, at[0].to_postgres)),
    Kind("node cut off from NATS", Of.NODE, lambda it, at: _cut(it, at[0].to_nats)),
    Kind("answers to COMMIT lost", Of.NODE, _lose_answers),
    Kind("PostgreSQL killed", Of.POSTGRES, _kill_postgres),
    Kind("PostgreSQL stopped", Of.POSTGRES, _stop_postgres),
    Kind("PostgreSQL slow", Of.POSTGRES, _slow_postgres),
    Kind("NATS killed", Of.NATS, _kill_nats),
)


async def happen(cluster: Cluster, kind: Kind, *nodes: ClusterNode) -> None:
    """Until it is mended."""
    for node in nodes:
        node.busy = True
    began = time.monotonic()
    await kind.happen(cluster, [*nodes])
    cluster.faults.append(Fault(kind.name, began, time.monotonic()))
    for node in nodes:
        node.busy = False


async def break_things(cluster: Cluster, faults: int) -> None:
    """So many of these, as often each, as soon after each other as people play; return when all is mended."""
    begun: Counter[str] = Counter()
    under_way: dict[Of, asyncio.Task[None]] = {}
    async with asyncio.TaskGroup() as happening:
        while begun.total() < faults:
            kind = min(KINDS, key=lambda it: (begun[it.name], cluster.chance.random()))
            while (nodes := _free(cluster, kind.of, under_way)) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            began = time.monotonic()
            begun[kind.name] += 1
            under_way[kind.of] = happening.create_task(happen(cluster, kind, *nodes))
            await asyncio.sleep(cluster.chance.uniform(*GAP_SECONDS))
            await _until(lambda: cluster.served_since(began), _LONG_SECONDS)  # noqa: B023
            if begun.total() % 20 == 0:
                print(f"{begun.total()} faults", flush=True)


def _free(
    cluster: Cluster, of: Of, under_way: Mapping[Of, asyncio.Task[None]]
) -> list[ClusterNode] | None:
    """The nodes to which it can happen now; ``None`` when it cannot: one node is always left alone."""
    if of in (Of.POSTGRES, Of.NATS):
        return None if of in under_way and not under_way[of].done() else []
    there = [node for node in cluster.nodes.values() if not node.busy]
    if of is Of.ALL:
        return there if len(there) == len(cluster.nodes) else None
    return [cluster.chance.choice(there)] if len(there) > 1 else None
