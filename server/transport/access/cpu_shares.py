"""Processor time, shared out among the networks that connections come from.

Whoever sends little is served at once. A network that has used more than its share takes turns with the
others that have: a small piece of what came from each, and rests in between (``terminal.fair_queue``). So
nobody else has to wait for those who send what takes long to look at, however many connections and addresses
they have; and those who play do not wait for those who have not come in yet. What players have looked up in
the database has shares of its own: bids never wait for it.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from server.rate_limiter import TokenBucket
from server.terminal.fair_queue import FairQueue

PIECE: Final = 512
"""Bytes that are looked at together: at most some thirty packets."""
KEY_EXCHANGE: Final = 2048
"""More than a key exchange begins with: in pieces, asyncssh looks at it four times."""
LOOK_UP: Final = 0.001
"""Seconds that a look-up takes on the event loop; most of it is to put the answer into words."""
_NETWORKS_REMEMBERED: Final = 10_000


@dataclass(slots=True, eq=False)
class Share:
    """What one network has used."""

    _shares: "Shares"
    _bucket: TokenBucket
    _waiting: list[Callable[[], bool]] = field(default_factory=list, init=False)

    @property
    def ready(self) -> bool:
        """Whether what has come may be looked at now; otherwise ``wait``."""
        return not self._waiting and self._bucket.left(self._shares.now()) > 0

    def takes(self, size: int) -> bool:
        """Whether so many bytes may be looked at now, and together."""
        if self._waiting:
            return False
        left = self._bucket.left(self._shares.now())
        return left > 0 and size <= (self._shares.first if left > self._bucket.burst / 2 else PIECE)

    @property
    def left(self) -> float:
        """Seconds of the processor's time; less than nothing when more than the share has been used."""
        return self._bucket.left(self._shares.now())

    @property
    def unused(self) -> bool:
        """Whether nothing has been used lately, so that it can be forgotten."""
        return not self._waiting and self.left >= self._bucket.burst

    def run(self, work: Callable[[bytes], object], data: bytes) -> None:
        """Do it, and count what it takes."""
        before = self._shares.spent()
        try:
            work(data)
        finally:
            self._bucket.charge(self._shares.spent() - before)

    def wait(self, work: Callable[[], bool]) -> None:
        """Have ``work`` done when it is this network's turn, again until it says that it is over."""
        self._waiting.append(work)
        if len(self._waiting) == 1:
            self._shares.turns.join(self._turn)

    async def look_up(self) -> None:
        """Return when it is this network's turn to have something looked up, which is charged."""
        if not self.ready:
            turn = asyncio.get_running_loop().create_future()

            def begin() -> bool:
                if not turn.done():
                    turn.set_result(None)
                    # What it takes altogether is known only later.
                    self._shares.turns.charge(LOOK_UP)
                return False

            self.wait(begin)
            await turn
        self._bucket.charge(LOOK_UP)

    def charge(self, seconds: float) -> None:
        """A look-up has taken so long in the thread that reads."""
        self._bucket.charge(seconds)
        if self.left < 0:
            self._shares.turns.charge(seconds)

    def _turn(self) -> bool:
        # Of a network's connections each has its turn. One that fails has had its last, and the others go on.
        more, work = False, self._waiting[0]
        try:
            more = work()
        except Exception as error:  # as from any callback of the event loop
            told = {"message": "input not taken", "exception": error}
            asyncio.get_running_loop().call_exception_handler(told)
        del self._waiting[0]
        if more:
            self._waiting.append(work)
        return bool(self._waiting)


@dataclass(eq=False)
class Shares:
    """All networks'. Each may use ``burst`` seconds of processor time at once, and ``rate`` of every second
    from then on, without having to wait for others; whoever has used more takes ``turns``.
    """

    burst: float
    rate: float
    turns: FairQueue
    now: Callable[[], float]
    """A clock in seconds."""
    spent: Callable[[], float] = time.thread_time
    """The processor time used so far."""
    first: int = PIECE
    """Bytes that are looked at together while half of a share is left, which they cannot use up."""
    _known: OrderedDict[str, Share] = field(default_factory=OrderedDict, init=False)

    def of(self, network: str) -> Share:
        """The share of whoever comes from there."""
        share = self._known.get(network)
        if share is None:
            share = Share(self, TokenBucket(self.burst, self.rate, self.now()))
            self._known[network] = share
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
