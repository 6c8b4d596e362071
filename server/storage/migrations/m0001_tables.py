"""Version 1: running tables, their actions, and the records of finished games."""

from typing import Final

STATEMENTS: Final = (
    # "place" is the order of creation. "content" is JSON, as everywhere: PostgreSQL may make it JSONB.
    """
    CREATE TABLE tables (
        key TEXT PRIMARY KEY,
        place BIGINT NOT NULL,
        content TEXT NOT NULL
    )
    """,
    # No foreign key to the table: a row out of order must not fail the others in a shared transaction.
    """
    CREATE TABLE entries (
        table_key TEXT NOT NULL,
        game INTEGER NOT NULL,
        number INTEGER NOT NULL,
        content TEXT NOT NULL,
        PRIMARY KEY (table_key, game, number)
    )
    """,
    """
    CREATE TABLE records (
        id BIGINT PRIMARY KEY,
        origin TEXT NOT NULL UNIQUE,
        kept DOUBLE PRECISION NOT NULL,
        content TEXT NOT NULL
    )
    """,
    # Whose result a seat is: empty for a bot. The record itself says nothing of accounts.
    """
    CREATE TABLE record_seats (
        record_id BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        player TEXT NOT NULL,
        PRIMARY KEY (record_id, seat)
    )
    """,
    "CREATE INDEX record_seats_by_player ON record_seats (player)",
)
