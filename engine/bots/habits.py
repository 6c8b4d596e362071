"""Rules of thumb: a number or two that all can see say which part of the hand to bid from.

A rule splits situations never, once or twice (``SPLITS``: the lower tide is at least 5; nobody stands
higher), and aims at one part of the hand (``AIMS``) in each of the up to three cases. The cases are
independent, so that the posterior of all rules with the same splits is a product of one for each case.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.bots.policies import BASIS
from engine.bots.simulator import Bytes, Flags, Floats, Ints, Stages

Chances = npt.NDArray[np.float64]

CASES: Final = 3
_THRESHOLDS: Final = {
    "lower tide": (3, 4, 5, 6, 7),
    "higher tide": (7, 8, 9, 10, 11),
    "sum of the tides": (10, 13, 16),
    "distance of the tides": (4, 6),
    "level": (1, 4, 6, 8),
    "life preservers": (1, 2, 3),
    "rounds left": (4, 7),
    "level above the lower tide": (1, 4),
    "level above all others": (0,),
    "higher tide above all others": (0,),
    "every other round": (1,),
}
"""Features of a seat's situation, and from which values on a rule may take it for another one."""
_NOT_SPLIT: Final = (0, 127)
SPLITS: Final = np.array(
    [
        _NOT_SPLIT,
        *[(row, least) for row, some in enumerate(_THRESHOLDS.values()) for least in some],
    ],
    np.int8,
)
"""[split, 2]: a feature, and its least value in the first of two cases."""
_SHARES: Final = (0.2, 0.3, 0.5)
"""Chances that a rule splits never, once, and twice."""
TEMPER: Final = 0.7
"""Bids count only so much for a rule: who plays by a rule of thumb plays by one that is not among these."""
_UNUSED: Final = BASIS.index("beaten")
_LEAST: Final = np.float32(1e-37)


def _trees() -> tuple[Ints, Chances]:
    many = range(1, len(SPLITS))
    once = [(one, 0) for one in many]
    twice = [
        (one, two)
        for one in many
        for two in many
        if SPLITS[one, 0] != SPLITS[two, 0] or SPLITS[one, 1] > SPLITS[two, 1]
    ]
    kinds = [[(0, 0)], once, twice]
    shares = [share / len(kind) for share, kind in zip(_SHARES, kinds, strict=True) for _ in kind]
    return np.array([pair for kind in kinds for pair in kind]), np.array(shares)


def _aims() -> Floats:
    aims = [np.zeros(len(BASIS))]

    def add(name: str, places: npt.NDArray[Any], firm: int) -> None:
        # A card scores so much less with the square of its distance.
        for place in places:
            aims.append(np.zeros(len(BASIS)))
            aims[-1][BASIS.index(name)] = 2 * place * firm
            aims[-1][BASIS.index(f"{name} squared")] = -firm

    places = np.arange(13) / 12
    # Beyond the ends, so that the card next to the last one is no aim as good.
    places[[0, -1]] = -0.15, 1.15
    add("place", places, 250)
    add("place", np.arange(5) / 4, 25)
    add("beaten", np.arange(1, 10) / 10, 400)
    return np.array(aims, np.float32)


TREES, _PRIOR = _trees()
"""[tree, 2]: the splits of a rule; the second one matters where the first one does not hold."""
AIMS: Final = _aims()
"""[aim, basis]: coefficients of ``engine.bots.policies``. The first one aims at no card."""


def features(stages: Stages, offer: Bytes) -> Bytes:
    """Return [feature, players, n]: what rules look at; ``offer`` as in ``engine.bots.policies.contexts``."""
    levels = stages.levels
    ranked = np.sort(levels, axis=0)[::-1]
    others = ranked[0] - (ranked[0] - ranked[1]) * (levels == ranked[0])
    out = np.empty((len(_THRESHOLDS), *levels.shape), np.int8)
    out[0], out[1] = offer
    out[2] = offer[0] + offer[1]
    out[3] = offer[1] - offer[0]
    out[4] = levels
    out[5] = stages.life_preservers
    out[6] = stages.left
    out[7] = levels - offer[0]
    out[8] = levels - np.maximum(others, 1)
    out[9] = offer[1] - others
    out[10] = stages.left % 2
    return out


class Habits(NamedTuple):
    """The rules of some players in ``n`` guesses. Who plays by none has only 0."""

    splits: Ints
    """[2, 2, players, n]: the features and the least values of both splits."""
    aims: Floats
    """[case, basis, players, n]: the coefficients in the last case, and what those in the others are more;
    without the first basis functions, which no aim needs.
    """

    def of(self, columns: Ints) -> "Habits":
        """Return the habits in some of the guesses."""
        return Habits(self.splits[..., columns], self.aims[..., columns])

    def at(self, seats: list[int]) -> "Habits":
        """Return the habits of some of the players."""
        return Habits(self.splits[:, :, seats], self.aims[:, :, seats])

    def add(self, coefficients: Floats, feature: Bytes) -> None:
        """Add to ``coefficients`` [basis, players, m] (``engine.bots.policies``) those of the rules, for any
        number of copies of ``n`` stages; ``feature``: [feature, players, m].
        """
        players, n = self.splits.shape[2:]
        shape = players, feature[0, 0].size // n, n
        place = np.arange(feature[0].size).reshape(shape)
        first, second = [
            feature.take(row[:, None] * place.size + place) >= least[:, None]
            for row, least in self.splits
        ]
        added = coefficients.reshape(len(BASIS), *shape)[_UNUSED:]
        rest, high, low = self.aims[:, :, :, None]
        added += rest
        added += high * first
        added += low * (second & ~first)


class RulesOfThumb(NamedTuple):
    """How well the rules agree with what some players have bid."""

    logs: npt.NDArray[np.floating]
    """[player, tree, case, aim]: the log likelihood of the bids in this case, if this is its aim."""
    merit: Chances
    """[player, tree]: the log of the prior and the likelihood of all rules with these splits."""

    @property
    def evidence(self) -> Chances:
        """[player]: the log likelihood of all bids, if there is a rule."""
        best = self.merit.max(axis=1)
        return np.asarray(np.log(np.exp(self.merit - best[:, None]).sum(axis=1)) + best)

    def drawn(self, seats: Sequence[int], where: Flags, rng: np.random.Generator) -> Habits | None:
        """Rules as likely as the bids say, for those at the ``seats``, ``where`` ([seat, n]) they play by
        one; nobody else plays by any.
        """
        if not where.any():
            return None
        shape = len(seats) + 1, where.shape[1]
        splits = np.zeros((2, 2, *shape), np.intp)
        aims = np.zeros((CASES, len(BASIS) - _UNUSED, *shape), np.float32)
        for logs, merit, seat, here in zip(self.logs, self.merit, seats, where, strict=True):
            ends = np.exp(merit - merit.max()).cumsum()
            place = rng.random(np.count_nonzero(here)) * ends[-1]
            tree = np.searchsorted(ends, place, side="right").clip(max=len(ends) - 1)
            sums = np.exp(TEMPER * logs[tree].astype(np.float32)).cumsum(axis=2)
            aim = (rng.random((len(tree), CASES, 1)) * sums[..., -1:] >= sums).sum(axis=2)
            splits[:, :, seat, here] = SPLITS[TREES[tree]].transpose(1, 2, 0)
            high, low, rest = AIMS[aim.clip(max=len(AIMS) - 1), _UNUSED:].transpose(1, 2, 0)
            aims[:, :, seat, here] = rest, high - rest, low - rest
        return Habits(splits, aims)


def likelihood(feature: Bytes, logs: Floats) -> Floats:
    """Return [player, tree, case, aim]: the sum of ``logs`` [player, bid, aim] over the bids made in this
    case; ``feature``: [feature, player, bid].
    """
    told = feature[SPLITS[:, 0]] >= SPLITS[:, 1, None, None]
    first, second = told[TREES.T]
    here = np.stack([first, second & ~first, ~(first | second)], axis=1)
    return np.asarray(here.transpose(2, 0, 1, 3).astype(np.float32) @ logs[:, None])


def rules_of(logs: Floats) -> RulesOfThumb:
    """Return how well the rules agree, from the likelihood of all bids."""
    mean = np.exp(np.float32(TEMPER) * logs).mean(axis=3)
    merit = np.log(_PRIOR) + np.log(mean + _LEAST).sum(axis=2)
    return RulesOfThumb(logs, merit)


@cache
def no_rules(players: int) -> RulesOfThumb:
    """Return what is known of rules before any bid."""
    return rules_of(np.zeros((players, len(TREES), CASES, len(AIMS)), np.float32))
