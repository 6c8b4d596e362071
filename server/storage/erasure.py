"""Removing a person for good: what belonged to nobody else goes, what others need stays without the name."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from server.storage.sqlite import overwrite_removed
from server.storage.statements import execute, to_json

FORMER: Final = "former"
"""What a person is called in finished games from then on: short enough for every screen."""


class Seated(Exception):
    """The person has a seat, so there is a game that needs him or her; ``tables`` are their titles."""

    def __init__(self, tables: Sequence[str]) -> None:
        super().__init__(", ".join(tables))
        self.tables: Final = tuple(tables)


class Occurrences(NamedTuple):
    """Somebody who could be removed."""

    person: str
    """The id; empty for a name that only stands in finished games."""
    name: str
    guest: bool
    names: tuple[str, ...]
    """All that belong to the person."""
    keys: int
    games: int
    """Finished games that the person was in."""
    rated: bool
    reports: int
    """By or about the person."""
    bans: int
    """Of one of the person's keys or names; they stay."""
    tables: tuple[str, ...] = ()
    """Where the person has a seat, in words: as long as that is so, nobody is removed."""


def find(connection: Connection, *, skeleton: str, name: str, key: str = "") -> Occurrences | None:
    """Whoever has this name, or this key (``SHA256:...``), now or, as a guest, in finished games."""
    person = _one(connection, "SELECT person FROM keys WHERE fingerprint = :it", key) or _one(
        connection, "SELECT person FROM names WHERE skeleton = :it", skeleton
    )
    if person is None:
        games = len(_seats(connection, _NOBODYS, name))
        return Occurrences("", name, True, (), 0, games, False, 0, 0) if games else None
    row = execute(connection, "SELECT name, guest FROM people WHERE id = :it", it=person).one()
    keys = _all(connection, "SELECT fingerprint FROM keys WHERE person = :it", person)
    skeletons = _all(connection, "SELECT skeleton FROM names WHERE person = :it", person)
    banned = [_count(connection, "bans", "matched = :it", one) for one in (*keys, *skeletons)]
    return Occurrences(
        person,
        row.name,
        bool(row.guest),
        tuple(_all(connection, "SELECT name FROM names WHERE person = :it", person)),
        len(keys),
        _count(connection, "record_seats", "player = :it", person),
        bool(_count(connection, "ratings", "person = :it", person)),
        _count(connection, "reports", "reporter = :it OR about = :it", person),
        sum(banned),
        tuple(_tables_of(connection, person)),
    )


def forget(connection: Connection, found: Occurrences) -> None:
    """Remove the person, also from the disk. Raises ``Seated``; then nothing has changed."""
    overwrite_removed(connection)
    names = {found.name, *found.names}
    if not found.person:
        _rename(connection, _seats(connection, _NOBODYS, found.name))
        _unmention(connection, names)
        return
    if tables := _tables_of(connection, found.person):
        raise Seated(tables)
    _rename(connection, _seats(connection, "player = :it", found.person))
    _unblock(connection, found.person)
    _unseat(connection, found.person, names)
    for sql in (
        "UPDATE record_seats SET player = '', source = '' WHERE player = :it",
        "DELETE FROM reports WHERE reporter = :it OR about = :it",
        "DELETE FROM mutes WHERE person = :it",
        "UPDATE audit SET name = :former"
        " WHERE who IN (SELECT fingerprint FROM keys WHERE person = :it)",
        # Keys, names, the rating and what was chosen go with it.
        "DELETE FROM people WHERE id = :it",
    ):
        execute(connection, sql, it=found.person, former=FORMER)
    for name in names:
        query = "UPDATE audit SET about = :former, details = '{}' WHERE about = :it"
        execute(connection, query, it=name, former=FORMER)
    _unmention(connection, names)


def _tables_of(connection: Connection, person: str) -> list[str]:
    """Titles of the tables that keep a seat for the person."""
    titles = []
    for content in execute(connection, "SELECT content FROM tables").scalars():
        row = json.loads(content)
        seats = row.get("seats", ())
        if any((seat.get("player") or [""])[0] == person for seat in seats):
            titles.append(f"{row.get('title')} ({row.get('id')})")
    return titles


def _unseat(connection: Connection, person: str, names: Iterable[str]) -> None:
    """Tables that the person opened, or where a seat is kept for one of the names, keep neither."""
    folded = {name.casefold() for name in names}
    for key, content in execute(connection, "SELECT key, content FROM tables").all():
        row = json.loads(content)
        if row.get("opened_by") == person:
            row["opened_by"] = ""
        for seat in row.get("seats", ()):
            if str(seat.get("kept", "")).casefold() in folded:
                seat["kept"] = ""
        if (new := to_json(row)) != content:
            _replace(connection, "tables", "content", "key", key, new)


_NOBODYS: Final = "player = '' AND name = :it AND kind <> 'bot'"
"""Seats in finished games where somebody of that name sat who is not known any more."""


def _seats(connection: Connection, where: str, it: str) -> list[Any]:
    return list(
        execute(connection, f"SELECT record_id, seat FROM record_seats WHERE {where}", it=it)
    )


def _rename(connection: Connection, seats: Iterable[Any]) -> None:
    """Take the name from these seats, in the lists and in the records."""
    for number, seat in seats:
        query = "UPDATE record_seats SET name = :name WHERE record_id = :id AND seat = :seat"
        execute(connection, query, name=FORMER, id=number, seat=seat)
        content = _one(connection, "SELECT content FROM records WHERE id = :it", number)
        if changed := _without_name(content, seat):
            _replace(connection, "records", "content", "id", number, changed)


def _without_name(content: str, seat: int) -> str:
    """The record with another name at that seat; empty when it cannot be read."""
    try:
        record: Any = json.loads(content)
        record["players"][seat] = FORMER
    except (ValueError, LookupError, TypeError):
        return ""
    return to_json(record)


def _unblock(connection: Connection, person: str) -> None:
    """Whoever has blocked the person keeps neither id nor name."""
    query = "SELECT id, settings FROM people WHERE settings LIKE :it"
    for row in execute(connection, query, it=f"%{person}%").all():
        settings = json.loads(row.settings)
        for value in settings.values():
            if isinstance(value, dict):
                value.pop(person, None)
        _replace(connection, "people", "settings", "id", row.id, to_json(settings))


_NAMES: Final = {
    "reports": ("reporter_name", "about_name", "closed_by"),
    "mutes": ("name", "made_by"),
    "bans": ("made_by",),
    "audit": ("about",),
}
"""Columns that may have the name of a guest whom nobody knows any more, or of who was an operator."""
_TEXTS: Final = {
    "reports": ("content", "answer"),
    "mutes": ("reason",),
    "bans": ("reason",),
    "audit": ("details",),
    "people": ("settings",),
}
"""Columns in which others may have written the name."""
_WRITTEN: Final = frozenset({"reason", "text"})
"""Details of what operators did that are their own words."""


def _unmention(connection: Connection, names: Iterable[str]) -> None:
    """What others have written of the person stays, without the name."""
    for table, columns in _NAMES.items():
        for column in columns:
            sql = f"UPDATE {table} SET {column} = :former WHERE {column} = :name"
            for name in names:
                execute(connection, sql, former=FORMER, name=name)
    longest = sorted(names, key=len, reverse=True)
    found = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE)
    for table, columns in _TEXTS.items():
        key = "person" if table == "mutes" else "id"
        for column in columns:
            for it, text in execute(connection, f"SELECT {key}, {column} FROM {table}").all():
                if (new := _without(text, found, column)) != text:
                    _replace(connection, table, column, key, it, new)


def _without(text: str, names: re.Pattern[str], column: str) -> str:
    """The text without these names."""
    if column not in ("details", "settings"):
        return names.sub(FORMER, text)
    try:
        whole = json.loads(text)
    except ValueError:
        return text
    before = to_json(whole)
    for key, value in whole.items():
        if column == "details" and key in _WRITTEN and isinstance(value, str):
            whole[key] = names.sub(FORMER, value)
        elif column == "settings" and isinstance(value, dict):
            # A guest of that name who was blocked and has gone: the block is for nobody, too.
            whole[key] = {
                one: each for one, each in value.items() if not names.fullmatch(str(each))
            }
    after = to_json(whole)
    return text if after == before else after


def _replace(
    connection: Connection, table: str, column: str, key: str, it: object, new: str
) -> None:
    execute(connection, f"UPDATE {table} SET {column} = :new WHERE {key} = :it", new=new, it=it)


def _one(connection: Connection, sql: str, it: object) -> Any:
    return execute(connection, sql, it=it).scalar() if it else None


def _all(connection: Connection, sql: str, it: str) -> list[str]:
    return list(execute(connection, sql, it=it).scalars())


def _count(connection: Connection, table: str, where: str, it: str) -> int:
    query = f"SELECT COUNT(*) FROM {table} WHERE {where}"
    return int(execute(connection, query, it=it).scalar_one())
