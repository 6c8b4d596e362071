"""Tables in a database, and what is stored of one, as plain data.

A table has a row with what is fixed or changes rarely, and the actions of the game in progress, from which
the game is restored. They contain seeds and sealed bids: only the server's user may read the database.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec
import structlog

from server.storage.databases.connection import Connection, to_json
from server.storage.databases.database import Database, Repository, reads, writes
from server.storage.history_store import keep, mark

Json = Mapping[str, Any]
"""A JSON object."""

Entry = Sequence[Any]
"""An action of a game as a short JSON list: its kind, then numbers."""


class Conflict(Exception):
    """The table is not at the expected position: nothing was written."""


class FinishedGame(NamedTuple):
    """A finished game."""

    record: Json
    """The record (``engine.records.record_format``), which may be shown to everybody."""
    players: tuple[str, ...]
    """Ids of the people whose result it is, one for each seat; empty for bots. Not in the record."""
    at: float
    """When it ended, in seconds since 1970."""
    sources: tuple[str, ...] = ()
    """The players' addresses, one for each seat, empty if not known. Only marks of them are stored."""
    event: str = ""
    """The event (``server.storage.events``), or empty: until it is closed, nobody is shown the record."""


class Entered(NamedTuple):
    """A player enters an event, before seeing a card."""

    event: str
    player: str
    """The player's id."""
    at: float
    """In seconds since 1970."""
    source: str = ""
    """The player's address; only a mark of it is stored."""


class StoredChange(NamedTuple):
    """A change of a table, stored as a whole or not at all."""

    key: str
    """The table's key, unique for all time (its speakable code is not)."""
    row: Json | None = None
    """The table's new row; ``None`` if it does not change."""
    game: int = 0
    """Number of the game at this table to which ``entries`` and ``finished`` belong, from 1."""
    expected: int = 0
    """The position after the last change; 0 for a new table."""
    entries: Sequence[Entry] = ()
    """Actions of the game."""
    finished: FinishedGame | None = None
    """The game, if it is over: stored once even if written twice."""
    code: str = ""
    """The table's code, if it is new (see ``TableStore.is_given``)."""
    entered: Sequence[Entered] = ()
    """Players who begin a game of an event."""

    @property
    def position(self) -> int:
        """Return the position after this change."""
        return self.expected + (len(self.entries) or 1)


class StoredTable(NamedTuple):
    """A table as it was last written."""

    key: str
    row: Json
    game: int
    """Number of the game to which ``entries`` belong; 0 for none."""
    entries: tuple[Entry, ...]
    """Actions of that game, in order."""
    position: int
    """Position of the next change."""


_log = structlog.get_logger("storage")

_BEGIN: Final = """
    INSERT INTO positions (table_key, position) VALUES (:key, :position) ON CONFLICT DO NOTHING
"""
_MOVE: Final = """
    UPDATE positions SET position = :position WHERE table_key = :key AND position = :expected
"""

_DROP: Final = (
    "DELETE FROM positions WHERE table_key = :key",
    "DELETE FROM tables WHERE key = :key",
    "DELETE FROM entries WHERE table_key = :key",
)
_ROWS: Final = 10_000
"""Rows that are read at a time."""
_TABLES: Final = """
    SELECT key, content, position FROM tables JOIN positions ON table_key = key ORDER BY place
"""
_ENTRIES: Final = "SELECT table_key, game, content FROM entries ORDER BY table_key, game, number"


class TableStore(Repository):
    """Tables in a ``Database``.

    Every method returns only when the data would survive power loss, or raises ``StoreError``.
    """

    def __init__(self, database: Database, address_key: bytes = b"") -> None:
        """Take the key for marks of addresses."""
        super().__init__(database)
        self._address_key: Final = address_key

    @writes
    def append(self, connection: Connection, change: StoredChange) -> None:
        """Store a change, all of it or nothing.

        Raises ``Conflict`` unless the table is at the expected position.
        """
        new = not change.expected and change.row is not None
        at = change._asdict() | {"position": change.position}
        if not connection.execute(_BEGIN if new else _MOVE, at).rowcount:
            raise Conflict(change.key)
        if change.code:
            connection.insert("codes", {"code": change.code}, conflict="ON CONFLICT DO NOTHING")
        if change.row is not None:
            row: dict[str, object] = {"key": change.key, "content": to_json(change.row)}
            if new:
                row["place"] = connection.next_number("tables")
                connection.insert("tables", row)
            else:
                connection.execute("UPDATE tables SET content = :content WHERE key = :key", row)
        for each in change.entered:
            entered = each._asdict() | {"source": mark(self._address_key, each.source)}
            connection.insert("event_players", entered, conflict="ON CONFLICT DO NOTHING")
        entries = [
            {"table_key": change.key, "game": change.game, "number": n, "content": to_json(entry)}
            for n, entry in enumerate(change.entries, change.expected)
        ]
        connection.insert("entries", *entries)
        if over := change.finished:
            connection.execute("DELETE FROM entries WHERE table_key = :key AND game < :game", at)
            origin, record = f"{change.key}-{change.game}", to_json(over.record)
            sources = [mark(self._address_key, source) for source in over.sources]
            keep(connection, origin, over.at, record, over.players, sources, over.event)

    @writes
    def drop(self, connection: Connection, key: str) -> None:
        """Delete a closed table's row and entries. Records stay."""
        for sql in _DROP:
            connection.execute(sql, key=key)

    @reads
    def is_given(self, connection: Connection, code: str) -> bool:
        """Return whether a table has, or ever had, this code: somebody may remember it."""
        return bool(connection.scalar("SELECT 1 FROM codes WHERE code = :code", code=code))

    @reads
    def load(self, connection: Connection) -> Sequence[StoredTable]:
        """Return every table that has not been dropped, in the order of creation."""
        connection.stay_patient()
        # There may be hundreds of thousands.
        rows = chain.from_iterable(connection.read(_ENTRIES, _ROWS))
        games = {
            key: (game, f"[{','.join([row[2] for row in found])}]")
            for (key, game), found in groupby(rows, key=itemgetter(0, 1))
        }
        loaded = []
        for key, content, position in connection.execute(_TABLES):
            game, text = games.get(key, (0, "[]"))
            try:
                # Parsing a whole game at once is quicker than one entry after the other.
                entries = tuple(msgspec.json.decode(text))
                loaded.append(StoredTable(key, json.loads(content), game, entries, position))
            except ValueError:
                # It stays, for somebody to look at.
                _log.error("table_unreadable", key=key, reason="what is kept of it is no JSON")
        return loaded


@dataclass
class TableLog:
    """The log of one table, to which changes are appended."""

    store: TableStore
    key: str
    position: int = 0
    unsure: bool = True
    """Whether the stored row may differ from the table's: then the next change must have a row."""

    async def append(self, change: StoredChange) -> None:
        """Append a change at the table's position; it must have a row if this is ``unsure``.

        Raises ``StoreError`` (nothing was written, and it may be tried again) and ``Conflict``.
        """
        change = change._replace(key=self.key, expected=self.position)
        await self.store.append(change)
        self.position, self.unsure = change.position, False

    async def drop(self) -> None:
        """Delete the closed table. Raises ``StoreError``."""
        await self.store.drop(self.key)
