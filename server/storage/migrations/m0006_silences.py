"""Version 6: who may not speak, and numbers of what operators keep that are given once only."""

import json
from typing import Final

from sqlalchemy import Connection, text

STATEMENTS: Final = (
    # The last number given of each kind: that of a ban that has been lifted names nothing else later.
    """
    CREATE TABLE numbers (
        kind TEXT PRIMARY KEY,
        last INTEGER NOT NULL
    )
    """,
    # "person" as in people, or whoever it was; a silence always has an end.
    """
    CREATE TABLE mutes (
        person TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        reason TEXT NOT NULL,
        made DOUBLE PRECISION NOT NULL,
        made_by TEXT NOT NULL,
        until DOUBLE PRECISION NOT NULL
    )
    """,
)

_LIFTED: Final = "SELECT details FROM audit WHERE action = 'unban' AND outcome = 'ok'"


def fill(connection: Connection) -> None:
    """Go on after the highest number that is still there, or that the log remembers."""
    for kind in ("audit", "bans", "reports"):
        connection.execute(
            text(
                f"INSERT INTO numbers (kind, last) SELECT '{kind}', COALESCE(MAX(id), 0) FROM {kind}"
            )
        )
    lifted = 0
    for content in connection.execute(text(_LIFTED)).scalars():
        details = json.loads(content) if content else {}
        number = details.get("ban", 0) if isinstance(details, dict) else 0
        lifted = max(lifted, number if isinstance(number, int) else 0)
    connection.execute(
        text("UPDATE numbers SET last = :last WHERE kind = 'bans' AND last < :last"),
        {"last": lifted},
    )
