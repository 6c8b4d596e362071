"""The load harness: ``python -m bench.load [--sizes 200,1000,3000]``.

Prints the results as Markdown, and how far it is on the standard error. Needs Linux; with two cores or
more the server has one of its own.
"""

import argparse
import json
import os
import platform
from functools import partial
from pathlib import Path
from typing import Any, Final

from bench.load.client import CLASSICAL, HYBRID
from bench.load.report import (
    Knock,
    connects,
    load_table,
    marks,
    profile_table,
    rounds_table,
    yardsticks,
)
from bench.load.server import PeerServer
from bench.load.stage import Cores, Plan, Result, knock, measure, measure_peer
from bench.load.syncs import syncs

SIZES: Final = (200, 1000, 3000)
PEER_SIZE: Final = 200


def main() -> None:
    """Measure and print."""
    wanted = _wanted()
    plan = Plan(seconds=wanted.seconds, presses=wanted.presses)
    cores = _cores()
    said: list[str] = []
    disk = syncs(cores.server)
    knocks = [Knock("ours", kex, *knock(cores, wanted.knocks, kex)) for kex in (CLASSICAL, HYBRID)]
    if wanted.peers:
        echo = partial(PeerServer, kind="echo")
        alone = knock(cores, wanted.knocks, CLASSICAL, echo)
        knocks.append(Knock("asyncssh alone", CLASSICAL, *alone))
    sizes: list[int] = wanted.sizes
    results = [measure(size, cores, plan, profiled=size == max(sizes)) for size in sizes]
    peers: dict[str, Result] = {}
    if wanted.peers:
        peers = {kind: measure_peer(kind, PEER_SIZE, cores, plan) for kind in ("echo", "stock")}
    said += ["### Seated players", load_table(results)]
    said += ["### A round, a player", rounds_table(results[0], plan)]
    said += ["### Coming in", connects(knocks)]
    if peers:
        said += ["### Yardsticks in the same run", yardsticks(results, peers)]
    said += ["### The disk below it", disk.text]
    if results[-1].profile:
        said += [f"### Where the server's time goes, {results[-1].sessions} sessions"]
        said += [profile_table(results[-1])]
    problems = [problem for result in (*results, *peers.values()) for problem in result.problems]
    said += ["### Problems", "\n".join(f"- {each}" for each in problems) or "None."]
    print("\n\n".join(said))
    print(f"\nfigures {json.dumps(_figures(results, knocks))}")


def _figures(results: list[Result], knocks: list[Knock]) -> dict[str, Any]:
    """What the table of targets is made of."""
    sizes = []
    for result in results:
        honest = result.rounds["all honest"]
        worst = max(played.delays.p99 for played in result.rounds.values())
        figures = {
            "sessions": result.sessions,
            "p99": honest.delays.p99,
            "server": honest.shares.server,
            "others": honest.shares.others,
            "frame_ms": honest.frame_ms,
            "kilobytes": result.kilobytes,
            "payload": honest.payload,
            "bad": worst / honest.delays.p99 if honest.delays.p99 else 0.0,
            "marks": marks(honest.shares),
        }
        sizes.append(figures)
    come = [
        {
            "who": each.who,
            "kex": each.kex,
            "rate": each.rate,
            "ms": each.server_ms,
            "marks": marks(each.shares),
        }
        for each in knocks
    ]
    return {"sizes": sizes, "connects": come}


def _wanted() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument(
        "--sizes",
        type=lambda text: [5 * max(1, int(part) // 5) for part in text.split(",")],
        default=list(SIZES),
        help="numbers of seated sessions, with commas between them",
    )
    parser.add_argument("--seconds", type=float, default=15.0, help="for a round [15]")
    parser.add_argument("--presses", type=int, default=600, help="wanted for a percentile [600]")
    parser.add_argument("--knocks", type=int, default=600, help="who come in at once [600]")
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="no yardsticks")
    return parser.parse_args()


def _cores() -> Cores:
    """The first core for the server, the others for its clients."""
    if platform.system() != "Linux" or not Path("/proc/self/smaps_rollup").exists():
        raise SystemExit("The load harness needs Linux: it pins processes and reads /proc.")
    first, *others = sorted(os.sched_getaffinity(0))
    return Cores(first, others[:8] or [first])


if __name__ == "__main__":
    main()
