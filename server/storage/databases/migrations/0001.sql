-- The schema.

-- "place" is the order of creation. "content" is JSON, as everywhere: PostgreSQL may make it JSONB.
CREATE TABLE tables (
    key TEXT PRIMARY KEY,
    place BIGINT NOT NULL,
    content TEXT NOT NULL
);
-- No foreign key to the table: a row out of order must not fail the others in a shared transaction.
CREATE TABLE entries (
    table_key TEXT NOT NULL,
    game INTEGER NOT NULL,
    number INTEGER NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (table_key, game, number)
);
-- Of its own, because it changes with every bid, and what a table's row holds is long.
CREATE TABLE positions (
    table_key TEXT PRIMARY KEY,
    position BIGINT NOT NULL
);
CREATE TABLE codes (code TEXT PRIMARY KEY);
CREATE TABLE records (
    id BIGINT PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE,
    kept DOUBLE PRECISION NOT NULL,
    content TEXT NOT NULL,
    edition TEXT NOT NULL DEFAULT '',
    complete INTEGER NOT NULL DEFAULT 0,
    rated INTEGER NOT NULL DEFAULT 0,
    tutorial INTEGER NOT NULL DEFAULT 0,
    event TEXT NOT NULL DEFAULT '',
    -- Of a deal that was known before: it counts for nobody's statistics.
    again INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX records_by_kept ON records (kept, id);
CREATE INDEX records_by_event ON records (event) WHERE event <> '';
CREATE INDEX records_rated ON records (kept) WHERE rated = 1;
-- Whose result a seat is: empty for a bot. The record itself says nothing of accounts.
CREATE TABLE record_seats (
    record_id BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    player TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL DEFAULT '',
    score INTEGER NOT NULL DEFAULT 0,
    place INTEGER NOT NULL DEFAULT 0,
    -- A mark of the address; empty where it is not known, and for games that count for nothing.
    source TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (record_id, seat)
);
-- In the order in which games are listed.
CREATE INDEX record_seats_by_player ON record_seats (player, record_id);
CREATE INDEX record_seats_of_programs ON record_seats (player) WHERE kind = 'program';
-- A row for each complete stage and seat.
CREATE TABLE hand_results (
    record_id BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
    stage INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    points INTEGER NOT NULL,
    PRIMARY KEY (record_id, stage, seat)
);
-- "code" is a guest's rejoin code, hashed; NULL for an account.
CREATE TABLE people (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    guest INTEGER NOT NULL,
    code TEXT UNIQUE,
    created DOUBLE PRECISION NOT NULL,
    seen DOUBLE PRECISION NOT NULL,
    settings TEXT NOT NULL,
    vouched INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX people_by_seen ON people (guest, seen);
CREATE TABLE names (
    skeleton TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE
);
CREATE INDEX names_by_person ON names (person);
-- "password" is an identifier of the server password that was given with the key, and says nothing of it.
CREATE TABLE keys (
    fingerprint TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    added DOUBLE PRECISION NOT NULL,
    password TEXT NOT NULL DEFAULT ''
);
CREATE INDEX keys_by_person ON keys (person);
-- Who follows whom: both are accounts. It goes with either of them.
CREATE TABLE follows (
    person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    whom TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    PRIMARY KEY (person, whom)
);
CREATE INDEX follows_by_whom ON follows (whom);
CREATE TABLE ratings (
    person TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
    mu DOUBLE PRECISION NOT NULL,
    sigma DOUBLE PRECISION NOT NULL,
    games INTEGER NOT NULL,
    listed INTEGER NOT NULL DEFAULT 0
);
-- As the leaderboard is ordered.
CREATE INDEX ratings_by_strength ON ratings ((mu - 3 * sigma));
-- "matched" is what is compared: a fingerprint, a name's skeleton, a network. "until" 0 is for ever.
CREATE TABLE bans (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    shown TEXT NOT NULL,
    matched TEXT NOT NULL,
    reason TEXT NOT NULL,
    made DOUBLE PRECISION NOT NULL,
    made_by TEXT NOT NULL,
    until DOUBLE PRECISION NOT NULL
);
-- "person" as in people, or whoever it was; a silence always has an end.
CREATE TABLE mutes (
    person TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    reason TEXT NOT NULL,
    made DOUBLE PRECISION NOT NULL,
    made_by TEXT NOT NULL,
    until DOUBLE PRECISION NOT NULL
);
-- "closed" is 0 while nobody has dealt with it; "told" whether the reporter has heard the answer.
CREATE TABLE reports (
    id INTEGER PRIMARY KEY,
    made DOUBLE PRECISION NOT NULL,
    reporter TEXT NOT NULL,
    reporter_name TEXT NOT NULL,
    about TEXT NOT NULL,
    about_name TEXT NOT NULL,
    place TEXT NOT NULL,
    content TEXT NOT NULL,
    answer TEXT NOT NULL,
    closed DOUBLE PRECISION NOT NULL,
    closed_by TEXT NOT NULL,
    told INTEGER NOT NULL
);
CREATE INDEX reports_by_closed ON reports (closed, id);
CREATE INDEX reports_by_told ON reports (told, closed);
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    made DOUBLE PRECISION NOT NULL,
    who TEXT NOT NULL,
    name TEXT NOT NULL,
    action TEXT NOT NULL,
    about TEXT NOT NULL,
    details TEXT NOT NULL,
    outcome TEXT NOT NULL
);
CREATE INDEX audit_by_made ON audit (made);
-- The last number given of each kind: that of a ban that has been lifted names nothing else later.
CREATE TABLE numbers (
    kind TEXT PRIMARY KEY,
    last INTEGER NOT NULL
);
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
-- What is open is read without what is closed, and when the last one was closed without the others.
CREATE INDEX events_by_closed ON events (closed, kind, opens);
-- Who has begun to play: written before the first card is seen. A game that is broken off leaves no record.
-- "source" is a mark of the address; empty where it is not known.
CREATE TABLE event_players (
    event TEXT NOT NULL,
    player TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (event, player)
);
CREATE INDEX event_players_by_player ON event_players (player);
-- "over" is when it ended, 0 before. "state" has who plays, where, and the results; seeds are in "events".
CREATE TABLE tournaments (
    id TEXT PRIMARY KEY,
    opened DOUBLE PRECISION NOT NULL,
    over DOUBLE PRECISION NOT NULL DEFAULT 0,
    state TEXT NOT NULL
);
CREATE INDEX tournaments_by_time ON tournaments (opened);
CREATE INDEX tournaments_by_end ON tournaments (over, opened);
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
-- Somebody's best month is found without reading the others.
CREATE INDEX season_places_by_player ON season_places (player, rank, month);
