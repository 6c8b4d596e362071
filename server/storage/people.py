"""People who have played here, and their erasure.

The store has plain data: ``server.coordinator.people.people`` decides which names are possible and which look
alike, and hashes codes.
"""

import json
import re
from collections.abc import Callable, Container, Iterable, Mapping, Set
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

import structlog

from server import StoreError
from server.storage.databases.connection import Connection, to_json
from server.storage.databases.database import Repository, reads, writes

MOST_NAMES: Final = 5
"""Names that one person may hold."""
MOST_FOLLOWED: Final = 100
"""People whom one person can follow."""


class Person(NamedTuple):
    """A person who has logged in at least once."""

    id: str
    """Stable; beginning with ``account:`` or ``guest:``."""
    name: str
    """As it is shown; nobody else has any of the person's names."""
    guest: bool
    """A guest has no key, and is forgotten after a while."""
    created: float
    """In seconds since 1970, as all times here."""
    seen: float
    """When the person last logged in."""
    settings: Mapping[str, Any] = MappingProxyType({})
    """The person's settings."""


class NotedLogin(NamedTuple):
    """A login that was noted."""

    person: Person
    followers: tuple[str, ...] = ()
    """Ids of the person's followers, unless the person was here a moment ago."""


class Claim(NamedTuple):
    """A name that a person wants."""

    name: str
    skeleton: str
    """A form that no two people's names may share."""
    also: tuple[str, ...] = ()
    """Other skeletons that it has on some terminals: nobody else may have these, either."""


By = Literal["id", "key", "code", "skeleton"]


class NoNameFree(Exception):
    """Every name that was wanted belongs to another person."""


_log = structlog.get_logger("storage")

SEEN_TO: Final = 900
"""Seconds: a quarter of an hour."""
MOST_BLOCKED: Final = 50
"""Maximum people that a person can block."""
BLOCKED: Final = "blocked"
"""The setting with the people that are blocked: names by id."""
SHOWS_RESULTS: Final = "shows_results"
SHOWS_VISITS: Final = "shows_visits"
FOLLOWABLE: Final = "followable"
"""Settings: whether others may see a person's results and visits, and follow the person."""


def blocked_in(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return ids and names of the people who are blocked in settings, without invalid entries."""
    kept = settings.get(BLOCKED)
    if not isinstance(kept, Mapping):
        return {}
    pairs = list(kept.items())[:MOST_BLOCKED]
    return {who: name for who, name in pairs if isinstance(who, str) and isinstance(name, str)}


def lets(settings: Mapping[str, Any], what: str) -> bool:
    """Return whether settings allow one of the three above."""
    return settings.get(what) is not False


def are_apart(one: Person, other: Person) -> bool:
    """Return whether one of two people has blocked the other."""
    return other.id in blocked_in(one.settings) or one.id in blocked_in(other.settings)


_SELECT: Final = "SELECT id, people.name, guest, created, seen, settings FROM people "
_WHERE: Final[Mapping[By, str]] = {
    "id": "WHERE id = :it",
    "code": "WHERE code = :it",
    "key": "JOIN keys ON keys.person = id WHERE fingerprint = :it",
    "skeleton": "JOIN names ON names.person = id WHERE skeleton = :it",
}
_FOLLOWERS: Final = "SELECT person FROM follows WHERE whom = :it"
_FOLLOWED: Final = f"{_SELECT} JOIN follows ON whom = id WHERE person = :it ORDER BY people.name"
# Moves results and names of an account to another one; what is left is deleted with it.
_JOIN: Final = (
    "UPDATE event_players SET player = :new WHERE player = :old",
    "UPDATE names SET person = :new WHERE person = :old",
    "UPDATE record_seats SET player = :new WHERE player = :old",
    "UPDATE season_places SET player = :new WHERE player = :old",
    """
    INSERT INTO follows (person, whom) SELECT :new, whom FROM follows
    WHERE person = :old AND whom <> :new ON CONFLICT DO NOTHING
    """,
    """
    INSERT INTO follows (person, whom) SELECT person, :new FROM follows
    WHERE whom = :old AND person <> :new ON CONFLICT DO NOTHING
    """,
    "DELETE FROM people WHERE id = :old",
)
_REMOVE: Final = "DELETE FROM people WHERE id = :it"
# Guests who have come back meanwhile stay.
_REMOVE_AS_SEEN: Final = f"{_REMOVE} AND seen = :seen"
_DISOWN: Final = "UPDATE record_seats SET player = '' WHERE player = :it"
_GUESTS: Final = "SELECT id, seen FROM people WHERE guest = 1 ORDER BY seen DESC, id"
_BOTH: Final = """
    SELECT mine.event, mine.at, other.at FROM event_players AS mine
    JOIN event_players AS other ON other.event = mine.event AND other.player = :new
    WHERE mine.player = :old
"""
_AGAIN: Final = """
    UPDATE records SET again = 1 WHERE event = :event AND event <> ''
    AND id IN (SELECT record_id FROM record_seats WHERE player = :player)
"""
_NOT_BEGUN: Final = "DELETE FROM event_players WHERE event = :event AND player = :player"


class PeopleStore(Repository):
    """People in a ``Database``. All methods raise ``StoreError``."""

    @reads
    def find(self, connection: Connection, by: By, it: str) -> Person | None:
        """Return the person with this id, key, rejoin code (hashed) or name.

        A name matches one that looks like it.
        """
        return _find(connection, by, it)

    @writes
    def add(
        self,
        connection: Connection,
        person: Person,
        claims: Iterable[Claim],
        *,
        key: str = "",
        code: str = "",
    ) -> Person:
        """Store a new person under the first name that is free, with a key or a rejoin code (hashed).

        Returns the owner of the key, if there is one, and stores nothing. Raises ``NoNameFree``.
        """
        row = person._asdict() | {"guest": int(person.guest), "code": code or None}
        connection.insert("people", row | {"settings": to_json({**person.settings})})
        added = {"fingerprint": key, "person": person.id, "added": person.created}
        if key and not connection.insert("keys", added, conflict="ON CONFLICT DO NOTHING"):
            connection.execute(_REMOVE, it=person.id)
            known = _find(connection, "key", key)
            if known is None:
                raise StoreError  # it has just been moved to another account
            return known
        for claim in claims:
            if _claim(connection, claim, person.id):
                rename = "UPDATE people SET name = :name WHERE id = :person"
                connection.execute(rename, person=person.id, name=claim.name)
                return person._replace(name=claim.name)
        raise NoNameFree

    @writes
    def came(
        self,
        connection: Connection,
        person: str,
        now: float,
        claims: Iterable[Claim] = (),
        *,
        away: float = 0.0,
    ) -> NotedLogin | None:
        """Note a login, under the first name of ``claims`` that the person holds or that is free.

        The name stays if the person has ``MOST_NAMES`` already. Returns the followers to notify if the person
        has been ``away`` for so many seconds.
        """
        connection.lock_rows("people", "id", [person])
        known = _find(connection, "id", person)
        if known is None:
            return None
        name = _claimed(connection, person, claims) or known.name
        query = "UPDATE people SET name = :name, seen = :now WHERE id = :id"
        connection.execute(query, id=person, name=name, now=now)
        told = connection.execute(_FOLLOWERS, it=person) if now - known.seen >= away else ()
        return NotedLogin(known._replace(name=name, seen=now), tuple([row.person for row in told]))

    @writes
    def left(self, connection: Connection, person: str, now: float) -> None:
        """Note that a person was here until ``now``."""
        query = "UPDATE people SET seen = :now WHERE id = :id AND seen < :now"
        connection.execute(query, id=person, now=now)

    @writes
    def follow(self, connection: Connection, person: str, whom: str) -> bool:
        """Have a person follow another one; return False if that would be more than ``MOST_FOLLOWED``.

        Raises ``LookupError`` if there is no such person any more.
        """
        connection.lock_rows("people", "id", {person, whom})
        if _find(connection, "id", person) is None or _find(connection, "id", whom) is None:
            raise LookupError(whom)
        counted = "SELECT COUNT(*) FROM follows WHERE person = :it AND whom <> :whom"
        if connection.scalar(counted, it=person, whom=whom) >= MOST_FOLLOWED:
            return False
        row = {"person": person, "whom": whom}
        connection.insert("follows", row, conflict="ON CONFLICT DO NOTHING")
        return True

    @writes
    def unfollow(self, connection: Connection, person: str, whom: str) -> None:
        """Have a person no longer follow another one."""
        query = "DELETE FROM follows WHERE person = :person AND whom = :whom"
        connection.execute(query, person=person, whom=whom)

    @reads
    def followed(self, connection: Connection, person: str) -> tuple[Person, ...]:
        """Return the people that a person follows, by name."""
        return tuple(map(_person, connection.execute(_FOLLOWED, it=person)))

    @writes
    def add_key(self, connection: Connection, person: str, fingerprint: str, now: float) -> str:
        """Give ``person`` a key, and return the id of the account whose last key it was; empty for none.

        That account is deleted, and its names and results are the person's. Raises ``LookupError`` without
        such a person.
        """
        owner = _find(connection, "key", fingerprint)
        connection.lock_rows("people", "id", {person, owner.id} if owner else {person})
        connection.lock_rows("keys", "fingerprint", [fingerprint])
        if _find(connection, "id", person) is None:
            raise LookupError(person)
        before = _find(connection, "key", fingerprint)
        if before and before.id == person:
            return ""
        row = {"fingerprint": fingerprint, "person": person, "added": now}
        connection.upsert("keys", "fingerprint", row)
        others = "SELECT COUNT(*) FROM keys WHERE person = :it"
        if before is None or connection.scalar(others, it=before.id):
            return ""
        _drop_second_tries(connection, before.id, person)
        for sql in _JOIN:
            connection.execute(sql, old=before.id, new=person)
        return before.id

    @reads
    def password_of(self, connection: Connection, fingerprint: str) -> str:
        """Return the id of the server password that was given with this key; empty for none."""
        sql = "SELECT password FROM keys WHERE fingerprint = :it"
        return connection.scalar(sql, it=fingerprint) or ""

    @writes
    def set_password(self, connection: Connection, fingerprint: str, password: str) -> None:
        """Store the id of the password that was given with a key; does nothing for an unknown key."""
        query = "UPDATE keys SET password = :password WHERE fingerprint = :it"
        connection.execute(query, it=fingerprint, password=password)

    @writes
    def set_settings(
        self, connection: Connection, person: str, settings: Mapping[str, Any]
    ) -> None:
        """Store all settings of a person; does nothing if there is no such person."""
        query = "UPDATE people SET settings = :settings WHERE id = :id"
        connection.execute(query, id=person, settings=to_json(settings))

    @writes
    def forget(self, connection: Connection, person: str) -> None:
        """Delete a person with keys, codes, names and settings. Results stay, without a player."""
        connection.execute(_DISOWN, it=person)
        connection.execute(_REMOVE, it=person)

    @writes
    def forget_guests(
        self, connection: Connection, before: float, most: int, keep: Callable[[str], bool]
    ) -> int:
        """Delete guests not seen since ``before``, and the longest unseen beyond ``most``, but for ``keep``.

        Returns how many.
        """
        gone = 0
        for place, (person, seen) in enumerate(connection.execute(_GUESTS).fetchall()):
            old = seen < before or place >= most
            if old and not keep(person):
                removed = connection.execute(_REMOVE_AS_SEEN, it=person, seen=seen).rowcount
                if removed:
                    connection.execute(_DISOWN, it=person)
                gone += removed
        return gone


def _drop_second_tries(connection: Connection, old: str, new: str) -> None:
    """Delete second tries of a person who had two accounts: the deal was known from the first one."""
    for event, first, second in connection.execute(_BOTH, old=old, new=new).fetchall():
        later = old if second <= first else new
        connection.execute(_AGAIN, event=event, player=later)
        connection.execute(_NOT_BEGUN, event=event, player=later)


def _find(connection: Connection, by: By, it: str) -> Person | None:
    row = connection.execute(_SELECT + _WHERE[by], it=it).fetchone()
    return None if row is None else _person(row)


def _person(row: Any) -> Person:
    try:
        settings = dict(json.loads(row.settings))
    except (ValueError, TypeError):
        # Damaged settings are replaced by the defaults.
        _log.error("settings_unreadable", person=row.id)
        settings = {}
    return Person(row.id, row.name, bool(row.guest), row.created, row.seen, settings)


def _claim(connection: Connection, claim: Claim, person: str, held: Set[str] = frozenset()) -> bool:
    """Take a name; return whether it and its other forms were free or are ``held`` already."""
    wanted = sorted({claim.skeleton, *claim.also} - held)
    rows = [{"skeleton": it, "name": claim.name, "person": person} for it in wanted]
    if connection.insert("names", *rows, conflict="ON CONFLICT DO NOTHING") == len(rows):
        return True
    undo = "DELETE FROM names WHERE skeleton = :it AND person = :person"
    for it in wanted:
        connection.execute(undo, it=it, person=person)
    return False


def _claimed(connection: Connection, person: str, claims: Iterable[Claim]) -> str:
    """Take the first of these names that the person holds or that is free; return it, or an empty one."""
    rows = connection.execute("SELECT skeleton, name FROM names WHERE person = :it", it=person)
    held = {row.skeleton: row.name for row in rows}
    own = "UPDATE names SET name = :name WHERE skeleton = :it AND person = :person"
    for claim in claims:
        looks = {claim.skeleton, *claim.also}
        known = looks & held.keys()
        if looks != known and len(set(held.values())) >= MOST_NAMES:
            continue
        if _claim(connection, claim, person, known):
            for skeleton in known:
                connection.execute(own, it=skeleton, name=claim.name, person=person)
            return claim.name
    return ""


FORMER: Final = "former"
"""The name of erased people in finished games: short enough for every screen."""


class Occurrences(NamedTuple):
    """What is stored about a person who may be erased."""

    person: str
    """The id; empty for a name that only stands in finished games."""
    name: str
    guest: bool
    names: tuple[str, ...]
    """All names of the person."""
    keys: int
    games: int
    """Finished games of the person."""
    rated: bool
    reports: int
    """Reports by or about the person."""
    bans: int
    """Bans of one of the person's keys or names; they stay."""
    tables: tuple[str, ...] = ()
    """Titles of tables and unfinished tournaments with a seat of the person, who cannot be erased before."""


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
"""Seats in finished games of a person of that name who is not known any more."""
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
    # Keys, names, rating and follows are deleted with it.
    "DELETE FROM people WHERE id = :it",
)


def forget(connection: Connection, found: Occurrences) -> list[str]:
    """Erase a person, also from the disk.

    Changes nothing if the person has a seat at a table or in an unfinished tournament, which may be in a
    server's memory: returns their titles.
    """
    connection.stay_patient()
    # Nothing else takes a seat or writes the name meanwhile.
    connection.lock_tables("tables", "tournaments", "event_players", "records", "record_seats")
    connection.lock_tables("people", "season_places", "audit", "bans", "mutes", "reports")
    if tables := _tables_of(connection, found.person):
        return tables
    connection.overwrite_removed()
    names = {found.name, *found.names}
    if found.person:
        _rename(connection, "player = :it", found.person)
        unseat = partial(_unseat, {name.casefold() for name in names})
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
        if any((seat.get("player") or {}).get("id") == person for seat in table.get("seats", ()))
    ]
    for number, state in connection.execute("SELECT id, state FROM tournaments WHERE over = 0"):
        held = json.loads(state)
        if person in (held.get("director"), *(each["player"] for each in held["play"]["entrants"])):
            titles.append(f"{held.get('plan', {}).get('name')} ({number})")
    return titles


def _unseat(folded: Container[str], row: Any) -> None:
    """Remove a person's names from a table: from its last game, games won there, and seats kept."""
    played_by = row.get("played_by", ())
    row["played_by"] = [FORMER if name.casefold() in folded else name for name in played_by]
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
    """Replace the names at these seats of finished games, in lists and records."""
    found = connection.execute(f"SELECT record_id, seat FROM record_seats WHERE {where}", it=it)
    seats = found.fetchall()
    connection.execute(f"UPDATE record_seats SET name = '{FORMER}' WHERE {where}", it=it)
    for number, seat in seats:
        content = connection.scalar("SELECT content FROM records WHERE id = :it", it=number)
        new = _edited(partial(_unname, seat), content)
        connection.execute("UPDATE records SET content = :new WHERE id = :it", new=new, it=number)


def _unname(seat: int, record: Any) -> None:
    """Replace the name at that seat."""
    record["players"][seat] = FORMER


_NAMES: Final = {
    "reports": ("reporter_name", "about_name", "closed_by"),
    "mutes": ("name", "made_by"),
    "bans": ("made_by",),
    "audit": ("about",),
}
"""Columns that may have the name of a forgotten guest or of an operator."""
_TEXTS: Final = (
    ("reports", "id", "content"),
    ("reports", "id", "answer"),
    ("mutes", "person", "reason"),
    ("bans", "id", "reason"),
)
"""Table, key and column of texts in which others may have written the name."""
_WRITTEN: Final = frozenset({"reason", "text"})
"""Details of the audit log that operators wrote."""


def _unmention(connection: Connection, person: str, names: Iterable[str]) -> None:
    """Replace the names in what others have written, and remove blocks of the person."""
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
        # Blocks of a forgotten guest of that name, too.
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
    """Return JSON text after ``edit``; unchanged if it is not valid."""
    try:
        whole = json.loads(text)
        edit(whole)
    except (ValueError, LookupError, TypeError, AttributeError):
        return text
    return to_json(whole)


def _rewrite(
    connection: Connection,
    table: str,
    key: str,
    column: str,
    change: Callable[[str], str],
    *words: str,
) -> None:
    """Change a column of the rows of a table in which it has one of ``words``.

    The database searches: reading hundreds of thousands of rows here would block writers for seconds.
    """
    update = f"UPDATE {table} SET {column} = :new WHERE {key} = :it"
    where, values = _mentioning(column, words)
    query = f"SELECT {key}, {column} FROM {table} WHERE {where}"
    for it, text in connection.execute(query, values).fetchall():
        if (new := change(text)) != text:
            connection.execute(update, new=new, it=it)


def _mentioning(column: str, words: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Return a condition for rows whose ``column`` may have one of ``words``, in any case, and its values.

    Some other rows meet it as well: wildcards stand for what JSON may escape, and for letters beyond ASCII,
    whose case not every database knows.
    """
    patterns = {f"word{n}": f"%{_UNSURE.sub('%', word)}%".lower() for n, word in enumerate(words)}
    return f"({' OR '.join(f'LOWER({column}) LIKE :{name}' for name in patterns)})", patterns


_UNSURE: Final = re.compile(r"[^0-9A-Za-z ]+")


def _count(connection: Connection, rows: str, it: str) -> int:
    return int(connection.scalar(f"SELECT COUNT(*) FROM {rows}", it=it))
