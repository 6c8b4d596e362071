"""What nobody waits for is done a piece at a time, so that a key pressed meanwhile is answered at once.

A bid goes through the event loop several times on its way to five screens, and each time behind everything
that was ready before it. So what is ready must never be much: what can wait joins a queue that all sessions
on the loop share, of which each turn of the loop does a few frames, or a millisecond's worth.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakKeyDictionary

from server.timers import LOOP_TIMERS, Timers

CROWD: Final = 4
"""So many networks (or sessions) besides one, each with more than its share, and all of them rest for the
whole time. One alone (a club, a family, a long paste) is nobody's nuisance."""

Work = Callable[[], bool]
"""Does one piece; returns whether there is more to do."""

GIVE_WAY: Final = 0.001
"""Seconds to give way for while somebody's bid is on its way to the disk: the thread that writes it needs
the interpreter two dozen times, and a busy event loop leaves it to it only when it has to."""

GIVES_WAY: Final = 3
"""So often in a row at most."""

SLICE: Final = 0.001
"""Seconds after which no further piece is begun in the same turn of the event loop, where there are rests
between these."""
SHORT_SLICE: Final = 0.0005
"""The same without rests: a few steps of a reveal, for which turns of their own would cost a tenth more."""

REST: Final = 3.0
"""What is asked for beyond one's share rests for so many times as long as it has taken: all the
nuisances there are have a quarter of the processor's time together."""
FLOOD_REST: Final = 60.0
"""The same for floods: what comes of their keys, such as rounds that they play, costs as much again."""

BUSY: Final = 10.0
"""And for so many times as long as its turn has come late: on a busy loop they have what is left over."""
LATEST: Final = 0.01
"""Seconds of that which count: somebody honest may wait behind them."""


@dataclass(eq=False)
class FairQueue:
    """A queue of those who have something to do, in the order in which they come. After each turn it rests
    for ``rest`` times as long as that has taken, and longer the later a turn comes. With a ``crowd``, it
    rests less the fewer there are, and not at all while one is alone. It gives way while there is ``hurry``.
    """

    _timers: Timers
    _rest: float = 0.0
    _crowd: int = 0
    _hurry: Callable[[], int] = int
    """How many things that are more urgent are under way."""
    _gave_way: int = 0
    _waiting: deque[Work] = field(default_factory=deque)
    _rests_until: float = 0.0
    _due: float = 0.0
    """When the next turn is to be."""
    _elsewhere: float = 0.0
    """Seconds of work that turns have led to in other threads."""

    def join(self, work: Work) -> None:
        """Have ``work`` done in a later turn, again and again until it says that it is finished."""
        self._waiting.append(work)
        if len(self._waiting) == 1:
            self._plan(max(0.0, self._rests_until - self._timers.time()))

    def charge(self, seconds: float) -> None:
        """What a turn has led to takes so long in another thread: it rests for that as well."""
        self._elsewhere += seconds

    def _plan(self, seconds: float) -> None:
        self._due = self._timers.time() + seconds
        self._timers.call_at(self._due, self._turn)

    def _turn(self) -> None:
        if self._gave_way < GIVES_WAY and self._hurry():
            self._gave_way += 1
            self._plan(GIVE_WAY)
            return
        self._gave_way = 0
        began, took = self._timers.time(), 0.0
        try:
            while self._waiting and took < (SLICE if self._rest else SHORT_SLICE):
                self._piece()
                took = self._timers.time() - began + self._elsewhere
        finally:
            rest = 0.0
            if self._rest:
                rest = self._rest * (self._timers.time() - began + self._elsewhere)
                rest += BUSY * min(began - self._due, LATEST)
                if self._crowd:
                    rest *= min(1.0, max(0, len(self._waiting) - 1) / self._crowd)
                self._rests_until = self._timers.time() + rest
            self._elsewhere = 0.0
            if self._waiting:
                self._plan(rest)

    def _piece(self) -> None:
        more = False
        try:
            more = self._waiting[0]()
        finally:
            work = self._waiting.popleft()
            if more:
                self._waiting.append(work)


class Queues:
    """All there are."""

    def __init__(self, timers: Timers) -> None:
        self._bids = 0
        self.background: Final = FairQueue(timers, 0.0, 0, lambda: self._bids)
        """Pictures that move by themselves: a step of an animation, a clock, the lobby. When there is no
        time for all of them, some are left out."""
        self.throttled: Final = FairQueue(timers, REST)
        """What one session alone asks for so often that others could feel it: more keys at once than a few, a
        window whose size never rests, commands that wait for others."""
        self.floods: Final = FairQueue(timers, FLOOD_REST, CROWD)
        """Keys of sessions that have hundreds of them to be pressed."""
        self.traffic: Final = FairQueue(timers, REST, CROWD)
        """What the players of one network send beyond its share of the processor's time."""
        self.arrivals: Final = FairQueue(timers, REST, CROWD)
        """The same of those who have not come in yet."""
        self.look_ups: Final = FairQueue(timers, REST)
        """What the players of one network have looked up in the database beyond its share."""

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
    """Those that all sessions on this loop share."""
    queues = _QUEUES.get(loop)
    if queues is None:
        queues = _QUEUES[loop] = Queues(LOOP_TIMERS)
    return queues
