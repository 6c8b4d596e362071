"""The price of a change: ``make bench ARGS="price [COMMIT] [--limit 5]"``.

HEAD and COMMIT (HEAD's parent unless said) each get an environment of their own in ``.price/``, which stays
for the next time. Their servers run side by side on one core, with as many of HEAD's scripted players each,
who take turns to come in, and then play at the same time: what else the machine does, it does to both.
Compared is not time, but what each server process takes of the processor's time for each player and round,
and for a login, and its memory for each session. Pairs of fresh servers follow each other until all of that
is known to ``--width`` points, or ``--pairs`` are done. The exit status is 1 when HEAD is dearer by more than
the limit in any of it, by the lower end of the interval of 95%. What is not committed is not measured.
``price HEAD --python PATH`` compares HEAD with itself under another version of Python.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from bench.load.crowd import Crowd
from bench.load.figures import interval, table
from bench.load.measure import as_clients, run, say
from bench.load.server import Failed, Server, tide
from bench.load.table import SEATS

ROOT: Final = Path(__file__).resolve().parents[1]
PLACE: Final = ROOT / ".price"
LEAST: Final = 4  # pairs, before an interval means anything
SESSIONS: Final = 100
ROUNDS: Final = 3
SECONDS: Final = 10.0  # for a round
BURSTS: Final = 10  # each, in turn
BURST: Final = 20  # people who come in to one server before it is the other one's turn
UNITS: Final = {"a player and round": "{:.2f} ms", "a login": "{:.2f} ms", "a session": "{:.0f} KB"}

Cost = tuple[float, ...]
"""What one server took, in the order of ``UNITS``."""


class Price(NamedTuple):
    """What HEAD takes, and how much more than before, in percent."""

    name: str
    before: float
    now: float
    low: float
    high: float


def prices(pairs: list[tuple[Cost, Cost]]) -> list[Price]:
    """Return the ratio in pairs of what the other commit and HEAD took, and where it is with 95%
    confidence.
    """
    found = []
    for which, name in enumerate(UNITS):
        before, now = ([pair[side][which] for pair in pairs] for side in (0, 1))
        low, high = interval([log(b / a) for a, b in zip(before, now, strict=True)])
        ends = (100 * (exp(end) - 1) for end in (low, high))
        found.append(Price(name, fmean(before), fmean(now), *ends))
    return found


def told(found: list[Price], width: float, limit: float) -> str:
    """As a table."""
    rows = []
    for it in found:
        said = ["dearer than the limit"] if it.low > limit else []
        if it.high - it.low > width:
            said.append(f"known to {it.high - it.low:.1f} points only")
        costs = (UNITS[it.name].format(cost) for cost in (it.before, it.now))
        between = f"{it.low:+.1f} to {it.high:+.1f}%"
        rows.append((it.name, *costs, f"{(it.low + it.high) / 2:+.1f}%", between, "; ".join(said)))
    return table(("", "before", "HEAD", "price", "with 95% confidence", ""), rows)


def environment(commit: str, python: str = "") -> Path:
    """Return an installed checkout of a commit, for an interpreter or for this one, made unless it
    is there.
    """
    place = PLACE / (commit + python.replace("/", "-"))
    if not (place / ".made").exists():
        say(f"making an environment for {commit[:8]}")
        git("worktree", "prune")
        if not place.exists():
            git("worktree", "add", "--detach", str(place), commit)
        variables = {name: it for name, it in os.environ.items() if not name.startswith("MAKE")}
        variables["PYTHON"] = python or str(Path(sys.base_prefix) / "bin" / "python3")
        command = ["make", "-s", "-C", str(place), ".venv/.stamp-run"]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{commit[:8]} cannot be installed:\n{done.stdout}{done.stderr}")
        (place / ".made").touch()
    return place


def git(*arguments: str) -> str:
    """Return what it says, or the end."""
    command = ("git", "-C", str(ROOT), *arguments)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.strip())
    return done.stdout.strip()


async def pair(checkouts: list[Path], number: int) -> tuple[Cost, Cost]:
    """Fresh servers of both, which take turns to be the first. Raises ``Failed``."""
    both = (0, 1)
    order = both if number % 2 else both[::-1]
    servers: dict[int, Server] = {}
    crowds: dict[int, Crowd] = {}
    async with AsyncExitStack() as stack:
        cores = stack.enter_context(as_clients())
        for side in order:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tide-price-"))
            seed = {"PYTHONHASHSEED": str(number)}
            server = tide(Path(folder), cores.server, checkouts[side], **seed)
            servers[side] = stack.enter_context(server)
            crowds[side] = Crowd(servers[side].port)
            stack.callback(crowds[side].end)
        login = [0.0, 0.0]
        for turn in range(-1, BURSTS):
            for side in order if turn % 2 else order[::-1]:
                before = servers[side].cpu
                await crowds[side].knock(BURST, at_once=10)
                if turn >= 0:  # the first one warms up
                    login[side] += servers[side].cpu - before
        memory = [servers[side].kilobytes for side in both]
        for side in order:
            failed = await crowds[side].seat(SESSIONS // SEATS)
            if failed:
                raise Failed("\n".join(failed[:3]))
        await asyncio.gather(*(crowds[side].start(SECONDS) for side in order))
        used = [servers[side].cpu for side in both]
        heard = await asyncio.gather(*(crowds[side].play(ROUNDS, SECONDS) for side in both))
        if any(each.lost for each in heard):
            raise Failed("honest sessions were lost")
        costs = [
            (
                1000 * (servers[side].cpu - used[side]) / SESSIONS / ROUNDS,
                1000 * login[side] / BURSTS / BURST,
                (servers[side].kilobytes - memory[side]) / SESSIONS,
            )
            for side in both
        ]
    return costs[0], costs[1]


def main(arguments: list[str]) -> int:
    """Measure until it is known."""
    parser = argparse.ArgumentParser(prog="python -m bench price", description=__doc__)
    parser.add_argument("commit", nargs="?", default="HEAD^", help="to compare HEAD with [HEAD^]")
    for name, usual, what in (
        ("--limit", 5.0, "percent that HEAD may be dearer"),
        ("--width", 3.0, "of the interval, in points"),
        ("--pairs", 16.0, "at most"),
    ):
        parser.add_argument(name, type=float, default=usual, help=f"{what} [{usual:g}]")
    parser.add_argument("--python", default="", help="path of an interpreter that HEAD is to use")
    wanted = parser.parse_args(arguments)
    commits = [git("rev-parse", "--verify", f"{it}^{{commit}}") for it in (wanted.commit, "HEAD")]
    checkouts = [environment(commits[0]), environment(commits[1], wanted.python)]
    print(f"{commits[1][:8]} (HEAD) {wanted.python} beside {commits[0][:8]}", flush=True)
    pairs, found = list[tuple[Cost, Cost]](), list[Price]()
    while len(pairs) < max(LEAST, wanted.pairs):
        pairs.append(run(pair(checkouts, len(pairs))))
        ratios = ", ".join(f"{now / before:.3f}" for before, now in zip(*pairs[-1], strict=True))
        say(f"pair {len(pairs)}: round, login, memory {ratios}")
        if len(pairs) >= LEAST:
            found = prices(pairs)
            if all(it.high - it.low <= wanted.width for it in found):
                break
    print(f"{told(found, wanted.width, wanted.limit)}\n\n{len(pairs)} pairs")
    return int(any(it.low > wanted.limit for it in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
