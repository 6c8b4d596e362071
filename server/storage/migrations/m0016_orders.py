"""Version 16: what operators want of nodes, and the key with which nodes mark what they tell each other."""

from typing import Final

SCRIPT: Final = """
-- "at" is the database's own time; "node" is the id of the only one that an order is for, or empty.
CREATE TABLE orders (
    number INTEGER PRIMARY KEY,
    at DOUBLE PRECISION NOT NULL,
    node TEXT NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL
);
-- "secret" is the key, in hexadecimal digits, empty until somebody needs it; "orders" is the last number.
ALTER TABLE house ADD COLUMN secret TEXT NOT NULL DEFAULT '';
ALTER TABLE house ADD COLUMN orders INTEGER NOT NULL DEFAULT 0;
"""
