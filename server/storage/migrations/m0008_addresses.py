"""Version 8: marks of the addresses that rated games were played from, and who is on the leaderboard."""

from typing import Final

from sqlalchemy import Connection

STATEMENTS: Final = (
    # Empty where it is not known: of all games before, and of those that count for no rating.
    "ALTER TABLE record_seats ADD COLUMN source TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE ratings ADD COLUMN listed INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE people ADD COLUMN vouched INTEGER NOT NULL DEFAULT 0",
)


def fill(connection: Connection) -> None:
    """Find out who is on it."""
    from server.storage.standing import set_listed

    rows = connection.exec_driver_sql("SELECT person FROM ratings ORDER BY person")
    set_listed(connection, [row.person for row in rows.all()])
