"""Counting of cards: which are out, who may hold them, and what can come of the last two of a stage.

In the last choice, where every hand is known, everybody bids the other card next, and the tides of both
rounds are known, since a stage turns up all tide cards. So every outcome is counted out, and a card that
never brings more than the other one, and sometimes less, is never bid.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import comb
from typing import Final, NamedTuple

from engine.editions import TIDE_COPIES, WEATHER_CARDS
from engine.rules import settle_loss
from engine.views import History, SeatPublic, SeatView

_CARDS: Final = 2

Tides = tuple[int, int]


def rivals(view: SeatView) -> list[SeatPublic]:
    """Return the other seats still in the stage, in seat order."""
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
    """Return a seat each: the cards known to be in the hand that it was dealt or given for this stage.

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
    """Return a seat each: the cards that it is known to have left, because they were seen in earlier stages;
    none for the own seat. An eliminated seat's are put away.
    """
    known = known_hands(view, history)
    for cards, seat in zip(known, view.table.seats, strict=True):
        cards.difference_update(seat.played)
    known[view.seat].clear()
    return known


def ranks(unseen: int, below: int, others: int) -> tuple[float, float]:
    """Return the chances that a card is the highest bid, and the second highest.

    ``below`` of the ``unseen`` cards are lower; ``others`` of them are bid, all with the same chance.
    """
    ways = comb(unseen, others)
    return comb(below, others) / ways, (unseen - below) * comb(below, others - 1) / ways


class Ending(NamedTuple):
    """What can come of the last choice."""

    rivals: tuple[int, ...]
    """The other seats still in the stage."""
    hands: tuple[tuple[int, ...], ...]
    """Their two cards each, ascending."""
    points: tuple[tuple[int, int], ...]
    """Points of the stage with the lower and with the higher card of the own hand: for each way in which the
    rivals can bid, in the order of ``itertools.product(*hands)``.
    """

    @property
    def dominant(self) -> int | None:
        """The place in the own hand of the card that never brings less and sometimes more; ``None`` if that
        is neither.
        """
        higher = any(low < high for low, high in self.points)
        lower = any(low > high for low, high in self.points)
        return int(higher) if higher != lower else None

    def better(self, chances: Sequence[float]) -> int | None:
        """Return the place in the own hand of the card that brings more, if ``chances`` has that of each way
        in which the rivals can bid; ``None`` if both bring the same.
        """
        gaps = [high - low for low, high in self.points]
        more = sum([chance * gap for chance, gap in zip(chances, gaps, strict=True)])
        return int(more > 0) if more else None


def ending_of(view: SeatView, history: History) -> Ending | None:
    """Return what can come of the choice between the two cards of ``view.hand``; ``None`` when there are
    more, or not all cards are known.
    """
    tides = _last_tides(view) if len(view.hand) == _CARDS else ()
    if len(tides) != 2:
        return None
    known = known_cards(view, history)
    seats = view.table.seats
    rivals = [seat for seat, each in enumerate(seats) if seat != view.seat and not each.eliminated]
    if any(len(known[seat]) != _CARDS for seat in rivals):
        return None
    hands = [tuple(sorted(known[seat])) for seat in rivals]
    points = [
        (_points(view, rivals, hands, bids, 0, tides), _points(view, rivals, hands, bids, 1, tides))
        for bids in product(range(_CARDS), repeat=len(rivals))
    ]
    return Ending(tuple(rivals), tuple(hands), tuple(points))


def _last_tides(view: SeatView) -> tuple[int, ...]:
    """Return the tide cards that have not come up yet, ascending."""
    table = view.table
    assert table.offer is not None
    left = Counter(dict.fromkeys(range(1, table.rules.highest_tide + 1), TIDE_COPIES))
    left.subtract(table.offer)
    for told in table.rounds:
        left.subtract(told.offer)
    return tuple(sorted(left.elements()))


def _points(
    view: SeatView,
    rivals: Sequence[int],
    hands: Sequence[tuple[int, ...]],
    bids: Sequence[int],
    own: int,
    tides: Sequence[int],
) -> int:
    """Return the own points of the stage after these bids, each the place of a card in a hand."""
    table, seat = view.table, view.seat
    assert table.offer is not None
    levels = [None if each.eliminated else each.level for each in table.seats]
    preservers = [each.life_preservers for each in table.seats]
    choices = [(seat, view.hand, own), *zip(rivals, hands, bids, strict=True)]
    for last, (lower, higher) in enumerate((table.offer, tides)):
        bidders = sorted(
            [
                (hand[place ^ last], number)
                for number, hand, place in choices
                if levels[number] is not None
            ]
        )
        levels[bidders[-1][1]], levels[bidders[-2][1]] = lower, higher
        settle_loss(levels, preservers, table.rules.passes_loss_on)
        if len(levels) - levels.count(None) <= 2:
            break
    level = levels[seat]
    if level is None:
        return -1
    return preservers[seat] + (level == min(each for each in levels if each is not None))
