"""What drawing needs of the event loop; a test has a clock of its own instead."""

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol


class TimerHandle(Protocol):
    """Something that will happen."""

    def cancel(self) -> None:
        """It will not."""


class EventLoopTimers(Protocol):
    """A clock, and calls at times of that clock."""

    def time(self) -> float:
        """Seconds since some moment."""

    def call_later(self, delay: float, callback: Callable[[], object]) -> TimerHandle:
        """Call back after ``delay`` seconds."""


class LoopTimers:
    """The running event loop's; what is due at once goes past its heap."""

    __slots__ = ()

    time = staticmethod(time.monotonic)  # asyncio's clock, too

    def call_later(self, delay: float, callback: Callable[[], object]) -> TimerHandle:
        """Call back after ``delay`` seconds; if that is none, before what has come in meanwhile."""
        loop = asyncio.get_running_loop()
        return loop.call_later(delay, callback) if delay > 0 else loop.call_soon(callback)


LOOP_TIMERS: Final = LoopTimers()
