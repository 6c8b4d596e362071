"""Tournaments as they are kept. Each of their rounds is an event
(``server.storage.events``), of the kind ``KIND``, which has its deal and its games.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from server.storage.databases.connection import Connection, to_json
from server.storage.databases.database import Repository, reads, writes
from server.storage.events import Event, to_row

KIND: Final = "tournament"


class StoredTournament(NamedTuple):
    """One tournament."""

    id: str
    """Unique for all time; short and speakable."""
    opened: float
    """In seconds since 1970."""
    over: float
    """When it ended; 0 while it has not."""
    state: Mapping[str, Any]
    """Everything else, as JSON. It has ids of people, and no seed."""


_ALL: Final = "SELECT id, opened, over, state FROM tournaments"


class TournamentStore(Repository):
    """Tournaments in a ``Database``. All methods raise ``StoreError`` when it does not work."""

    @writes
    def keep(
        self, connection: Connection, tournament: StoredTournament, event: Event | None = None
    ) -> None:
        """Keep it, new or in place of what was there, with the event of a round that begins; returns when
        they would survive power loss.
        """
        row = {**tournament._asdict(), "state": to_json(dict(tournament.state))}
        connection.upsert("tournaments", "id", row)
        if event is not None:
            # If the answer was lost when it was kept before, nobody has been told of that one.
            connection.upsert("events", "id", to_row(event))

    @reads
    def find(self, connection: Connection, tournament: str) -> StoredTournament | None:
        """Return the tournament with this id; ``None`` when there is none."""
        row = connection.execute(f"{_ALL} WHERE id = :id", id=tournament).fetchone()
        return None if row is None else _tournament(row)

    @reads
    def newest(self, connection: Connection, limit: int = 20) -> Sequence[StoredTournament]:
        """Return the newest tournaments, the last opened first."""
        query = f"{_ALL} ORDER BY opened DESC, id LIMIT :limit"
        return [_tournament(row) for row in connection.execute(query, limit=limit)]

    @reads
    def still_open(self, connection: Connection) -> Sequence[StoredTournament]:
        """Return tournaments that are not over, the first opened first."""
        query = f"{_ALL} WHERE over = 0 ORDER BY opened, id"
        return [_tournament(row) for row in connection.execute(query)]


def _tournament(row: Any) -> StoredTournament:
    return StoredTournament(row.id, row.opened, row.over, json.loads(row.state))
