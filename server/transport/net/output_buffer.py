"""Bytes out, with a budget: a reader that does not read pauses its own drawing, and is let go in the end."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from server.config import ServerLimits
from server.transport.access.limiter import Reason
from server.transport.net.bandwidth import BandwidthMeter

_CHECKS: Final = 4
"""How often in ``stuck_seconds`` it is looked whether anything has been read."""


class OutputBuffer:
    """The sending side of one session.

    ``pending`` tells how many bytes wait in this process, whatever layer they wait in. Above
    ``pause_bytes`` the outlet is not ``writable``, until the line says that it has drained; above
    ``unread_bytes``, or when nothing has been read for ``stuck_seconds``, the session is ended.
    """

    __slots__ = (
        "_closed",
        "_drained",
        "_end",
        "_idle_checks",
        "_least",
        "_limits",
        "_paused",
        "_paused_by",
        "_pending",
        "_speed",
        "_timer",
        "_write",
        "bytes_sent",
    )

    def __init__(
        self,
        limits: ServerLimits,
        *,
        write: Callable[[bytes], None],
        pending: Callable[[], int],
        drained: Callable[[], None],
        end: Callable[[Reason], None],
        ask: Callable[[], bool] = lambda: False,
        slow: Callable[[], None] = lambda: None,
        paused: Callable[[], None] = lambda: None,
        fast: bool = False,
    ) -> None:
        """``ask`` asks the far end for a sign once it has got so far, and tells whether it could; the line
        calls ``sign`` when that comes. ``slow`` is called at most once: the line is a thin one.
        ``paused`` is called whenever drawing pauses. ``fast``: the line has
        turned out to be a fast one.
        """
        self._limits: Final = limits
        self._write = write
        self._pending = pending
        self._drained = drained
        self._end = end
        self._paused = paused
        self._paused_by: tuple[str, ...] = ()
        self._timer: asyncio.TimerHandle | None = None
        self._least = 0
        self._idle_checks = 0
        self._closed = False
        self._speed: Final = BandwidthMeter(time.monotonic, ask, slow, fast=fast)
        self.bytes_sent = 0
        """Payload handed to the line so far."""

    @property
    def writable(self) -> bool:
        """Whether drawing makes sense now."""
        return not self._closed and not self._paused_by

    def write(self, data: bytes) -> None:
        """Send ``data`` in one piece, whether writable or not; after the end, nowhere."""
        if self._closed or not data:
            return
        try:
            self._write(data)
        except OSError:
            # The line has gone, and has not said so yet.
            self.close()
            return
        self.bytes_sent += len(data)
        waiting = self._pending()
        if waiting > self._limits.unread_bytes:
            self._give_up(Reason.UNREAD)
        else:
            self._speed.wrote(max(waiting, len(data)))

    def sign(self) -> None:
        """The far end has come to where it was asked for a sign."""
        if not self._closed:
            self._speed.sign()

    def pause(self, layer: str) -> None:
        """``layer`` of the line holds too much that has not been read."""
        if self._closed:
            return
        if not self._paused_by:
            self._paused()
        if layer not in self._paused_by:
            self._paused_by = (*self._paused_by, layer)
        if self._timer is None:
            self._least = self._pending()
            self._idle_checks = 0
            self._check_later()

    def resume(self, layer: str) -> None:
        """``layer`` has drained."""
        if layer not in self._paused_by:
            return
        self._paused_by = tuple(other for other in self._paused_by if other != layer)
        if not self._paused_by and not self._closed:
            self._stop_checking()
            self._drained()

    def close(self) -> None:
        """Nothing more is sent."""
        self._closed = True
        self._stop_checking()

    def forget(self) -> None:
        """The line is gone: close, and let go of it."""
        self.close()
        del self._write, self._pending, self._drained, self._end, self._paused
        self._speed.forget()

    def _check_later(self) -> None:
        seconds = self._limits.stuck_seconds / _CHECKS
        self._timer = asyncio.get_running_loop().call_later(seconds, self._check)

    def _stop_checking(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check(self) -> None:
        # Only what has been read counts: a slow line may take minutes for what a fast one takes at once.
        waiting = self._pending()
        self._idle_checks = 0 if waiting < self._least else self._idle_checks + 1
        self._least = min(self._least, waiting)
        if self._idle_checks >= _CHECKS:
            self._give_up(Reason.STUCK)
        else:
            self._check_later()

    def _give_up(self, reason: Reason) -> None:
        self.close()
        self._end(reason)
