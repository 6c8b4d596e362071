"""What happened: the answer of ``engine.rules``. Every event here is public."""

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


Event = StageStarted | TidesTurned | RoundResolved | StageScored | GameOver
