"""Changing a table's options one step at a time, so that they always make a game that exists."""

from dataclasses import replace
from enum import Enum, auto
from typing import Final, TypeVar

from engine.editions import Edition, Rules, player_range
from server.coordinator.messages import DAY, DEFAULT_SECONDS, Pace, Spectating, TableOptions

T = TypeVar("T")


class Field(Enum):
    """What can be chosen, in the order of the form."""

    EDITION = auto()
    PLAYERS = auto()
    STAGES = auto()
    DROWNING = auto()
    ASSISTANCE = auto()
    PACE = auto()
    SECONDS = auto()
    RATED = auto()
    SPECTATORS = auto()


FIELDS: Final = tuple(Field)
SECONDS: Final = (15, 30, 45, 60, 90, 120, 180, 300)


def changed(options: TableOptions, field: Field, step: int) -> TableOptions:
    """``options`` with ``field`` moved ``step`` values on (1) or back (-1), round and round."""
    rules = options.rules
    match field:
        case Field.EDITION:
            edition = _next(tuple(Edition), rules.edition, step)
            return _with(options, edition=edition)
        case Field.PLAYERS:
            players = _next(tuple(player_range(rules.edition)), rules.players, step)
            short = rules.stages < rules.players
            return _with(options, players=players, stages=rules.stages if short else 0)
        case Field.STAGES:
            return _with(
                options, stages=_next(tuple(range(1, rules.players + 1)), rules.stages, step)
            )
        case Field.DROWNING:
            return _with(options, modified_drowning=not rules.modified_drowning)
        case Field.ASSISTANCE:
            return _with(options, assistance=not rules.assistance)
        case Field.PACE:
            pace = _next(tuple(Pace), options.pace, step)
            seconds = DAY if pace is Pace.CORRESPONDENCE else DEFAULT_SECONDS
            return replace(options, pace=pace, seconds=seconds)
        case Field.SECONDS:
            if options.pace is not Pace.TIMED:
                return options
            near = min(SECONDS, key=lambda seconds: abs(seconds - options.seconds))
            return replace(options, seconds=_next(SECONDS, near, step))
        case Field.RATED:
            return replace(options, rated=not options.rated)
        case Field.SPECTATORS:
            return replace(options, spectators=_next(tuple(Spectating), options.spectators, step))


def _with(
    options: TableOptions,
    edition: Edition | None = None,
    players: int | None = None,
    stages: int | None = None,
    modified_drowning: bool | None = None,
    assistance: bool | None = None,
) -> TableOptions:
    rules = options.rules
    edition = edition or rules.edition
    seats = player_range(edition)
    players = min(players or rules.players, seats[-1])
    printed = rules.stages == rules.players
    wanted = stages if stages is not None else 0 if printed else rules.stages
    drowning = rules.modified_drowning if modified_drowning is None else modified_drowning
    changed_rules = Rules(
        edition=edition,
        players=players,
        stages=min(wanted, players),
        modified_drowning=drowning and edition is Edition.BGA,
        assistance=rules.assistance if assistance is None else assistance,
    )
    return replace(options, rules=changed_rules)


def _next(values: tuple[T, ...], now: T, step: int) -> T:
    return values[(values.index(now) + step) % len(values)]
