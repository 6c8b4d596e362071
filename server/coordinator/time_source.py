"""Time as an argument: the clock that tables and the lobby are handed."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

from server.storage.store import StoreError
from server.timers import Timer, Timers, call_in


class Clock(Timers, Protocol):
    """What the coordinator knows of time. Times are seconds since 1970."""

    async def sleep_until(self, when: float) -> None:
        """Return once it is ``when``."""
        woken = asyncio.get_running_loop().create_future()
        timer = self.call_at(when, lambda: None if woken.done() else woken.set_result(None))
        try:
            await woken
        finally:
            timer.cancel()


async def repeated(clock: Clock, seconds: float, work: Callable[[], Awaitable[object]]) -> None:
    """Do some work, and again so many seconds after it was done, until cancelled.

    Where the store fails, which it logs, that is soon enough.
    """
    while True:
        with suppress(StoreError):
            await work()
        await clock.sleep_until(clock.time() + seconds)


_LOOK_AGAIN: Final = 30.0
"""Event loops wait for longer when the machine sleeps: what is due is noticed so soon after that."""
_ROUNDED: Final = 1e-6
"""By so much, at most, seconds since 1970 are rounded: no call comes before its time."""


_BOOT: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
since_boot: Final = partial(time.clock_gettime, _BOOT)
"""Seconds that go on while the process is stopped, and where the system can tell, while it sleeps."""


class _LateCall:
    """A call to come, which looks at the clock again before the event loop has waited for long."""

    def __init__(self, clock: "SystemClock", when: float, callback: Callable[[], object]) -> None:
        self._clock, self._when, self._callback = clock, when, callback
        self._wait()

    def cancel(self) -> None:
        self._timer.cancel()

    def _wait(self) -> None:
        if self._when - self._clock.time() > _LOOK_AGAIN:
            self._timer = call_in(_LOOK_AGAIN, self._wait)
        else:
            self._timer = self._clock.call_at(self._when, self._callback)


class SystemClock(Clock):
    """The machine's clock, read once; from then on it advances as ``now`` does, whatever is done to it."""

    def __init__(self, now: Callable[[], float] = since_boot) -> None:
        self._now: Final = now
        self._offset = time.time() - now()

    def time(self) -> float:
        return self._offset + self._now()

    def set(self, now: float) -> None:
        """Go on from this time, as another clock does."""
        self._offset = now - self._now()

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        left = when - self.time()
        if left > _LOOK_AGAIN:
            return _LateCall(self, when, callback)
        return call_in(left + _ROUNDED if left > 0 else 0, callback)
