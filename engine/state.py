"""The whole truth about a game in progress: immutable, complete but for the tide deck and for sealed bids.

Players, bots and spectators never get one of these: see ``engine.views``. The tuples are indexed by seat.
Named tuples rather than frozen dataclasses, which take twice as long to make: a game makes hundreds.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from engine.editions import HIGHEST_TIDE, Rules
from engine.results import RoundResult, StageResult

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
        """Who is out of this stage."""
        return tuple([level is None for level in self.levels])

    @property
    def inside(self) -> int:
        """How many players are still in it."""
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
