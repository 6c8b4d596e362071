"""What one session asks for at once is done a piece at a time, so that nobody else has to wait for all of it.

Pieces that wait are done one in each turn of the event loop, whoever they belong to: however many sessions
flood, what comes from the others has to wait for one piece.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final
from weakref import WeakKeyDictionary

Work = Callable[[], bool]
"""Does one piece; returns whether there is more to do."""


class Turns:
    """Those who have more to do, in the order in which they come. ``soon`` calls back in the next turn."""

    def __init__(self, soon: Callable[[Callable[[], None]], object]) -> None:
        self._soon: Final = soon
        self._waiting: Final[deque[Work]] = deque()

    def join(self, work: Work) -> None:
        """Have ``work`` done in a later turn, again and again until it says that it is finished."""
        self._waiting.append(work)
        if len(self._waiting) == 1:
            self._soon(self._turn)

    def _turn(self) -> None:
        more = False
        try:
            more = self._waiting[0]()
        finally:
            work = self._waiting.popleft()
            if more:
                self._waiting.append(work)
            if self._waiting:
                self._soon(self._turn)


_TURNS: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, Turns]] = WeakKeyDictionary()


def turns_of(loop: asyncio.AbstractEventLoop) -> Turns:
    """Those that all sessions on this loop share."""
    turns = _TURNS.get(loop)
    if turns is None:
        # Not the loop's own method, which would keep the loop itself for good.
        turns = _TURNS[loop] = Turns(lambda call: asyncio.get_running_loop().call_soon(call))
    return turns
