"""Version 5: which server word has been given with a key."""

from typing import Final

STATEMENTS: Final = (
    # An identifier that says nothing of the word; empty until one has been given.
    "ALTER TABLE keys ADD COLUMN word TEXT NOT NULL DEFAULT ''",
)
