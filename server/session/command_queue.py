"""Commands that were typed or sent before earlier ones were carried out."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from server.terminal.fair_queue import queues_of
from server.terminal.output_budget import Budget

C = TypeVar("C")

AHEAD: Final = 100
"""Commands that wait for earlier ones to be done."""

_A_TURN: Final = 2
"""Commands of one session that are carried out before others have their turn."""


class CommandQueue(Generic[C]):
    """Has each command carried out by ``obey`` when the one before is done: while ``ready``, and as long as
    there is some ``budget`` left for answers, unless somebody waits for it (``hurries``).
    """

    def __init__(
        self,
        obey: Callable[[C], None],
        *,
        ready: Callable[[], bool],
        budget: Budget,
        hurries: Callable[[C], bool] = lambda _command: False,
    ) -> None:
        self._obey: Final = obey
        self._ready: Final = ready
        self._budget: Final = budget
        self._hurries: Final = hurries
        self._waiting: Final[deque[C]] = deque()
        self._goes_on_later = False

    def __bool__(self) -> bool:
        """Whether any waits."""
        return bool(self._waiting)

    def add(self, command: C, *, last: bool = False) -> bool:
        """Have it carried out in its turn; false, and it is not, when too many wait already. There is always
        room for the ``last`` one.
        """
        room = last or len(self._waiting) < AHEAD
        if room:
            self._waiting.append(command)
        return room

    def go_on(self) -> None:
        """Carry out what waits; called again when a command is done."""
        for _ in range(_A_TURN):
            if not (self._waiting and self._ready()):
                return
            if self._budget.spent and not self._hurries(self._waiting[0]):
                self._budget.wait(self.go_on)
                return
            self._obey(self._waiting.popleft())
        if self._waiting and not self._goes_on_later:
            self._goes_on_later = True
            queues_of(asyncio.get_running_loop()).throttled.join(self._later)

    def _later(self) -> bool:
        self._goes_on_later = False
        self.go_on()
        return False
