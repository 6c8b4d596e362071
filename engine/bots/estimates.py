"""Estimates of the cards of a hand, and the question that asks for one (``engine.bots.analysis`` has the
answer, and needs numpy).
"""

import random
from enum import StrEnum
from typing import Any, Final, NamedTuple

from engine.bots import BOTS, Choose
from engine.views import History, SeatView

SURE: Final = 2.0
"""A difference of fewer standard errors is too close to call."""


class Judge(NamedTuple):
    """The bot whose opinion hints and reviews are. Another version may estimate otherwise."""

    bot: str
    version: int


JUDGE: Final = Judge("master", BOTS["master"].version)


class CardEstimate(NamedTuple):
    """What one card brings. Shares are from 0 to 1, and about this round."""

    card: int
    points: float
    """The mean of the points at the end of the stage."""
    highest: float
    """How often it is the highest bid, and takes the lower tide."""
    second: float
    """How often it takes the higher tide."""
    risk: float
    """How often a life preserver is lost, or the seat is eliminated, whichever of the two."""
    eliminated: float
    """How often the seat is eliminated."""


class Why(StrEnum):
    """What makes one card better than another."""

    TAKES = "takes"
    """The card most often takes a tide that the other one leaves to somebody else, and stands lower
    with it.
    """
    LEAVES = "leaves"
    """The card most often leaves a tide to somebody else that the other one takes, and the seat
    stands lower.
    """
    SAFER = "safer"
    """The card less often loses a life preserver in this round, or the stage."""
    LATER = "later"
    """Nothing in this round: the other card is worth more in a later one."""


class CardReason(NamedTuple):
    """Why ``best`` is better than ``other``, by what most often comes of both in this round."""

    kind: Why
    tide: int | None = None
    """The tide card that is taken or left."""
    seat: int | None = None
    """The seat to which it is left, if that is mostly the same."""
    share: float | None = None
    """How often ``best`` takes it, or how often that seat or any other does; 0 to 1."""


class Analysis(NamedTuple):
    """All cards of a hand, and two of them compared. Stages and rounds count from 0."""

    stage: int
    round: int
    cards: tuple[CardEstimate, ...]
    """The cards of the hand, ascending."""
    best: int
    """The card that brings the most."""
    other: int
    """The card that it is compared with: for a hint the best one that is not ``alike``, if any."""
    difference: float
    """Points of the stage that ``best`` brings more; at least 0."""
    error: float
    """The standard error of ``difference``."""
    alike: tuple[int, ...]
    """Other cards that are as good as ``best``, ascending."""
    life_preservers: int
    """What the seat has left. Without any, the risk is not to lose one but to be eliminated."""
    reason: CardReason
    """Why ``best`` brings more than ``other``."""

    @property
    def sure(self) -> bool:
        """Whether the difference is more than chance."""
        return self.difference > SURE * self.error

    def of(self, card: int) -> CardEstimate:
        """Return what this card of the hand brings."""
        return next(each for each in self.cards if each.card == card)


class HintQuestion(NamedTuple):
    """A request for what each card brings to a player who knows this."""

    view: SeatView
    """The seat's view, without who has bid already; at least two cards in the hand."""
    history: History

    @property
    def strategy(self) -> str:
        """The bot whose opinion is asked, as in ``engine.bots.Question``."""
        return JUDGE.bot

    def answer(self, _choose: Choose) -> Analysis:
        """Return the estimate; always the same for the same question."""
        from engine.bots.analysis import analyse

        view = self.view
        place = f"{view.seat} {view.table.stage} {view.table.round}"
        return analyse(view, self.history, random.Random(place))


def from_plain(*plain: Any) -> Analysis:
    """Return the estimate again, from its fields as JSON has them."""
    found = Analysis(*plain)
    cards = tuple(CardEstimate(*card) for card in found.cards)
    reason = reason_from_plain(*found.reason)
    return found._replace(cards=cards, alike=tuple(found.alike), reason=reason)


def reason_from_plain(kind: str, *told: Any) -> CardReason:
    """Return the reason again, likewise."""
    return CardReason(Why(kind), *told)


def to_json(found: Analysis) -> dict[str, Any]:
    """Return an estimate as a JSON object (docs/api.md)."""
    cards = [
        {name: round(value, 3) for name, value in card._asdict().items()} for card in found.cards
    ]
    numbers = {"difference": round(found.difference, 3), "error": round(found.error, 3)}
    told = {"cards": cards, **numbers, "reason": reason_to_json(found.reason)}
    return found._asdict() | told | {"sure": found.sure}


def reason_to_json(reason: CardReason) -> dict[str, Any]:
    """Return a reason likewise."""
    share = None if reason.share is None else round(reason.share, 3)
    return reason._replace(share=share)._asdict()
