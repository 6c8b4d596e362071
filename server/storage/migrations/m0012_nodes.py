"""Version 12: nodes, and which of them has a table."""

from typing import Final

SCRIPT: Final = """
-- Times are the database's own, in seconds since 1970. "id" is a node's from start to end, or until it
-- has lost its lease; "bus" is 1 while it hears the others.
CREATE TABLE nodes (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    until DOUBLE PRECISION NOT NULL,
    bus INTEGER NOT NULL
);
-- Empty for the one process of a server without nodes.
ALTER TABLE owners ADD COLUMN node TEXT NOT NULL DEFAULT '';
CREATE INDEX owners_by_node ON owners (node);
"""
