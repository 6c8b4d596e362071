"""Figures that are counted as things happen, cheaply: no locks, no library, one thread."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Bounds in seconds, for what should be over before anybody notices."""
GROUPS: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)
"""Bounds of how many came together."""


class Distribution:
    """How often values up to each bound were seen: 0.3 microseconds a value."""

    def __init__(self, bounds: Sequence[float] = QUICK) -> None:
        self._bounds: Final = tuple(bounds)
        self._counts: Final = [0] * (len(bounds) + 1)
        self.total = 0.0
        """Of all values."""

    def add(self, value: float) -> None:
        """A value was seen."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    @property
    def count(self) -> int:
        """How many values were seen."""
        return sum(self._counts)

    def buckets(self) -> list[tuple[str, float]]:
        """Each bound, and how many values were no greater; the last one is ``+Inf``."""
        bounds = (*map(repr, self._bounds), "+Inf")
        return list(zip(bounds, map(float, accumulate(self._counts)), strict=True))


@dataclass(slots=True)
class Counters:
    """What has happened at all tables since the start."""

    games_begun: int = 0
    games_over: int = 0
    bids: int = 0
    """Of players and bots, replaced ones too."""
    thinking: Distribution = field(default_factory=Distribution)
    """Seconds until a thinking bot had chosen."""
    fallbacks: int = 0
    """Bids that another bot made in its place."""
    taken_over: int = 0
    """Tables that had another owner before ..."""
    handed_over: int = 0
    """... and that have another one since."""
    leases_lost: int = 0
    """How often others had all tables of this server, or they were given up."""
    limits: Counter[str] = field(default_factory=Counter)
    """How often each limit of tables has bitten, by its name in the settings."""
