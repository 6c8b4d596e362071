"""People who have played here.

The store knows plain data: which names there could be and when two of them look alike is decided elsewhere
(``server.coordinator.people.people``), and codes come hashed.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Set
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

import structlog

from server.storage.databases.connection import Connection, to_json
from server.storage.databases.database import Repository, reads, writes
from server.storage.store import StoreError

MOST_NAMES: Final = 5
"""Names that one person may hold."""
MOST_FOLLOWED: Final = 100
"""People whom one person can follow."""


class Person(NamedTuple):
    """Somebody who has come in at least once."""

    id: str
    """Stable; beginning with ``account:`` or ``guest:``."""
    name: str
    """As it is shown; all of the person's names belong to him or her alone."""
    guest: bool
    """Has no key, and is forgotten after a while."""
    created: float
    """In seconds since 1970, as all times here."""
    seen: float
    """When the person last came in."""
    settings: Mapping[str, Any] = MappingProxyType({})
    """The person's settings."""


class Came(NamedTuple):
    """Somebody has come in."""

    person: Person
    followers: tuple[str, ...] = ()
    """Ids of who follows the person, unless he or she has been here only just now."""


class Claim(NamedTuple):
    """A name that somebody would like."""

    name: str
    skeleton: str
    """No two people may have names with the same one."""
    also: tuple[str, ...] = ()
    """Other skeletons that it has on some terminals: these are the person's as well."""


By = Literal["id", "key", "code", "skeleton"]


class NoNameFree(Exception):
    """Every name that was asked for belongs to somebody else."""


_log = structlog.get_logger("storage")

_SELECT: Final = "SELECT id, people.name, guest, created, seen, settings FROM people "
_WHERE: Final[Mapping[By, str]] = {
    "id": "WHERE id = :it",
    "code": "WHERE code = :it",
    "key": "JOIN keys ON keys.person = id WHERE fingerprint = :it",
    "skeleton": "JOIN names ON names.person = id WHERE skeleton = :it",
}
_FOLLOWERS: Final = "SELECT person FROM follows WHERE whom = :it"
_FOLLOWED: Final = f"{_SELECT} JOIN follows ON whom = id WHERE person = :it ORDER BY people.name"
# Results and names of one account become another one's. What is left of the old one's goes with it.
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
# Who has come back meanwhile stays.
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
    """People in a ``Database``. All methods raise ``StoreError`` when it does not work."""

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
        """Keep a new person under the first name that is free, with a key or a rejoin code (hashed).

        If somebody has that key already, that person is the answer, and nothing is kept. Raises
        ``NoNameFree``.
        """
        row = person._asdict() | {"guest": int(person.guest), "code": code or None}
        connection.insert("people", row | {"settings": to_json({**person.settings})})
        added = {"fingerprint": key, "person": person.id, "added": person.created}
        if key and not connection.insert("keys", added, conflict="ON CONFLICT DO NOTHING"):
            connection.execute(_REMOVE, it=person.id)
            known = _find(connection, "key", key)
            if known is None:
                raise StoreError  # it has just been taken from whoever had it
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
    ) -> Came | None:
        """Note a login, under the first name of ``claims`` that the person holds or that is free.

        Unless there are ``MOST_NAMES`` already; else under the name as before. Returns the followers to
        notify of a person who has been ``away`` for so many seconds.
        """
        connection.lock_rows("people", "id", [person])
        known = _find(connection, "id", person)
        if known is None:
            return None
        name = _claimed(connection, person, claims) or known.name
        query = "UPDATE people SET name = :name, seen = :now WHERE id = :id"
        connection.execute(query, id=person, name=name, now=now)
        told = connection.execute(_FOLLOWERS, it=person) if now - known.seen >= away else ()
        return Came(known._replace(name=name, seen=now), tuple([row.person for row in told]))

    @writes
    def left(self, connection: Connection, person: str, now: float) -> None:
        """Note that a person was here until ``now``."""
        query = "UPDATE people SET seen = :now WHERE id = :id AND seen < :now"
        connection.execute(query, id=person, now=now)

    @writes
    def follow(self, connection: Connection, person: str, whom: str) -> bool:
        """A person follows another one from now on; false where that would be more than ``MOST_FOLLOWED``.

        Raises ``LookupError`` when there is no such person any more.
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
        """End a person's following of another one."""
        query = "DELETE FROM follows WHERE person = :person AND whom = :whom"
        connection.execute(query, person=person, whom=whom)

    @reads
    def followed(self, connection: Connection, person: str) -> tuple[Person, ...]:
        """Return the people that a person follows, by name."""
        return tuple(map(_person, connection.execute(_FOLLOWED, it=person)))

    @writes
    def add_key(self, connection: Connection, person: str, fingerprint: str, now: float) -> str:
        """The key belongs to ``person`` from now on; the id of the account that it was the last key of.

        That one is no more: its names and results are now the other's. Empty when there was none. Raises
        ``LookupError`` when there is no such person.
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
    def word_of(self, connection: Connection, fingerprint: str) -> str:
        """Return the server password that was given with this key; empty for none."""
        sql = "SELECT word FROM keys WHERE fingerprint = :it"
        return connection.scalar(sql, it=fingerprint) or ""

    @writes
    def set_word(self, connection: Connection, fingerprint: str, word: str) -> None:
        """Keep that ``word`` has been given with this key. Nothing happens when nobody has it."""
        query = "UPDATE keys SET word = :word WHERE fingerprint = :it"
        connection.execute(query, it=fingerprint, word=word)

    @writes
    def set_settings(
        self, connection: Connection, person: str, settings: Mapping[str, Any]
    ) -> None:
        """Keep what the person has chosen, all of it. Nothing happens when there is no such person."""
        query = "UPDATE people SET settings = :settings WHERE id = :id"
        connection.execute(query, id=person, settings=to_json(settings))

    @writes
    def forget(self, connection: Connection, person: str) -> None:
        """Remove a person: keys, codes, names, settings. Results stay, nobody's."""
        connection.execute(_DISOWN, it=person)
        connection.execute(_REMOVE, it=person)

    @writes
    def forget_guests(
        self, connection: Connection, before: float, most: int, keep: Callable[[str], bool]
    ) -> int:
        """Forget guests not seen since ``before``, and the longest unseen beyond ``most``; how many.

        Those whom ``keep`` names stay.
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
    """Drop second tries of one person under two names.

    The one that was begun first counts, and the other one was played with the deal known.
    """
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
        # Better the usual ones than nobody who comes in; what the person chooses next takes their place.
        _log.error("settings_unreadable", person=row.id)
        settings = {}
    return Person(row.id, row.name, bool(row.guest), row.created, row.seen, settings)


def _claim(connection: Connection, claim: Claim, person: str, held: Set[str] = frozenset()) -> bool:
    """Take a name; whether it, and all that looks like it, was still free or is ``held`` already."""
    wanted = sorted({claim.skeleton, *claim.also} - held)
    rows = [{"skeleton": it, "name": claim.name, "person": person} for it in wanted]
    if connection.insert("names", *rows, conflict="ON CONFLICT DO NOTHING") == len(rows):
        return True
    undo = "DELETE FROM names WHERE skeleton = :it AND person = :person"
    for it in wanted:
        connection.execute(undo, it=it, person=person)
    return False


def _claimed(connection: Connection, person: str, claims: Iterable[Claim]) -> str:
    """The first of these names that the person holds, perhaps only now; empty when none can be had."""
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
