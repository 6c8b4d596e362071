"""A tournament on three real nodes, with people on all of them, while the nodes that run it go.

python -m tests.e2e.node_cup 24 [SEED]

The first one dies in the middle of a round; the next one is stopped for longer than its lease holds, and
wakes up; the third one is asked to end, and hands over. In the end the standings are worked out again from
the records of the games, with other code than the server's.
"""

import asyncio
import json
import random
import signal
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg

from tests.e2e.cluster import Cluster, ClusterNode
from tests.e2e.cup import LONGEST, Cup, Outcome, begun, best_of, end, until
from tests.support.clients import Screen

_RUNNER: Final = """
    SELECT name FROM owners JOIN nodes ON nodes.id = owners.node WHERE table_key = 'tournaments'
"""
_SHOWN_SECONDS: Final = 3.0
"""So long after it has connected, the big screen shows the standings."""
_RECORDS: Final = "SELECT content FROM records ORDER BY id"


@dataclass
class _House:
    """What a ``Cup`` asks of a server."""

    cluster: Cluster

    @property
    def ssh_port(self) -> int:
        return self.cluster.port

    @property
    def place(self) -> Path:
        return next(
            it.server.place
            for it in self.cluster.nodes.values()
            if it.server.process.poll() is None
        )

    async def runner(self) -> ClusterNode:
        """The node that runs the tournaments, as soon as one does."""
        async with await psycopg.AsyncConnection.connect(
            self.cluster.url, autocommit=True
        ) as connection:
            while (row := await (await connection.execute(_RUNNER)).fetchone()) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        return self.cluster.nodes[row[0]]

    async def records(self) -> list[str]:
        async with await psycopg.AsyncConnection.connect(
            self.cluster.url, autocommit=True
        ) as connection:
            rows = await (await connection.execute(_RECORDS)).fetchall()
        return [row[0] for row in rows]


async def hold(place: Path, players: int, seed: int, *, rounds: int, stages: int) -> Outcome:
    """Play a tournament of so many; some drop out, one comes late, and three nodes go."""
    cluster = Cluster(place, random.Random(seed))
    await cluster.start(TIDE_TIMING_RECOVERY="2", TIDE_TIMING_AWAY="0")
    house = _House(cluster)
    cup = Cup(house, random.Random(seed), players)
    cup.enlist(players)
    loop = asyncio.get_running_loop()
    began = loop.time()
    screen, said = Screen(100, 50), list[str]()
    try:
        async with asyncio.timeout(LONGEST):
            visitors = await begun(cup, screen, said, rounds, stages)
            first = await house.runner()
            await cluster.kill(first)
            await until(lambda: cup.round > 1)
            await cluster.launch(first)
            second = await house.runner()
            assert second is not first
            second.server.send(signal.SIGSTOP)
            while (third := await house.runner()) is second:  # noqa: ASYNC110 - the database says
                await asyncio.sleep(0.1)
            second.server.send(signal.SIGCONT)
            await until(lambda: cup.round > 2)
            await third.server.stopped()
            assert await house.runner() is not third
            await cup.over.wait()
            # Who comes when it is over is shown the lobby: nodes go, and the big screen with them.
            there = 0 < cup.screen_since < loop.time() - _SHOWN_SECONDS
            record = json.loads(await cup.order("export", cup.code))
            best = best_of(record)
            await until(
                lambda: (
                    best in "".join(said)
                    and (not there or not cup.screen_since or best in screen.text)
                )
            )
            seen = screen.text if there and cup.screen_since else None
            await end(*visitors)
        games = [json.loads(content) for content in await house.records()]
    finally:
        await cluster.close()
        cluster.end_all()
    standings = [
        {**row, "name": record["players"][row["player"] - 1]["name"]} for row in record["standings"]
    ]
    seconds = loop.time() - began
    return Outcome(record, standings, games, seen, "".join(said), cup.early, seconds)


def main(players: int, seed: int) -> int:
    """Say what came of it; 1 when something is wrong."""
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="tide-node-cup-") as folder:
        outcome = asyncio.run(hold(Path(folder), players, seed, rounds=4, stages=3))
    return outcome.tell(players)


if __name__ == "__main__":
    chosen = sys.argv[2] if len(sys.argv) > 2 else str(random.SystemRandom().randrange(1 << 32))
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 24, int(chosen)))
