"""How much is written to a connection for what it asks: nothing is dropped, the next answer waits."""

from collections.abc import Callable
from typing import Final

from server.rate_limiter import TokenBucket
from server.terminal.timers import EventLoopTimers, TimerHandle

FOR_EACH: Final = 100
"""Bytes of answers that a connection may have for each byte that it sends ..."""
AT_ONCE: Final = 24_576
"""... beyond so many, after a quiet time ..."""
A_SECOND: Final = 2_400
"""... and so many a second: within ten seconds that is less than 64 KB, with a screenful to spare."""


class Budget:
    """Of one connection, whatever runs on it. Frontends charge it with what they write because of what came
    in; once it is spent they answer nothing more for a while, and are called back. What a table has to tell
    by itself is neither charged nor kept back.
    """

    __slots__ = ("_bucket", "_timer", "_timers", "_waiting")

    def __init__(self, timers: EventLoopTimers | None = None) -> None:
        """Without ``timers`` there is no limit, as for whoever plays in a terminal of this machine."""
        self._timers: Final = timers
        self._bucket: Final = TokenBucket(
            AT_ONCE, A_SECOND, 0.0 if timers is None else timers.time()
        )
        self._waiting: list[Callable[[], object]] = []
        self._timer: TimerHandle | None = None

    @property
    def spent(self) -> bool:
        """Nothing more is to be answered for now."""
        return self._timers is not None and self._bucket.left(self._timers.time()) <= 0

    def heard(self, size: int) -> None:
        """So many bytes have come in."""
        self._bucket.charge(-size * FOR_EACH)

    def charge(self, text: str) -> None:
        """This has been written because of what came in."""
        size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
        self._bucket.charge(size)

    def wait(self, callback: Callable[[], object]) -> None:
        """Call back once when there is something left again."""
        if callback not in self._waiting:
            self._waiting.append(callback)
        if self._timer is None:
            self._look_later()

    def forget(self) -> None:
        """The connection is gone: call nobody back."""
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look_later(self) -> None:
        assert self._timers is not None
        seconds = self._bucket.seconds_until(1, self._timers.time())
        self._timer = self._timers.call_later(seconds, self._look)

    def _look(self) -> None:
        self._timer = None
        if self.spent:
            self._look_later()
            return
        waiting, self._waiting = self._waiting, []
        for callback in waiting:
            callback()
