"""What is to happen later on one connection, by name."""

import asyncio
from collections.abc import Callable


class ConnectionTimers(dict[str, asyncio.TimerHandle]):
    """Those that are running. Needs a running event loop."""

    __slots__ = ()

    def later(self, name: str, seconds: float, do: Callable[[], None]) -> None:
        """``do`` in so many seconds, in place of what was to happen under that name."""
        self.stop(name)
        self[name] = asyncio.get_running_loop().call_later(seconds, self._now, name, do)

    def stop(self, name: str) -> None:
        """It will not happen; harmless when there is nothing to stop."""
        if timer := self.pop(name, None):
            timer.cancel()

    def stop_all(self) -> None:
        """Nothing will."""
        for timer in self.values():
            timer.cancel()
        self.clear()

    def _now(self, name: str, do: Callable[[], None]) -> None:
        self.pop(name, None)
        do()
