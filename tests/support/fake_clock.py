"""A clock that a test moves."""

import asyncio
import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass

from server.timers import Clock, Timer


@dataclass(eq=False)
class _FakeTimer:
    callback: Callable[[], object] | None

    def cancel(self) -> None:
        self.callback = None


class FakeClock(Clock):
    """A clock that stands still until a test moves it.

    ``advance`` fires what comes due in order and, after each, lets every task that it woke run until
    nothing is left to do. That covers tasks of the event loop, not threads or sockets.
    """

    def __init__(self, start: float = 1_000_000.0) -> None:
        self._now = start
        self._order = itertools.count()
        self._timers: list[tuple[float, int, _FakeTimer]] = []

    def time(self) -> float:
        return self._now

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        timer = _FakeTimer(callback)
        heapq.heappush(self._timers, (when, next(self._order), timer))
        return timer

    async def settle(self) -> None:
        """Let every task that can run do so, without moving time."""
        # The loop's queue of callbacks is its own affair, but nothing public tells that it is idle.
        ready = getattr(asyncio.get_running_loop(), "_ready")  # noqa: B009
        await asyncio.sleep(0)
        while ready:  # noqa: ASYNC110
            await asyncio.sleep(0)

    async def advance(self, seconds: float) -> None:
        """Move time on by ``seconds``, through everything that comes due on the way."""
        end = self._now + seconds
        await self.settle()
        while self._timers and self._timers[0][0] <= end:
            await self._fire()
        self._now = end
        await self.settle()

    async def next(self) -> bool:
        """Move on to the next thing that is due and let it happen; false when nothing is."""
        await self.settle()
        if self.due is None:
            return False
        await self._fire()
        return True

    @property
    def due(self) -> float | None:
        """When the next thing is due; ``None`` when nothing is."""
        while self._timers and self._timers[0][2].callback is None:
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    async def _fire(self) -> None:
        when, _, timer = heapq.heappop(self._timers)
        if timer.callback is None:
            return
        self._now = max(self._now, when)
        timer.callback()
        await self.settle()
