"""Ratings: how strong a player is thought to be, and how sure that is (openskill's Plackett-Luce).

A game of many players is one ranking. Only rated games between accounts count; the store sees to it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

MU: Final = 25.0
SIGMA: Final = MU / 3
"""The rating of a player without rated games."""


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


PATIENCE: Final = 5
"""After so many games in which two have met, the next one counts half between them: n such games make it
count ``PATIENCE / (PATIENCE + n)`` ..."""
LEAST_WEIGHT: Final = 0.5
"""... but for two of different networks no less than this."""
MEMORY: Final = 30 * 24 * 60 * 60.0
"""For those, so many seconds after a game it is not counted any more."""


def weight(met: int, *, shared: bool) -> float:
    """How far a game counts between two who have met so often; ``shared`` for who share a network."""
    part = PATIENCE / (PATIENCE + met)
    return part if shared else max(LEAST_WEIGHT, part)


def rated_fairly(
    before: Sequence[Rating], places: Sequence[int], weights: Mapping[tuple[int, int], float]
) -> list[Rating]:
    """As ``rated``, but people make less of each other the more often they meet.

    ``weights`` has each pair that has met, by their places in ``before``, the smaller one first, with how far
    the game counts between them. For each player there is the rating that the game would bring without those
    who have been met, and the one that it would bring with all of them. The rating goes from the one towards
    the other as far as the game counts, on average.
    """
    everybody, after = rated(before, places), []
    for number, whole in enumerate(everybody):
        met = {a + b - number: part for (a, b), part in weights.items() if number in (a, b)}
        if not met:
            after.append(whole)
            continue
        others = [other for other in range(len(before)) if other not in met]
        base = before[number]
        if len(others) > 1:
            chosen = rated([before[one] for one in others], [places[one] for one in others])
            base = chosen[others.index(number)]
        part = sum(met.values()) / len(met)
        mu = base.mu + part * (whole.mu - base.mu)
        sigma = base.sigma + part * (whole.sigma - base.sigma)
        after.append(Rating(mu, sigma, whole.games))
    return after


def rated_where_some_left(
    before: Sequence[Rating], places: Sequence[int], weights: Mapping[tuple[int, int], float]
) -> list[Rating]:
    """Return ratings as ``rated_fairly`` does, where place 0 is that of people who left: they come last.

    Those who stayed are rated among themselves: seats that were left bring them nothing, and a game that only
    one stayed in brings that one nothing.
    """
    last = max(places) + 1  # bots have places, too
    after = rated_fairly(before, [place or last for place in places], weights)
    stayed = [number for number, place in enumerate(places) if place]
    if len(stayed) == 1:
        after[stayed[0]] = before[stayed[0]]
    elif stayed:
        at = {number: index for index, number in enumerate(stayed)}
        among = {(at[a], at[b]): part for (a, b), part in weights.items() if {a, b} <= at.keys()}
        theirs, ranks = zip(*((before[number], places[number]) for number in stayed), strict=True)
        for number, rating in zip(stayed, rated_fairly(theirs, ranks, among), strict=True):
            after[number] = rating
    return after


@lru_cache(1)
def _model() -> Any:
    # Imported late: it takes 30 ms that only a server needs to spend.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MU, sigma=SIGMA)
