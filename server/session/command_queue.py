"""Commands that were typed or sent before earlier ones were carried out."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Final, Generic, TypeVar

from server.terminal.fair_queue import queues_of
from server.terminal.output_budget import Budget

C = TypeVar("C")

AHEAD: Final = 100
"""Commands that wait for earlier ones to be done."""

_A_TURN: Final = 2
"""Commands of one session that are carried out before others have their turn."""


@dataclass(slots=True, eq=False, repr=False)
class CommandQueue(Generic[C]):
    """Has each command carried out by ``obey`` when the one before is done: while ``ready``, and as long as
    there is some ``budget`` left for answers, unless somebody waits for it (``hurries``).
    """

    _obey: Callable[[C], None]
    _: KW_ONLY
    ready: Callable[[], bool]
    budget: Budget
    hurries: Callable[[C], bool] = lambda _command: False
    _waiting: deque[C] = field(default_factory=deque, init=False)
    _goes_on_later: bool = field(default=False, init=False)

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
            if not (self._waiting and self.ready()):
                return
            if self.budget.spent and not self.hurries(self._waiting[0]):
                self.budget.wait(self.go_on)
                return
            self._obey(self._waiting.popleft())
        if self._waiting and not self._goes_on_later:
            self._goes_on_later = True
            queues_of(asyncio.get_running_loop()).throttled.join(self._later)

    def _later(self) -> bool:
        self._goes_on_later = False
        self.go_on()
        return False
