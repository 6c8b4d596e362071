"""What comes in faster than it may is read later: nothing is lost, and nobody else has to wait for it."""

import asyncio
from collections.abc import Callable
from typing import Final

from server.rate_limiter import TokenBucket
from server.transport.access.cpu_shares import PIECE, Share

_LEAST: Final = 0.05
"""Seconds between two helpings, so that a flood costs few of them."""


def _nowhere(_data: bytes) -> None:
    return


def _nothing() -> None:
    return


class InputThrottle:
    """Hands input on as fast as its bucket allows, and the processor time that its sender's network has left,
    if that is shared out. While it holds some back, ``pause`` keeps the line from being read, so that at most
    one read's worth is ever held.
    """

    __slots__ = (
        "_bucket",
        "_closed",
        "_deliver",
        "_granted",
        "_held",
        "_now",
        "_on_limit",
        "_pause",
        "_resume",
        "_timer",
        "share",
    )

    def __init__(
        self,
        bucket: TokenBucket,
        now: Callable[[], float],
        *,
        deliver: Callable[[bytes], None],
        pause: Callable[[], None],
        resume: Callable[[], None],
        on_limit: Callable[[], object],
        share: Share | None = None,
    ) -> None:
        self._bucket: Final = bucket
        self._now: Final = now
        self._deliver = deliver
        self._pause = pause
        self._resume = resume
        self._on_limit = on_limit
        self.share = share
        """May be replaced."""
        self._granted = bytearray()
        """What the bucket has granted, and the share has not yet."""
        self._held = bytearray()
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def push(self, data: bytes) -> None:
        """Input has come."""
        if self._closed:
            return
        if self._held:
            self._held += data
            return
        granted = self._bucket.take(len(data), self._now())
        if granted < len(data):
            self._held += data[granted:]
            self._on_limit()
            self._pause()
            self._wait()
        if granted:
            self._hand_on(data[:granted])

    def charge(self, amount: int) -> None:
        """What was handed on costs more than its bytes: what comes next waits for longer."""
        self._bucket.charge(amount)

    def close(self) -> None:
        """Nothing more is handed on, and nobody is held on to."""
        self._closed = True
        self._deliver = _nowhere
        self._pause = self._resume = self._on_limit = _nothing
        self._granted.clear()
        self._held.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        seconds = max(_LEAST, self._bucket.seconds_until(len(self._held), self._now()))
        self._timer = asyncio.get_running_loop().call_later(min(seconds, 1.0), self._again)

    def _again(self) -> None:
        self._timer = None
        granted = self._bucket.take(len(self._held), self._now())
        data = bytes(self._held[:granted])
        del self._held[:granted]
        if self._held:
            self._wait()
        if data:
            self._hand_on(data)
        if not self._held and not self._granted and not self._closed:
            self._resume()

    def _hand_on(self, data: bytes) -> None:
        share = self.share
        if share is None:
            self._deliver(data)
            return
        if not self._granted and len(data) <= PIECE and share.ready:
            share.run(self._deliver, data)  # the same as below, and quicker
            return
        waits = bool(self._granted)
        self._granted += data
        if waits:
            return
        while self._granted and share.ready:
            self._hand_on_piece(share)
        if self._granted:
            self._pause()
            share.wait(self._turn)

    def _hand_on_piece(self, share: Share) -> None:
        piece = bytes(self._granted[:PIECE])
        del self._granted[:PIECE]
        share.run(self._deliver, piece)

    def _turn(self) -> bool:
        """One more piece, in a turn of the network's; whether there are others."""
        if self._granted and self.share is not None:
            self._hand_on_piece(self.share)
        if self._granted:
            return True
        if not self._held and not self._closed:
            self._resume()
        return False
