"""A crowd of one size on a fresh server: seat everybody, play, spoil it for them, write down how it went."""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.load.client import CLASSICAL, Where
from bench.load.crowd import Crowd
from bench.load.figures import NOTHING, Spread, spread
from bench.load.processes import IDLE, Meter, Shares, descriptors, memory
from bench.load.server import PeerServer, ServerProcess, TideServer
from bench.load.table import SEATS

Make = Callable[[Path, int], ServerProcess]
"""Makes a server that keeps its files in a folder and runs on a core."""

SERVER_LIMITS: Final = 0.9
"""From this share of its core on, it is the server that limits a figure; the same for the clients."""


class Cores(NamedTuple):
    """Who runs where."""

    server: int
    clients: list[int]


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    seconds: float = 15.0
    """For a round at every table."""
    presses: int = 600
    """So many are wanted at least, to speak of a 99th percentile; a round has one for each session."""
    most_rounds: int = 4
    at_once: int = 16
    """Players who are coming in at any time."""
    looked_at: int = 2
    """Tables (for each worker) whose screens are looked at."""
    nuisances: tuple[tuple[str, ...], ...] = (("deaf",), ("flooding", "resizing"))
    """One player in a hundred becomes one of the first kinds, then another one of the second."""

    def rounds(self, sessions: int) -> int:
        """Of so many sessions."""
        return max(1, min(self.most_rounds, -(-self.presses // sessions)))


class Round(NamedTuple):
    """What a stretch of playing has shown."""

    delays: Spread
    """Milliseconds from a key press to the last byte of the change on the last screen of the table."""
    shares: Shares
    seconds: float
    frames: int
    heard: dict[str, Any]

    @property
    def payload(self) -> float:
        """Bytes a player and round."""
        return float(self.heard["payload"]) / self._rounds

    @property
    def wire(self) -> float:
        """The same as TCP carries them."""
        return float(self.heard["wire"]) / self._rounds

    @property
    def kinds(self) -> dict[str, tuple[float, float]]:
        """Bytes and frames a player and round, by kind."""
        frames = self.heard["frames"]
        return {
            kind: (count / self._rounds, frames[kind] / self._rounds)
            for kind, count in sorted(self.heard["kinds"].items(), key=lambda item: -item[1])
        }

    @property
    def frame_ms(self) -> float:
        """Milliseconds of the server's CPU time a frame, with everything that led to it."""
        return 1000 * self.shares.server * self.seconds / max(1, self.frames)

    @property
    def _rounds(self) -> float:
        return float(max(1.0, self.heard["honest"] * self.heard["rounds"]))


@dataclass
class Result:
    """Everything about one size."""

    sessions: int
    seated_seconds: float = 0.0
    first_frames: Spread = NOTHING
    seating: Shares = IDLE
    kilobytes: float = 0.0
    """That the server's resident memory grew by for each session, after playing."""
    pss: float = 0.0
    """The same of its proportional share."""
    descriptors: float = 0.0
    rounds: dict[str, Round] = field(default_factory=dict)
    """By what was going on."""
    screens: int = 0
    """That were looked at."""
    problems: list[str] = field(default_factory=list)
    profile: dict[str, Any] = field(default_factory=dict)


def say(text: str) -> None:
    """Tell who waits how far it is."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


@contextmanager
def running(
    cores: Cores, make: Make = TideServer, *, kex: str = CLASSICAL, keys: bool = True
) -> Iterator[tuple[ServerProcess, Crowd]]:
    """A fresh server and a crowd for it."""
    with (
        tempfile.TemporaryDirectory(prefix="tide-bench-") as folder,
        make(Path(folder), cores.server) as server,
        Crowd(cores.clients, Where(server.port, kex, keys)) as crowd,
    ):
        yield server, crowd


def measure(sessions: int, cores: Cores, plan: Plan, *, profiled: bool = False) -> Result:
    """Seat so many (a multiple of five), play, and look at it."""
    result = Result(sessions)
    with running(cores) as (server, crowd):
        crowd.share("knock", 10, at_once=5)
        time.sleep(0.5)
        before, open_before = memory(server.pid), descriptors(server.pid)
        say(f"{sessions} sessions: sitting down")
        meter = Meter(server.pid, crowd.pids, *cores)
        seated = crowd.share(
            "seat", sessions, each=SEATS, looked_at=plan.looked_at, at_once=plan.at_once
        )
        result.seating = meter.shares()
        result.seated_seconds = seated["seconds"]
        result.first_frames = spread(seated["first_frames"])
        result.problems += seated["failed"][:3]
        crowd.order("start", seconds=max(2.0, sessions / 500))
        rounds = plan.rounds(sessions)
        result.rounds["all honest"] = play(server, crowd, cores, rounds, plan.seconds)
        after = memory(server.pid)
        result.kilobytes = (after.rss - before.rss) / sessions
        result.pss = (after.pss - before.pss) / sessions
        result.descriptors = (descriptors(server.pid) - open_before) / sessions
        looked = crowd.order("check")
        result.screens = looked["screens"]
        result.problems += looked["wrong"]
        spoilt: list[str] = []
        for first, how in enumerate(plan.nuisances):
            if crowd.order("spoil", how=how, first=first)["bad"]:
                spoilt.append(f"1 % {' or '.join(how)}")
                name = ", ".join(spoilt)
                result.rounds[name] = play(server, crowd, cores, rounds, plan.seconds)
        if profiled and isinstance(server, TideServer):
            say(f"{sessions} sessions: profiling")
            server.begin_profile()
            crowd.order("play", rounds=1, seconds=plan.seconds)
            result.profile = server.profile()
        result.problems += _problems(result.rounds)
        crowd.order("end")
    return result


def measure_peer(kind: str, sessions: int, cores: Cores, plan: Plan) -> Result:
    """The same for a yardstick: ``echo`` or ``stock``."""
    result = Result(sessions)
    with running(cores, partial(PeerServer, kind=kind), keys=kind == "echo") as (server, crowd):
        crowd.share("knock", 10, at_once=5)
        before = memory(server.pid)
        say(f"{sessions} sessions of the yardstick {kind}")
        meter = Meter(server.pid, crowd.pids, *cores)
        seated = crowd.share(
            "seat", sessions, each=SEATS, looked_at=0, at_once=plan.at_once, kind=kind
        )
        result.seating = meter.shares()
        result.seated_seconds = seated["seconds"]
        result.first_frames = spread(seated["first_frames"])
        result.problems += seated["failed"][:3]
        crowd.order("start", seconds=2.0)
        result.rounds["all honest"] = play(
            server, crowd, cores, plan.rounds(sessions), plan.seconds
        )
        after = memory(server.pid)
        result.kilobytes = (after.rss - before.rss) / sessions
        result.pss = (after.pss - before.pss) / sessions
        result.problems += _problems(result.rounds)
        crowd.order("end")
    return result


def play(server: ServerProcess, crowd: Crowd, cores: Cores, rounds: int, seconds: float) -> Round:
    """So many rounds at all tables."""
    say(f"playing {rounds} x {seconds:g} s")
    meter = Meter(server.pid, crowd.pids, *cores)
    heard = crowd.order("play", rounds=rounds, seconds=seconds)
    shares, took = meter.shares(), meter.seconds
    delays = spread(heard.pop("delays"))
    found = Round(delays, shares, took, sum(heard["frames"].values()), heard)
    say(
        f"p50 {delays.p50:.1f}, p99 {delays.p99:.1f}, worst {delays.worst:.1f} ms; "
        f"server {shares.server:.0%}, clients {shares.clients:.0%}, "
        f"others {shares.others:.0%} and {shares.others_beside:.0%}"
    )
    return found


def knock(
    cores: Cores, count: int, kex: str, make: Make = TideServer, at_once: int = 32
) -> tuple[float, Spread, Shares, float]:
    """People come in as fast as they can: how many a second, ms to the first frame, shares, and
    milliseconds of the server's CPU time for each.
    """
    say(f"{count} come in at once ({kex})")
    with running(cores, make, kex=kex) as (server, crowd):
        crowd.share("knock", 20, at_once=5)
        time.sleep(0.5)
        meter = Meter(server.pid, crowd.pids, *cores)
        heard = crowd.share("knock", count, at_once=at_once)
        shares, took = meter.shares(), meter.seconds
        if heard["failed"]:
            raise RuntimeError(f"could not come in: {heard['failed'][0]}")
        rate = count / heard["seconds"]
        return rate, spread(heard["first_frames"]), shares, 1000 * shares.server * took / count


def _problems(rounds: dict[str, Round]) -> Sequence[str]:
    found = []
    for name, played in rounds.items():
        if played.heard["torn"]:
            found.append(f"{name}: {played.heard['torn']} bids were not on all screens in time")
        if played.heard["lost"]:
            found.append(f"{name}: {played.heard['lost']} honest sessions were lost")
    return found
