"""What several nodes cost: `python -m bench.nodes [SESSIONS]`.

The load of `bench.load` on a single process with SQLite, and then on PostgreSQL and NATS: with everybody at
one node, and spread over two and three, so that a table's players are connected to all of them. The
processor's time and the memory are those of all nodes, which share one core; PostgreSQL and NATS are with the
players.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from bench.load.measure import measure, run
from bench.load.report import load_table
from bench.load.server import Server, tide
from tests.support.nats import NatsServer
from tests.support.postgres import PostgresServer

SECONDS = 15.0
"""For a round."""


@contextmanager
def house(folder: Path, core: int, nodes: int) -> Iterator[Server]:
    """So many nodes with a database and a bus of their own."""
    with ExitStack() as stack:
        postgres, bus = PostgresServer(fsync="on"), NatsServer()
        stack.callback(postgres.stop_for_good)
        stack.callback(bus.kill)
        settings = {"TIDE_DATABASE_URL": postgres.empty(), "TIDE_BUS_URL": bus.url}
        settings["TIDE_KEYS"] = str(folder / "keys")
        servers = []
        for name in "abc"[:nodes]:
            (folder / name).mkdir()
            node = tide(folder / name, core, None, TIDE_NODE=name, **settings)
            servers.append(stack.enter_context(node))
        pids = tuple(each.pids[0] for each in servers)
        yield Server(pids, tuple(each.ports[0] for each in servers), folder)


async def _all(sessions: int) -> None:
    results = [await measure("one process", sessions, SECONDS, logins=20)]
    for nodes in (1, 2, 3):
        make = partial(house, nodes=nodes)
        found = await measure(f"{nodes} nodes", sessions, SECONDS, make, logins=20)
        results.append(found)
    print(load_table(results, SECONDS))
    print(*(problem for each in results for problem in each.problems), sep="\n")


if __name__ == "__main__":
    run(_all(int(sys.argv[1]) if sys.argv[1:] else 30))
