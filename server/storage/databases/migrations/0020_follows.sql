-- Version 20: who follows whom, and somebody's best month without reading the others.

-- Both are accounts. It goes with either of them.
CREATE TABLE follows (
    person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    whom TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    PRIMARY KEY (person, whom)
);
CREATE INDEX follows_by_whom ON follows (whom);
DROP INDEX season_places_by_player;
CREATE INDEX season_places_by_player ON season_places (player, rank, month);
