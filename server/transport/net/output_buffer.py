"""Bytes out, with a budget: a reader that does not read pauses its own drawing, and is let go in the end."""

import asyncio
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Final

from server.config import ServerLimits
from server.transport.access.limiter import Reason
from server.transport.net.bandwidth import BandwidthMeter

_CHECKS: Final = 4
"""How often in ``stuck_seconds`` it is looked whether anything has been read."""


@dataclass(slots=True, eq=False)
class OutputBuffer:
    """The sending side of one session.

    ``send`` hands bytes to the line; ``pending`` tells how many wait in this process, in whatever layer.
    With more than ``pause_bytes`` the buffer is not ``writable``, until the line says that it has
    drained; with more than ``unread_bytes``, or when nothing has been read for ``stuck_seconds``, the
    session is ended.
    """

    limits: ServerLimits
    _: KW_ONLY
    send: Callable[[bytes], object]
    pending: Callable[[], int]
    drained: Callable[[], object]
    end: Callable[[Reason], object]
    paused: Callable[[], object]
    """Called whenever drawing pauses."""
    meter: BandwidthMeter
    """When it asks for a sign, the line calls ``sign`` as soon as that comes."""
    bytes_sent: int = field(default=0, init=False)
    """Payload handed to the line so far."""
    _paused_by: frozenset[str] = field(default=frozenset(), init=False)
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)
    _least: int = field(default=0, init=False)
    _idle_checks: int = field(default=0, init=False)
    _closed: bool = field(default=False, init=False)

    @property
    def writable(self) -> bool:
        """Whether drawing makes sense now."""
        return not self._closed and not self._paused_by

    def write(self, data: bytes) -> None:
        """Send ``data`` in one piece, whether writable or not; after the end, nowhere."""
        if self._closed or not data:
            return
        try:
            self.send(data)
        except OSError:
            # The line has gone, and has not said so yet.
            self.close()
            return
        self.bytes_sent += len(data)
        waiting = self.pending()
        if waiting > self.limits.unread_bytes:
            self._give_up(Reason.UNREAD)
        else:
            self.meter.wrote(max(waiting, len(data)))

    def sign(self) -> None:
        """The far end has come to where it was asked for a sign."""
        if not self._closed:
            self.meter.sign()

    def pause(self, layer: str) -> None:
        """``layer`` of the line holds too much that has not been read."""
        if self._closed:
            return
        if not self._paused_by:
            self.paused()
        self._paused_by |= {layer}
        if self._timer is None:
            self._least = self.pending()
            self._idle_checks = 0
            self._check_later()

    def resume(self, layer: str) -> None:
        """``layer`` has drained."""
        if layer not in self._paused_by:
            return
        self._paused_by -= {layer}
        if not self._paused_by and not self._closed:
            self._stop_checking()
            self.drained()

    def close(self) -> None:
        """Nothing more is sent."""
        self._closed = True
        self._stop_checking()

    def forget(self) -> None:
        """The line is gone: close, and let go of it."""
        self.close()
        del self.send, self.pending, self.drained, self.end, self.paused
        self.meter.forget()

    def _check_later(self) -> None:
        seconds = self.limits.stuck_seconds / _CHECKS
        self._timer = asyncio.get_running_loop().call_later(seconds, self._check)

    def _stop_checking(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check(self) -> None:
        # Only what has been read counts: a slow line may take minutes for what a fast one takes at once.
        waiting = self.pending()
        self._idle_checks = 0 if waiting < self._least else self._idle_checks + 1
        self._least = min(self._least, waiting)
        if self._idle_checks >= _CHECKS:
            self._give_up(Reason.STUCK)
        else:
            self._check_later()

    def _give_up(self, reason: Reason) -> None:
        self.close()
        self.end(reason)
