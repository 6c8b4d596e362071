"""Ratings: how strong a player is thought to be, and how sure that is (openskill's Plackett-Luce).

A game of many players is one ranking. Only rated games between accounts count; the store sees to it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

MU: Final = 25.0
SIGMA: Final = MU / 3
"""Of somebody who has not played a rated game yet."""


class Rating(NamedTuple):
    """What is known of a player's strength."""

    mu: float = MU
    """The estimate."""
    sigma: float = SIGMA
    """Its standard deviation."""
    games: int = 0
    """Rated games played."""

    @property
    def shown(self) -> int:
        """For people: a strength that the player almost certainly has, from 0 (at first) upwards."""
        return max(0, round(100 * (self.mu - 3 * self.sigma)))


def rated(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The players' ratings after a game that they finished in ``places`` (equal ones shared)."""
    model = _model()
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [
        Rating(team[0].mu, team[0].sigma, rating.games + 1)
        for team, rating in zip(after, before, strict=True)
    ]


@lru_cache(1)
def _model() -> Any:
    # Imported late: it takes 30 ms that only a server needs to spend.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MU, sigma=SIGMA)
