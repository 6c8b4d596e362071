"""The stores on a database in memory: what is written is there at once, and can be looked at and spoilt."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from server.storage.databases.connection import to_json
from server.storage.databases.database import Database
from server.storage.databases.sqlite import SqliteMemory
from server.storage.moderation import ModerationStore
from server.storage.people import PeopleStore
from server.storage.table_store import Entry, FinishedGame, Json, TableStore


class MemoryPeople(PeopleStore):
    def __init__(self) -> None:
        super().__init__(Database(SqliteMemory()))


class MemoryModeration(ModerationStore):
    def __init__(self) -> None:
        super().__init__(Database(SqliteMemory()))


@dataclass(eq=False)
class MemoryStore(TableStore):
    content: bytes | None = None
    """Of another one's database."""

    def __post_init__(self) -> None:
        self.backend = SqliteMemory()
        if self.content:
            self.backend.driver.deserialize(self.content)
        super().__init__(Database(self.backend))

    def sql(self, statement: str, **values: object) -> list[Any]:
        """The rows that come of it."""
        with self.backend.writer.transaction() as connection:
            found = connection.execute(statement, values)
            return found.fetchall() if found.description else []

    @property
    def rows(self) -> dict[str, Json]:
        """By table, the oldest first."""
        found = self.sql("SELECT key, content FROM tables ORDER BY place")
        return {key: json.loads(content) for key, content in found}

    @property
    def games(self) -> dict[str, tuple[int, list[Entry]]]:
        """By table: the number of its newest game, and what has happened in it."""
        games: dict[str, dict[int, list[Entry]]] = defaultdict(lambda: defaultdict(list))
        for key, game, content in self.sql(
            "SELECT table_key, game, content FROM entries ORDER BY table_key, game, number"
        ):
            games[key][game].append(json.loads(content))
        return {key: (max(found), found[max(found)]) for key, found in games.items()}

    def put(
        self, key: str, row: Json, game: int = 0, entries: Sequence[Entry] = (), place: int = 0
    ) -> None:
        """Have just this there of a table, whatever there was."""
        for table in ("positions", "entries"):
            self.sql(f"DELETE FROM {table} WHERE table_key = :key", key=key)
        self.sql("DELETE FROM tables WHERE key = :key", key=key)
        for sql in (
            "INSERT INTO tables (key, place, content) VALUES (:key, :place, :row)",
            "INSERT INTO positions (table_key, position) VALUES (:key, :position)",
        ):
            self.sql(sql, key=key, place=place, row=to_json(row), position=len(entries) or 1)
        for number, entry in enumerate(entries):
            self.sql(
                "INSERT INTO entries (table_key, game, number, content)"
                " VALUES (:key, :game, :number, :content)",
                key=key,
                game=game,
                number=number,
                content=to_json(entry),
            )

    @property
    def finished(self) -> dict[tuple[str, int], FinishedGame]:
        """By table and game; with the marks of the addresses."""
        found = {}
        for number, origin, kept, content in self.sql(
            "SELECT id, origin, kept, content FROM records"
        ):
            seats = self.sql(
                "SELECT player, source FROM record_seats WHERE record_id = :id ORDER BY seat",
                id=number,
            )
            key, _, game = origin.rpartition("-")
            players = tuple(seat.player for seat in seats)
            sources = tuple(seat.source for seat in seats)
            found[key, int(game)] = FinishedGame(json.loads(content), players, kept, sources)
        return found


def copy_of(store: MemoryStore) -> MemoryStore:
    """What a new process would find after a kill right now."""
    return MemoryStore(content_of(store))


def content_of(store: MemoryStore) -> bytes:
    return store.backend.driver.serialize()
