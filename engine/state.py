"""The whole truth about a game in progress: immutable, complete but for the tide deck.

Players, bots and spectators never get one of these: see ``engine.views``. The tuples are indexed by
seat. Plain named tuples rather than dataclasses: a game makes hundreds of states, and ``apply`` is the
engine's hot path (``bench/``). What tides and bids change lies in ``GameState`` itself, what only a reveal
changes in its ``stage``, so that each step builds no more than it must.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from engine.editions import Rules
from engine.results import RoundResult, StageResult

Cards = tuple[int, ...]

build: Final = tuple.__new__
"""``build(GameState, fields)`` makes a named tuple of a tuple of *all* its fields, in two thirds of the time
that calling the class takes. For the hot path only: nothing checks the fields' number, order or types."""


class Phase(StrEnum):
    """What the game waits for."""

    TIDES = "tides"
    """The next two tide cards."""
    BIDDING = "bidding"
    """The bids of a round."""
    OVER = "over"
    """Nothing: the last stage has been scored."""


class StageState(NamedTuple):
    """One pass of all hands, as the last reveal left it (when the game is over, the last stage)."""

    number: int
    """From 0."""
    hands: tuple[Cards, ...]
    """Cards not yet revealed a seat, ascending; an eliminated seat's stay as they were set aside."""
    start: tuple[int, ...]
    """Life preservers at the start of the stage."""
    life_preservers: tuple[int, ...]
    levels: tuple[int, ...]
    """Top tide card; 0 when there is none, or the seat is eliminated."""
    eliminated: tuple[bool, ...]
    rounds: tuple[RoundResult, ...]
    """Resolved rounds."""


class GameState(NamedTuple):
    """A game: its rules, what was dealt, what is finished, the stage in progress and its open round."""

    rules: Rules
    deal: tuple[Cards, ...]
    """The hand dealt to each seat before the first stage, ascending."""
    phase: Phase
    finished: tuple[StageResult, ...]
    scores: tuple[int, ...]
    """Totals over the finished stages."""
    stage: StageState
    turned: tuple[int, ...]
    """Tide cards turned up in this stage, those on offer included."""
    offer: tuple[int, int] | None
    """The tide cards on offer, lower first; ``None`` between rounds."""
    choices: tuple[Cards, ...]
    """The cards that each seat may bid now, ascending: none when eliminated, none between rounds."""
    bids: tuple[int, ...]
    """Sealed bids; 0 where there is none."""
    missing: int
    """How many bids the open round, or the next one, waits for."""

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats that share the win, ascending; empty before the game is over."""
        if self.phase is not Phase.OVER:
            return ()
        best = max(self.scores)
        return tuple(seat for seat, score in enumerate(self.scores) if score == best)
