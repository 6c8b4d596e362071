"""Rooms and their last lines, and what of them reaches one person."""

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from server.coordinator.clock import Clock
from server.coordinator.feed import Broadcaster
from server.coordinator.messages import ChatLine
from server.coordinator.people.presence import Presence

LINES: Final = 50
"""So many are kept of a room at most ..."""
CHARACTERS: Final = 8000
"""... and no more than this in all: a thousand tables of long lines must stay small."""
_DIRECT_LINES: Final = 20
_DIRECT_CHARACTERS: Final = 4000

_TOGETHER: Final = 0.05
"""Seconds in which what is said is told together ..."""
_EACH: Final = 0.0005
"""... and more for everybody who has to be told."""


class Spoken(NamedTuple):
    """A line, and what only the server knows of it."""

    line: ChatLine
    sender: str
    """The id of who said it: names can change."""
    apart: bool = False
    """Said by a spectator while a rated game ran: not for who plays it."""
    until_after: object = None
    """Said by a player at a table whose spectators are a round behind: the round after which they hear it."""
    among: Set[str] | None = None
    """Said while the table was private: the ids of those who were there then, and of nobody else."""


@dataclass(slots=True)
class RoomHistory:
    """The last lines of one room, each with its number."""

    lines: int = LINES
    characters: int = CHARACTERS
    _kept: list[Spoken] = field(default_factory=list)

    def add(self, spoken: Spoken) -> None:
        """Keep this one, and let the oldest go where there are too many."""
        self._kept.append(spoken)
        while (
            len(self._kept) > self.lines
            or sum(len(each.line.text) for each in self._kept) > self.characters
        ):
            del self._kept[0]

    def __iter__(self) -> Iterator[Spoken]:
        """The oldest first."""
        return iter(tuple(self._kept))


class ChatRoom:
    """What is said in it is told together and in turns. ``listeners`` are who is in it now, ``tell`` tells
    one of them what he or she is to hear.
    """

    def __init__(
        self,
        clock: Clock,
        listeners: Callable[[], Iterable[Presence]],
        tell: Callable[[Presence, Sequence[Spoken]], None],
    ) -> None:
        self._listeners: Final = listeners
        self._tell: Final = tell
        self._history: Final = RoomHistory()
        self._untold: list[Spoken] = []
        self._many = 0
        self.held: list[Spoken] = []
        """What spectators have not heard yet."""
        self.among: set[str] | None = None
        """Who has been at a private table since it is one."""
        self._broadcaster: Final = Broadcaster(
            clock, "chat", lambda: _TOGETHER + _EACH * self._many, self._tell_all
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

    def _tell_all(self) -> Iterator[None]:
        untold, self._untold = self._untold, []
        self._many = 0
        for presence in list(self._listeners()):
            self._many += 1
            self._tell(presence, untold)
            yield


@dataclass(slots=True)
class ChatFilter:
    """What reaches one person. Lasts as long as he or she is connected or has a seat."""

    muted: dict[str, str] = field(default_factory=dict)
    """Ids of people who are not heard during this stay, and their names."""
    blocked: dict[str, str] = field(default_factory=dict)
    """The same, for good."""
    direct: RoomHistory = field(
        default_factory=lambda: RoomHistory(_DIRECT_LINES, _DIRECT_CHARACTERS)
    )
    """What was said to and by this person alone."""
    room: str = ""
    """The room whose history the present connection has been given."""

    def shuts_out(self, person: str) -> bool:
        """Whether nothing that this person says is heard."""
        return person in self.muted or person in self.blocked
