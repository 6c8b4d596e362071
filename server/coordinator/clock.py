"""Time as an argument: the clock that tables and the lobby are handed."""

import asyncio
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
