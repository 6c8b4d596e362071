"""What a player gets who asks for a hint: an estimate of all cards of the hand, made by another process."""

import random
from typing import Any, NamedTuple

from engine.bots.estimates import JUDGE, Analysis, CardEstimate, CardReason, Why
from engine.bots.question import Choose
from engine.views import History, SeatView


class HintQuestion(NamedTuple):
    """What does each card bring for who knows this?"""

    view: SeatView
    """Without who has bid already; at least two cards in the hand."""
    history: History

    @property
    def strategy(self) -> str:
        """Whose opinion is asked, as in ``engine.bots.question.Question``."""
        return JUDGE.bot

    def answer(self, _choose: Choose) -> Analysis:
        """The estimate; always the same for the same question."""
        from engine.bots.analysis import analyse

        view = self.view
        place = f"{view.seat} {view.table.stage} {view.table.round}"
        return analyse(view, self.history, random.Random(place))


def from_plain(*plain: Any) -> Analysis:
    """The estimate again, from its fields as JSON has them."""
    found = Analysis(*plain)
    cards = tuple(CardEstimate(*card) for card in found.cards)
    reason = reason_from_plain(*found.reason)
    return found._replace(cards=cards, alike=tuple(found.alike), reason=reason)


def reason_from_plain(kind: str, *told: Any) -> CardReason:
    """The reason again, likewise."""
    return CardReason(Why(kind), *told)


def to_json(found: Analysis) -> dict[str, Any]:
    """An estimate as a JSON object (docs/api.md)."""
    cards = [
        {name: round(value, 3) for name, value in card._asdict().items()} for card in found.cards
    ]
    numbers = {"difference": round(found.difference, 3), "error": round(found.error, 3)}
    told = {"cards": cards, **numbers, "reason": reason_to_json(found.reason)}
    return found._asdict() | told | {"sure": found.sure}


def reason_to_json(reason: CardReason) -> dict[str, Any]:
    """A reason likewise."""
    share = None if reason.share is None else round(reason.share, 3)
    return reason._replace(share=share)._asdict()
