"""Time as an argument: the clock that tables and the lobby are handed, and one that a test moves."""

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol


class Timer(Protocol):
    """A call to come."""

    def cancel(self) -> None:
        """Do not call. Harmless when it is too late."""


class Clock(Protocol):
    """What the coordinator knows of time. Times are seconds since 1970."""

    def time(self) -> float:
        """Now. Never runs backwards while the process lives."""

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call ``callback`` from the event loop once it is ``when``; soon if that is past."""

    async def sleep_until(self, when: float) -> None:
        """Return once it is ``when``."""
        woken = asyncio.get_running_loop().create_future()
        timer = self.call_at(when, lambda: None if woken.done() else woken.set_result(None))
        try:
            await woken
        finally:
            timer.cancel()


@dataclass(slots=True, eq=False)
class OneTimer:
    """At most one call to come: another one takes its place."""

    _clock: Clock
    _timer: Timer | None = None

    @property
    def running(self) -> bool:
        """Whether a call is to come."""
        return self._timer is not None

    def start(self, when: float, callback: Callable[[], None]) -> None:
        """Call ``callback`` once it is ``when``, and no other one before."""

        def call() -> None:
            self._timer = None
            callback()

        self.cancel()
        self._timer = self._clock.call_at(when, call)

    def after(self, seconds: float, callback: Callable[[], None]) -> None:
        """The same, so many seconds from now."""
        self.start(self._clock.time() + seconds, callback)

    def cancel(self) -> None:
        """Do not call."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class SystemClock(Clock):
    """The machine's clock, read once; from then on it advances steadily, whatever is done to it."""

    def __init__(self) -> None:
        self._offset: Final = time.time() - time.monotonic()

    def time(self) -> float:
        return self._offset + time.monotonic()

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        delay = when - self.time()
        loop = asyncio.get_running_loop()
        return loop.call_later(delay, callback) if delay > 0 else loop.call_soon(callback)


@dataclass(eq=False)
class _FakeTimer:
    callback: Callable[[], None] | None

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

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
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
