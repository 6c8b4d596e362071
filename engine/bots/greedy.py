"""``greedy``: the card with the least expected loss in this round, and no thought of the next.

It counts cards: every card not seen yet is taken to be anybody's bid with the same chance.
"""

import random
from math import comb

from engine.bots.counting import rivals, unseen_cards
from engine.views import SeatView

_ELIMINATION = 2.0
"""Being eliminated costs the point of having survived, and the chance of the bonus."""
_DEPTH = 0.02
"""What a level costs for being high, in life preservers: decides when nothing is lost either way."""


def choose(view: SeatView, rng: random.Random) -> int:
    """See ``engine.bots.base.Bot``."""
    unseen = unseen_cards(view)
    others = len(rivals(view))
    highest, second, neither = _costs(view)
    ways = comb(len(unseen), others)
    best: list[int] = []
    least = float("inf")
    for card in view.hand:
        above = sum(other > card for other in unseen)
        below = len(unseen) - above
        wins = comb(below, others) / ways
        follows = above * comb(below, others - 1) / ways
        cost = wins * highest + follows * second + (1 - wins - follows) * neither
        if cost < least - 1e-9:
            best, least = [card], cost
        elif cost < least + 1e-9:
            best.append(card)
    return rng.choice(best)


def _costs(view: SeatView) -> tuple[float, float, float]:
    """What this round costs who bids highest, second highest, lower: averaged over who the others are."""
    offer = view.table.offer
    assert offer is not None
    low, high = offer
    own = view.table.seats[view.seat]
    price = 1.0 if own.life_preservers else _ELIMINATION
    levels = [seat.level for seat in rivals(view)]

    def cost(level: int, others: list[int]) -> float:
        loses = level > 0 and level >= max(others)
        return price * loses + _DEPTH * level

    def replaced(levels: list[int], index: int, level: int) -> list[int]:
        return [*levels[:index], level, *levels[index + 1 :]]

    seats = range(len(levels))
    highest = [cost(low, replaced(levels, taker, high)) for taker in seats]
    second = [cost(high, replaced(levels, taker, low)) for taker in seats]
    neither = [
        cost(own.level, replaced(replaced(levels, first, low), other, high))
        for first in seats
        for other in seats
        if first != other
    ]
    return (
        sum(highest) / len(highest),
        sum(second) / len(second),
        sum(neither) / len(neither),
    )
