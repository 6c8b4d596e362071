"""``expert``: a trained policy for players with a good memory; it bids at once.

It remembers every card that it has seen in earlier stages and deals those that it does not know at random.
If all rivals bid as players usually do, each card of its hand has a chance to come first and one to come
second. From these, and from what all can see, a trained policy (``engine.bots.logit``) chooses.
"""

import random
from typing import Final

import numpy as np

from engine.bots.evidence import bid_arrays, shown_rounds, start_of
from engine.bots.hands import knowledge, sample
from engine.bots.logit import bases, coefficients, contexts, noise, ranks, scores
from engine.bots.policies import Policies, policies
from engine.history import History
from engine.views import SeatView

_DEALS: Final = 24
"""Deals of the unknown cards."""
_SEED_BITS: Final = 64


def choose(view: SeatView, history: History, rng: random.Random) -> int:
    """Choose a card by the trained policy (``engine.bots.base.Bot``)."""
    return bid(view, history, rng, policies(len(view.table.seats)))


def bid(view: SeatView, history: History, rng: random.Random, known: Policies) -> int:
    """As ``choose``, with these policies."""
    generator = np.random.default_rng(rng.getrandbits(_SEED_BITS))
    table, seat = view.table, view.seat
    assert table.offer is not None
    about = knowledge(view, history)
    n = 1 if about.certain else _DEALS
    stages = start_of(view, sample(about, n, generator))
    if table.rounds:
        _, stages = shown_rounds(stages, bid_arrays([table.rounds], table.rules, n), ())
    offer = np.repeat(np.array(table.offer, np.int8)[:, None], n, axis=1)
    context, basis = contexts(stages, offer), bases(stages)
    typical = coefficients(known.typical[:, :, None, None], context[:, None])
    own = basis[:, :, seat]
    own[0], own[1] = ranks(stages, scores(basis, typical), seat)
    mine = scores(own, coefficients(known.expert[:, :, None], context[:, None, seat]))
    score = mine.mean(axis=1)
    return view.hand[int((score + noise(generator, score.shape)).argmax())]
