"""Clocks that a test moves."""

import asyncio
import heapq
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from server.timers import Clock, Timer


@dataclass(eq=False)
class _FakeTimer:
    callback: Callable[[], object] | None

    def cancel(self) -> None:
        self.callback = None


class _Calls:
    """Calls to come, the first to be due first."""

    def __init__(self, start: float) -> None:
        self.now = start
        self._order = count()
        self._timers: list[tuple[float, int, _FakeTimer]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        timer = _FakeTimer(callback)
        heapq.heappush(self._timers, (when, next(self._order), timer))
        return timer

    @property
    def due(self) -> float | None:
        """When the next thing is due; ``None`` when nothing is."""
        while self._timers and self._timers[0][2].callback is None:
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def _fire(self) -> None:
        when, _, timer = heapq.heappop(self._timers)
        self.now = max(self.now, when)
        if timer.callback is not None:
            timer.callback()


class FakeTimers(_Calls):
    """Timers that go off when told to, without an event loop."""

    def __init__(self) -> None:
        super().__init__(0.0)
        self.stirred: Callable[[], None] = lambda: None
        """Called whenever a timer is set."""

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        timer = super().call_at(max(self.now, when), callback)
        self.stirred()
        return timer

    @property
    def pending(self) -> int:
        """How many are still to go off."""
        return sum(timer.callback is not None for _, _, timer in self._timers)

    def advance(self, seconds: float) -> None:
        """Let time pass, and what is due happen in order."""
        until = self.now + seconds
        while self.due is not None and self.due <= until:
            self._fire()
        self.now = max(self.now, until)


class FakeClock(_Calls, Clock):
    """A clock that stands still until a test moves it.

    ``advance`` fires what comes due in order and, after each, lets every task that it woke run until
    nothing is left to do. That covers tasks of the event loop, not threads or sockets.
    """

    def __init__(self, start: float = 1_000_000.0) -> None:
        super().__init__(start)

    async def settle(self) -> None:
        """Let every task that can run do so, without moving time."""
        # The loop's queue of callbacks is its own affair, but nothing public tells that it is idle.
        ready = getattr(asyncio.get_running_loop(), "_ready")  # noqa: B009
        await asyncio.sleep(0)
        while ready:  # noqa: ASYNC110
            await asyncio.sleep(0)

    async def advance(self, seconds: float) -> None:
        """Move time on by ``seconds``, through everything that comes due on the way."""
        end = self.now + seconds
        await self.settle()
        while self.due is not None and self.due <= end:
            self._fire()
            await self.settle()
        self.now = end
        await self.settle()

    async def next(self) -> bool:
        """Move on to the next thing that is due and let it happen; false when nothing is."""
        await self.settle()
        if self.due is None:
            return False
        self._fire()
        await self.settle()
        return True
