"""What happened: the answer of ``rules.apply``. Every event here is public.

A sealed bid's card appears in no event before ``RoundResolved``; its owner reads it in the seat view.
"""

from typing import NamedTuple

from engine.results import RoundResult, StageResult


class StageStarted(NamedTuple):
    """Hands are dealt or passed on and everybody is back in. ``stage`` counts from 0."""

    stage: int
    life_preservers: tuple[int, ...]


class TidesTurned(NamedTuple):
    """Two tide cards are on offer, lower first. ``stage`` and ``round`` count from 0."""

    stage: int
    round: int
    offer: tuple[int, int]


class BidSealed(NamedTuple):
    """``seat`` has bid for the first time in this round. A replacement is no event: nobody may see it."""

    seat: int


class RoundResolved(NamedTuple):
    """All bids revealed, tides taken, the loss paid or not. ``stage`` and ``round`` count from 0."""

    stage: int
    round: int
    result: RoundResult


class StageScored(NamedTuple):
    """A stage is over. ``stage`` counts from 0."""

    stage: int
    result: StageResult


class GameOver(NamedTuple):
    """The last stage has been scored."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]


Event = StageStarted | TidesTurned | BidSealed | RoundResolved | StageScored | GameOver
