"""Where tables are kept so that nothing is lost: the protocol, and an implementation in memory.

The store knows nothing of tables but plain data: a row with what is fixed or changes rarely, and the
list of actions of the game in progress. Folding those actions again gives the game
back. It holds seeds and sealed bids: whatever an implementation writes to must be readable by
the server's user alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

Json = Mapping[str, Any]
"""What ``json.dumps`` turns into an object."""

Entry = Sequence[Any]
"""One thing that happened to a game, as a short JSON list: its kind first, then numbers."""


class StoreError(Exception):
    """Nothing could be written (or read): a full disk, a locked or damaged database.

    ``code`` is a short stable word (``full``, ``locked``, ``damaged``, ``failed``); what was asked has
    not happened, and may be asked again.
    """

    def __init__(self, code: str = "failed") -> None:
        super().__init__(code)
        self.code = code


class FinishedGame(NamedTuple):
    """A game that is over, for good."""

    record: Json
    """``engine.record``: may be shown to everybody."""
    players: tuple[str, ...]
    """A seat each: the stable id of the person whose result it is; empty for a bot. Not in the record."""
    at: float
    """When it ended, in seconds since 1970."""
    sources: tuple[str, ...] = ()
    """A seat each: where its player came from, empty where that is not known. Kept as marks, if at all."""


class StoredChange(NamedTuple):
    """What one step changed at a table: kept as a whole or not at all."""

    key: str
    """The table: unique for all time; the speakable code is not."""
    row: Json | None = None
    """The table's row, new or replaced; ``None`` when it stays as it is."""
    game: int = 0
    """The game at this table that ``entries`` and ``finished`` belong to, counted from 1."""
    first: int = 0
    """The number of the first of ``entries``, counted from 0 in each game."""
    entries: Sequence[Entry] = ()
    """What happened. Entries from ``first`` on that a failed attempt may have left are replaced, and those
    of an earlier game at this table are dropped."""
    finished: FinishedGame | None = None
    """The game is over: kept for good, once a game even if written twice."""
    code: str = ""
    """The table's code, from now on given (see ``Store.is_given``); empty when that is known already."""


class StoredTable(NamedTuple):
    """One table as it was last written."""

    key: str
    row: Json
    game: int
    """Which game ``entries`` belong to; 0 when there is none."""
    entries: tuple[Entry, ...]
    """Of that game, in order."""


class Store(Protocol):
    """Every method returns only when the data would survive power loss, or raises ``StoreError``."""

    async def write(self, change: StoredChange) -> None:
        """Keep what changed: all of it or nothing."""

    async def drop(self, key: str) -> None:
        """The table is closed: forget its row and its entries. Records stay."""

    async def load(self) -> Sequence[StoredTable]:
        """Every table that has not been dropped, in the order of their creation."""

    async def is_given(self, code: str) -> bool:
        """Whether this is the code of a table that there is, or has been: somebody may remember it."""


@dataclass
class MemoryStore:
    """Keeps everything in this process: for tests, and for playing without a server."""

    rows: dict[str, Json] = field(default_factory=dict)
    games: dict[str, tuple[int, list[Entry]]] = field(default_factory=dict)
    finished: dict[tuple[str, int], FinishedGame] = field(default_factory=dict)
    """By table and game."""
    codes: set[str] = field(default_factory=set)

    async def write(self, change: StoredChange) -> None:
        """See ``Store``."""
        if change.row is not None:
            self.rows[change.key] = change.row
        if change.entries:
            game, kept = self.games.get(change.key, (change.game, []))
            del kept[change.first if game == change.game else 0 :]
            self.games[change.key] = (change.game, [*kept, *change.entries])
        if change.code:
            self.codes.add(change.code)
        if change.finished is not None:
            self.finished[change.key, change.game] = change.finished

    async def drop(self, key: str) -> None:
        """See ``Store``."""
        self.rows.pop(key, None)
        self.games.pop(key, None)

    async def load(self) -> Sequence[StoredTable]:
        """See ``Store``."""
        return [
            StoredTable(key, row, game, tuple(entries))
            for key, row in self.rows.items()
            for game, entries in [self.games.get(key, (0, []))]
        ]

    async def is_given(self, code: str) -> bool:
        """See ``Store``."""
        return code in self.codes
