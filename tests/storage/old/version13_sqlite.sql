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
INSERT INTO "audit" VALUES(1,1795377600.0,'uid 0','root','mute','bo','{}','ok');
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
INSERT INTO "bans" VALUES(1,'name','dil','dil','swore',1795377600.0,'root',0.0);
CREATE TABLE codes (code TEXT PRIMARY KEY);
INSERT INTO "codes" VALUES('badikimu');
INSERT INTO "codes" VALUES('tatepozu');
INSERT INTO "codes" VALUES('sosibano');
INSERT INTO "codes" VALUES('posesele');
INSERT INTO "codes" VALUES('kikesunu');
INSERT INTO "codes" VALUES('lusenuru');
INSERT INTO "codes" VALUES('kudidoro');
INSERT INTO "codes" VALUES('pedobopu');
INSERT INTO "codes" VALUES('bometana');
INSERT INTO "codes" VALUES('bubovepa');
INSERT INTO "codes" VALUES('lorulile');
INSERT INTO "codes" VALUES('ribosaki');
INSERT INTO "codes" VALUES('zizupuve');
INSERT INTO "codes" VALUES('murupubo');
INSERT INTO "codes" VALUES('zopenuzi');
INSERT INTO "codes" VALUES('rudesono');
INSERT INTO "codes" VALUES('bobizutu');
INSERT INTO "codes" VALUES('vekulalu');
INSERT INTO "codes" VALUES('sepununo');
INSERT INTO "codes" VALUES('vutapuku');
INSERT INTO "codes" VALUES('separitu');
INSERT INTO "codes" VALUES('soripibu');
INSERT INTO "codes" VALUES('tunotale');
CREATE TABLE entries (
    table_key TEXT NOT NULL,
    game INTEGER NOT NULL,
    number INTEGER NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (table_key, game, number)
);
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,1,'["tides",6,6,1795462212.0]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,1,'["tides",6,6,1795462212.0]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,2,'["bid",2,1,1795462212.045]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,2,'["bid",2,1,1795462212.045]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,3,'["bid",1,4,1795462212.05]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,3,'["bid",1,4,1795462212.05]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,4,'["bid",3,12,1795462212.065]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,4,'["bid",3,12,1795462212.065]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,5,'["bid",0,11,1795462230.0]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,6,'["tides",5,8,1795462230.0]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,5,'["bid",0,20,1795462230.0]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,6,'["tides",5,8,1795462230.0]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,7,'["bid",2,2,1795462230.003]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,7,'["bid",2,2,1795462230.003]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,8,'["bid",1,60,1795462230.009]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,8,'["bid",1,60,1795462230.009]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,9,'["bid",3,25,1795462230.084]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,9,'["bid",3,25,1795462230.084]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,10,'["bid",0,47,1795462230.5]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,11,'["tides",12,7,1795462230.5]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,10,'["bid",0,46,1795462230.5]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,11,'["tides",12,7,1795462230.5]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,12,'["bid",2,6,1795462230.5]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,12,'["bid",2,6,1795462230.5]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,13,'["bid",3,28,1795462230.545]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,13,'["bid",3,28,1795462230.545]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,14,'["bid",1,59,1795462230.576]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,14,'["bid",1,59,1795462230.576]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,15,'["bid",0,40,1795462231.0]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,16,'["tides",10,2,1795462231.0]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,15,'["bid",0,40,1795462231.0]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,16,'["tides",10,2,1795462231.0]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,17,'["bid",1,55,1795462231.023]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,17,'["bid",1,55,1795462231.023]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,18,'["bid",3,31,1795462231.09]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,18,'["bid",3,31,1795462231.09]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,19,'["bid",2,19,1795462231.095]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,19,'["bid",2,19,1795462231.095]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,20,'["bid",0,8,1795462231.5]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,21,'["tides",9,5,1795462231.5]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,20,'["bid",0,33,1795462231.5]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,21,'["tides",9,5,1795462231.5]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,22,'["bid",1,49,1795462231.503]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,22,'["bid",1,26,1795462231.503]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,23,'["bid",2,27,1795462231.554]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,23,'["bid",2,27,1795462231.554]');
INSERT INTO "entries" VALUES('257e9a3829065a69b2b2ac799a435879',1,24,'["bid",3,56,1795462231.594]');
INSERT INTO "entries" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,24,'["bid",3,34,1795462231.594]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,3,'["tides",7,1,1795462234.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,4,'["bid",0,33,1795462234.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,5,'["bid",1,58,1795462234.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,6,'["bid",2,6,1795462234.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,7,'["tides",7,10,1795462234.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,8,'["bid",0,45,1795462235.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,9,'["bid",1,8,1795462235.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,10,'["bid",2,13,1795462235.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,11,'["tides",3,4,1795462235.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,12,'["bid",0,25,1795462235.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,13,'["bid",1,20,1795462235.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,14,'["bid",2,31,1795462235.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,15,'["tides",2,8,1795462235.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,16,'["bid",0,35,1795462236.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,17,'["bid",1,54,1795462236.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,18,'["bid",2,10,1795462236.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,19,'["tides",11,11,1795462236.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,20,'["bid",0,47,1795462236.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,21,'["bid",1,56,1795462236.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,22,'["bid",2,4,1795462236.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,23,'["tides",1,12,1795462236.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,24,'["bid",0,3,1795462237.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,25,'["bid",1,43,1795462237.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,26,'["bid",2,23,1795462237.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,27,'["tides",5,6,1795462237.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,28,'["bid",0,16,1795462237.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,29,'["bid",1,55,1795462237.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,30,'["bid",2,50,1795462237.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,31,'["tides",6,9,1795462237.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,32,'["bid",0,46,1795462238.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,33,'["bid",1,60,1795462238.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,34,'["bid",2,49,1795462238.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,35,'["tides",8,9,1795462238.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,36,'["bid",0,22,1795462238.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,37,'["bid",1,29,1795462238.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,38,'["bid",2,28,1795462238.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,39,'["tides",2,12,1795462238.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,40,'["bid",0,14,1795462239.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,41,'["bid",1,53,1795462239.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,42,'["bid",2,52,1795462239.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,43,'["tides",10,5,1795462239.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,44,'["bid",0,38,1795462239.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,45,'["bid",1,19,1795462239.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,46,'["bid",2,18,1795462239.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,47,'["tides",4,3,1795462239.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,48,'["bid",0,42,1795462239.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,49,'["bid",1,57,1795462239.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,50,'["bid",2,17,1795462239.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,51,'["tides",11,3,1795462239.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,52,'["bid",0,23,1795462240.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,53,'["bid",1,46,1795462240.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,54,'["bid",2,29,1795462240.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,55,'["tides",10,7,1795462240.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,56,'["bid",0,17,1795462240.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,57,'["bid",1,35,1795462240.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,58,'["bid",2,58,1795462240.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,59,'["tides",9,12,1795462240.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,60,'["bid",0,13,1795462241.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,61,'["bid",1,33,1795462241.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,62,'["bid",2,43,1795462241.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,63,'["tides",3,11,1795462241.0]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,64,'["bid",0,28,1795462241.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,65,'["bid",1,42,1795462241.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,66,'["bid",2,53,1795462241.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,67,'["tides",4,5,1795462241.5]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,4,'["tides",10,12,1795462244.5]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,5,'["bid",0,52,1795462245.0]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,6,'["bid",1,27,1795462245.0]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,7,'["bid",2,21,1795462245.0]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,8,'["bid",3,6,1795462245.0]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,9,'["tides",3,4,1795462245.0]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,10,'["bid",0,28,1795462245.5]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,11,'["bid",1,37,1795462245.5]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,12,'["bid",2,36,1795462245.5]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,13,'["bid",3,12,1795462245.5]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,14,'["tides",6,1,1795462245.5]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,15,'["bid",0,7,1795462246.0]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,16,'["bid",1,4,1795462246.0]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,17,'["bid",2,59,1795462246.0]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,18,'["bid",3,8,1795462246.0]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,19,'["tides",9,5,1795462246.0]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,6,'["tides",7,1,1795462247.5]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,7,'["bid",5,4,1795462247.503]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,8,'["bid",4,21,1795462247.509]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,9,'["bid",1,60,1795462247.545]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,10,'["bid",2,6,1795462247.565]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,11,'["bid",3,3,1795462247.579]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,12,'["bid",0,25,1795462248.0]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,13,'["tides",6,3,1795462248.0]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,14,'["bid",3,8,1795462248.0]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,15,'["bid",1,5,1795462248.043]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,16,'["bid",4,28,1795462248.045]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,17,'["bid",5,1,1795462248.072]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,18,'["bid",2,59,1795462248.076]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,19,'["bid",0,20,1795462248.5]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,20,'["tides",6,5,1795462248.5]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,21,'["bid",4,55,1795462248.503]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,22,'["bid",3,11,1795462248.503]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,23,'["bid",5,58,1795462248.554]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,24,'["bid",2,22,1795462248.59]');
INSERT INTO "entries" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,25,'["bid",1,7,1795462248.595]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,3,'["tides",1,1,1795462254.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,4,'["bid",2,8,1795462254.006]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,5,'["bid",0,42,1795462254.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,6,'["bid",1,26,1795462254.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,7,'["tides",5,12,1795462254.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,8,'["bid",2,56,1795462254.547]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,9,'["bid",0,57,1795462255.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,10,'["bid",1,21,1795462255.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,11,'["tides",6,9,1795462255.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,12,'["bid",2,45,1795462255.049]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,13,'["bid",0,32,1795462255.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,14,'["bid",1,1,1795462255.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,15,'["tides",2,4,1795462255.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,16,'["bid",2,47,1795462255.561]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,17,'["bid",0,27,1795462256.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,18,'["bid",1,55,1795462256.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,19,'["tides",11,7,1795462256.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,20,'["bid",2,12,1795462256.027]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,21,'["bid",0,58,1795462256.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,22,'["bid",1,10,1795462256.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,23,'["tides",10,8,1795462256.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,24,'["bid",2,44,1795462256.51]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,25,'["bid",0,11,1795462257.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,26,'["bid",1,54,1795462257.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,27,'["tides",3,10,1795462257.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,28,'["bid",2,46,1795462257.065]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,29,'["bid",0,6,1795462257.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,30,'["bid",1,3,1795462257.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,31,'["tides",6,8,1795462257.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,32,'["bid",2,40,1795462257.569]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,33,'["bid",0,35,1795462258.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,34,'["bid",1,19,1795462258.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,35,'["tides",7,12,1795462258.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,36,'["bid",2,38,1795462258.053]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,37,'["bid",0,25,1795462258.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,38,'["bid",1,36,1795462258.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,39,'["tides",9,3,1795462258.5]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,40,'["bid",2,37,1795462258.555]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,41,'["bid",0,50,1795462259.0]');
INSERT INTO "entries" VALUES('8912520c6c1782f343b24604754ad51a',1,42,'["bid",1,53,1795462259.0]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,1,'["tides",5,3,1795462330.05]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/2/96e7c6162947bccf',1,1,'["tides",5,3,1795462330.05]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/3/f28aa41ee1c30785',1,1,'["tides",5,3,1795462330.05]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,2,'["bid",1,7,1795462330.13]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/3/f28aa41ee1c30785',1,2,'["bid",2,32,1795462334.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/2/96e7c6162947bccf',1,2,'["bid",2,30,1795462334.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/3/f28aa41ee1c30785',1,3,'["bid",1,1,1795462334.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/2/96e7c6162947bccf',1,3,'["bid",0,15,1795462334.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,3,'["bid",0,8,1795462334.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,4,'["bid",2,13,1795462334.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,5,'["tides",12,1,1795462334.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/3/f28aa41ee1c30785',1,4,'["bid",0,15,1795462334.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/3/f28aa41ee1c30785',1,5,'["tides",12,1,1795462334.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/2/96e7c6162947bccf',1,4,'["bid",1,41,1795462334.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/2/96e7c6162947bccf',1,5,'["tides",12,1,1795462334.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,6,'["bid",1,1,1795462334.576]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/3/f28aa41ee1c30785',1,6,'["bid",2,46,1795462335.0]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/2/96e7c6162947bccf',1,6,'["bid",2,57,1795462335.0]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/3/f28aa41ee1c30785',1,7,'["bid",1,55,1795462335.0]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/2/96e7c6162947bccf',1,7,'["bid",0,24,1795462335.0]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,7,'["bid",0,2,1795462335.0]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,8,'["bid",2,32,1795462335.0]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,9,'["tides",4,6,1795462335.0]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/3/f28aa41ee1c30785',1,8,'["bid",0,36,1795462335.0]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/3/f28aa41ee1c30785',1,9,'["tides",4,6,1795462335.0]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/2/96e7c6162947bccf',1,8,'["bid",1,25,1795462335.0]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/2/96e7c6162947bccf',1,9,'["tides",4,6,1795462335.0]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,10,'["bid",1,19,1795462335.021]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,4,'["tides",10,11,1795462337.5]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,5,'["bid",3,59,1795462337.512]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,3,'["tides",11,5,1795462339.5]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,4,'["bid",2,55,1795462339.506]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,6,'["bid",0,20,1795462340.0]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,7,'["bid",1,4,1795462340.0]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,8,'["bid",2,21,1795462340.0]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,9,'["tides",9,5,1795462340.0]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,5,'["bid",0,7,1795462340.0]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,6,'["bid",1,46,1795462340.0]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,7,'["tides",1,6,1795462340.0]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,10,'["bid",3,54,1795462340.021]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,8,'["bid",2,53,1795462340.047]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,11,'["bid",0,23,1795462340.5]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,12,'["bid",1,5,1795462340.5]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,13,'["bid",2,16,1795462340.5]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,14,'["tides",7,6,1795462340.5]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,9,'["bid",0,59,1795462340.5]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,10,'["bid",1,20,1795462340.5]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,11,'["tides",3,7,1795462340.5]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,12,'["bid",2,45,1795462340.549]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,15,'["bid",3,17,1795462340.561]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,16,'["bid",0,15,1795462341.0]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,17,'["bid",1,45,1795462341.0]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,18,'["bid",2,42,1795462341.0]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,19,'["tides",1,3,1795462341.0]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,13,'["bid",0,6,1795462341.0]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,14,'["bid",1,38,1795462341.0]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,15,'["tides",5,12,1795462341.0]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,16,'["bid",2,47,1795462341.061]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,20,'["bid",3,31,1795462341.08]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,22,'["bid",0,14,1795462341.5]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,23,'["bid",0,58,1795462341.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,68,'["bid",0,4,1795462341.5]');
INSERT INTO "entries" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,69,'["bid",0,52,1795462341.5]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,17,'["bid",0,3,1795462341.5]');
INSERT INTO "entries" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,18,'["bid",0,39,1795462341.5]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,20,'["bid",0,1,1795462341.5]');
INSERT INTO "entries" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,21,'["bid",0,53,1795462341.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,11,'["bid",0,3,1795462341.5]');
INSERT INTO "entries" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,12,'["bid",0,50,1795462341.5]');
INSERT INTO "entries" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,24,'["substitute",2,7,1795462341.559]');
CREATE TABLE event_players (
    event TEXT NOT NULL,
    player TEXT NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (event, player)
);
INSERT INTO "event_players" VALUES('day-2026-11-22','account:pZq9N6N13Wgshj_5',1795348800.5);
INSERT INTO "event_players" VALUES('tournament/lidoreda/1','account:KDPX6iE2pF5wH_Kt',1795462204.0);
INSERT INTO "event_players" VALUES('tournament/lidoreda/1','account:V4rDXBKRmJL49VSp',1795462204.0);
INSERT INTO "event_players" VALUES('tournament/lidoreda/1','account:Jl4KmscZRQqC-SgG',1795462204.0);
INSERT INTO "event_players" VALUES('tournament/lidoreda/1','account:OQIeb7L8eTPSqan1',1795462204.0);
INSERT INTO "event_players" VALUES('tournament/lidoreda/1','account:nBcjMQ6YwLJ-fuay',1795462204.0);
INSERT INTO "event_players" VALUES('tournament/lidoreda/1','account:iNfaa_632t4pqQNo',1795462204.0);
INSERT INTO "event_players" VALUES('tournament/lidoreda/1','account:oTCStofUc5Kq9oYO',1795462204.0);
INSERT INTO "event_players" VALUES('tournament/lidoreda/1','account:t-vYRjK_L3FPKaGj',1795462204.0);
INSERT INTO "event_players" VALUES('day-2026-11-23','account:1QQP8dfZnPcfWE-7',1795462212.0);
INSERT INTO "event_players" VALUES('day-2026-11-23','account:Zv7Ne8_1Zu-2vpVP',1795462212.0);
INSERT INTO "event_players" VALUES('day-2026-11-23','account:9UPwgq74gudknbqc',1795462212.0);
INSERT INTO "event_players" VALUES('tournament/lidoreda/2','account:OQIeb7L8eTPSqan1',1795462330.05);
INSERT INTO "event_players" VALUES('tournament/lidoreda/2','account:t-vYRjK_L3FPKaGj',1795462330.05);
INSERT INTO "event_players" VALUES('tournament/lidoreda/2','account:Jl4KmscZRQqC-SgG',1795462330.05);
INSERT INTO "event_players" VALUES('tournament/lidoreda/2','account:KDPX6iE2pF5wH_Kt',1795462330.05);
INSERT INTO "event_players" VALUES('tournament/lidoreda/2','account:oTCStofUc5Kq9oYO',1795462330.05);
INSERT INTO "event_players" VALUES('tournament/lidoreda/2','account:V4rDXBKRmJL49VSp',1795462330.05);
INSERT INTO "event_players" VALUES('tournament/lidoreda/2','account:iNfaa_632t4pqQNo',1795462330.05);
INSERT INTO "event_players" VALUES('tournament/lidoreda/2','account:nBcjMQ6YwLJ-fuay',1795462330.05);
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
INSERT INTO "events" VALUES('day-2026-11-22','day',1795305600.0,1795395600.0,1795399200.0,'5bc5e84c0d345a7b1b8cb9301c8a01306d191620a5f83180c9490b7bb10c8e1f','60ec53f045ad47eb54ab1f1b1e35a1d9f5917b9ad8cb2cd87275ab75a13b99c6','{"options":{"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"none","bots":"greedy","hints":false},"opponents":["greedy","tidal","expert"]}');
INSERT INTO "events" VALUES('day-2026-11-23','day',1795392000.0,1795482000.0,0.0,'c12f49fe05c099b05803d1b195e479189b266ceff92d5321b58079039254405e','7eb789bb3c6167521c5cb7889d87472fe1aeb31295ecf8d3f99f512313f265ec','{"options":{"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"none","bots":"greedy","hints":false},"opponents":["greedy","tidal","expert"]}');
INSERT INTO "events" VALUES('day-2026-11-24','day',1795478400.0,1795568400.0,0.0,'58726da5e5c021f1067cd7d58e6ed80d38237c53e94f7b8ff8015796c9a8ac34','1a57fccfdf0e6bbcbbea8e3b7c0a8a184cdc7e3e93aef311fe0150e3d98bbd24','{"options":{"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"none","bots":"greedy","hints":false},"opponents":["greedy","tidal","expert"]}');
INSERT INTO "events" VALUES('tournament/lidoreda/1','tournament',1795462204.0,0.0,1795462210.05,'d7a56d3cfcf9a44dc716691acdaba1b8a912646543c6977a5a43ac2753cf1017','4731d90dd52d51d3f7cf9db6b14cfbfa515a4dd89e1b347224846c8ff4b094d8','{}');
INSERT INTO "events" VALUES('tournament/lidoreda/2','tournament',1795462330.05,0.0,0.0,'3122071113bd120536abce666699a58c091affea6a87144aff71eacc524472fd','f59e1e374b0f11d0a3736d04c6653266f1c97ca016164644fe8d12a76a25238b','{}');
CREATE TABLE hand_results (
    record_id BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
    stage INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    points INTEGER NOT NULL,
    PRIMARY KEY (record_id, stage, seat)
);
INSERT INTO "hand_results" VALUES(1,0,0,0,2);
INSERT INTO "hand_results" VALUES(1,0,1,1,4);
INSERT INTO "hand_results" VALUES(1,0,2,2,-1);
INSERT INTO "hand_results" VALUES(2,0,0,0,4);
INSERT INTO "hand_results" VALUES(2,0,1,1,2);
INSERT INTO "hand_results" VALUES(2,0,2,2,-1);
INSERT INTO "hand_results" VALUES(3,0,0,0,-1);
INSERT INTO "hand_results" VALUES(3,0,1,1,1);
INSERT INTO "hand_results" VALUES(3,0,2,2,2);
INSERT INTO "hand_results" VALUES(4,0,0,0,2);
INSERT INTO "hand_results" VALUES(4,0,1,1,0);
INSERT INTO "hand_results" VALUES(4,0,2,2,0);
INSERT INTO "hand_results" VALUES(5,0,0,0,-1);
INSERT INTO "hand_results" VALUES(5,0,1,1,5);
INSERT INTO "hand_results" VALUES(5,0,2,2,1);
INSERT INTO "hand_results" VALUES(6,0,0,0,-1);
INSERT INTO "hand_results" VALUES(6,0,1,1,1);
INSERT INTO "hand_results" VALUES(6,0,2,2,3);
INSERT INTO "hand_results" VALUES(6,0,3,3,4);
INSERT INTO "hand_results" VALUES(6,1,0,3,-1);
INSERT INTO "hand_results" VALUES(6,1,1,0,3);
INSERT INTO "hand_results" VALUES(6,1,2,1,1);
INSERT INTO "hand_results" VALUES(6,1,3,2,4);
INSERT INTO "hand_results" VALUES(6,2,0,2,2);
INSERT INTO "hand_results" VALUES(6,2,1,3,-1);
INSERT INTO "hand_results" VALUES(6,2,2,0,4);
INSERT INTO "hand_results" VALUES(6,2,3,1,2);
INSERT INTO "hand_results" VALUES(6,3,0,1,1);
INSERT INTO "hand_results" VALUES(6,3,1,2,-1);
INSERT INTO "hand_results" VALUES(6,3,2,3,5);
INSERT INTO "hand_results" VALUES(6,3,3,0,2);
INSERT INTO "hand_results" VALUES(7,0,0,0,-1);
INSERT INTO "hand_results" VALUES(7,0,1,1,5);
INSERT INTO "hand_results" VALUES(7,0,2,2,0);
INSERT INTO "hand_results" VALUES(8,0,0,0,0);
INSERT INTO "hand_results" VALUES(8,0,1,1,-1);
INSERT INTO "hand_results" VALUES(8,0,2,2,2);
INSERT INTO "hand_results" VALUES(9,0,0,0,-1);
INSERT INTO "hand_results" VALUES(9,0,1,1,2);
INSERT INTO "hand_results" VALUES(9,0,2,2,0);
INSERT INTO "hand_results" VALUES(10,0,0,0,1);
INSERT INTO "hand_results" VALUES(10,0,1,1,4);
INSERT INTO "hand_results" VALUES(10,0,2,2,0);
INSERT INTO "hand_results" VALUES(10,0,3,3,1);
INSERT INTO "hand_results" VALUES(10,1,0,3,-1);
INSERT INTO "hand_results" VALUES(10,1,1,0,0);
INSERT INTO "hand_results" VALUES(10,1,2,1,4);
INSERT INTO "hand_results" VALUES(10,1,3,2,3);
INSERT INTO "hand_results" VALUES(10,2,0,2,-1);
INSERT INTO "hand_results" VALUES(10,2,1,3,0);
INSERT INTO "hand_results" VALUES(10,2,2,0,6);
INSERT INTO "hand_results" VALUES(10,2,3,1,2);
INSERT INTO "hand_results" VALUES(10,3,0,1,2);
INSERT INTO "hand_results" VALUES(10,3,1,2,3);
INSERT INTO "hand_results" VALUES(10,3,2,3,0);
INSERT INTO "hand_results" VALUES(10,3,3,0,3);
INSERT INTO "hand_results" VALUES(11,0,0,0,-1);
INSERT INTO "hand_results" VALUES(11,0,1,1,1);
INSERT INTO "hand_results" VALUES(11,0,2,2,1);
CREATE TABLE house (
    kind TEXT PRIMARY KEY,
    id TEXT NOT NULL
);
CREATE TABLE keys (
    fingerprint TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    added DOUBLE PRECISION NOT NULL,
    word TEXT NOT NULL DEFAULT ''
);
INSERT INTO "keys" VALUES('SHA256:ada','account:pZq9N6N13Wgshj_5',1793383200.0,'');
INSERT INTO "keys" VALUES('SHA256:bo','account:0iCFx3fk7sVrKqFt',1793383200.5,'');
INSERT INTO "keys" VALUES('SHA256:cem','account:sP8KUcLtR-TcnsaL',1793383201.0,'0123abcd');
INSERT INTO "keys" VALUES('SHA256:ray','account:V4rDXBKRmJL49VSp',1795462200.0,'');
INSERT INTO "keys" VALUES('SHA256:sol','account:Jl4KmscZRQqC-SgG',1795462200.5,'');
INSERT INTO "keys" VALUES('SHA256:sam','account:iNfaa_632t4pqQNo',1795462201.0,'');
INSERT INTO "keys" VALUES('SHA256:tom','account:KDPX6iE2pF5wH_Kt',1795462201.5,'');
INSERT INTO "keys" VALUES('SHA256:uma','account:OQIeb7L8eTPSqan1',1795462202.0,'');
INSERT INTO "keys" VALUES('SHA256:vic','account:t-vYRjK_L3FPKaGj',1795462202.5,'');
INSERT INTO "keys" VALUES('SHA256:wim','account:nBcjMQ6YwLJ-fuay',1795462203.0,'');
INSERT INTO "keys" VALUES('SHA256:xan','account:oTCStofUc5Kq9oYO',1795462203.5,'');
INSERT INTO "keys" VALUES('SHA256:quin','account:1QQP8dfZnPcfWE-7',1795462210.5,'');
INSERT INTO "keys" VALUES('SHA256:pam','account:Zv7Ne8_1Zu-2vpVP',1795462211.0,'');
INSERT INTO "keys" VALUES('SHA256:rosa','account:9UPwgq74gudknbqc',1795462211.5,'');
INSERT INTO "keys" VALUES('SHA256:dora','account:ifhwmiSJG_J72t2g',1795462232.5,'');
INSERT INTO "keys" VALUES('SHA256:eve','account:STiAGIEv9njq5WJJ',1795462233.0,'');
INSERT INTO "keys" VALUES('SHA256:hal','account:Fvp5L9S8DKB6RfCg',1795462242.0,'');
INSERT INTO "keys" VALUES('SHA256:ida','account:1Zjm2I307R6QFOD3',1795462242.5,'');
INSERT INTO "keys" VALUES('SHA256:jon','account:DtI9ENbaWj9y0Ea8',1795462243.0,'');
INSERT INTO "keys" VALUES('SHA256:kai','account:KahxcVZexrD_JJpl',1795462243.5,'');
INSERT INTO "keys" VALUES('SHA256:yan','account:rmiWfZi6-lln-1qd',1795462246.5,'');
INSERT INTO "keys" VALUES('SHA256:lea','account:-gP8lz_CR9D4fKNH',1795462249.0,'');
INSERT INTO "keys" VALUES('SHA256:nina','account:dEXBJ8Lv13N43NL0',1795462250.5,'');
INSERT INTO "keys" VALUES('SHA256:mia','account:O7ka3aSeLj5-coP5',1795462251.0,'');
INSERT INTO "keys" VALUES('SHA256:oli','account:V5kPxRFa8z79fwAe',1795462252.5,'');
INSERT INTO "keys" VALUES('SHA256:dan','account:YeLsWUbQtk8OpsEm',1795462336.5,'');
INSERT INTO "keys" VALUES('SHA256:fay','account:EQEDHot8ObIdzGA2',1795462338.0,'');
INSERT INTO "keys" VALUES('SHA256:gus','account:bLyAZOtpbAylTjp6',1795462338.5,'');
CREATE TABLE mutes (
    person TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    reason TEXT NOT NULL,
    made DOUBLE PRECISION NOT NULL,
    made_by TEXT NOT NULL,
    until DOUBLE PRECISION NOT NULL
);
INSERT INTO "mutes" VALUES('account:0iCFx3fk7sVrKqFt','bo','shouts',1795377600.0,'root',1797969600.0);
CREATE TABLE names (
    skeleton TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE
);
INSERT INTO "names" VALUES('ada','ada','account:pZq9N6N13Wgshj_5');
INSERT INTO "names" VALUES('bo','bo','account:0iCFx3fk7sVrKqFt');
INSERT INTO "names" VALUES('cem','cem','account:sP8KUcLtR-TcnsaL');
INSERT INTO "names" VALUES('ray','ray','account:V4rDXBKRmJL49VSp');
INSERT INTO "names" VALUES('sol','sol','account:Jl4KmscZRQqC-SgG');
INSERT INTO "names" VALUES('sam','sam','account:iNfaa_632t4pqQNo');
INSERT INTO "names" VALUES('tom','tom','account:KDPX6iE2pF5wH_Kt');
INSERT INTO "names" VALUES('uma','uma','account:OQIeb7L8eTPSqan1');
INSERT INTO "names" VALUES('vlc','vic','account:t-vYRjK_L3FPKaGj');
INSERT INTO "names" VALUES('wlm','wim','account:nBcjMQ6YwLJ-fuay');
INSERT INTO "names" VALUES('xan','xan','account:oTCStofUc5Kq9oYO');
INSERT INTO "names" VALUES('quln','quin','account:1QQP8dfZnPcfWE-7');
INSERT INTO "names" VALUES('pam','pam','account:Zv7Ne8_1Zu-2vpVP');
INSERT INTO "names" VALUES('rosa','rosa','account:9UPwgq74gudknbqc');
INSERT INTO "names" VALUES('dora','dora','account:ifhwmiSJG_J72t2g');
INSERT INTO "names" VALUES('eve','eve','account:STiAGIEv9njq5WJJ');
INSERT INTO "names" VALUES('hal','hal','account:Fvp5L9S8DKB6RfCg');
INSERT INTO "names" VALUES('lda','ida','account:1Zjm2I307R6QFOD3');
INSERT INTO "names" VALUES('jon','jon','account:DtI9ENbaWj9y0Ea8');
INSERT INTO "names" VALUES('kal','kai','account:KahxcVZexrD_JJpl');
INSERT INTO "names" VALUES('yan','yan','account:rmiWfZi6-lln-1qd');
INSERT INTO "names" VALUES('lea','lea','account:-gP8lz_CR9D4fKNH');
INSERT INTO "names" VALUES('nlna','nina','account:dEXBJ8Lv13N43NL0');
INSERT INTO "names" VALUES('mla','mia','account:O7ka3aSeLj5-coP5');
INSERT INTO "names" VALUES('oll','oli','account:V5kPxRFa8z79fwAe');
INSERT INTO "names" VALUES('guest','Guest','guest:aB58sjtwe_ffYi4D');
INSERT INTO "names" VALUES('dan','dan','account:YeLsWUbQtk8OpsEm');
INSERT INTO "names" VALUES('fay','fay','account:EQEDHot8ObIdzGA2');
INSERT INTO "names" VALUES('gus','gus','account:bLyAZOtpbAylTjp6');
CREATE TABLE nodes (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    until DOUBLE PRECISION NOT NULL,
    bus INTEGER NOT NULL
);
CREATE TABLE numbers (
    kind TEXT PRIMARY KEY,
    last INTEGER NOT NULL
);
INSERT INTO "numbers" VALUES('tables',23);
INSERT INTO "numbers" VALUES('records',11);
INSERT INTO "numbers" VALUES('transactions',942);
INSERT INTO "numbers" VALUES('bans',1);
INSERT INTO "numbers" VALUES('reports',1);
INSERT INTO "numbers" VALUES('audit',1);
CREATE TABLE owners (
    table_key TEXT PRIMARY KEY,
    epoch BIGINT NOT NULL,
    position BIGINT NOT NULL
, node TEXT NOT NULL DEFAULT '');
INSERT INTO "owners" VALUES('257e9a3829065a69b2b2ac799a435879',1,25,'');
INSERT INTO "owners" VALUES('598c5f66fe4ac03f3f243645ae0c5314',1,26,'');
INSERT INTO "owners" VALUES('25a7e2bab24ea100c3368d5cf3471306',1,70,'');
INSERT INTO "owners" VALUES('5eb9bd9e730003dfba174808a0a2178f',1,22,'');
INSERT INTO "owners" VALUES('27d52e1a27f142f53c33bc5168cc1865',1,26,'');
INSERT INTO "owners" VALUES('09e805b06f81e584d29991034d91310a',1,4,'');
INSERT INTO "owners" VALUES('5c0f0f55bc1009af199a1cbb7d2391ba',1,1,'');
INSERT INTO "owners" VALUES('8912520c6c1782f343b24604754ad51a',1,44,'');
INSERT INTO "owners" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',1,13,'');
INSERT INTO "owners" VALUES('tournament/lidoreda/2/2/96e7c6162947bccf',1,10,'');
INSERT INTO "owners" VALUES('tournament/lidoreda/2/3/f28aa41ee1c30785',1,10,'');
INSERT INTO "owners" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',1,25,'');
INSERT INTO "owners" VALUES('9bad72b1af2c9785c76fac5168bc7761',1,22,'');
CREATE TABLE people (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    guest INTEGER NOT NULL,
    code TEXT UNIQUE,
    created DOUBLE PRECISION NOT NULL,
    seen DOUBLE PRECISION NOT NULL,
    settings TEXT NOT NULL
, vouched INTEGER NOT NULL DEFAULT 0);
INSERT INTO "people" VALUES('account:pZq9N6N13Wgshj_5','ada',0,NULL,1793383200.0,1795462335.5,'{"theme":"dusk","blocked":{"account:0iCFx3fk7sVrKqFt":"bo"}}',1);
INSERT INTO "people" VALUES('account:0iCFx3fk7sVrKqFt','bo',0,NULL,1793383200.5,1795462336.0,'{}',0);
INSERT INTO "people" VALUES('account:sP8KUcLtR-TcnsaL','cem',0,NULL,1793383201.0,1795462232.0,'{}',0);
INSERT INTO "people" VALUES('account:V4rDXBKRmJL49VSp','ray',0,NULL,1795462200.0,1795462200.0,'{}',0);
INSERT INTO "people" VALUES('account:Jl4KmscZRQqC-SgG','sol',0,NULL,1795462200.5,1795462200.5,'{}',0);
INSERT INTO "people" VALUES('account:iNfaa_632t4pqQNo','sam',0,NULL,1795462201.0,1795462201.0,'{}',0);
INSERT INTO "people" VALUES('account:KDPX6iE2pF5wH_Kt','tom',0,NULL,1795462201.5,1795462201.5,'{}',0);
INSERT INTO "people" VALUES('account:OQIeb7L8eTPSqan1','uma',0,NULL,1795462202.0,1795462202.0,'{}',0);
INSERT INTO "people" VALUES('account:t-vYRjK_L3FPKaGj','vic',0,NULL,1795462202.5,1795462202.5,'{}',0);
INSERT INTO "people" VALUES('account:nBcjMQ6YwLJ-fuay','wim',0,NULL,1795462203.0,1795462203.0,'{}',0);
INSERT INTO "people" VALUES('account:oTCStofUc5Kq9oYO','xan',0,NULL,1795462203.5,1795462203.5,'{}',0);
INSERT INTO "people" VALUES('account:1QQP8dfZnPcfWE-7','quin',0,NULL,1795462210.5,1795462210.5,'{}',0);
INSERT INTO "people" VALUES('account:Zv7Ne8_1Zu-2vpVP','pam',0,NULL,1795462211.0,1795462211.0,'{}',0);
INSERT INTO "people" VALUES('account:9UPwgq74gudknbqc','rosa',0,NULL,1795462211.5,1795462211.5,'{}',0);
INSERT INTO "people" VALUES('account:ifhwmiSJG_J72t2g','dora',0,NULL,1795462232.5,1795462232.5,'{}',0);
INSERT INTO "people" VALUES('account:STiAGIEv9njq5WJJ','eve',0,NULL,1795462233.0,1795462233.0,'{}',0);
INSERT INTO "people" VALUES('account:Fvp5L9S8DKB6RfCg','hal',0,NULL,1795462242.0,1795462242.0,'{}',0);
INSERT INTO "people" VALUES('account:1Zjm2I307R6QFOD3','ida',0,NULL,1795462242.5,1795462242.5,'{}',0);
INSERT INTO "people" VALUES('account:DtI9ENbaWj9y0Ea8','jon',0,NULL,1795462243.0,1795462243.0,'{}',0);
INSERT INTO "people" VALUES('account:KahxcVZexrD_JJpl','kai',0,NULL,1795462243.5,1795462243.5,'{}',0);
INSERT INTO "people" VALUES('account:rmiWfZi6-lln-1qd','yan',0,NULL,1795462246.5,1795462246.5,'{}',0);
INSERT INTO "people" VALUES('account:-gP8lz_CR9D4fKNH','lea',0,NULL,1795462249.0,1795462249.0,'{}',0);
INSERT INTO "people" VALUES('account:dEXBJ8Lv13N43NL0','nina',0,NULL,1795462250.5,1795462250.5,'{}',0);
INSERT INTO "people" VALUES('account:O7ka3aSeLj5-coP5','mia',0,NULL,1795462251.0,1795462251.0,'{}',0);
INSERT INTO "people" VALUES('account:V5kPxRFa8z79fwAe','oli',0,NULL,1795462252.5,1795462252.5,'{}',0);
INSERT INTO "people" VALUES('guest:aB58sjtwe_ffYi4D','Guest',1,'646d4b154fd49b2689ed784e21fa4f36c4d1aaca3d1d9a2c5a8bc2739043b0e3',1795462253.0,1795462253.0,'{}',0);
INSERT INTO "people" VALUES('account:YeLsWUbQtk8OpsEm','dan',0,NULL,1795462336.5,1795462336.5,'{}',0);
INSERT INTO "people" VALUES('account:EQEDHot8ObIdzGA2','fay',0,NULL,1795462338.0,1795462338.0,'{}',0);
INSERT INTO "people" VALUES('account:bLyAZOtpbAylTjp6','gus',0,NULL,1795462338.5,1795462338.5,'{}',0);
CREATE TABLE ratings (
    person TEXT PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
    mu DOUBLE PRECISION NOT NULL,
    sigma DOUBLE PRECISION NOT NULL,
    games INTEGER NOT NULL
, listed INTEGER NOT NULL DEFAULT 0);
INSERT INTO "ratings" VALUES('account:pZq9N6N13Wgshj_5',2.35456757819276205631e+01,7.31997186363938823205e+00,5,0);
INSERT INTO "ratings" VALUES('account:0iCFx3fk7sVrKqFt',2.87473561869708866822e+01,7.31288172958658311273e+00,5,0);
INSERT INTO "ratings" VALUES('account:sP8KUcLtR-TcnsaL',2.25002545317984861119e+01,7.30060056315914085445e+00,5,0);
CREATE TABLE record_seats (
    record_id BIGINT NOT NULL REFERENCES records (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    player TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL DEFAULT '',
    score INTEGER NOT NULL DEFAULT 0,
    place INTEGER NOT NULL DEFAULT 0, source TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (record_id, seat)
);
INSERT INTO "record_seats" VALUES(1,0,'account:pZq9N6N13Wgshj_5','ada','human',2,2,'004634549d8f0232d90f58e3');
INSERT INTO "record_seats" VALUES(1,1,'account:0iCFx3fk7sVrKqFt','bo','human',4,1,'ef12308e81cc2d8a115bc667');
INSERT INTO "record_seats" VALUES(1,2,'account:sP8KUcLtR-TcnsaL','cem','human',-1,3,'c5db5377611c302df7f87d2a');
INSERT INTO "record_seats" VALUES(2,0,'account:pZq9N6N13Wgshj_5','ada','human',4,1,'004634549d8f0232d90f58e3');
INSERT INTO "record_seats" VALUES(2,1,'account:0iCFx3fk7sVrKqFt','bo','human',2,2,'ef12308e81cc2d8a115bc667');
INSERT INTO "record_seats" VALUES(2,2,'account:sP8KUcLtR-TcnsaL','cem','human',-1,3,'c5db5377611c302df7f87d2a');
INSERT INTO "record_seats" VALUES(3,0,'account:pZq9N6N13Wgshj_5','ada','human',-1,3,'004634549d8f0232d90f58e3');
INSERT INTO "record_seats" VALUES(3,1,'account:0iCFx3fk7sVrKqFt','bo','human',1,2,'ef12308e81cc2d8a115bc667');
INSERT INTO "record_seats" VALUES(3,2,'account:sP8KUcLtR-TcnsaL','cem','human',2,1,'c5db5377611c302df7f87d2a');
INSERT INTO "record_seats" VALUES(4,0,'account:pZq9N6N13Wgshj_5','ada','human',2,1,'004634549d8f0232d90f58e3');
INSERT INTO "record_seats" VALUES(4,1,'account:0iCFx3fk7sVrKqFt','bo','human',0,2,'ef12308e81cc2d8a115bc667');
INSERT INTO "record_seats" VALUES(4,2,'account:sP8KUcLtR-TcnsaL','cem','human',0,2,'c5db5377611c302df7f87d2a');
INSERT INTO "record_seats" VALUES(5,0,'account:pZq9N6N13Wgshj_5','ada','human',-1,3,'004634549d8f0232d90f58e3');
INSERT INTO "record_seats" VALUES(5,1,'account:0iCFx3fk7sVrKqFt','bo','human',5,1,'ef12308e81cc2d8a115bc667');
INSERT INTO "record_seats" VALUES(5,2,'account:sP8KUcLtR-TcnsaL','cem','human',1,2,'c5db5377611c302df7f87d2a');
INSERT INTO "record_seats" VALUES(6,0,'account:pZq9N6N13Wgshj_5','ada','human',1,4,'');
INSERT INTO "record_seats" VALUES(6,1,'','Dune','bot',2,3,'');
INSERT INTO "record_seats" VALUES(6,2,'','Sprat','bot',13,1,'');
INSERT INTO "record_seats" VALUES(6,3,'','Eider','bot',12,2,'');
INSERT INTO "record_seats" VALUES(7,0,'account:iNfaa_632t4pqQNo','sam','human',-1,3,'');
INSERT INTO "record_seats" VALUES(7,1,'account:t-vYRjK_L3FPKaGj','vic','human',5,1,'');
INSERT INTO "record_seats" VALUES(7,2,'account:oTCStofUc5Kq9oYO','xan','human',0,2,'');
INSERT INTO "record_seats" VALUES(8,0,'account:V4rDXBKRmJL49VSp','ray','human',0,2,'');
INSERT INTO "record_seats" VALUES(8,1,'account:KDPX6iE2pF5wH_Kt','tom','human',-1,3,'');
INSERT INTO "record_seats" VALUES(8,2,'','Puffin','bot',2,1,'');
INSERT INTO "record_seats" VALUES(9,0,'account:Jl4KmscZRQqC-SgG','sol','human',-1,3,'');
INSERT INTO "record_seats" VALUES(9,1,'account:OQIeb7L8eTPSqan1','uma','human',2,1,'');
INSERT INTO "record_seats" VALUES(9,2,'account:nBcjMQ6YwLJ-fuay','wim','human',0,2,'');
INSERT INTO "record_seats" VALUES(10,0,'account:1QQP8dfZnPcfWE-7','quin','human',1,4,'');
INSERT INTO "record_seats" VALUES(10,1,'','Puffin','bot',7,3,'');
INSERT INTO "record_seats" VALUES(10,2,'','Sprat','bot',10,1,'');
INSERT INTO "record_seats" VALUES(10,3,'','Kelp','bot',9,2,'');
INSERT INTO "record_seats" VALUES(11,0,'account:V5kPxRFa8z79fwAe','oli','human',-1,3,'');
INSERT INTO "record_seats" VALUES(11,1,'guest:aB58sjtwe_ffYi4D','Guest','human',1,1,'');
INSERT INTO "record_seats" VALUES(11,2,'','Puffin','bot',1,1,'');
CREATE TABLE records (
    id BIGINT PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE,
    kept DOUBLE PRECISION NOT NULL,
    content TEXT NOT NULL,
    edition TEXT NOT NULL DEFAULT '',
    complete INTEGER NOT NULL DEFAULT 0,
    rated INTEGER NOT NULL DEFAULT 0
, tutorial INTEGER NOT NULL DEFAULT 0, event TEXT NOT NULL DEFAULT '', again INTEGER NOT NULL DEFAULT 0);
INSERT INTO "records" VALUES(1,'2d574324f724f6caf9e426397076a37a-1',1793383205.5,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ada","bo","cem"],"deal":[[9,10,11,12,13,14,19,34,37,43,50,58],[7,23,26,28,30,40,41,46,53,54,56,59],[2,4,6,8,21,32,36,38,42,44,55,57]],"stages":[{"tides":[[1,7],[5,12],[3,6],[1,12],[8,10],[5,8],[2,2]],"bids":[[13,30,55],[58,26,57],[12,28,8],[11,40,4],[19,53,2],[34,23,44],[50,56,6]]}],"seed":"73a9bef499bbf4dc7bd2a4f2c8af5bd99f267a0ed3197217dd2bba1537436e5c","commitment":"7f8b8b2c7f7a5279f107787431943ed8ff531b8c38ccffb1587406a83571f5cb","algorithm":1,"id":"2d574324f724f6caf9e426397076a37a-1","table":"Dike","pace":"untimed","times":{"ended":"2026-10-30T18:00:05Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"rated":true}','amigo',1,1,0,'',0);
INSERT INTO "records" VALUES(2,'0d6bbc8be31e4aa6869cb2526e8a9c44-1',1793383212.0,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ada","bo","cem"],"deal":[[2,7,16,30,33,34,42,45,47,49,50,56],[11,22,24,26,28,32,36,41,54,57,58,60],[1,5,8,14,15,19,21,31,35,37,43,52]],"stages":[{"tides":[[8,9],[1,4],[11,12],[2,3],[7,10],[5,6],[7,12],[2,6],[8,9],[1,5],[3,11]],"bids":[[33,24,5],[34,54,31],[16,32,21],[42,58,52],[50,41,37],[49,26,35],[2,28,19],[45,57,43],[30,60,15],[56,11,8],[7,22,14]]}],"seed":"2441e3d54410492b788768bcff2218cf8f7373abe8e394daf807e24e58c36740","commitment":"43a4c0f146a01f6e992174889bc77b8450b0d348c06f047075bd84f138be2f06","algorithm":1,"id":"0d6bbc8be31e4aa6869cb2526e8a9c44-1","table":"Jetty","pace":"untimed","times":{"ended":"2026-10-30T18:00:12Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"rated":true}','amigo',1,1,0,'',0);
INSERT INTO "records" VALUES(3,'d9b1f61acc173b52a59dae40eebf2ebf-1',1793383218.5,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ada","bo","cem"],"deal":[[1,7,10,11,13,21,23,31,35,45,55,60],[8,12,15,16,20,25,33,40,42,43,50,52],[4,5,22,26,28,29,30,32,44,46,54,56]],"stages":[{"tides":[[5,7],[1,11],[2,6],[4,8],[1,4],[11,12],[2,6],[9,9],[5,10],[3,8],[3,7],[10,12]],"bids":[[13,25,32],[21,50,28],[35,15,56],[55,52,26],[11,20,44],[7,8,29],[60,43,30],[31,12,46],[1,33,5],[23,42,22],[45,16,54],[10,40,4]]}],"seed":"2e281f9bddf85336d15b579b74e4250950c9c994752666ae81c78b283592edff","commitment":"d309c08e002298d6ab8ff31dcf61adbd9a13586f01e39f3318c8658f35aae639","algorithm":1,"id":"d9b1f61acc173b52a59dae40eebf2ebf-1","table":"Inlet","pace":"untimed","times":{"ended":"2026-10-30T18:00:18Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"rated":true}','amigo',1,1,0,'',0);
INSERT INTO "records" VALUES(4,'88b0e20e89d2d2574806853ed7b9b064-1',1793383225.0,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ada","bo","cem"],"deal":[[1,8,19,23,24,35,41,44,50,54,56,57],[4,5,11,17,20,26,30,33,38,43,49,52],[10,13,21,25,27,37,39,40,42,47,51,60]],"stages":[{"tides":[[4,8],[7,10],[2,11],[8,12],[5,6],[4,10],[2,3],[3,5],[11,12],[1,9],[1,9],[6,7]],"bids":[[57,20,37],[23,52,39],[54,11,60],[24,43,25],[1,4,42],[44,38,40],[35,17,21],[19,26,51],[8,30,13],[41,33,47],[50,49,27],[56,5,10]]}],"seed":"935d406e8fdb72a34980be64d347bdcdda5117b919f538dcb77eacfe863e5282","commitment":"c59b32bc637498a6b8dfe294b21f48da3d6e03b7ca1954929f951ea326634ac6","algorithm":1,"id":"88b0e20e89d2d2574806853ed7b9b064-1","table":"Atoll","pace":"untimed","times":{"ended":"2026-10-30T18:00:25Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"rated":true}','amigo',1,1,0,'',0);
INSERT INTO "records" VALUES(5,'d01d795b5933392c6a91f5e4a276e393-1',1793383229.5,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ada","bo","cem"],"deal":[[1,3,5,11,15,29,47,48,49,52,53,58],[4,6,10,12,17,33,34,38,42,43,54,55],[2,7,16,18,23,24,27,32,37,40,41,50]],"stages":[{"tides":[[11,12],[3,10],[3,4],[8,9],[2,5],[5,7],[2,8]],"bids":[[53,6,37],[1,12,23],[5,42,24],[47,10,41],[49,4,2],[15,34,16],[48,54,40]]}],"seed":"fa940bf3eb573f5fc12f4f8b12cd8aefd2f6e1716f7b8780ce6cab44e78db5e6","commitment":"f22008efbc83d964f78a36a917cff16ede2143422b0a72d8c0f3013ba6adca07","algorithm":1,"id":"d01d795b5933392c6a91f5e4a276e393-1","table":"Shallows","pace":"untimed","times":{"ended":"2026-10-30T18:00:29Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"rated":true}','amigo',1,1,0,'',0);
INSERT INTO "records" VALUES(6,'c9ae006b85248b38f419a2a86c5dee3b-1',1795348818.0,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo"},"players":["ada","Dune","Sprat","Eider"],"deal":[[1,6,7,11,20,21,26,34,50,51,57,59],[8,12,14,19,24,27,30,39,40,41,42,45],[18,23,25,29,32,36,46,47,48,53,56,60],[2,4,9,15,16,22,31,33,38,43,55,58]],"stages":[{"tides":[[3,5],[7,10],[6,8],[2,3],[1,4],[8,12],[7,12],[5,9],[1,10],[6,9],[4,11],[2,11]],"bids":[[20,8,18,2],[21,12,23,4],[7,14,29,31],[26,24,60,43],[11,19,25,38],[null,27,32,58],[null,30,56,9],[null,45,53,55],[null,39,46,33],[null,41,36,15],[null,40,47,16],[null,42,48,22]]},{"tides":[[8,10],[2,2],[11,12],[1,3],[1,8],[9,10],[6,12],[4,11],[4,9],[3,7],[5,7],[5,6]],"bids":[[15,1,14,18],[58,59,30,36],[9,6,8,23],[16,34,27,56],[4,7,24,32],[38,11,19,25],[22,57,12,60],[33,51,39,29],[2,20,40,46],[null,50,41,47],[null,26,42,48],[null,21,45,53]]},{"tides":[[4,5],[5,6],[3,12],[9,10],[4,7],[3,8],[2,11],[10,12],[2,9],[1,6],[7,8],[1,11]],"bids":[[46,2,6,19],[25,4,7,30],[60,9,1,8],[18,58,20,24],[47,55,34,45],[56,15,21,39],[29,16,11,14],[23,22,26,12],[48,43,57,40],[36,38,50,41],[53,33,59,42],[32,null,51,27]]},{"tides":[[6,11],[2,4],[8,9],[5,7],[3,12],[1,10],[1,4],[6,9],[2,12],[3,5],[7,10],[8,11]],"bids":[[14,60,4,6],[27,56,31,26],[39,18,15,11],[24,53,33,34],[45,25,16,59],[42,23,22,20],[40,47,55,21],[41,29,2,7],[30,32,58,1],[19,48,38,50],[12,36,9,51],[8,46,43,57]]}],"seed":"5bc5e84c0d345a7b1b8cb9301c8a01306d191620a5f83180c9490b7bb10c8e1f","commitment":"60ec53f045ad47eb54ab1f1b1e35a1d9f5917b9ad8cb2cd87275ab75a13b99c6","algorithm":1,"id":"c9ae006b85248b38f419a2a86c5dee3b-1","table":"2026-11-22","pace":"untimed","times":{"ended":"2026-11-22T12:00:18Z"},"seats":[{"kind":"human"},{"kind":"bot","strategy":"greedy"},{"kind":"bot","strategy":"tidal"},{"kind":"bot","strategy":"expert"}],"event":"day-2026-11-22"}','amigo',1,0,0,'day-2026-11-22',0);
INSERT INTO "records" VALUES(7,'tournament/lidoreda/1/3/af5a5c433837672f-1',1795462208.5,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["sam","vic","xan"],"deal":[[1,5,11,14,15,22,24,31,40,43,50,59],[3,7,8,20,26,29,41,44,46,52,57,60],[6,9,10,12,19,27,34,36,37,38,53,55]],"stages":[{"tides":[[1,4],[4,5],[3,6],[2,12],[8,8],[2,3],[7,11],[6,9]],"bids":[[50,57,53],[59,7,12],[24,3,10],[40,41,27],[22,20,36],[15,26,38],[31,29,37],[11,60,34]]}],"seed":"d7a56d3cfcf9a44dc716691acdaba1b8a912646543c6977a5a43ac2753cf1017","commitment":"4731d90dd52d51d3f7cf9db6b14cfbfa515a4dd89e1b347224846c8ff4b094d8","algorithm":1,"id":"tournament/lidoreda/1/3/af5a5c433837672f-1","table":"Friday cup 1/3","pace":"timed","times":{"ended":"2026-11-23T19:30:08Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"event":"tournament/lidoreda/1"}','amigo',1,0,0,'tournament/lidoreda/1',0);
INSERT INTO "records" VALUES(8,'tournament/lidoreda/1/1/c6fbbbc55992984a-1',1795462210.0,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["ray","tom","Puffin"],"deal":[[1,5,11,14,15,22,24,31,40,43,50,59],[3,7,8,20,26,29,41,44,46,52,57,60],[6,9,10,12,19,27,34,36,37,38,53,55]],"stages":[{"tides":[[1,4],[4,5],[3,6],[2,12],[8,8],[2,3],[7,11],[6,9],[1,12],[9,11],[5,10]],"bids":[[15,57,9],[11,8,6],[24,20,12],[5,46,19],[59,52,53],[43,41,38],[50,7,55],[22,44,10],[14,26,34],[40,3,27],[31,29,36]]}],"seed":"d7a56d3cfcf9a44dc716691acdaba1b8a912646543c6977a5a43ac2753cf1017","commitment":"4731d90dd52d51d3f7cf9db6b14cfbfa515a4dd89e1b347224846c8ff4b094d8","algorithm":1,"id":"tournament/lidoreda/1/1/c6fbbbc55992984a-1","table":"Friday cup 1/1","pace":"timed","times":{"ended":"2026-11-23T19:30:10Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"bot","strategy":"cautious"}],"event":"tournament/lidoreda/1"}','amigo',1,0,0,'tournament/lidoreda/1',0);
INSERT INTO "records" VALUES(9,'tournament/lidoreda/1/2/4f6ca8510fa7ca49-1',1795462210.0,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["sol","uma","wim"],"deal":[[1,5,11,14,15,22,24,31,40,43,50,59],[3,7,8,20,26,29,41,44,46,52,57,60],[6,9,10,12,19,27,34,36,37,38,53,55]],"stages":[{"tides":[[1,4],[4,5],[3,6],[2,12],[8,8],[2,3],[7,11],[6,9],[1,12],[9,11],[5,10]],"bids":[[15,8,12],[14,20,38],[1,60,27],[31,26,36],[50,46,37],[24,52,19],[40,29,9],[22,41,34],[59,7,10],[11,3,53],[43,57,6]]}],"seed":"d7a56d3cfcf9a44dc716691acdaba1b8a912646543c6977a5a43ac2753cf1017","commitment":"4731d90dd52d51d3f7cf9db6b14cfbfa515a4dd89e1b347224846c8ff4b094d8","algorithm":1,"id":"tournament/lidoreda/1/2/4f6ca8510fa7ca49-1","table":"Friday cup 1/2","pace":"timed","times":{"ended":"2026-11-23T19:30:10Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"human"}],"event":"tournament/lidoreda/1"}','amigo',1,0,0,'tournament/lidoreda/1',0);
INSERT INTO "records" VALUES(10,'fbcde8c7308aabde1c1a73b1d798ef6f-1',1795462229.5,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo"},"players":["quin","Puffin","Sprat","Kelp"],"deal":[[8,11,13,14,15,16,20,21,33,40,46,47],[4,24,26,29,30,32,42,43,49,55,59,60],[1,2,6,7,19,27,39,45,50,51,52,53],[12,25,28,31,34,36,37,38,41,44,48,56]],"stages":[{"tides":[[6,6],[5,8],[7,12],[2,10],[5,9],[1,12],[3,3],[2,8],[1,4],[7,9],[11,11],[4,10]],"bids":[[14,4,1,12],[13,60,2,25],[40,59,6,28],[46,55,27,31],[20,30,19,34],[11,24,7,36],[47,49,39,37],[21,29,45,38],[16,26,50,56],[15,32,51,41],[8,42,52,44],[33,43,53,48]]},{"tides":[[2,8],[7,8],[1,1],[3,12],[3,11],[5,11],[2,9],[6,9],[4,5],[4,10],[7,10],[6,12]],"bids":[[56,8,4,6],[48,46,24,19],[36,47,26,27],[44,11,55,7],[28,16,42,39],[38,15,29,45],[37,13,43,50],[25,14,49,51],[41,21,59,52],[12,20,60,1],[null,40,30,2],[null,33,32,53]]},{"tides":[[8,9],[5,7],[1,12],[2,11],[4,8],[5,10],[9,11],[1,4],[2,10],[3,7],[6,12],[3,6]],"bids":[[51,12,11,4],[1,56,33,24],[53,25,20,55],[2,28,21,26],[null,48,13,49],[null,44,14,59],[null,41,15,42],[null,36,40,43],[null,37,16,60],[null,38,46,32],[null,34,8,29],[null,31,47,30]]},{"tides":[[1,4],[7,8],[8,9],[6,10],[2,11],[1,11],[5,12],[6,9],[2,4],[3,5],[3,7],[10,12]],"bids":[[32,2,12,11],[59,1,25,20],[60,7,31,21],[42,6,56,13],[26,19,48,14],[29,27,28,15],[24,53,36,33],[30,51,44,40],[4,52,41,16],[43,50,37,8],[49,45,38,46],[55,39,34,47]]}],"seed":"c12f49fe05c099b05803d1b195e479189b266ceff92d5321b58079039254405e","commitment":"7eb789bb3c6167521c5cb7889d87472fe1aeb31295ecf8d3f99f512313f265ec","algorithm":1,"id":"fbcde8c7308aabde1c1a73b1d798ef6f-1","table":"2026-11-23","pace":"untimed","times":{"ended":"2026-11-23T19:30:29Z"},"seats":[{"kind":"human"},{"kind":"bot","strategy":"greedy"},{"kind":"bot","strategy":"tidal"},{"kind":"bot","strategy":"expert"}],"event":"day-2026-11-23"}','amigo',1,0,0,'day-2026-11-23',0);
INSERT INTO "records" VALUES(11,'8912520c6c1782f343b24604754ad51a-1',1795462259.0,'{"format":"turn-the-tide","version":1,"rules":{"edition":"amigo","stages":1},"players":["oli","Guest","Puffin"],"deal":[[6,11,14,25,27,32,35,42,50,57,58,60],[1,3,4,10,19,20,21,26,36,53,54,55],[8,12,22,24,37,38,40,44,45,46,47,56]],"stages":[{"tides":[[1,1],[5,12],[6,9],[2,4],[7,11],[8,10],[3,10],[6,8],[7,12],[3,9]],"bids":[[42,26,8],[57,21,56],[32,1,45],[27,55,47],[58,10,12],[11,54,44],[6,3,46],[35,19,40],[25,36,38],[50,53,37]]}],"seed":"85c924c3597164c4a6058a00581a22b22de50472433d2e44fed8b6b8357e44cd","commitment":"fa8f17d44cf36c7b32da58149a68bb6982dd53ced921d3f2a20cb51bc05e7e8f","algorithm":1,"id":"8912520c6c1782f343b24604754ad51a-1","table":"Wharf","pace":"untimed","times":{"ended":"2026-11-23T19:30:59Z"},"seats":[{"kind":"human"},{"kind":"human"},{"kind":"bot","strategy":"greedy"}]}','amigo',1,0,0,'',0);
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
INSERT INTO "reports" VALUES(1,1795377600.0,'account:pZq9N6N13Wgshj_5','ada','account:0iCFx3fk7sVrKqFt','bo','','shouts all the time','',0.0,'',0);
CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO "schema_version" VALUES(13);
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
INSERT INTO "season_places" VALUES('2026-10',1,1,'account:pZq9N6N13Wgshj_5',50.0,5,10,0);
CREATE TABLE seasons (
    month TEXT PRIMARY KEY,
    kept DOUBLE PRECISION NOT NULL
);
INSERT INTO "seasons" VALUES('2026-10',1793498400.0);
CREATE TABLE tables (
    key TEXT PRIMARY KEY,
    place BIGINT NOT NULL,
    content TEXT NOT NULL
);
INSERT INTO "tables" VALUES('257e9a3829065a69b2b2ac799a435879',11,'{"version":1,"id":"lorulile","title":"2026-11-23","created":1795462212.0,"owner":-1,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:Zv7Ne8_1Zu-2vpVP","opened_from":"e8a159896fa10cb7-1524","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"none","bots":"greedy","hints":false,"seats":[{"occupant":"human","name":"pam","player":["account:Zv7Ne8_1Zu-2vpVP","pam",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Puffin","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Sprat","player":null,"strategy":"tidal","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Kelp","player":null,"strategy":"expert","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"c12f49fe05c099b05803d1b195e479189b266ceff92d5321b58079039254405e","shared":{"seed":"c12f49fe05c099b05803d1b195e479189b266ceff92d5321b58079039254405e","event":"day-2026-11-23","starts":0.0,"waits":true}}');
INSERT INTO "tables" VALUES('598c5f66fe4ac03f3f243645ae0c5314',12,'{"version":1,"id":"ribosaki","title":"2026-11-23","created":1795462212.0,"owner":-1,"status":"playing","number":1,"pause":"suspended","ended":"","deserted":1795462232.0,"played_by":[],"word":"","opened_by":"account:9UPwgq74gudknbqc","opened_from":"e8a159896fa10cb7-0915","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"none","bots":"greedy","hints":false,"seats":[{"occupant":"human","name":"rosa","player":["account:9UPwgq74gudknbqc","rosa",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":true,"hints":[]},{"occupant":"bot","name":"Puffin","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Sprat","player":null,"strategy":"tidal","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Kelp","player":null,"strategy":"expert","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"c12f49fe05c099b05803d1b195e479189b266ceff92d5321b58079039254405e","shared":{"seed":"c12f49fe05c099b05803d1b195e479189b266ceff92d5321b58079039254405e","event":"day-2026-11-23","starts":0.0,"waits":true}}');
INSERT INTO "tables" VALUES('25a7e2bab24ea100c3368d5cf3471306',13,'{"version":1,"id":"zizupuve","title":"Headland","created":1795462233.5,"owner":0,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:sP8KUcLtR-TcnsaL","opened_from":"e8a159896fa10cb7-46c5","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":3,"stages":3,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":true,"spectators":"open","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"cem","player":["account:sP8KUcLtR-TcnsaL","cem",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"dora","player":["account:ifhwmiSJG_J72t2g","dora",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"eve","player":["account:STiAGIEv9njq5WJJ","eve",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"f5b165224a58b791df6af1d8303e61cdc4bb86c3d1c427103c344c4189eb2f1e"}');
INSERT INTO "tables" VALUES('5eb9bd9e730003dfba174808a0a2178f',14,'{"version":1,"id":"murupubo","title":"Estuary","created":1795462244.0,"owner":0,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:Fvp5L9S8DKB6RfCg","opened_from":"e8a159896fa10cb7-f7bc","ballots":[],"remaining":0.0,"rules":{"edition":"bga","players":4,"stages":4,"modified_drowning":true,"assistance":false},"pace":"correspondence","seconds":86400,"rated":false,"spectators":"open","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"hal","player":["account:Fvp5L9S8DKB6RfCg","hal",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"ida","player":["account:1Zjm2I307R6QFOD3","ida",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"jon","player":["account:DtI9ENbaWj9y0Ea8","jon",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"kai","player":["account:KahxcVZexrD_JJpl","kai",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"7bd5d47e446fcec2a3d811736110e5781bcccea696762e6116c6e9c92d99bf35","deadline":[0,0,1795548644.5]}');
INSERT INTO "tables" VALUES('27d52e1a27f142f53c33bc5168cc1865',15,'{"version":1,"id":"zopenuzi","title":"Breakwater","created":1795462247.0,"owner":0,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:rmiWfZi6-lln-1qd","opened_from":"e8a159896fa10cb7-8df4","ballots":[],"remaining":0.0,"rules":{"edition":"bga","players":6,"stages":6,"modified_drowning":false,"assistance":true},"pace":"untimed","seconds":60,"rated":false,"spectators":"open","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"yan","player":["account:rmiWfZi6-lln-1qd","yan",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Puffin","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Sprat","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Kelp","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Limpet","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Pebble","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"8c2e0718822ce47ca8c74107e66cb0e4b2b3f4d58d82ca6386d2c96e760e819b"}');
INSERT INTO "tables" VALUES('09e805b06f81e584d29991034d91310a',16,'{"version":1,"id":"rudesono","title":"Shoal","created":1795462249.5,"owner":0,"status":"open","number":0,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"228f0cb4d041b18512f23790e1528227$a764a143774693b2043047f2ff4124b1aa4e60060cbda21295f8c51a23675d67","opened_by":"account:-gP8lz_CR9D4fKNH","opened_from":"e8a159896fa10cb7-fc26","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":60,"rated":false,"spectators":"delayed","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"lea","player":["account:-gP8lz_CR9D4fKNH","lea",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Puffin","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"nobody","name":"","player":null,"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"nina","since":0,"stepped_out":false,"hints":[]},{"occupant":"nobody","name":"","player":null,"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":""}');
INSERT INTO "tables" VALUES('5c0f0f55bc1009af199a1cbb7d2391ba',17,'{"version":1,"id":"bobizutu","title":"Landing","created":1795462251.5,"owner":0,"status":"open","number":0,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:O7ka3aSeLj5-coP5","opened_from":"e8a159896fa10cb7-93d5","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":3,"stages":3,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":true,"spectators":"open","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"mia","player":["account:O7ka3aSeLj5-coP5","mia",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"nobody","name":"","player":null,"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"nobody","name":"","player":null,"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":""}');
INSERT INTO "tables" VALUES('8912520c6c1782f343b24604754ad51a',18,'{"version":1,"id":"vekulalu","title":"Wharf","created":1795462253.5,"owner":0,"status":"over","number":1,"pause":"","ended":"","deserted":0.0,"played_by":["oli","Guest","Puffin"],"word":"","opened_by":"account:V5kPxRFa8z79fwAe","opened_from":"e8a159896fa10cb7-9642","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"untimed","seconds":60,"rated":false,"spectators":"open","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"oli","player":["account:V5kPxRFa8z79fwAe","oli",false],"strategy":"","away":false,"missed":0,"rematch":true,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"Guest","player":["guest:aB58sjtwe_ffYi4D","Guest",true],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Puffin","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"85c924c3597164c4a6058a00581a22b22de50472433d2e44fed8b6b8357e44cd"}');
INSERT INTO "tables" VALUES('tournament/lidoreda/2/1/e4074b8c06ef6702',19,'{"version":1,"id":"sepununo","title":"Friday cup 2/1","created":1795462330.05,"owner":-1,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"","opened_from":"","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":30,"rated":false,"spectators":"none","bots":"cautious","hints":false,"seats":[{"occupant":"human","name":"uma","player":["account:OQIeb7L8eTPSqan1","uma",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Puffin","player":null,"strategy":"cautious","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"vic","player":["account:t-vYRjK_L3FPKaGj","vic",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"3122071113bd120536abce666699a58c091affea6a87144aff71eacc524472fd","shared":{"seed":"3122071113bd120536abce666699a58c091affea6a87144aff71eacc524472fd","event":"tournament/lidoreda/2","starts":1795462390.05,"waits":false},"deadline":[0,0,1795462360.05]}');
INSERT INTO "tables" VALUES('tournament/lidoreda/2/2/96e7c6162947bccf',20,'{"version":1,"id":"vutapuku","title":"Friday cup 2/2","created":1795462330.05,"owner":-1,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"","opened_from":"","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":30,"rated":false,"spectators":"none","bots":"cautious","hints":false,"seats":[{"occupant":"human","name":"tom","player":["account:KDPX6iE2pF5wH_Kt","tom",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"xan","player":["account:oTCStofUc5Kq9oYO","xan",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"sol","player":["account:Jl4KmscZRQqC-SgG","sol",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"3122071113bd120536abce666699a58c091affea6a87144aff71eacc524472fd","shared":{"seed":"3122071113bd120536abce666699a58c091affea6a87144aff71eacc524472fd","event":"tournament/lidoreda/2","starts":1795462390.05,"waits":false},"deadline":[0,0,1795462360.05]}');
INSERT INTO "tables" VALUES('tournament/lidoreda/2/3/f28aa41ee1c30785',21,'{"version":1,"id":"separitu","title":"Friday cup 2/3","created":1795462330.05,"owner":-1,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"","opened_from":"","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":30,"rated":false,"spectators":"none","bots":"cautious","hints":false,"seats":[{"occupant":"human","name":"wim","player":["account:nBcjMQ6YwLJ-fuay","wim",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"sam","player":["account:iNfaa_632t4pqQNo","sam",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"ray","player":["account:V4rDXBKRmJL49VSp","ray",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"3122071113bd120536abce666699a58c091affea6a87144aff71eacc524472fd","shared":{"seed":"3122071113bd120536abce666699a58c091affea6a87144aff71eacc524472fd","event":"tournament/lidoreda/2","starts":1795462390.05,"waits":false},"deadline":[0,0,1795462360.05]}');
INSERT INTO "tables" VALUES('bb7d35bdf960d5d2fef824b8fca6cb75',22,'{"version":1,"id":"soripibu","title":"Polder","created":1795462337.0,"owner":0,"status":"playing","number":1,"pause":"","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:pZq9N6N13Wgshj_5","opened_from":"e8a159896fa10cb7-7395","ballots":[],"remaining":0.0,"rules":{"edition":"amigo","players":4,"stages":4,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":60,"rated":false,"spectators":"delayed","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"ada","player":["account:pZq9N6N13Wgshj_5","ada",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"bo","player":["account:0iCFx3fk7sVrKqFt","bo",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"dan","player":["account:YeLsWUbQtk8OpsEm","dan",false],"strategy":"cautious","away":false,"missed":0,"rematch":false,"left":true,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Puffin","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"3129903ac1d45597a242fdf11f8f2b1a39f3c3e693114351dcbed407e3e6b605","deadline":[0,3,1795462401.0]}');
INSERT INTO "tables" VALUES('9bad72b1af2c9785c76fac5168bc7761',23,'{"version":1,"id":"tunotale","title":"Pontoon","created":1795462339.0,"owner":0,"status":"playing","number":1,"pause":"voted","ended":"","deserted":0.0,"played_by":[],"word":"","opened_by":"account:EQEDHot8ObIdzGA2","opened_from":"e8a159896fa10cb7-d266","ballots":[],"remaining":59.0,"rules":{"edition":"gamewright","players":3,"stages":3,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":60,"rated":false,"spectators":"open","bots":"greedy","hints":true,"seats":[{"occupant":"human","name":"fay","player":["account:EQEDHot8ObIdzGA2","fay",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"human","name":"gus","player":["account:bLyAZOtpbAylTjp6","gus",false],"strategy":"","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]},{"occupant":"bot","name":"Puffin","player":null,"strategy":"greedy","away":false,"missed":0,"rematch":false,"left":false,"kept":"","since":0,"stepped_out":false,"hints":[]}],"seed":"b99e8306dda748a61e029a8a3f415b024a146cf0d98a98e1cf999661f967bdaf","deadline":[0,3,1795462401.0]}');
CREATE TABLE tournaments (
    id TEXT PRIMARY KEY,
    opened DOUBLE PRECISION NOT NULL,
    over DOUBLE PRECISION NOT NULL DEFAULT 0,
    state TEXT NOT NULL
);
INSERT INTO "tournaments" VALUES('lidoreda',1795462200.0,0.0,'{"version":1,"plan":{"type":"TournamentPlan","name":"Friday cup","options":{"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":30,"rated":false,"spectators":"none","bots":"cautious","hints":false},"rounds":3,"call":60,"pause":120},"director":"","director_name":"","guests":false,"begins":0.0,"commitments":["4731d90dd52d51d3f7cf9db6b14cfbfa515a4dd89e1b347224846c8ff4b094d8","f59e1e374b0f11d0a3736d04c6653266f1c97ca016164644fe8d12a76a25238b"],"play":{"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"planned":3,"over":false,"entrants":[["account:V4rDXBKRmJL49VSp","ray",false,0,null],["account:Jl4KmscZRQqC-SgG","sol",false,0,null],["account:iNfaa_632t4pqQNo","sam",false,0,null],["account:KDPX6iE2pF5wH_Kt","tom",false,0,null],["account:OQIeb7L8eTPSqan1","uma",false,0,null],["account:t-vYRjK_L3FPKaGj","vic",false,0,null],["account:nBcjMQ6YwLJ-fuay","wim",false,0,null],["account:oTCStofUc5Kq9oYO","xan",false,0,null]],"rounds":[{"closed":true,"tables":[{"seats":[0,3,-1],"points":[0,-1,2],"stayed":[true,true,true],"game":"8","done":true},{"seats":[1,4,6],"points":[-1,2,0],"stayed":[true,true,true],"game":"9","done":true},{"seats":[2,5,7],"points":[-1,5,0],"stayed":[true,true,true],"game":"7","done":true}]},{"closed":false,"tables":[{"seats":[4,-1,5],"points":null,"stayed":null,"game":"","done":false},{"seats":[3,7,1],"points":null,"stayed":null,"game":"","done":false},{"seats":[6,2,0],"points":null,"stayed":null,"game":"","done":false}]}]}}');
INSERT INTO "tournaments" VALUES('bosibesu',1795462200.0,0.0,'{"version":1,"plan":{"type":"TournamentPlan","name":"Winter cup","options":{"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"pace":"timed","seconds":30,"rated":false,"spectators":"none","bots":"cautious","hints":false},"rounds":1,"call":60,"pause":120},"director":"","director_name":"","guests":false,"begins":0.0,"commitments":[],"play":{"rules":{"edition":"amigo","players":3,"stages":1,"modified_drowning":false,"assistance":false},"planned":1,"over":false,"entrants":[["account:V4rDXBKRmJL49VSp","ray",false,0,null]],"rounds":[]}}');
CREATE INDEX records_by_kept ON records (kept, id);
CREATE INDEX record_seats_by_player ON record_seats (player);
CREATE INDEX people_by_seen ON people (guest, seen);
CREATE INDEX names_by_person ON names (person);
CREATE INDEX keys_by_person ON keys (person);
CREATE INDEX reports_by_closed ON reports (closed, id);
CREATE INDEX audit_by_made ON audit (made);
CREATE INDEX events_by_kind ON events (kind, opens);
CREATE INDEX event_players_by_player ON event_players (player);
CREATE INDEX records_by_event ON records (event) WHERE event <> '';
CREATE INDEX tournaments_by_time ON tournaments (opened);
CREATE INDEX season_places_by_player ON season_places (player);
CREATE INDEX owners_by_node ON owners (node);
COMMIT;
