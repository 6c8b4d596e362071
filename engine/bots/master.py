"""``master``: guesses hands and habits from all that was shown, and plays the stage to its end with every
card.

1. It knows every card that was seen in this stage and in earlier ones, and deals the unknown ones at
   random, so that the life preservers agree (``engine.bots.hands``).
2. Each rival's bids, in the whole game, tell of which trained type it may be; from the second stage on a
   policy of its own is fitted to it as well (``engine.bots.evidence``).
3. Particles of hands and types, weighted with the bids of this stage, are played to the end of the stage
   with each card of the own hand (``engine.bots.rollouts``).
4. The last two cards are counted out instead if all hands are known (``engine.bots.counting``).

The number of rollouts is fixed. All chance comes from the generator that is passed in.
"""

import random
from typing import Final

import numpy as np

from engine.bots.counting import ending_of
from engine.bots.evidence import Chances, drawn_types, evidence, fit_of_bids
from engine.bots.hands import knowledge, sample
from engine.bots.policies import Policies, policies, ways
from engine.bots.rollouts import ROLLOUTS, Particles, best_card, chances_now
from engine.bots.shown import bid_arrays, shown_rounds, start_of
from engine.bots.simulator import Ints
from engine.views import History, SeatView

_PARTICLES: Final = 600
_FITTED: Final = 0.7
"""In so many of the particles a rival plays by the policy fitted to it, in the others by a type."""
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
