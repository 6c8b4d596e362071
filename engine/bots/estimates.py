"""What an estimate of the cards of a hand comes to (``engine.bots.analysis`` makes it, and needs numpy)."""

from typing import Final, NamedTuple

SURE: Final = 2.0
"""A difference of fewer standard errors is too close to call."""


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


class Analysis(NamedTuple):
    """All cards of a hand, and two of them compared. Stages and rounds count from 0."""

    stage: int
    round: int
    cards: tuple[CardEstimate, ...]
    """As they are in the hand, ascending."""
    best: int
    """The card that brings the most."""
    other: int
    """The card that it is compared with: for a hint the best one that can be told apart from it, if any."""
    difference: float
    """How many points of the stage ``best`` brings more; at least 0."""
    error: float
    """The standard error of ``difference``."""
    alike: tuple[int, ...]
    """Other cards that cannot be told apart from ``best``, ascending."""
    life_preservers: int
    """What the seat has left. Without any, the risk is not to lose one but to be eliminated."""

    @property
    def sure(self) -> bool:
        """Whether the difference is more than chance."""
        return self.difference > SURE * self.error

    def of(self, card: int) -> CardEstimate:
        """What this card of the hand brings."""
        return next(each for each in self.cards if each.card == card)
