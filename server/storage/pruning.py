"""Old games out of the database, a part at a time, so that a server beside it can write in between."""

from typing import Final

from sqlalchemy import Connection

from server.storage.statements import execute

BATCH: Final = 500
"""Games that are removed in one transaction."""

# The newest stays: a release before this one gives the next game the number after it.
_OLD: Final = "kept < :before AND id < (SELECT MAX(id) FROM records)"
_COUNT: Final = f"SELECT COUNT(*) FROM records WHERE {_OLD}"
_FIND: Final = f"SELECT id FROM records WHERE {_OLD} ORDER BY id LIMIT {BATCH}"
_REMOVE: Final = tuple(
    f"DELETE FROM {table} WHERE {column} = :id"
    for table, column in (
        ("hand_results", "record_id"),
        ("record_seats", "record_id"),
        ("records", "id"),
    )
)


def count(connection: Connection, before: float) -> int:
    """How many games were over before that time, and would go."""
    return int(execute(connection, _COUNT, {"before": before}).scalar_one())


def prune(connection: Connection, before: float) -> int:
    """Remove the oldest of them; how many. Ratings stay as they are."""
    found = execute(connection, _FIND, {"before": before}).scalars().all()
    for remove in _REMOVE if found else ():
        execute(connection, remove, [{"id": number} for number in found])
    return len(found)
