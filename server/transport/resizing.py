"""How often a terminal that changes its size is drawn anew: a window's border that is dragged is followed, a
terminal that never stops costs little. Every size needs another layout, which nobody else has use for.
"""

from collections.abc import Callable
from typing import Final

AT_ONCE: Final = 8
"""So many pictures follow each other at the shortest distance ..."""
SELDOMER: Final = 8
"""... and as long as it goes on, the next ones at so many times that."""


class Resizing:
    """The pace of one terminal. ``now`` is a clock in seconds."""

    __slots__ = ("_now", "_paid_until", "_shortest")

    def __init__(self, shortest: float, now: Callable[[], float]) -> None:
        """``shortest`` is the shortest distance, in seconds; 0 is no limit."""
        self._shortest = shortest
        self._now = now
        self._paid_until = 0.0  # the pictures so far, the longer distance each

    def drawn(self) -> float:
        """It is drawn at another size now: seconds until it may be again."""
        now, each = self._now(), SELDOMER * self._shortest
        self._paid_until = max(self._paid_until, now) + each
        return max(self._shortest, self._paid_until - AT_ONCE * each - now)
