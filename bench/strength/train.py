"""Where the weights of ``expert`` and ``master`` come from: `python -m bench.strength.train [PLAYERS ...]`.

For each number of players (3, 4 and 5; six use the weights of five):

1. Types of opponents. Half of the prior is bred: each generation is the best response to a mixture of all
   that were there before, starting with a policy that bids any card. Some respond only to the next loss,
   and count no further. The other half are policies that aim at a place in the hand or at a share of the
   unseen cards, which depends on a few features of the situation drawn at random.
2. The policy of ``expert``, and of ``master`` in its rollouts: the best response to all types by a player
   who knows their hands and their policies.
3. The typical policy: one logit policy that bids as much as possible like the mixture of all types.
4. More types, which the weaker bots of the house are likeliest to be: the policies that fit
   best what they bid in games among themselves.

Best responses come from policy gradients (Williams, "Simple statistical gradient-following algorithms",
1992) with a linear baseline, an entropy bonus and Adam steps. Every draw comes from ``SEED``: the same numpy
gives the same weights. On one core it takes about fifteen minutes.
"""

import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from bench.strength.imitate import imitation as imitation_of_games
from bench.strength.imitate import played
from bench.strength.matches import Player
from engine.bots import bot
from engine.bots.expert import bid
from engine.bots.policies import (
    BASIS,
    CONTEXT,
    PATH,
    Policies,
    bases,
    chances,
    coefficients,
    contexts,
    noise,
    ranks,
    scores,
)
from engine.bots.simulator import WEATHER, Bytes, Floats, Stages, play, start
from engine.editions import WEATHER_CARDS, Rules, half_preservers
from engine.state import GameState
from engine.views import History, SeatView

SEED: Final = 2025
GENERATIONS: Final = 8
RANDOM_TYPES: Final = 96
HOUSE_GAMES: Final = 100
HOUSE_PRIOR: Final = 0.25
"""How likely a rival is one of the weaker bots, before anything was seen."""
_SHAPE: Final = (len(CONTEXT), len(BASIS))
_HALVES: Final = np.array([0, *map(half_preservers, WEATHER_CARDS)])
_PLAYERS: Final = (3, 4, 5)

Chances = npt.NDArray[np.float64]


class Decision(NamedTuple):
    """The bids of one seat in one round of ``n`` stages."""

    context: Floats
    """[contexts, n]."""
    basis: Floats
    """[basis, cards left, n]."""
    score: Floats
    """[cards left, n]."""
    slots: npt.NDArray[np.intp]
    """[n]: what was bid."""
    acting: npt.NDArray[np.bool_]
    """[n]: whether the seat is still in, and the stage still runs."""
    life_preservers: Bytes
    """[n], before the round."""


class Learning(NamedTuple):
    """How a best response is looked for."""

    steps: int
    stages: int = 2000
    """Stages played for each step."""
    rate: float = 0.05
    """Step of Adam; falls linearly in the second half."""
    entropy: float = 0.003
    """What a nat of entropy of the bids is worth, in points."""
    myopic: bool = False
    """Counts only what the round itself costs."""
    informed: bool = False
    """Knows the rivals' hands and policies."""


def deal(rules: Rules, n: int, rng: np.random.Generator) -> tuple[Stages, Bytes]:
    """``n`` stages before their first round, and [rounds, 2, n] tides."""
    players, size, highest = rules.players, rules.hand_size, rules.highest_tide
    order = rng.random((n, WEATHER), np.float32).argsort(axis=1)[:, : players * size] + 1
    hands = np.sort(order.reshape(n, players, size), axis=2).transpose(2, 1, 0)
    deck = np.repeat(np.arange(1, highest + 1, dtype=np.int8), 2)
    tides = deck[rng.random((n, 2 * highest), np.float32).argsort(axis=1)]
    pairs = np.sort(tides.reshape(n, highest, 2), axis=2).transpose(1, 2, 0)
    return start(rules, hands, _HALVES[hands].sum(axis=0) // 2), pairs


def best_response(
    rules: Rules,
    types: Floats,
    prior: Chances,
    first: Floats,
    how: Learning,
    rng: np.random.Generator,
) -> tuple[Floats, float]:
    """Return a policy that plays well against rivals drawn from ``types`` ([type, contexts, basis]) by
    ``prior``, found from the policy ``first``; and its mean points in the last steps.
    """
    own = first.astype(np.float64)
    adam = _Adam(how.rate, how.steps)
    shown: list[float] = []
    for _ in range(how.steps):
        drawn = rng.choice(len(types), size=(rules.players - 1, how.stages), p=prior)
        weights = np.empty((*_SHAPE, rules.players, how.stages), np.float32)
        weights[:, :, 0] = own[:, :, None]
        weights[:, :, 1:] = types[drawn].transpose(2, 3, 0, 1)
        points, decisions = _stages(rules, weights, how, rng)
        shown.append(float(points[0].mean()))
        gradient = _gradient(points[0].astype(np.float32), decisions, how)
        own += adam.step(gradient / how.stages)
    return own.astype(np.float32), float(np.mean(shown[-30:]))


def _stages(
    rules: Rules, weights: Floats, how: Learning, rng: np.random.Generator
) -> tuple[Bytes, list[Decision]]:
    """Return the points of stages between policies [contexts, basis, players, n], and what seat 0 decided."""
    stages, tides = deal(rules, how.stages, rng)
    decisions = []
    for offer in tides[: rules.hand_size]:
        context, basis = contexts(stages, offer), bases(stages)
        coefficient = coefficients(weights, context)
        score = scores(basis, coefficient)
        if how.informed:
            basis[0, :, 0], basis[1, :, 0] = ranks(stages, score, 0)
            score[:, 0] = scores(basis[:, :, 0], coefficient[:, 0])
        slots = (score + noise(rng, score.shape)).argmax(axis=0)
        decisions.append(
            Decision(
                context[:, 0],
                basis[:, :, 0],
                score[:, 0],
                slots[0],
                stages.alive[0] & stages.running,
                stages.life_preservers[0],
            )
        )
        stages = play(stages, offer, slots)
        if not stages.running.any():
            break
    return stages.points, decisions


def _gradient(points: Floats, decisions: Sequence[Decision], how: Learning) -> Chances:
    """Return [contexts, basis]: the policy gradient of the points and of the entropy, summed over all
    decisions.
    """
    total = np.zeros(_SHAPE)
    for number, one in enumerate(decisions):
        acting = one.acting
        if len(one.score) < 2 or acting.sum() < 50:
            continue
        gained = points
        if how.myopic:
            after = decisions[number + 1] if number + 1 < len(decisions) else None
            left = np.maximum(points, 0) if after is None else after.life_preservers
            out = np.zeros(len(points)) if after is None else acting & ~after.acting
            gained = (left - one.life_preservers - out).astype(np.float32)
        known = one.context[:, acting]
        known = np.vstack([known, known[13] * known[9]])
        square = known @ known.T + 1e-3 * np.eye(len(known))
        fitted = np.linalg.lstsq(square, known @ gained[acting], rcond=None)[0]
        advantage = np.zeros(len(points), np.float32)
        advantage[acting] = gained[acting] - fitted @ known
        chance = chances(one.score)
        surprise = np.log(chance + 1e-9)
        mean = (chance * surprise).sum(axis=0)
        slope = -chance * (advantage + how.entropy * (surprise - mean))
        slope[one.slots, np.arange(len(points))] += advantage
        slope *= acting
        total += one.context @ np.einsum("bhn,hn->bn", one.basis, slope).T
    return total


class _Adam:
    """Kingma and Ba, "Adam: a method for stochastic optimization", 2015; here uphill."""

    def __init__(self, rate: float, steps: int) -> None:
        self._rate, self._steps, self._done = rate, steps, 0
        self._mean, self._square = np.zeros(_SHAPE), np.zeros(_SHAPE)

    def step(self, gradient: Chances) -> Chances:
        """Return what to add to the weights."""
        rate = self._rate * min(1.0, 2 * (1 - self._done / self._steps))
        self._done += 1
        self._mean = 0.9 * self._mean + 0.1 * gradient
        self._square = 0.99 * self._square + 0.01 * gradient * gradient
        mean = self._mean / (1 - 0.9**self._done)
        square = self._square / (1 - 0.99**self._done)
        return np.asarray(rate * mean / (np.sqrt(square) + 1e-8))


def imitation(
    rules: Rules, types: Floats, prior: Chances, rng: np.random.Generator, steps: int = 120
) -> Floats:
    """Return the one policy [contexts, basis] that is nearest to the mixture of ``types`` in their own games
    (the least cross-entropy).
    """
    own = np.zeros(_SHAPE)
    adam = _Adam(0.1, steps)
    n = 1500
    for _ in range(steps):
        drawn = rng.choice(len(types), size=(rules.players, n), p=prior)
        weights = types[drawn].transpose(2, 3, 0, 1)
        stages, tides = deal(rules, n, rng)
        gradient = np.zeros(_SHAPE)
        for offer in tides[: rules.hand_size - 1]:
            context, basis = contexts(stages, offer), bases(stages)
            score = scores(basis, coefficients(weights, context))
            fitted = own.astype(np.float32)[:, :, None, None]
            mine = scores(basis, coefficients(fitted, context[:, None]))
            error = (chances(score) - chances(mine)) * (stages.alive & stages.running)
            slope = np.einsum("bhpn,hpn->bpn", basis, error)
            gradient += np.tensordot(context, slope, ((1, 2), (1, 2)))
            slots = (score + noise(rng, score.shape)).argmax(axis=0)
            stages = play(stages, offer, slots)
        own += adam.step(gradient / n)
    return own.astype(np.float32)


def random_types(count: int, rng: np.random.Generator) -> Floats:
    """Return [type, contexts, basis]: policies that bid the card nearest to a target, more or less
    exactly.
    """
    types = np.zeros((count, *_SHAPE), np.float32)
    # Not the constant, and neither squares nor what few would heed.
    features = [1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 13]
    for policy in types:
        linear, square = (4, 5) if rng.random() < 0.5 else (2, 3)
        exactness = rng.choice([4.0, 12.0, 40.0])
        target = np.zeros(len(CONTEXT))
        target[0] = rng.choice([0, 0.2, 0.5, 0.8, 1.0])
        for feature in rng.choice(features, rng.integers(0, 4), replace=False):
            target[feature] += rng.normal() * 0.7
        policy[0, square] -= exactness
        policy[:, linear] += 2 * exactness * target
        if rng.random() < 0.3:
            policy[:] += cost_of_standing_highest(rng.choice([4.0, 12.0]))
    return types


def cost_of_standing_highest(weight: float) -> Floats:
    """Return [contexts, basis]: what ``greedy`` minds."""
    policy = np.zeros(_SHAPE, np.float32)
    policy[1, 1] = -weight
    policy[2, 0] = policy[2, 1] = weight
    return policy


def weights_for(players: int) -> dict[str, npt.NDArray[np.generic]]:
    """Return the arrays of ``engine.bots.policies.Policies`` for so many players."""
    rng = np.random.default_rng([SEED, players])
    rules = Rules(players=players)
    any_card = np.zeros(_SHAPE, np.float32)
    bred = [any_card, cost_of_standing_highest(20), cost_of_standing_highest(60)]
    drawn = random_types(RANDOM_TYPES, rng)

    def population() -> tuple[Floats, Chances]:
        types = np.concatenate([np.array(bred), drawn])
        half = np.full(len(bred), 0.5 / len(bred))
        return types, np.concatenate([half, np.full(len(drawn), 0.5 / len(drawn))])

    def respond(what: str, first: Floats, how: Learning) -> Floats:
        own, points = best_response(rules, *population(), first, how, rng)
        print(f"{players} players, {what}: {points:.3f} points a stage", flush=True)
        return own

    for generation in range(GENERATIONS):
        entropy = (0.01, 0.03, 0.06)[generation % 3]
        name = f"generation {generation}"
        found = [respond(name, any_card, Learning(300, entropy=entropy))]
        if generation < 4:
            how = Learning(120, entropy=entropy, myopic=True)
            found.append(respond(f"{name}, myopic", any_card, how))
        bred += found
    types, prior = population()
    informed = respond("rollouts", bred[-1], Learning(900, entropy=0.002, informed=True))
    typical = imitation(rules, types, prior, rng)
    types = types.astype(np.float16).astype(np.float32)
    known = Policies(types, prior.astype(np.float32), informed, typical)
    return arrays_of(players, with_house_bots(rules, known))


def arrays_of(players: int, known: Policies) -> dict[str, npt.NDArray[np.generic]]:
    """Return what ``weights.npz`` has for so many players."""
    names = ("types", "prior", "informed", "typical")
    arrays = {f"{name}{players}": getattr(known, name) for name in names}
    arrays[f"types{players}"] = known.types.astype(np.float16)
    return arrays


def with_house_bots(rules: Rules, known: Policies) -> Policies:
    """Return ``known`` with one more type for each weaker bot."""
    chance = random.Random(f"house {rules.players}")
    players: dict[str, Player] = {name: bot(name) for name in ("cautious", "greedy")}
    players["expert"] = partial(_expert, known)
    players["tidal"] = bot("tidal")
    seats: dict[str, list[tuple[GameState, int]]] = {name: [] for name in players}
    for number in range(HOUSE_GAMES):
        names = chance.choices(list(players), k=rules.players)
        game = played(rules, [players[name] for name in names], f"house {rules.players} {number}")
        for seat, name in enumerate(names):
            seats[name].append((game, seat))
    types = np.stack([imitation_of_games(known, seats[name]) for name in players])
    prior = np.full(len(types), HOUSE_PRIOR / len(types), np.float32)
    return replace(
        known,
        types=np.concatenate([known.types, types.astype(np.float16)]),
        prior=np.concatenate([(1 - HOUSE_PRIOR) * known.prior, prior]),
    )


def _expert(known: Policies, view: SeatView, history: History, rng: random.Random) -> int:
    return bid(view, history, rng, known)


def main(arguments: Sequence[str]) -> None:
    """Train for all or the given numbers of players, and keep the weights of the others."""
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    if PATH.exists():
        with np.load(PATH) as before:
            arrays = dict(before)
    for players in [int(each) for each in arguments] or _PLAYERS:
        arrays |= weights_for(players)
        np.savez_compressed(PATH, allow_pickle=False, **arrays)
    print(f"{PATH}: {PATH.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main(sys.argv[1:])
