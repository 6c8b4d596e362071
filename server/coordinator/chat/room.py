"""One room: what has been said in it, and the telling of it, together and in turns."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from server.coordinator.broadcaster import Broadcaster
from server.coordinator.chat.history import RoomHistory, Spoken
from server.coordinator.clock import Clock
from server.coordinator.people.presence import Presence

_TOGETHER: Final = 0.05
"""Seconds in which what is said is told together ..."""
_EACH: Final = 0.0005
"""... and more for everybody who has to be told."""


class ChatRoom:
    """``listeners`` are who is in the room now, ``hears`` whether one of them is to hear a line."""

    def __init__(
        self,
        clock: Clock,
        listeners: Callable[[], Iterable[Presence]],
        hears: Callable[[Presence, Spoken], bool],
    ) -> None:
        self._listeners: Final = listeners
        self._hears: Final = hears
        self._history: Final = RoomHistory()
        self._untold: list[Spoken] = []
        self._many = 0
        self._broadcaster: Final = Broadcaster(
            clock, "chat", lambda: _TOGETHER + _EACH * self._many, self._tell
        )

    def say(self, spoken: Spoken) -> None:
        """Let everybody in the room hear it, soon."""
        self._history.add(spoken)
        self._untold.append(spoken)
        self._broadcaster.changed()

    def told(self) -> list[Spoken]:
        """What the room has heard so far, the oldest first; what it is about to hear comes by itself."""
        first = self._untold[0].line.number if self._untold else 0
        return [each for each in self._history if not first or each.line.number < first]

    def close(self) -> None:
        """Nobody is told anything any more."""
        self._untold.clear()
        self._broadcaster.close()

    def _tell(self) -> Iterator[None]:
        untold, self._untold = self._untold, []
        self._many = 0
        for presence in list(self._listeners()):
            self._many += 1
            feed = presence.feed
            if feed is not None:
                feed.offer_chat([each.line for each in untold if self._hears(presence, each)])
            yield
