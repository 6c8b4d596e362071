"""What is said in one place: who is there, who hears a line, and what is kept of it."""

from asyncio import Lock
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from server.coordinator import messages as m
from server.coordinator.clock import Clock
from server.coordinator.feed import Broadcaster, Feed

LINES: Final = 50
"""So many are kept of a room at most ..."""
CHARACTERS: Final = 8000
"""... and no more than this in all: a thousand tables of long lines must stay small."""

_TOGETHER: Final = 0.05
"""Seconds in which what is said is told together ..."""
_EACH: Final = 0.0005
"""... and more for everybody who has to be told."""


class Spoken(NamedTuple):
    """A line, and what only the server knows of it."""

    line: m.ChatLine
    sender: str
    """The id of who said it: names can change."""
    apart: bool = False
    """Said by a spectator while a rated game ran: not for who plays it."""
    until_after: tuple[int, int, int] | None = None
    """Said by a player at a table whose spectators are a round behind: the round after which they hear it."""
    among: Set[str] | None = None
    """Said while the table was private: the ids of those who were there then, and of nobody else."""


def keep_line(
    kept: list[Spoken], spoken: Spoken, lines: int = LINES, characters: int = CHARACTERS
) -> None:
    """Keep this one, too, and let the oldest go where there are too many."""
    kept.append(spoken)
    while len(kept) > lines or sum(len(each.line.text) for each in kept) > characters:
        del kept[0]


@dataclass(slots=True, eq=False)
class Presence:
    """Somebody who is connected, or has a seat at a table, or both."""

    player: m.Player
    feed: Feed | None = None
    """Of the current visit; ``None`` while there is none."""
    table: str = ""
    """The id of the table where the player sits or watches; empty in the lobby."""
    submitted: int = 0
    """Commands whose sender waits for an answer."""
    asked: int = 0
    """Commands that lie in a table's inbox or are being carried out, whether or not somebody waits."""
    rating: int | None = None
    """How strong the player is, as people are told it; ``None`` for guests, and before it is known."""
    visit: int = 0
    """The number of the current visit, or of the last one: a later one has a higher number, also on another
    node.
    """
    source: str = ""
    """Where the current visit comes from; empty when that does not count."""
    lock: Lock = field(default_factory=Lock)
    """A player's commands are carried out one after the other, in the order submitted."""
    muted: dict[str, str] = field(default_factory=dict)
    """Ids of people who are not heard during this stay, and their names."""
    blocked: dict[str, str] = field(default_factory=dict)
    """The same, for good."""
    direct: list[Spoken] = field(default_factory=list)
    """What was said to and by this person alone."""
    opened: dict[str, str] = field(default_factory=dict)
    """At which tables requests with a key have ended, by their keys; the latest ones."""
    opening: tuple[str, str] = "", ""
    """The key of a request that is being carried out, or was when the connection was cut; and its table."""
    room: str = ""
    """The room whose history the present connection has been given."""

    def shuts_out(self, person: str) -> bool:
        """Whether nothing that this person says is heard."""
        return person in self.muted or person in self.blocked


class ChatRoom:
    """What is said in it is told together and in turns. ``listeners``: who is in it; ``tell`` tells one."""

    def __init__(
        self,
        clock: Clock,
        listeners: Callable[[], Iterable[Presence]],
        tell: Callable[[Presence, Sequence[Spoken]], None],
    ) -> None:
        self._listeners: Final = listeners
        self._tell: Final = tell
        self._history: Final[list[Spoken]] = []
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
        keep_line(self._history, spoken)
        self._untold.append(spoken)
        self._broadcaster.changed()

    def hold(self, spoken: Spoken) -> None:
        """Spectators hear it later."""
        self.held = [*self.held, spoken][-LINES:]

    def told(self) -> list[Spoken]:
        """What the room has heard so far, the oldest first; what it is about to hear comes by itself."""
        untold = {each.line.number for each in self._untold}
        return [each for each in self._history if each.line.number not in untold]

    def learn(self, said: Iterable[Spoken]) -> list[Spoken]:
        """Keep what was said elsewhere; what of it was not known."""
        known = {each.line.number for each in self._history}
        new = [each for each in said if each.line.number not in known]
        history = sorted([*self._history, *new], key=lambda each: each.line.number)
        self._history.clear()
        for each in history:
            keep_line(self._history, each)
        return new

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
