"""What an estimate of the cards of a hand comes to (``engine.bots.analysis`` makes it, and needs numpy)."""

from enum import StrEnum
from typing import Final, NamedTuple

from engine.bots.registry import BOTS

SURE: Final = 2.0
"""A difference of fewer standard errors is too close to call."""


class Judge(NamedTuple):
    """Whose opinion hints and reviews are. Another version may estimate otherwise."""

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
    """It most often takes a tide that the other one leaves to somebody else, and stands lower with it."""
    LEAVES = "leaves"
    """It most often leaves a tide to somebody else that the other one takes, and stands lower without it."""
    SAFER = "safer"
    """It less often loses a life preserver in this round, or the stage."""
    LATER = "later"
    """Nothing in this round: the other card is worth more in a later one."""


class CardReason(NamedTuple):
    """Why ``best`` is better than ``other``, by what most often comes of both in this round."""

    kind: Why
    tide: int | None = None
    """The tide card that is taken or left."""
    seat: int | None = None
    """To whom it is left, if that is mostly the same seat."""
    share: float | None = None
    """How often ``best`` takes it, or how often that seat or any other does; 0 to 1."""


class Analysis(NamedTuple):
    """All cards of a hand, and two of them compared. Stages and rounds count from 0."""

    stage: int
    round: int
    cards: tuple[CardEstimate, ...]
    """As they are in the hand, ascending."""
    best: int
    """The card that brings the most."""
    other: int
    """The card that it is compared with: for a hint the best one that is not ``alike``, if any."""
    difference: float
    """How many points of the stage ``best`` brings more; at least 0."""
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
        """What this card of the hand brings."""
        return next(each for each in self.cards if each.card == card)
