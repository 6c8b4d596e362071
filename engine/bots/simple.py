"""Bots that look at a number or two and remember no earlier stage."""

import random
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from engine.bots.counting import ranks, rivals, unseen_cards
from engine.bots.manners import preferred
from engine.views import History, SeatView

_DIGITS: Final = 9
"""Chances that differ by less are the same."""


def any_card(view: SeatView, _history: History, rng: random.Random, _manner: str = "") -> int:
    """Choose any card of the hand, all equally likely."""
    return rng.choice(view.hand)


def cautious(view: SeatView, _history: History, rng: random.Random, manner: str = "") -> int:
    """Choose a high card if the seat stands deep and wants the lower tide, and a low one otherwise."""
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


def greedy(view: SeatView, _history: History, rng: random.Random, manner: str = "") -> int:
    """Choose the card least likely to stand highest after this round, without a thought of the next. Every
    card not seen yet is as likely to be anybody's bid.
    """
    offer = view.table.offer
    assert offer is not None
    own = view.table.seats[view.seat]
    others = rivals(view)
    chances = chances_by_rank(offer, own.level, [seat.level for seat in others])
    unseen = unseen_cards(view)
    dangers = [
        danger(chances, len(unseen), bisect_left(unseen, card), len(others)) for card in view.hand
    ]
    least = min(dangers)
    # Which of several equally good ones must not be a habit that others can learn.
    safest = [card for card, one in zip(view.hand, dangers, strict=True) if one == least]
    card = rng.choice(safest)
    if not manner:
        return card
    # Often nearly all cards are safe; to bid the highest or lowest of many would make it weaker.
    place = safest.index(card)
    return preferred(manner, view, safest[max(place - 1, 0) : place + 2])


def chances_by_rank(
    offer: tuple[int, int], level: int, others: Sequence[int]
) -> tuple[float, float, float]:
    """Return the chances to stand highest after this round: for the highest bidder, the second, and the rest.

    ``others`` are the levels of the other players; each of them is as likely to take a tide as any other.
    """
    low, high = offer
    seats = range(len(others))
    # How the others stand when one of them has taken the high tide, the low one, or two have taken both.
    with_high = [_replaced(others, seat, high) for seat in seats]
    with_low = [_replaced(others, seat, low) for seat in seats]
    with_both = [
        _replaced(levels, seat, high)
        for first, levels in enumerate(with_low)
        for seat in seats
        if seat != first
    ]
    return (
        sum([low >= max(levels) for levels in with_high]) / len(with_high),
        sum([high >= max(levels) for levels in with_low]) / len(with_low),
        sum([level >= max(levels) for levels in with_both]) / len(with_both),
    )


def danger(chances: tuple[float, float, float], unseen: int, below: int, others: int) -> float:
    """Return the chance to stand highest with a card above ``below`` of the ``unseen`` ones."""
    highest, second = ranks(unseen, below, others)
    neither = 1 - highest - second
    return round(highest * chances[0] + second * chances[1] + neither * chances[2], _DIGITS)


def _replaced(levels: Sequence[int], seat: int, level: int) -> list[int]:
    after = list(levels)
    after[seat] = level
    return after
