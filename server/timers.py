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
    """A call to come."""

    def cancel(self) -> None:
        """Do not call. Harmless when it is too late."""


class Timers(Protocol):
    """A clock that calls back, such as an event loop's. Times are seconds since some moment."""

    def time(self) -> float:
        """Now. Never runs backwards while the process lives."""

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        """Call ``callback`` from the event loop once it is ``when``; soon if that is past."""


def call_in(seconds: float, callback: Callable[[], object]) -> Timer:
    """In so many seconds; if that is none, past the event loop's heap: before what has come in meanwhile."""
    loop = asyncio.get_running_loop()
    return loop.call_later(seconds, callback) if seconds > 0 else loop.call_soon(callback)


class LoopTimers:
    """The running event loop's."""

    time = staticmethod(time.monotonic)  # asyncio's clock, too

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        """Call ``callback`` once it is ``when``."""
        return call_in(when - self.time(), callback)


LOOP_TIMERS: Final = LoopTimers()


@dataclass(slots=True, eq=False)
class OneTimer:
    """At most one call to come: another one takes its place."""

    _clock: Timers
    _timer: Timer | None = None
    _callback: Callable[[], object] = bool

    @property
    def running(self) -> bool:
        """Whether a call is to come."""
        return self._timer is not None

    def start(self, when: float, callback: Callable[[], object]) -> None:
        """Call ``callback`` once it is ``when``, and no other one before."""
        if self._timer is not None:
            self._timer.cancel()
        self._callback = callback
        self._timer = self._clock.call_at(when, self._call)

    def _call(self) -> None:
        callback, self._callback, self._timer = self._callback, bool, None
        callback()

    def after(self, seconds: float, callback: Callable[[], object]) -> None:
        """Call ``callback`` in ``seconds``, and no other one before."""
        self.start(self._clock.time() + seconds, callback)

    def cancel(self) -> None:
        """Do not call."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer, self._callback = None, bool


class NamedTimers(dict[str, asyncio.TimerHandle]):
    """The calls to come on one connection, by name. Needs a running event loop."""

    def later(self, name: str, seconds: float, do: Callable[[], None]) -> None:
        """``do`` in so many seconds, in place of what was to happen under that name."""
        self.stop(name)
        self[name] = asyncio.get_running_loop().call_later(seconds, self._now, name, do)

    def stop(self, name: str) -> None:
        """It will not happen; harmless when there is nothing to stop."""
        if timer := self.pop(name, None):
            timer.cancel()

    def stop_all(self) -> None:
        """Nothing will."""
        for timer in self.values():
            timer.cancel()
        self.clear()

    def _now(self, name: str, do: Callable[[], None]) -> None:
        self.pop(name, None)
        do()


class Tasks(set[asyncio.Task[Any]]):
    """All that goes on: asyncio itself does not keep a task that nobody holds. Needs a running event loop."""

    def spawn(
        self, work: Coroutine[Any, Any, object], name: str | None = None
    ) -> asyncio.Task[Any]:
        """Begin it; nobody has to wait for it."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self.add(task)
        task.add_done_callback(self.discard)
        return task

    def cancel(self) -> None:
        """Have all of it end."""
        for task in self:
            task.cancel()

    async def end(self) -> None:
        """Cancel all tasks, and wait until they have ended."""
        self.cancel()
        await asyncio.gather(*self, return_exceptions=True)


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
        """Seconds since 1970."""
        return self._offset + self._now()

    def set(self, now: float) -> None:
        """Go on from this time, as another clock does."""
        self._offset = now - self._now()

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        """Call ``callback`` once it is ``when``, however long the machine sleeps meanwhile."""
        left = when - self.time()
        if left > _LOOK_AGAIN:
            return _LateCall(self, when, callback)
        return call_in(left + _ROUNDED if left > 0 else 0, callback)
