"""Version 9: the codes that were given to tables, so that none is ever given to another one; where each
table's next change goes, and the epoch of its owner.
"""

from typing import Final

STATEMENTS: Final = (
    "CREATE TABLE codes (code TEXT PRIMARY KEY)",
    # Of its own, because it changes with every bid, and rows are long.
    """
    CREATE TABLE owners (
        table_key TEXT PRIMARY KEY,
        epoch BIGINT NOT NULL,
        position BIGINT NOT NULL
    )
    """,
    """
    INSERT INTO owners (table_key, epoch, position)
    SELECT key, 1, COALESCE((SELECT MAX(number) + 1 FROM entries WHERE table_key = key), 1) FROM tables
    """,
)
