"""Tables in a database, so that nothing is lost: a row with what is fixed or changes rarely, and the actions
of the game in progress; folding those again gives the game back.

They hold seeds and sealed bids: what is written must be readable by the server's user alone.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final

import msgspec
import structlog

from server.storage.databases.connection import Connection, to_json
from server.storage.databases.database import Database, Repository, reads, writes
from server.storage.history_store import keep, mark
from server.storage.store import Conflict, Entered, StoredChange, StoredTable, StoreError

_log = structlog.get_logger("storage")

_BEGIN: Final = """
    INSERT INTO positions (table_key, position) VALUES (:key, :position) ON CONFLICT (table_key)
"""
_BEGIN_NEW: Final = f"{_BEGIN} DO NOTHING"
_BEGIN_AGAIN: Final = f"{_BEGIN} DO UPDATE SET position = excluded.position"
_MOVE: Final = """
    UPDATE positions SET position = :position WHERE table_key = :key AND position = :expected
"""
_MOVE_AGAIN: Final = _MOVE.replace("position = :expected", "position >= :expected")
_TAKE_BACK: Final = "DELETE FROM entries WHERE table_key = :key AND number >= :expected"
_REPLACE: Final = "ON CONFLICT (key) DO UPDATE SET content = excluded.content"
_SAVE: Final = "UPDATE tables SET content = :content WHERE key = :key"
_FORGET_EARLIER: Final = "DELETE FROM entries WHERE table_key = :key AND game < :game"

_DROP: Final = (
    "DELETE FROM positions WHERE table_key = :key",
    "DELETE FROM tables WHERE key = :key",
    "DELETE FROM entries WHERE table_key = :key",
)
_NOT_ENTERED: Final = "DELETE FROM event_players WHERE event = :event AND player = :player"

_RECORD: Final = "SELECT content FROM records WHERE origin = :origin"
_IS_GIVEN: Final = "SELECT COUNT(*) FROM codes WHERE code = :code"
_TABLES: Final = """
    SELECT key, content, position FROM tables JOIN positions ON table_key = key ORDER BY place
"""
_ENTRIES: Final = "SELECT table_key, game, content FROM entries ORDER BY table_key, game, number"


class TableStore(Repository):
    """Tables in a ``Database``. Every method returns only when the data would survive power loss, or raises
    ``StoreError``.
    """

    def __init__(self, database: Database, address_key: bytes = b"") -> None:
        """``address_key`` is what marks of addresses are made with."""
        super().__init__(database)
        self._address_key: Final = address_key

    @writes
    def append(self, connection: Connection, change: StoredChange) -> None:
        """Keep what changed: all of it or nothing. Raises ``Conflict`` unless the table is at the expected
        position.
        """
        new, again = not change.expected and change.row is not None, change.again
        at = change._asdict() | {"position": change.position}
        move = (_BEGIN_AGAIN if again else _BEGIN_NEW) if new else (_MOVE_AGAIN if again else _MOVE)
        if not connection.execute(move, at).rowcount:
            raise Conflict(change.key)
        if again:
            _check_not_over(connection, change)
            connection.execute(_TAKE_BACK, at)
        if change.code:
            connection.insert("codes", {"code": change.code}, conflict="ON CONFLICT DO NOTHING")
        if change.row is not None:
            row: dict[str, object] = {"key": change.key, "content": to_json(change.row)}
            if new:
                row["place"] = connection.next_number("tables")
                connection.insert("tables", row, conflict=_REPLACE)
            else:
                connection.execute(_SAVE, row)
        entered = [each._asdict() for each in change.entered]
        connection.insert("event_players", *entered, conflict="ON CONFLICT DO NOTHING")
        entry = {"table_key": change.key, "game": change.game}
        contents = enumerate(map(to_json, change.entries), change.expected)
        connection.insert("entries", *(entry | {"number": n, "content": c} for n, c in contents))
        if over := change.finished:
            connection.execute(_FORGET_EARLIER, at)
            origin, record = f"{change.key}-{change.game}", to_json(over.record)
            sources = [mark(self._address_key, source) for source in over.sources]
            keep(connection, origin, over.at, record, over.players, sources, over.event)

    @writes
    def drop(self, connection: Connection, key: str, entered: Sequence[Entered] = ()) -> None:
        """The table is closed: forget its row and its entries, and that these people have ``entered``: their
        game has not begun. Records stay.
        """
        for sql in _DROP:
            connection.execute(sql, key=key)
        for each in entered:
            connection.execute(_NOT_ENTERED, each._asdict())

    @reads
    def is_given(self, connection: Connection, code: str) -> bool:
        """Whether this is the code of a table that there is, or has been: somebody may remember it."""
        return bool(connection.execute(_IS_GIVEN, code=code).scalar())

    @reads
    def load(self, connection: Connection) -> Sequence[StoredTable]:
        """Every table that has not been dropped, in the order of their creation."""
        connection.stay_patient()
        # There may be hundreds of thousands.
        rows = connection.execute(_ENTRIES).plain()
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
    """What the owner of one table appends."""

    store: TableStore
    key: str
    position: int = 0
    unsure: bool = True
    """The store may have another row than the owner knows: the next change has to have one."""
    failed: bool = False
    """The last attempt has, and may have been kept all the same."""
    perhaps_over: int = 0
    """The game that attempts since the last success were to end."""
    perhaps_entered: Sequence[Entered] = ()
    """Who was to enter an event by them."""

    async def append(self, change: StoredChange) -> None:
        """Append a change, whose row must be there when this is ``unsure``. Where it is to stand is known
        here.

        Raises ``StoreError`` (it has not happened, and may be tried again or not) and ``Conflict``.
        """
        change = change._replace(
            key=self.key,
            expected=self.position,
            again=self.failed,
            perhaps_over=self.perhaps_over,
        )
        try:
            await self.store.append(change)
        except StoreError:
            self.failed = self.unsure = True
            self.perhaps_over = change.game if change.finished else self.perhaps_over
            self.perhaps_entered = change.entered or self.perhaps_entered
            raise
        self.position, self.failed, self.unsure = change.position, False, False
        self.perhaps_over, self.perhaps_entered = 0, ()

    async def drop(self) -> None:
        """The table is closed. Raises ``StoreError``."""
        await self.store.drop(self.key, self.perhaps_entered)


def _check_not_over(connection: Connection, change: StoredChange) -> None:
    """Raises ``Conflict`` where a game has ended otherwise than its owner knows."""
    origin = f"{change.key}-{change.perhaps_over}"
    kept = connection.execute(_RECORD, origin=origin).scalar() if change.perhaps_over else None
    same = change.finished is not None and to_json(change.finished.record) == kept
    if kept is not None and not same:
        raise Conflict(change.key)
