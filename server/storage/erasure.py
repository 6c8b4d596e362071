"""Removing a person for good: what belonged to nobody else goes, what others need stays without the name."""

import json
import re
from collections.abc import Callable, Container, Iterable
from functools import partial
from typing import Any, Final, NamedTuple

from server.storage.databases.connection import Connection, to_json

FORMER: Final = "former"
"""What a person is called in finished games from then on: short enough for every screen."""


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
    """Reports by or about the person."""
    bans: int
    """Bans of one of the person's keys or names; they stay."""
    tables: tuple[str, ...] = ()
    """Where the person has a seat, or plays a tournament that is not over, in words: as long as that is so,
    nobody is removed."""


def find(connection: Connection, *, skeleton: str, name: str, key: str = "") -> Occurrences | None:
    """Find the person with this name or key (``SHA256:...``), also a guest known from finished games only."""
    having = "SELECT id, name, guest FROM people WHERE id IN (SELECT person FROM"
    row = (
        connection.execute(f"{having} keys WHERE fingerprint = :it)", it=key).fetchone()
        or connection.execute(f"{having} names WHERE skeleton = :it)", it=skeleton).fetchone()
    )
    if row is None:
        games = _count(connection, f"record_seats WHERE {_NOBODYS}", name)
        return Occurrences("", name, True, (), 0, games, False, 0, 0) if games else None
    return Occurrences(
        row.id,
        row.name,
        bool(row.guest),
        tuple(connection.scalars("SELECT name FROM names WHERE person = :it", it=row.id)),
        _count(connection, "keys WHERE person = :it", row.id),
        _count(connection, "record_seats WHERE player = :it", row.id),
        bool(_count(connection, "ratings WHERE person = :it", row.id)),
        _count(connection, "reports WHERE reporter = :it OR about = :it", row.id),
        _count(connection, f"bans WHERE matched IN ({_MATCHED})", row.id),
        tuple(_tables_of(connection, row.id)),
    )


_NOBODYS: Final = "player = '' AND name = :it AND kind <> 'bot'"
"""Seats in finished games where somebody of that name sat who is not known any more."""
_MATCHED: Final = """
    SELECT fingerprint FROM keys WHERE person = :it
    UNION SELECT skeleton FROM names WHERE person = :it
"""
_ERASE: Final = (
    "UPDATE record_seats SET player = '', source = '' WHERE player = :it",
    "UPDATE season_places SET player = '' WHERE player = :it",
    "DELETE FROM reports WHERE reporter = :it OR about = :it",
    "DELETE FROM mutes WHERE person = :it",
    "DELETE FROM event_players WHERE player = :it",
    f"""
    UPDATE audit SET name = '{FORMER}'
    WHERE who IN (SELECT fingerprint FROM keys WHERE person = :it)
    """,
    # Keys, names, the rating, what was chosen and who follows whom go with it.
    "DELETE FROM people WHERE id = :it",
)


def forget(connection: Connection, found: Occurrences) -> list[str]:
    """Remove the person, also from the disk.

    Unless he or she has a seat or is in a tournament that is not over, which a server may have in
    memory: then nothing has changed, and these are their titles.
    """
    connection.stay_patient()
    # Nobody takes a seat or writes the name meanwhile.
    connection.lock_tables("tables", "tournaments", "event_players", "records", "record_seats")
    connection.lock_tables("people", "season_places", "audit", "bans", "mutes", "reports")
    if tables := _tables_of(connection, found.person):
        return tables
    connection.overwrite_removed()
    names = {found.name, *found.names}
    if found.person:
        _rename(connection, "player = :it", found.person)
        unseat = partial(_unseat, found.person, {name.casefold() for name in names})
        words = (found.person, *names)
        _rewrite(connection, "tables", "key", "content", partial(_edited, unseat), *words)
        erase = partial(_edited, partial(_unenter, found.person))
        _rewrite(connection, "tournaments", "id", "state", erase, found.person)
        for sql in _ERASE:
            connection.execute(sql, it=found.person)
        for name in names:
            query = "UPDATE audit SET about = :former, details = '{}' WHERE about = :it"
            connection.execute(query, it=name, former=FORMER)
    else:
        _rename(connection, _NOBODYS, found.name)
    _unmention(connection, found.person, names)
    return []


def _tables_of(connection: Connection, person: str) -> list[str]:
    """Return the titles of tables and unfinished tournaments that have a seat for the person."""
    if not person:
        return []
    where, values = _mentioning("content", [person])
    contents = connection.scalars(f"SELECT content FROM tables WHERE {where}", values)
    titles = [
        f"{table.get('title')} ({table.get('id')})"
        for table in map(json.loads, contents)
        if any((seat.get("player") or [""])[0] == person for seat in table.get("seats", ()))
    ]
    for number, state in connection.execute("SELECT id, state FROM tournaments WHERE over = 0"):
        held = json.loads(state)
        if person in (held.get("director"), *(each["player"] for each in held["play"]["entrants"])):
            titles.append(f"{held.get('plan', {}).get('name')} ({number})")
    return titles


def _unseat(person: str, folded: Container[str], row: Any) -> None:
    """A table without the person's having opened it, games won there, and seats kept for one of the names."""
    if row.get("opened_by") == person:
        row["opened_by"] = ""
    row["wins"] = [won for won in row.get("wins", ()) if won[0].casefold() not in folded]
    for seat in row.get("seats", ()):
        if str(seat.get("kept", "")).casefold() in folded:
            seat["kept"] = ""


def _unenter(person: str, state: Any) -> None:
    """Remove the person's name from a tournament; results stay."""
    if state["director"] == person:
        state["director"], state["director_name"] = "", FORMER
    for entrant in state["play"]["entrants"]:
        if entrant["player"] == person:
            entrant["player"], entrant["name"] = "", FORMER


def _rename(connection: Connection, where: str, it: str) -> None:
    """Take the name from these seats in finished games, in the lists and in the records."""
    found = connection.execute(f"SELECT record_id, seat FROM record_seats WHERE {where}", it=it)
    seats = found.fetchall()
    connection.execute(f"UPDATE record_seats SET name = '{FORMER}' WHERE {where}", it=it)
    for number, seat in seats:
        only = f"records WHERE id = {number}"
        _rewrite(connection, only, "id", "content", partial(_edited, partial(_unname, seat)))


def _unname(seat: int, record: Any) -> None:
    """Replace the name at that seat."""
    record["players"][seat] = FORMER


_NAMES: Final = {
    "reports": ("reporter_name", "about_name", "closed_by"),
    "mutes": ("name", "made_by"),
    "bans": ("made_by",),
    "audit": ("about",),
}
"""Columns that may have the name of a guest whom nobody knows any more, or of who was an operator."""
_TEXTS: Final = (
    ("reports", "id", "content"),
    ("reports", "id", "answer"),
    ("mutes", "person", "reason"),
    ("bans", "id", "reason"),
)
"""Columns in which others may have written the name, with the key of the table."""
_WRITTEN: Final = frozenset({"reason", "text"})
"""Details of what operators did that are their own words."""


def _unmention(connection: Connection, person: str, names: Iterable[str]) -> None:
    """What others have written of the person stays, without the name; nobody blocks the person any more."""
    for table, columns in _NAMES.items():
        for column in columns:
            sql = f"UPDATE {table} SET {column} = :former WHERE {column} = :name"
            for name in names:
                connection.execute(sql, former=FORMER, name=name)
    longest = sorted(names, key=len, reverse=True)
    found = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)", re.IGNORECASE)

    def details(whole: Any) -> None:
        for key in _WRITTEN & whole.keys():
            if isinstance(whole[key], str):
                whole[key] = found.sub(FORMER, whole[key])

    def settings(whole: Any) -> None:
        # Also a guest of that name who was blocked and has gone: that block is for nobody, too.
        for chosen in whole.values():
            if isinstance(chosen, dict):
                for one, name in tuple(chosen.items()):
                    if one == person or found.fullmatch(str(name)):
                        del chosen[one]

    for table, key, column in _TEXTS:
        _rewrite(connection, table, key, column, partial(found.sub, FORMER), *names)
    _rewrite(connection, "audit", "id", "details", partial(_edited, details), *names)
    words = (person, *names) if person else names
    _rewrite(connection, "people", "id", "settings", partial(_edited, settings), *words)


def _edited(edit: Callable[[Any], None], text: str) -> str:
    """Return JSON text after ``edit``; unchanged if it cannot be read."""
    try:
        whole = json.loads(text)
        edit(whole)
    except (ValueError, LookupError, TypeError, AttributeError):
        return text
    return to_json(whole)


def _rewrite(
    connection: Connection,
    rows: str,
    key: str,
    column: str,
    change: Callable[[str], str],
    *words: str,
) -> None:
    """Change a column of ``rows`` of a table that has one of ``words``, wherever that makes a difference.

    Of all of them without any. The database looks for them: reading hundreds of thousands of rows here
    takes seconds, in which nobody else can write.
    """
    update = f"UPDATE {rows.split(maxsplit=1)[0]} SET {column} = :new WHERE {key} = :it"
    where, values = _mentioning(column, words) if words else ("1 = 1", {})
    rows += f" {'AND' if ' WHERE ' in rows else 'WHERE'} {where}"
    for it, text in connection.execute(f"SELECT {key}, {column} FROM {rows}", values).fetchall():
        if (new := change(text)) != text:
            connection.execute(update, new=new, it=it)


def _mentioning(column: str, words: Iterable[str]) -> tuple[str, dict[str, str]]:
    """A condition for rows whose ``column`` may have one of ``words``, in whatever case, and its values.

    It is true of some others as well: anything stands for what JSON may escape, and for letters beyond
    ASCII, whose case not every database knows.
    """
    patterns = {f"word{n}": f"%{_UNSURE.sub('%', word)}%".lower() for n, word in enumerate(words)}
    return f"({' OR '.join(f'LOWER({column}) LIKE :{name}' for name in patterns)})", patterns


_UNSURE: Final = re.compile(r"[^0-9A-Za-z ]+")


def _count(connection: Connection, rows: str, it: str) -> int:
    return int(connection.scalar(f"SELECT COUNT(*) FROM {rows}", it=it))
