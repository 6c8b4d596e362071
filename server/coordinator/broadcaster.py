"""Telling many people something: once for all that changes within a moment, and to some of them at a time."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from server.coordinator.clock import Clock, OneTimer

_AT_ONCE: Final = 32
"""So many are told before others get a turn."""


class Broadcaster:
    """``tell`` tells one person after the other, and yields after each; ``delay`` says how many seconds after
    a change it begins.
    """

    def __init__(
        self,
        clock: Clock,
        name: str,
        delay: Callable[[], float],
        tell: Callable[[], Iterable[object]],
    ) -> None:
        self._timer: Final = OneTimer(clock)
        self._name: Final = name
        self._delay: Final = delay
        self._tell: Final = tell
        self._closed = False
        self._telling: asyncio.Task[None] | None = None

    def changed(self) -> None:
        """There is something to tell: soon, once for all that changes until then."""
        if not self._timer.running and not self._closed:
            self._timer.after(self._delay(), self._begin)

    def close(self) -> None:
        """Nobody is told anything any more."""
        self._closed = True
        self._timer.cancel()
        if self._telling is not None:
            self._telling.cancel()

    def _begin(self) -> None:
        if self._telling is not None and not self._telling.done():
            self._timer.after(self._delay(), self._begin)
            return
        loop = asyncio.get_running_loop()
        self._telling = loop.create_task(self._tell_all(), name=self._name)

    async def _tell_all(self) -> None:
        for number, _ in enumerate(self._tell(), 1):
            if not number % _AT_ONCE:
                await asyncio.sleep(0)
