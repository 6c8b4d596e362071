CREATE TABLE public.audit (
    id bigint NOT NULL,
    made double precision NOT NULL,
    who text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    about text NOT NULL COLLATE pg_catalog."C",
    details text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.bans (
    id bigint NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    shown text NOT NULL COLLATE pg_catalog."C",
    matched text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL COLLATE pg_catalog."C",
    made double precision NOT NULL,
    made_by text NOT NULL COLLATE pg_catalog."C",
    until double precision NOT NULL
);
CREATE TABLE public.codes (
    code text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.entries (
    table_key text NOT NULL COLLATE pg_catalog."C",
    game bigint NOT NULL,
    number bigint NOT NULL,
    content text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.event_players (
    event text NOT NULL COLLATE pg_catalog."C",
    player text NOT NULL COLLATE pg_catalog."C",
    at double precision NOT NULL
);
CREATE TABLE public.events (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    opens double precision NOT NULL,
    closes double precision NOT NULL,
    closed double precision DEFAULT 0 NOT NULL,
    seed text NOT NULL COLLATE pg_catalog."C",
    commitment text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.hand_results (
    record_id bigint NOT NULL,
    stage bigint NOT NULL,
    seat bigint NOT NULL,
    hand bigint NOT NULL,
    points bigint NOT NULL
);
CREATE TABLE public.house (
    kind text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.keys (
    fingerprint text NOT NULL COLLATE pg_catalog."C",
    person text NOT NULL COLLATE pg_catalog."C",
    added double precision NOT NULL,
    word text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.mutes (
    person text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL COLLATE pg_catalog."C",
    made double precision NOT NULL,
    made_by text NOT NULL COLLATE pg_catalog."C",
    until double precision NOT NULL
);
CREATE TABLE public.names (
    skeleton text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    person text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.nodes (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    until double precision NOT NULL,
    bus bigint NOT NULL
);
CREATE TABLE public.numbers (
    kind text NOT NULL COLLATE pg_catalog."C",
    last bigint NOT NULL
);
CREATE SEQUENCE public.numbers_audit
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE SEQUENCE public.numbers_bans
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE SEQUENCE public.numbers_records
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE SEQUENCE public.numbers_reports
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE SEQUENCE public.numbers_tables
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.owners (
    table_key text NOT NULL COLLATE pg_catalog."C",
    epoch bigint NOT NULL,
    "position" bigint NOT NULL,
    node text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.people (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    guest bigint NOT NULL,
    code text COLLATE pg_catalog."C",
    created double precision NOT NULL,
    seen double precision NOT NULL,
    settings text NOT NULL COLLATE pg_catalog."C",
    vouched bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.ratings (
    person text NOT NULL COLLATE pg_catalog."C",
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    games bigint NOT NULL,
    listed bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.record_seats (
    record_id bigint NOT NULL,
    seat bigint NOT NULL,
    player text NOT NULL COLLATE pg_catalog."C",
    name text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    kind text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    score bigint DEFAULT 0 NOT NULL,
    place bigint DEFAULT 0 NOT NULL,
    source text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.records (
    id bigint NOT NULL,
    origin text NOT NULL COLLATE pg_catalog."C",
    kept double precision NOT NULL,
    content text NOT NULL COLLATE pg_catalog."C",
    edition text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    complete bigint DEFAULT 0 NOT NULL,
    rated bigint DEFAULT 0 NOT NULL,
    tutorial bigint DEFAULT 0 NOT NULL,
    event text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    again bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.reports (
    id bigint NOT NULL,
    made double precision NOT NULL,
    reporter text NOT NULL COLLATE pg_catalog."C",
    reporter_name text NOT NULL COLLATE pg_catalog."C",
    about text NOT NULL COLLATE pg_catalog."C",
    about_name text NOT NULL COLLATE pg_catalog."C",
    place text NOT NULL COLLATE pg_catalog."C",
    content text NOT NULL COLLATE pg_catalog."C",
    answer text NOT NULL COLLATE pg_catalog."C",
    closed double precision NOT NULL,
    closed_by text NOT NULL COLLATE pg_catalog."C",
    told bigint NOT NULL
);
CREATE TABLE public.schema_version (
    version integer NOT NULL
);
CREATE TABLE public.season_places (
    month text NOT NULL COLLATE pg_catalog."C",
    line bigint NOT NULL,
    rank bigint NOT NULL,
    player text NOT NULL COLLATE pg_catalog."C",
    score double precision NOT NULL,
    games bigint NOT NULL,
    met bigint NOT NULL,
    program bigint NOT NULL
);
CREATE TABLE public.seasons (
    month text NOT NULL COLLATE pg_catalog."C",
    kept double precision NOT NULL
);
CREATE TABLE public.tables (
    key text NOT NULL COLLATE pg_catalog."C",
    place bigint NOT NULL,
    content text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.tournaments (
    id text NOT NULL COLLATE pg_catalog."C",
    opened double precision NOT NULL,
    over double precision DEFAULT 0 NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C"
);
INSERT INTO public.audit VALUES (1, 1795377600, 'uid 0', 'root', 'mute', 'bo', '{}', 'ok');
INSERT INTO public.bans VALUES (1, 'name', 'dil', 'dil', 'swore', 1795377600, 'root', 0);
INSERT INTO public.codes VALUES ('badikimu');
INSERT INTO public.codes VALUES ('tatepozu');
INSERT INTO public.codes VALUES ('sosibano');
INSERT INTO public.codes VALUES ('posesele');
INSERT INTO public.codes VALUES ('kikesunu');
INSERT INTO public.codes VALUES ('lusenuru');
INSERT INTO public.codes VALUES ('makubudu');
INSERT INTO public.codes VALUES ('vuvuniro');
INSERT INTO public.codes VALUES ('tumimala');
INSERT INTO public.codes VALUES ('besabesu');
INSERT INTO public.codes VALUES ('mutasuto');
INSERT INTO public.codes VALUES ('mavenaze');
INSERT INTO public.codes VALUES ('domelimu');
INSERT INTO public.codes VALUES ('sotamiso');
INSERT INTO public.codes VALUES ('bapodepu');
INSERT INTO public.codes VALUES ('berulaku');
INSERT INTO public.codes VALUES ('laveruko');
INSERT INTO public.codes VALUES ('vovonobo');
INSERT INTO public.codes VALUES ('rulubano');
INSERT INTO public.codes VALUES ('pikapupo');
INSERT INTO public.codes VALUES ('retaveso');
INSERT INTO public.codes VALUES ('tanonulo');
INSERT INTO public.codes VALUES ('duporeku');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 1, '["tides",9,1,1795462213.0]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 1, '["tides",9,1,1795462213.0]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 2, '["bid",3,1,1795462213.001]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 2, '["bid",3,1,1795462213.016]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 3, '["bid",2,4,1795462213.035]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 4, '["bid",1,2,1795462213.045]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 3, '["bid",2,4,1795462213.059]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 4, '["bid",1,2,1795462213.075]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 5, '["bid",0,54,1795462234.5]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 6, '["tides",1,7,1795462234.5]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 5, '["bid",0,54,1795462234.5]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 6, '["tides",1,7,1795462234.5]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 7, '["bid",2,43,1795462234.556]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 8, '["bid",3,26,1795462234.569]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 7, '["bid",2,43,1795462234.581]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 8, '["bid",1,11,1795462234.581]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 9, '["bid",1,11,1795462234.59]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 9, '["bid",3,26,1795462234.593]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 10, '["bid",0,5,1795462235.0]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 11, '["tides",5,12,1795462235.0]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 10, '["bid",0,44,1795462235.0]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 11, '["tides",5,12,1795462235.0]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 12, '["bid",2,13,1795462235.014]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 12, '["bid",2,24,1795462235.02]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 13, '["bid",3,9,1795462235.051]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 13, '["bid",1,10,1795462235.054]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 14, '["bid",3,28,1795462235.066]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 14, '["bid",1,10,1795462235.098]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 15, '["bid",0,59,1795462235.5]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 16, '["tides",11,8,1795462235.5]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 15, '["bid",0,27,1795462235.5]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 16, '["tides",11,8,1795462235.5]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 17, '["bid",1,15,1795462235.507]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 17, '["bid",1,15,1795462235.53]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 18, '["bid",2,52,1795462235.533]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 18, '["bid",2,24,1795462235.542]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 19, '["bid",3,17,1795462235.589]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 19, '["bid",3,49,1795462235.59]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 20, '["bid",0,3,1795462236.0]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 21, '["tides",3,9,1795462236.0]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 20, '["bid",0,3,1795462236.0]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 21, '["tides",3,9,1795462236.0]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 22, '["bid",3,31,1795462236.014]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 22, '["bid",1,58,1795462236.039]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 23, '["bid",1,58,1795462236.052]');
INSERT INTO public.entries VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 24, '["bid",2,55,1795462236.056]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 23, '["bid",3,49,1795462236.06]');
INSERT INTO public.entries VALUES ('28af56f09e24b953bd14019967b7f548', 1, 24, '["bid",2,34,1795462236.071]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 3, '["tides",7,7,1795462238.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 4, '["bid",0,29,1795462239.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 5, '["bid",1,25,1795462239.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 6, '["bid",2,20,1795462239.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 7, '["tides",8,9,1795462239.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 8, '["bid",0,41,1795462239.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 9, '["bid",1,44,1795462239.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 10, '["bid",2,53,1795462239.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 11, '["tides",4,8,1795462239.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 12, '["bid",0,50,1795462240.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 13, '["bid",1,43,1795462240.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 14, '["bid",2,31,1795462240.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 15, '["tides",5,11,1795462240.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 16, '["bid",0,14,1795462240.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 17, '["bid",1,18,1795462240.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 18, '["bid",2,6,1795462240.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 19, '["tides",1,2,1795462240.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 20, '["bid",0,46,1795462241.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 21, '["bid",1,12,1795462241.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 22, '["bid",2,38,1795462241.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 23, '["tides",6,3,1795462241.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 24, '["bid",0,13,1795462241.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 25, '["bid",1,28,1795462241.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 26, '["bid",2,54,1795462241.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 27, '["tides",10,1,1795462241.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 28, '["bid",0,4,1795462242.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 29, '["bid",1,16,1795462242.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 30, '["bid",2,45,1795462242.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 31, '["tides",11,9,1795462242.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 32, '["bid",0,53,1795462242.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 33, '["bid",1,14,1795462242.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 34, '["bid",2,25,1795462242.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 35, '["tides",1,7,1795462242.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 36, '["bid",0,22,1795462243.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 37, '["bid",1,50,1795462243.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 38, '["bid",2,18,1795462243.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 39, '["tides",4,8,1795462243.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 40, '["bid",0,45,1795462243.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 41, '["bid",1,24,1795462243.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 42, '["bid",2,34,1795462243.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 43, '["tides",6,6,1795462243.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 44, '["bid",0,48,1795462244.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 45, '["bid",1,1,1795462244.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 46, '["bid",2,43,1795462244.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 47, '["tides",10,7,1795462244.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 48, '["bid",0,54,1795462244.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 49, '["bid",1,56,1795462244.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 50, '["bid",2,9,1795462244.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 51, '["tides",4,3,1795462244.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 52, '["bid",0,6,1795462245.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 53, '["bid",1,46,1795462245.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 54, '["bid",2,8,1795462245.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 55, '["tides",8,12,1795462245.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 56, '["bid",0,42,1795462245.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 57, '["bid",1,4,1795462245.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 58, '["bid",2,57,1795462245.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 59, '["tides",5,3,1795462245.5]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 60, '["bid",0,31,1795462246.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 61, '["bid",1,29,1795462246.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 62, '["bid",2,44,1795462246.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 63, '["tides",1,2,1795462246.0]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 4, '["tides",7,5,1795462249.0]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 5, '["bid",0,41,1795462249.5]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 6, '["bid",1,50,1795462249.5]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 7, '["bid",2,33,1795462249.5]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 8, '["bid",3,35,1795462249.5]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 9, '["tides",10,3,1795462249.5]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 10, '["bid",0,8,1795462250.0]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 11, '["bid",1,34,1795462250.0]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 12, '["bid",2,55,1795462250.0]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 13, '["bid",3,37,1795462250.0]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 14, '["tides",12,1,1795462250.0]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 15, '["bid",0,18,1795462250.5]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 16, '["bid",1,16,1795462250.5]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 17, '["bid",2,7,1795462250.5]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 18, '["bid",3,3,1795462250.5]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 19, '["tides",2,9,1795462250.5]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 6, '["tides",2,1,1795462252.0]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 7, '["bid",2,12,1795462252.021]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 8, '["bid",1,1,1795462252.037]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 9, '["bid",4,4,1795462252.054]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 10, '["bid",3,5,1795462252.068]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 11, '["bid",5,2,1795462252.079]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 12, '["bid",0,34,1795462252.5]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 13, '["tides",10,7,1795462252.5]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 14, '["bid",1,8,1795462252.507]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 15, '["bid",4,13,1795462252.55]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 16, '["bid",5,7,1795462252.572]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 17, '["bid",3,17,1795462252.574]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 18, '["bid",2,16,1795462252.599]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 19, '["bid",0,22,1795462253.0]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 20, '["tides",10,6,1795462253.0]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 21, '["bid",1,6,1795462253.02]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 22, '["bid",4,15,1795462253.028]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 23, '["bid",5,10,1795462253.039]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 24, '["bid",2,18,1795462253.051]');
INSERT INTO public.entries VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 25, '["bid",3,57,1795462253.064]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 3, '["tides",8,10,1795462258.5]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 4, '["bid",2,59,1795462258.538]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 5, '["bid",0,19,1795462259.0]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 6, '["bid",1,23,1795462259.0]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 7, '["tides",10,5,1795462259.0]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 8, '["bid",2,3,1795462259.083]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 9, '["bid",0,32,1795462259.5]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 10, '["bid",1,51,1795462259.5]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 11, '["tides",9,11,1795462259.5]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 12, '["bid",2,4,1795462259.544]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 13, '["bid",0,48,1795462260.0]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 14, '["bid",1,37,1795462260.0]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 15, '["tides",2,3,1795462260.0]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 16, '["bid",2,54,1795462260.033]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 17, '["bid",0,1,1795462260.5]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 18, '["bid",1,46,1795462260.5]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 19, '["tides",12,1,1795462260.5]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 20, '["bid",2,10,1795462260.533]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 21, '["bid",0,30,1795462261.0]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 22, '["bid",1,7,1795462261.0]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 23, '["tides",6,4,1795462261.0]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 24, '["bid",2,47,1795462261.038]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 25, '["bid",0,34,1795462261.5]');
INSERT INTO public.entries VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 26, '["bid",1,38,1795462261.5]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/3/7efd00391f64c77d', 1, 1, '["tides",6,7,1795462331.05]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 2, '["tides",6,7,1795462331.05]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/2/f0f6b475970959b1', 1, 4, '["tides",6,7,1795462331.05]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 3, '["bid",1,13,1795462331.117]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/3/7efd00391f64c77d', 1, 2, '["bid",2,41,1795462332.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/2/f0f6b475970959b1', 1, 5, '["bid",2,43,1795462332.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/3/7efd00391f64c77d', 1, 3, '["bid",1,48,1795462332.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/2/f0f6b475970959b1', 1, 6, '["bid",0,36,1795462332.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 4, '["bid",0,18,1795462332.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 5, '["bid",2,28,1795462332.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 6, '["tides",12,7,1795462332.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/3/7efd00391f64c77d', 1, 4, '["bid",0,39,1795462332.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/3/7efd00391f64c77d', 1, 5, '["tides",12,7,1795462332.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/2/f0f6b475970959b1', 1, 7, '["bid",1,29,1795462332.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/2/f0f6b475970959b1', 1, 8, '["tides",12,7,1795462332.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 7, '["bid",1,22,1795462332.003]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/3/7efd00391f64c77d', 1, 6, '["bid",2,7,1795462332.5]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/2/f0f6b475970959b1', 1, 9, '["bid",2,3,1795462332.5]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/3/7efd00391f64c77d', 1, 7, '["bid",1,30,1795462332.5]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/2/f0f6b475970959b1', 1, 10, '["bid",0,24,1795462332.5]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 8, '["bid",0,46,1795462332.5]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 9, '["bid",2,7,1795462332.5]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 10, '["tides",1,6,1795462332.5]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/3/7efd00391f64c77d', 1, 8, '["bid",0,18,1795462332.5]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/3/7efd00391f64c77d', 1, 9, '["tides",1,6,1795462332.5]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/2/f0f6b475970959b1', 1, 11, '["bid",1,27,1795462332.5]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/2/f0f6b475970959b1', 1, 12, '["tides",1,6,1795462332.5]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 11, '["bid",1,58,1795462332.515]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 4, '["tides",10,9,1795462335.0]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 5, '["bid",3,2,1795462335.005]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 3, '["tides",10,4,1795462337.0]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 4, '["bid",2,1,1795462337.05]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 6, '["bid",0,44,1795462337.5]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 7, '["bid",1,32,1795462337.5]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 8, '["bid",2,11,1795462337.5]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 9, '["tides",8,1,1795462337.5]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 5, '["bid",0,45,1795462337.5]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 6, '["bid",1,27,1795462337.5]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 7, '["tides",1,9,1795462337.5]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 8, '["bid",2,2,1795462337.543]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 10, '["bid",3,12,1795462337.597]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 11, '["bid",0,10,1795462338.0]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 12, '["bid",1,47,1795462338.0]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 13, '["bid",2,27,1795462338.0]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 14, '["tides",2,5,1795462338.0]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 9, '["bid",0,21,1795462338.0]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 10, '["bid",1,11,1795462338.0]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 11, '["tides",2,11,1795462338.0]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 15, '["bid",3,4,1795462338.042]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 12, '["bid",2,7,1795462338.094]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 16, '["bid",0,25,1795462338.5]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 17, '["bid",1,39,1795462338.5]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 18, '["bid",2,52,1795462338.5]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 19, '["tides",9,8,1795462338.5]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 13, '["bid",0,55,1795462338.5]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 14, '["bid",1,23,1795462338.5]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 15, '["tides",4,6,1795462338.5]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 20, '["bid",3,5,1795462338.543]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 16, '["bid",2,12,1795462338.565]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 22, '["bid",0,6,1795462339.0]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 23, '["bid",0,55,1795462339.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 64, '["bid",0,8,1795462339.0]');
INSERT INTO public.entries VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 65, '["bid",0,57,1795462339.0]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 17, '["bid",0,3,1795462339.0]');
INSERT INTO public.entries VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 18, '["bid",0,60,1795462339.0]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 20, '["bid",0,14,1795462339.0]');
INSERT INTO public.entries VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 21, '["bid",0,58,1795462339.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 12, '["bid",0,19,1795462339.0]');
INSERT INTO public.entries VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 13, '["bid",0,57,1795462339.0]');
INSERT INTO public.entries VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 24, '["substitute",2,3,1795462339.029]');
INSERT INTO public.event_players VALUES ('day-2026-11-22', 'account:f8W0uYgb1Y7DTiYq', 1795348800.5);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/1', 'account:6qgbLsR1-iQz5jkr', 1795462205);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/1', 'account:71EQhNZ0fH9dz399', 1795462205);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/1', 'account:c9Xry46BWADDRb3E', 1795462205);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/1', 'account:mGnrFyXyRikWp_X2', 1795462205);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/1', 'account:tb4wTLl78g5yXv7m', 1795462205);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/1', 'account:H6vmwIMZ44_OsJ_I', 1795462205);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/1', 'account:WjuT79KG6I02vnZ3', 1795462205);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/1', 'account:rE_Kn58puKRC5it9', 1795462205);
INSERT INTO public.event_players VALUES ('day-2026-11-23', 'account:64p6kb_ye69E1PXn', 1795462213);
INSERT INTO public.event_players VALUES ('day-2026-11-23', 'account:MYM3EVJqUbX3AE0-', 1795462213);
INSERT INTO public.event_players VALUES ('day-2026-11-23', 'account:vitC6kZhlHxeeZQT', 1795462213);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/2', 'account:71EQhNZ0fH9dz399', 1795462331.05);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/2', 'account:H6vmwIMZ44_OsJ_I', 1795462331.05);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/2', 'account:c9Xry46BWADDRb3E', 1795462331.05);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/2', 'account:WjuT79KG6I02vnZ3', 1795462331.05);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/2', 'account:tb4wTLl78g5yXv7m', 1795462331.05);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/2', 'account:6qgbLsR1-iQz5jkr', 1795462331.05);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/2', 'account:mGnrFyXyRikWp_X2', 1795462331.05);
INSERT INTO public.event_players VALUES ('tournament/mudutuku/2', 'account:rE_Kn58puKRC5it9', 1795462331.05);
INSERT INTO public.events VALUES ('day-2026-11-23', 'day', 1795392000, 1795482000, 0, '205f096dce1cf00c89716e2be04772da3cce116cab98255be35e16c5e17cfc04', '2ff9e8527f75d478c809716571722d24b8be4b8597f9665ab5d7d8e56d5bbead', '{"options":{"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"none","bots":"greedy","hints":false},"opponents":["greedy","tidal","expert"]}');
INSERT INTO public.events VALUES ('day-2026-11-24', 'day', 1795478400, 1795568400, 0, 'b6f9b110309b1f195752e74dc56a54291b3e22bfee7e165e242484589a524947', 'b850dad304405c73281044f1103e185df6f28d4f9153b80caed8e9d9eaf47347', '{"options":{"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"none","bots":"greedy","hints":false},"opponents":["greedy","tidal","expert"]}');
INSERT INTO public.events VALUES ('day-2026-11-22', 'day', 1795305600, 1795395600, 1795399200, 'dbab3911de1e39ac6904bc0a6a48bd21ccc3fae2b874c836bf081379acdbf105', '70d86b3a7ae2a95f524393c4540595c2c5ef049729fa108b883bfb2b185be078', '{"options":{"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"none","bots":"greedy","hints":false},"opponents":["greedy","tidal","expert"]}');
INSERT INTO public.events VALUES ('tournament/mudutuku/1', 'tournament', 1795462205, 0, 1795462211.05, '4abaa345d4d093813ef93c11ddf3d59bdbf89399aa0561af15a2eaa49edf1f88', 'c74b138cc3255e9f03d3a36e7a71a12c43bcd6b6e05cb99f8f23fc8105957f19', '{}');
INSERT INTO public.events VALUES ('tournament/mudutuku/2', 'tournament', 1795462331.05, 0, 0, 'a308df2ceba2c5e02c8e199746941f19b267ae8e8a23ad62af7266f8e230a7b6', '7275f0cb31cf9e3692d24780a4c3bfebc5ba2c3fa745c1e661eea956d1f21920', '{}');
INSERT INTO public.hand_results VALUES (1, 0, 0, 0, 2);
INSERT INTO public.hand_results VALUES (1, 0, 1, 1, 4);
INSERT INTO public.hand_results VALUES (1, 0, 2, 2, -1);
INSERT INTO public.hand_results VALUES (2, 0, 0, 0, 4);
INSERT INTO public.hand_results VALUES (2, 0, 1, 1, 2);
INSERT INTO public.hand_results VALUES (2, 0, 2, 2, -1);
INSERT INTO public.hand_results VALUES (3, 0, 0, 0, -1);
INSERT INTO public.hand_results VALUES (3, 0, 1, 1, 1);
INSERT INTO public.hand_results VALUES (3, 0, 2, 2, 2);
INSERT INTO public.hand_results VALUES (4, 0, 0, 0, 2);
INSERT INTO public.hand_results VALUES (4, 0, 1, 1, 0);
INSERT INTO public.hand_results VALUES (4, 0, 2, 2, 0);
INSERT INTO public.hand_results VALUES (5, 0, 0, 0, -1);
INSERT INTO public.hand_results VALUES (5, 0, 1, 1, 5);
INSERT INTO public.hand_results VALUES (5, 0, 2, 2, 1);
INSERT INTO public.hand_results VALUES (6, 0, 0, 0, 0);
INSERT INTO public.hand_results VALUES (6, 0, 1, 1, 0);
INSERT INTO public.hand_results VALUES (6, 0, 2, 2, 4);
INSERT INTO public.hand_results VALUES (6, 0, 3, 3, 4);
INSERT INTO public.hand_results VALUES (6, 1, 0, 3, 0);
INSERT INTO public.hand_results VALUES (6, 1, 1, 0, 5);
INSERT INTO public.hand_results VALUES (6, 1, 2, 1, 2);
INSERT INTO public.hand_results VALUES (6, 1, 3, 2, 2);
INSERT INTO public.hand_results VALUES (6, 2, 0, 2, -1);
INSERT INTO public.hand_results VALUES (6, 2, 1, 3, 2);
INSERT INTO public.hand_results VALUES (6, 2, 2, 0, 5);
INSERT INTO public.hand_results VALUES (6, 2, 3, 1, 2);
INSERT INTO public.hand_results VALUES (6, 3, 0, 1, 3);
INSERT INTO public.hand_results VALUES (6, 3, 1, 2, -1);
INSERT INTO public.hand_results VALUES (6, 3, 2, 3, 2);
INSERT INTO public.hand_results VALUES (6, 3, 3, 0, 4);
INSERT INTO public.hand_results VALUES (7, 0, 0, 0, 2);
INSERT INTO public.hand_results VALUES (7, 0, 1, 1, 1);
INSERT INTO public.hand_results VALUES (7, 0, 2, 2, 1);
INSERT INTO public.hand_results VALUES (8, 0, 0, 0, -1);
INSERT INTO public.hand_results VALUES (8, 0, 1, 1, 6);
INSERT INTO public.hand_results VALUES (8, 0, 2, 2, 0);
INSERT INTO public.hand_results VALUES (9, 0, 0, 0, 1);
INSERT INTO public.hand_results VALUES (9, 0, 1, 1, -1);
INSERT INTO public.hand_results VALUES (9, 0, 2, 2, 5);
INSERT INTO public.hand_results VALUES (10, 0, 0, 0, 1);
INSERT INTO public.hand_results VALUES (10, 0, 1, 1, 3);
INSERT INTO public.hand_results VALUES (10, 0, 2, 2, 3);
INSERT INTO public.hand_results VALUES (10, 0, 3, 3, -1);
INSERT INTO public.hand_results VALUES (10, 1, 0, 3, 2);
INSERT INTO public.hand_results VALUES (10, 1, 1, 0, 3);
INSERT INTO public.hand_results VALUES (10, 1, 2, 1, 0);
INSERT INTO public.hand_results VALUES (10, 1, 3, 2, 2);
INSERT INTO public.hand_results VALUES (10, 2, 0, 2, -1);
INSERT INTO public.hand_results VALUES (10, 2, 1, 3, 6);
INSERT INTO public.hand_results VALUES (10, 2, 2, 0, 0);
INSERT INTO public.hand_results VALUES (10, 2, 3, 1, 1);
INSERT INTO public.hand_results VALUES (10, 3, 0, 1, -1);
INSERT INTO public.hand_results VALUES (10, 3, 1, 2, 0);
INSERT INTO public.hand_results VALUES (10, 3, 2, 3, 3);
INSERT INTO public.hand_results VALUES (10, 3, 3, 0, 4);
INSERT INTO public.hand_results VALUES (11, 0, 0, 0, 5);
INSERT INTO public.hand_results VALUES (11, 0, 1, 1, -1);
INSERT INTO public.hand_results VALUES (11, 0, 2, 2, 3);
INSERT INTO public.keys VALUES ('SHA256:ada', 'account:f8W0uYgb1Y7DTiYq', 1793383200, '');
INSERT INTO public.keys VALUES ('SHA256:bo', 'account:v9laDYIeHeBJB3qx', 1793383200.5, '');
INSERT INTO public.keys VALUES ('SHA256:cem', 'account:xoEkOyeqv-0enoeu', 1793383201, '0123abcd');
INSERT INTO public.keys VALUES ('SHA256:ray', 'account:71EQhNZ0fH9dz399', 1795462201, '');
INSERT INTO public.keys VALUES ('SHA256:sol', 'account:mGnrFyXyRikWp_X2', 1795462201.5, '');
INSERT INTO public.keys VALUES ('SHA256:sam', 'account:H6vmwIMZ44_OsJ_I', 1795462202, '');
INSERT INTO public.keys VALUES ('SHA256:tom', 'account:6qgbLsR1-iQz5jkr', 1795462202.5, '');
INSERT INTO public.keys VALUES ('SHA256:uma', 'account:tb4wTLl78g5yXv7m', 1795462203, '');
INSERT INTO public.keys VALUES ('SHA256:vic', 'account:WjuT79KG6I02vnZ3', 1795462203.5, '');
INSERT INTO public.keys VALUES ('SHA256:wim', 'account:c9Xry46BWADDRb3E', 1795462204, '');
INSERT INTO public.keys VALUES ('SHA256:xan', 'account:rE_Kn58puKRC5it9', 1795462204.5, '');
INSERT INTO public.keys VALUES ('SHA256:quin', 'account:64p6kb_ye69E1PXn', 1795462211.5, '');
INSERT INTO public.keys VALUES ('SHA256:pam', 'account:MYM3EVJqUbX3AE0-', 1795462212, '');
INSERT INTO public.keys VALUES ('SHA256:rosa', 'account:vitC6kZhlHxeeZQT', 1795462212.5, '');
INSERT INTO public.keys VALUES ('SHA256:dora', 'account:b5ul39G8rgw1X3T5', 1795462237, '');
INSERT INTO public.keys VALUES ('SHA256:eve', 'account:KCFxvvdaFEJikOCN', 1795462237.5, '');
INSERT INTO public.keys VALUES ('SHA256:hal', 'account:Qih4_t8z3YLqMU_S', 1795462246.5, '');
INSERT INTO public.keys VALUES ('SHA256:ida', 'account:zKHLJunVv_8wPZcK', 1795462247, '');
INSERT INTO public.keys VALUES ('SHA256:jon', 'account:l4OEUQCb9jxBoyUo', 1795462247.5, '');
INSERT INTO public.keys VALUES ('SHA256:kai', 'account:AgJ6JDRxgDgDFqk5', 1795462248, '');
INSERT INTO public.keys VALUES ('SHA256:yan', 'account:hnjFIBsFWBNralqW', 1795462251, '');
INSERT INTO public.keys VALUES ('SHA256:lea', 'account:Mbqu8N6F3xqrC1Xw', 1795462253.5, '');
INSERT INTO public.keys VALUES ('SHA256:nina', 'account:Vg9edDI9B5f4a2_1', 1795462255, '');
INSERT INTO public.keys VALUES ('SHA256:mia', 'account:wSjRZxrj64wD2dsq', 1795462255.5, '');
INSERT INTO public.keys VALUES ('SHA256:oli', 'account:XN51sXJIEradQ5O8', 1795462257, '');
INSERT INTO public.keys VALUES ('SHA256:dan', 'account:FPBD3vB4yujHCo6x', 1795462334, '');
INSERT INTO public.keys VALUES ('SHA256:fay', 'account:r8jNI8ZRpVr2__W3', 1795462335.5, '');
INSERT INTO public.keys VALUES ('SHA256:gus', 'account:zyuTdjfR-7w6jsBz', 1795462336, '');
INSERT INTO public.mutes VALUES ('account:v9laDYIeHeBJB3qx', 'bo', 'shouts', 1795377600, 'root', 1797969600);
INSERT INTO public.names VALUES ('ray', 'ray', 'account:71EQhNZ0fH9dz399');
INSERT INTO public.names VALUES ('sol', 'sol', 'account:mGnrFyXyRikWp_X2');
INSERT INTO public.names VALUES ('sam', 'sam', 'account:H6vmwIMZ44_OsJ_I');
INSERT INTO public.names VALUES ('tom', 'tom', 'account:6qgbLsR1-iQz5jkr');
INSERT INTO public.names VALUES ('uma', 'uma', 'account:tb4wTLl78g5yXv7m');
INSERT INTO public.names VALUES ('vlc', 'vic', 'account:WjuT79KG6I02vnZ3');
INSERT INTO public.names VALUES ('wlm', 'wim', 'account:c9Xry46BWADDRb3E');
INSERT INTO public.names VALUES ('xan', 'xan', 'account:rE_Kn58puKRC5it9');
INSERT INTO public.names VALUES ('quln', 'quin', 'account:64p6kb_ye69E1PXn');
INSERT INTO public.names VALUES ('pam', 'pam', 'account:MYM3EVJqUbX3AE0-');
INSERT INTO public.names VALUES ('rosa', 'rosa', 'account:vitC6kZhlHxeeZQT');
INSERT INTO public.names VALUES ('cem', 'cem', 'account:xoEkOyeqv-0enoeu');
INSERT INTO public.names VALUES ('dora', 'dora', 'account:b5ul39G8rgw1X3T5');
INSERT INTO public.names VALUES ('eve', 'eve', 'account:KCFxvvdaFEJikOCN');
INSERT INTO public.names VALUES ('hal', 'hal', 'account:Qih4_t8z3YLqMU_S');
INSERT INTO public.names VALUES ('lda', 'ida', 'account:zKHLJunVv_8wPZcK');
INSERT INTO public.names VALUES ('jon', 'jon', 'account:l4OEUQCb9jxBoyUo');
INSERT INTO public.names VALUES ('kal', 'kai', 'account:AgJ6JDRxgDgDFqk5');
INSERT INTO public.names VALUES ('yan', 'yan', 'account:hnjFIBsFWBNralqW');
INSERT INTO public.names VALUES ('lea', 'lea', 'account:Mbqu8N6F3xqrC1Xw');
INSERT INTO public.names VALUES ('nlna', 'nina', 'account:Vg9edDI9B5f4a2_1');
INSERT INTO public.names VALUES ('mla', 'mia', 'account:wSjRZxrj64wD2dsq');
INSERT INTO public.names VALUES ('oll', 'oli', 'account:XN51sXJIEradQ5O8');
INSERT INTO public.names VALUES ('guest', 'Guest', 'guest:rvwKDn1YJ6si3GAW');
INSERT INTO public.names VALUES ('ada', 'ada', 'account:f8W0uYgb1Y7DTiYq');
INSERT INTO public.names VALUES ('bo', 'bo', 'account:v9laDYIeHeBJB3qx');
INSERT INTO public.names VALUES ('dan', 'dan', 'account:FPBD3vB4yujHCo6x');
INSERT INTO public.names VALUES ('fay', 'fay', 'account:r8jNI8ZRpVr2__W3');
INSERT INTO public.names VALUES ('gus', 'gus', 'account:zyuTdjfR-7w6jsBz');
INSERT INTO public.nodes VALUES ('a-a8fb346d', 'a', 1795490608.868682, 1);
INSERT INTO public.nodes VALUES ('b-32796e0e', 'b', 1795490608.877957, 1);
INSERT INTO public.numbers VALUES ('tables', 0);
INSERT INTO public.numbers VALUES ('records', 0);
INSERT INTO public.numbers VALUES ('writer:03e13398c4923222', 1795490605878418);
INSERT INTO public.owners VALUES ('tournament/mudutuku/2/3/7efd00391f64c77d', 1, 10, 'a-a8fb346d');
INSERT INTO public.owners VALUES ('tournament/mudutuku/2/2/f0f6b475970959b1', 1, 13, 'a-a8fb346d');
INSERT INTO public.owners VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 1, 28, 'a-a8fb346d');
INSERT INTO public.owners VALUES ('d1c3825b09c4f0d124480105e5e2c657', 1, 25, 'b-32796e0e');
INSERT INTO public.owners VALUES ('28af56f09e24b953bd14019967b7f548', 1, 26, 'a-a8fb346d');
INSERT INTO public.owners VALUES ('tournaments', 1, 21, 'a-a8fb346d');
INSERT INTO public.owners VALUES ('965fef297bf1ed49e60719fd8e04910b', 1, 66, 'b-32796e0e');
INSERT INTO public.owners VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 1, 22, 'a-a8fb346d');
INSERT INTO public.owners VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 1, 14, 'a-a8fb346d');
INSERT INTO public.owners VALUES ('975cb15f6f0aaf824bed42607a8fad51', 1, 25, 'a-a8fb346d');
INSERT INTO public.owners VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 1, 22, 'b-32796e0e');
INSERT INTO public.owners VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 1, 26, 'a-a8fb346d');
INSERT INTO public.owners VALUES ('c18cc0866db7988d56e2d548ec296154', 1, 4, 'b-32796e0e');
INSERT INTO public.owners VALUES ('00cfcca1d19be32a881ea7a8079cd3f4', 1, 1, 'b-32796e0e');
INSERT INTO public.people VALUES ('account:71EQhNZ0fH9dz399', 'ray', 0, NULL, 1795462201, 1795462201, '{}', 0);
INSERT INTO public.people VALUES ('account:mGnrFyXyRikWp_X2', 'sol', 0, NULL, 1795462201.5, 1795462201.5, '{}', 0);
INSERT INTO public.people VALUES ('account:H6vmwIMZ44_OsJ_I', 'sam', 0, NULL, 1795462202, 1795462202, '{}', 0);
INSERT INTO public.people VALUES ('account:6qgbLsR1-iQz5jkr', 'tom', 0, NULL, 1795462202.5, 1795462202.5, '{}', 0);
INSERT INTO public.people VALUES ('account:tb4wTLl78g5yXv7m', 'uma', 0, NULL, 1795462203, 1795462203, '{}', 0);
INSERT INTO public.people VALUES ('account:WjuT79KG6I02vnZ3', 'vic', 0, NULL, 1795462203.5, 1795462203.5, '{}', 0);
INSERT INTO public.people VALUES ('account:c9Xry46BWADDRb3E', 'wim', 0, NULL, 1795462204, 1795462204, '{}', 0);
INSERT INTO public.people VALUES ('account:rE_Kn58puKRC5it9', 'xan', 0, NULL, 1795462204.5, 1795462204.5, '{}', 0);
INSERT INTO public.people VALUES ('account:64p6kb_ye69E1PXn', 'quin', 0, NULL, 1795462211.5, 1795462211.5, '{}', 0);
INSERT INTO public.people VALUES ('account:MYM3EVJqUbX3AE0-', 'pam', 0, NULL, 1795462212, 1795462212, '{}', 0);
INSERT INTO public.people VALUES ('account:vitC6kZhlHxeeZQT', 'rosa', 0, NULL, 1795462212.5, 1795462212.5, '{}', 0);
INSERT INTO public.people VALUES ('account:xoEkOyeqv-0enoeu', 'cem', 0, NULL, 1793383201, 1795462236.5, '{}', 0);
INSERT INTO public.people VALUES ('account:b5ul39G8rgw1X3T5', 'dora', 0, NULL, 1795462237, 1795462237, '{}', 0);
INSERT INTO public.people VALUES ('account:KCFxvvdaFEJikOCN', 'eve', 0, NULL, 1795462237.5, 1795462237.5, '{}', 0);
INSERT INTO public.people VALUES ('account:Qih4_t8z3YLqMU_S', 'hal', 0, NULL, 1795462246.5, 1795462246.5, '{}', 0);
INSERT INTO public.people VALUES ('account:zKHLJunVv_8wPZcK', 'ida', 0, NULL, 1795462247, 1795462247, '{}', 0);
INSERT INTO public.people VALUES ('account:l4OEUQCb9jxBoyUo', 'jon', 0, NULL, 1795462247.5, 1795462247.5, '{}', 0);
INSERT INTO public.people VALUES ('account:AgJ6JDRxgDgDFqk5', 'kai', 0, NULL, 1795462248, 1795462248, '{}', 0);
INSERT INTO public.people VALUES ('account:hnjFIBsFWBNralqW', 'yan', 0, NULL, 1795462251, 1795462251, '{}', 0);
INSERT INTO public.people VALUES ('account:Mbqu8N6F3xqrC1Xw', 'lea', 0, NULL, 1795462253.5, 1795462253.5, '{}', 0);
INSERT INTO public.people VALUES ('account:Vg9edDI9B5f4a2_1', 'nina', 0, NULL, 1795462255, 1795462255, '{}', 0);
INSERT INTO public.people VALUES ('account:wSjRZxrj64wD2dsq', 'mia', 0, NULL, 1795462255.5, 1795462255.5, '{}', 0);
INSERT INTO public.people VALUES ('account:XN51sXJIEradQ5O8', 'oli', 0, NULL, 1795462257, 1795462257, '{}', 0);
INSERT INTO public.people VALUES ('guest:rvwKDn1YJ6si3GAW', 'Guest', 1, 'feeaefcb194f3173c6073b305dbf672cbbae6fa4218ad348ffa684191f1a9a6f', 1795462257.5, 1795462257.5, '{}', 0);
INSERT INTO public.people VALUES ('account:f8W0uYgb1Y7DTiYq', 'ada', 0, NULL, 1793383200, 1795462333, '{"theme":"dusk","blocked":{"account:v9laDYIeHeBJB3qx":"bo"}}', 1);
INSERT INTO public.people VALUES ('account:v9laDYIeHeBJB3qx', 'bo', 0, NULL, 1793383200.5, 1795462333.5, '{}', 0);
INSERT INTO public.people VALUES ('account:FPBD3vB4yujHCo6x', 'dan', 0, NULL, 1795462334, 1795462334, '{}', 0);
INSERT INTO public.people VALUES ('account:r8jNI8ZRpVr2__W3', 'fay', 0, NULL, 1795462335.5, 1795462335.5, '{}', 0);
INSERT INTO public.people VALUES ('account:zyuTdjfR-7w6jsBz', 'gus', 0, NULL, 1795462336, 1795462336, '{}', 0);
INSERT INTO public.ratings VALUES ('account:f8W0uYgb1Y7DTiYq', 23.54567578192762, 7.319971863639388, 5, 0);
INSERT INTO public.ratings VALUES ('account:v9laDYIeHeBJB3qx', 28.747356186970887, 7.312881729586583, 5, 0);
INSERT INTO public.ratings VALUES ('account:xoEkOyeqv-0enoeu', 22.500254531798486, 7.300600563159141, 5, 0);
INSERT INTO public.record_seats VALUES (1, 0, 'account:f8W0uYgb1Y7DTiYq', 'ada', 'human', 2, 2, '004634549d8f0232d90f58e3');
INSERT INTO public.record_seats VALUES (1, 1, 'account:v9laDYIeHeBJB3qx', 'bo', 'human', 4, 1, 'ef12308e81cc2d8a115bc667');
INSERT INTO public.record_seats VALUES (1, 2, 'account:xoEkOyeqv-0enoeu', 'cem', 'human', -1, 3, 'c5db5377611c302df7f87d2a');
INSERT INTO public.record_seats VALUES (2, 0, 'account:f8W0uYgb1Y7DTiYq', 'ada', 'human', 4, 1, '004634549d8f0232d90f58e3');
INSERT INTO public.record_seats VALUES (2, 1, 'account:v9laDYIeHeBJB3qx', 'bo', 'human', 2, 2, 'ef12308e81cc2d8a115bc667');
INSERT INTO public.record_seats VALUES (2, 2, 'account:xoEkOyeqv-0enoeu', 'cem', 'human', -1, 3, 'c5db5377611c302df7f87d2a');
INSERT INTO public.record_seats VALUES (3, 0, 'account:f8W0uYgb1Y7DTiYq', 'ada', 'human', -1, 3, '004634549d8f0232d90f58e3');
INSERT INTO public.record_seats VALUES (3, 1, 'account:v9laDYIeHeBJB3qx', 'bo', 'human', 1, 2, 'ef12308e81cc2d8a115bc667');
INSERT INTO public.record_seats VALUES (3, 2, 'account:xoEkOyeqv-0enoeu', 'cem', 'human', 2, 1, 'c5db5377611c302df7f87d2a');
INSERT INTO public.record_seats VALUES (4, 0, 'account:f8W0uYgb1Y7DTiYq', 'ada', 'human', 2, 1, '004634549d8f0232d90f58e3');
INSERT INTO public.record_seats VALUES (4, 1, 'account:v9laDYIeHeBJB3qx', 'bo', 'human', 0, 2, 'ef12308e81cc2d8a115bc667');
INSERT INTO public.record_seats VALUES (4, 2, 'account:xoEkOyeqv-0enoeu', 'cem', 'human', 0, 2, 'c5db5377611c302df7f87d2a');
INSERT INTO public.record_seats VALUES (5, 0, 'account:f8W0uYgb1Y7DTiYq', 'ada', 'human', -1, 3, '004634549d8f0232d90f58e3');
INSERT INTO public.record_seats VALUES (5, 1, 'account:v9laDYIeHeBJB3qx', 'bo', 'human', 5, 1, 'ef12308e81cc2d8a115bc667');
INSERT INTO public.record_seats VALUES (5, 2, 'account:xoEkOyeqv-0enoeu', 'cem', 'human', 1, 2, 'c5db5377611c302df7f87d2a');
INSERT INTO public.record_seats VALUES (6, 0, 'account:f8W0uYgb1Y7DTiYq', 'ada', 'human', 2, 4, '');
INSERT INTO public.record_seats VALUES (6, 1, '', 'Dune', 'bot', 6, 3, '');
INSERT INTO public.record_seats VALUES (6, 2, '', 'Sprat', 'bot', 13, 1, '');
INSERT INTO public.record_seats VALUES (6, 3, '', 'Eider', 'bot', 12, 2, '');
INSERT INTO public.record_seats VALUES (7, 0, 'account:71EQhNZ0fH9dz399', 'ray', 'human', 2, 1, '');
INSERT INTO public.record_seats VALUES (7, 1, 'account:6qgbLsR1-iQz5jkr', 'tom', 'human', 1, 2, '');
INSERT INTO public.record_seats VALUES (7, 2, '', 'Petrel', 'bot', 1, 2, '');
INSERT INTO public.record_seats VALUES (8, 0, 'account:mGnrFyXyRikWp_X2', 'sol', 'human', -1, 3, '');
INSERT INTO public.record_seats VALUES (8, 1, 'account:tb4wTLl78g5yXv7m', 'uma', 'human', 6, 1, '');
INSERT INTO public.record_seats VALUES (8, 2, 'account:c9Xry46BWADDRb3E', 'wim', 'human', 0, 2, '');
INSERT INTO public.record_seats VALUES (9, 0, 'account:H6vmwIMZ44_OsJ_I', 'sam', 'human', 1, 2, '');
INSERT INTO public.record_seats VALUES (9, 1, 'account:WjuT79KG6I02vnZ3', 'vic', 'human', -1, 3, '');
INSERT INTO public.record_seats VALUES (9, 2, 'account:rE_Kn58puKRC5it9', 'xan', 'human', 5, 1, '');
INSERT INTO public.record_seats VALUES (10, 0, 'account:64p6kb_ye69E1PXn', 'quin', 'human', 1, 4, '');
INSERT INTO public.record_seats VALUES (10, 1, '', 'Otter', 'bot', 12, 1, '');
INSERT INTO public.record_seats VALUES (10, 2, '', 'Marlin', 'bot', 6, 2, '');
INSERT INTO public.record_seats VALUES (10, 3, '', 'Gull', 'bot', 6, 2, '');
INSERT INTO public.record_seats VALUES (11, 0, 'account:XN51sXJIEradQ5O8', 'oli', 'human', 5, 1, '');
INSERT INTO public.record_seats VALUES (11, 1, 'guest:rvwKDn1YJ6si3GAW', 'Guest', 'human', -1, 3, '');
INSERT INTO public.record_seats VALUES (11, 2, '', 'Tern', 'bot', 3, 2, '');
INSERT INTO public.records VALUES (1, 'f0072f71199fd54020c51b7c2cadcc0c-1', 1793383205.5, '{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ada","bo","cem"],"deal":[[9,10,11,12,13,14,19,34,37,43,50,58],[7,23,26,28,30,40,41,46,53,54,56,59],[2,4,6,8,21,32,36,38,42,44,55,57]],"stages":[{"tides":[[1,7],[5,12],[3,6],[1,12],[8,10],[5,8],[2,2]],"bids":[[13,30,55],[58,26,57],[12,28,8],[11,40,4],[19,53,2],[34,23,44],[50,56,6]]}],"seed":"73a9bef499bbf4dc7bd2a4f2c8af5bd99f267a0ed3197217dd2bba1537436e5c","commitment":"7f8b8b2c7f7a5279f107787431943ed8ff531b8c38ccffb1587406a83571f5cb","algorithm":1,"id":"f0072f71199fd54020c51b7c2cadcc0c-1","table":"Dike","pace":"untimed","times":{"ended":"2026-10-30T18:00:05Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"rated":true}', 'amigo', 1, 1, 0, '', 0);
INSERT INTO public.records VALUES (2, 'ab5e2d6e94825fbe4f73f250ca1a462f-1', 1793383212, '{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ada","bo","cem"],"deal":[[2,7,16,30,33,34,42,45,47,49,50,56],[11,22,24,26,28,32,36,41,54,57,58,60],[1,5,8,14,15,19,21,31,35,37,43,52]],"stages":[{"tides":[[8,9],[1,4],[11,12],[2,3],[7,10],[5,6],[7,12],[2,6],[8,9],[1,5],[3,11]],"bids":[[33,24,5],[34,54,31],[16,32,21],[42,58,52],[50,41,37],[49,26,35],[2,28,19],[45,57,43],[30,60,15],[56,11,8],[7,22,14]]}],"seed":"2441e3d54410492b788768bcff2218cf8f7373abe8e394daf807e24e58c36740","commitment":"43a4c0f146a01f6e992174889bc77b8450b0d348c06f047075bd84f138be2f06","algorithm":1,"id":"ab5e2d6e94825fbe4f73f250ca1a462f-1","table":"Jetty","pace":"untimed","times":{"ended":"2026-10-30T18:00:12Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"rated":true}', 'amigo', 1, 1, 0, '', 0);
INSERT INTO public.records VALUES (3, 'dfdee8eabd02a4e81d0e182c97ac94de-1', 1793383218.5, '{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ada","bo","cem"],"deal":[[1,7,10,11,13,21,23,31,35,45,55,60],[8,12,15,16,20,25,33,40,42,43,50,52],[4,5,22,26,28,29,30,32,44,46,54,56]],"stages":[{"tides":[[5,7],[1,11],[2,6],[4,8],[1,4],[11,12],[2,6],[9,9],[5,10],[3,8],[3,7],[10,12]],"bids":[[13,25,32],[21,50,28],[35,15,56],[55,52,26],[11,20,44],[7,8,29],[60,43,30],[31,12,46],[1,33,5],[23,42,22],[45,16,54],[10,40,4]]}],"seed":"2e281f9bddf85336d15b579b74e4250950c9c994752666ae81c78b283592edff","commitment":"d309c08e002298d6ab8ff31dcf61adbd9a13586f01e39f3318c8658f35aae639","algorithm":1,"id":"dfdee8eabd02a4e81d0e182c97ac94de-1","table":"Inlet","pace":"untimed","times":{"ended":"2026-10-30T18:00:18Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"rated":true}', 'amigo', 1, 1, 0, '', 0);
INSERT INTO public.records VALUES (4, 'bb9a1bf51c6248412fe804ad3648270e-1', 1793383225, '{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ada","bo","cem"],"deal":[[1,8,19,23,24,35,41,44,50,54,56,57],[4,5,11,17,20,26,30,33,38,43,49,52],[10,13,21,25,27,37,39,40,42,47,51,60]],"stages":[{"tides":[[4,8],[7,10],[2,11],[8,12],[5,6],[4,10],[2,3],[3,5],[11,12],[1,9],[1,9],[6,7]],"bids":[[57,20,37],[23,52,39],[54,11,60],[24,43,25],[1,4,42],[44,38,40],[35,17,21],[19,26,51],[8,30,13],[41,33,47],[50,49,27],[56,5,10]]}],"seed":"935d406e8fdb72a34980be64d347bdcdda5117b919f538dcb77eacfe863e5282","commitment":"c59b32bc637498a6b8dfe294b21f48da3d6e03b7ca1954929f951ea326634ac6","algorithm":1,"id":"bb9a1bf51c6248412fe804ad3648270e-1","table":"Atoll","pace":"untimed","times":{"ended":"2026-10-30T18:00:25Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"rated":true}', 'amigo', 1, 1, 0, '', 0);
INSERT INTO public.records VALUES (5, 'ddc8ef8b7a25c1f22e6be9006fea022c-1', 1793383229.5, '{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ada","bo","cem"],"deal":[[1,3,5,11,15,29,47,48,49,52,53,58],[4,6,10,12,17,33,34,38,42,43,54,55],[2,7,16,18,23,24,27,32,37,40,41,50]],"stages":[{"tides":[[11,12],[3,10],[3,4],[8,9],[2,5],[5,7],[2,8]],"bids":[[53,6,37],[1,12,23],[5,42,24],[47,10,41],[49,4,2],[15,34,16],[48,54,40]]}],"seed":"fa940bf3eb573f5fc12f4f8b12cd8aefd2f6e1716f7b8780ce6cab44e78db5e6","commitment":"f22008efbc83d964f78a36a917cff16ede2143422b0a72d8c0f3013ba6adca07","algorithm":1,"id":"ddc8ef8b7a25c1f22e6be9006fea022c-1","table":"Shallows","pace":"untimed","times":{"ended":"2026-10-30T18:00:29Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"rated":true}', 'amigo', 1, 1, 0, '', 0);
INSERT INTO public.records VALUES (6, '4eb6333b273dfd2c499c43cf8a6b22d7-1', 1795348820.5, '{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo"},"players":["ada","Dune","Sprat","Eider"],"deal":[[2,5,8,11,14,17,26,27,28,51,57,58],[16,21,29,32,35,36,40,48,50,54,56,59],[10,13,18,20,22,24,34,38,39,43,44,47],[3,4,6,9,15,25,30,41,42,46,52,55]],"stages":[{"tides":[[4,9],[4,12],[1,11],[5,6],[5,11],[7,12],[6,8],[2,8],[3,9],[2,10],[1,3],[7,10]],"bids":[[14,59,22,3],[17,16,34,4],[8,56,24,25],[26,32,38,55],[11,54,20,30],[58,21,10,15],[5,50,39,52],[27,48,13,41],[28,29,18,42],[2,36,43,9],[51,40,44,46],[57,35,47,6]]},{"tides":[[6,10],[1,2],[8,11],[2,5],[3,12],[3,4],[7,8],[9,12],[4,7],[5,6],[9,10],[1,11]],"bids":[[55,2,29,13],[15,26,54,24],[3,5,21,10],[42,11,48,47],[9,8,59,20],[52,27,32,43],[46,14,16,34],[41,17,35,22],[4,28,50,44],[25,57,36,38],[6,58,56,39],[30,51,40,18]]},{"tides":[[11,12],[7,8],[2,6],[3,10],[1,4],[5,6],[7,9],[5,11],[4,8],[9,10],[2,12],[1,3]],"bids":[[13,4,8,21],[24,52,26,48],[43,55,27,50],[39,3,28,54],[20,6,17,56],[47,9,2,32],[22,15,14,35],[34,25,11,59],[null,46,5,29],[null,30,51,16],[null,41,57,40],[null,42,58,36]]},{"tides":[[3,8],[8,11],[1,9],[6,12],[2,4],[10,12],[2,11],[5,10],[5,7],[1,3],[4,9],[6,7]],"bids":[[32,10,9,8],[50,13,6,11],[56,47,15,14],[48,18,3,5],[40,44,30,26],[35,20,4,2],[59,43,46,27],[29,39,55,28],[16,null,25,17],[36,null,52,57],[54,null,41,58],[21,null,42,51]]}],"seed":"dbab3911de1e39ac6904bc0a6a48bd21ccc3fae2b874c836bf081379acdbf105","commitment":"70d86b3a7ae2a95f524393c4540595c2c5ef049729fa108b883bfb2b185be078","algorithm":1,"id":"4eb6333b273dfd2c499c43cf8a6b22d7-1","table":"2026-11-22","pace":"untimed","times":{"ended":"2026-11-22T12:00:20Z"},"seats":[{"kind":"human"},{"kind":"bot","strategy":"greedy"},{"kind":"bot","strategy":"tidal"},{"kind":"bot","strategy":"expert"}],"event":"day-2026-11-22"}', 'amigo', 1, 0, 0, 'day-2026-11-22', 0);
INSERT INTO public.records VALUES (7, 'tournament/mudutuku/1/1/87ffcd6b8556f314-1', 1795462211, '{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ray","tom","Petrel"],"deal":[[1,10,17,20,23,27,28,30,42,45,52,53],[2,8,13,14,15,32,35,38,39,41,55,60],[5,6,12,16,24,25,29,31,33,36,37,54]],"stages":[{"tides":[[7,7],[5,6],[3,11],[10,12],[2,9],[2,11],[1,3],[1,4],[6,8],[5,12],[4,9],[8,10]],"bids":[[23,55,5],[17,13,6],[28,14,16],[10,39,37],[53,41,54],[45,35,24],[52,8,25],[27,38,12],[20,15,29],[30,32,31],[1,60,33],[42,2,36]]}],"seed":"4abaa345d4d093813ef93c11ddf3d59bdbf89399aa0561af15a2eaa49edf1f88","commitment":"c74b138cc3255e9f03d3a36e7a71a12c43bcd6b6e05cb99f8f23fc8105957f19","algorithm":1,"id":"tournament/mudutuku/1/1/87ffcd6b8556f314-1","table":"Friday cup 1/1","pace":"timed","times":{"ended":"2026-11-23T19:30:11Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"bot","strategy":"cautious"}],"event":"tournament/mudutuku/1"}', 'amigo', 1, 0, 0, 'tournament/mudutuku/1', 0);
INSERT INTO public.records VALUES (8, 'tournament/mudutuku/1/2/8a02b738f57d42de-1', 1795462211, '{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["sol","uma","wim"],"deal":[[1,10,17,20,23,27,28,30,42,45,52,53],[2,8,13,14,15,32,35,38,39,41,55,60],[5,6,12,16,24,25,29,31,33,36,37,54]],"stages":[{"tides":[[7,7],[5,6],[3,11],[10,12],[2,9],[2,11],[1,3],[1,4],[6,8],[5,12],[4,9]],"bids":[[23,13,16],[20,14,36],[1,60,25],[30,15,31],[52,39,33],[28,41,24],[42,32,6],[27,35,29],[53,8,12],[45,38,54],[10,55,5]]}],"seed":"4abaa345d4d093813ef93c11ddf3d59bdbf89399aa0561af15a2eaa49edf1f88","commitment":"c74b138cc3255e9f03d3a36e7a71a12c43bcd6b6e05cb99f8f23fc8105957f19","algorithm":1,"id":"tournament/mudutuku/1/2/8a02b738f57d42de-1","table":"Friday cup 1/2","pace":"timed","times":{"ended":"2026-11-23T19:30:11Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"event":"tournament/mudutuku/1"}', 'amigo', 1, 0, 0, 'tournament/mudutuku/1', 0);
INSERT INTO public.records VALUES (9, 'tournament/mudutuku/1/3/c0c6db434edad023-1', 1795462211, '{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["sam","vic","xan"],"deal":[[1,10,17,20,23,27,28,30,42,45,52,53],[2,8,13,14,15,32,35,38,39,41,55,60],[5,6,12,16,24,25,29,31,33,36,37,54]],"stages":[{"tides":[[7,7],[5,6],[3,11],[10,12],[2,9],[2,11],[1,3],[1,4],[6,8],[5,12],[4,9]],"bids":[[52,55,37],[53,8,16],[28,2,12],[42,35,25],[27,14,31],[23,15,36],[30,32,33],[17,60,29],[10,39,5],[45,13,24],[1,41,54]]}],"seed":"4abaa345d4d093813ef93c11ddf3d59bdbf89399aa0561af15a2eaa49edf1f88","commitment":"c74b138cc3255e9f03d3a36e7a71a12c43bcd6b6e05cb99f8f23fc8105957f19","algorithm":1,"id":"tournament/mudutuku/1/3/c0c6db434edad023-1","table":"Friday cup 1/3","pace":"timed","times":{"ended":"2026-11-23T19:30:11Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"event":"tournament/mudutuku/1"}', 'amigo', 1, 0, 0, 'tournament/mudutuku/1', 0);
INSERT INTO public.records VALUES (10, '59af00bb34c8ae0872e317cfcedc2fe9-1', 1795462234.0515394, '{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo"},"players":["quin","Otter","Marlin","Gull"],"deal":[[3,5,6,22,25,27,29,44,53,54,59,60],[2,10,11,15,21,30,33,41,47,48,50,58],[4,13,14,16,24,34,38,43,52,55,56,57],[1,9,12,17,26,28,31,32,36,37,45,49]],"stages":[{"tides":[[1,9],[1,7],[5,12],[8,11],[3,9],[2,7],[4,10],[6,10],[5,6],[2,12],[3,11],[4,8]],"bids":[[60,2,4,1],[25,11,43,26],[29,10,24,28],[22,58,16,49],[53,15,13,45],[44,47,34,36],[59,21,14,37],[5,30,38,31],[6,48,55,null],[54,50,56,null],[27,41,52,null],[3,33,57,null]]},{"tides":[[6,7],[1,11],[7,9],[1,9],[3,8],[2,2],[5,6],[3,12],[4,8],[5,12],[10,11],[4,10]],"bids":[[17,59,2,24],[45,60,21,34],[1,3,10,38],[9,5,50,16],[36,44,30,52],[32,54,33,43],[49,6,15,13],[37,22,11,14],[28,53,41,4],[12,25,58,55],[31,29,47,56],[26,27,48,57]]},{"tides":[[10,11],[5,8],[10,12],[4,11],[1,8],[9,12],[6,6],[5,7],[1,7],[3,4],[2,3],[2,9]],"bids":[[16,1,3,2],[14,17,59,30],[56,9,5,21],[13,12,25,58],[38,36,60,33],[24,26,22,10],[4,49,29,41],[55,28,27,11],[34,45,44,15],[52,31,53,47],[57,37,54,48],[43,32,6,50]]},{"tides":[[6,12],[4,9],[1,2],[10,11],[8,12],[5,9],[2,3],[7,11],[5,6],[7,8],[3,4],[1,10]],"bids":[[50,4,1,3],[10,56,26,25],[48,55,49,29],[2,13,12,5],[21,14,9,6],[30,57,45,27],[11,52,36,22],[47,16,28,59],[41,43,37,60],[33,24,31,44],[null,38,32,53],[null,34,17,54]]}],"seed":"205f096dce1cf00c89716e2be04772da3cce116cab98255be35e16c5e17cfc04","commitment":"2ff9e8527f75d478c809716571722d24b8be4b8597f9665ab5d7d8e56d5bbead","algorithm":1,"id":"59af00bb34c8ae0872e317cfcedc2fe9-1","table":"2026-11-23","pace":"untimed","times":{"ended":"2026-11-23T19:30:34Z"},"seats":[{"kind":"human"},{"kind":"bot","strategy":"greedy"},{"kind":"bot","strategy":"tidal"},{"kind":"bot","strategy":"expert"}],"event":"day-2026-11-23"}', 'amigo', 1, 0, 0, 'day-2026-11-23', 0);
INSERT INTO public.records VALUES (11, 'fafad8f3563997f0f3bd61f28ca0e0ce-1', 1795462261.5, '{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["oli","Guest","Tern"],"deal":[[1,16,18,19,30,32,34,36,48,52,56,60],[5,7,8,9,23,37,38,46,49,50,51,53],[3,4,10,17,21,27,29,39,43,47,54,59]],"stages":[{"tides":[[8,10],[5,10],[9,11],[2,3],[1,12],[4,6]],"bids":[[19,23,59],[32,51,3],[48,37,4],[1,46,54],[30,7,10],[34,38,47]]}],"seed":"0463eb51602c8d7487c54f19d4845547a13e2639b7e1ad47460e056f1fec7b7c","commitment":"6bc0c153046466292e8ec99f5f5949cc6d11b23069581c85c28fd0eb2393f84d","algorithm":1,"id":"fafad8f3563997f0f3bd61f28ca0e0ce-1","table":"Sluice","pace":"untimed","times":{"ended":"2026-11-23T19:31:01Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"bot","strategy":"greedy"}]}', 'amigo', 1, 0, 0, '', 0);
INSERT INTO public.reports VALUES (1, 1795377600, 'account:f8W0uYgb1Y7DTiYq', 'ada', 'account:v9laDYIeHeBJB3qx', 'bo', '', 'shouts all the time', '', 0, '', 0);
INSERT INTO public.schema_version VALUES (13);
INSERT INTO public.season_places VALUES ('2026-10', 1, 1, 'account:f8W0uYgb1Y7DTiYq', 50, 5, 10, 0);
INSERT INTO public.seasons VALUES ('2026-10', 1793498400);
INSERT INTO public.tables VALUES ('d1c3825b09c4f0d124480105e5e2c657', 11, '{"version":1,"id":"mutasuto","title":"2026-11-23","created":1795462213.0,"owner":-1,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:MYM3EVJqUbX3AE0-","opened_from":"4a643f74577c5906-54dd","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"none","bots":"greedy","hints":false,"seats":[{"occupant":"human","name":"pam","player":["account:MYM3EVJqUbX3AE0-","pam",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Otter","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Petrel","player":null,"strategy":"tidal","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Brine","player":null,"strategy":"expert","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"205f096dce1cf00c89716e2be04772da3cce116cab98255be35e16c5e17cfc04","shared":{"seed":"205f096dce1cf00c89716e2be04772da3cce116cab98255be35e16c5e17cfc04","event":"day-2026-11-23","starts":0.0,"waits":true}}');
INSERT INTO public.tables VALUES ('28af56f09e24b953bd14019967b7f548', 12, '{"version":1,"id":"mavenaze","title":"2026-11-23","created":1795462213.0,"owner":-1,"status":"playing","number":1,"pause":"suspended","ended":"","deserted":1795462236.5,"played_by":[],"word":"","opened_by":"account:vitC6kZhlHxeeZQT","opened_from":"20dfc4ca8458ef68-a569","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"none","bots":"greedy","hints":false,"seats":[{"occupant":"human","name":"rosa","player":["account:vitC6kZhlHxeeZQT","rosa",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":true,"hints":[]},{"occupant":"bot","name":"Petrel","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Osprey","player":null,"strategy":"tidal","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Otter","player":null,"strategy":"expert","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"205f096dce1cf00c89716e2be04772da3cce116cab98255be35e16c5e17cfc04","shared":{"seed":"205f096dce1cf00c89716e2be04772da3cce116cab98255be35e16c5e17cfc04","event":"day-2026-11-23","starts":0.0,"waits":true}}');
INSERT INTO public.tables VALUES ('965fef297bf1ed49e60719fd8e04910b', 13, '{"version":1,"id":"domelimu","title":"Quay","created":1795462238.0,"owner":0,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:xoEkOyeqv-0enoeu","opened_from":"4a643f74577c5906-d021","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":3,"stages":3,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":true,"spectators":"open","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"cem","player":["account:xoEkOyeqv-0enoeu","cem",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"dora","player":["account:b5ul39G8rgw1X3T5","dora",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"eve","player":["account:KCFxvvdaFEJikOCN","eve",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"8c664b82a8fdabac3b1931c5bc1e653fb0c3c37d2bad5f087665e7b981dfaaf2"}');
INSERT INTO public.tables VALUES ('5e4fffe362f1c2688f8de72315f38fc3', 14, '{"version":1,"id":"sotamiso","title":"Marsh","created":1795462248.5,"owner":0,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:Qih4_t8z3YLqMU_S","opened_from":"20dfc4ca8458ef68-0970","ballots":[],"remaining":0.0,"rules":{"edition":"bga","players":4,"stages":4,"modified_drowning":true,"assistance":false},"pace":"correspondence","seconds":86400,"rated":false,"spectators":"open","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"hal","player":["account:Qih4_t8z3YLqMU_S","hal",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"ida","player":["account:zKHLJunVv_8wPZcK","ida",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"jon","player":["account:l4OEUQCb9jxBoyUo","jon",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"kai","player":["account:AgJ6JDRxgDgDFqk5","kai",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"4c3b1199c97fe14a895de83fff3917911dcd8a604a2981bd706036cac5be9171","deadline":[0,0,1795548649.0]}');
INSERT INTO public.tables VALUES ('tournament/mudutuku/2/2/f0f6b475970959b1', 20, '{"version":1,"id":"pikapupo","title":"Friday cup 2/2","created":1795462331.05,"owner":-1,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"","opened_from":"","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":30,"rated":false,"spectators":"none","bots":"cautious","hints":false,"seats":[{"occupant":"human","name":"tom","player":["account:6qgbLsR1-iQz5jkr","tom",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"xan","player":["account:rE_Kn58puKRC5it9","xan",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"sol","player":["account:mGnrFyXyRikWp_X2","sol",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"a308df2ceba2c5e02c8e199746941f19b267ae8e8a23ad62af7266f8e230a7b6","shared":{"seed":"a308df2ceba2c5e02c8e199746941f19b267ae8e8a23ad62af7266f8e230a7b6","event":"tournament/mudutuku/2","starts":1795462391.05,"waits":false},"deadline":[0,0,1795462361.05]}');
INSERT INTO public.tables VALUES ('fafad8f3563997f0f3bd61f28ca0e0ce', 18, '{"version":1,"id":"vovonobo","title":"Sluice","created":1795462258.0,"owner":0,"status":"over","number":1,"pause":"","ended":"","deserted":0.0,"played_by":["oli","Guest","Tern"],"word":"","opened_by":"account:XN51sXJIEradQ5O8","opened_from":"20dfc4ca8458ef68-20a1","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"open","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"oli","player":["account:XN51sXJIEradQ5O8","oli",false],"strategy":"","away":false,"missed":0,"rematch":true,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"Guest","player":["guest:rvwKDn1YJ6si3GAW","Guest",true],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Tern","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"0463eb51602c8d7487c54f19d4845547a13e2639b7e1ad47460e056f1fec7b7c"}');
INSERT INTO public.tables VALUES ('3141a2f9ee50dec2350ec5b05b6d1d50', 15, '{"version":1,"id":"bapodepu","title":"Anchorage","created":1795462251.5,"owner":0,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:hnjFIBsFWBNralqW","opened_from":"20dfc4ca8458ef68-0bab","ballots":[],"remaining":0.0,"rules":{"edition":"bga","players":6,"stages":6,"modified_drowning":false,"assistance":true},"pace":"untimed","seconds":60,"rated":false,"spectators":"open","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"yan","player":["account:hnjFIBsFWBNralqW","yan",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Nautilus","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Marlin","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Otter","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Sprat","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Gull","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"bccb90440f9a25263c30115dfb55264df7686ea822d9762cc8f884caff27b1cb"}');
INSERT INTO public.tables VALUES ('c18cc0866db7988d56e2d548ec296154', 16, '{"version":1,"id":"berulaku","title":"Saltings","created":1795462254.0,"owner":0,"status":"open","number":0,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"4aa57aed2bbb835addbb4e334bfbc223$3b407b53a63136369f089e7f15ca8f32b260ac71fdc5f8b07ff34420a45dff40","opened_by":"account:Mbqu8N6F3xqrC1Xw","opened_from":"4a643f74577c5906-528b","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":60,"rated":false,"spectators":"delayed","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"lea","player":["account:Mbqu8N6F3xqrC1Xw","lea",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Sprat","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"nobody","name":"","player":null,"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"nina","since":0,"stepped_out":false,"hints":[]},{"occupant":"nobody","name":"","player":null,"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":""}');
INSERT INTO public.tables VALUES ('00cfcca1d19be32a881ea7a8079cd3f4', 17, '{"version":1,"id":"laveruko","title":"Beacon","created":1795462256.0,"owner":0,"status":"open","number":0,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:wSjRZxrj64wD2dsq","opened_from":"4a643f74577c5906-daf3","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":3,"stages":3,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":true,"spectators":"open","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"mia","player":["account:wSjRZxrj64wD2dsq","mia",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"nobody","name":"","player":null,"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"nobody","name":"","player":null,"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":""}');
INSERT INTO public.tables VALUES ('tournament/mudutuku/2/1/d2faa4322e159637', 19, '{"version":1,"id":"rulubano","title":"Friday cup 2/1","created":1795462331.05,"owner":-1,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"","opened_from":"","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":30,"rated":false,"spectators":"none","bots":"cautious","hints":false,"seats":[{"occupant":"human","name":"uma","player":["account:tb4wTLl78g5yXv7m","uma",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Brine","player":null,"strategy":"cautious","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"vic","player":["account:WjuT79KG6I02vnZ3","vic",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"a308df2ceba2c5e02c8e199746941f19b267ae8e8a23ad62af7266f8e230a7b6","shared":{"seed":"a308df2ceba2c5e02c8e199746941f19b267ae8e8a23ad62af7266f8e230a7b6","event":"tournament/mudutuku/2","starts":1795462391.05,"waits":false},"deadline":[0,0,1795462361.05]}');
INSERT INTO public.tables VALUES ('tournament/mudutuku/2/3/7efd00391f64c77d', 21, '{"version":1,"id":"retaveso","title":"Friday cup 2/3","created":1795462331.05,"owner":-1,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"","opened_from":"","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":30,"rated":false,"spectators":"none","bots":"cautious","hints":false,"seats":[{"occupant":"human","name":"wim","player":["account:c9Xry46BWADDRb3E","wim",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"sam","player":["account:H6vmwIMZ44_OsJ_I","sam",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"ray","player":["account:71EQhNZ0fH9dz399","ray",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"a308df2ceba2c5e02c8e199746941f19b267ae8e8a23ad62af7266f8e230a7b6","shared":{"seed":"a308df2ceba2c5e02c8e199746941f19b267ae8e8a23ad62af7266f8e230a7b6","event":"tournament/mudutuku/2","starts":1795462391.05,"waits":false},"deadline":[0,0,1795462361.05]}');
INSERT INTO public.tables VALUES ('2eb69c6ff79e507876bceb4a0e3509fd', 23, '{"version":1,"id":"duporeku","title":"Dike","created":1795462336.5,"owner":0,"status":"playing","number":1,"pause":"voted","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:r8jNI8ZRpVr2__W3","opened_from":"4a643f74577c5906-9f61","ballots":[],"remaining":59.0,"rules":{"edition":"gamewright","players":3,"stages":3,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":60,"rated":false,"spectators":"open","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"fay","player":["account:r8jNI8ZRpVr2__W3","fay",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"gus","player":["account:zyuTdjfR-7w6jsBz","gus",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Nautilus","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"50554d7648e6a8f756c8cbfab52e84a308f0bb03865c97514e018ff358a5791f","deadline":[0,3,1795462398.5]}');
INSERT INTO public.tables VALUES ('975cb15f6f0aaf824bed42607a8fad51', 22, '{"version":1,"id":"tanonulo","title":"Shipyard","created":1795462334.5,"owner":0,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:f8W0uYgb1Y7DTiYq","opened_from":"20dfc4ca8458ef68-5ac9","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":60,"rated":false,"spectators":"delayed","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"ada","player":["account:f8W0uYgb1Y7DTiYq","ada",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"bo","player":["account:v9laDYIeHeBJB3qx","bo",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"dan","player":["account:FPBD3vB4yujHCo6x","dan",false],"strategy":"cautious","away":false,"missed":0,"rematch":false,"left":true,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Reef","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"9853b7494be3aea75fae17555dcdfe55593baddb2f88734756cadfd3c61b45ab","deadline":[0,3,1795462398.5]}');
INSERT INTO public.tournaments VALUES ('dupamiti', 1795462201, 0, '{"version":1,"plan":{"type":"TournamentPlan","name":"Winter cup","options":{"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":30,"rated":false,"spectators":"none","bots":"cautious","hints":false},"rounds":1,"call":60,"pause":120},"director":"","director_name":"","guests":false,"begins":0.0,"commitments":[],"play":{"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"planned":1,"over":false,"entrants":[["account:71EQhNZ0fH9dz399","ray",false,0,null]],"rounds":[]}}');
INSERT INTO public.tournaments VALUES ('mudutuku', 1795462201, 0, '{"version":1,"plan":{"type":"TournamentPlan","name":"Friday cup","options":{"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":30,"rated":false,"spectators":"none","bots":"cautious","hints":false},"rounds":3,"call":60,"pause":120},"director":"","director_name":"","guests":false,"begins":0.0,"commitments":["c74b138cc3255e9f03d3a36e7a71a12c43bcd6b6e05cb99f8f23fc8105957f19","7275f0cb31cf9e3692d24780a4c3bfebc5ba2c3fa745c1e661eea956d1f21920"],"play":{"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"planned":3,"over":false,"entrants":[["account:71EQhNZ0fH9dz399","ray",false,0,null],["account:mGnrFyXyRikWp_X2","sol",false,0,null],["account:H6vmwIMZ44_OsJ_I","sam",false,0,null],["account:6qgbLsR1-iQz5jkr","tom",false,0,null],["account:tb4wTLl78g5yXv7m","uma",false,0,null],["account:WjuT79KG6I02vnZ3","vic",false,0,null],["account:c9Xry46BWADDRb3E","wim",false,0,null],["account:rE_Kn58puKRC5it9","xan",false,0,null]],"rounds":[{"closed":true,"tables":[{"seats":[0,3,-1],"points":[2,1,1],"stayed":[true,true,true],"game":"7","done":true},{"seats":[1,4,6],"points":[-1,6,0],"stayed":[true,true,true],"game":"8","done":true},{"seats":[2,5,7],"points":[1,-1,5],"stayed":[true,true,true],"game":"9","done":true}]},{"closed":false,"tables":[{"seats":[4,-1,5],"points":null,"stayed":null,"game":"","done":false},{"seats":[3,7,1],"points":null,"stayed":null,"game":"","done":false},{"seats":[6,2,0],"points":null,"stayed":null,"game":"","done":false}]}]}}');
SELECT pg_catalog.setval('public.numbers_audit', 1, true);
SELECT pg_catalog.setval('public.numbers_bans', 1, true);
SELECT pg_catalog.setval('public.numbers_records', 11, true);
SELECT pg_catalog.setval('public.numbers_reports', 1, true);
SELECT pg_catalog.setval('public.numbers_tables', 23, true);
ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bans
    ADD CONSTRAINT bans_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.codes
    ADD CONSTRAINT codes_pkey PRIMARY KEY (code);
ALTER TABLE ONLY public.entries
    ADD CONSTRAINT entries_pkey PRIMARY KEY (table_key, game, number);
ALTER TABLE ONLY public.event_players
    ADD CONSTRAINT event_players_pkey PRIMARY KEY (event, player);
ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.hand_results
    ADD CONSTRAINT hand_results_pkey PRIMARY KEY (record_id, stage, seat);
ALTER TABLE ONLY public.house
    ADD CONSTRAINT house_pkey PRIMARY KEY (kind);
ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_pkey PRIMARY KEY (fingerprint);
ALTER TABLE ONLY public.mutes
    ADD CONSTRAINT mutes_pkey PRIMARY KEY (person);
ALTER TABLE ONLY public.names
    ADD CONSTRAINT names_pkey PRIMARY KEY (skeleton);
ALTER TABLE ONLY public.nodes
    ADD CONSTRAINT nodes_name_key UNIQUE (name);
ALTER TABLE ONLY public.nodes
    ADD CONSTRAINT nodes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.numbers
    ADD CONSTRAINT numbers_pkey PRIMARY KEY (kind);
ALTER TABLE ONLY public.owners
    ADD CONSTRAINT owners_pkey PRIMARY KEY (table_key);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_code_key UNIQUE (code);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT ratings_pkey PRIMARY KEY (person);
ALTER TABLE ONLY public.record_seats
    ADD CONSTRAINT record_seats_pkey PRIMARY KEY (record_id, seat);
ALTER TABLE ONLY public.records
    ADD CONSTRAINT records_origin_key UNIQUE (origin);
ALTER TABLE ONLY public.records
    ADD CONSTRAINT records_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.season_places
    ADD CONSTRAINT season_places_pkey PRIMARY KEY (month, line);
ALTER TABLE ONLY public.seasons
    ADD CONSTRAINT seasons_pkey PRIMARY KEY (month);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.tournaments
    ADD CONSTRAINT tournaments_pkey PRIMARY KEY (id);
CREATE INDEX audit_by_made ON public.audit USING btree (made);
CREATE INDEX event_players_by_player ON public.event_players USING btree (player);
CREATE INDEX events_by_kind ON public.events USING btree (kind, opens);
CREATE INDEX keys_by_person ON public.keys USING btree (person);
CREATE INDEX names_by_person ON public.names USING btree (person);
CREATE INDEX owners_by_node ON public.owners USING btree (node);
CREATE INDEX people_by_seen ON public.people USING btree (guest, seen);
CREATE INDEX record_seats_by_player ON public.record_seats USING btree (player);
CREATE INDEX records_by_event ON public.records USING btree (event) WHERE (event <> ''::text);
CREATE INDEX records_by_kept ON public.records USING btree (kept, id);
CREATE INDEX reports_by_closed ON public.reports USING btree (closed, id);
CREATE INDEX season_places_by_player ON public.season_places USING btree (player);
CREATE INDEX tournaments_by_time ON public.tournaments USING btree (opened);
ALTER TABLE ONLY public.hand_results
    ADD CONSTRAINT hand_results_record_id_fkey FOREIGN KEY (record_id) REFERENCES public.records(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_person_fkey FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.names
    ADD CONSTRAINT names_person_fkey FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.ratings
    ADD CONSTRAINT ratings_person_fkey FOREIGN KEY (person) REFERENCES public.people(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.record_seats
    ADD CONSTRAINT record_seats_record_id_fkey FOREIGN KEY (record_id) REFERENCES public.records(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.season_places
    ADD CONSTRAINT season_places_month_fkey FOREIGN KEY (month) REFERENCES public.seasons(month) ON DELETE CASCADE;
