"""Resolve a record, also one typed in from a real table, to everything that follows from it.

The rules are those of ``engine.rules``: this only folds a record and reads off what happened.
"""

from typing import Any, NamedTuple

from engine.records.record_format import Record, parse
from engine.records.replay import Replay, fold
from engine.state import GameState, Phase, RoundResult, StageResult


class StageReport(NamedTuple):
    """One stage that stands in the record."""

    life_preservers: tuple[int, ...]
    """At the start, a seat."""
    rounds: tuple[RoundResult, ...]
    """Those that have been resolved."""
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
    """Those that stand in the record."""
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
    """The report of a record that has been folded already."""
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
    """The report as a JSON object (docs/records.md, "What the referee answers")."""
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
