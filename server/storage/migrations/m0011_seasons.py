"""Version 11: seasons, a leaderboard for each month."""

from typing import Final

SCRIPT: Final = """
-- A month that is over, such as 2026-11, and when its table was kept.
CREATE TABLE seasons (
    month TEXT PRIMARY KEY,
    kept DOUBLE PRECISION NOT NULL
);
-- Its table. "player" is empty for who has been forgotten.
CREATE TABLE season_places (
    month TEXT NOT NULL REFERENCES seasons (month) ON DELETE CASCADE,
    line INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    player TEXT NOT NULL,
    score DOUBLE PRECISION NOT NULL,
    games INTEGER NOT NULL,
    met INTEGER NOT NULL,
    program INTEGER NOT NULL,
    PRIMARY KEY (month, line)
);
CREATE INDEX season_places_by_player ON season_places (player);
"""
