"""The whole truth about a game in progress: immutable, complete but for the tide deck.

Players, bots and spectators never get one of these: see ``engine.views``. The tuples are indexed by
seat. Plain named tuples rather than dataclasses: a game makes hundreds of states, and ``apply`` is the
engine's hot path (``bench/``).
"""

from enum import StrEnum
from typing import NamedTuple

from engine.editions import Rules
from engine.results import RoundResult, StageResult

Cards = tuple[int, ...]


class Phase(StrEnum):
    """What the game waits for."""

    TIDES = "tides"
    """The next two tide cards."""
    BIDDING = "bidding"
    """The bids of a round."""
    OVER = "over"
    """Nothing: the last stage has been scored."""


class StageState(NamedTuple):
    """One pass of all hands, in progress (or the last one, when the game is over)."""

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
    bids: tuple[int, ...]
    """Sealed bids; 0 where there is none."""
    missing: int
    """How many bids the round still waits for."""
    offer: tuple[int, int] | None
    """The tide cards turned up, lower first; ``None`` between rounds."""
    turned: int
    """Copies of each tide card turned up in this stage: two bits a tide card, at bit ``2 * card``."""
    rounds: tuple[RoundResult, ...]
    """Resolved rounds."""


class GameState(NamedTuple):
    """A game: its rules, what was dealt, what is finished, and the stage in progress."""

    rules: Rules
    deal: tuple[Cards, ...]
    """The hand dealt to each seat before the first stage, ascending."""
    phase: Phase
    finished: tuple[StageResult, ...]
    scores: tuple[int, ...]
    """Totals over the finished stages."""
    stage: StageState

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats that share the win, ascending; empty before the game is over."""
        if self.phase is not Phase.OVER:
            return ()
        best = max(self.scores)
        return tuple(seat for seat, score in enumerate(self.scores) if score == best)
