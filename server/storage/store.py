"""What is kept of a table, as plain data."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

Json = Mapping[str, Any]
"""A JSON object."""

Entry = Sequence[Any]
"""One thing that happened to a game, as a short JSON list: its kind first, then numbers."""


class Conflict(Exception):
    """Something else stands where a change was to be appended: nothing was written or touched."""


class FinishedGame(NamedTuple):
    """A game that is over, for good."""

    record: Json
    """``engine.records.record_format``: may be shown to everybody."""
    players: tuple[str, ...]
    """A seat each: the stable id of the person whose result it is; empty for a bot. Not in the record."""
    at: float
    """When it ended, in seconds since 1970."""
    sources: tuple[str, ...] = ()
    """A seat each: where its player came from, empty where that is not known. Kept as marks, if at all."""
    event: str = ""
    """The event it was played for (``server.storage.events``); until that is closed the record is shown to
    nobody. Empty for none."""


class Entered(NamedTuple):
    """Somebody plays a game of an event, from before the first card is seen."""

    event: str
    player: str
    """The stable id."""
    at: float
    """In seconds since 1970."""
    source: str = ""
    """Where the player came from; only a mark of it is kept."""


class StoredChange(NamedTuple):
    """What one step changed at a table: kept as a whole or not at all."""

    key: str
    """The table: unique for all time; the speakable code is not."""
    row: Json | None = None
    """The table's row, new or replaced; ``None`` when it stays as it is."""
    game: int = 0
    """The game at this table that ``entries`` and ``finished`` belong to, counted from 1."""
    expected: int = 0
    """The position after the last change that the table knows of; 0 for a new one."""
    entries: Sequence[Entry] = ()
    """What happened."""
    finished: FinishedGame | None = None
    """The game is over: kept for good, once a game even if written twice."""
    code: str = ""
    """The table's code, from now on given (see ``TableStore.is_given``); empty when that is known already."""
    entered: Sequence[Entered] = ()
    """Players who begin a game of an event."""

    @property
    def position(self) -> int:
        """The one after this change."""
        return self.expected + (len(self.entries) or 1)


class StoredTable(NamedTuple):
    """One table as it was last written."""

    key: str
    row: Json
    game: int
    """Which game ``entries`` belong to; 0 when there is none."""
    entries: tuple[Entry, ...]
    """Entries of that game, in order."""
    position: int
    """Where the next change is to be appended."""
