"""Input beyond a connection's rate is read later: nothing is lost, and nobody else waits for it."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from math import inf
from typing import Final

from server.networks import TokenBucket
from server.settings.settings import ServerLimits
from server.terminal.meter import Meter
from server.timers import OneTimer, Timers

PIECE: Final = 512
"""Bytes that are handled together: at most some thirty packets."""
CALM: Final = 2.0
"""Seconds without excess input after which a flood is over."""
_LEAST: Final = 0.05
"""Minimum seconds between two deliveries, so that a flood costs few of them."""


@dataclass(slots=True, eq=False)
class InputThrottle:
    """Delivers the input of one connection in pieces, as fast as its bucket and its ``meter`` allow.

    While input is held back, or work that it has led to waits for the meter, the connection is not read: at
    most one read's worth is ever held.
    """

    limits: ServerLimits
    timers: Timers
    meter: Meter
    _: KW_ONLY
    deliver: Callable[[bytes], object]
    pause: Callable[[], object]
    resume: Callable[[], object]
    on_limit: Callable[[], object]
    """Called when the bucket is empty."""
    on_flood: Callable[[], object]
    """Called again and again once more than a piece has been held back for ``stuck_seconds``: nobody types
    for so long, and while nothing is read, nobody notices that the client has gone."""
    _bucket: TokenBucket = field(init=False)
    _timer: OneTimer = field(init=False)
    """Runs until the bucket is out of debt."""
    _held: bytearray = field(default_factory=bytearray, init=False)
    _paused: bool = field(default=False, init=False)
    _closed: bool = field(default=False, init=False)
    _flood_since: float = field(default=0.0, init=False)
    _calm_at: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        limits, now = self.limits, self.timers.time()
        self._bucket = TokenBucket(limits.wire_bytes, limits.wire_bytes_per_second, now)
        self._timer = OneTimer(self.timers)
        self.meter.changed = self._pause_or_resume

    def push(self, data: bytes) -> None:
        """Take input."""
        if not self._closed:
            self._held += data
            self._go_on()

    def close(self) -> None:
        """Deliver nothing more, and drop all references to the connection."""
        self._closed = True
        self.deliver = self.pause = self.resume = self.on_limit = self.on_flood = bool
        self._held.clear()
        self._timer.cancel()
        self.meter.forget()

    def _go_on(self) -> None:
        """Deliver what may be delivered now, and plan the rest, also when a delivery raises."""
        try:
            while self._held and not self._timer.running and self.meter.ready:
                self.meter.run("input", self._hand_on)
        finally:
            if self._held and not self._timer.running:
                self.meter.later("input", self._turn)
            if self._timer.running or len(self._held) > PIECE:
                self._comes_too_fast()
            self._pause_or_resume()

    def _turn(self) -> None:
        try:
            self._hand_on()
        finally:
            self._go_on()

    def _hand_on(self) -> None:
        piece = bytes(self._held[:PIECE])
        del self._held[:PIECE]
        now = self.timers.time()
        self._bucket.charge(len(piece), now)
        if seconds := self._bucket.seconds_until(0, now):
            self._timer.after(max(_LEAST, seconds), self._go_on)
            self.on_limit()
        self.deliver(piece)

    def _comes_too_fast(self) -> None:
        now = self.timers.time()
        if now >= self._calm_at:
            self._flood_since = now
        self._calm_at = inf
        if now - self._flood_since >= self.limits.stuck_seconds:
            self.on_flood()

    def _pause_or_resume(self) -> None:
        holds = bool(self._held) or self._timer.running or self.meter.waits
        if holds != self._paused:
            self._paused = holds
            if not holds:
                # More of the same flood may wait in the kernel, and comes at once.
                self._calm_at = min(self._calm_at, self.timers.time() + CALM)
            (self.pause if holds else self.resume)()
