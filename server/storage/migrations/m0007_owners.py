"""Version 7: whose a table is, and where its next change goes; codes are given once; tutorials count for
nobody, and who left a game has no place in it; where rated games were played from, and who is listed.
"""

import json
from typing import Any, Final

from server.storage.connection import Connection

# What has come with rated games against others, as it was when nothing was known of addresses.
_OTHERS: Final = """
    SELECT COUNT(DISTINCT {what}) FROM record_seats AS mine
    JOIN records ON records.id = mine.record_id AND records.rated = 1
    JOIN record_seats AS other ON other.record_id = mine.record_id
    WHERE mine.player = ratings.person AND other.player <> mine.player AND other.player <> ''
"""

SCRIPT: Final = f"""
-- Of its own, because it changes with every bid, and what a table's row holds is long.
CREATE TABLE owners (
    table_key TEXT PRIMARY KEY,
    epoch BIGINT NOT NULL,
    position BIGINT NOT NULL
);
INSERT INTO owners (table_key, epoch, position)
    SELECT key, 1, COALESCE((SELECT MAX(number) + 1 FROM entries WHERE table_key = key), 1) FROM tables;
CREATE TABLE codes (code TEXT PRIMARY KEY);
INSERT INTO numbers (kind, last) SELECT 'tables', COALESCE(MAX(place), 0) FROM tables;
INSERT INTO numbers (kind, last) SELECT 'records', COALESCE(MAX(id), 0) FROM records;
ALTER TABLE records ADD COLUMN tutorial INTEGER NOT NULL DEFAULT 0;
UPDATE record_seats SET place = 0 WHERE kind = 'left';
-- A mark of the address; empty where it is not known: of all games before, and of those that count for
-- no rating.
ALTER TABLE record_seats ADD COLUMN source TEXT NOT NULL DEFAULT '';
ALTER TABLE people ADD COLUMN vouched INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ratings ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
UPDATE ratings SET listed = 1 WHERE ({_OTHERS.format(what="mine.record_id")}) >= 10
    AND ({_OTHERS.format(what="other.player")}) >= 4;
"""

_PERHAPS: Final = """
    SELECT id FROM records WHERE edition = 'amigo' AND rated = 0
    AND NOT EXISTS (SELECT 1 FROM hand_results WHERE record_id = id AND stage > 0) ORDER BY id
"""


def fill(connection: Connection) -> None:
    """Find the tutorials among the games kept so far."""
    for number in connection.execute(_PERHAPS).scalars():
        query = "SELECT content FROM records WHERE id = :id"
        content = connection.execute(query, id=number).scalar()
        try:
            tutorial = _is_tutorial(json.loads(content))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue  # nobody can read it, so it counts for nothing
        if tutorial:
            connection.execute("UPDATE records SET tutorial = 1 WHERE id = :id", id=number)


def _is_tutorial(record: Any) -> bool:
    """One person and three bots, one stage, no clock."""
    rules = {name: value for name, value in record["rules"].items() if value is not False}
    kinds = [seat["kind"] if isinstance(seat, dict) else seat for seat in record["seats"]]
    return (
        rules == {"edition": "amigo", "stages": 1}
        and len(record["players"]) == len(kinds) == 4
        and record.get("assistance", False) is False
        and record.get("pace") == "untimed"
        and kinds.count("bot") == 3
    )
