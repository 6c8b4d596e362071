"""Conditional logit policies, and the trained ones of ``expert`` and ``master``.

The score of a card is the sum of ``weights[c, b] * context[c] * basis[b]``: a basis function of the card
times a feature of the situation, each with a weight. The chance of a card is in proportion to the
exponential of its score (McFadden's conditional logit). A policy is its matrix of weights, so that
thousands of seats with as many different policies are evaluated together. ``bench.strength.train`` writes the
trained ones to ``weights.npz``.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from engine.bots.simulator import WEATHER, Bytes, Floats, Stages

BASIS: Final = ("highest", "second", "beaten", "beaten squared", "place", "place squared")
"""Functions of a card. ``highest`` and ``second``: the chance to come first and second if every rival bids
any unseen card; ``beaten``: the share of the unseen cards that are lower; ``place``: 0 for the lowest card
of the hand to 1 for the highest."""
CONTEXT: Final = (
    "one",
    "second stands highest",
    "untouched stands highest",
    "second is out",
    "untouched is out",
    "level",
    "lower tide",
    "higher tide",
    "higher tide squared",
    "rounds left",
    "share standing higher",
    "stands lowest",
    "stands highest",
    "life preservers",
)
"""Features of a seat's situation. ``second stands highest``: the chance to stand highest after the round
with the higher tide, any rival being as likely as another to have taken the lower one; ``untouched``: with
neither tide; ``is out``: the same, if there is no life preserver left."""


def contexts(stages: Stages, offer: Bytes) -> Floats:
    """Return [contexts, players, n]: the features of every seat's situation. ``offer``: [2, n], lower
    first.
    """
    levels = stages.levels
    players, n = levels.shape
    alive = levels >= 0
    rivals = np.maximum(alive.sum(axis=0) - 1, 1).astype(np.float32)
    ranked = np.sort(levels, axis=0)[::-1]
    # The three highest levels of the others: the ranking without one instance of the own level.
    # Sums with flags are many times faster than ``np.where``.
    top = ranked[0] - (ranked[0] - ranked[1]) * (levels == ranked[0])
    next_ = ranked[1] - (ranked[1] - ranked[2]) * (levels >= ranked[1])
    fourth = ranked[3] if players > 3 else np.int8(-1)
    third = ranked[2] - (ranked[2] - fourth) * (levels >= ranked[2])
    higher = offer[1]
    out = np.empty((len(CONTEXT), players, n), np.float32)
    out[0] = 1
    out[1] = np.maximum(higher >= top, (higher >= next_) / rivals)
    two = np.minimum(2 / rivals, 1)
    pairs = two / np.maximum(rivals - 1, 1)
    highest = np.maximum(levels >= top, (levels >= next_) * two)
    out[2] = (levels >= np.maximum(higher, 1)) * np.maximum(highest, (levels >= third) * pairs)
    broke = stages.life_preservers == 0
    out[3] = out[1] * broke
    out[4] = out[2] * broke
    scale = 1 / stages.rules.highest_tide
    out[5] = levels * np.float32(scale)
    out[6] = offer[0] * np.float32(scale)
    out[7] = higher * np.float32(scale)
    out[8] = out[7] * out[7]
    out[9] = stages.left / stages.rules.hand_size
    above = np.zeros((players, n), np.int8)
    for level in levels:
        above += level > levels
    out[10] = above / rivals
    out[11] = levels <= np.where(alive, levels, np.int8(127)).min(axis=0)
    out[12] = (levels == ranked[0]) & (levels > 0)
    out[13] = stages.life_preservers * np.float32(1 / 6)
    return out


def bases(stages: Stages) -> Floats:
    """Return [basis, cards left, players, n]: the basis functions of every card in every hand."""
    below, left, alive = stages.below, stages.left, stages.alive
    unseen = WEATHER - (stages.rules.hand_size - left) * stages.rules.players - left
    out = np.empty((len(BASIS), *below.shape), np.float32)
    slots = np.arange(left, dtype=np.float32)[:, None, None]
    np.subtract(below, slots, out=out[2])
    out[2] *= np.float32(1) / np.float32(max(unseen, 1))
    beaten = out[2]
    np.multiply(beaten, beaten, out=out[3])
    rivals = alive.sum(axis=0) - 1
    power = beaten
    for more in range(3, len(alive)):
        counted = (rivals >= more).astype(np.float32)
        power = power * (beaten * counted + (1 - counted))
    np.multiply(power, beaten, out=out[0])
    np.subtract(power, out[0], out=out[1])
    out[1] *= rivals.astype(np.float32)
    place = slots / np.float32(max(left - 1, 1))
    out[4] = place
    out[5] = place * place
    return out


def scores(basis: Floats, coefficients: Floats) -> Floats:
    """Return [cards left, players, n]: the scores of all cards. ``coefficients``: [basis, players, n]."""
    total: Floats = basis[0] * coefficients[0]
    for function, coefficient in zip(basis[1:], coefficients[1:], strict=True):
        total += function * coefficient
    return total


def coefficients(weights: Floats, context: Floats) -> Floats:
    """Return [basis, players, n]. ``weights``: [contexts, basis, players, n] (or anything that broadcasts to
    it).
    """
    total: Floats = weights[0] * context[0]
    for weight, feature in zip(weights[1:], context[1:], strict=True):
        total += weight * feature
    return total


def ranks(stages: Stages, score: Floats, seat: int) -> tuple[Floats, Floats]:
    """Return [cards left, n] each: the chances of every card of ``seat`` to be the highest bid, and the
    second highest, if the rivals hold what ``stages`` says and bid by ``score`` ([cards left, players, n]).
    """
    rivals = [rival for rival in range(len(stages.levels)) if rival != seat]
    own = stages.hands[:, seat]
    chance = chances(score[:, rivals])
    hands = stages.hands[:, rivals]
    # By card and rival: the chance that the rival bids below.
    below = np.zeros((stages.left, len(rivals), own.shape[1]), np.float32)
    for slot in range(stages.left):
        below += chance[slot] * (hands[slot] < own[:, None])
    alive = stages.alive[rivals]
    below *= alive
    below += ~alive
    first, second = below[:, 0], 1 - below[:, 0]
    for rival in range(1, len(rivals)):
        second = second * below[:, rival] + first * (1 - below[:, rival])
        first = first * below[:, rival]
    return first, second


def informed(
    stages: Stages, context: Floats, basis: Floats, score: Floats, seat: int, policy: Floats
) -> Floats:
    """Return [cards left, n]: the scores of the cards of ``seat`` by ``policy`` ([contexts, basis]), if it
    knows the rivals' hands and that they bid by ``score``, so that its ``highest`` and ``second`` are exact.
    """
    own = basis[:, :, seat].copy()
    own[0], own[1] = ranks(stages, score, seat)
    return scores(own, coefficients(policy[:, :, None], context[:, seat]))


def chances(score: Floats) -> Floats:
    """Return the chance of each card (first axis) by the scores of a hand."""
    power: Floats = np.exp(score - score.max(axis=0))
    power /= power.sum(axis=0)
    return power


def ways(chance: Floats) -> list[float]:
    """Return the chance of every way in which rivals can bid, with the last one's card changing first;
    ``chance``: [cards left, rivals, n], of which the mean is taken.
    """
    found = np.ones((1, chance.shape[2]), np.float32)
    for rival in range(chance.shape[1]):
        found = (found[:, None] * chance[None, :, rival]).reshape(-1, chance.shape[2])
    return [float(each) for each in found.mean(axis=1)]


def noise(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    """Gumbel noise: the card with the highest score plus noise is one drawn by the policy's chances."""
    drawn = rng.standard_exponential(shape, np.float32)
    return -np.log(np.maximum(drawn, np.float32(1e-9)))


PATH: Final = Path(__file__).with_name("weights.npz")
_THUMB: Final = 0.3
_MOST: Final = 5
"""Players for whom there are weights of their own; more use these."""


@dataclass(frozen=True, eq=False)
class Policies:
    """Trained policies, each of shape [contexts, basis]. Two are equal only if they are the same object."""

    types: Floats
    """[type, contexts, basis]: how others may play."""
    prior: Floats
    """[type]: how likely each is before anything was seen; the sum is 1."""
    informed: Floats
    """How to bid for one who knows the rivals' hands and types: its ``highest`` and ``second`` are
    exact.
    """
    typical: Floats
    """The policy nearest to the mixture of the types."""
    thumb: float = 0.0
    """How likely a rival, before anything was seen, is of no type, but plays by a rule of thumb
    (``engine.bots.habits``).
    """


@cache
def policies(players: int) -> Policies:
    """Return the policies for so many players, at least three."""
    number = min(players, _MOST)
    with np.load(PATH, allow_pickle=False) as arrays:
        types, prior, informed, typical = [
            arrays[f"{name}{number}"].astype(np.float32)
            for name in ("types", "prior", "informed", "typical")
        ]
    return Policies(types, prior, informed, typical, _THUMB)
