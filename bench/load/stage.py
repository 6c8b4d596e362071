"""A crowd of one size on a fresh server: seat everybody, play, spoil it for them, write down how it went."""

import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.load.client import CLASSICAL, Where
from bench.load.crowd import Crowd
from bench.load.figures import NOTHING, Spread, spread
from bench.load.processes import (
    IDLE,
    Failed,
    Meter,
    Shares,
    descriptors,
    memory,
    most_descriptors,
)
from bench.load.server import PeerServer, ServerProcess, TideServer, WishServer
from bench.load.syncs import Meanwhile
from bench.load.table import SEATS
from server.coordinator.timing import TableLimits

Make = Callable[[Path, int], ServerProcess]
"""Makes a server that keeps its files in a folder and runs on a core."""

SERVER_LIMITS: Final = 0.9
"""From this share of its core on, it is the server that limits a figure; the same for the clients."""
NUISANCES: Final = ("deaf", "resizing", "flooding")
"""Flooding comes last: what has piled up of it is pressed long after it has stopped."""
DISTURBED: Final = 0.1
"""From this share of the server's core on, others have disturbed a measurement."""
SLOW_SYNC: Final = 20.0
"""Milliseconds: from there on, the disk has, when one sync in a hundred takes as long."""
_A_SECOND: Final = 40
"""Players who come in and sit down, at least; what takes longer is given up."""
_MOST_UNANSWERED: Final = 0.15
"""Of all bids; eliminated players cannot bid, and so early in a game there are few."""
_SPARE_DESCRIPTORS: Final = 200
_REST: Final = 1.0
"""Seconds in which what nuisances have left behind is worked off."""


class Cores(NamedTuple):
    """Who runs where."""

    server: int
    clients: list[int]


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    seconds: float = 15.0
    """For a round at every table."""
    presses: int = 400
    """So many are wanted at least, to speak of a 99th percentile; a round has one for each session."""
    most_rounds: int = 4
    at_once: int = 16
    """Players who are coming in at any time."""
    looked_at: int = 2
    """Tables (for each worker) whose screens are looked at."""
    nuisances: tuple[str, ...] = NUISANCES
    """What one player in a hundred becomes, one after the other."""
    tries: int = 3
    """Of a nuisance, while others disturb it."""

    def rounds(self, sessions: int) -> int:
        """Of so many sessions."""
        return max(1, min(self.most_rounds, -(-self.presses // sessions)))

    def estimate(self, sessions: int, *, looked_into: bool = False) -> float:
        """Seconds that so many sessions take, about; ``looked_into``: with nuisances and a profile."""
        stretches = self.rounds(sessions) + looked_into
        if looked_into:
            stretches += self.rounds(sessions) * 4 * len(self.nuisances)
        return 10 + sessions / 80 + stretches * (self.seconds + 3)


class Round(NamedTuple):
    """What a stretch of playing has shown."""

    delays: Spread
    """Milliseconds from a key press to the last byte of the change on the last screen of the table."""
    shares: Shares
    seconds: float
    frames: int
    heard: dict[str, Any]
    syncs: Spread = NOTHING
    """Milliseconds that the disk took meanwhile, without any of ours."""

    @property
    def disturbed(self) -> bool:
        """Others took the processor or the disk, so that the delays are theirs."""
        return self.shares.others >= DISTURBED or self.syncs.p99 >= SLOW_SYNC

    @property
    def payload(self) -> float:
        """Bytes a player and round."""
        return float(sum(self.heard["payload"].values())) / self._rounds

    @property
    def wire(self) -> float:
        """The same as TCP carries them."""
        return float(sum(self.heard["wire"].values())) / self._rounds

    @property
    def kinds(self) -> dict[str, "Kind"]:
        """By the kind of frame, a player and round; the most first."""
        frames, wire = self.heard["frames"], self.heard["wire"]
        return {
            kind: Kind(*(each / self._rounds for each in (frames[kind], count, wire[kind])))
            for kind, count in sorted(self.heard["payload"].items(), key=lambda item: -item[1])
        }

    @property
    def frame_ms(self) -> float:
        """Milliseconds of the server's CPU time a frame, with everything that led to it."""
        return 1000 * self.shares.server * self.seconds / max(1, self.frames)

    @property
    def _rounds(self) -> float:
        return float(max(1.0, self.heard["honest"] * self.heard["rounds"]))


class Kind(NamedTuple):
    """Of one kind of frame: how many, bytes of payload, and the same as TCP carries them."""

    frames: float
    payload: float
    wire: float


@dataclass
class Result:
    """Everything about one size."""

    sessions: int
    telnet: int = 0
    """How many of them have come by telnet."""
    seated_seconds: float = 0.0
    first_frames: Spread = NOTHING
    seating: Shares = IDLE
    kilobytes: float = 0.0
    """That the server's resident memory grew by for each session, after playing."""
    pss: float = 0.0
    """The same of its proportional share."""
    descriptors: float = 0.0
    honest: Round | None = None
    """With all honest; ``None`` when it did not come to that."""
    spoilt: list["Spoilt"] = field(default_factory=list)
    screens: int = 0
    """That were looked at, each time."""
    problems: list[str] = field(default_factory=list)
    profile: dict[str, Any] = field(default_factory=dict)


class Spoilt(NamedTuple):
    """A nuisance, and what honest players noticed of it."""

    how: str
    apart: bool
    """At tables of their own; else one at each of some honest tables."""
    quiet: Round
    """Just before: a game that goes on has more players who are out, and costs less."""
    beside: Round
    lost: int
    """Nuisances that the server has let go."""

    @property
    def ratio(self) -> float:
        """Of the 99th percentiles."""
        return self.beside.delays.p99 / self.quiet.delays.p99 if self.quiet.delays.p99 else 0.0


@dataclass
class Knock:
    """A burst of people who come in."""

    who: str
    kex: str
    rate: float = 0.0
    """A second."""
    first_frames: Spread = NOTHING
    shares: Shares = IDLE
    server_ms: float = 0.0
    """Of the server's CPU time for each."""
    profile: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def available_cores() -> Cores:
    """The first core for the server, the others for its clients."""
    if platform.system() != "Linux" or not Path("/proc/self/smaps_rollup").exists():
        raise SystemExit("The load harness needs Linux: it pins processes and reads /proc.")
    first, *others = sorted(os.sched_getaffinity(0))
    return Cores(first, others[:8] or [first])


def say(text: str) -> None:
    """Tell who waits how far it is."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def fits(sessions: int) -> str:
    """Why so many sessions cannot be had on this machine; empty when they can."""
    most = most_descriptors()
    if sessions + _SPARE_DESCRIPTORS > most:
        return f"{sessions:,} sessions need more than the {most:,} descriptors of a process"
    tables = TableLimits().tables
    if sessions > SEATS * tables:
        return f"{sessions:,} sessions need more than the {tables:,} tables of a house"
    return ""


@contextmanager
def tried(problems: list[str]) -> Iterator[None]:
    """What fails within is given up, and is one of the ``problems``; the other measurements go on."""
    try:
        yield
    except (Failed, OSError) as error:
        problems.append(f"given up: {error}")
        say(problems[-1])


@contextmanager
def running(
    cores: Cores, make: Make = TideServer, *, kex: str = CLASSICAL, keys: bool = True
) -> Iterator[tuple[ServerProcess, Crowd]]:
    """A fresh server and a crowd for it. Raises ``Failed`` when one of them dies, or ``OSError``."""
    with (
        tempfile.TemporaryDirectory(prefix="tide-bench-") as folder,
        make(Path(folder), cores.server) as server,
        Crowd(cores.clients, Where(server.port, kex, keys, server.telnet)) as crowd,
    ):
        try:
            yield server, crowd
        except (Failed, OSError) as error:
            raise Failed("\n".join(filter(None, [str(error), server.last_words()]))) from error


def measure(
    sessions: int,
    cores: Cores,
    plan: Plan,
    make: Make = TideServer,
    *,
    looked_into: bool = False,
) -> Result:
    """Seat so many (a multiple of five), play, and look at it; ``looked_into``: beside nuisances as well, and
    where the server's time goes.
    """
    result = Result(sessions)
    with tried(result.problems), running(cores, make) as (server, crowd):
        crowd.share("knock", 10, at_once=5)
        time.sleep(0.5)
        _seat(result, server, crowd, cores, plan)
        looked = crowd.order("check")
        result.screens = looked["screens"]
        result.problems += looked["wrong"]
        if looked_into:
            for how, apart in product(plan.nuisances, (True, False)):
                _spoil(result, server, crowd, cores, plan, how, apart)
            wrong = crowd.order("check")["wrong"]
            result.problems += [f"{sessions:,} sessions, afterwards: {each}" for each in wrong]
        if looked_into and isinstance(server, TideServer):
            say(f"{sessions} sessions: profiling")
            server.begin_profile()
            crowd.order("play", plan.seconds, rounds=1, seconds=plan.seconds)
            result.profile = server.profile()
        crowd.order("end")
    return result


def _spoil(
    result: Result,
    server: ServerProcess,
    crowd: Crowd,
    cores: Cores,
    plan: Plan,
    how: str,
    apart: bool,
) -> None:
    """Play without, then beside one kind of nuisance; again, while others disturb it."""
    rounds = plan.rounds(result.sessions)
    found: Spoilt | None = None
    for _ in range(plan.tries):
        quiet = play(server, crowd, cores, rounds, plan.seconds)
        if not crowd.order("spoil", how=how, kind=NUISANCES.index(how), apart=apart)["bad"]:
            break
        say(f"1 % {how}, {'at tables of their own' if apart else 'at honest tables'}")
        beside = play(server, crowd, cores, rounds, plan.seconds)
        lost = crowd.order("mend")["lost"]
        found = Spoilt(how, apart, quiet, beside, lost)
        time.sleep(_REST)
        if not (quiet.disturbed or beside.disturbed):
            break
    if found is not None:
        result.spoilt.append(found)
        result.problems += _problems(
            f"{result.sessions:,} sessions beside {how} ones", found.beside
        )


def measure_peer(kind: str, sessions: int, cores: Cores, plan: Plan) -> Result:
    """The same for a yardstick: ``echo`` or ``stock`` of ``bench.load.peers``, or ``wish``."""
    result = Result(sessions)
    make: Make = WishServer if kind == "wish" else partial(PeerServer, kind=kind)
    with tried(result.problems), running(cores, make, keys=kind == "echo") as (server, crowd):
        crowd.share("knock", 10, at_once=5)
        _seat(result, server, crowd, cores, plan, kind)
        crowd.order("end")
    return result


def _seat(
    result: Result,
    server: ServerProcess,
    crowd: Crowd,
    cores: Cores,
    plan: Plan,
    kind: str = "tide",
) -> None:
    """Everybody comes in, sits down and plays a while."""
    before, open_before = memory(server.pid), descriptors(server.pid)
    sessions = result.sessions
    say(f"{sessions} sessions of {kind}: sitting down")
    meter = Meter(server.pid, crowd.pids, *cores)
    seated = crowd.share(
        "seat",
        sessions,
        each=SEATS,
        within=sessions / _A_SECOND,
        looked_at=plan.looked_at if kind == "tide" else 0,
        at_once=plan.at_once,
        kind=kind,
    )
    result.seating = meter.shares()
    result.seated_seconds, result.telnet = seated["seconds"], seated["telnet"]
    result.first_frames = spread(seated["first_frames"])
    result.problems += seated["failed"][:3]
    start = max(2.0, sessions / 200)
    crowd.order("start", start, seconds=start)
    result.honest = play(server, crowd, cores, plan.rounds(sessions), plan.seconds)
    result.problems += _problems(f"{sessions:,} sessions of {kind}", result.honest)
    after = memory(server.pid)
    result.kilobytes = (after.rss - before.rss) / sessions
    result.pss = (after.pss - before.pss) / sessions
    result.descriptors = (descriptors(server.pid) - open_before) / sessions


def play(server: ServerProcess, crowd: Crowd, cores: Cores, rounds: int, seconds: float) -> Round:
    """So many rounds at all tables."""
    say(f"playing {rounds} x {seconds:g} s")
    with Meanwhile() as disk:
        meter = Meter(server.pid, crowd.pids, *cores)
        heard = crowd.order("play", rounds * seconds, rounds=rounds, seconds=seconds)
        shares, took = meter.shares(), meter.seconds
    delays = spread(heard.pop("delays"))
    found = Round(delays, shares, took, sum(heard["frames"].values()), heard, disk.found)
    say(
        f"p50 {delays.p50:.1f}, p99 {delays.p99:.1f}, worst {delays.worst:.1f} ms; "
        f"server {shares.server:.0%}, clients {shares.clients:.0%}, "
        f"others {shares.others:.0%} and {shares.others_beside:.0%}; the disk p99 {disk.found.p99:.1f} ms"
    )
    return found


def knock(
    cores: Cores,
    count: int,
    kex: str,
    make: Make = TideServer,
    *,
    who: str = "ours",
    at_once: int = 32,
    profiled: bool = False,
) -> Knock:
    """People come in as fast as they can."""
    found = Knock(who, kex)
    with tried(found.problems), running(cores, make, kex=kex) as (server, crowd):
        say(f"{count} come in at once ({who}, {kex})")
        crowd.share("knock", 20, at_once=5)
        time.sleep(0.5)
        meter = Meter(server.pid, crowd.pids, *cores)
        within = count / _A_SECOND
        heard = crowd.share("knock", count, at_once=at_once, within=within)
        found.shares, took = meter.shares(), meter.seconds
        found.problems += heard["failed"][:3]
        found.rate = count / heard["seconds"]
        found.first_frames = spread(heard["first_frames"])
        found.server_ms = 1000 * found.shares.server * took / count
        if profiled and isinstance(server, TideServer):
            time.sleep(_REST)
            server.begin_profile()
            crowd.share("knock", count, at_once=at_once, within=within)
            found.profile = server.profile()
    return found


def _problems(when: str, played: Round) -> Sequence[str]:
    found = []
    if played.heard["torn"]:
        found.append(f"{when}: {played.heard['torn']} bids were not on all screens in time")
    unanswered = played.heard["unanswered"]
    if unanswered > _MOST_UNANSWERED * (unanswered + played.delays.n):
        found.append(f"{when}: {unanswered} bids were on no screen in time")
    if played.heard["lost"]:
        found.append(f"{when}: {played.heard['lost']} honest sessions were lost")
    return found
