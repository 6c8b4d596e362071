"""The last lines of a room."""

from collections.abc import Iterator, Set
from typing import Final, NamedTuple

from server.coordinator.messages import ChatLine

LINES: Final = 50
"""So many are kept at most ..."""
CHARACTERS: Final = 8000
"""... and no more than this in all: a thousand tables of long lines must stay small."""


class Spoken(NamedTuple):
    """A line, and what only the server knows of it."""

    line: ChatLine
    sender: str
    """The id of who said it: names can change."""
    apart: bool
    """Said by a spectator while a rated game ran: not for who plays it."""
    until_after: object = None
    """Said by a player at a table whose spectators are a round behind: the round after which they hear it."""
    among: Set[str] | None = None
    """Said while the table was private: the ids of those who were there then, and of nobody else."""


class RoomHistory:
    """The last lines of one room, each with its number."""

    __slots__ = ("_characters", "_kept", "_lines", "_used")

    def __init__(self, lines: int = LINES, characters: int = CHARACTERS) -> None:
        self._characters: Final = characters
        self._used = 0
        self._kept: Final[list[Spoken]] = []
        self._lines: Final = lines

    def add(self, spoken: Spoken) -> None:
        """Keep this one, and let the oldest go where there are too many."""
        self._kept.append(spoken)
        self._used += len(spoken.line.text)
        while len(self._kept) > self._lines or self._used > self._characters:
            self._used -= len(self._kept.pop(0).line.text)

    def __iter__(self) -> Iterator[Spoken]:
        """The oldest first."""
        return iter(tuple(self._kept))
