"""Queues for work that can wait, which is done a slice at a time, so that keys are answered at once.

A bid passes through the event loop several times on its way to five screens, each time behind everything
that was ready before it. So little may be ready at a time: work that can wait joins a queue that all sessions
on the loop share, of which each turn of the loop does half a millisecond's worth, such as a few frames.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final
from weakref import WeakKeyDictionary

from server.timers import LOOP_TIMERS, OneTimer, Timers

Job = Callable[[], object]
"""One piece of work."""

GIVE_WAY: Final = 0.001
"""Seconds of a pause while a bid is being written to the disk: the thread that writes it needs the
interpreter two dozen times, and a busy event loop hands it over only when it has to."""

GIVES_WAY: Final = 3
"""Maximum pauses in a row."""

SLICE: Final = 0.0005
"""Seconds after which no further job is begun in the same turn of the event loop. (A turn for each job would
cost the few steps of a reveal a tenth more.)"""

REST: Final = 3.0
"""Length of the rest after work beyond a network's share, in multiples of its duration: all floods together
get a quarter of the processor's time."""

BUSY: Final = 3.0
"""Weight of the delay of a turn in its duration: on a busy loop, floods get what is left over."""
LATEST: Final = 0.01
"""Maximum seconds of delay that count: honest players may wait in the same queue."""


class FairQueue:
    """A queue of jobs.

    After each turn it rests for ``rest`` times the duration of the turn, and longer the later the turn came.
    While there is ``hurry``, it pauses.
    """

    def __init__(
        self, timers: Timers, rest: float = 0.0, hurry: Callable[[], int] = lambda: 0
    ) -> None:
        """``hurry`` returns the number of more urgent things that are under way."""
        self._timers: Final = timers
        self._rest: Final = rest
        self._hurry: Final = hurry
        self._gave_way = 0
        self._jobs: Final[deque[Job]] = deque()
        self._due: Final = OneTimer(timers)
        self._due_at = self._rests_until = self._elsewhere = 0.0

    def join(self, job: Job) -> None:
        """Have ``job`` done, once, in a later turn."""
        self._jobs.append(job)
        if not self._due.running:
            self._plan(self._rests_until)

    def charge(self, seconds: float) -> None:
        """Add work in another thread that a turn has led to: the queue rests for that as well."""
        self._elsewhere += seconds

    def _plan(self, when: float) -> None:
        self._due_at = max(when, self._timers.time())
        self._due.start(self._due_at, self._turn)

    def _turn(self) -> None:
        began, took = self._timers.time(), 0.0
        if self._gave_way < GIVES_WAY and self._hurry():
            self._gave_way += 1
            self._plan(began + GIVE_WAY)
            return
        self._gave_way = 0
        late = min(began - self._due_at, LATEST)
        try:
            while self._jobs and took < SLICE:
                self._jobs.popleft()()
                took = self._timers.time() - began + self._elsewhere
        finally:
            # Also after a job that has raised.
            now = self._timers.time()
            used = now - began + self._elsewhere + BUSY * late
            self._rests_until, self._elsewhere = now + self._rest * used, 0.0
            if self._jobs:
                self._plan(self._rests_until)
            else:
                self._due.cancel()


class SubQueue:
    """Jobs that take turns with those of other lines in an ``outer`` line or queue, one job a turn."""

    def __init__(self, outer: "FairQueue | SubQueue") -> None:
        self.outer = outer
        """May be replaced, from the turn after the next one on."""
        self._jobs: Final[deque[Job]] = deque()
        self._stands = False
        """Whether this line is in the outer one: always while it has jobs, and never twice."""

    @property
    def waits(self) -> bool:
        """Whether there are jobs to do."""
        return bool(self._jobs)

    def join(self, job: Job) -> None:
        """Have ``job`` done, once, in a later turn."""
        self._jobs.append(job)
        if not self._stands:
            self._stands = True
            self.outer.join(self._turn)

    def _turn(self) -> None:
        try:
            if self._jobs:
                self._jobs.popleft()()
        finally:
            # Also after a job that has raised.
            self._stands = bool(self._jobs)
            if self._stands:
                self.outer.join(self._turn)


class Queues:
    """The queues of an event loop."""

    def __init__(self, timers: Timers) -> None:
        self._bids = 0
        self.background: Final = FairQueue(timers, 0.0, lambda: self._bids)
        """Frames that no key has asked for: a step of a reveal, a clock, the lobby. If there is no time for
        all of them, some are skipped."""
        self.traffic: Final = FairQueue(timers, REST)
        """Work for networks that have used up their share of processor time: see ``meter``."""

    @contextmanager
    def hurry(self, really: bool) -> Iterator[None]:
        """Count a bid that is under way, if it ``really`` is one that others wait for."""
        self._bids += really
        try:
            yield
        finally:
            self._bids -= really


_QUEUES: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, Queues]] = WeakKeyDictionary()


def queues_of(loop: asyncio.AbstractEventLoop) -> Queues:
    """Return the queues that all sessions on this loop share."""
    queues = _QUEUES.get(loop)
    if queues is None:
        queues = _QUEUES[loop] = Queues(LOOP_TIMERS)
    return queues
