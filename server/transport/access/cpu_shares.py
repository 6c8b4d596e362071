"""Processor time, shared out among the networks that connections come from.

Whoever sends little is served at once. A network that has used more than its share takes turns with the
others that have: a small piece of what came from each, and rests in between (``terminal.fair_queue``). So
nobody else has to wait for those who send what takes long to look at, however many connections and addresses
they have; and those who play do not wait for those who have not come in yet.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final, NamedTuple

from server.rate_limiter import TokenBucket
from server.terminal.fair_queue import FairQueue, Queues, queues_of

PIECE: Final = 512
"""Bytes that are looked at together: at most some thirty packets."""
_NETWORKS_REMEMBERED: Final = 10_000


class Kind(NamedTuple):
    """What networks may use of every second of processor time, without having to wait for others."""

    burst: float
    """Seconds at once ..."""
    rate: float
    """... and of every second from then on."""
    turns: Callable[[Queues], FairQueue]
    """Where those take turns who have used more."""


NEWCOMERS: Final = Kind(0.01, 0.005, lambda queues: queues.arrivals)
"""Who has not come in yet; a login takes some three milliseconds altogether."""
PLAYERS: Final = Kind(0.01, 0.01, lambda queues: queues.traffic)


class Share:
    """What one network has used. ``now`` is a clock in seconds, ``spent`` the processor time used so far."""

    __slots__ = ("_bucket", "_kind", "_now", "_spent", "_waiting")

    def __init__(self, kind: Kind, now: Callable[[], float], spent: Callable[[], float]) -> None:
        self._kind: Final = kind
        self._now: Final = now
        self._spent: Final = spent
        self._bucket: Final = TokenBucket(kind.burst, kind.rate, now())
        self._waiting: Final[deque[Callable[[], bool]]] = deque()

    @property
    def ready(self) -> bool:
        """Whether what has come may be looked at now; otherwise ``wait``."""
        return not self._waiting and self._bucket.left(self._now()) > 0

    @property
    def unused(self) -> bool:
        """Whether nothing has been used lately, so that it can be forgotten."""
        return not self._waiting and self._bucket.left(self._now()) >= self._kind.burst

    def run(self, work: Callable[[bytes], None], data: bytes) -> None:
        """Do it, and count what it takes."""
        before = self._spent()
        try:
            work(data)
        finally:
            self._bucket.charge(self._spent() - before)

    def wait(self, work: Callable[[], bool]) -> None:
        """Have ``work`` done when it is this network's turn, again until it says that it is over."""
        self._waiting.append(work)
        if len(self._waiting) == 1:
            queues = queues_of(asyncio.get_running_loop())
            self._kind.turns(queues).join(self._turn)

    def _turn(self) -> bool:
        # Of a network's connections each has its turn. One that fails has had its last, and the others go on.
        more, work = False, self._waiting[0]
        try:
            more = work()
        except Exception as error:  # as from any callback of the event loop
            told = {"message": "input not taken", "exception": error}
            asyncio.get_running_loop().call_exception_handler(told)
        self._waiting.popleft()
        if more:
            self._waiting.append(work)
        return bool(self._waiting)


class Shares:
    """All networks'. ``now`` is a clock in seconds, ``spent`` the processor time used so far."""

    def __init__(
        self, kind: Kind, now: Callable[[], float], spent: Callable[[], float] = time.thread_time
    ) -> None:
        self._kind: Final = kind
        self._now: Final = now
        self._spent: Final = spent
        self._known: Final[OrderedDict[str, Share]] = OrderedDict()

    def of(self, network: str) -> Share:
        """The share of whoever comes from there."""
        share = self._known.get(network)
        if share is None:
            share = self._known[network] = Share(self._kind, self._now, self._spent)
        self._known.move_to_end(network)
        # Forget the oldest, a few at a time: those that are unused, or too many to remember.
        for _ in range(2):
            oldest = next(iter(self._known))
            if oldest == network:
                break
            if len(self._known) <= _NETWORKS_REMEMBERED and not self._known[oldest].unused:
                break
            del self._known[oldest]
        return share
