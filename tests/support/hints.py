"""A hint without the other process that estimates it."""

from engine.bots.estimates import Analysis, CardEstimate, CardReason, Why
from engine.views import SeatView
from server.coordinator.messages import Reply


def hint_for(own: SeatView, difference: float = 0.5, round_: int = -1) -> Reply:
    """The second card of the hand brings so much more than the first, and the others less and less; of the
    round that is on, unless said otherwise.
    """
    first, second, *others = own.hand
    ranked = {second: 3.0, first: 3.0 - difference}
    ranked |= {card: 2.0 - number / 10 for number, card in enumerate(others)}
    cards = [CardEstimate(card, ranked[card], 0.25, 0.5, card / 60, 0.0) for card in own.hand]
    table, reason = own.table, CardReason(Why.LEAVES, 9, 1, 0.62)
    place = table.stage, table.round if round_ < 0 else round_
    return Reply(hint=Analysis(*place, tuple(cards), second, first, difference, 0.1, (), 2, reason))
