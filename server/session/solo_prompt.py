"""Somebody alone at an open table is asked, once a visit, whether to start against bots."""

from collections.abc import Callable
from typing import Final

from server.coordinator.clock import Clock, OneTimer
from server.coordinator.messages import Status, TableSnapshot

PATIENCE: Final = 20.0
"""Seconds alone before the question."""


def is_alone(table: TableSnapshot | None) -> bool:
    """Whether this player waits at a table of his or her own, and nobody is expected there by name."""
    if table is None or table.seat < 0 or table.seat != table.info.owner:
        return False
    info = table.info
    others = any(seat.name for n, seat in enumerate(info.seats) if n != table.seat)
    awaited = info.private or any(seat.kept for seat in info.seats)
    return (
        info.status is Status.OPEN
        and not (others or awaited or info.options.rated or info.closing)
        and not info.spectators
    )


class SoloPrompt:
    """Calls ``ask`` when the time has come."""

    __slots__ = ("_ask", "_asked", "_timer")

    def __init__(self, clock: Clock, ask: Callable[[], None]) -> None:
        self._ask: Final = ask
        self._timer: Final = OneTimer(clock)
        self._asked = False

    def updated(self, table: TableSnapshot | None) -> None:
        """How things are now."""
        if not is_alone(table):
            self.stop()
        elif not (self._timer.running or self._asked):
            self._timer.after(PATIENCE, self._now)

    def stop(self) -> None:
        """The question is not to be asked, as things are."""
        self._timer.cancel()

    def _now(self) -> None:
        self._asked = True
        self._ask()
