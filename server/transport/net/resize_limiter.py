"""How often a terminal that changes its size is drawn anew: a window's border that is dragged is followed, a
terminal that never stops costs little. Every size needs another layout, which nobody else has use for.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from server.timers import OneTimer, Timers

AT_ONCE: Final = 8
"""So many pictures follow each other at the shortest distance ..."""
SELDOMER: Final = 32
"""... and as long as it goes on, the next ones at so many times that."""
CALM: Final = 2
"""After so many times the shortest distance without another size, that one is drawn out of turn ..."""
APART: Final = 5
"""... so many times the shortest distance after the last picture at the earliest."""


@dataclass(slots=True, eq=False)
class ResizeLimiter:
    """The pace of one terminal."""

    shortest: float
    """Seconds between two pictures at least; 0 is no limit."""
    timers: Timers
    draw: Callable[[], object]
    """Draws at the size that it finds then."""
    _timer: OneTimer = field(init=False)
    _waits: bool = field(default=False, init=False)
    _paid: float = field(default=float("-inf"), init=False)
    _drawn_at: float = field(default=float("-inf"), init=False)
    _changed_at: float = field(default=float("-inf"), init=False)

    def __post_init__(self) -> None:
        self._timer = OneTimer(self.timers)

    def changed(self) -> bool:
        """The terminal has another size; whether that has to wait."""
        if not self.shortest:
            self.draw()
            return False
        self._changed_at = self.timers.time()
        self._waits = True
        if not self._timer.running:
            self._look()
        return self._waits

    def stop(self) -> None:
        """Nothing is drawn any more, and nobody is held on to."""
        self.draw = lambda: None
        self._timer.cancel()

    def _look(self) -> None:
        if not self._waits:
            return
        now = self.timers.time()
        if self._may(now):
            self._waits = False
            self._drawn_at = now
            # The pictures so far, the longer distance each; those out of turn make a debt no bigger.
            apart = SELDOMER * self.shortest
            self._paid = min(max(self._paid, now), now + (AT_ONCE - 1) * apart) + apart
            self.draw()
        self._timer.after(self.shortest, self._look)

    def _may(self, now: float) -> bool:
        calm = now - self._changed_at >= CALM * self.shortest
        apart = calm and now - self._drawn_at >= APART * self.shortest
        return apart or now >= self._paid - (AT_ONCE - 1) * SELDOMER * self.shortest
