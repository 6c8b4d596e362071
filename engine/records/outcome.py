"""What a finished game comes to, which follows from its record (docs/records.md): scores, places, hands, and
whom it counts for.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.editions import Edition, Rules
from engine.records.record_format import Record, parse
from engine.records.referee import resolve
from engine.rules import dealt_hand_of

TUTORIAL_RULES: Final = Rules(Edition.AMIGO, players=4, stages=1)
"""What a tutorial is played by: alone against bots, without a clock."""


class SeatResult(NamedTuple):
    """One seat of a finished game."""

    name: str
    """As it stands in the record: clean it before a terminal sees it."""
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
    """The record in ``text``, and what it comes to. Raises ``RecordError``."""
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
    """Each seat's stages and rounds (from 0) in which a bot bid for its player, as the record has them."""
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
    """Who sat there, as far as the record tells. Nothing in it is certain to have any form."""
    seats = fields.get("seats")
    if not isinstance(seats, list) or len(seats) != players:
        return [""] * players
    kinds = [seat.get("kind") if isinstance(seat, dict) else seat for seat in seats]
    return [kind if kind in ("human", "program", "bot", "left", "joined") else "" for kind in kinds]
