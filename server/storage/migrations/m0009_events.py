"""Version 9: events, in which several tables play the same deals; games of a deal that was played before."""

from typing import Final

SCRIPT: Final = """
-- "closed" is when it was closed, 0 before: then nothing of its games is shown. "state" is its kind's.
CREATE TABLE events (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    opens DOUBLE PRECISION NOT NULL,
    closes DOUBLE PRECISION NOT NULL,
    closed DOUBLE PRECISION NOT NULL DEFAULT 0,
    seed TEXT NOT NULL,
    commitment TEXT NOT NULL,
    state TEXT NOT NULL
);
CREATE INDEX events_by_kind ON events (kind, opens);
-- Who has begun to play: written before the first card is seen. A game that is broken off leaves no record.
CREATE TABLE event_players (
    event TEXT NOT NULL,
    player TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (event, player)
);
CREATE INDEX event_players_by_player ON event_players (player);
ALTER TABLE records ADD COLUMN event TEXT NOT NULL DEFAULT '';
CREATE INDEX records_by_event ON records (event) WHERE event <> '';
-- Of a deal that was known before: it counts for nobody's statistics.
ALTER TABLE records ADD COLUMN again INTEGER NOT NULL DEFAULT 0;
"""
