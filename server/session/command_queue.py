"""Commands that were typed or sent before earlier ones were carried out."""

from collections import deque
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from typing import Final, Generic, TypeVar

from server.terminal.meter import Meter

C = TypeVar("C")

AHEAD: Final = 100
"""Commands that wait for earlier ones to be done."""

_A_TURN: Final = 2
"""Commands of one session that are carried out before others have their turn."""


@dataclass(slots=True, eq=False, repr=False)
class CommandQueue(Generic[C]):
    """Has each command carried out by ``obey`` when the one before is done, while ``ready``."""

    _obey: Callable[[C], None]
    _: KW_ONLY
    ready: Callable[[], bool]
    meter: Meter
    _waiting: deque[C] = field(default_factory=deque, init=False)

    def __bool__(self) -> bool:
        """Whether any waits."""
        return bool(self._waiting)

    def add(self, command: C, *, last: bool = False) -> bool:
        """Have it carried out in its turn; false, and it is not, when too many wait already.

        There is always room for the ``last`` one.
        """
        room = last or len(self._waiting) < AHEAD
        if room:
            self._waiting.append(command)
        return room

    def go_on(self) -> None:
        """Carry out what waits; called again when a command is done."""
        if self._waiting and self.ready():
            self.meter.do("commands", self._carry_out_some)

    def _carry_out_some(self) -> None:
        for _ in range(_A_TURN):
            if self._waiting and self.ready():
                self._obey(self._waiting.popleft())
        if self._waiting and self.ready():
            self.meter.later("commands", self._carry_out_some)
