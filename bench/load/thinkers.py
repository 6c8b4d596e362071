"""Many tables with bots that think: ``python -m bench.load.thinkers``.

Each table has one person and three bots. Measured are what people notice (from a key press to the last byte
of the change on their screen), what the bots have cost, and how many of their bids another bot had to make.
Needs Linux; with two cores the server has one of its own, and the bots take what is left of both.
"""

import argparse
import json
import os
import re
import socket
import sys
import urllib.request
from pathlib import Path
from typing import Final

from bench.load.figures import table
from bench.load.processes import cpu_seconds, memory
from bench.load.server import TideServer
from bench.load.stage import Cores, available_cores, play, running, say
from bench.load.table import SEATS

_KINDS: Final = ("expert", "master")


class ThinkServer(TideServer):
    """A server that tells figures."""

    def __init__(self, folder: Path, core: int) -> None:
        super().__init__(folder, core)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._metrics: int = free.getsockname()[1]
        self._environment["TIDE_METRICS_PORT"] = str(self._metrics)

    def figures(self) -> dict[str, float]:
        """Its metrics without labels, and the buckets of ``tide_thinking_seconds`` by their bound."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self._metrics}/metrics") as answer:
            text = answer.read().decode()
        return {
            name: float(value)
            for name, value in re.findall(r"^(tide_\S+) (\S+)$", text, re.MULTILINE)
        }

    @property
    def thinkers(self) -> list[int]:
        """The processes in which its bots think."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return [int(pid) for pid in children]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.load.thinkers", description=__doc__)
    add = parser.add_argument
    add("--expert", type=int, default=300, metavar="N", help="tables with experts [300]")
    add("--master", type=int, default=20, metavar="N", help="tables with masters [20]")
    add("--seconds", type=float, default=15.0, help="for a round [15]")
    add("--rounds", type=int, default=8, metavar="N", help="to play [8]")
    wanted = parser.parse_args()
    measure(available_cores(), wanted)


def measure(cores: Cores, wanted: argparse.Namespace) -> None:
    """Seat everybody, play, and print what came of it."""
    counts = {kind: getattr(wanted, kind) for kind in _KINDS}
    with running(cores, ThinkServer) as (server, crowd):
        assert isinstance(server, ThinkServer)
        crowd.share("knock", 10, at_once=5)
        for kind, count in counts.items():
            say(f"{count} tables with three times {kind}: sitting down")
            seated = crowd.share(
                "seat",
                count * SEATS,
                each=SEATS,
                within=count / 5,
                looked_at=0,
                at_once=8,
                kind=kind,
            )
            if seated["failed"]:
                sys.exit("\n".join(seated["failed"][:3]))
        for pid in server.thinkers:
            # They have inherited the core that the harness has given to the server.
            os.sched_setaffinity(pid, {cores.server, *cores.clients})
        crowd.order("start", wanted.seconds, seconds=wanted.seconds)
        before, thought = server.figures(), sum(map(cpu_seconds, server.thinkers))
        played = play(server, crowd, cores, wanted.rounds, wanted.seconds)
        after = server.figures()
        share = (sum(map(cpu_seconds, server.thinkers)) - thought) / played.seconds
        kilobytes = sum(memory(pid).rss for pid in server.thinkers)
        crowd.order("end")
    grown = {name: after[name] - before[name] for name in after if name in before}
    chosen, late = grown["tide_thinking_seconds_count"], grown["tide_thinking_fallbacks_total"]
    bids = chosen + late  # a bot that is not waited for any more has not chosen
    delays, shares = played.delays, played.shares
    rows = [
        ("tables", ", ".join(f"{count} of {kind}" for kind, count in counts.items())),
        ("key presses", f"{delays.n:,} ({played.heard['unanswered']} unanswered)"),
        ("p50, p99, worst", f"{delays.p50:.1f}, {delays.p99:.1f}, {delays.worst:.0f} ms"),
        ("bids thought of", f"{bids:,.0f}, {bids / played.seconds:.0f} a second"),
        ("until a bot had chosen", _thinking(grown)),
        ("bids of another bot instead", f"{late:.0f} ({late / max(1, bids):.2%})"),
        ("server, clients", f"{shares.server:.0%}, {shares.clients:.0%} of a core"),
        ("thinking", f"{share:.0%} of a core, {kilobytes / 1024:.0f} MB"),
    ]
    print(table(("", ""), rows))
    figures = {"p99": delays.p99, "fallbacks": late / max(1, bids), "thinking": share}
    print(f"\nfigures {json.dumps(figures)}")


def _thinking(grown: dict[str, float]) -> str:
    """The mean, and the least bound below which 50 and 99 % are, with waiting for a process."""
    name = "tide_thinking_seconds"
    count = grown[f"{name}_count"]
    bounds = {
        bound: grown[each]
        for each in grown
        for bound in re.findall(r"bucket\{le=\"(.*)\"\}", each)
        if each.startswith(name)
    }

    def below(part: float) -> str:
        return next((bound for bound, seen in bounds.items() if seen >= part * count), "+Inf")

    mean = grown[f"{name}_sum"] / max(1, count)
    return f"{1000 * mean:.0f} ms; half within {below(0.5)} s, 99 % within {below(0.99)} s"


if __name__ == "__main__":
    main()
