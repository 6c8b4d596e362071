"""``random``: any card of the hand, all equally likely."""

import random

from engine.views import History, SeatView


def choose(view: SeatView, _history: History, rng: random.Random, _manner: str = "") -> int:
    """Choose any card of the hand, whatever the manner (``engine.bots.Bot``)."""
    return rng.choice(view.hand)
