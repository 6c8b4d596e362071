"""``master``: guesses hands and habits from all that was shown, and plays the stage to its end with every
card.

1. It knows every card that was seen in this stage and in earlier ones, and deals the unknown ones at
   random, so that the life preservers agree (``engine.bots.hands``).
2. Each rival's bids, in the whole game, tell of which trained type it may be; from the second stage on a
   policy of its own is fitted to it as well (``engine.bots.evidence``).
3. Particles of hands and types, weighted with the bids of this stage, are played to the end of the stage
   with each card of the own hand (``engine.bots.rollouts``).
4. The last two cards are counted out instead if all hands are known (``engine.bots.endings``).

The number of rollouts is fixed. All chance comes from the generator that is passed in.
"""

import random
from typing import Final

import numpy as np

from engine.bots.endings import ending_of
from engine.bots.evidence import (
    COUNTED,
    CURVES,
    Chances,
    Decisions,
    bid_arrays,
    drawn_types,
    evidence,
    fit_of_bids,
    shown_rounds,
    start_of,
)
from engine.bots.hands import Knowledge, knowledge, sample
from engine.bots.imitations import curves, merits
from engine.bots.logit import ways
from engine.bots.policies import Policies, policies
from engine.bots.rollouts import ROLLOUTS, Particles, best_card, chances_now
from engine.bots.simulator import Flags, Ints, Stages
from engine.views import History, SeatView

_PARTICLES: Final = 600
_FITTED: Final = 0.7
"""In so many of the particles a rival plays by the policy fitted to it, in the others by a type."""
_LIKELY: Final = 0.2
"""A rival that is less likely to be ``expert`` bids by the logit nearest to it: the exact way takes long."""
_TRUST: Final = 0.3
"""The weights of particles are raised to this power. Else a few of so few would stand for all, and all the
surer the more has been bid."""
_SEED_BITS: Final = 64


def choose(view: SeatView, history: History, rng: random.Random, manner: str = "") -> int:
    """Choose the card that brings the most points in rollouts (``engine.bots.Bot``)."""
    return search(view, history, rng, policies(len(view.table.seats)), ROLLOUTS, manner)


def search(
    view: SeatView,
    history: History,
    chance: random.Random,
    known: Policies,
    rollouts: int,
    manner: str = "",
) -> int:
    """As ``choose``, with these policies and so many rollouts."""
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
    """What the rivals may hold and how they may play, by all that the seat has seen."""
    about = knowledge(view, history)
    rivals = [seat for seat in range(len(view.table.seats)) if seat != view.seat]
    n, count = _PARTICLES, 1 if about.certain else _PARTICLES
    stages, decisions = start_of(view, sample(about, count, rng)), list[Decisions]()
    rounds = view.table.rounds
    if rounds:
        shown_bids = bid_arrays([rounds], view.table.rules, count)
        decisions, stages = shown_rounds(stages, shown_bids, rivals)
    shown = evidence(view.table.rules, history, about, rivals, known, decisions)
    types = drawn_types(shown.posterior, n, rng)
    habits = shown.thumb.drawn(rivals, types == len(known.types), rng)
    # Who plays by a rule of thumb has no weights.
    each = np.concatenate([known.types, np.zeros_like(known.types[:1])])
    order = np.arange(n)
    if decisions and not about.certain:
        by_rule = habits and habits.at(rivals)
        logs = fit_of_bids(each[types].transpose(2, 3, 0, 1), decisions, by_rule, rivals)
        logs = np.where(types == known.tidal, shown.tidal, logs)
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
    bids = np.full((len(rivals) + 1, n), -1)
    bids[rivals] = _bids_of_tidal(view, history, about, stages, rivals, types == known.tidal)
    knowing = np.zeros((len(rivals) + 1, n), np.bool_)
    if history.stages and known.expert >= 0:
        likely = shown.posterior[known.expert] > _LIKELY
        knowing[rivals] = (types == known.expert) & likely[:, None]
    return Particles(stages, weights, order, bids, knowing, known.informed, habits)


def _bids_of_tidal(
    view: SeatView,
    history: History,
    about: Knowledge,
    stages: Stages,
    rivals: list[int],
    tidal: Flags,
) -> Ints:
    """[rival, n]: the places of the cards that ``tidal`` bids now, where a rival is ``tidal``; else -1."""
    if not tidal.any() or stages.left <= COUNTED:
        return np.full(tidal.shape, -1)
    offer = np.array(view.table.offer, np.int8)[:, None]
    few = np.arange(1 if about.certain or not history.stages else CURVES)
    some = stages.of(few)
    informed = np.full(len(few), bool(history.stages))
    curve = curves([(some, np.repeat(offer, len(few), axis=1))], rivals, informed)[0]
    merit = merits(np.tile(curve, tidal.shape[1] // len(few)), stages, rivals)
    return np.where(tidal, merit.argmax(axis=0), -1)


def _resampled(logs: Chances, rng: np.random.Generator) -> Ints:
    """[n]: particles drawn by how well hands and types agree with the bids of this stage: ``logs`` [n], the
    log likelihood. The types were drawn by what the bids say of them with any hands, which is divided out;
    for rules of thumb only what all of them say on average, so that this stage's bids count more for those.
    """
    weights = np.exp(_TRUST * (logs - logs.max()))
    ends = weights.cumsum()
    n = len(weights)
    places = (np.arange(n) + rng.random()) / n * ends[-1]
    order = np.searchsorted(ends, places, side="right").clip(max=n - 1)
    return np.asarray(rng.permutation(order))
