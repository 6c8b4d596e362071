"""What several nodes cost: `python -m bench.nodes [SESSIONS] [ROUNDS]`.

Tables of five play by SSH on a single process with SQLite, and then on PostgreSQL and NATS: with everybody at
one node, and spread over two and three, so that a table's players are connected to all of them. Told are the
time from a bid to the last screen, the processor time of all nodes for each player and round, and what passes
through NATS in a round. All nodes share one core, PostgreSQL and NATS the other ones with the players.
"""

import json
import socket
import sys
import tempfile
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from bench.load.crowd import Crowd
from bench.load.figures import table
from bench.load.measure import as_clients, available_cores, run, say
from bench.load.server import Failed, TideServer
from bench.load.table import SEATS
from tests.support.nats import PASSWORD, NatsServer
from tests.support.postgres import PostgresServer

SECONDS: Final = 15.0
"""For a round."""


class Bus(NatsServer):
    """One that tells what it carries."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._monitor: Final[int] = free.getsockname()[1]
        super().__init__("-m", str(self._monitor), *PASSWORD)

    def carried(self) -> tuple[int, int]:
        """Messages and bytes so far, in both directions."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self._monitor}/varz") as answer:
            told = json.load(answer)
        return told["in_msgs"] + told["out_msgs"], told["in_bytes"] + told["out_bytes"]


async def measure(nodes: int, sessions: int, rounds: int) -> tuple[str, ...]:
    """A row of the table; no ``nodes`` are one process with SQLite."""
    cores = available_cores()
    with ExitStack() as stack:
        stack.enter_context(as_clients(cores))
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tide-nodes-")))
        settings: dict[str, str] = {"TIDE_KEYS": str(place / "keys")}
        bus: Bus | None = None
        if nodes:
            postgres, bus = PostgresServer(fsync="on"), Bus()
            stack.callback(postgres.stop_for_good)
            stack.callback(bus.kill)
            settings["TIDE_DATABASE_URL"] = postgres.empty()
            settings["TIDE_BUS_URL"] = bus.url
        servers = []
        for name in "abc"[: nodes or 1]:
            (place / name).mkdir()
            named = {**settings, "TIDE_NODE": name} if nodes else settings
            server = TideServer(place / name, cores.server, None, **named)
            servers.append(stack.enter_context(server))
        crowd = Crowd(*(each.port for each in servers))
        say(f"{nodes} nodes: {sessions} sessions sit down")
        arrivals = await crowd.seat(sessions // SEATS)
        if arrivals.failed:
            raise Failed("\n".join(arrivals.failed[:3]))
        await crowd.start(SECONDS)
        carried = bus.carried() if bus else (0, 0)
        spent = sum(each.cpu for each in servers)
        heard = await crowd.play(rounds, SECONDS)
        spent = sum(each.cpu for each in servers) - spent
        now = bus.carried() if bus else (0, 0)
        await crowd.end()
    a_round = [
        (after - before) * SEATS / sessions / rounds
        for after, before in zip(now, carried, strict=True)
    ]
    return (
        f"{nodes} node{'s' * (nodes > 1)}" if nodes else "one process, SQLite",
        f"{heard.delays.p50:.1f} / {heard.delays.p99:.1f} ms",
        f"{1000 * spent / sessions / rounds:.2f} ms",
        f"{a_round[0]:.0f}, {a_round[1] / 1000:.1f} KB" if bus else "",
    )


async def _all(sessions: int, rounds: int) -> None:
    rows = [await measure(nodes, sessions, rounds) for nodes in (0, 1, 2, 3)]
    head = (
        "",
        "bid to last screen, p50 / p99",
        "CPU a player and round, all nodes",
        "bus, a round",
    )
    print(f"{sessions} sessions, {rounds} rounds of {SECONDS:g} s:\n\n{table(head, rows)}")


if __name__ == "__main__":
    run(_all(*map(int, (sys.argv[1:] + ["30", "4"][len(sys.argv) - 1 :])[:2])))
