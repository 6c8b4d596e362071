"""What happened, which follows from the state afterwards. Every event here is public."""

from typing import NamedTuple

from engine.results import RoundResult, StageResult
from engine.state import GameState, made


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


def events_of(state: GameState) -> tuple[Event, ...]:
    """What happened in the step of ``engine.rules`` that led to ``state``, in order."""
    _, _, finished, stage, offer, over, _ = state
    number, rounds = stage.number, stage.rounds
    if offer is not None:
        return (made(TidesTurned, (number, len(rounds), offer)),)
    if rounds and not over:
        return (made(RoundResolved, (number, len(rounds) - 1, rounds[-1])),)
    started = StageStarted(number, stage.start)
    if not finished:
        return (started,)
    scored, ended = finished[-1], len(finished) - 1
    return (
        RoundResolved(ended, len(scored.rounds) - 1, scored.rounds[-1]),
        StageScored(ended, scored),
        GameOver(state.scores, state.winners) if over else started,
    )
