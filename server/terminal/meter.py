"""Charges the processor time that connections cause to the networks they come from.

Whoever asks for little is served at once. A network that has used up its share takes turns with the others
that have: one job in each turn, with a rest after it, and nothing is read from a connection that waits. So
nobody else has to wait for what is sent from there, however many connections and networks send it; nor have
those at the same place who ask for little, for whom half of the share is kept.
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
from server.terminal.fair_queue import FairQueue, Job, Line
from server.timers import LOOP_TIMERS, Timers

SECONDS_A_BYTE: Final = 1e-7
"""What a byte that is sent costs: to encrypt it, and in the system."""
NEWCOMERS: Final = 0.01, 0.005
"""What a network may use: seconds at once, and its share from then on. It is less for those from whom nobody
has come in, as a login takes some three milliseconds.
"""
PLAYERS: Final = 0.03, 0.03
"""What it may use for people who have come in ..."""
LOOK_UPS: Final = 1.0, 0.02
"""... and for what they look up: four hundred games at once, and eight a second."""
LOOK_UP: Final = 0.001
"""Seconds that a look-up takes on the event loop; most of it is to put the answer into words."""
_GREEDY: Final = 4
"""A connection is greedy that asks for more than one part in so many of its network's share."""
_REMEMBERED: Final = 1_000
"""Connections from which on a network that nobody is connected from has its whole share again."""


Kind = Literal["input", "keys", "frame", "size", "commands", "look_up", "sent"]
"""What has taken time. What follows at once counts with it, such as a frame with the key."""


@dataclass(eq=False)
class Usage:
    """What has been charged to all networks."""

    seconds: dict[Kind, float] = field(default_factory=lambda: dict.fromkeys(get_args(Kind), 0.0))
    waited: Histogram = field(default_factory=Histogram)
    """Seconds that jobs have waited for their turn, as a share was used up."""


@dataclass(eq=False)
class Networks:
    """Shares of the processor's time, one a network.

    Each may use ``burst`` seconds of processor time at once, and ``rate`` of every second from then on,
    without having to wait for others; whoever has used more has ``turns``.
    """

    burst: float
    rate: float
    turns: FairQueue
    now: Callable[[], float]
    """A clock in seconds."""
    usage: Usage = field(default_factory=Usage)
    spent: Callable[[], float] = time.thread_time
    """The processor time used so far."""
    _known: WeakValueDictionary[str, "Network"] = field(
        default_factory=WeakValueDictionary, init=False
    )
    """Networks from which somebody is here, and the ``_last`` that somebody came from."""
    _last: deque["Network"] = field(default_factory=lambda: deque(maxlen=_REMEMBERED), init=False)

    def of(self, name: str) -> "Network":
        """The one with this name."""
        network = self._known.get(name)
        if network is None:
            network = self._known[name] = Network(self)
        self._last.append(network)
        return network

    @property
    def waiting(self) -> int:
        """The number of networks that wait for a turn."""
        return sum(network.waits for network in self._known.values())


class Network(Line):
    """What one network has used. Its connections, and its look-ups, take turns with each other."""

    def __init__(self, networks: Networks) -> None:
        super().__init__(networks.turns)
        self.all: Final = networks
        self._bucket: Final = TokenBucket(networks.burst, networks.rate, networks.now())

    @property
    def left(self) -> float:
        """Seconds of processor time; less than nothing when more than the share has been used."""
        return self._bucket.left(self.all.now())

    def charge(self, kind: Kind, seconds: float, *, paid: bool = False) -> None:
        """So much has been used, unless it has been ``paid`` otherwise."""
        self._bucket.charge(0.0 if paid else seconds)
        self.all.usage.seconds[kind] += seconds

    async def look_up(self) -> None:
        """Return when it is this network's turn to have something looked up, which is charged."""
        if self.waits or self.left <= 0:
            since, turn = self.all.now(), asyncio.Event()
            self.join(turn.set)
            await turn.wait()
            self.all.usage.waited.add(self.all.now() - since)
        self.looked_up(LOOK_UP)  # what it takes altogether is known only later

    def looked_up(self, seconds: float) -> None:
        """A look-up has taken so long in the thread that reads."""
        self.charge("look_up", seconds)
        if self.left < 0:
            self.all.turns.charge(seconds)


class Meter(Line):
    """Has what one connection causes done, at once or in its network's turns, and charges it."""

    outer: Network

    def __init__(self, network: Network) -> None:
        super().__init__(network)
        self.changed: Callable[[], object] = lambda: None
        """Called when a job begins to wait, and when one has been done."""
        self._asked: Final[set[Job]] = set()
        self._running = False
        self.move(network)

    def move(self, network: Network) -> None:
        """From now on that is charged."""
        self.outer, shares = network, network.all
        self._own = TokenBucket(shares.burst / _GREEDY, shares.rate / _GREEDY, shares.now())

    @property
    def _has_time(self) -> bool:
        """Whether the network has: half of its share is kept for connections that are not greedy."""
        greedy = self._own.left(self.outer.all.now()) <= 0
        return self.outer.left > (self.outer.all.burst / 2 if greedy else 0.0)

    @property
    def ready(self) -> bool:
        """Whether what has come in may be looked at now; otherwise ``later``."""
        return not (self._running or self.waits) and self._has_time

    def do(self, kind: Kind, work: Job) -> None:
        """Do it now if there is time left for it, or as a part of what is done just now; else later."""
        if self._running or self.ready:
            self.run(kind, work)
        else:
            self.later(kind, work)

    def later(self, kind: Kind, work: Job) -> None:
        """Have it done in a turn. Asked for again before that, it is done once."""
        if work not in self._asked:
            self._asked.add(work)
            # With time left, others only come first.
            since = None if self._has_time else self.outer.all.now()
            self.join(partial(self._take_turn, kind, work, since))
            self.changed()

    def run(self, kind: Kind, work: Job, *, paid: bool = False) -> None:
        """Do it, and charge what it takes; once for all that is done within it.

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
        # Nobody uses up what is kept for others.
        self._charge("sent", size * SECONDS_A_BYTE, paid=not self._has_time)

    def _charge(self, kind: Kind, seconds: float, *, paid: bool) -> None:
        self._own.charge(seconds)
        self.outer.charge(kind, seconds, paid=paid)

    def forget(self) -> None:
        """The connection is gone: nothing waits any more."""
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
    """For a connection that nobody else has to wait for, such as the terminal of this machine."""
    return Meter(Networks(inf, 0.0, FairQueue(timers), timers.time).of(""))
