"""What an attentive player can work out from the view: which cards are still out, and who may hold them."""

from math import comb

from engine.editions import WEATHER_CARDS
from engine.views import History, SeatPublic, SeatView


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


def known_hands(view: SeatView, history: History) -> list[set[int]]:
    """A seat each: the cards known to be in the hand that it was dealt or given for this stage.

    Known are the own hand, those that the seat has held before, every card that was revealed while the hand
    passed from seat to seat (rules.md, "The end of a stage"), and what follows from these.
    """
    seats = view.table.seats
    players, now = len(seats), len(history.stages)
    known = [{*seat.played, *seat.earlier} for seat in seats]
    for own in view.own_earlier:
        known[own.holder].update(own.cards)
    for number, stage in enumerate(history.stages):
        for told in stage.rounds:
            for seat, bid in enumerate(told.bids):
                if bid is not None:
                    known[(seat + now - number) % players].add(bid)
    for number, hand in enumerate(history.hands):
        known[(view.seat + now - number) % players].update(hand)
    known[view.seat] = set(view.dealt)
    size = view.table.rules.hand_size
    open_ = [cards for cards in known if len(cards) < size]
    rest = set(WEATHER_CARDS).difference(*known)
    if len(open_) == 1 and len(open_[0]) + len(rest) == size:
        # All cards were dealt, and all others are accounted for.
        open_[0] |= rest
    return known


def known_cards(view: SeatView, history: History) -> list[set[int]]:
    """A seat each: the cards that it is known to have left, because they were seen in earlier stages; none
    for the own seat. An eliminated seat's are put away.
    """
    known = known_hands(view, history)
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
