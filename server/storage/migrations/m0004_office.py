"""Version 4: who may not come in, what players report, and what operators have done."""

from typing import Final

STATEMENTS: Final = (
    # "matched" is what is compared: a fingerprint, a name's skeleton, a network. "until" 0 is for ever.
    """
    CREATE TABLE bans (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        shown TEXT NOT NULL,
        matched TEXT NOT NULL,
        reason TEXT NOT NULL,
        made DOUBLE PRECISION NOT NULL,
        made_by TEXT NOT NULL,
        until DOUBLE PRECISION NOT NULL
    )
    """,
    # "closed" is 0 while nobody has dealt with it; "told" whether the reporter has heard the answer.
    """
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
    )
    """,
    "CREATE INDEX reports_by_closed ON reports (closed, id)",
    """
    CREATE TABLE audit (
        id INTEGER PRIMARY KEY,
        made DOUBLE PRECISION NOT NULL,
        who TEXT NOT NULL,
        name TEXT NOT NULL,
        action TEXT NOT NULL,
        about TEXT NOT NULL,
        details TEXT NOT NULL,
        outcome TEXT NOT NULL
    )
    """,
    "CREATE INDEX audit_by_made ON audit (made)",
)
