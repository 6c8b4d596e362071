"""Choices made for players who do not want to choose."""

from collections.abc import Callable, Iterator
from typing import Protocol

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


class Do(Protocol):
    """Gives a command; ``then`` follows success."""

    def __call__(self, command: Command, then: Callable[[], None] | None = None) -> None: ...


def fill_and_start(table: TableSnapshot, do: Do) -> None:
    """Let the kept seats go, seat bots and begin; the first refusal ends it."""
    _carry_on(iter(tuple(_steps(table))), do)


def _steps(table: TableSnapshot) -> Iterator[Command]:
    for number, seat in enumerate(table.info.seats):
        if seat.kept:
            yield KeepSeat(number, "")
    for seat in table.info.seats:
        if not seat.name:
            yield AddBot()
    yield StartGame()


def _carry_on(steps: Iterator[Command], do: Do) -> None:
    step = next(steps, None)
    if step is not None:
        do(step, lambda: _carry_on(steps, do))
