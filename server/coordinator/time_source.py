"""Time as an argument: the clock that tables and the lobby are handed."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context, copy_context
from dataclasses import dataclass
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
    """Do some work, and again so many seconds after it was done, until cancelled. Where the store fails,
    which it logs, that is soon enough.
    """
    while True:
        with suppress(StoreError):
            await work()
        await clock.sleep_until(clock.time() + seconds)


_LOOK_AGAIN: Final = 30.0
"""Event loops wait for longer when the machine sleeps: what is due is noticed so soon after that."""


_BOOT: Final[int] = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
since_boot: Final = partial(time.clock_gettime, _BOOT)
"""Seconds that go on while the process is stopped, and where the system can tell, while it sleeps."""


_SLOTS: Final = 64
"""In a second: what is due in the same one is one timer of the event loop, however many screens move then."""


@dataclass(slots=True, eq=False)
class _Call:
    """A call to come."""

    when: float
    callback: Callable[[], object]
    context: Context

    def cancel(self) -> None:
        self.when, self.callback = 0.0, bool


class SystemClock(Clock):
    """The machine's clock, read once; from then on it advances as ``now`` does, whatever is done to it."""

    def __init__(self, now: Callable[[], float] = since_boot) -> None:
        self._now: Final = now
        self._offset: Final = time.time() - now()
        self._due: Final[dict[int, list[_Call]]] = {}
        """By ``_SLOTS`` since 1970: what is to be called then, or is further off."""

    def time(self) -> float:
        return self._offset + self._now()

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        now = self.time()
        if when <= now:
            return call_in(0.0, callback)
        call = _Call(when, callback, copy_context())
        self._put(call, now)
        return call

    def _put(self, call: _Call, now: float) -> None:
        """Where it is called, or looked at again."""
        slot = int(min(call.when, now + _LOOK_AGAIN) * _SLOTS) + 1
        if slot in self._due:
            self._due[slot].append(call)
        else:
            self._due[slot] = [call]
            call_in(slot / _SLOTS - now, partial(self._call, slot))

    def _call(self, slot: int) -> None:
        now = self.time()
        for call in self._due.pop(slot):
            if call.when > now:
                self._put(call, now)
                continue
            try:
                call.context.run(call.callback)
            except Exception as error:
                told = {"message": "a call of the clock has failed", "exception": error}
                asyncio.get_running_loop().call_exception_handler(told)
