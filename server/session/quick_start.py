"""Beginning at once: bots take whatever seats are free."""

from collections.abc import Callable, Iterator
from typing import Protocol

from server.coordinator.messages import AddBot, Command, KeepSeat, StartGame, TableSnapshot


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
