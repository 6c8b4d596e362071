"""What is said in one place: who is there, who hears a line, and what is kept of it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from server.coordinator.feed import Broadcaster
from server.coordinator.presence import Presence, Spoken
from server.coordinator.time_source import Clock
from server.timers import OneTimer

LINES: Final = 50
"""So many are kept of a room at most ..."""
CHARACTERS: Final = 8000
"""... and no more than this in all: a thousand tables of long lines must stay small."""

_TOGETHER: Final = 0.05
"""Seconds in which what is said is told together ..."""
_EACH: Final = 0.0005
"""... and more for everybody who has to be told."""


def keep_line(
    kept: list[Spoken], spoken: Spoken, lines: int = LINES, characters: int = CHARACTERS
) -> None:
    """Keep this one, too, and let the oldest go where there are too many."""
    kept.append(spoken)
    while len(kept) > lines or sum(len(each.line.text) for each in kept) > characters:
        del kept[0]


@dataclass(slots=True, eq=False)
class ChatRoom:
    """What is said in it is told together and in turns."""

    _clock: Clock
    _listeners: Callable[[], Iterable[Presence]]
    """Who is in it."""
    _tell: Callable[[Presence, Sequence[Spoken]], None]
    """Tells one."""
    _history: list[Spoken] = field(default_factory=list)
    _untold: list[Spoken] = field(default_factory=list)
    _many: int = 0
    held: list[Spoken] = field(default_factory=list)
    """What spectators have not heard yet."""
    among: set[str] | None = None
    """Who has been at a private table since it is one."""
    _broadcaster: Broadcaster = field(init=False)

    def __post_init__(self) -> None:
        self._broadcaster = Broadcaster(
            OneTimer(self._clock), "chat", lambda: _TOGETHER + _EACH * self._many, self._tell_all
        )

    def say(self, spoken: Spoken) -> None:
        """Let everybody in the room hear it, soon, but spectators what is held back for them."""
        if spoken.until_after is not None:
            self.held = [*self.held, spoken][-LINES:]
        keep_line(self._history, spoken)
        self._untold.append(spoken)
        self._broadcaster.changed()

    def told(self) -> list[Spoken]:
        """What the room has heard so far, the oldest first; what it is about to hear comes by itself."""
        untold = {each.line.number for each in self._untold}
        return [each for each in self._history if each.line.number not in untold]

    def close(self) -> None:
        """Nobody is told anything any more."""
        self._untold.clear()
        self._broadcaster.close()

    def _tell_all(self) -> Iterator[None]:
        untold, self._untold = self._untold, []
        self._many = 0
        for presence in list(self._listeners()):
            self._many += 1
            self._tell(presence, untold)
            yield
