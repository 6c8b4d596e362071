"""What an attentive player can work out from the view: which cards are still out, and who may hold them."""

from math import comb

from engine.cards import WEATHER_CARDS
from engine.views import SeatPublic, SeatView


def rivals(view: SeatView) -> list[SeatPublic]:
    """The other seats still in the stage, in seat order."""
    return [
        seat
        for number, seat in enumerate(view.table.seats)
        if number != view.seat and not seat.eliminated
    ]


def unseen_cards(view: SeatView) -> list[int]:
    """Weather cards neither in the own dealt hand nor revealed in this stage, ascending.

    They are in the rivals' hands, set aside, or were never dealt.
    """
    seen = set(view.dealt)
    for seat in view.table.seats:
        seen.update(seat.played)
    return [card for card in WEATHER_CARDS if card not in seen]


def known_cards(view: SeatView) -> list[set[int]]:
    """With assistance: the cards that each seat is known to have left, because they were seen before.

    A seat each, the own one's and everybody's without assistance empty; an eliminated seat's are put away.
    """
    known = [set(seat.earlier) for seat in view.table.seats]
    for hand in view.own_earlier:
        known[hand.holder].update(hand.cards)
    for cards, seat in zip(known, view.table.seats, strict=True):
        cards.difference_update(seat.played)
    known[view.seat].clear()
    return known


def ranks(unseen: int, below: int, others: int) -> tuple[float, float]:
    """The chances that a card is the highest bid, and the second highest.

    ``below`` of the ``unseen`` cards are lower; ``others`` of them are bid, all with the same chance.
    """
    ways = comb(unseen, others)
    return comb(below, others) / ways, (unseen - below) * comb(below, others - 1) / ways
