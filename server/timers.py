"""Clocks, timers and background tasks."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol

from server import StoreError


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancel the call; does nothing if it is too late."""


class Timers(Protocol):
    """A clock with scheduled calls, such as an event loop's. Times are seconds since some moment."""

    def time(self) -> float:
        """Return the time, which never runs backwards while the process lives."""

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        """Call ``callback`` from the event loop at ``when``; soon if that is past."""


def call_in(seconds: float, callback: Callable[[], object]) -> Timer:
    """Call ``callback`` in so many seconds; for 0 before all input that has arrived meanwhile."""
    loop = asyncio.get_running_loop()
    return loop.call_later(seconds, callback) if seconds > 0 else loop.call_soon(callback)


class LoopTimers:
    """Timers of the running event loop."""

    time = staticmethod(time.monotonic)  # asyncio's clock, too

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        """Call ``callback`` at ``when``."""
        return call_in(when - self.time(), callback)


LOOP_TIMERS: Final = LoopTimers()


@dataclass(slots=True, eq=False)
class OneTimer:
    """A timer with at most one scheduled call, which the next one replaces."""

    _clock: Timers
    _timer: Timer | None = None
    _callback: Callable[[], object] = bool

    @property
    def running(self) -> bool:
        """Return whether a call is scheduled."""
        return self._timer is not None

    def start(self, when: float, callback: Callable[[], object]) -> None:
        """Call ``callback`` at ``when``, in place of an earlier one."""
        if self._timer is not None:
            self._timer.cancel()
        self._callback = callback
        self._timer = self._clock.call_at(when, self._call)

    def _call(self) -> None:
        callback, self._callback, self._timer = self._callback, bool, None
        callback()

    def after(self, seconds: float, callback: Callable[[], object]) -> None:
        """Call ``callback`` in ``seconds``, in place of an earlier one."""
        self.start(self._clock.time() + seconds, callback)

    def cancel(self) -> None:
        """Cancel the call."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer, self._callback = None, bool


class NamedTimers(dict[str, asyncio.TimerHandle]):
    """The scheduled calls of a connection, by name. Needs a running event loop."""

    def later(self, name: str, seconds: float, do: Callable[[], None]) -> None:
        """Call ``do`` in so many seconds, in place of an earlier call of that name."""
        self.stop(name)
        self[name] = asyncio.get_running_loop().call_later(seconds, self._now, name, do)

    def stop(self, name: str) -> None:
        """Cancel the call of that name, if there is one."""
        if timer := self.pop(name, None):
            timer.cancel()

    def stop_all(self) -> None:
        """Cancel all calls."""
        for timer in self.values():
            timer.cancel()
        self.clear()

    def _now(self, name: str, do: Callable[[], None]) -> None:
        self.pop(name, None)
        do()


class Tasks(set[asyncio.Task[Any]]):
    """Running tasks, which asyncio itself does not keep alive. Needs a running event loop."""

    def spawn(
        self, work: Coroutine[Any, Any, object], name: str | None = None
    ) -> asyncio.Task[Any]:
        """Start a task; nobody has to wait for it."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self.add(task)
        task.add_done_callback(self.discard)
        return task

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self:
            task.cancel()

    async def end(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        self.cancel()
        await asyncio.gather(*self, return_exceptions=True)


class Clock(Timers, Protocol):
    """The coordinator's clock. Times are seconds since 1970."""

    async def sleep_until(self, when: float) -> None:
        """Wait until ``when``."""
        woken = asyncio.get_running_loop().create_future()
        timer = self.call_at(when, lambda: None if woken.done() else woken.set_result(None))
        try:
            await woken
        finally:
            timer.cancel()


async def repeated(clock: Clock, seconds: float, work: Callable[[], Awaitable[object]]) -> None:
    """Do some work, and again so many seconds after it was done, until cancelled.

    Failures of the store, which it logs, are ignored.
    """
    while True:
        with suppress(StoreError):
            await work()
        await clock.sleep_until(clock.time() + seconds)


_LOOK_AGAIN: Final = 30.0
"""Seconds between looks at the clock: an event loop's own timers stand still while the machine sleeps."""
_ROUNDED: Final = 1e-6
"""Maximum rounding error of seconds since 1970: no call comes before its time."""


_BOOT: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
since_boot: Final = partial(time.clock_gettime, _BOOT)
"""Seconds since the boot, also while the process is stopped and, where known, while the machine sleeps."""


class _LateCall:
    """A scheduled call that looks at the clock again at intervals."""

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
    """The machine's clock, read once; from then on it advances with ``now``, even if the clock is set."""

    def __init__(self, now: Callable[[], float] = since_boot) -> None:
        self._now: Final = now
        self._offset = time.time() - now()

    def time(self) -> float:
        """Return the seconds since 1970."""
        return self._offset + self._now()

    def set(self, now: float) -> None:
        """Set the time, to go with another clock."""
        self._offset = now - self._now()

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        """Call ``callback`` at ``when``, even if the machine sleeps meanwhile."""
        left = when - self.time()
        if left > _LOOK_AGAIN:
            return _LateCall(self, when, callback)
        return call_in(left + _ROUNDED if left > 0 else 0, callback)
