"""Detection of slow lines, by keepalives that are requested behind pieces of a large output.

The system's buffers tell nothing: a terminal server, a jump host or a modem's driver takes everything at once
and passes it on in its own time. An answer of the client itself has come behind all of it. The last answer,
behind next to nothing, tells the round-trip time.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

SLOW_LINE_SPEED: Final = 4_800
"""Bits a second; a terminal that declares no more is a slow line from the start. (Not 9,600: macOS and others
declare that for every window. Such a line has to be measured.)"""

LEAST: Final = 200
"""Minimum bytes of an output that is measured: two seconds at 1,200 bits a second."""
SLOW_BYTES: Final = 2_400
"""Bytes a second below which a line is slow."""
SLOW_SECONDS: Final = 1.5
"""Seconds in which an output has to arrive not to be slow, whatever its size."""
PROOF_SECONDS: Final = 4.0
"""Seconds for which a connection must have been slow without interruption ..."""
COUNTED_SECONDS: Final = 3.0
"""... of which one piece counts at most this many: one stutter of a radio link is no slow line."""
AGAIN_SECONDS: Final = 60.0
"""Seconds without a measurement after a fast one."""
_PIECES: Final = 2
"""Number of pieces of an output that is measured; other output meanwhile adds more."""


@dataclass(slots=True, eq=False)
class BandwidthMeter:
    """Meter of one connection.

    ``ask`` requests a keepalive and returns whether it could; ``slow`` is called once, if ever.
    """

    now: Callable[[], float]
    """A clock in seconds."""
    ask: Callable[[], bool]
    slow: Callable[[], object]
    _sizes: list[int] = field(default_factory=list, init=False)
    """Bytes before each keepalive of a measurement, the last one not yet requested; empty without one."""
    _seconds: list[float] = field(default_factory=list, init=False)
    """Seconds that each keepalive has taken so far."""
    _since: float = field(default=0.0, init=False)
    _rest_until: float = field(default=0.0, init=False)
    _slow_for: float = field(default=0.0, init=False)
    _ended: bool = field(default=False, init=False)

    def wants(self, size: int) -> bool:
        """Return whether to measure an output of this size: send half of it, then call ``begin``."""
        return not (self._ended or self._sizes or size < LEAST or self.now() < self._rest_until)

    def begin(self, first: int, second: int) -> None:
        """Begin after ``first`` bytes have been sent; ``second`` bytes follow at once."""
        self._sizes, self._seconds = [first, second], []
        self._ask()

    def wrote(self, size: int) -> None:
        """Count other output, behind the keepalive that was requested last."""
        if self._sizes:
            self._sizes[-1] += size

    def sign(self) -> None:
        """Take the answer to a keepalive."""
        if self._ended or not self._sizes:
            return
        self._seconds.append(self.now() - self._since)
        pieces = len(self._seconds) - 1
        if (pieces < _PIECES or self._sizes[pieces] >= LEAST) and not self._is_fast(0.0):
            self._sizes.append(0)
            self._ask()
            return
        away = self._seconds[pieces] if pieces >= _PIECES else 0.0
        late = [min(seconds - away, COUNTED_SECONDS) for seconds in self._seconds[:pieces]]
        fast = self._is_fast(away)
        self._sizes = []
        if fast:
            self._slow_for = 0.0
            self.rest()
        else:
            self._slow_for += sum(late)
            if self._slow_for >= PROOF_SECONDS:
                self._ended = True
                self.slow()

    def _is_fast(self, away: float) -> bool:
        """Return whether a piece, or the first two together, came fast, at a round-trip time ``away``."""
        took = [seconds - away for seconds in self._seconds]
        soon = len(took) >= _PIECES and sum(took[:_PIECES]) < SLOW_SECONDS
        return soon or any(
            size > SLOW_BYTES * seconds
            for size, seconds in zip(self._sizes, took, strict=False)
            if size >= LEAST
        )

    def _ask(self) -> None:
        # Before asking: the answer may come at once.
        self._since = self.now()
        if not self.ask():
            self._sizes = []

    def rest(self) -> None:
        """Measure nothing for a while."""
        self._rest_until = self.now() + AGAIN_SECONDS

    def forget(self) -> None:
        """Drop all references to a connection that has been closed, and measure nothing more."""
        self._ended = True
        del self.ask, self.slow
