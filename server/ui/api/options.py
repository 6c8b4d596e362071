"""A table's options as a program gives them: only those that it wants otherwise."""

from dataclasses import replace
from typing import Annotated

from msgspec import Meta, Struct

from engine.editions import Edition, Rules, player_range
from server.coordinator.messages import DAY, DEFAULT_SECONDS, Pace, Spectating, TableOptions

_Few = Annotated[int, Meta(ge=0, le=99)]
_Seconds = Annotated[int, Meta(ge=0, lt=1 << 31)]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What is not said stays as it is, or is as usual at a new table."""

    edition: Edition | None = None
    players: _Few | None = None
    stages: _Few | None = None
    modified_drowning: bool | None = None
    assistance: bool | None = None
    pace: Pace | None = None
    seconds: _Seconds | None = None
    rated: bool | None = None
    spectators: Spectating | None = None


def chosen(start: TableOptions, wanted: Options) -> TableOptions:
    """``start`` with what is wanted otherwise. Raises ``BadRules`` for a game that does not exist."""
    pace = wanted.pace or start.pace
    return replace(
        start,
        rules=_rules(start.rules, wanted),
        pace=pace,
        seconds=_seconds(start, pace) if wanted.seconds is None else wanted.seconds,
        rated=start.rated if wanted.rated is None else wanted.rated,
        spectators=wanted.spectators or start.spectators,
    )


def _rules(start: Rules, wanted: Options) -> Rules:
    edition = wanted.edition or start.edition
    players, stages, modified = wanted.players, wanted.stages, wanted.modified_drowning
    if players is None:
        # An edition with fewer seats takes as many as it has.
        players = min(start.players, player_range(edition)[-1])
    if stages is None:
        stages = 0 if start.stages == start.players else start.stages
    if modified is None:
        modified = start.modified_drowning and edition is Edition.BGA
    assistance = start.assistance if wanted.assistance is None else wanted.assistance
    return Rules(edition, players, stages, modified, assistance)


def _seconds(start: TableOptions, pace: Pace) -> int:
    """What is usual, where another pace is wanted and no time with it."""
    if pace is start.pace:
        return start.seconds
    return DAY if pace is Pace.CORRESPONDENCE else DEFAULT_SECONDS
