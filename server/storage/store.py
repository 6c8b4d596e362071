"""Where tables are kept so that nothing is lost: what a store promises.

The store knows nothing of tables but plain data: a row with what is fixed or changes rarely, and the
list of actions of the game in progress. Folding those actions again gives the game
back. It holds seeds and sealed bids: whatever an implementation writes to must be readable by
the server's user alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

Json = Mapping[str, Any]
"""What ``json.dumps`` turns into an object."""

Entry = Sequence[Any]
"""One thing that happened to a game, as a short JSON list: its kind first, then numbers."""


class StoreError(Exception):
    """Nothing could be written (or read): a full disk, a locked or damaged database, one that is away.

    ``code`` is a short stable word (``full``, ``locked``, ``damaged``, ``unreachable``, ``failed``); what was
    asked has not happened, and may be asked again. Only after ``unreachable`` it may have happened, if the
    answer to its commit was lost and nobody can be asked about it; ``TableLog`` allows for that.
    """

    def __init__(self, code: str = "failed") -> None:
        super().__init__(code)
        self.code = code


class Conflict(Exception):
    """Something else stands where a change was to be appended, or the table has another owner. Nothing was
    written, and nothing of what stands there was touched: whoever gets this is not the owner any more.
    """


class Charge(NamedTuple):
    """What one node at a time is in charge of, besides its tables: it has an epoch, as tables have."""

    key: str
    epoch: int


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


class StoredChange(NamedTuple):
    """What one step changed at a table: kept as a whole or not at all."""

    key: str
    """The table: unique for all time; the speakable code is not."""
    row: Json | None = None
    """The table's row, new or replaced; ``None`` when it stays as it is."""
    game: int = 0
    """The game at this table that ``entries`` and ``finished`` belong to, counted from 1."""
    expected: int = 0
    """The position after the last change that the owner knows of; 0 for a new table."""
    entries: Sequence[Entry] = ()
    """What happened."""
    finished: FinishedGame | None = None
    """The game is over: kept for good, once a game even if written twice."""
    code: str = ""
    """The table's code, from now on given (see ``Store.is_given``); empty when that is known already."""
    epoch: int = 1
    """Of the owner: it rises when a table gets another one."""
    entered: Sequence[Entered] = ()
    """Who plays a game of an event from now on."""
    again: bool = False
    """The owner's last attempt at this position has failed, and may have been kept all the same: this one,
    which has a row, takes its place. Should the other one still arrive later, it meets a conflict."""
    charge: Charge | None = None
    """On whose behalf a new table is opened; if somebody else is in charge by now, that is a conflict."""
    perhaps_over: int = 0
    """That attempt was to end this game. Has it been kept, a result has counted: then it is a conflict to do
    anything else; 0 if it did not end any."""

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
    """Of that game, in order."""
    position: int
    """Where the next change is to be appended."""
    epoch: int
    """Of its owner."""


class Store(Protocol):
    """Every method returns only when the data would survive power loss, or raises ``StoreError``."""

    async def append(self, change: StoredChange) -> None:
        """Keep what changed: all of it or nothing. Raises ``Conflict`` unless the table is at the expected
        position and belongs to the owner with that epoch.
        """

    async def drop(self, key: str, epoch: int, entered: Sequence[Entered] = ()) -> None:
        """The table is closed: forget its row and its entries, and that these people have ``entered``: their
        game has not begun. Records stay. Nothing happens when the table belongs to somebody else.
        """

    async def load(self, keys: Sequence[str] | None = None) -> Sequence[StoredTable]:
        """Every table that has not been dropped, or those of them that have these keys, in the order of their
        creation.
        """

    async def is_given(self, code: str) -> bool:
        """Whether this is the code of a table that there is, or has been: somebody may remember it."""


@dataclass
class TableLog:
    """What the owner of one table appends."""

    store: Store
    key: str
    position: int = 0
    epoch: int = 1
    failed: bool = False
    """The last attempt has, and may have been kept all the same."""
    charge: Charge | None = None
    """On whose behalf the table is opened."""
    perhaps_over: int = 0
    """The game that attempts since the last success were to end."""
    perhaps_entered: Sequence[Entered] = ()
    """Who was to enter an event by them."""

    async def append(
        self,
        row: Json | None,
        game: int,
        entries: Sequence[Entry] = (),
        finished: FinishedGame | None = None,
        code: str = "",
        entered: Sequence[Entered] = (),
    ) -> None:
        """Append a change (see ``StoredChange``); ``row`` must be there at first, and after a ``StoreError``.

        Raises ``StoreError`` (it has not happened, and may be tried again or not) and ``Conflict``.
        """
        change = StoredChange(
            self.key,
            row,
            game,
            self.position,
            entries,
            finished,
            code,
            self.epoch,
            entered,
            self.failed,
            self.charge if not self.position else None,
            self.perhaps_over,
        )
        try:
            await self.store.append(change)
        except StoreError:
            self.failed = True
            self.perhaps_over = game if finished is not None else self.perhaps_over
            self.perhaps_entered = entered or self.perhaps_entered
            raise
        self.position, self.failed, self.perhaps_over = change.position, False, 0
        self.perhaps_entered = ()

    async def drop(self) -> None:
        """The table is closed. Raises ``StoreError``."""
        await self.store.drop(self.key, self.epoch, self.perhaps_entered)
