"""What comes in encrypted is rationed before it is taken apart: of new keys and the like no text ever comes,
so that nothing further in would notice how many there are.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from typing_extensions import override

from server.config import ServerLimits
from server.rate_limiter import TokenBucket
from server.transport.access.cpu_shares import Share
from server.transport.net.input_throttle import InputThrottle
from server.transport.net.sockets import let_go


class TlsLimits(asyncio.Protocol):
    """Between a line and ``inner``, which takes the encryption off."""

    def __init__(
        self,
        line: asyncio.Transport,
        inner: asyncio.BufferedProtocol,
        limits: ServerLimits,
        now: Callable[[], float],
        on_limit: Callable[[], object],
        share: Share,
    ) -> None:
        """``on_limit`` is called when something has come too fast; ``now`` is a clock in seconds."""
        self._line: Final = line
        self._inner: Final = inner
        self._throttle: Final = InputThrottle(
            TokenBucket(limits.wire_bytes, limits.wire_bytes_per_second, now()),
            now,
            deliver=self._take_apart,
            pause=line.pause_reading,
            resume=self._resume,
            on_limit=on_limit,
            share=share,
        )

    @override
    def data_received(self, data: bytes) -> None:
        self._throttle.push(data)

    @override
    def eof_received(self) -> bool | None:
        return self._inner.eof_received()

    @override
    def pause_writing(self) -> None:
        self._inner.pause_writing()

    @override
    def resume_writing(self) -> None:
        self._inner.resume_writing()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._throttle.close()
        self._inner.connection_lost(exc)
        let_go(self._line)

    def _take_apart(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest and not self._line.is_closing():
            room = memoryview(self._inner.get_buffer(len(rest)))
            some = min(len(room), len(rest))
            room[:some] = rest[:some]
            self._inner.buffer_updated(some)
            rest = rest[some:]

    def _resume(self) -> None:
        if not self._line.is_closing():
            self._line.resume_reading()
