"""The load harness: ``python -m bench.load [--quick]``.

Prints the results as Markdown, and how far it is on the standard error. Needs Linux; with two cores or
more the server has one of its own.
"""

import argparse
import json
import signal
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

from bench.load.client import CLASSICAL, HYBRID
from bench.load.figures import EARLIER, REFERENCE
from bench.load.report import (
    connects,
    load_table,
    marks,
    profile_table,
    rounds_table,
    seating_table,
    yardsticks,
)
from bench.load.server import PeerServer, TideServer
from bench.load.stage import (
    NUISANCES,
    Cores,
    Knock,
    Plan,
    Result,
    available_cores,
    fits,
    knock,
    measure,
    measure_peer,
    say,
)
from bench.load.syncs import syncs
from bench.load.wish import available

FULL: Final = (200, 1000, 3000, 5000)
QUICK: Final = (200, 1000)
WANTED: Final = 3000
"""Sessions that the goals speak of: the size nearest to it is profiled."""
PEER_SIZE: Final = 200


def main() -> None:
    """Measure and print."""
    signal.signal(signal.SIGTERM, _told_to_stop)
    wanted = _wanted()
    plan = Plan(wanted.seconds, wanted.presses, nuisances=tuple(wanted.nuisances))
    cores = available_cores()
    end = time.monotonic() + 60 * wanted.minutes
    said: list[str] = []
    problems: list[str] = []
    disk = syncs(cores.server)
    knocks = _knocks(cores, wanted.knocks, peers=wanted.peers)
    peers: dict[str, Result] = {}
    if wanted.peers:
        kinds = ("echo", "stock", *(["wish"] if available() else []))
        peers = {kind: measure_peer(kind, PEER_SIZE, cores, plan) for kind in kinds}
    results: list[Result] = []
    if wanted.earlier:
        earlier = partial(TideServer, checkout=wanted.earlier.resolve())
        knocks.append(knock(cores, wanted.knocks, CLASSICAL, earlier, who=EARLIER))
        size = _as_many(knocks[-1].server_ms)
        peers[EARLIER] = measure(size, cores, replace(plan, nuisances=()), earlier)
        wanted.sizes = sorted({*wanted.sizes, size})
    profiled = min(wanted.sizes, key=lambda size: abs(size - WANTED))
    for size in wanted.sizes:
        seconds = plan.estimate(size, profiled=size == profiled)
        if why := fits(size) or ("" if time.monotonic() + seconds <= end else "no time was left"):
            problems.append(f"not measured with {size:,} sessions: {why}")
            say(problems[-1])
        else:
            results.append(measure(size, cores, plan, profiled=size == profiled))
    if results:
        said += ["### Seated players", load_table(results)]
        said += ["### Sitting down", seating_table(results)]
    if results and results[0].honest is not None:
        said += ["### A round, a player", rounds_table(results[0], plan)]
    said += ["### Coming in", connects(knocks)]
    if peers and results:
        said += ["### Yardsticks in the same run", yardsticks(results, peers)]
    said += ["### The disk below it", disk.text]
    for result in results:
        if result.profile:
            said += [f"### Where the server's time goes, {result.sessions:,} sessions"]
            said += [profile_table(result.profile)]
    for burst in knocks:
        if burst.profile:
            said += [f"### Where it goes when people come in ({burst.kex})"]
            said += [profile_table(burst.profile)]
    for each in (*results, *peers.values()):
        problems += each.problems
    for burst in knocks:
        problems += burst.problems
    said += ["### Problems", "\n".join(f"- {each}" for each in problems) or "None."]
    print("\n\n".join(said))
    print(f"\nfigures {json.dumps(_figures(results, knocks, peers))}")


def _as_many(login_ms: float) -> int:
    """How many sessions keep this machine as busy as ``WANTED`` the one that the goals are meant for, when
    the earlier version takes ``login_ms`` for a login here.
    """
    share = min(1.0, REFERENCE["ms"] / login_ms) if login_ms else 1.0
    return 100 * max(1, round(share * WANTED / 100))


def _knocks(cores: Cores, count: int, *, peers: bool) -> list[Knock]:
    """People who come in, by each key exchange; the same with asyncssh alone."""
    found = [knock(cores, count, kex, profiled=kex == CLASSICAL) for kex in (CLASSICAL, HYBRID)]
    if peers:
        echo = partial(PeerServer, kind="echo")
        found += [
            knock(cores, count, kex, echo, who="asyncssh alone") for kex in (CLASSICAL, HYBRID)
        ]
    return found


def _figures(
    results: list[Result], knocks: list[Knock], peers: dict[str, Result]
) -> dict[str, Any]:
    """What the table of targets is made of."""
    sizes = []
    for result in results:
        honest = result.honest
        if honest is None:
            continue
        ratio, beside = result.spoilt
        figures = {
            "sessions": result.sessions,
            "p99": honest.delays.p99,
            "server": honest.shares.server,
            "others": honest.shares.others,
            "frame_ms": honest.frame_ms,
            "kilobytes": result.kilobytes,
            "payload": honest.payload,
            "bad": ratio,
            "beside": beside,
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
        if each.rate
    ]
    found: dict[str, Any] = {"sizes": sizes, "connects": come}
    if (earlier := peers.get(EARLIER)) and (honest := earlier.honest):
        found[EARLIER] = {
            "sessions": earlier.sessions,
            "p99": honest.delays.p99,
            "server": honest.shares.server,
            "frame_ms": honest.frame_ms,
        }
    return found


def _wanted() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    add = parser.add_argument
    add(
        "--quick",
        action="store_true",
        help="four minutes instead of eleven, at most 1,000 sessions",
    )
    add("--sizes", type=_sizes, help="numbers of seated sessions, with commas between them")
    add("--seconds", type=float, default=15.0, help="for a round [15]")
    add("--presses", type=int, help="wanted for a percentile [400; quick: 200]")
    add("--knocks", type=int, help="who come in at once [600; quick: 300]")
    add("--minutes", type=float, default=12.0, help="no size is begun that would take longer [12]")
    add(
        "--nuisances",
        type=lambda text: [each for each in text.split(",") if each],
        default=list(NUISANCES),
        help=f"what 1 %% of the clients become, one after the other [{','.join(NUISANCES)}]",
    )
    add("--no-peers", dest="peers", action="store_false", help="no yardsticks")
    add(
        "--earlier",
        type=Path,
        metavar="CHECKOUT",
        help="where the version that the goals were set with is installed: measure that as well",
    )
    wanted = parser.parse_args()
    if unknown := set(wanted.nuisances) - set(NUISANCES):
        parser.error(f"no such nuisance: {', '.join(sorted(unknown))}")
    wanted.sizes = wanted.sizes or list(QUICK if wanted.quick else FULL)
    wanted.presses = wanted.presses or (200 if wanted.quick else 400)
    wanted.knocks = wanted.knocks or (300 if wanted.quick else 600)
    return wanted


def _sizes(text: str) -> list[int]:
    return [5 * max(1, int(part) // 5) for part in text.split(",")]


def _told_to_stop(_number: int, _frame: FrameType | None) -> None:
    # As an exception, so that every process that was started is ended.
    sys.exit("told to stop")


if __name__ == "__main__":
    main()
