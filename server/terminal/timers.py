"""What drawing needs of the event loop; a test has a clock of its own instead."""

import asyncio
from collections.abc import Callable
from typing import Protocol


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
    """The event loop's; what is due at once goes past its heap."""

    __slots__ = ("_loop", "time")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.time = loop.time

    def call_later(self, delay: float, callback: Callable[[], object]) -> TimerHandle:
        """Call back after ``delay`` seconds; if that is none, before what has come in meanwhile."""
        return (
            self._loop.call_later(delay, callback) if delay > 0 else self._loop.call_soon(callback)
        )
