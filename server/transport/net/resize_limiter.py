"""How often a terminal that changes its size is drawn anew: a window's border that is dragged is followed, a
terminal that never stops costs little. Every size needs another layout, which nobody else has use for.
"""

from collections.abc import Callable
from typing import Final, Protocol

AT_ONCE: Final = 8
"""So many pictures follow each other at the shortest distance ..."""
SELDOMER: Final = 32
"""... and as long as it goes on, the next ones at so many times that."""
CALM: Final = 2
"""After so many times the shortest distance without another size, that one is drawn out of turn ..."""
APART: Final = 5
"""... so many times the shortest distance after the last picture at the earliest."""


class _Timer(Protocol):
    def cancel(self) -> None: ...


def _nothing() -> None:
    return


class ResizeLimiter:
    """The pace of one terminal."""

    __slots__ = (
        "_changed_at",
        "_draw",
        "_drawn_at",
        "_later",
        "_now",
        "_paid",
        "_shortest",
        "_timer",
        "_waits",
    )

    def __init__(
        self,
        shortest: float,
        now: Callable[[], float],
        later: Callable[[float, Callable[[], None]], _Timer],
        draw: Callable[[], None],
    ) -> None:
        """``shortest`` is the shortest distance of two pictures in seconds, 0 is no limit; ``now`` a clock in
        seconds, ``later`` calls back after some. ``draw`` draws at the size that it finds then.
        """
        self._shortest = shortest
        self._now = now
        self._later = later
        self._draw = draw
        self._timer: _Timer | None = None
        self._waits = False
        self._paid = self._drawn_at = self._changed_at = float("-inf")

    def changed(self) -> bool:
        """The terminal has another size; whether that has to wait."""
        if not self._shortest:
            self._draw()
            return False
        self._changed_at = self._now()
        self._waits = True
        if self._timer is None:
            self._look()
        return self._waits

    def stop(self) -> None:
        """Nothing is drawn any more, and nobody is held on to."""
        self._draw = _nothing
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if not self._waits:
            return
        now = self._now()
        if self._may(now):
            self._waits = False
            self._drawn_at = now
            # The pictures so far, the longer distance each; those out of turn make a debt no bigger.
            apart = SELDOMER * self._shortest
            self._paid = min(max(self._paid, now), now + (AT_ONCE - 1) * apart) + apart
            self._draw()
        self._timer = self._later(self._shortest, self._look)

    def _may(self, now: float) -> bool:
        if now >= self._paid - (AT_ONCE - 1) * SELDOMER * self._shortest:
            return True
        calm = now - self._changed_at >= CALM * self._shortest
        return calm and now - self._drawn_at >= APART * self._shortest
