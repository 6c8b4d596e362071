"""Choices made for players who do not want to choose."""

from engine.editions import Edition, Rules
from server.coordinator.messages import Pace, TableOptions


def lone_game() -> TableOptions:
    """One person against three bots, without a clock."""
    return TableOptions(Rules(Edition.AMIGO, players=4), Pace.UNTIMED)


def first_game() -> TableOptions:
    """What the guide comes along to: one stage against three bots, without a clock."""
    return TableOptions(Rules(Edition.AMIGO, players=4, stages=1), Pace.UNTIMED)


def new_table() -> TableOptions:
    """What a new table is suggested to be."""
    return TableOptions(Rules(Edition.AMIGO, players=4), Pace.TIMED)
