"""``master``: a search, which plays the stage to its end many times with each card of the own hand.

1. It knows every card that was seen in this stage and in earlier ones, and deals the unknown ones at
   random, so that the life preservers agree (``engine.bots.hands``).
2. Each rival's bids, in the whole game, tell of which trained type it may be; from the second stage on a
   policy of its own is fitted to it as well (``engine.bots.evidence``).
3. Particles of hands and types, weighted with the bids of this stage, are played to the end of the stage
   with each card. Every rollout has its own hands, rivals' policies and tides; all cards are tried with the
   same ones, so that their luck cancels out. The cards are halved until one is left, and the better half
   gets as many rollouts as all had before (sequential halving: Karnin, Koren and Somekh, "Almost optimal
   exploration in multi-armed bandits", 2013).
4. The last two cards are counted out instead if all hands are known (``engine.bots.counting``).

The number of rollouts is fixed. All chance comes from the generator that is passed in.
"""

import random
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.bots import simulator
from engine.bots.counting import ending_of
from engine.bots.evidence import Chances, drawn_types, evidence, fit_of_bids
from engine.bots.habits import Habits, features
from engine.bots.hands import knowledge, sample
from engine.bots.manners import preferred
from engine.bots.policies import (
    Policies,
    bases,
    chances,
    coefficients,
    contexts,
    noise,
    policies,
    ranks,
    scores,
    ways,
)
from engine.bots.shown import bid_arrays, shown_rounds, start_of
from engine.bots.simulator import Bytes, Flags, Floats, Ints, Stages, play
from engine.editions import TIDE_COPIES
from engine.views import History, SeatView

_PARTICLES: Final = 600
_FITTED: Final = 0.7
"""Share of the particles in which a rival plays by the policy fitted to it, in the others by a type."""
_TRUST: Final = 0.3
"""The weights of particles are raised to this power. Else a few of so few would stand for all, and all the
surer the more has been bid."""
_SEED_BITS: Final = 64
ROLLOUTS: Final = 4000
"""Rollouts for one bid, at most."""
_PHASES: Final = 3
_FINALISTS: Final = 3
"""Number of cards of which the best is chosen at once."""
_NEAR: Final = 0.02
"""Cards whose points differ by less are as good; any of them is bid, so that nobody can count on one."""
NOISE: Final = 1 << 17
"""Draws of the noise that all rounds take theirs from."""


class Particles(NamedTuple):
    """``n`` guesses of what the own seat does not know."""

    stages: Stages
    """The stage in progress, before the bids of this round."""
    weights: Floats
    """[contexts, basis, players, n]: everybody's policy; the own one is how the own seat goes on."""
    origin: Ints
    """[n]: equal numbers are copies of the same guess."""
    habits: Habits | None = None
    """Habits of those who play by a rule of thumb; added to ``weights``, which are 0 there."""


class Outcomes(NamedTuple):
    """What came of each card for the own seat, all [card, rollout]: every column is one guess, in which all
    cards had the same luck.
    """

    points: Bytes
    """At the end of the stage."""
    lower: Ints
    """The seat that took the lower tide."""
    higher: Ints
    """The seat that took the higher tide."""
    lost: Flags
    """A life preserver was lost in this round."""
    eliminated: Flags
    """There was none to lose."""


def choose(view: SeatView, history: History, rng: random.Random, manner: str = "") -> int:
    """Choose the card that brings the most points in rollouts (``engine.bots.manners.Bot``)."""
    return search(view, history, rng, policies(len(view.table.seats)), ROLLOUTS, manner)


def search(
    view: SeatView,
    history: History,
    chance: random.Random,
    known: Policies,
    rollouts: int,
    manner: str = "",
) -> int:
    """Choose a card as ``choose`` does, with these policies and so many rollouts."""
    ending = ending_of(view, history)
    if ending is not None and ending.dominant is not None:
        return view.hand[ending.dominant]
    rng = np.random.default_rng(chance.getrandbits(_SEED_BITS))
    particles = guesses(view, history, known, rng)
    if ending is not None:
        better = ending.better(ways(chances_now(view, particles)[:, list(ending.rivals)]))
        if better is not None:
            return view.hand[better]
    return best_card(view, particles, rng, rollouts, manner)


def guesses(
    view: SeatView, history: History, known: Policies, rng: np.random.Generator
) -> Particles:
    """Return what the rivals may hold and how they may play, by all that the seat has seen."""
    about = knowledge(view, history)
    rivals = [seat for seat in range(len(view.table.seats)) if seat != view.seat]
    n, count = _PARTICLES, 1 if about.certain else _PARTICLES
    bids = bid_arrays([view.table.rounds], view.table.rules, count)
    decisions, stages = shown_rounds(start_of(view, sample(about, count, rng)), bids, rivals)
    shown = evidence(view.table.rules, history, about, rivals, known, decisions)
    types = drawn_types(shown.posterior, n, rng)
    habits = shown.thumb.drawn(rivals, types == len(known.types), rng)
    # Who plays by a rule of thumb has no weights.
    each = np.concatenate([known.types, np.zeros_like(known.types[:1])])
    order = np.arange(n)
    if decisions and not about.certain:
        by_rule = habits and habits.at(rivals)
        logs = fit_of_bids(each[types].transpose(2, 3, 0, 1), decisions, by_rule, rivals)
        logs -= np.take_along_axis(shown.current.T, types, axis=1)
        order = _resampled(logs.sum(axis=0), rng)
        types = types[:, order]
        habits = habits and habits.of(order)
    stages = stages.of(order % count)
    weights = np.empty((*known.informed.shape, len(rivals) + 1, n), np.float32)
    weights[:, :, view.seat] = known.informed[:, :, None]
    weights[:, :, rivals] = each[types].transpose(2, 3, 0, 1)
    if shown.fitted is not None:
        for seat, policy, kind in zip(rivals, shown.fitted, types, strict=True):
            fitted = (rng.random(n) < _FITTED) & (kind < len(known.types))
            weights[:, :, seat, fitted] = policy[:, :, None]
    return Particles(stages, weights, order, habits)


def _resampled(logs: Chances, rng: np.random.Generator) -> Ints:
    """Return [n]: particles drawn by how well hands and types agree with the bids of this stage: ``logs``
    [n], the log likelihood. The types were drawn by what the bids say of them with any hands, which is
    divided out; for rules of thumb only what all of them say on average, so that this stage's bids count more
    for those.
    """
    weights = np.exp(_TRUST * (logs - logs.max()))
    ends = weights.cumsum()
    n = len(weights)
    places = (np.arange(n) + rng.random()) / n * ends[-1]
    order = np.searchsorted(ends, places, side="right").clip(max=n - 1)
    return np.asarray(rng.permutation(order))


def best_card(
    view: SeatView,
    particles: Particles,
    rng: np.random.Generator,
    rollouts: int = ROLLOUTS,
    manner: str = "",
) -> int:
    """Return the card of ``view.hand`` that brings the most points. The ``manner`` decides between equal
    ones, or else ``rng``.
    """
    size = len(view.hand)
    total, played = np.zeros(size), np.zeros(size)
    candidates = np.arange(size)
    pool = noise(rng, (NOISE,))
    first = 0
    while True:
        count = max(rollouts // _PHASES // len(candidates), 1)
        chosen = np.arange(first, first + count) % particles.weights.shape[-1]
        first += count
        found = outcomes(view, candidates, particles, chosen, pool, rng)
        total[candidates] += count * found.points.mean(axis=1, dtype=np.float32)
        played[candidates] += count
        mean = total[candidates] / played[candidates]
        if len(candidates) <= _FINALISTS:
            near = candidates[mean >= mean.max() - _NEAR]
            if manner:
                return preferred(manner, view, [view.hand[place] for place in near])
            return view.hand[int(rng.choice(near))]
        kept = np.argsort(-mean, kind="stable")[: max((len(candidates) + 1) // 2, 2)]
        candidates = np.sort(candidates[kept])


def _tides(view: SeatView, n: int, rng: np.random.Generator) -> Bytes:
    """Return [rounds left, 2, n]: the tides on offer, and those of the rounds after it in random order."""
    table = view.table
    assert table.offer is not None
    highest = table.rules.highest_tide
    copies = np.full(highest + 1, TIDE_COPIES)
    copies[0] = 0
    for told in table.rounds:
        np.subtract.at(copies, list(told.offer), 1)
    np.subtract.at(copies, list(table.offer), 1)
    deck = np.repeat(np.arange(highest + 1, dtype=np.int8), copies.clip(min=0))
    later = len(view.hand) - 1
    order = rng.random((n, len(deck)), np.float32).argsort(axis=1)
    pairs = np.sort(deck[order][:, : 2 * later].reshape(n, later, 2), axis=2)
    now = np.broadcast_to(np.array(table.offer, np.int8)[:, None], (1, 2, n))
    return np.concatenate([now, pairs.transpose(1, 2, 0)])


def outcomes(
    view: SeatView,
    candidates: Ints,
    particles: Particles,
    chosen: Ints,
    pool: Floats,
    rng: np.random.Generator,
) -> Outcomes:
    """Return what comes of bidding each of the ``candidates`` (places in ``view.hand``), in a rollout with
    each of the ``chosen`` particles. ``pool`` is noise.
    """
    seat, cards, n = view.seat, len(candidates), len(chosen)
    tides = _tides(view, n, rng)
    stages = particles.stages.of(np.tile(chosen, cards))
    players = len(stages.levels)
    weights = particles.weights[:, :, :, None, chosen]
    habits = particles.habits and particles.habits.of(chosen)
    told: list[npt.NDArray[Any]] = []
    for number, offer in enumerate(tides):
        offers = np.tile(offer, (1, cards))
        left = stages.left
        if left > 1:
            basis, coefficient, score = _scores(stages, offers, weights, habits)
            if number:
                basis[0, :, seat], basis[1, :, seat] = ranks(stages, score, seat)
                score[:, seat] = scores(basis[:, :, seat], coefficient[:, seat])
            # All candidates have the same noise.
            size = left * players * n
            begin = int(rng.integers(0, max(len(pool) - size, 1)))
            drawn = np.resize(pool[begin : begin + size], (left, players, 1, n))
            score = (score.reshape(left, players, cards, n) + drawn).reshape(score.shape)
            slots = score.argmax(axis=0)
        else:
            slots = np.zeros((players, cards * n), np.intp)
        if not number:
            slots[seat] = np.repeat(candidates, n)
        after = play(stages, offers, slots)
        if not number:
            told = [each.reshape(cards, n) for each in _of_this_round(stages, after, slots, seat)]
        stages = after
        if not stages.running.any():
            break
    return Outcomes(stages.points[seat].reshape(cards, n), *told)


def _scores(
    stages: Stages,
    offers: Bytes,
    weights: Floats,
    habits: Habits | None,
) -> tuple[Floats, Floats, Floats]:
    """Return the basis functions, their coefficients, and the scores of all cards (``engine.bots.policies``).
    ``weights``: [contexts, basis, players, 1, n], for any number of copies of ``n`` stages.
    """
    context, basis = contexts(stages, offers), bases(stages)
    apart = context.reshape(*context.shape[:2], -1, weights.shape[-1])
    coefficient = coefficients(weights, apart).reshape(-1, *context.shape[1:])
    if habits:
        habits.add(coefficient, features(stages, offers))
    return basis, coefficient, scores(basis, coefficient)


def chances_now(view: SeatView, particles: Particles) -> Floats:
    """Return [cards left, players, n]: the chance of each card to be bid in this round."""
    weights = particles.weights
    offers = np.repeat(np.array(view.table.offer, np.int8)[:, None], weights.shape[-1], axis=1)
    *_, score = _scores(particles.stages, offers, weights[:, :, :, None], particles.habits)
    return chances(score)


def _of_this_round(before: Stages, after: Stages, slots: Ints, seat: int) -> list[npt.NDArray[Any]]:
    """Return the last four fields of ``Outcomes``, each [n]."""
    bids = simulator.chosen(before.hands, slots) * before.alive
    lower = bids.argmax(axis=0)
    np.put_along_axis(bids, lower[None], 0, axis=0)
    eliminated = after.levels[seat] < 0
    lost = (after.life_preservers[seat] < before.life_preservers[seat]) & ~eliminated
    return [lower, bids.argmax(axis=0), lost, eliminated]
