"""What is to happen later on one connection, by name."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class ConnectionTimers:
    """Needs a running event loop."""

    _running: dict[str, asyncio.TimerHandle] = field(default_factory=dict, init=False)

    def __contains__(self, name: str) -> bool:
        return name in self._running

    def later(self, name: str, seconds: float, do: Callable[[], None]) -> None:
        """``do`` in so many seconds, in place of what was to happen under that name."""
        self.stop(name)
        self._running[name] = asyncio.get_running_loop().call_later(seconds, self._now, name, do)

    def stop(self, name: str) -> None:
        """It will not happen; harmless when there is nothing to stop."""
        timer = self._running.pop(name, None)
        if timer is not None:
            timer.cancel()

    def stop_all(self) -> None:
        """Nothing will."""
        for timer in self._running.values():
            timer.cancel()
        self._running.clear()

    def _now(self, name: str, do: Callable[[], None]) -> None:
        self._running.pop(name, None)
        do()
