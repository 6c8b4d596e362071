"""When the next frame of a session is drawn: at once after a quiet time, else with what comes soon."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal

from server.terminal.fair_queue import FairQueue
from server.timers import OneTimer, Timers

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
    _asked: Literal["", "background", "soon"] = ""
    _timer: OneTimer = field(init=False)

    def __post_init__(self) -> None:
        self._timer = OneTimer(self._timers)

    def ask(self, *, in_background: bool = False, after: float = 0.0) -> None:
        """There is something new to show.

        ``in_background``: behind what others wait for; ``after``: not before so many seconds have
        passed.
        """
        if self._asked == "soon" or (self._asked and in_background):
            return
        self._asked = "background" if in_background else "soon"
        when = max(self._free_at, self._timers.time() + after)
        self._timer.start(when, self._join if in_background else self._draw)

    @property
    def waits(self) -> bool:
        """The next frame may not be drawn yet."""
        return self._free_at > self._timers.time()

    @property
    def _free_at(self) -> float:
        return self._paid_until - BURST * self.window

    def drawing(self) -> None:
        """Everything that was asked for is drawn now."""
        self._asked = ""
        self._timer.cancel()

    def sent(self) -> None:
        """A frame has been sent."""
        self._paid_until = max(self._paid_until, self._timers.time()) + self.window

    def _join(self) -> None:
        self._background.join(self._draw_in_background)

    def _draw_in_background(self) -> None:
        if self._asked == "background":  # else it has been drawn meanwhile, or will be soon
            self._draw()
