"""Time as an argument: the clock that tables and the lobby are handed."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

Found = TypeVar("Found")


class Timer(Protocol):
    """A call to come."""

    def cancel(self) -> None:
        """Do not call. Harmless when it is too late."""


class Timers(Protocol):
    """A clock that calls back, such as an event loop's. Times are seconds since some moment."""

    def time(self) -> float:
        """Now. Never runs backwards while the process lives."""

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call ``callback`` from the event loop once it is ``when``; soon if that is past."""


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


async def retried(
    clock: Clock,
    attempt: Callable[[], Awaitable[Found | None]],
    seconds: float,
    every: float = 0.05,
) -> Found | None:
    """What comes of an attempt that can be in vain, for something is on its way to another owner: it is made
    again, every so many seconds, until something comes of it or these seconds are over.
    """
    until = clock.time() + seconds
    while (found := await attempt()) is None and clock.time() < until:
        await clock.sleep_until(clock.time() + every)
    return found


@dataclass(slots=True, eq=False)
class OneTimer:
    """At most one call to come: another one takes its place."""

    _clock: Timers
    _timer: Timer | None = None

    @property
    def running(self) -> bool:
        """Whether a call is to come."""
        return self._timer is not None

    def start(self, when: float, callback: Callable[[], object]) -> None:
        """Call ``callback`` once it is ``when``, and no other one before."""

        def call() -> None:
            self._timer = None
            callback()

        self.cancel()
        self._timer = self._clock.call_at(when, call)

    def after(self, seconds: float, callback: Callable[[], object]) -> None:
        """The same, so many seconds from now."""
        self.start(self._clock.time() + seconds, callback)

    def cancel(self) -> None:
        """Do not call."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


_LOOK_AGAIN: Final = 30.0
"""Event loops wait for longer when the machine sleeps: what is due is noticed so soon after that."""


def since_boot() -> float:
    """Seconds that go on while the process is stopped, and where the system can tell, while it sleeps."""
    clock: int = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime(clock)


class SystemClock(Clock):
    """The machine's clock, read once; from then on it advances as ``now`` does, whatever is done to it.
    ``offset`` is how far ``now`` is behind another clock that is to be followed.
    """

    def __init__(self, now: Callable[[], float] = since_boot, offset: float | None = None) -> None:
        self._now: Final = now
        self._offset: Final = time.time() - now() if offset is None else offset

    def time(self) -> float:
        return self._offset + self._now()

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        loop, left = asyncio.get_running_loop(), when - self.time()
        if left > _LOOK_AGAIN:
            return _Waiting(self, when, callback)
        return loop.call_later(left, callback) if left > 0 else loop.call_soon(callback)


class _Waiting:
    """A call of a ``SystemClock`` that is far off."""

    _timer: Timer

    def __init__(self, clock: Clock, when: float, callback: Callable[[], None]) -> None:
        def look() -> None:
            self._timer = clock.call_at(when, callback)

        self._timer = asyncio.get_running_loop().call_later(_LOOK_AGAIN, look)

    def cancel(self) -> None:
        self._timer.cancel()
