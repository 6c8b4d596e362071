"""How much is written to a connection for what it asks: nothing is dropped, the next answer waits."""

from collections.abc import Callable
from typing import Final

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

    def __init__(self, timers: EventLoopTimers | None = None) -> None:
        """Without ``timers`` there is no limit, as for whoever plays in a terminal of this machine."""
        self._timers: Final = timers
        self._left: float = AT_ONCE
        self._at = 0.0 if timers is None else timers.time()
        self._waiting: list[Callable[[], object]] = []
        self._timer: TimerHandle | None = None

    @property
    def spent(self) -> bool:
        """Nothing more is to be answered for now."""
        if self._timers is None:
            return False
        now = self._timers.time()
        self._left = min(AT_ONCE, self._left + (now - self._at) * A_SECOND)
        self._at = now
        return self._left <= 0

    def heard(self, size: int) -> None:
        """So many bytes have come in."""
        # In debt or not; what has been earned by waiting is added when somebody looks.
        self._left = min(AT_ONCE, self._left + size * FOR_EACH)

    def charge(self, text: str) -> None:
        """This has been written because of what came in."""
        self._left -= len(text) if text.isascii() else len(text.encode("utf-8", "replace"))

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
        missing = max(0.0, -self._left) + 1
        self._timer = self._timers.call_later(missing / A_SECOND, self._look)

    def _look(self) -> None:
        self._timer = None
        if self.spent:
            self._look_later()
            return
        waiting, self._waiting = self._waiting, []
        for callback in waiting:
            callback()
