"""Limits of tables, when they bite: counted, and logged at most once a second each."""

from typing import Final

import structlog

from server.coordinator.clock import Clock
from server.measures import Counters

_log = structlog.get_logger("lobby")

LIMITS: Final = (
    "tables",
    "tables_per_player",
    "tables_per_address",
    "games_per_player",
    "games_per_address",
    "spectators",
    "commands",
    "chat",
)
"""By their names in the settings; ``chat`` is how fast somebody may write."""

BY_CODE: Final = {
    "too_many_tables": "tables",
    "too_many_opened": "tables_per_player",
    "too_many_from_there": "tables_per_address",
    "too_many_games": "games_per_player",
    "too_many_games_there": "games_per_address",
    "too_many_spectators": "spectators",
    "chat_wait": "chat",
}
"""Refusals that mean that a limit has bitten."""

_LOG_SECONDS: Final = 1.0


class LimitLog:
    """Notes that a limit has bitten."""

    def __init__(self, clock: Clock, tally: Counters) -> None:
        self._clock: Final = clock
        self._tally: Final = tally
        self._logged: Final[dict[str, tuple[float, int]]] = {}

    def note(self, limit: str, player: str) -> None:
        """``player`` is the name of whom it has bitten."""
        self._tally.limits[limit] += 1
        last, unsaid = self._logged.get(limit, (-_LOG_SECONDS, 0))
        now = self._clock.time()
        if now - last >= _LOG_SECONDS:
            _log.warning("limit", limit=limit, name=player, also=unsaid)
            self._logged[limit] = (now, 0)
        else:
            self._logged[limit] = (last, unsaid + 1)
