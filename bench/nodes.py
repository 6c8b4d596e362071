"""What several nodes cost: `python -m bench.nodes [TABLES] [SECONDS]`.

Tables of five programs, which think for a moment before each bid, play on a single process with SQLite, and
then on PostgreSQL and NATS: with everybody at one node, and spread over two and three, so that a table's
players are connected to all of them. Told are the time from a bid to its answer, the processor time of all
nodes for a bid, and what passes through NATS in a round. All processes share one machine.
"""

import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

import asyncssh

from tests.support.nats import PASSWORD
from tests.support.postgres import PostgresServer
from tests.support.servers import AT_ONCE, Server

TABLES: Final = 8
SECONDS: Final = 15.0
SEATS: Final = 5
PAUSE: Final = 1.0
"""Seconds before each bid, so that no process is short of time."""
_OPTIONS: Final = {"players": SEATS, "pace": "fast", "seconds": 60}
_KEY: Final = "abcdefghijklmnopqrstuvwxyz"


@dataclass
class Measured:
    """One way to spread the players."""

    seconds: list[float] = field(default_factory=list)
    """From each bid to its answer."""
    counting: bool = False


@dataclass
class Meeting:
    """Where the players of one table meet."""

    code: asyncio.Future[str]
    here: int = 0


async def play(port: int, name: str, first: bool, meeting: Meeting, measured: Measured) -> None:
    """Play at one table for ever."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with (
        asyncssh.connect(
            "127.0.0.1", port, known_hosts=None, username=name, client_keys=[key], config=None
        ) as connection,
        connection.create_process("api", encoding="utf-8") as process,
    ):
        await _session(process, first, meeting, measured)


async def _session(
    process: "asyncssh.SSHClientProcess[str]", first: bool, meeting: Meeting, measured: Measured
) -> None:
    def send(do: str, **fields: Any) -> None:
        process.stdin.write(json.dumps({"id": do, "do": do, **fields}) + "\n")

    asked: tuple[int, ...] = ()
    began = 0.0
    opened = False
    async for line in process.stdout:
        told = json.loads(line)
        if told.get("id") == "bid":
            if not told["ok"]:
                asked = ()
                send("look")
            elif measured.counting:
                measured.seconds.append(time.perf_counter() - began)
        if told.get("ok") is False and told.get("id") == "join":
            await asyncio.sleep(0.2)
            send("join", table=await meeting.code)
        update = told.get("update")
        if update is None:
            continue
        table, game, you = update["table"], update["game"], update["you"]
        if update["place"] == "lobby" and not opened:
            opened = True
            if first:
                send("new", options=_OPTIONS)
            else:
                send("join", table=await meeting.code)
        if table is None:
            continue
        if first and not meeting.code.done():
            meeting.code.set_result(table["table"])
        if table["status"] == "open" and first and all(s["name"] for s in table["seats"]):
            send("start")
        if table["status"] == "over" and asked:
            asked = ()
            send("again")
        now = (table["games"], game["stage"], game["round"]) if game else ()
        if you and you["to_bid"] and asked != now:
            asked = now
            await asyncio.sleep(PAUSE)
            began = time.perf_counter()
            card = you["legal"][len(you["legal"]) // 2]
            send("bid", card=card, stage=game["stage"], round=game["round"])


def cpu(servers: Sequence[Server]) -> float:
    """Seconds of processor time of all these so far."""
    ticks = 0
    for each in servers:
        fields = Path(f"/proc/{each.process.pid}/stat").read_text().rpartition(") ")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def bus_bytes(monitor: int) -> int:
    """What NATS has been sent and has sent on so far."""
    with urllib.request.urlopen(f"http://127.0.0.1:{monitor}/varz") as answer:
        told = json.load(answer)
    return int(told["in_bytes"]) + int(told["out_bytes"])


async def measure(
    servers: Sequence[Server], tables: int, seconds: float, monitor: int | None
) -> dict[str, float]:
    """Play for so long, and say what it took."""
    measured, numbers = Measured(), count()
    loop = asyncio.get_running_loop()
    playing: list[asyncio.Task[None]] = []
    for table in range(tables):
        meeting = Meeting(loop.create_future())
        for seat in range(SEATS):
            port = servers[(table + seat) % len(servers)].ssh_port
            name = f"p{next(numbers)}"
            task = asyncio.create_task(play(port, name, seat == 0, meeting, measured))
            playing.append(task)
    await asyncio.sleep(5.0)
    before, bus_before = cpu(servers), bus_bytes(monitor) if monitor else 0
    measured.counting = True
    await asyncio.sleep(seconds)
    measured.counting = False
    spent = cpu(servers) - before
    on_bus = bus_bytes(monitor) - bus_before if monitor else 0
    for task in playing:
        task.cancel()
    done = await asyncio.gather(*playing, return_exceptions=True)
    for failed in done:
        if isinstance(failed, Exception):
            raise failed
    bids = measured.seconds
    return {
        "bids_per_second": round(len(bids) / seconds, 1),
        "p50_ms": round(1000 * statistics.median(bids), 2),
        "p99_ms": round(1000 * statistics.quantiles(bids, n=100)[98], 2),
        "cpu_ms_per_bid": round(1000 * spent / len(bids), 2),
        "bus_bytes_per_round": round(SEATS * on_bus / len(bids)),
    }


def main() -> None:
    """Measure, and print a table and the figures."""
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS
    figures: dict[str, dict[str, float]] = {}
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        with Server(place / "alone", **AT_ONCE) as alone:
            figures["one process, SQLite"] = asyncio.run(measure([alone], tables, seconds, None))
        for nodes in (1, 2, 3):
            with ExitStack() as each:
                postgres = PostgresServer(fsync="on")
                each.callback(postgres.stop_for_good)
                port, monitor = free_port(), free_port()
                nats = subprocess.Popen(
                    [_nats(), "-a", "127.0.0.1", "-p", str(port), "-m", str(monitor), *PASSWORD],
                    stderr=subprocess.DEVNULL,
                )
                each.callback(nats.wait)
                each.callback(nats.terminate)
                _wait_for(monitor)
                url, servers = postgres.empty(), []
                for name in _KEY[:nodes]:
                    settings = {
                        "TIDE_DATABASE_URL": url,
                        "TIDE_BUS_URL": f"nats://tide:for-tests@127.0.0.1:{port}",
                        "TIDE_NODE": name,
                        "TIDE_KEYS": str(place / "keys"),
                        "TIDE_STATE": str(place / f"{nodes}-{name}"),
                    }
                    (place / name).mkdir(exist_ok=True)
                    servers.append(each.enter_context(Server(place / name, **AT_ONCE, **settings)))
                name = f"{nodes} node{'s' * (nodes > 1)}"
                figures[name] = asyncio.run(measure(servers, tables, seconds, monitor))
    print(f"{tables} tables of {SEATS}, {seconds:.0f} s each, all on one machine:\n")
    print("| | bids/s | bid to answer, p50 / p99 | CPU a bid, all nodes | bus, a round |")
    print("|---|---|---|---|---|")
    for name, it in figures.items():
        print(
            f"| {name} | {it['bids_per_second']:.0f} | {it['p50_ms']:.1f} / {it['p99_ms']:.1f} ms "
            f"| {it['cpu_ms_per_bid']:.2f} ms | {it['bus_bytes_per_round'] / 1000:.1f} KB |"
        )
    print("figures", json.dumps(figures))


def free_port() -> int:
    """One that nobody listens on just now."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def _nats() -> str:
    found = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin")
    if not found:
        sys.exit("nats-server (Debian: nats-server) is not installed")
    return found


def _wait_for(monitor: int) -> None:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        with suppress(OSError):
            bus_bytes(monitor)
            return
        time.sleep(0.05)
    sys.exit("NATS does not start")


if __name__ == "__main__":
    main()
