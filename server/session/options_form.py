"""Changing a table's options one step at a time, so that they always make a game that exists."""

from enum import Enum, auto
from typing import Final, TypeVar

from engine.editions import Edition, player_range
from server.coordinator.messages import Pace, Spectating, TableOptions

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
            return options.changed(edition=_next(tuple(Edition), rules.edition, step))
        case Field.PLAYERS:
            seats = tuple(player_range(rules.edition))
            return options.changed(players=_next(seats, rules.players, step))
        case Field.STAGES:
            stages = tuple(range(1, rules.players + 1))
            return options.changed(stages=_next(stages, rules.stages, step))
        case Field.DROWNING:
            # Only one edition has it.
            modified = rules.edition is Edition.BGA and not rules.modified_drowning
            return options.changed(modified_drowning=modified)
        case Field.ASSISTANCE:
            return options.changed(assistance=not rules.assistance)
        case Field.PACE:
            return options.changed(pace=_next(tuple(Pace), options.pace, step))
        case Field.SECONDS:
            if options.pace is not Pace.TIMED:
                return options
            near = min(SECONDS, key=lambda seconds: abs(seconds - options.seconds))
            return options.changed(seconds=_next(SECONDS, near, step))
        case Field.RATED:
            return options.changed(rated=not options.rated)
        case Field.SPECTATORS:
            return options.changed(spectators=_next(tuple(Spectating), options.spectators, step))


def _next(values: tuple[T, ...], now: T, step: int) -> T:
    return values[(values.index(now) + step) % len(values)]
