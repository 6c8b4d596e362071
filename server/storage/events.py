"""Events, in which several tables play the same deal, and tournaments, whose rounds are events.

An event is a day of today's tide, or one board of a tournament's round. Until it is closed, no list, record,
replay or review shows its games (``history_store``): the commitment to the deal is public from the start, the
seed only when the event is closed. A table names its event (``coordinator.table.state.SharedDeal``).
"""

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from engine.records.outcome import SeatResult
from server.storage.databases.connection import Connection, to_json
from server.storage.databases.database import Repository, reads, writes


class Event(NamedTuple):
    """One event."""

    id: str
    """Unique for all time, beginning with the kind: letters, digits, ``-`` and ``/``. Shown to players."""
    kind: str
    """``day`` or ``tournament``."""
    opens: float
    """Start of play, in seconds since 1970, as all times here."""
    closes: float
    """When to close it; 0 if somebody decides that."""
    seed: str
    """Seed of the deal, in hex: secret until it is closed."""
    commitment: str
    """Commitment to that seed and the rules (``engine.deal.commitment``)."""
    closed: float = 0.0
    """When it was closed; 0 while it is not."""
    state: Mapping[str, Any] = MappingProxyType({})
    """Data of its kind, as JSON."""

    def __repr__(self) -> str:
        """Leave out the seed, which must not get into a log."""
        return f"Event({self.id!r}, closed={self.closed})"


class EventGame(NamedTuple):
    """A finished game of an event."""

    id: int
    """Id of the record."""
    at: float
    complete: bool
    """Whether it was played to the end."""
    seats: tuple[SeatResult, ...]
    players: tuple[str, ...]
    """Ids of the players, one for each seat; empty for bots."""
    again: bool = False
    """Whether the deal was known, from an account that was merged into another one."""
    since: tuple[float, ...] = ()
    """Creation times of the accounts, one for each seat; 0 for bots."""
    seen: bool = False
    """Whether a guest from the address of one of the players had begun the deal before this game was over."""


SHOWN: Final = """(event = '' OR EXISTS (
    SELECT 1 FROM events WHERE events.id = event AND events.closed <> 0
))"""
"""Condition for games that may be shown: those of no event, or of a closed one.

Players see their own games of an open event only as they saw them while playing (``HistoryStore.replay``).
"""

_EVENT: Final = "SELECT id, kind, opens, closes, seed, commitment, closed, state FROM events"
# Without the second condition, the index of games with an event is of no use to SQLite.
_SEATS: Final = """
    SELECT records.id, kept, complete, again, record_seats.player, record_seats.name, record_seats.kind,
        score, place, COALESCE(people.created, 0) AS since,
        COALESCE(event_players.source, '') AS began_from, record_seats.source AS ended_from
    FROM records JOIN record_seats ON record_id = records.id
    LEFT JOIN people ON people.id = record_seats.player
    LEFT JOIN event_players ON event_players.event = records.event
        AND event_players.player = record_seats.player
    WHERE records.event = :event AND records.event <> '' ORDER BY records.id, seat
"""
_GUESTS: Final = """
    SELECT source, MIN(at) FROM event_players WHERE event = :event AND player LIKE :guests
    GROUP BY source
"""
# Days in a row are as far from each other as their numbers are.
_RUNS: Final = """
    SELECT MIN(opens), MAX(opens) FROM (
        SELECT opens, opens - 86400 * ROW_NUMBER() OVER (ORDER BY opens) AS run
        FROM event_players JOIN events ON events.id = event
        WHERE player = :player AND kind = :kind
    ) AS entered GROUP BY run ORDER BY 1
"""
_TABLES: Final = """
    SELECT table_key FROM positions WHERE table_key >= :first AND table_key < :beyond
    ORDER BY table_key
"""


class EventStore(Repository):
    """Events in a ``Database``. All methods raise ``StoreError`` when it does not work."""

    @writes
    def add(self, connection: Connection, event: Event) -> Event:
        """Store a new event and return it; one with the same id is returned instead, unchanged."""
        connection.insert("events", to_row(event), conflict="ON CONFLICT DO NOTHING")
        return _event(connection.execute(f"{_EVENT} WHERE id = :id", id=event.id).fetchone())

    @reads
    def find(self, connection: Connection, event: str) -> Event | None:
        """Return the event with this id; ``None`` when there is none."""
        row = connection.execute(f"{_EVENT} WHERE id = :id", id=event).fetchone()
        return None if row is None else _event(row)

    @reads
    def newest(self, connection: Connection, kind: str, limit: int = 20) -> Sequence[Event]:
        """Return the newest events of a kind, the last to open first."""
        query = f"{_EVENT} WHERE kind = :kind ORDER BY opens DESC, id DESC LIMIT :limit"
        return [_event(row) for row in connection.execute(query, kind=kind, limit=limit)]

    @reads
    def still_open(self, connection: Connection, kind: str) -> Sequence[Event]:
        """Return open events of a kind, the first to open first."""
        query = f"{_EVENT} WHERE kind = :kind AND closed = 0 ORDER BY opens, id"
        return [_event(row) for row in connection.execute(query, kind=kind)]

    @writes
    def close(self, connection: Connection, event: str, at: float) -> None:
        """Close an event, which makes its games and seed public; does nothing if it is closed already."""
        query = "UPDATE events SET closed = :at WHERE id = :id AND closed = 0"
        connection.execute(query, id=event, at=at)

    @reads
    def tables(self, connection: Connection, event: str) -> Sequence[str]:
        """Return the keys of its tables that exist: those that begin with its id and ``/``."""
        # "0" comes after "/".
        return connection.scalars(_TABLES, first=f"{event}/", beyond=f"{event}0")

    @reads
    def entered(self, connection: Connection, event: str) -> Mapping[str, float]:
        """Return when each player entered an event, by the player's id."""
        query = "SELECT player, at FROM event_players WHERE event = :event ORDER BY at, player"
        return {row.player: row.at for row in connection.execute(query, event=event)}

    @reads
    def runs(self, connection: Connection, player: str, kind: str) -> Sequence[tuple[float, float]]:
        """Return the runs of consecutive days on which a player entered an event of a kind, oldest first.

        Each is the opening time of its first and of its last event.
        """
        return connection.execute(_RUNS, player=player, kind=kind).fetchall()

    @reads
    def games(self, connection: Connection, event: str) -> Sequence[EventGame]:
        """Return the finished games of an event, the first to end first, also if it is open.

        Until it is closed, only the event's own tables may use them.
        """
        guests = dict(connection.execute(_GUESTS, event=event, guests="guest:%").fetchall())
        found = groupby(connection.execute(_SEATS, event=event).fetchall(), key=attrgetter("id"))
        return [_game(list(rows), guests) for _, rows in found]


def to_row(event: Event) -> dict[str, Any]:
    """Return the event as a row of the database."""
    return {**event._asdict(), "state": to_json(dict(event.state))}


def _event(row: Any) -> Event:
    return Event(**{**row._asdict(), "state": json.loads(row.state)})


def _game(rows: Sequence[Any], guests: Mapping[str, float]) -> EventGame:
    """Return a game; ``guests`` has the first time that a guest entered, by the mark of the address."""
    over = rows[0].kept
    from_there = {it for row in rows if row.player for it in (row.began_from, row.ended_from)}
    return EventGame(
        rows[0].id,
        over,
        bool(rows[0].complete),
        tuple(SeatResult(row.name, row.kind, row.score, row.place) for row in rows),
        tuple(row.player for row in rows),
        bool(rows[0].again),
        tuple(row.since for row in rows),
        any(guests.get(it, over) < over for it in from_there),
    )


KIND: Final = "tournament"


class StoredTournament(NamedTuple):
    """A tournament."""

    id: str
    """Unique for all time; short and speakable."""
    opened: float
    """In seconds since 1970."""
    over: float
    """When it ended; 0 while it has not."""
    state: Mapping[str, Any]
    """Everything else, as JSON: with ids of people, without seeds."""


_ALL: Final = "SELECT id, opened, over, state FROM tournaments"


class TournamentStore(Repository):
    """Tournaments in a ``Database``. All methods raise ``StoreError`` when it does not work."""

    @writes
    def keep(
        self, connection: Connection, tournament: StoredTournament, event: Event | None = None
    ) -> None:
        """Store or replace a tournament, together with the event of a round that begins."""
        row = {**tournament._asdict(), "state": to_json(dict(tournament.state))}
        connection.upsert("tournaments", "id", row)
        if event is not None:
            # If the answer was lost when it was kept before, nobody has been told of that one.
            connection.upsert("events", "id", to_row(event))

    @reads
    def find(self, connection: Connection, tournament: str) -> StoredTournament | None:
        """Return the tournament with this id; ``None`` when there is none."""
        row = connection.execute(f"{_ALL} WHERE id = :id", id=tournament).fetchone()
        return None if row is None else _tournament(row)

    @reads
    def newest(self, connection: Connection, limit: int = 20) -> Sequence[StoredTournament]:
        """Return the newest tournaments, the last opened first."""
        query = f"{_ALL} ORDER BY opened DESC, id LIMIT :limit"
        return [_tournament(row) for row in connection.execute(query, limit=limit)]

    @reads
    def still_open(self, connection: Connection) -> Sequence[StoredTournament]:
        """Return tournaments that are not over, the first opened first."""
        query = f"{_ALL} WHERE over = 0 ORDER BY opened, id"
        return [_tournament(row) for row in connection.execute(query)]


def _tournament(row: Any) -> StoredTournament:
    return StoredTournament(row.id, row.opened, row.over, json.loads(row.state))
