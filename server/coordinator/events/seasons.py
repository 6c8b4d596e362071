"""The seasons on a server: shown to everybody, and kept when a month is over."""

import asyncio
from datetime import UTC, datetime
from typing import Final

import structlog

from server.coordinator.time_source import Clock
from server.storage.leaderboard import SeasonStore, SeasonTable
from server.storage.store import StoreError

_log = structlog.get_logger("events")

FRESH: Final = 60.0
"""For so many seconds everybody is shown the same table of a month."""
_HOUR: Final = 3600.0


class Seasons:
    """``keep`` runs for as long as the server does."""

    def __init__(self, store: SeasonStore, clock: Clock) -> None:
        self._store: Final = store
        self._clock: Final = clock
        self._reading: Final = asyncio.Lock()
        self._known: dict[tuple[str, int], tuple[float, SeasonTable]] = {}
        """By the month that it was, and how many months before; and when they were read."""

    async def page(self, before: int = 0) -> SeasonTable:
        """This month's leaderboard, or that of so many months ``before``. Raises ``StoreError``."""
        async with self._reading:
            now = self._clock.time()
            fresh = {key: it for key, it in self._known.items() if now < it[0] + FRESH}
            key = f"{datetime.fromtimestamp(now, UTC):%Y-%m}", before
            if key not in fresh:
                fresh[key] = now, await self._store.season(now, before)
            self._known = fresh
            return fresh[key][1]

    async def keep(self) -> None:
        """Keep the table of each month that is over: at the start, then every hour."""
        while True:
            try:
                for month in await self._store.close(self._clock.time()):
                    _log.info("season_closed", month=month)
            except StoreError as error:
                _log.error("season_not_closed", code=error.code)
            await self._clock.sleep_until(self._clock.time() + _HOUR)
