"""Outcomes of records (docs/records.md): the referee's report, the result of a game, and the game as one of
its players knows it while the deal is still secret.

The rules are those of ``engine.rules``: this only folds a record and reads off what happened.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.editions import Edition, Rules
from engine.records.record_format import Record, StageRecord, parse
from engine.records.replay import Replay, ReplayStep, fold
from engine.rules import dealt_hand_of
from engine.state import Cards, GameState, Phase, RoundResult, StageResult, StageState


class StageReport(NamedTuple):
    """One stage that stands in the record."""

    life_preservers: tuple[int, ...]
    """At the start, a seat."""
    rounds: tuple[RoundResult, ...]
    """Rounds that have been resolved."""
    result: StageResult | None
    """``None`` while the stage is not complete."""
    scores: tuple[int, ...]
    """Totals so far; of the stages before while this one is not complete."""


class Report(NamedTuple):
    """What a record comes to."""

    record: Record
    complete: bool
    """All planned stages are complete."""
    stages: tuple[StageReport, ...]
    """Stages that stand in the record."""
    offer: tuple[int, int] | None
    """Tides turned up for a round that the record does not have, lower first."""
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    """Seats; empty before the game is complete."""


def resolve(record: Record) -> Report:
    """Play ``record`` and report. Raises ``RecordError``."""
    return report_of(fold(record))


def resolve_text(data: bytes | str) -> Report:
    """Read and play one record. Raises ``RecordError``, and nothing else."""
    return resolve(parse(data))


def report_of(replay: Replay) -> Report:
    """Return the report of a record that has been folded already."""
    last = replay.last
    stages = [StageReport(done.start, done.rounds, done, done.scores) for done in last.finished]
    # The rules have the next stage started at once; it is reported when the record has begun it.
    if len(replay.record.stages) > len(stages):
        stages.append(_in_progress(last))
    return Report(
        replay.record,
        last.phase is Phase.OVER,
        tuple(stages),
        last.offer,
        last.scores,
        last.winners,
    )


def _in_progress(state: GameState) -> StageReport:
    return StageReport(state.stage.start, state.stage.rounds, None, state.scores)


def to_json(report: Report) -> dict[str, Any]:
    """Return the report as a JSON object (docs/records.md, "The referee's output")."""
    return {
        "complete": report.complete,
        "stages": [
            {
                "life_preservers": list(stage.life_preservers),
                "rounds": [_round_json(result) for result in stage.rounds],
                "points": list(stage.result.points) if stage.result else None,
                "scores": list(stage.scores),
            }
            for stage in report.stages
        ],
        "scores": list(report.scores),
        "winners": list(report.winners),
    }


def _round_json(result: RoundResult) -> dict[str, Any]:
    return {
        # Level 0 is "no tide card", and that is null as well.
        "levels": [level or None for level in result.levels],
        "life_preservers": list(result.life_preservers),
        "lost": list(result.lost),
        "eliminated": list(result.eliminated),
    }


TUTORIAL_RULES: Final = Rules(Edition.AMIGO, players=4, stages=1)
"""What a tutorial is played by: alone against bots, without a clock."""


class SeatResult(NamedTuple):
    """One seat of a finished game."""

    name: str
    """Name as it stands in the record: clean it before a terminal sees it."""
    kind: str
    """``human``, ``program``, ``bot``, ``left`` (a bot played on for a player who left) or ``joined`` (a
    player played on for a bot: no such game counts for that player's statistics); empty when not known."""
    score: int
    place: int
    """1 for the winners, 2 for whoever only they are ahead of ...; 0 when the game was not finished, and for
    who ``left`` it: what a bot then made of it is nobody's place.
    """


class HandResult(NamedTuple):
    """What one seat made of one hand, in one complete stage. Everything counts from 0."""

    stage: int
    seat: int
    hand: int
    """The seat to which it was dealt: hands are passed on, so everybody plays every hand."""
    points: int


class GameResult(NamedTuple):
    """A game that is over."""

    edition: str
    complete: bool
    """Played to the end, and not broken off."""
    rated: bool
    seats: tuple[SeatResult, ...]
    hands: tuple[HandResult, ...]
    tutorial: bool
    """It counts for nobody's statistics."""
    again: bool = False
    """Nor does this: the deal was known from an earlier game."""


def result_of(text: str | bytes) -> tuple[Record, GameResult]:
    """Return the record in ``text``, and what it comes to. Raises ``RecordError``."""
    record = parse(text)
    report, fields, players = resolve(record), record.fields(), record.rules.players
    kinds, scores = kinds_of(fields, players), report.scores
    places = [
        1 + sum(other > score for other in scores) if report.complete and kind != "left" else 0
        for score, kind in zip(scores, kinds, strict=True)
    ]
    hands = tuple(
        HandResult(number, seat, dealt_hand_of(seat, number, players), points)
        for number, stage in enumerate(report.stages)
        if stage.result is not None
        for seat, points in enumerate(stage.result.points)
    )
    seats = tuple(map(SeatResult, record.players, kinds, scores, places))
    rated = fields.get("rated") is True and report.complete
    # What the guide comes along to: one person and bots, one stage, no clock. Records have no field for it,
    # so a game that somebody set up exactly like that is one, too.
    alone = kinds.count("bot") == len(kinds) - 1 and "event" not in fields
    tutorial = alone and record.rules == TUTORIAL_RULES and fields.get("pace") == "untimed"
    edition = record.rules.edition.value
    again = fields.get("again") is True
    return record, GameResult(edition, report.complete, rated, seats, hands, tutorial, again)


def bot_bids_of(fields: Mapping[str, Any], players: int) -> list[tuple[tuple[int, int], ...]]:
    """Return each seat's stages and rounds (from 0) in which a bot bid for its player, as the record has
    them.
    """
    seats = fields.get("seats")
    if not isinstance(seats, list) or len(seats) != players:
        return [()] * players
    told = [seat.get("bot_bids") if isinstance(seat, dict) else None for seat in seats]
    return [
        tuple((each[0] - 1, each[1] - 1) for each in rounds if _is_round(each))
        if isinstance(rounds, list)
        else ()
        for rounds in told
    ]


def _is_round(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(it) is int for it in value)


def kinds_of(fields: Mapping[str, Any], players: int) -> list[str]:
    """Return the kind of each seat (``SeatResult.kind``), as far as the record tells; fields may have any
    form.
    """
    seats = fields.get("seats")
    if not isinstance(seats, list) or len(seats) != players:
        return [""] * players
    kinds = [seat.get("kind") if isinstance(seat, dict) else seat for seat in seats]
    return [kind if kind in ("human", "program", "bot", "left", "joined") else "" for kind in kinds]


UNKNOWN: Final = 0
"""Stands for a card that the player has never seen."""
_PUBLIC: Final = ("table", "commitment", "ended", "event")
"""Fields of a record that everybody at the table could read."""


class OwnGame(NamedTuple):
    """The cards of a game that its player has seen."""

    hands: tuple[Cards, ...]
    """The own hand as it was dealt, a stage each."""
    stages: tuple[StageRecord, ...]


def own_replay(replay: Replay, seat: int) -> Replay:
    """Return the game with nothing in it that ``seat`` does not know. Its record has no format: what it
    leaves out, a record cannot.
    """
    record, players = replay.record, replay.record.rules.players
    held = {dealt_hand_of(seat, stage, players) for stage in range(replay.last.stage.number + 1)}
    deal = tuple(
        hand if number in held else _hidden(hand) for number, hand in enumerate(replay.last.deal)
    )
    fields = record.fields()
    told = {name: fields[name] for name in _PUBLIC if isinstance(fields.get(name), str)}
    told["seats"] = kinds_of(fields, players)
    return Replay(
        Record(record.rules, record.players, deal, record.stages, json.dumps(told)),
        tuple(
            ReplayStep(step.kind, step.stage, step.round, _known(step.state, deal, seat))
            for step in replay.steps
        ),
    )


def own_game(replay: Replay, seat: int) -> OwnGame:
    """Return what ``seat`` has seen of a game."""
    record = replay.record
    numbers = range(len(record.stages))
    hands = [replay.last.deal[dealt_hand_of(seat, n, record.rules.players)] for n in numbers]
    return OwnGame(tuple(hands), record.stages)


def _known(state: GameState, deal: tuple[Cards, ...], seat: int) -> GameState:
    stage = state.stage
    hands = [hand if n == seat else _hidden(hand) for n, hand in enumerate(stage.hands)]
    return GameState(
        state.rules,
        deal,
        state.finished,
        StageState(
            stage.number,
            tuple(hands),
            stage.start,
            stage.life_preservers,
            stage.levels,
            stage.rounds,
        ),
        state.offer,
        state.over,
        state.turned,
    )


def _hidden(hand: Cards) -> Cards:
    return (UNKNOWN,) * len(hand)
