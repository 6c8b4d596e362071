"""``cautious``: a rule of thumb, without counting cards.

Who stands deep wants the lower tide and bids high; everybody else wants to be left alone and bids low.
"""

import random

from engine.bots.manners import preferred
from engine.views import History, SeatView


def choose(view: SeatView, _history: History, rng: random.Random, manner: str = "") -> int:
    """Choose a high card when deep, a low one otherwise (``engine.bots.Bot``)."""
    offer = view.table.offer
    assert offer is not None
    level = view.table.seats[view.seat].level
    others = [
        seat.level
        for number, seat in enumerate(view.table.seats)
        if number != view.seat and not seat.eliminated
    ]
    endangered = level >= max(others) and level > offer[0]
    # A little whim, or everybody who sees the same hand would be read like a book.
    cards = view.hand[-2:] if endangered else view.hand[:2]
    return preferred(manner, view, cards) if manner else rng.choice(cards)
