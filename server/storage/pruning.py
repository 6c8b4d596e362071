"""Old games out of the database, a part at a time, so that a server beside it can write in between."""

from typing import Final

from sqlalchemy import Connection, text

BATCH: Final = 500
"""Games that are removed in one transaction."""

# The newest stays: the next game's number follows from it, and no number is ever given out again.
_OLD: Final = "kept < :before AND id < (SELECT MAX(id) FROM records)"
_COUNT: Final = text(f"SELECT COUNT(*) FROM records WHERE {_OLD}")
_FIND: Final = text(f"SELECT id FROM records WHERE {_OLD} ORDER BY id LIMIT {BATCH}")
_REMOVE: Final = tuple(
    text(f"DELETE FROM {table} WHERE {column} = :id")
    for table, column in (
        ("hand_results", "record_id"),
        ("record_seats", "record_id"),
        ("records", "id"),
    )
)


def count(connection: Connection, before: float) -> int:
    """How many games were over before that time, and would go."""
    return int(connection.execute(_COUNT, {"before": before}).scalar_one())


def prune(connection: Connection, before: float) -> int:
    """Remove the oldest of them; how many. Ratings stay as they are."""
    found = connection.execute(_FIND, {"before": before}).scalars().all()
    for remove in _REMOVE if found else ():
        connection.execute(remove, [{"id": number} for number in found])
    return len(found)
