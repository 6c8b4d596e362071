"""How much is written to a connection for what it asks: nothing is dropped, the next answer waits."""

from collections.abc import Callable
from math import inf
from typing import Final

from server.rate_limiter import TokenBucket
from server.timers import LOOP_TIMERS, OneTimer, Timers

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

    def __init__(self, timers: Timers | None = None) -> None:
        """Without ``timers`` there is no limit, as for whoever plays in a terminal of this machine."""
        self._timers: Final = timers or LOOP_TIMERS
        at_once = inf if timers is None else AT_ONCE
        self._bucket: Final = TokenBucket(at_once, A_SECOND, self._timers.time())
        self._waiting: list[Callable[[], object]] = []
        self._look_later: Final = OneTimer(self._timers)

    @property
    def spent(self) -> bool:
        """Nothing more is to be answered for now."""
        return self._bucket.left(self._timers.time()) <= 0

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
        if not self._look_later.running:
            self._wait()

    def forget(self) -> None:
        """The connection is gone: call nobody back."""
        self._waiting.clear()
        self._look_later.cancel()

    def _wait(self) -> None:
        self._look_later.after(self._bucket.seconds_until(1, self._timers.time()), self._look)

    def _look(self) -> None:
        if self.spent:
            self._wait()
            return
        waiting, self._waiting = self._waiting, []
        for callback in waiting:
            callback()
