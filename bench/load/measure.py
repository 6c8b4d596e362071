"""A crowd of one size on a fresh server: seat everybody, play, spoil it for them, write down how it went."""

import asyncio
import gc
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple, TypeVar

from bench.load.crowd import Crowd, Heard
from bench.load.figures import BY_CLIENTS
from bench.load.player import NUISANCES
from bench.load.server import Failed, Server, tide
from bench.load.table import SEATS

T = TypeVar("T")
Make = Callable[[Path, int], AbstractContextManager[Server]]
"""Makes a server that keeps its files in a folder and runs on a core."""
Playing = Callable[[], Coroutine[Any, Any, "Round"]]

LIMITS: Final = 0.9  # of its core: from there on, the server limits a figure, or the clients do
DISTURBED: Final = 0.1  # of the server's core: from there on, others have disturbed a measurement
PRESSES: Final = 400  # wanted for a 99th percentile; a round has one for each session
_MOST_UNANSWERED: Final = 0.15  # of all bids; eliminated players cannot bid: early in a game, few
_REST: Final = 2.5  # seconds for the server to work off what players have left behind


class Round(NamedTuple):
    """What a stretch of playing has shown."""

    heard: Heard
    shares: dict[str, float]
    """``cpu``: the server's seconds; of a core: ``server``, ``clients``, ``others`` on the server's."""
    rounds: int

    @property
    def round_ms(self) -> float:
        """Milliseconds of the server's CPU time for each player and round, all in."""
        return 1000 * self.shares["cpu"] / max(1, self.heard.honest * self.rounds)

    @property
    def frame_ms(self) -> float:
        """Milliseconds of the server's CPU time for each frame, all in."""
        return 1000 * self.shares["cpu"] / max(1, self.heard.frames)

    @property
    def payload(self) -> float:
        """Bytes a player and round."""
        return self.heard.payload / max(1, self.heard.honest * self.rounds)

    @property
    def marks(self) -> str:
        """What has to be known about these figures: who has limited or disturbed them."""
        found = []
        if self.shares["clients"] >= LIMITS > self.shares["server"]:
            found.append(BY_CLIENTS)
        if self.shares["others"] >= DISTURBED:
            found.append("disturbed")
        return ", ".join(found)


class Spoilt(NamedTuple):
    """A nuisance, and what honest players noticed of it."""

    how: str
    apart: bool
    """At tables of their own; else one at each of some honest tables."""
    quiet: tuple[Round, Round]
    """Just before and just after: a game that goes on has more players who are out, and costs less."""
    beside: Round

    @property
    def ratio(self) -> float:
        """Ratio of the 99th percentiles; that without is the mean of both."""
        quiet = fmean(each.heard.delays.p99 for each in self.quiet)
        return self.beside.heard.delays.p99 / quiet if quiet else 0.0


@dataclass
class Result:
    """Everything about one size."""

    who: str
    sessions: int
    login_ms: float = 0.0
    """Milliseconds of the server's CPU time for each login, while people came in as fast as they could."""
    login_profile: dict[str, float] = field(default_factory=dict)
    kilobytes: float = 0.0
    """That the server's resident memory grew by for each session, until the end of the first round."""
    honest: Round | None = None
    spoilt: list[Spoilt] = field(default_factory=list)
    profile: dict[str, float] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


class Cores(NamedTuple):
    """The first core is for the server, the others for its clients."""

    server: int
    clients: set[int]


@contextmanager
def as_clients() -> Iterator[Cores]:
    """On the clients' cores, with all descriptors; no garbage is collected: that would seem the server's."""
    if sys.platform != "linux":
        raise SystemExit("The load harness needs Linux: it pins processes and reads /proc.")
    before, limits = os.sched_getaffinity(0), resource.getrlimit(resource.RLIMIT_NOFILE)
    first, *others = sorted(before)
    cores = Cores(first, set(others) or {first})
    os.sched_setaffinity(0, cores.clients)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits[1], limits[1]))
    gc.disable()
    try:
        yield cores
    finally:
        gc.enable()
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        os.sched_setaffinity(0, before)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Do it; SIGTERM ends it, and every process that it has started."""

    async def until_told() -> T:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await work

    try:
        return asyncio.run(until_told())
    except asyncio.CancelledError:
        sys.exit("told to stop")


def say(text: str) -> None:
    """Tell who waits how far it is."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


async def measure(
    who: str,
    sessions: int,
    seconds: float,
    cores: Cores,
    make: Make = tide,
    *,
    profiled: bool = False,
    nuisances: tuple[str, ...] = (),
    logins: int = 2160,  # some eight full collections of what they leave behind
) -> Result:
    """Seat players (a multiple of five), and play rounds of so many seconds; then beside ``nuisances``, too;
    then, when all have gone, have others log in. ``profiled``: once more, to see where the time goes. What
    fails is one of its problems.
    """
    result = Result(who, sessions)
    # With more, deaf ones would be cut off meanwhile (`stuck_seconds`), and their tables wait for them.
    rounds = max(1 + bool(nuisances), min(4, -(-PRESSES // sessions)))
    try:
        with (
            tempfile.TemporaryDirectory(prefix="tide-bench-") as folder,
            make(Path(folder), cores.server) as server,
        ):
            crowd = Crowd(server.port)
            say(f"{sessions} sessions of {who}")
            await crowd.knock(20, at_once=5)
            before = server.kilobytes
            result.problems += (await crowd.seat(sessions // SEATS, who))[:3]
            await crowd.start(max(2.0, sessions / 200))
            playing = partial(play, server, crowd, cores, rounds, seconds)
            result.honest = await playing()
            result.kilobytes = (server.kilobytes - before) / sessions
            result.problems += _problems("honest", result.honest)
            if profiled:
                result.profile = await _profile(server, playing)
            for how, apart in product(nuisances, (True, False)):
                await _spoil(crowd, how, apart, playing, result)
            crowd.end()
            spent = await _idle(server)
            login = partial(crowd.knock, logins, at_once=32)
            result.problems += (await login())[:3]
            result.login_ms = 1000 * (server.cpu - spent) / logins
            if profiled:
                result.login_profile = await _profile(server, login)
    except (Failed, OSError) as error:
        result.problems.append(f"given up: {error}")
        say(result.problems[-1])
    return result


async def _idle(server: Server) -> float:
    """Once it takes less than a twentieth of a core: the processor's time that it has used."""
    spent = server.cpu
    await asyncio.sleep(_REST)
    return spent if server.cpu < spent + _REST / 20 else await _idle(server)


async def _profile(
    server: Server, work: Callable[[], Coroutine[Any, Any, object]]
) -> dict[str, float]:
    """Return seconds of the processor's time by subject."""
    server.begin_profile()
    await work()
    return server.profile()


async def _spoil(crowd: Crowd, how: str, apart: bool, playing: Playing, result: Result) -> None:
    """Play beside one kind of nuisance, and without; not with too few players for it."""
    if not crowd.spoil(how, list(NUISANCES).index(how), apart=apart):
        return
    say(f"1% {how}, {'at tables of their own' if apart else 'at honest tables'}")
    beside = await playing()
    crowd.mend()
    await asyncio.sleep(_REST)
    quiet = result.spoilt[-1].quiet[1] if result.spoilt else result.honest
    assert quiet is not None
    result.spoilt.append(Spoilt(how, apart, (quiet, await playing()), beside))
    result.problems += _problems(f"beside {how} ones", beside)


async def play(server: Server, crowd: Crowd, cores: Cores, rounds: int, seconds: float) -> Round:
    """Play so many rounds at all tables."""
    before = _spent(server, cores)
    heard = Heard.of([await crowd.play(1, seconds) for _ in range(rounds)])
    took, cpu, clients, busy = (
        now - then for now, then in zip(_spent(server, cores), before, strict=True)
    )
    others = busy - cpu - (clients if cores.clients == {cores.server} else 0.0)
    told = {"cpu": cpu, "server": cpu / took, "clients": clients / took}
    told["others"] = max(0.0, others / took)
    found = Round(heard, told, rounds)
    shares = ", ".join(f"{who} {told[who]:.0%}" for who in ("server", "clients", "others"))
    delays = f"p50 {heard.delays.p50:.1f}, p99 {heard.delays.p99:.1f} ms"
    say(f"{rounds} x {seconds:g} s: {delays}; {shares}; {found.round_ms:.2f} ms a player and round")
    return found


def _spent(server: Server, cores: Cores) -> tuple[float, ...]:
    """Return seconds so far: on the clock, of the server, of this process, and of the server's core."""
    stat = Path("/proc/stat").read_text().partition(f"cpu{cores.server} ")[2].split()[:8]
    user, nice, system, _idle, _wait, irq, softirq, steal = map(int, stat)
    busy = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    return time.perf_counter(), server.cpu, time.process_time(), busy


def _problems(when: str, played: Round) -> list[str]:
    found, heard = [], played.heard
    if heard.torn:
        found.append(f"{when}: {heard.torn} bids were not on all screens in time")
    if heard.unanswered > _MOST_UNANSWERED * (heard.unanswered + heard.delays.n):
        found.append(f"{when}: {heard.unanswered} bids were on no screen in time")
    if heard.lost:
        found.append(f"{when}: {heard.lost} honest sessions were lost")
    return found
