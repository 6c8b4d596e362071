"""Rounds of games that nobody plays or watches any more: nobody waits for them, so they keep nobody waiting.

Somebody who begins game after game and leaves each to its bots could otherwise have hundreds of them played
at once.
"""

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
        self._waiting: Final[dict[Waiting, None]] = {}
        self._turn: Waiting | None = None
        self._again = False
        self._first: Waiting | None = None
        """Whose turn comes before those who wait."""
        self._began = 0.0
        self._planned = False

    def __len__(self) -> int:
        """How many tables wait, or have the turn."""
        return len(self._waiting) + (self._turn is not None) + (self._first is not None)

    def join(self, table: Waiting) -> None:
        """The table has a round to bid. Who has the turn gets the next one as well."""
        if table is self._turn:
            self._again = True
            return
        if table is not self._first:
            self._waiting[table] = None
        if self._turn is None:
            self._plan(0.0)

    def leave(self, table: Waiting) -> bool:
        """The table waits no more; false when it did not."""
        if table is self._turn:
            self._again = False
            self.done(table)
            return True
        if table is self._first:
            self._first = None
            return True
        return self._waiting.pop(table, self) is None

    def done(self, table: Waiting, least: float = 0.0) -> None:
        """The turn of this table is over, if it has it; the next one comes after ``least`` seconds."""
        if table is not self._turn:
            return
        self._turn = None
        self._first = table if self._again else None
        took = self._clock.time() - self._began
        self._plan(max(least, _LEAST, min(_REST * took, _MOST)))

    def _plan(self, rest: float) -> None:
        if len(self) and not self._planned:
            self._planned = True
            self._clock.call_at(self._clock.time() + rest, self._next)

    def _next(self) -> None:
        self._planned = False
        if self._turn is not None or not len(self):
            return
        self._turn = turn = self._first or next(iter(self._waiting))
        self._waiting.pop(turn, None)
        self._first, self._again, self._began = None, False, self._clock.time()
        turn.take_turn()
