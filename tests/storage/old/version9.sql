-- A database as version 9 of the schema left it.
BEGIN TRANSACTION;
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
INSERT INTO "audit" VALUES(1,1700000000.0,'account:ada','ada','ban','Bo','','ok');
INSERT INTO "audit" VALUES(2,1700000001.0,'uid 0','root','unban','Cem','{"ban":3}','ok');
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
INSERT INTO "bans" VALUES(1,'name','Bo','bo','shouting',1700000000.0,'account:ada',0.0);
CREATE TABLE entries (
        table_key TEXT NOT NULL,
        game INTEGER NOT NULL,
        number INTEGER NOT NULL,
        content TEXT NOT NULL,
        PRIMARY KEY (table_key, game, number)
    );
INSERT INTO "entries" VALUES('7f3a',2,0,'["tides", 4, 7]');
INSERT INTO "entries" VALUES('7f3a',2,1,'["bid", 0, 44]');
INSERT INTO "entries" VALUES('7f3a',2,2,'["bid", 2, 16]');
CREATE TABLE hand_results (
        record_id BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        stage INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        hand INTEGER NOT NULL,
        points INTEGER NOT NULL,
        PRIMARY KEY (record_id, stage, seat)
    );
INSERT INTO "hand_results" VALUES(1,0,0,0,1);
INSERT INTO "hand_results" VALUES(1,0,1,1,1);
INSERT INTO "hand_results" VALUES(1,0,2,2,4);
INSERT INTO "hand_results" VALUES(1,0,3,3,1);
INSERT INTO "hand_results" VALUES(1,1,0,3,0);
INSERT INTO "hand_results" VALUES(1,1,1,0,5);
INSERT INTO "hand_results" VALUES(1,1,2,1,0);
INSERT INTO "hand_results" VALUES(1,1,3,2,3);
CREATE TABLE keys (
        fingerprint TEXT PRIMARY KEY,
        person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        added DOUBLE PRECISION NOT NULL
    , word TEXT NOT NULL DEFAULT '');
INSERT INTO "keys" VALUES('SHA256:abc','account:ada',1700000000.0,'');
CREATE TABLE mutes (
        person TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        reason TEXT NOT NULL,
        made DOUBLE PRECISION NOT NULL,
        made_by TEXT NOT NULL,
        until DOUBLE PRECISION NOT NULL
    );
CREATE TABLE names (
        skeleton TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE
    );
INSERT INTO "names" VALUES('ada','ada','account:ada');
INSERT INTO "names" VALUES('bo','bo','guest:bo');
CREATE TABLE numbers (
        kind TEXT PRIMARY KEY,
        last INTEGER NOT NULL
    );
INSERT INTO "numbers" VALUES('audit',2);
INSERT INTO "numbers" VALUES('bans',3);
INSERT INTO "numbers" VALUES('reports',0);
CREATE TABLE people (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        guest INTEGER NOT NULL,
        code TEXT UNIQUE,
        created DOUBLE PRECISION NOT NULL,
        seen DOUBLE PRECISION NOT NULL,
        settings TEXT NOT NULL
    , vouched INTEGER NOT NULL DEFAULT 0);
INSERT INTO "people" VALUES('account:ada','ada',0,NULL,1700000000.0,1700000100.0,'{"theme":"dusk"}',0);
INSERT INTO "people" VALUES('guest:bo','bo',1,'00ff',1700000000.0,1700000100.0,'{}',0);
CREATE TABLE ratings (
        person TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
        mu DOUBLE PRECISION NOT NULL,
        sigma DOUBLE PRECISION NOT NULL,
        games INTEGER NOT NULL
    , listed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE record_seats (
        record_id BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        player TEXT NOT NULL, name TEXT NOT NULL DEFAULT '', kind TEXT NOT NULL DEFAULT '', score INTEGER NOT NULL DEFAULT 0, place INTEGER NOT NULL DEFAULT 0, source TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (record_id, seat)
    );
INSERT INTO "record_seats" VALUES(1,0,'account:ada','ada','human',1,4,'');
INSERT INTO "record_seats" VALUES(1,1,'guest:bo','bo','human',6,1,'');
INSERT INTO "record_seats" VALUES(1,2,'','Gull','bot',4,2,'');
INSERT INTO "record_seats" VALUES(1,3,'','Tern','bot',4,2,'');
INSERT INTO "record_seats" VALUES(2,0,'account:ada','','',0,0,'');
CREATE TABLE records (
        id BIGINT PRIMARY KEY,
        origin TEXT NOT NULL UNIQUE,
        kept DOUBLE PRECISION NOT NULL,
        content TEXT NOT NULL
    , edition TEXT NOT NULL DEFAULT '', complete INTEGER NOT NULL DEFAULT 0, rated INTEGER NOT NULL DEFAULT 0, tutorial INTEGER NOT NULL DEFAULT 0);
INSERT INTO "records" VALUES(1,'7f3a-1',1700000000.5,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":2},"players":["ada","bo","Gull","Tern"],"deal":[[3,9,20,25,30,31,32,34,42,46,47,54],[5,6,8,11,16,23,36,38,41,45,50,52],[7,10,15,18,19,24,27,28,35,49,53,60],[2,13,17,22,26,29,33,39,40,43,56,58]],"stages":[{"tides":[[10,12],[7,11],[3,12],[4,10],[3,9],[8,9],[1,2],[6,11],[1,6],[4,5],[2,8],[5,7]],"bids":[[42,6,24,43],[3,45,18,2],[20,38,35,17],[31,8,60,40],[9,11,19,13],[46,41,27,22],[30,5,49,29],[34,50,10,58],[25,36,15,26],[54,52,53,33],[47,16,7,39],[32,23,28,56]]},{"tides":[[4,8],[3,11],[7,8],[5,10],[6,7],[3,4],[5,10],[9,12],[1,12],[2,6],[1,2],[9,11]],"bids":[[39,46,38,24],[26,25,8,18],[13,54,23,53],[56,32,50,27],[17,9,45,15],[58,30,6,28],[33,3,52,7],[43,47,16,35],[29,42,41,10],[2,31,11,60],[22,20,36,49],[40,34,5,19]]}],"seed":"38b4e652e44da7f2370d9e260e27136550a4a3a6d07f5c0c332f8b1224083fd2","commitment":"23495c1406d2b2e3f834974f4c973ece1dfea839fe0c770e494b6aa0f61c38ae","algorithm":1,"id":"7f3a-1","seats":["human","human","bot","bot"]}','amigo',1,0,0);
INSERT INTO "records" VALUES(2,'unreadable',1700000001.0,'{}','',0,0,0);
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
CREATE TABLE codes (code TEXT PRIMARY KEY);
CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO "schema_version" VALUES(9);
CREATE TABLE tables (
        key TEXT PRIMARY KEY,
        place BIGINT NOT NULL,
        content TEXT NOT NULL
    );
INSERT INTO "tables" VALUES('7f3a',1,'{"title": "Harbour", "number": 2}');
INSERT INTO "tables" VALUES('91bc',2,'{"title": "Pier", "number": 0}');
CREATE INDEX record_seats_by_player ON record_seats (player);
CREATE INDEX people_by_seen ON people (guest, seen);
CREATE INDEX names_by_person ON names (person);
CREATE INDEX keys_by_person ON keys (person);
CREATE INDEX records_by_kept ON records (kept, id);
CREATE INDEX reports_by_closed ON reports (closed, id);
CREATE INDEX audit_by_made ON audit (made);
COMMIT;
