"""Rounds of games that nobody plays or watches any more: nobody waits for them, so they keep nobody waiting.

Somebody who begins game after game and leaves each to its bots could otherwise have hundreds of them played
at once.
"""

from collections import OrderedDict
from typing import Final, Protocol

from server.coordinator.clock import Clock

_REST: Final = 3.0
"""After a round all of them rest for so many times as long as it has taken: the more others want the
processor, the longer that is, and they have a quarter of it at most."""
_LEAST: Final = 0.05
"""Seconds of rest after the quickest round."""
_MOST: Final = 5.0


class Waiting(Protocol):
    """A table that waits for its turn."""

    def take_turn(self) -> None:
        """Have a round bid; ``Background.done`` has to follow."""


class Background:
    """One table has the turn, the others wait; a game is played to its end before the next one."""

    def __init__(self, clock: Clock) -> None:
        self._clock: Final = clock
        self._waiting: Final[OrderedDict[Waiting, None]] = OrderedDict()
        """Who has the turn may be among them, and is the first then."""
        self._turn: Waiting | None = None
        self._began = 0.0
        self._planned = False

    def __len__(self) -> int:
        """How many tables wait, or have the turn."""
        return len(self._waiting) + (self._turn is not None and self._turn not in self._waiting)

    def join(self, table: Waiting) -> None:
        """The table has a round to bid. Who has the turn gets the next one as well."""
        self._waiting[table] = None
        if table is self._turn:
            self._waiting.move_to_end(table, last=False)
        elif self._turn is None:
            self._plan(0.0)

    def leave(self, table: Waiting) -> None:
        """The table waits no more, if it did."""
        self._waiting.pop(table, None)
        self.done(table)

    def done(self, table: Waiting, least: float = 0.0) -> None:
        """The turn of this table is over, if it has it; the next one comes after ``least`` seconds."""
        if table is not self._turn:
            return
        self._turn = None
        took = self._clock.time() - self._began
        self._plan(max(least, _LEAST, min(_REST * took, _MOST)))

    def _plan(self, rest: float) -> None:
        if self._waiting and not self._planned:
            self._planned = True
            self._clock.call_at(self._clock.time() + rest, self._next)

    def _next(self) -> None:
        self._planned = False
        if self._turn is not None or not self._waiting:
            return
        self._turn, _ = self._waiting.popitem(last=False)
        self._began = self._clock.time()
        self._turn.take_turn()
