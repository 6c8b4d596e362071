"""When the next frame of a session is drawn: at once after a quiet time, else with what comes soon."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from server.terminal.fair_queue import FairQueue
from server.timers import Timer, Timers

WINDOW: Final = 0.03
"""Seconds from one frame to the next, in the long run: what comes within them is shown together."""

SLOW_LINE_WINDOW: Final = 0.3
"""Window on a slow connection: frames replaced within it are never sent."""

BURST: Final = 2
"""Frames that a quiet time saves up: the first changes after it are shown at once."""


@dataclass(slots=True, eq=False)
class FrameLimiter:
    """Calls ``draw`` when it is time.

    Whoever draws calls ``drawing`` first, and ``sent`` afterwards if there was anything to send.
    ``background`` is the queue for what nobody waits for.
    """

    _timers: Timers
    _background: FairQueue
    _draw: Callable[[], None]
    window: float = WINDOW
    """Seconds that a frame is paid with."""
    _paid_until: float = 0.0  # the frames so far, a window each
    _timer: Timer | None = None
    _background_timer: Timer | None = None
    _in_background: bool = False  # a frame is to be drawn when there is time

    def ask(self, *, in_background: bool = False, after: float = 0.0) -> None:
        """There is something new to show.

        ``in_background``: behind what others wait for; ``after``: not before so many seconds have
        passed.
        """
        if self._timer is not None:
            return
        if not in_background:
            when = max(self._free_at, self._timers.time() + after)
            self._timer = self._timers.call_at(when, self._draw)
        elif not self._in_background:
            self._in_background = True
            if self.waits:
                self._background_timer = self._timers.call_at(self._free_at, self._join)
            else:
                self._join()

    @property
    def waits(self) -> bool:
        """The next frame may not be drawn yet."""
        return self._free_at > self._timers.time()

    @property
    def _free_at(self) -> float:
        return self._paid_until - BURST * self.window

    def drawing(self) -> None:
        """Everything that was asked for is drawn now."""
        self._in_background = False
        if self._timer is not None:
            self._timer.cancel()
        if self._background_timer is not None:
            self._background_timer.cancel()
        self._timer = self._background_timer = None

    def sent(self) -> None:
        """A frame has been sent."""
        self._paid_until = max(self._paid_until, self._timers.time()) + self.window

    def _join(self) -> None:
        self._background_timer = None
        self._background.join(self._draw_in_background)

    def _draw_in_background(self) -> None:
        if self._in_background:  # else it has been drawn meanwhile
            self._draw()
