"""What can wait is done a piece at a time, so that a key pressed meanwhile is answered at once.

A bid goes through the event loop several times on its way to five screens, and each time behind everything
that was ready before it. So what is ready must never be much: what can wait joins a queue that all sessions
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
"""Does one piece of work."""

GIVE_WAY: Final = 0.001
"""Seconds to give way for while somebody's bid is on its way to the disk: the thread that writes it needs
the interpreter two dozen times, and a busy event loop leaves it to it only when it has to."""

GIVES_WAY: Final = 3
"""Times in a row that it gives way, at most."""

SLICE: Final = 0.0005
"""Seconds after which no further job is begun in the same turn of the event loop: turns of their own would
cost the few steps of a reveal a tenth more."""

REST: Final = 3.0
"""What is asked for beyond a network's share rests for so many times as long as it has taken: all the
nuisances there are have a quarter of the processor's time together."""

BUSY: Final = 3.0
"""What its turn has come late counts so many times: on a busy loop they have what is left over."""
LATEST: Final = 0.01
"""Seconds of that which count: somebody honest may wait behind them."""


class FairQueue:
    """A queue of jobs, in the order in which they come.

    After each turn it rests for ``rest`` times as long as that has taken, and longer the later a turn
    comes. It gives way while there is ``hurry``.
    """

    def __init__(
        self, timers: Timers, rest: float = 0.0, hurry: Callable[[], int] = lambda: 0
    ) -> None:
        """``hurry`` is how many things that are more urgent are under way."""
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
        """A turn has led to so much work in another thread: the queue rests for that as well."""
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
            # Also after a job that has failed.
            now = self._timers.time()
            used = now - began + self._elsewhere + BUSY * late
            self._rests_until, self._elsewhere = now + self._rest * used, 0.0
            if self._jobs:
                self._plan(self._rests_until)
            else:
                self._due.cancel()


class Line:
    """Jobs that are done in order, one in each turn that the line has in an ``outer`` one, or in a queue.

    So lines have as many turns as each other, however many jobs they have.
    """

    def __init__(self, outer: "FairQueue | Line") -> None:
        self.outer = outer
        """May be replaced; for the turn that is to come it is too late."""
        self._jobs: Final[deque[Job]] = deque()
        self._stands = False
        """This line is in the outer one: never twice, and always while it has jobs."""

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
            # Also after a job that has failed.
            self._stands = bool(self._jobs)
            if self._stands:
                self.outer.join(self._turn)


class Queues:
    """All there are."""

    def __init__(self, timers: Timers) -> None:
        self._bids = 0
        self.background: Final = FairQueue(timers, 0.0, lambda: self._bids)
        """Pictures that move by themselves: a step of an animation, a clock, the lobby. When there is no
        time for all of them, some are left out."""
        self.traffic: Final = FairQueue(timers, REST)
        """What networks cause beyond their shares of the processor's time: see ``meter``."""

    @contextmanager
    def hurry(self, really: bool) -> Iterator[None]:
        """A bid is on its way, for which others wait, if it ``really`` is one."""
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
