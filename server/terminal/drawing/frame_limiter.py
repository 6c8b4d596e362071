"""When the next frame of a session is drawn: at once after a quiet time, else with what comes soon."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from server.terminal.fair_queue import FairQueue
from server.terminal.timers import EventLoopTimers, TimerHandle

WINDOW: Final = 0.03
"""Seconds from one frame to the next, in the long run: what comes within them is shown together."""

SLOW_LINE_WINDOW: Final = 0.3
"""The same on a slow line: what is replaced within them is never sent."""

BURST: Final = 2
"""Frames that a quiet time saves up: the first changes after it are shown at once."""


@dataclass(slots=True, eq=False)
class FrameLimiter:
    """Calls ``draw`` when it is time. Whoever draws calls ``drawing`` first, and ``sent`` afterwards if there
    was anything to send. ``leisure`` is the queue for what nobody waits for.
    """

    _timers: EventLoopTimers
    _leisure: FairQueue
    _draw: Callable[[], None]
    window: float = WINDOW
    """Seconds that a frame is paid with."""
    _paid_until: float = 0.0  # the frames so far, a window each
    _timer: TimerHandle | None = None
    _leisure_timer: TimerHandle | None = None
    _at_leisure: bool = False  # a frame is to be drawn when there is time

    def ask(self, *, at_leisure: bool = False) -> None:
        """There is something new to show; ``at_leisure``: after what others wait for."""
        if self._timer is not None:
            return
        if not at_leisure:
            self._timer = self._timers.call_later(self.wait, self._draw)
        elif not self._at_leisure:
            self._at_leisure = True
            if wait := self.wait:
                self._leisure_timer = self._timers.call_later(wait, self._join)
            else:
                self._join()

    @property
    def wait(self) -> float:
        """Seconds until the next frame may be drawn."""
        return max(0.0, self._paid_until - BURST * self.window - self._timers.time())

    def drawing(self) -> None:
        """Everything that was asked for is drawn now."""
        self._at_leisure = False
        for timer in (self._timer, self._leisure_timer):
            if timer is not None:
                timer.cancel()
        self._timer = self._leisure_timer = None

    def sent(self) -> None:
        """A frame has been sent."""
        self._paid_until = max(self._paid_until, self._timers.time()) + self.window

    def _join(self) -> None:
        self._leisure_timer = None
        self._leisure.join(self._draw_at_leisure)

    def _draw_at_leisure(self) -> bool:
        if self._at_leisure:  # else it has been drawn meanwhile
            self._draw()
        return False
