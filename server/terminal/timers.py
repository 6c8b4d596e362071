"""What drawing needs of the event loop; a test has a clock of its own instead."""

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
