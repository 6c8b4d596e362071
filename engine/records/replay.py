"""Fold a record: play it again through ``engine.rules``, step by step, and check it against its seed.

Codes of ``RecordError`` raised here: those of ``BadDeal`` and ``IllegalAction``, and
``missing_tides`` (bids of a round without tides), ``missing_bids`` (a later round follows),
``missing_bid`` (of one seat), ``stage_not_over`` (the next one follows), ``stage_over``,
``game_over`` (play goes on all the same).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from engine.deal import ALGORITHM, SEED_BYTES, deal_game, verify
from engine.errors import BadDeal, IllegalAction, RecordError
from engine.records.record_format import Record, StageRecord
from engine.rules import (
    Event,
    RoundResolved,
    StageStarted,
    TidesTurned,
    events_of,
    new_game,
    reveal,
    turn_tides,
)
from engine.state import GameState, Phase, RoundResult


class StepKind(StrEnum):
    """What a step of a replay shows."""

    START = "start"
    """The hands are dealt."""
    TIDES = "tides"
    """Two tide cards are turned up."""
    REVEAL = "reveal"
    """All bids of a round are in and resolved; the next stage may have started."""


class ReplayStep(NamedTuple):
    """One thing that happened, and the game after it. ``stage`` and ``round`` count from 0."""

    kind: StepKind
    stage: int
    round: int
    state: GameState

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, in order."""
        return events_of(self.state)


@dataclass(frozen=True, slots=True)
class Replay:
    """A folded record. A position in it is an index into ``steps``."""

    record: Record
    steps: tuple[ReplayStep, ...]

    @property
    def last(self) -> GameState:
        """The game as the record leaves it."""
        return self.steps[-1].state

    def forward(self, position: int) -> int:
        """Go one step on; the last position stays."""
        return min(position + 1, len(self.steps) - 1)

    def back(self, position: int) -> int:
        """Go one step back; the first position stays."""
        return max(position - 1, 0)

    def find(self, stage: int, round_: int = 0) -> int:
        """Return the position at which the tides of a round (both from 0) have been turned up.

        Where the record does not go so far: the last position before. Before the beginning: 0.
        """
        found = 0
        for position, step in enumerate(self.steps):
            if step.kind is StepKind.TIDES and (step.stage, step.round) <= (stage, round_):
                found = position
        return found


class Moment(NamedTuple):
    """One place in a replay. Stages and rounds count from 0."""

    event: Event
    """What has just happened."""
    stage: int
    round: int
    state: GameState
    """Before the bids, where they are revealed; else after what has happened."""
    result: RoundResult | None
    """Result of the round whose tides are on offer or whose bids are revealed, if the record goes so far."""

    @property
    def reveals(self) -> bool:
        """The bids are turned up."""
        return isinstance(self.event, RoundResolved)

    def bid_of(self, seat: int) -> int:
        """Return what a seat bids in the round that is being shown; 0 for nothing, and for spectators."""
        return (self.result.bids[seat] or 0) if self.result and seat >= 0 else 0


def moments_of(replay: Replay) -> Iterator[Moment]:
    """Return the places of a replay, one for each event."""
    before = last = replay.last
    results = [*(stage.rounds for stage in last.finished), last.stage.rounds]
    for step in replay.steps:
        for event in step.events:
            stage, round_, state, result = step.stage, step.round, step.state, None
            if isinstance(event, StageStarted):
                stage, round_ = event.stage, 0
            elif isinstance(event, TidesTurned | RoundResolved):
                result = next(iter(results[stage][round_:]), None)
                state = before if isinstance(event, RoundResolved) else state
            yield Moment(event, stage, round_, state, result)
        before = step.state


def fold(record: Record) -> Replay:
    """Play ``record`` from the deal to its end. Raises ``RecordError``."""
    return Replay(record, tuple(_steps(record)))


def _steps(record: Record) -> Iterator[ReplayStep]:
    try:
        state = new_game(record.rules, record.deal)
    except BadDeal as error:
        raise _placed(error) from None
    yield ReplayStep(StepKind.START, 0, 0, state)
    for number, stage in enumerate(record.stages):
        if state.phase is Phase.OVER:
            raise RecordError("game_over", stage=number)
        if state.stage.number != number:
            raise RecordError("stage_not_over", stage=number - 1, round_=len(state.stage.rounds))
        for step in _stage_steps(state, number, stage):
            state = step.state
            yield step


def _stage_steps(state: GameState, number: int, stage: StageRecord) -> Iterator[ReplayStep]:
    for round_ in range(max(len(stage.tides), len(stage.bids))):
        if state.stage.number != number or state.phase is Phase.OVER:
            raise RecordError("stage_over", stage=number, round_=round_)
        if round_ >= len(stage.tides):
            raise RecordError("missing_tides", stage=number, round_=round_)
        try:
            state = turn_tides(state, stage.tides[round_])
            yield ReplayStep(StepKind.TIDES, number, round_, state)
            if round_ < len(stage.bids):
                state = reveal(state, stage.bids[round_])
                yield ReplayStep(StepKind.REVEAL, number, round_, state)
            elif round_ + 1 < len(stage.tides):
                raise RecordError("missing_bids", stage=number, round_=round_)
        except IllegalAction as error:
            raise _placed(error, number, round_) from None


def _placed(
    error: BadDeal | IllegalAction, stage: int | None = None, round_: int | None = None
) -> RecordError:
    details = dict(error.details)
    seat = details.pop("seat", None)
    assert seat is None or isinstance(seat, int)
    return RecordError(error.code, stage=stage, round_=round_, seat=seat, **details)


# ------------------------------------------------------------------------------ against the seed


class Doubt(StrEnum):
    """Why a record is not proved fair."""

    NO_SEED = "no_seed"
    NO_COMMITMENT = "no_commitment"
    """There is a seed, but nothing that was published before the game."""
    UNKNOWN_ALGORITHM = "unknown_algorithm"
    BAD_SEED = "bad_seed"
    """Not 32 bytes in hexadecimal."""
    COMMITMENT = "commitment"
    """It was made from another seed, or for other rules."""
    HAND = "hand"
    """The seed deals another hand to this seat."""
    TIDES = "tides"
    """The seed turns up other tides in this round."""


class Finding(NamedTuple):
    """One doubt, and where; ``stage``, ``round`` and ``seat`` count from 0, -1 where not meant."""

    doubt: Doubt
    stage: int = -1
    round: int = -1
    seat: int = -1


def check_seed(record: Record) -> tuple[Finding, ...]:
    """Return everything in which ``record`` and its seed differ; empty when the deal is proved fair.

    Says nothing about the play: ``fold`` does. Raises nothing.
    """
    fields = record.fields()
    written, published = fields.get("seed"), fields.get("commitment")
    algorithm = fields.get("algorithm", ALGORITHM)
    if written is None:
        return (Finding(Doubt.NO_SEED),)
    if isinstance(algorithm, bool) or algorithm != ALGORITHM:
        return (Finding(Doubt.UNKNOWN_ALGORITHM),)
    seed = _seed(written)
    if seed is None:
        return (Finding(Doubt.BAD_SEED),)
    return (*_check_commitment(record, published, seed), *_check_cards(record, seed))


def _seed(written: object) -> bytes | None:
    try:
        # ``fromhex`` lets spaces pass; a seed has none.
        seed = bytes.fromhex(written) if isinstance(written, str) else b""
    except ValueError:
        return None
    return seed if len(seed) == SEED_BYTES and len(str(written)) == 2 * SEED_BYTES else None


def _check_commitment(record: Record, published: object, seed: bytes) -> Iterator[Finding]:
    if published is None:
        yield Finding(Doubt.NO_COMMITMENT)
    elif not isinstance(published, str) or not verify(published, seed, record.rules):
        yield Finding(Doubt.COMMITMENT)


def _check_cards(record: Record, seed: bytes) -> Iterator[Finding]:
    deal = deal_game(seed, record.rules)
    for seat, hand in enumerate(deal.hands):
        if seat >= len(record.deal) or tuple(sorted(record.deal[seat])) != hand:
            yield Finding(Doubt.HAND, seat=seat)
    for number, stage in enumerate(record.stages):
        for round_, pair in enumerate(stage.tides):
            if number >= record.rules.stages or round_ >= record.rules.rounds:
                return  # more than can be played: ``fold`` says so
            if sorted(pair) != sorted(deal.offer(number, round_)):
                yield Finding(Doubt.TIDES, number, round_)
