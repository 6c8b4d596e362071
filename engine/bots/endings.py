"""The last choice of a stage, between two cards, where every hand is known: what either of them brings.

Whatever the others bid now, they bid their other card next, and the tides of both rounds are known, since a
stage turns up all tide cards. So every outcome is counted out, and a card that never brings more than the
other one, and sometimes less, is never bid.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

from engine.bots.counting import known_cards
from engine.editions import TIDE_COPIES
from engine.rules import settle_loss
from engine.views import History, SeatView

_CARDS: Final = 2

Tides = tuple[int, int]


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
        """The place in the own hand of the card that brings more, if ``chances`` has that of each way in
        which the rivals can bid; ``None`` if both bring the same.
        """
        gaps = [high - low for low, high in self.points]
        more = sum([chance * gap for chance, gap in zip(chances, gaps, strict=True)])
        return int(more > 0) if more else None


def ending_of(view: SeatView, history: History) -> Ending | None:
    """What can come of the choice between the two cards of ``view.hand``; ``None`` when there are more, or
    not all cards are known.
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
    """The tide cards that have not come up yet, ascending."""
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
    """The own points of the stage after these bids, each the place of a card in a hand."""
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
