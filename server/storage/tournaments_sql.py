"""Tournaments in a database."""

import json
from collections.abc import Sequence
from typing import Any, Final

from typing_extensions import override

from server.storage.databases.connection import Connection, to_json
from server.storage.databases.database import Repository, reads, writes
from server.storage.store import Charge
from server.storage.tables_sql import check_charge
from server.storage.tournaments import StoredTournament, TournamentStore

_ALL: Final = "SELECT id, opened, over, state FROM tournaments"


class SqlTournaments(Repository, TournamentStore):
    """Tournaments in a ``Database``."""

    @override
    @writes
    def keep(
        self,
        connection: Connection,
        tournament: StoredTournament,
        charge: Charge | None = None,
    ) -> None:
        if charge is not None:
            check_charge(connection, charge)
        row = {**tournament._asdict(), "state": to_json(dict(tournament.state))}
        connection.upsert("tournaments", "id", row)

    @override
    @reads
    def find(self, connection: Connection, tournament: str) -> StoredTournament | None:
        row = connection.execute(f"{_ALL} WHERE id = :id", id=tournament).first()
        return None if row is None else _tournament(row)

    @override
    @reads
    def newest(self, connection: Connection, limit: int = 20) -> Sequence[StoredTournament]:
        query = f"{_ALL} ORDER BY opened DESC, id LIMIT :limit"
        return [_tournament(row) for row in connection.execute(query, limit=limit)]

    @override
    @reads
    def still_open(self, connection: Connection) -> Sequence[StoredTournament]:
        query = f"{_ALL} WHERE over = 0 ORDER BY opened, id"
        return [_tournament(row) for row in connection.execute(query)]


def _tournament(row: Any) -> StoredTournament:
    return StoredTournament(row.id, row.opened, row.over, json.loads(row.state))
