"""How fast a line takes what is sent: measured by asking for a sign of life behind a big piece of text.

What the system says of its own buffers is of no use here: a terminal server, a jump host or a modem's
driver takes everything at once and hands it on in its own time. A sign that comes back from the client
itself has been behind all of it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

SLOW_LINE_SPEED: Final = 4_800
"""Bits a second; a terminal that says it is no faster is a slow line from the start. (Not 9,600: macOS and
others say that of every window. Such a line is found out by measuring.)"""

LEAST: Final = 200
"""Bytes of one piece that are worth a measurement: two seconds at 1,200 bits a second."""
SLOW_BYTES: Final = 2_400
"""Bytes a second; a line that takes fewer is slow."""
SLOW_SECONDS: Final = 1.5
"""What arrives sooner is not slow: over a satellite, it takes up to a second there and back."""
PROOF_SECONDS: Final = 4.0
"""So long in a row it must have been slow ..."""
COUNTED_SECONDS: Final = 3.0
"""... of which one measurement counts no more than this: one stutter of a radio link is no slow line."""
AGAIN_SECONDS: Final = 60.0
"""After a line has turned out to be fast, it is left alone for so long."""


@dataclass(slots=True, eq=False)
class BandwidthMeter:
    """Of one line. ``ask`` asks for a sign and tells whether it could; ``slow`` is called once, if ever."""

    now: Callable[[], float]
    """A clock in seconds."""
    ask: Callable[[], bool]
    slow: Callable[[], object]
    _asked: float | None = field(default=None, init=False)
    _size: int = field(default=0, init=False)
    _rest_until: float = field(default=0.0, init=False)
    _slow_for: float = field(default=0.0, init=False)
    _ended: bool = field(default=False, init=False)

    def wrote(self, waiting: int) -> None:
        """Something was sent; ``waiting`` bytes of that and of what was sent before may not have arrived."""
        if self._ended or waiting < LEAST or self._asked is not None:
            return
        now = self.now()
        if now >= self._rest_until:
            # Before asking: the answer may come at once.
            self._asked, self._size = now, waiting
            if not self.ask():
                self._asked = None

    def sign(self) -> None:
        """The client has come to the place where a sign was asked for."""
        if self._ended or self._asked is None:
            return
        seconds, self._asked = self.now() - self._asked, None
        if seconds < SLOW_SECONDS or self._size > SLOW_BYTES * seconds:
            self._slow_for = 0.0
            self.rest()
            return
        self._slow_for += min(seconds, COUNTED_SECONDS)
        if self._slow_for >= PROOF_SECONDS:
            self._ended = True
            self.slow()

    def rest(self) -> None:
        """The line is a fast one: leave it alone for now."""
        self._rest_until = self.now() + AGAIN_SECONDS

    def forget(self) -> None:
        """The line is gone: let go of it. Nothing is measured any more."""
        self._ended = True
        del self.ask, self.slow
