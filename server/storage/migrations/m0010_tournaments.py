"""Version 10: tournaments."""

from typing import Final

SCRIPT: Final = """
-- "over" is when it ended, 0 before. "state" has who plays, where, and the results; seeds are in "events".
CREATE TABLE tournaments (
    id TEXT PRIMARY KEY,
    opened DOUBLE PRECISION NOT NULL,
    over DOUBLE PRECISION NOT NULL DEFAULT 0,
    state TEXT NOT NULL
);
CREATE INDEX tournaments_by_time ON tournaments (opened);
"""
