"""What comes in faster than it may is read later: nothing is lost, and nobody else has to wait for it."""

import asyncio
from collections.abc import Callable
from typing import Final

from server.transport.access.limiter import RateLimiter

_LEAST: Final = 0.05
"""Seconds between two helpings, so that a flood costs few of them."""


def _nowhere(_data: bytes) -> None:
    return


def _nothing() -> None:
    return


class InputThrottle:
    """Hands input on as fast as its bucket allows. While it holds some back, ``pause`` keeps the line from
    being read, so that at most one read's worth is ever held.
    """

    __slots__ = (
        "_bitten",
        "_bucket",
        "_closed",
        "_deliver",
        "_held",
        "_now",
        "_pause",
        "_resume",
        "_timer",
    )

    def __init__(
        self,
        bucket: RateLimiter,
        now: Callable[[], float],
        *,
        deliver: Callable[[bytes], None],
        pause: Callable[[], None],
        resume: Callable[[], None],
        bitten: Callable[[], None],
    ) -> None:
        self._bucket: Final = bucket
        self._now: Final = now
        self._deliver = deliver
        self._pause = pause
        self._resume = resume
        self._bitten = bitten
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
            self._bitten()
            self._pause()
            self._wait()
        if granted:
            self._deliver(data[:granted])

    def close(self) -> None:
        """Nothing more is handed on, and nobody is held on to."""
        self._closed = True
        self._deliver = _nowhere
        self._pause = self._resume = self._bitten = _nothing
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
            self._deliver(data)
        if not self._held and not self._closed:
            self._resume()
