"""How long this node may speak for its tables."""

import asyncio
from collections.abc import Callable
from typing import Final

from typing_extensions import override

from server.coordinator.table.ports import Authority
from server.coordinator.time_source import since_boot

SECONDS: Final = 3.0
"""For which a lease holds in the database."""
MARGIN: Final = 0.5
"""By so much less than in the database it holds here, where the clock may run otherwise."""
RENEWED_EVERY: Final = 1.0


class NodeLease(Authority):
    """The lease of this node, by its own clock."""

    def __init__(self, now: Callable[[], float] = since_boot) -> None:
        self.now: Final = now
        self._until = 0.0
        self._renewed: Final = asyncio.Event()

    @property
    @override
    def valid(self) -> bool:
        return self.now() < self._until

    def renewed(self, asked: float) -> None:
        """It was renewed, as was asked for at that time."""
        self._until = asked + SECONDS - MARGIN
        self._renewed.set()

    def over(self) -> None:
        """It is somebody else's, or given up."""
        self._until = 0.0

    @override
    async def hold(self) -> None:
        while not self.valid:
            self._renewed.clear()
            await self._renewed.wait()
