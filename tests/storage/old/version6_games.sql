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
INSERT INTO "audit" VALUES(1,1790000000.0,'uid 0','root','ban','Dil','{"ban":2}','ok');
INSERT INTO "audit" VALUES(2,1790000000.0,'uid 0','root','unban','Dil','{"ban":2}','ok');
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
INSERT INTO "bans" VALUES(1,'key','SHA256:bad','SHA256:bad','swore',1790000000.0,'root',0.0);
CREATE TABLE entries (
        table_key TEXT NOT NULL,
        game INTEGER NOT NULL,
        number INTEGER NOT NULL,
        content TEXT NOT NULL,
        PRIMARY KEY (table_key, game, number)
    );
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,0,'["tides",9,10,1790000044.399]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,1,'["bid",0,2,1790000044.399]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,2,'["bid",2,1,1790000044.721]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,3,'["bid",3,60,1790000044.959]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,4,'["bid",1,4,1790000045.003]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,5,'["tides",11,1,1790000045.003]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,6,'["bid",0,11,1790000045.003]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,7,'["bid",2,59,1790000045.34]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,8,'["bid",1,6,1790000045.653]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,9,'["bid",3,8,1790000045.655]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,10,'["tides",5,6,1790000045.655]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,11,'["bid",0,14,1790000045.655]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,12,'["bid",3,57,1790000046.016]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,13,'["bid",1,56,1790000046.291]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,14,'["bid",2,23,1790000046.364]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,15,'["tides",2,7,1790000046.364]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,16,'["bid",0,20,1790000046.364]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,17,'["bid",2,55,1790000046.852]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,18,'["bid",1,7,1790000046.92]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,19,'["bid",3,12,1790000047.015]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,20,'["tides",8,7,1790000047.015]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,0,'["tides",1,12,1790000047.015]');
INSERT INTO "entries" VALUES('878faa8889b946c72ec4f7fa25ec8f5d',1,0,'["tides",12,10,1790000047.015]');
INSERT INTO "entries" VALUES('878faa8889b946c72ec4f7fa25ec8f5d',1,1,'["bid",0,5,1790000047.015]');
INSERT INTO "entries" VALUES('878faa8889b946c72ec4f7fa25ec8f5d',1,2,'["bid",1,7,1790000047.015]');
INSERT INTO "entries" VALUES('878faa8889b946c72ec4f7fa25ec8f5d',1,3,'["bid",2,59,1790000047.665]');
INSERT INTO "entries" VALUES('878faa8889b946c72ec4f7fa25ec8f5d',1,4,'["tides",8,11,1790000047.665]');
INSERT INTO "entries" VALUES('878faa8889b946c72ec4f7fa25ec8f5d',1,5,'["bid",0,8,1790000047.665]');
INSERT INTO "entries" VALUES('878faa8889b946c72ec4f7fa25ec8f5d',1,6,'["bid",1,11,1790000047.665]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,1,'["bid",3,56,1790000047.975]');
INSERT INTO "entries" VALUES('878faa8889b946c72ec4f7fa25ec8f5d',1,7,'["bid",2,60,1790000048.461]');
INSERT INTO "entries" VALUES('878faa8889b946c72ec4f7fa25ec8f5d',1,8,'["tides",11,3,1790000048.461]');
INSERT INTO "entries" VALUES('878faa8889b946c72ec4f7fa25ec8f5d',1,9,'["bid",0,57,1790000048.461]');
INSERT INTO "entries" VALUES('bc64679566034180e0487bd6ce72b5e6',1,0,'["tides",3,7,1790000048.461]');
INSERT INTO "entries" VALUES('bc64679566034180e0487bd6ce72b5e6',1,1,'["bid",0,16,1790000048.461]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,0,'["tides",7,2,1790000048.461]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,1,'["bid",0,2,1790000048.461]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,2,'["bid",1,6,1790000048.461]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,3,'["bid",2,3,1790000049.111]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,4,'["tides",6,3,1790000049.111]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,5,'["bid",0,13,1790000049.111]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,6,'["bid",1,8,1790000049.111]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,2,'["bid",2,1,1790000049.211]');
INSERT INTO "entries" VALUES('bc64679566034180e0487bd6ce72b5e6',1,2,'["bid",2,1,1790000049.343]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,7,'["bid",2,52,1790000049.907]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,8,'["tides",8,12,1790000049.907]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,9,'["bid",0,14,1790000049.907]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,10,'["bid",1,17,1790000049.907]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,11,'["bid",2,4,1790000050.236]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,12,'["tides",2,9,1790000050.236]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,13,'["bid",0,15,1790000050.236]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,14,'["bid",1,20,1790000050.236]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,15,'["bid",2,7,1790000050.722]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,16,'["tides",5,4,1790000050.722]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,17,'["bid",0,18,1790000050.722]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,18,'["bid",1,25,1790000050.722]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,19,'["bid",2,9,1790000051.36]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,20,'["tides",4,3,1790000051.36]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,21,'["bid",0,21,1790000051.36]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,22,'["bid",1,26,1790000051.36]');
INSERT INTO "entries" VALUES('a5682139b9bb8cef7baa4e7fc129f591',1,23,'["bid",2,12,1790000051.877]');
INSERT INTO "entries" VALUES('6b264ee7e2fd60303b3608fdaaab3c69',1,0,'["tides",3,11,1790000051.877]');
INSERT INTO "entries" VALUES('6b264ee7e2fd60303b3608fdaaab3c69',1,1,'["bid",0,4,1790000051.877]');
INSERT INTO "entries" VALUES('6b264ee7e2fd60303b3608fdaaab3c69',1,2,'["bid",1,2,1790000051.877]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,21,'["bid",3,13,1790000051.954]');
INSERT INTO "entries" VALUES('0144b4a9216c405a60454ceaa2d257e8',1,22,'["bid",1,16,1790000052.121]');
INSERT INTO "entries" VALUES('6b264ee7e2fd60303b3608fdaaab3c69',1,3,'["bid",2,59,1790000052.527]');
INSERT INTO "entries" VALUES('6b264ee7e2fd60303b3608fdaaab3c69',1,4,'["tides",1,2,1790000052.527]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,3,'["bid",0,9,1790000052.527]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,4,'["bid",1,2,1790000052.527]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,5,'["tides",10,8,1790000052.527]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,6,'["bid",0,11,1790000052.527]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,7,'["bid",1,4,1790000052.527]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,8,'["bid",2,3,1790000052.901]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,9,'["bid",3,59,1790000052.961]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,10,'["tides",6,4,1790000052.961]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,11,'["bid",0,19,1790000052.961]');
INSERT INTO "entries" VALUES('77303a542b7d05a8c5be030226dd9f75',1,12,'["bid",0,36,1790000052.961]');
CREATE TABLE hand_results (
        record_id BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        stage INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        hand INTEGER NOT NULL,
        points INTEGER NOT NULL,
        PRIMARY KEY (record_id, stage, seat)
    );
INSERT INTO "hand_results" VALUES(1,0,0,0,8);
INSERT INTO "hand_results" VALUES(1,0,1,1,-1);
INSERT INTO "hand_results" VALUES(1,0,2,2,4);
INSERT INTO "hand_results" VALUES(2,0,0,0,6);
INSERT INTO "hand_results" VALUES(2,0,1,1,3);
INSERT INTO "hand_results" VALUES(2,0,2,2,-1);
INSERT INTO "hand_results" VALUES(3,0,0,0,-1);
INSERT INTO "hand_results" VALUES(3,0,1,1,1);
INSERT INTO "hand_results" VALUES(3,0,2,2,3);
INSERT INTO "hand_results" VALUES(3,0,3,3,2);
INSERT INTO "hand_results" VALUES(4,0,0,0,-1);
INSERT INTO "hand_results" VALUES(4,0,1,1,3);
INSERT INTO "hand_results" VALUES(4,0,2,2,3);
INSERT INTO "hand_results" VALUES(5,0,0,0,-1);
INSERT INTO "hand_results" VALUES(5,0,1,1,7);
INSERT INTO "hand_results" VALUES(5,0,2,2,4);
CREATE TABLE keys (
        fingerprint TEXT PRIMARY KEY,
        person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        added DOUBLE PRECISION NOT NULL
    , word TEXT NOT NULL DEFAULT '');
INSERT INTO "keys" VALUES('SHA256:ada-key','account:fdee430d40bd',1789999000.0,'');
INSERT INTO "keys" VALUES('SHA256:bo-key','account:3d099d0f13df',1789999001.0,'0123abcd');
INSERT INTO "keys" VALUES('SHA256:cem-key','account:b1331f460eb4',1789999002.0,'');
INSERT INTO "keys" VALUES('SHA256:dora-key','account:69db31976ead',1789999003.0,'');
INSERT INTO "keys" VALUES('SHA256:eve-key','account:85262adf7451',1789999004.0,'');
INSERT INTO "keys" VALUES('SHA256:fay-key','account:92beaa3938dc',1789999005.0,'');
INSERT INTO "keys" VALUES('SHA256:gus-key','account:70f368c31301',1789999006.0,'');
INSERT INTO "keys" VALUES('SHA256:hal-key','account:232554cace01',1789999007.0,'');
INSERT INTO "keys" VALUES('SHA256:ida-key','account:bb6b24bf1399',1789999008.0,'');
INSERT INTO "keys" VALUES('SHA256:jon-key','account:bb472edb8680',1789999009.0,'');
INSERT INTO "keys" VALUES('SHA256:kai-key','account:f844ad6231ad',1789999010.0,'');
INSERT INTO "keys" VALUES('SHA256:lea-key','account:020dc2295b4c',1789999011.0,'');
INSERT INTO "keys" VALUES('SHA256:ada-second','account:fdee430d40bd',1790000000.0,'');
CREATE TABLE mutes (
        person TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        reason TEXT NOT NULL,
        made DOUBLE PRECISION NOT NULL,
        made_by TEXT NOT NULL,
        until DOUBLE PRECISION NOT NULL
    );
INSERT INTO "mutes" VALUES('account:92beaa3938dc','fay','shouted',1790000000.0,'root',1790086400.0);
CREATE TABLE names (
        skeleton TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE
    );
INSERT INTO "names" VALUES('ada','ada','account:fdee430d40bd');
INSERT INTO "names" VALUES('bo','bo','account:3d099d0f13df');
INSERT INTO "names" VALUES('cem','cem','account:b1331f460eb4');
INSERT INTO "names" VALUES('dora','dora','account:69db31976ead');
INSERT INTO "names" VALUES('eve','eve','account:85262adf7451');
INSERT INTO "names" VALUES('fay','fay','account:92beaa3938dc');
INSERT INTO "names" VALUES('gus','gus','account:70f368c31301');
INSERT INTO "names" VALUES('hal','hal','account:232554cace01');
INSERT INTO "names" VALUES('lda','ida','account:bb6b24bf1399');
INSERT INTO "names" VALUES('jon','jon','account:bb472edb8680');
INSERT INTO "names" VALUES('kal','kai','account:f844ad6231ad');
INSERT INTO "names" VALUES('lea','lea','account:020dc2295b4c');
INSERT INTO "names" VALUES('ada2','Ada2','account:fdee430d40bd');
INSERT INTO "names" VALUES('gast','Gast','guest:0a1b');
CREATE TABLE numbers (
        kind TEXT PRIMARY KEY,
        last INTEGER NOT NULL
    );
INSERT INTO "numbers" VALUES('bans',2);
INSERT INTO "numbers" VALUES('reports',2);
INSERT INTO "numbers" VALUES('audit',2);
CREATE TABLE people (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        guest INTEGER NOT NULL,
        code TEXT UNIQUE,
        created DOUBLE PRECISION NOT NULL,
        seen DOUBLE PRECISION NOT NULL,
        settings TEXT NOT NULL
    );
INSERT INTO "people" VALUES('account:fdee430d40bd','ada',0,NULL,1789999000.0,1790000000.0,'{"theme":"dusk","blocked":{"account:92beaa3938dc":"fay"}}');
INSERT INTO "people" VALUES('account:3d099d0f13df','bo',0,NULL,1789999001.0,1790000000.0,'{}');
INSERT INTO "people" VALUES('account:b1331f460eb4','cem',0,NULL,1789999002.0,1790000000.0,'{}');
INSERT INTO "people" VALUES('account:69db31976ead','dora',0,NULL,1789999003.0,1790000000.0,'{}');
INSERT INTO "people" VALUES('account:85262adf7451','eve',0,NULL,1789999004.0,1790000000.0,'{}');
INSERT INTO "people" VALUES('account:92beaa3938dc','fay',0,NULL,1789999005.0,1790000000.0,'{}');
INSERT INTO "people" VALUES('account:70f368c31301','gus',0,NULL,1789999006.0,1790000000.0,'{}');
INSERT INTO "people" VALUES('account:232554cace01','hal',0,NULL,1789999007.0,1790000000.0,'{}');
INSERT INTO "people" VALUES('account:bb6b24bf1399','ida',0,NULL,1789999008.0,1790000000.0,'{}');
INSERT INTO "people" VALUES('account:bb472edb8680','jon',0,NULL,1789999009.0,1790000000.0,'{}');
INSERT INTO "people" VALUES('account:f844ad6231ad','kai',0,NULL,1789999010.0,1790000000.0,'{}');
INSERT INTO "people" VALUES('account:020dc2295b4c','lea',0,NULL,1789999011.0,1790000000.0,'{}');
INSERT INTO "people" VALUES('guest:0a1b','Gast',1,'c0dec0dec0dec0dec0dec0dec0dec0de',1790000000.0,1790000000.0,'{}');
CREATE TABLE ratings (
        person TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
        mu DOUBLE PRECISION NOT NULL,
        sigma DOUBLE PRECISION NOT NULL,
        games INTEGER NOT NULL
    );
INSERT INTO "ratings" VALUES('account:f844ad6231ad',3.04526255065136055568e+01,8.0669718968242882795e+00,2);
INSERT INTO "ratings" VALUES('account:020dc2295b4c',2.26715943754474089652e+01,7.82009531542994640318e+00,2);
INSERT INTO "ratings" VALUES('account:bb472edb8680',21.967524762516,7.80221905642903390543e+00,2);
CREATE TABLE record_seats (
        record_id BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        player TEXT NOT NULL, name TEXT NOT NULL DEFAULT '', kind TEXT NOT NULL DEFAULT '', score INTEGER NOT NULL DEFAULT 0, place INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (record_id, seat)
    );
INSERT INTO "record_seats" VALUES(1,0,'account:f844ad6231ad','kai','human',8,1);
INSERT INTO "record_seats" VALUES(1,1,'account:020dc2295b4c','lea','human',-1,3);
INSERT INTO "record_seats" VALUES(1,2,'account:bb472edb8680','jon','human',4,2);
INSERT INTO "record_seats" VALUES(2,0,'account:f844ad6231ad','kai','human',6,1);
INSERT INTO "record_seats" VALUES(2,1,'account:020dc2295b4c','lea','human',3,2);
INSERT INTO "record_seats" VALUES(2,2,'account:bb472edb8680','jon','human',-1,3);
INSERT INTO "record_seats" VALUES(3,0,'account:232554cace01','hal','human',-1,4);
INSERT INTO "record_seats" VALUES(3,1,'','Limpet','bot',1,3);
INSERT INTO "record_seats" VALUES(3,2,'','Puffin','bot',3,1);
INSERT INTO "record_seats" VALUES(3,3,'','Plover','bot',2,2);
INSERT INTO "record_seats" VALUES(4,0,'account:f844ad6231ad','kai','left',-1,3);
INSERT INTO "record_seats" VALUES(4,1,'account:020dc2295b4c','lea','human',3,1);
INSERT INTO "record_seats" VALUES(4,2,'','Limpet','bot',3,1);
INSERT INTO "record_seats" VALUES(5,0,'account:bb6b24bf1399','ida','human',-1,3);
INSERT INTO "record_seats" VALUES(5,1,'guest:0a1b','Gast','human',7,1);
INSERT INTO "record_seats" VALUES(5,2,'','Limpet','bot',4,2);
CREATE TABLE records (
        id BIGINT PRIMARY KEY,
        origin TEXT NOT NULL UNIQUE,
        kept DOUBLE PRECISION NOT NULL,
        content TEXT NOT NULL
    , edition TEXT NOT NULL DEFAULT '', complete INTEGER NOT NULL DEFAULT 0, rated INTEGER NOT NULL DEFAULT 0);
INSERT INTO "records" VALUES(1,'37e76adef25f2cd8f7f72a389454f9bd-1',1790000000.0,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["kai","lea","jon"],"deal":[[3,9,20,25,30,31,32,34,42,46,47,54],[5,6,8,11,16,23,36,38,41,45,50,52],[7,10,15,18,19,24,27,28,35,49,53,60]],"stages":[{"tides":[[10,12],[7,11],[3,12],[4,10]],"bids":[[3,5,7],[9,6,10],[20,8,15],[25,11,18]]}],"seed":"38b4e652e44da7f2370d9e260e27136550a4a3a6d07f5c0c332f8b1224083fd2","commitment":"d1f80ab1c2fb5504352d9b3906ecce10a3552d044ebbeaf3ea2562e454518d40","algorithm":1,"id":"37e76adef25f2cd8f7f72a389454f9bd-1","table":"Quay","pace":"untimed","times":{"ended":"2026-09-21T14:13:20Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"rated":true}','amigo',1,1);
INSERT INTO "records" VALUES(2,'fe219203c726f857471315f3763f0779-1',1790000000.0,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["kai","lea","jon"],"deal":[[6,14,23,26,27,31,37,38,39,47,50,59],[1,8,9,13,18,19,41,45,46,51,54,55],[2,10,11,12,24,25,30,33,34,40,49,60]],"stages":[{"tides":[[7,11],[6,9],[1,12],[2,4],[1,3],[2,11],[5,7]],"bids":[[6,1,2],[14,8,10],[23,9,11],[26,13,12],[27,18,24],[31,19,25],[37,41,30]]}],"seed":"2b902f8911e81818f8c99d5d5d9831957504d90e945de2e8f54ee781cc75f636","commitment":"d64c2f96c0c1b5b7223fee368503fc3bed78b459fcc624f4c803dde9adac4896","algorithm":1,"id":"fe219203c726f857471315f3763f0779-1","table":"Estuary","pace":"untimed","times":{"ended":"2026-09-21T14:13:20Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"rated":true}','amigo',1,1);
INSERT INTO "records" VALUES(3,'e59176c44b1852eb0d7476dd7bc0c885-1',1.79000003988819742202e+09,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["hal","Limpet","Puffin","Plover"],"deal":[[6,9,10,20,22,23,24,43,49,50,58,60],[1,8,16,18,21,29,30,39,40,41,42,52],[2,3,5,13,19,25,33,34,38,48,55,57],[4,7,11,14,15,27,31,32,37,47,54,59]],"stages":[{"tides":[[9,12],[3,12],[4,5],[7,10],[1,10],[1,11],[6,8],[2,2],[4,7],[5,11],[3,9],[6,8]],"bids":[[6,1,2,4],[9,8,3,59],[10,16,5,7],[20,18,13,11],[22,52,19,14],[null,21,57,15],[null,41,55,54],[null,40,48,47],[null,42,25,27],[null,30,33,32],[null,29,34,37],[null,39,38,31]]}],"seed":"d85099095aa300165a67036f9b540d6b8f0be21124179c3dd9f73817ce6e118d","commitment":"002a9074dbea468774c99bfd6e6599682c09f8b5f492e053aaf8e38cdb4b0f44","algorithm":1,"id":"e59176c44b1852eb0d7476dd7bc0c885-1","table":"Beacon","pace":"untimed","times":{"ended":"2026-09-21T14:13:59Z"},"seats":[{"kind":"human"},{"kind":"bot","strategy":"greedy"},{"kind":"bot","strategy":"greedy"},{"kind":"bot","strategy":"greedy"}]}','amigo',1,0);
INSERT INTO "records" VALUES(4,'31e091373012b1a8838a096e75e8f5ff-1',1790000044.39877,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["kai","lea","Limpet"],"deal":[[2,8,18,21,28,29,30,35,41,51,52,53],[1,4,5,12,26,31,39,42,45,47,54,60],[6,11,13,19,23,32,38,40,49,56,57,59]],"stages":[{"tides":[[7,11],[8,8],[5,12],[5,10],[4,12],[3,6],[2,9]],"bids":[[2,1,59],[8,4,6],[18,5,56],[52,12,57],[53,26,11],[21,31,13],[41,39,49]]}],"seed":"264aad6cb6dd210faf94acd3cf92c190237cb11f5d108cf25930263938b370a1","commitment":"1f80b09f9db163bcdff36540bf9e848e7d246839a044d471604bb385af924697","algorithm":1,"id":"31e091373012b1a8838a096e75e8f5ff-1","table":"Harbour","pace":"untimed","times":{"ended":"2026-09-21T14:14:04Z"},"seats":[{"kind":"left"},{"kind":"human"},{"kind":"bot","strategy":"greedy"}]}','amigo',1,0);
INSERT INTO "records" VALUES(5,'a5682139b9bb8cef7baa4e7fc129f591-1',1.79000005187707638743e+09,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ida","Gast","Limpet"],"deal":[[2,13,14,15,18,21,37,38,42,51,56,58],[6,8,17,20,25,26,27,30,35,45,54,60],[3,4,7,9,12,29,32,33,44,46,50,52]],"stages":[{"tides":[[2,7],[3,6],[8,12],[2,9],[4,5],[3,4]],"bids":[[2,6,3],[13,8,52],[14,17,4],[15,20,7],[18,25,9],[21,26,12]]}],"seed":"29fb388c22e44cb637f01210c3707a90b405420fb169779edfb5b9342405157f","commitment":"05b38a953186a9edcc7f003508df1f466c1228ab71330adf8ab257c8eec1107b","algorithm":1,"id":"a5682139b9bb8cef7baa4e7fc129f591-1","table":"Boathouse","pace":"untimed","times":{"ended":"2026-09-21T14:14:11Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"bot","strategy":"greedy"}]}','amigo',1,0);
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
INSERT INTO "reports" VALUES(1,1790000000.0,'account:3d099d0f13df','bo','account:92beaa3938dc','fay','Harbour (kabeli)','shouts','',0.0,'',0);
INSERT INTO "reports" VALUES(2,1790000000.0,'account:b1331f460eb4','cem','guest:99','Zed','','spams','banned',1790000005.0,'root',0);
CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO "schema_version" VALUES(6);
CREATE TABLE tables (
        key TEXT PRIMARY KEY,
        place BIGINT NOT NULL,
        content TEXT NOT NULL
    );
INSERT INTO "tables" VALUES('0144b4a9216c405a60454ceaa2d257e8',27,'{"version":1,"id":"pesatise","title":"Buoy","created":1790000044.39877,"rules":{"edition":"amigo","players":4,"stages":1,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"open","word":"","seats":[{"occupant":"human","name":"hal","player":["account:232554cace01","hal",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"bot","name":"Limpet","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"bot","name":"Puffin","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"bot","name":"Plover","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0}],"owner":0,"status":"playing","number":1,"seed":"b5769fa0f1483f95a90d9df2f130d60fcf04bd93f50ae69514da8c659ce2b10c","pause":"","ended":"","deserted":0.0,"opened_by":"account:232554cace01"}');
INSERT INTO "tables" VALUES('77303a542b7d05a8c5be030226dd9f75',28,'{"version":1,"id":"tuvenasa","title":"Port","created":1790000047.015095,"rules":{"edition":"amigo","players":4,"stages":2,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":60,"rated":false,"spectators":"delayed","word":"","seats":[{"occupant":"human","name":"ada","player":["account:fdee430d40bd","ada",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"human","name":"bo","player":["account:3d099d0f13df","bo",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"bot","name":"Limpet","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"bot","name":"Puffin","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0}],"owner":0,"status":"playing","number":1,"seed":"ccdaebf990d19838b0d7ec0b3e97818ecb96c4dbadbe172296d5234a42b24c6b","pause":"","ended":"","deserted":0.0,"opened_by":"account:fdee430d40bd"}');
INSERT INTO "tables" VALUES('878faa8889b946c72ec4f7fa25ec8f5d',33,'{"version":1,"id":"bulovupi","title":"Marsh","created":1790000047.015095,"rules":{"edition":"amigo","players":3,"stages":2,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"open","word":"","seats":[{"occupant":"human","name":"cem","player":["account:b1331f460eb4","cem",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"human","name":"dora","player":["account:69db31976ead","dora",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"bot","name":"Limpet","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0}],"owner":0,"status":"playing","number":1,"seed":"a4e6ed24ec636a8ac0a1271e5866279238aaf84e58056d8f2fa8edd094ba97ae","pause":"voted","ended":"","deserted":0.0,"opened_by":"account:b1331f460eb4"}');
INSERT INTO "tables" VALUES('bc64679566034180e0487bd6ce72b5e6',38,'{"version":1,"id":"tonileze","title":"Breakwater","created":1790000048.460879,"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"correspondence","seconds":86400,"rated":false,"spectators":"open","word":"","seats":[{"occupant":"human","name":"eve","player":["account:85262adf7451","eve",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"human","name":"fay","player":["account:92beaa3938dc","fay",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"bot","name":"Limpet","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0}],"owner":0,"status":"playing","number":1,"seed":"8b15442ee2db611a91bfe39469733a9247d58fa3c55018300372555fd235f118","pause":"","ended":"","deserted":0.0,"opened_by":"account:85262adf7451"}');
INSERT INTO "tables" VALUES('a5682139b9bb8cef7baa4e7fc129f591',42,'{"version":1,"id":"tisonomu","title":"Boathouse","created":1790000048.460879,"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"open","word":"","seats":[{"occupant":"human","name":"ida","player":["account:bb6b24bf1399","ida",false],"strategy":"","away":false,"missed":0,"rematch":true,"left":false,"kept":"","since":0},{"occupant":"human","name":"Gast","player":["guest:0a1b","Gast",true],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"bot","name":"Limpet","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0}],"owner":0,"status":"over","number":1,"seed":"29fb388c22e44cb637f01210c3707a90b405420fb169779edfb5b9342405157f","pause":"","ended":"","deserted":0.0,"opened_by":"account:bb6b24bf1399"}');
INSERT INTO "tables" VALUES('6b264ee7e2fd60303b3608fdaaab3c69',48,'{"version":1,"id":"dupenero","title":"Bay","created":1790000051.8770764,"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"open","word":"","seats":[{"occupant":"human","name":"gus","player":["account:70f368c31301","gus",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"human","name":"jon","player":["account:bb472edb8680","jon",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"bot","name":"Limpet","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0}],"owner":0,"status":"playing","number":1,"seed":"54b12eae62d11e887eb0766d1877f8c6eff26b5010af3177d161e79587a766ec","pause":"","ended":"","deserted":0.0,"opened_by":"account:70f368c31301"}');
INSERT INTO "tables" VALUES('0bf6708c43efa1df7da9aa2f1e3f95da',52,'{"version":1,"id":"vasunizi","title":"Rapids","created":1790000052.5267491,"rules":{"edition":"bga","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":30,"rated":false,"spectators":"open","word":"69129542fca9509eb315aa6f0396dba4$689872e02b67d3e26dc402591af09407b0331861d0e693d688fbd636db490512","seats":[{"occupant":"human","name":"kai","player":["account:f844ad6231ad","kai",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"nobody","name":"","player":null,"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0},{"occupant":"nobody","name":"","player":null,"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"Newcomer","since":0},{"occupant":"bot","name":"Limpet","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0}],"owner":0,"status":"open","number":0,"seed":"","pause":"","ended":"","deserted":0.0,"opened_by":"account:f844ad6231ad"}');
CREATE INDEX record_seats_by_player ON record_seats (player);
CREATE INDEX people_by_seen ON people (guest, seen);
CREATE INDEX names_by_person ON names (person);
CREATE INDEX keys_by_person ON keys (person);
CREATE INDEX records_by_kept ON records (kept, id);
CREATE INDEX reports_by_closed ON reports (closed, id);
CREATE INDEX audit_by_made ON audit (made);
COMMIT;
