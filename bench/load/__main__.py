"""The load harness: ``python -m bench.load [--quick]``.

Prints the results as Markdown, and how far it is on the standard error. Needs Linux; with two cores or
more the server has one of its own.
"""

import argparse
import json
import signal
import sys
import time
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

from bench.load.client import CLASSICAL, HYBRID
from bench.load.figures import EARLIER
from bench.load.report import (
    connects,
    load_table,
    marks,
    nuisances_table,
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

FULL: Final = (200, 1000, 1900, 3000)
QUICK: Final = (200, 1000)
WANTED: Final = 1900
"""The size nearest to it is looked into: beside nuisances, beside the earlier version, and with a profile."""
PEER_SIZE: Final = 200


def main() -> None:
    """Measure and print."""
    signal.signal(signal.SIGTERM, _told_to_stop)
    wanted = _wanted()
    plan = Plan(wanted.seconds, wanted.presses, nuisances=tuple(wanted.nuisances))
    cores = available_cores()
    end = time.monotonic() + 60 * wanted.minutes
    problems: list[str] = []
    disk = syncs(cores.server)
    knocks = _knocks(cores, wanted.knocks, peers=wanted.peers)
    looked_into = min(wanted.sizes, key=lambda size: abs(size - WANTED))
    peers: dict[str, Result] = {}
    if wanted.peers:
        kinds = ("echo", "stock", *(["wish"] if available() else []))
        peers = {kind: measure_peer(kind, PEER_SIZE, cores, plan) for kind in kinds}
    if wanted.earlier:
        earlier = partial(TideServer, checkout=wanted.earlier.resolve())
        knocks.append(knock(cores, wanted.knocks, CLASSICAL, earlier, who=EARLIER))
        peers[EARLIER] = measure(looked_into, cores, plan, earlier)
    results: list[Result] = []
    for size in wanted.sizes:
        seconds = plan.estimate(size, looked_into=size == looked_into)
        if why := fits(size) or ("" if time.monotonic() + seconds <= end else "no time was left"):
            problems.append(f"not measured with {size:,} sessions: {why}")
            say(problems[-1])
        else:
            results.append(measure(size, cores, plan, looked_into=size == looked_into))
    problems += [what for result in (*results, *peers.values()) for what in result.problems]
    problems += [what for burst in knocks for what in burst.problems]
    _tell_logins(knocks)
    if results:
        _tell_load(
            results, peers.get(EARLIER), plan, f"### The disk below it\n\n{disk.text}", problems
        )
        for each in results:
            if each.spoilt:
                _tell_nuisances(each)
        if peers:
            told = {"covers": sorted(peers)}
            print(f"{yardsticks(results, peers)}\n\nfigures yardsticks {json.dumps(told)}")


def _tell_load(
    results: list[Result], earlier: Result | None, plan: Plan, disk: str, problems: list[str]
) -> None:
    """People who are seated and play."""
    said = ["### Seated players", load_table(results)]
    said += ["### Sitting down", seating_table(results)]
    if results[0].honest is not None:
        said += ["### A round, a player", rounds_table(results[0], plan)]
    said += [disk]
    for result in results:
        if result.profile:
            said += [f"### Where the server's time goes, {result.sessions:,} sessions"]
            said += [profile_table(result.profile)]
    said += ["### Problems", "\n".join(f"- {each}" for each in problems) or "None."]
    sizes = [_size(each) for each in results if each.honest is not None]
    figures: dict[str, Any] = {"covers": [f"{each['sessions']} sessions" for each in sizes]}
    figures["sizes"] = sizes
    if earlier is not None and earlier.honest is not None:
        figures["covers"].append(EARLIER)
        figures[EARLIER] = _size(earlier)
    print("\n\n".join(said))
    print(f"\nfigures load {json.dumps(figures)}", flush=True)


def _size(result: Result) -> dict[str, Any]:
    """Its figures."""
    honest = result.honest
    assert honest is not None
    return {
        "sessions": result.sessions,
        "p99": honest.delays.p99,
        "server": honest.shares.server,
        "others": honest.shares.others,
        "frame_ms": honest.frame_ms,
        "kilobytes": result.kilobytes,
        "payload": honest.payload,
        "marks": marks(honest.shares, honest.syncs),
    }


def _tell_nuisances(result: Result) -> None:
    """What honest players notice of others."""
    rows = [
        {
            "how": each.how,
            "apart": each.apart,
            "sessions": result.sessions,
            "ratio": each.ratio,
            "marks": marks(each.beside.shares, each.beside.syncs),
        }
        for each in result.spoilt
    ]
    covers = [f"{each.how}, {'apart' if each.apart else 'among others'}" for each in result.spoilt]
    print(nuisances_table(result))
    print(f"\nfigures nuisances {json.dumps({'covers': covers, 'rows': rows})}", flush=True)


def _tell_logins(knocks: list[Knock]) -> None:
    """People who come in."""
    said = [connects(knocks)]
    for burst in knocks:
        if burst.profile:
            said += [f"### Where it goes when people come in ({burst.kex})"]
            said += [profile_table(burst.profile)]
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
    covers = [f"{each['who']}, {each['kex']}" for each in come]
    print("\n\n".join(said))
    print(f"\nfigures logins {json.dumps({'covers': covers, 'connects': come})}", flush=True)


def _knocks(cores: Cores, count: int, *, peers: bool) -> list[Knock]:
    """People who come in, by each key exchange; the same with asyncssh alone."""
    found = [knock(cores, count, kex, profiled=kex == CLASSICAL) for kex in (CLASSICAL, HYBRID)]
    if peers:
        echo = partial(PeerServer, kind="echo")
        found += [
            knock(cores, count, kex, echo, who="asyncssh alone") for kex in (CLASSICAL, HYBRID)
        ]
    return found


def _wanted() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    add = parser.add_argument
    add(
        "--quick",
        action="store_true",
        help="eight minutes instead of sixteen, at most 1,000 sessions",
    )
    add("--sizes", type=_sizes, help="numbers of seated sessions, with commas between them")
    add("--seconds", type=float, default=15.0, help="for a round [15]")
    add("--presses", type=int, help="wanted for a percentile [400; quick: 200]")
    add("--knocks", type=int, help="who come in at once [600; quick: 300]")
    add("--minutes", type=float, default=20.0, help="no size is begun that would take longer [20]")
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
