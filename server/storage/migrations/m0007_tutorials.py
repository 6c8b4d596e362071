"""Version 7: tutorials count for nobody, and who left a game has no place in it."""

from typing import Final

from sqlalchemy import Connection, text

STATEMENTS: Final = (
    "ALTER TABLE records ADD COLUMN tutorial INTEGER NOT NULL DEFAULT 0",
    "UPDATE record_seats SET place = 0 WHERE kind = 'left'",
)

_PERHAPS: Final = text("""
    SELECT id FROM records WHERE edition = 'amigo' AND rated = 0 AND tutorial = 0
    AND NOT EXISTS (SELECT 1 FROM hand_results WHERE record_id = id AND stage > 0) ORDER BY id
""")


def fill(connection: Connection) -> None:
    """Find the tutorials among the games kept so far."""
    from engine.record import parse
    from server.storage.results import is_tutorial, kinds_of

    for number in connection.execute(_PERHAPS).scalars().all():
        query = text("SELECT content FROM records WHERE id = :id")
        record = parse(connection.execute(query, {"id": number}).scalar_one())
        fields = record.fields()
        if is_tutorial(record, fields, kinds_of(fields, record.rules.players)):
            connection.execute(
                text("UPDATE records SET tutorial = 1 WHERE id = :id"), {"id": number}
            )
