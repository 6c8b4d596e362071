"""Events in a database."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, takewhile
from operator import attrgetter
from typing import Any, Final

from typing_extensions import override

from engine.outcome import HandResult, SeatResult
from server.storage.databases.connection import Connection, to_json
from server.storage.databases.database import Repository, reads, writes
from server.storage.events import Event, EventGame, EventStore

SHOWN: Final = """(event = '' OR EXISTS (
    SELECT 1 FROM events WHERE events.id = event AND events.closed <> 0
))"""
"""Whether a game may be shown yet: it belongs to no event, or to one that is closed. Of its own games of an
open event a player sees what was seen in playing (``SqlHistory.replay``), and no more.
"""

_EVENT: Final = "SELECT id, kind, opens, closes, seed, commitment, closed, state FROM events"
# Without the second condition, the index of games with an event is of no use to SQLite.
_SEATS: Final = """
    SELECT records.id, kept, complete, again, player, record_seats.name, record_seats.kind, score, place,
        COALESCE(people.created, 0) AS since
    FROM records JOIN record_seats ON record_id = records.id
    LEFT JOIN people ON people.id = record_seats.player
    WHERE event = :event AND event <> '' ORDER BY records.id, seat
"""
_HANDS: Final = """
    SELECT record_id, stage, seat, hand, points FROM hand_results
    JOIN records ON records.id = record_id WHERE event = :event AND event <> ''
    ORDER BY record_id, stage, seat
"""
_TABLES: Final = """
    SELECT table_key FROM owners WHERE table_key >= :first AND table_key < :beyond
    ORDER BY table_key
"""


class SqlEvents(Repository, EventStore):
    """Events in a ``Database``."""

    @override
    @writes
    def add(self, connection: Connection, event: Event) -> Event:
        row = {**event._asdict(), "state": to_json(dict(event.state))}
        connection.insert("events", row, conflict="ON CONFLICT DO NOTHING")
        return _event(connection.execute(f"{_EVENT} WHERE id = :id", id=event.id).one())

    @override
    @reads
    def find(self, connection: Connection, event: str) -> Event | None:
        row = connection.execute(f"{_EVENT} WHERE id = :id", id=event).first()
        return None if row is None else _event(row)

    @override
    @reads
    def newest(self, connection: Connection, kind: str, limit: int = 20) -> Sequence[Event]:
        query = f"{_EVENT} WHERE kind = :kind ORDER BY opens DESC, id DESC LIMIT :limit"
        return [_event(row) for row in connection.execute(query, kind=kind, limit=limit)]

    @override
    @reads
    def still_open(self, connection: Connection, kind: str) -> Sequence[Event]:
        query = f"{_EVENT} WHERE kind = :kind AND closed = 0 ORDER BY opens, id"
        return [_event(row) for row in connection.execute(query, kind=kind)]

    @override
    @writes
    def keep_state(self, connection: Connection, event: str, state: Mapping[str, Any]) -> None:
        query = "UPDATE events SET state = :state WHERE id = :id"
        connection.execute(query, id=event, state=to_json(dict(state)))

    @override
    @writes
    def close(self, connection: Connection, event: str, at: float) -> None:
        query = "UPDATE events SET closed = :at WHERE id = :id AND closed = 0"
        connection.execute(query, id=event, at=at)

    @override
    @reads
    def tables(self, connection: Connection, event: str) -> Sequence[str]:
        # "0" comes after "/".
        found = connection.execute(_TABLES, first=f"{event}/", beyond=f"{event}0")
        return found.scalars()

    @override
    @reads
    def entered(self, connection: Connection, event: str) -> Mapping[str, float]:
        query = "SELECT player, at FROM event_players WHERE event = :event ORDER BY at, player"
        return {row.player: row.at for row in connection.execute(query, event=event)}

    @override
    @reads
    def in_a_row(self, connection: Connection, player: str, events: Iterable[str]) -> int:
        query = "SELECT COUNT(*) FROM event_players WHERE event = :event AND player = :player"
        entered = takewhile(
            lambda event: connection.execute(query, event=event, player=player).scalar(), events
        )
        return sum(1 for _ in entered)

    @override
    @reads
    def games(self, connection: Connection, event: str) -> Sequence[EventGame]:
        hands = {
            number: tuple(HandResult(*row[1:]) for row in rows)
            for number, rows in groupby(
                connection.execute(_HANDS, event=event).all(), key=attrgetter("record_id")
            )
        }
        found = groupby(connection.execute(_SEATS, event=event).all(), key=attrgetter("id"))
        return [_game(list(rows), hands.get(number, ())) for number, rows in found]


def _event(row: Any) -> Event:
    return Event(**{**row._asdict(), "state": json.loads(row.state)})


def _game(rows: Sequence[Any], hands: tuple[HandResult, ...]) -> EventGame:
    return EventGame(
        rows[0].id,
        rows[0].kept,
        bool(rows[0].complete),
        tuple(SeatResult(row.name, row.kind, row.score, row.place) for row in rows),
        tuple(row.player for row in rows),
        hands,
        bool(rows[0].again),
        tuple(row.since for row in rows),
    )
