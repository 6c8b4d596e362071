"""Charges the processor time that connections cause to their networks.

Within its share a network is served at once. Networks that have used up theirs take turns: one job a turn,
with a rest after it, and a connection that waits is not read. So nobody else waits for a flood, however many
connections and networks it comes from; nor do modest connections of the same network, for which half of the
share is kept.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Final, Literal, get_args
from weakref import WeakValueDictionary

from server.counters import Histogram
from server.networks import TokenBucket
from server.terminal.fair_queue import FairQueue, Job, SubQueue
from server.timers import LOOP_TIMERS, Timers

SECONDS_A_BYTE: Final = 1e-7
"""Seconds charged for a byte that is sent: its encryption, and the system's work."""
NEWCOMERS: Final = 0.01, 0.005
"""Share of a network before any login: seconds at once, and per second from then on. A login takes some three
milliseconds.
"""
PLAYERS: Final = 0.03, 0.03
"""Share of a network for logged-in players ..."""
LOOK_UPS: Final = 1.0, 0.02
"""... and for their look-ups: four hundred games at once, and eight a second."""
LOOK_UP: Final = 0.001
"""Seconds that a look-up takes on the event loop, most of them to put the answer into words."""
_GREEDY: Final = 4
"""A connection that uses more than this fraction of its network's share is greedy: one part in so many."""
_REMEMBERED: Final = 1_000
"""Connections for which the usage of a network is remembered after its last one has closed."""


Kind = Literal["input", "keys", "frame", "size", "commands", "look_up", "sent"]
"""Kinds of work. What follows at once counts with its cause, such as a frame with its key."""


@dataclass(eq=False)
class Usage:
    """Total of all networks."""

    seconds: dict[Kind, float] = field(default_factory=lambda: dict.fromkeys(get_args(Kind), 0.0))
    waited: Histogram = field(default_factory=Histogram)
    """Seconds that jobs have waited for a turn because a share was used up."""


@dataclass(eq=False)
class Networks:
    """Shares of processor time, one a network.

    Each is ``burst`` seconds at once, and ``rate`` of every second from then on; beyond it, networks take
    ``turns``.
    """

    burst: float
    rate: float
    turns: FairQueue
    now: Callable[[], float]
    """A clock in seconds."""
    usage: Usage = field(default_factory=Usage)
    spent: Callable[[], float] = time.thread_time
    """Returns the processor time used so far."""
    _known: WeakValueDictionary[str, "Network"] = field(
        default_factory=WeakValueDictionary, init=False
    )
    """Networks with connections, and the ``_last`` ones that had some."""
    _last: deque["Network"] = field(default_factory=lambda: deque(maxlen=_REMEMBERED), init=False)

    def of(self, name: str) -> "Network":
        """Return the network with this name."""
        network = self._known.get(name)
        if network is None:
            network = self._known[name] = Network(self)
        self._last.append(network)
        return network

    @property
    def waiting(self) -> int:
        """The number of networks that wait for a turn."""
        return sum(network.waits for network in self._known.values())


class Network(SubQueue):
    """The share of one network. Its connections and look-ups take turns with each other."""

    def __init__(self, networks: Networks) -> None:
        super().__init__(networks.turns)
        self.all: Final = networks
        self._bucket: Final = TokenBucket(networks.burst, networks.rate, networks.now())

    @property
    def left(self) -> float:
        """Seconds of processor time that are left; negative if more than the share has been used."""
        return self._bucket.left(self.all.now())

    def charge(self, kind: Kind, seconds: float, *, paid: bool = False) -> None:
        """Charge so many seconds, or only count them if they are ``paid`` with a rest."""
        self._bucket.charge(0.0 if paid else seconds)
        self.all.usage.seconds[kind] += seconds

    async def look_up(self) -> None:
        """Wait until this network may look something up, and charge it."""
        if self.waits or self.left <= 0:
            since, turn = self.all.now(), asyncio.Event()
            self.join(turn.set)
            await turn.wait()
            self.all.usage.waited.add(self.all.now() - since)
        self.looked_up(LOOK_UP)  # its time in the database is charged later

    def looked_up(self, seconds: float) -> None:
        """Charge the seconds that a look-up has taken in the database's thread."""
        self.charge("look_up", seconds)
        if self.left < 0:
            self.all.turns.charge(seconds)


class Meter(SubQueue):
    """Runs what one connection causes, at once or in turns of its network, and charges it."""

    outer: Network

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self.changed: Callable[[], object] = lambda: None
        """Called when a job begins to wait, and when one is done."""
        self._asked: Final[set[Job]] = set()
        self._running = False
        self.move(network)

    def move(self, network: Network) -> None:
        """Charge this network from now on."""
        self.outer, shares = network, network.all
        self._own = TokenBucket(shares.burst / _GREEDY, shares.rate / _GREEDY, shares.now())

    @property
    def _has_time(self) -> bool:
        """Whether there is time left; half of the share is kept for connections that are not greedy."""
        greedy = self._own.left(self.outer.all.now()) <= 0
        return self.outer.left > (self.outer.all.burst / 2 if greedy else 0.0)

    @property
    def ready(self) -> bool:
        """Whether input may be handled now; otherwise ``later``."""
        return not (self._running or self.waits) and self._has_time

    def do(self, kind: Kind, work: Job) -> None:
        """Run ``work`` now if there is time left, or as a part of the work that is running; else later."""
        if self._running or self.ready:
            self.run(kind, work)
        else:
            self.later(kind, work)

    def later(self, kind: Kind, work: Job) -> None:
        """Run ``work`` in a turn: once, however often it is asked for before that."""
        if work not in self._asked:
            self._asked.add(work)
            # With time left, it only lets others go first.
            since = None if self._has_time else self.outer.all.now()
            self.join(partial(self._take_turn, kind, work, since))
            self.changed()

    def run(self, kind: Kind, work: Job, *, paid: bool = False) -> None:
        """Run ``work`` and charge its time, which includes all work that is run within it.

        A turn is ``paid`` with the rest after it.
        """
        if self._running:
            work()
            return
        spent = self.outer.all.spent
        before, self._running = spent(), True
        try:
            work()
        finally:
            self._running = False
            self._charge(kind, spent() - before, paid=paid)

    def sent(self, size: int) -> None:
        """Charge for ``size`` bytes that have been sent."""
        # Greedy connections must not use up what is kept for others.
        self._charge("sent", size * SECONDS_A_BYTE, paid=not self._has_time)

    def _charge(self, kind: Kind, seconds: float, *, paid: bool) -> None:
        self._own.charge(seconds)
        self.outer.charge(kind, seconds, paid=paid)

    def forget(self) -> None:
        """Drop the jobs of a connection that has been closed."""
        self.changed = lambda: None
        self._jobs.clear()
        self._asked.clear()

    def _take_turn(self, kind: Kind, work: Job, since: float | None) -> None:
        self._asked.remove(work)
        if since is not None:
            self.outer.all.usage.waited.add(self.outer.all.now() - since)
        try:
            self.run(kind, work, paid=True)
        finally:
            self.changed()


def unlimited(timers: Timers = LOOP_TIMERS) -> Meter:
    """Return a meter without a limit, for the terminal of this process."""
    return Meter(Networks(inf, 0.0, FairQueue(timers), timers.time).of(""))
