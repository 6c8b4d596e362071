-- Version 16: indexes, so that no page takes longer the more games, months and events there are.

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
