"""Version 13: which house this is, for nodes that share a bus with those of another one."""

from typing import Final

SCRIPT: Final = """
-- One row, made by the first node. A copy is filled without it: that is another house.
CREATE TABLE house (
    kind TEXT PRIMARY KEY,
    id TEXT NOT NULL
);
"""
