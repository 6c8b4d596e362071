"""``expert``: a trained policy for players with a good memory; it bids at once.

It remembers every card that it has seen in earlier stages and deals those that it does not know at random.
The bids of earlier stages tell of which trained type each rival may be (``engine.bots.evidence``); in the
first stage its own bids do. From hands and types follow the chances of each card to come first and second.
From these, and from what all can see, a trained policy (``engine.bots.policies``) chooses. The last two cards
of a stage are counted out if all hands are known.
"""

import random
from typing import Final

import numpy as np

from engine.bots.counting import ending_of
from engine.bots.evidence import drawn_types, posterior_of
from engine.bots.hands import knowledge, sample
from engine.bots.manners import preferred
from engine.bots.policies import (
    Policies,
    bases,
    chances,
    coefficients,
    contexts,
    informed,
    noise,
    policies,
    scores,
    ways,
)
from engine.bots.shown import now_of
from engine.views import History, SeatView

_GUESSES: Final = 40
"""Guesses of the rivals' hands and types."""
_NOISE: Final = 0.25
"""The noise on the scores of cards is multiplied by this: with 1 a card is drawn by the chances of
the policy, with 0 it is the likeliest.
"""
_NEAR: Final = 0.1
"""Cards whose scores differ by less are about as good."""
_SEED_BITS: Final = 64


def choose(view: SeatView, history: History, rng: random.Random, manner: str = "") -> int:
    """Choose a card by the trained policy (``engine.bots.manners.Bot``)."""
    return bid(view, history, rng, policies(len(view.table.seats)), manner)


def bid(
    view: SeatView, history: History, chance: random.Random, known: Policies, manner: str = ""
) -> int:
    """Choose a card as ``choose`` does, with these policies."""
    ending = ending_of(view, history)
    if ending is not None and ending.dominant is not None:
        return view.hand[ending.dominant]
    rng = np.random.default_rng(chance.getrandbits(_SEED_BITS))
    table, seat = view.table, view.seat
    assert table.offer is not None
    players, n = len(table.seats), _GUESSES
    rivals = [rival for rival in range(players) if rival != seat]
    hands = sample(knowledge(view, history), n, rng)
    posterior = posterior_of(view, history, rivals, known, hands)
    weights = np.zeros((*known.informed.shape, players, n), np.float32)
    weights[:, :, rivals] = known.types[drawn_types(posterior, n, rng)].transpose(2, 3, 0, 1)
    stages = now_of(view, hands)
    offer = np.repeat(np.array(table.offer, np.int8)[:, None], n, axis=1)
    context, basis = contexts(stages, offer), bases(stages)
    theirs = scores(basis, coefficients(weights, context))
    if ending is not None:
        better = ending.better(ways(chances(theirs[:, list(ending.rivals)])))
        if better is not None:
            return view.hand[better]
    mine = informed(stages, context, basis, theirs, seat, known.informed)
    score = mine.mean(axis=1)
    score += _NOISE * noise(rng, score.shape)
    if not manner:
        return view.hand[int(score.argmax())]
    near = np.flatnonzero(score >= score.max() - _NEAR)
    return preferred(manner, view, [view.hand[place] for place in near])
