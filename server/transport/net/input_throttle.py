"""What comes in faster than it may is read later: nothing is lost, and nobody else has to wait for it."""

import asyncio
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Final

from server.rate_limiter import TokenBucket
from server.timers import OneTimer
from server.transport.access.cpu_shares import PIECE, Share

_LEAST: Final = 0.05
"""Seconds between two helpings, so that a flood costs few of them."""


@dataclass(slots=True, eq=False)
class InputThrottle:
    """Hands input on as fast as its bucket allows, and the processor time that its sender's network has left,
    if that is shared out. While it holds some back, ``pause`` keeps the line from being read, so that at most
    one read's worth is ever held. ``now`` is a clock in seconds; ``on_limit`` is called when something has
    come too fast.
    """

    bucket: TokenBucket
    """Where what was handed on costs more than its bytes, that is charged here."""
    now: Callable[[], float]
    _: KW_ONLY
    deliver: Callable[[bytes], object]
    pause: Callable[[], object]
    resume: Callable[[], object]
    on_limit: Callable[[], object]
    share: Share | None = None
    """May be replaced."""
    lines: TokenBucket | None = None
    """How many ends of lines are handed on, where these are counted as well."""
    _granted: bytearray = field(default_factory=bytearray, init=False)
    """What the bucket has granted, and the share has not yet."""
    _held: bytearray = field(default_factory=bytearray, init=False)
    _timer: OneTimer = field(
        default_factory=lambda: OneTimer(asyncio.get_running_loop()), init=False
    )
    _closed: bool = field(default=False, init=False)

    @property
    def idle(self) -> bool:
        """Whether all that has come was handed on."""
        return not self._held and not self._granted

    def push(self, data: bytes) -> None:
        """Input has come."""
        if self._closed:
            return
        if self._held:
            self._held += data
            return
        granted = self._take(data)
        if granted < len(data):
            self._held += data[granted:]
            self.on_limit()
            self.pause()
            self._wait()
        if granted:
            self._hand_on(data[:granted])

    def rest(self, seconds: float) -> None:
        """Read on in so many seconds: many small pieces that come meanwhile are read together then."""
        if self.idle and not self._timer.running:
            self.pause()
            self._timer.after(seconds, self._resume_if_empty)

    def close(self) -> None:
        """Nothing more is handed on, and nobody is held on to."""
        self._closed = True
        self.deliver = self.pause = self.resume = self.on_limit = bool
        self._granted.clear()
        self._held.clear()
        self._timer.cancel()

    def _take(self, data: bytes | bytearray) -> int:
        """How many bytes of ``data`` are granted now."""
        granted = self.bucket.take(len(data), self.now())
        if self.lines is None:
            return granted
        ends = data.count(b"\n", 0, granted)
        allowed = self.lines.take(ends, self.now())
        if allowed == ends:
            return granted
        # All before the end of the first line that there is to be no more of.
        more = len(data[:granted].split(b"\n", allowed + 1)[-1]) + 1
        self.bucket.charge(-more)
        return granted - more

    def _wait(self) -> None:
        seconds = max(_LEAST, self.bucket.seconds_until(len(self._held), self.now()))
        if self.lines is not None:
            seconds = max(seconds, self.lines.seconds_until(1, self.now()))
        # Before the half of an arrow key that has been handed on is taken for Esc.
        self._timer.after(min(seconds, 0.4), self._again)

    def _again(self) -> None:
        granted = self._take(self._held)
        data = bytes(self._held[:granted])
        del self._held[:granted]
        if self._held:
            self._wait()
        if data:
            self._hand_on(data)
        self._resume_if_empty()

    def _resume_if_empty(self) -> None:
        if self.idle:
            self.resume()

    def _hand_on(self, data: bytes) -> None:
        share, waits = self.share, bool(self._granted)
        if share is None:
            self.deliver(data)
        elif not waits and share.takes(len(data)):
            share.run(self.deliver, data)
        else:
            self._granted += data
            while not waits and self._granted and share.ready:
                self._hand_on_piece(share)
            if not waits and self._granted:
                self.pause()
                share.wait(self._turn)

    def _hand_on_piece(self, share: Share) -> None:
        piece = bytes(self._granted[:PIECE])
        del self._granted[:PIECE]
        share.run(self.deliver, piece)

    def _turn(self) -> bool:
        """One more piece, in a turn of the network's; whether there are others."""
        if self._granted and self.share is not None:
            self._hand_on_piece(self.share)
        self._resume_if_empty()
        return bool(self._granted)
