"""What somebody is told on coming back who was not connected when it happened."""

from typing import Final

from server.coordinator.clock import Clock
from server.coordinator.messages import Happening

_SECONDS: Final = 3600.0
"""So long it is news."""
_MOST: Final = 1000


class Missed:
    """Why people have no seat any more, by player id."""

    def __init__(self, clock: Clock) -> None:
        self._clock: Final = clock
        self._kept: Final[dict[str, tuple[Happening, float]]] = {}
        """And until when; the oldest first."""

    def keep(self, player: str, why: Happening) -> None:
        """For when this player comes back."""
        now = self._clock.time()
        self._kept.pop(player, None)
        self._kept[player] = why, now + _SECONDS
        while len(self._kept) > _MOST or next(iter(self._kept.values()))[1] <= now:
            del self._kept[next(iter(self._kept))]

    def take(self, player: str) -> tuple[Happening, ...]:
        """What there is to tell, once."""
        why, until = self._kept.pop(player, (None, 0.0))
        return (why,) if why is not None and until > self._clock.time() else ()

    def __contains__(self, player: str) -> bool:
        return player in self._kept and self._kept[player][1] > self._clock.time()
