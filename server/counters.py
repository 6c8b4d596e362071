"""Counters and histograms, cheap: no locks, no library, one thread."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from itertools import accumulate
from typing import Final

QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Bounds in seconds, for what should be over before anybody notices."""
GROUPS: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0)
"""Bounds of how many came together."""


class Histogram:
    """How often values up to each bound were seen: 0.3 microseconds a value."""

    def __init__(self, bounds: Sequence[float] = QUICK) -> None:
        self._bounds: Final = tuple(bounds)
        self._counts: Final = [0] * (len(bounds) + 1)
        self.total = 0.0
        """Sum of all values."""

    def add(self, value: float) -> None:
        """A value was seen."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    @property
    def count(self) -> int:
        """Number of values seen."""
        return sum(self._counts)

    def buckets(self) -> list[tuple[str, float]]:
        """Each bound, and how many values were no greater; the last one is ``+Inf``."""
        bounds = (*map(repr, self._bounds), "+Inf")
        return list(zip(bounds, map(float, accumulate(self._counts)), strict=True))


@dataclass(slots=True)
class Counters:
    """What has happened at all tables since the start. Fields with a name and a text are metrics."""

    games_begun: int = field(default=0, metadata={"tide_games_begun": "Games begun."})
    games_over: int = field(default=0, metadata={"tide_games_over": "Games that are over."})
    bids: int = field(default=0, metadata={"tide_bids": "Bids, of people and bots."})
    """Replaced ones too."""
    thinking_seconds: Histogram = field(
        default_factory=Histogram,
        metadata={"tide_thinking_seconds": "Until a thinking bot had chosen."},
    )
    thinking_fallbacks: int = field(
        default=0,
        metadata={"tide_thinking_fallbacks": "Bids of another bot in place of one that thinks."},
    )
    limits: Counter[str] = field(default_factory=Counter)
    """How often each limit of tables has bitten, by its name in the settings."""

    def metrics(self) -> Iterator[tuple[str, str, "int | Histogram"]]:
        """What each is called, what it is, and how it stands."""
        for each in fields(self):
            for name, text in each.metadata.items():
                yield name, text, getattr(self, each.name)
