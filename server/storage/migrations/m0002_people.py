"""Version 2: people, their names and keys."""

from typing import Final

STATEMENTS: Final = (
    # "code" is a guest's rejoin code, hashed; NULL for an account.
    """
    CREATE TABLE people (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        guest INTEGER NOT NULL,
        code TEXT UNIQUE,
        created DOUBLE PRECISION NOT NULL,
        seen DOUBLE PRECISION NOT NULL,
        settings TEXT NOT NULL
    )
    """,
    "CREATE INDEX people_by_seen ON people (guest, seen)",
    """
    CREATE TABLE names (
        skeleton TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX names_by_person ON names (person)",
    """
    CREATE TABLE keys (
        fingerprint TEXT PRIMARY KEY,
        person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        added DOUBLE PRECISION NOT NULL
    )
    """,
    "CREATE INDEX keys_by_person ON keys (person)",
)
