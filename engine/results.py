"""What a resolved round and a finished stage leave behind, all of it public (rules.md, "What is public").

Every tuple that is "a seat" long is indexed by seat. Levels: 0 is "no tide card", ``None`` eliminated.
"""

from enum import StrEnum
from typing import NamedTuple


class LossEnd(StrEnum):
    """Why the loss of a round went no further (rules.md, "Passing the loss on" and "Corners")."""

    PAID = "paid"
    """Somebody turned a life preserver over."""
    NO_TIDE = "no_tide"
    """Nobody still in shows a tide card."""
    TWO_LEFT = "two_left"
    """Nobody paid, but only two players (or fewer) are left."""
    NOT_PASSED_ON = "not_passed_on"
    """Nobody paid, and this edition does not pass the loss on."""


class Loss(NamedTuple):
    """One step of a round's loss: everyone at the highest level then acts at the same moment."""

    level: int
    """The highest level among the seats still in."""
    lost: tuple[int, ...]
    """Seats that turned one life preserver over, ascending."""
    eliminated: tuple[int, ...]
    """Seats that had none left to turn over, ascending."""


class RoundResult(NamedTuple):
    """A revealed and resolved round."""

    offer: tuple[int, int]
    """The two tide cards, lower first."""
    bids: tuple[int | None, ...]
    """The revealed weather card a seat; ``None`` for who was eliminated before."""
    takers: tuple[int, int]
    """The seat that took the lower tide card, and the one that took the higher."""
    levels: tuple[int | None, ...]
    """Tide level a seat when the round is over."""
    life_preservers: tuple[int, ...]
    """Left a seat when the round is over; 0 when eliminated."""
    losses: tuple[Loss, ...]
    """The loss, and then each passing on of it; empty when nobody shows a tide card."""
    loss_end: LossEnd

    @property
    def lost(self) -> tuple[int, ...]:
        """Seats that turned a life preserver over in this round, ascending."""
        return tuple(sorted([seat for loss in self.losses for seat in loss.lost]))

    @property
    def eliminated(self) -> tuple[int, ...]:
        """Seats eliminated in this round, ascending."""
        return tuple(sorted([seat for loss in self.losses for seat in loss.eliminated]))


class StageResult(NamedTuple):
    """A finished stage and its points (rules.md, "Corners, settled")."""

    start: tuple[int, ...]
    """Life preservers a seat at the start."""
    rounds: tuple[RoundResult, ...]
    eliminated: tuple[bool, ...]
    bonus: tuple[int, ...]
    """Seats that got the bonus point for the lowest level, ascending."""
    points: tuple[int, ...]
    """Points of this stage a seat: preservers left (or -1), and the bonus."""
    scores: tuple[int, ...]
    """Totals a seat after this stage."""

    @property
    def life_preservers(self) -> tuple[int, ...]:
        """Left a seat at the end."""
        return self.rounds[-1].life_preservers
