"""Version 3: what finished games came to, and ratings."""

from typing import Final

from sqlalchemy import Connection, text

STATEMENTS: Final = (
    "ALTER TABLE records ADD COLUMN edition TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE records ADD COLUMN complete INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE records ADD COLUMN rated INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX records_by_kept ON records (kept, id)",
    "ALTER TABLE record_seats ADD COLUMN name TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE record_seats ADD COLUMN kind TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE record_seats ADD COLUMN score INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE record_seats ADD COLUMN place INTEGER NOT NULL DEFAULT 0",
    # A row for each complete stage and seat.
    """
    CREATE TABLE hand_results (
        record_id BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        stage INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        hand INTEGER NOT NULL,
        points INTEGER NOT NULL,
        PRIMARY KEY (record_id, stage, seat)
    )
    """,
    """
    CREATE TABLE ratings (
        person TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
        mu DOUBLE PRECISION NOT NULL,
        sigma DOUBLE PRECISION NOT NULL,
        games INTEGER NOT NULL
    )
    """,
)


def fill(connection: Connection) -> None:
    """Work out what the games kept so far came to."""
    from server.storage.archive import add_results
    from server.storage.results import RecordError, result_of

    known = connection.execute(text("SELECT id FROM records ORDER BY id")).scalars().all()
    for number in known:
        query = text("SELECT content FROM records WHERE id = :id")
        content = connection.execute(query, {"id": number}).scalar_one()
        try:
            _, result = result_of(content)
        except RecordError:
            continue  # it stays as it is, and counts for nothing
        add_results(connection, number, result)
