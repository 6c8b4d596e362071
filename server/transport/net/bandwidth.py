"""How fast a line takes what is sent: measured by asking for keepalives behind pieces of a big text.

What the system says of its own buffers is of no use here: a terminal server, a jump host or a modem's
driver takes everything at once and hands it on in its own time. A sign that comes back from the client
itself has been behind all of it. The last sign, behind next to nothing, tells how far away the client is.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

SLOW_LINE_SPEED: Final = 4_800
"""Bits a second; a terminal that says it is no faster is a slow line from the start. (Not 9,600: macOS and
others say that of every window. Such a line is found out by measuring.)"""

LEAST: Final = 200
"""Bytes of one text that are worth a measurement: two seconds at 1,200 bits a second."""
SLOW_BYTES: Final = 2_400
"""Bytes a second; a line that takes fewer is slow."""
SLOW_SECONDS: Final = 1.5
"""What has arrived sooner has not been waited for."""
PROOF_SECONDS: Final = 4.0
"""Seconds for which a connection must have been slow without a break ..."""
COUNTED_SECONDS: Final = 3.0
"""... of which one piece counts no more than this: one stutter of a radio link is no slow line."""
AGAIN_SECONDS: Final = 60.0
"""After a line has turned out to be fast, it is left alone for so long."""


_PIECES: Final = 2
"""Pieces into which a measured text is divided; what is sent meanwhile adds more."""


@dataclass(slots=True, eq=False)
class BandwidthMeter:
    """Bandwidth of one connection.

    ``ask`` asks for a keepalive and returns whether it could; ``slow`` is called once, if ever.
    """

    now: Callable[[], float]
    """A clock in seconds."""
    ask: Callable[[], bool]
    slow: Callable[[], object]
    _sizes: list[int] = field(default_factory=list, init=False)
    """Bytes before each sign of a measurement, the last one not yet asked for; empty while nothing is
    measured.
    """
    _seconds: list[float] = field(default_factory=list, init=False)
    """How long those have taken that have come."""
    _since: float = field(default=0.0, init=False)
    _rest_until: float = field(default=0.0, init=False)
    _slow_for: float = field(default=0.0, init=False)
    _ended: bool = field(default=False, init=False)

    def wants(self, size: int) -> bool:
        """Whether to measure with a text of that size: half of it is sent, then ``begin`` called."""
        return not (self._ended or self._sizes or size < LEAST or self.now() < self._rest_until)

    def begin(self, first: int, second: int) -> None:
        """``first`` bytes are on their way, with what was sent before; the ``second`` follow at once."""
        self._sizes, self._seconds = [first, second], []
        self._ask()

    def wrote(self, size: int) -> None:
        """Something else was sent, behind the sign that is waited for."""
        if self._sizes:
            self._sizes[-1] += size

    def sign(self) -> None:
        """The client has come to the place where a sign was asked for."""
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
        """Whether a piece, or the first two together, came fast from so many seconds away."""
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
        """The line is a fast one: leave it alone for now."""
        self._rest_until = self.now() + AGAIN_SECONDS

    def forget(self) -> None:
        """The line is gone: let go of it. Nothing is measured any more."""
        self._ended = True
        del self.ask, self.slow
