"""A game in progress: the whole truth about it, and the public results of its rounds and stages (rules.md,
"Who knows what").

Players, bots and spectators never get a ``GameState``, only ``engine.views``. It is immutable, and complete
but for the tide deck and sealed bids. Every tuple of one item a seat is indexed by seat. A level is 0 where
there is no tide card, and ``None`` for an eliminated seat. Named tuples take half as long to make as frozen
dataclasses: a game makes hundreds.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from engine.editions import HIGHEST_TIDE, Rules


class LossEnd(StrEnum):
    """Why the loss of a round went no further (rules.md, "Eliminations: passing the loss on")."""

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
    def losers(self) -> tuple[int, ...]:
        """Seats that turned a life preserver over in this round or were eliminated, loss after loss."""
        return tuple([seat for loss in self.losses for seat in (*loss.lost, *loss.eliminated)])

    @property
    def lost(self) -> tuple[int, ...]:
        """Seats that turned a life preserver over in this round, ascending."""
        return tuple(sorted([seat for loss in self.losses for seat in loss.lost]))

    @property
    def eliminated(self) -> tuple[int, ...]:
        """Seats eliminated in this round, ascending."""
        return tuple(sorted([seat for loss in self.losses for seat in loss.eliminated]))


class StageResult(NamedTuple):
    """A finished stage and its points (rules.md, "Special cases")."""

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


Cards = tuple[int, ...]

made: Final = tuple.__new__
"""A named tuple of a class from its fields in order, in half the time that a call of the class takes."""


class Phase(StrEnum):
    """What the game waits for."""

    TIDES = "tides"
    """The next two tide cards."""
    BIDDING = "bidding"
    """The bids of a round."""
    OVER = "over"
    """Nothing: the last stage has been scored."""


class StageState(NamedTuple):
    """One pass of all hands, as the last round left it (when the game is over, the last stage)."""

    number: int
    """From 0."""
    hands: tuple[Cards, ...]
    """Cards not yet revealed a seat, ascending; none when eliminated."""
    start: tuple[int, ...]
    """Life preservers at the start of the stage."""
    life_preservers: tuple[int, ...]
    levels: tuple[int | None, ...]
    """Top tide card; 0 when there is none, ``None`` when eliminated."""
    rounds: tuple[RoundResult, ...] = ()
    """Resolved rounds."""

    @property
    def eliminated(self) -> tuple[bool, ...]:
        """Whether each seat is out of this stage."""
        return tuple([level is None for level in self.levels])

    @property
    def inside(self) -> int:
        """Number of players still in this stage."""
        return len(self.levels) - self.levels.count(None)


class GameState(NamedTuple):
    """A game: its rules, what was dealt, what is finished, the stage in progress and the tides on offer."""

    rules: Rules
    deal: tuple[Cards, ...]
    """The hand dealt to each seat before the first stage, ascending."""
    finished: tuple[StageResult, ...]
    stage: StageState
    offer: tuple[int, int] | None = None
    """The tide cards on offer, lower first; ``None`` between rounds."""
    over: bool = False
    """Whether the last stage has been scored."""
    turned: tuple[int, ...] = (0,) * (HIGHEST_TIDE + 1)
    """How often each tide card has come in this stage, those on offer included; indexed by its level."""

    @property
    def phase(self) -> Phase:
        """What the game waits for."""
        if self.offer is not None:
            return Phase.BIDDING
        return Phase.OVER if self.over else Phase.TIDES

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals over the finished stages."""
        return self.finished[-1].scores if self.finished else (0,) * self.rules.players

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats that share the win, ascending; empty before the game is over."""
        if not self.over:
            return ()
        best = max(self.scores)
        return tuple(seat for seat, score in enumerate(self.scores) if score == best)
