"""Choices made for players who do not want to choose."""

from collections.abc import Callable

from engine.editions import Edition, Rules
from server.coordinator.messages import (
    AddBot,
    Command,
    KeepSeat,
    Occupant,
    Pace,
    StartGame,
    TableInfo,
    TableOptions,
    TableSnapshot,
)
from server.storage.results import TUTORIAL_RULES


def solo_options() -> TableOptions:
    """One person against three bots, without a clock."""
    return TableOptions(Rules(Edition.AMIGO, players=4), Pace.UNTIMED)


def tutorial_options() -> TableOptions:
    """What the guide comes along to: one stage against three bots, without a clock."""
    return TableOptions(TUTORIAL_RULES, Pace.UNTIMED)


def is_tutorial(info: TableInfo) -> bool:
    """Whether somebody learns the game at this table, alone: what comes after that is a whole one."""
    people = sum(seat.occupant is Occupant.HUMAN for seat in info.seats)
    return people == 1 and info.options == tutorial_options()


def new_table() -> TableOptions:
    """What a new table is suggested to be."""
    return TableOptions(Rules(Edition.AMIGO, players=4), Pace.TIMED)


def fill_and_start(table: TableSnapshot, do: Callable[[Command, Callable[[], None]], None]) -> None:
    """Let the kept seats go, seat bots and begin; the first refusal ends it. ``do`` gives a command, and
    calls back after success.
    """
    seats = table.info.seats
    steps: list[Command] = [
        *(KeepSeat(number, "") for number, seat in enumerate(seats) if seat.kept),
        *(AddBot() for seat in seats if not seat.name),
        StartGame(),
    ]

    def go_on() -> None:
        if steps:
            do(steps.pop(0), go_on)

    go_on()
