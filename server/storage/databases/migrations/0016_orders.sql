-- Version 16: indexes, so that no page takes longer the more games, months and events there are; what operators
-- want of nodes, and the key with which nodes mark what they tell each other.

-- In the order in which games are listed.
DROP INDEX record_seats_by_player;
CREATE INDEX record_seats_by_player ON record_seats (player, record_id);
CREATE INDEX record_seats_of_programs ON record_seats (player) WHERE kind = 'program';
CREATE INDEX records_rated ON records (kept) WHERE rated = 1;
-- What is open is read without what is closed, and when the last one was closed without the others.
CREATE INDEX events_by_closed ON events (closed, kind, opens);
CREATE INDEX tournaments_by_end ON tournaments (over, opened);
CREATE INDEX reports_by_told ON reports (told, closed);
-- As the leaderboard is ordered.
CREATE INDEX ratings_by_strength ON ratings ((mu - 3 * sigma));
-- "draining" is 1 from when an operator wants the node to end: it hands its tables over.
ALTER TABLE nodes ADD COLUMN draining INTEGER NOT NULL DEFAULT 0;
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
