"""People in a database."""

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, Final

import structlog
from sqlalchemy import Connection
from typing_extensions import override

from server.storage.database import Database
from server.storage.people import MOST_NAMES, Claim, NoNameFree, PeopleStore, Person
from server.storage.statements import execute, to_json

_log = structlog.get_logger("storage")

_SELECT: Final = (
    "SELECT people.id, people.name, people.guest, people.created, people.seen, people.settings "
    "FROM people "
)
_CLAIM: Final = "INSERT INTO names (skeleton, name, person) VALUES (:skeleton, :name, :person)"
_CLAIM_IF_FREE: Final = f"{_CLAIM} ON CONFLICT DO NOTHING"
_OWNER: Final = "SELECT person FROM names WHERE skeleton = :skeleton"
_ADD: Final = """
    INSERT INTO people (id, name, guest, code, created, seen, settings)
    VALUES (:id, :name, :guest, :code, :created, :seen, '{}')
"""
_ADD_KEY: Final = "INSERT INTO keys (fingerprint, person, added) VALUES (:key, :person, :now)"
_ADD_KEY_IF_NEW: Final = f"{_ADD_KEY} ON CONFLICT DO NOTHING"
_RENAME: Final = "UPDATE people SET name = :name WHERE id = :person"
_REMOVE: Final = "DELETE FROM people WHERE id = :it"
_MOVE_KEY: Final = "UPDATE keys SET person = :person, added = :now WHERE fingerprint = :key"
_GUESTS: Final = "SELECT id, seen FROM people WHERE guest = 1 ORDER BY seen DESC, id"


class SqlPeople(PeopleStore):
    """People in a ``Database``."""

    def __init__(self, database: Database) -> None:
        self._database: Final = database

    @override
    async def with_key(self, fingerprint: str) -> Person | None:
        return await self._one(
            "JOIN keys ON keys.person = people.id WHERE keys.fingerprint = :it", fingerprint
        )

    @override
    async def with_code(self, digest: str) -> Person | None:
        return await self._one("WHERE people.code = :it", digest)

    @override
    async def with_skeleton(self, skeleton: str) -> Person | None:
        return await self._one(
            "JOIN names ON names.person = people.id WHERE names.skeleton = :it", skeleton
        )

    @override
    async def get(self, person: str) -> Person | None:
        return await self._one("WHERE people.id = :it", person)

    @override
    async def add(
        self, person: Person, claims: Iterable[Claim], *, key: str = "", code: str = ""
    ) -> Person:

        def work(connection: Connection) -> Person:
            # As if nobody had the key nor the first of the names, which is so as a rule: no question is asked
            # that the insertion answers as well.
            tried = iter(claims)
            first = claim = next(tried, None)
            values = person._asdict() | {"guest": int(person.guest), "code": code or None}
            execute(connection, _ADD, values | {"name": claim.name if claim else ""})
            if key:
                added = {"key": key, "person": person.id, "now": person.created}
                if not execute(connection, _ADD_KEY_IF_NEW, added).rowcount:
                    execute(connection, _REMOVE, {"it": person.id})
                    return _with_key(connection, key)
            while claim is not None and not _claim(connection, claim, person.id):
                claim = next(tried, None)
            if claim is None:
                raise NoNameFree
            if claim is not first:
                execute(connection, _RENAME, {"person": person.id, "name": claim.name})
            return person._replace(name=claim.name)

        return await self._database.change(work)

    @override
    async def came(self, person: str, now: float, claims: Iterable[Claim] = ()) -> Person | None:

        def work(connection: Connection) -> Person | None:
            known = _find(connection, "WHERE id = :it", person)
            if known is None:
                return None
            name = _claimed(connection, person, claims) or known.name
            execute(
                connection,
                "UPDATE people SET name = :name, seen = :now WHERE id = :id",
                {"id": person, "name": name, "now": now},
            )
            return known._replace(name=name, seen=now)

        return await self._database.change(work)

    @override
    async def keys_of(self, person: str) -> tuple[str, ...]:
        return await self._database.read(lambda connection: _keys(connection, person))

    @override
    async def add_key(self, person: str, fingerprint: str, now: float) -> str:

        def work(connection: Connection) -> str:
            if _find(connection, "WHERE id = :it", person) is None:
                raise LookupError(person)
            before = _find(
                connection, "JOIN keys ON person = id WHERE fingerprint = :it", fingerprint
            )
            if before and before.id == person:
                return ""
            added = {"key": fingerprint, "person": person, "now": now}
            execute(connection, _MOVE_KEY if before else _ADD_KEY, added)
            if before is None or _keys(connection, before.id):
                return ""
            moved = {"old": before.id, "new": person}
            for sql in (
                "UPDATE names SET person = :new WHERE person = :old",
                "UPDATE record_seats SET player = :new WHERE player = :old",
            ):
                execute(connection, sql, moved)
            execute(connection, _REMOVE, {"it": before.id})
            return before.id

        return await self._database.change(work)

    @override
    async def remove_key(self, person: str, fingerprint: str) -> bool:

        def work(connection: Connection) -> bool:
            keys = _keys(connection, person)
            if fingerprint not in keys or len(keys) < 2:
                return False
            execute(connection, "DELETE FROM keys WHERE fingerprint = :it", {"it": fingerprint})
            return True

        return await self._database.change(work)

    @override
    async def word_of(self, fingerprint: str) -> str:
        query = "SELECT word FROM keys WHERE fingerprint = :it"
        return await self._database.read(
            lambda connection: execute(connection, query, {"it": fingerprint}).scalar() or ""
        )

    @override
    async def set_word(self, fingerprint: str, word: str) -> None:
        query = "UPDATE keys SET word = :word WHERE fingerprint = :it"

        def work(connection: Connection) -> None:
            execute(connection, query, {"it": fingerprint, "word": word})

        await self._database.change(work)

    @override
    async def set_settings(self, person: str, settings: Mapping[str, Any]) -> None:
        values = {"id": person, "settings": to_json(settings)}
        query = "UPDATE people SET settings = :settings WHERE id = :id"

        def work(connection: Connection) -> None:
            execute(connection, query, values)

        await self._database.change(work)

    @override
    async def forget(self, person: str) -> bool:

        def work(connection: Connection) -> bool:
            known = _find(connection, "WHERE id = :it", person) is not None
            _forget(connection, [person])
            return known

        return await self._database.change(work)

    @override
    async def forget_guests(self, before: float, most: int, keep: Container[str]) -> int:

        def work(connection: Connection) -> int:
            gone = [
                person
                for place, (person, seen) in enumerate(execute(connection, _GUESTS))
                if (seen < before or place >= most) and person not in keep
            ]
            _forget(connection, gone)
            return len(gone)

        return await self._database.change(work)

    async def _one(self, where: str, it: str) -> Person | None:
        return await self._database.read(lambda connection: _find(connection, where, it))


def _find(connection: Connection, where: str, it: str) -> Person | None:
    row = execute(connection, _SELECT + where, {"it": it}).one_or_none()
    if row is None:
        return None
    try:
        settings = dict(json.loads(row.settings))
    except (ValueError, TypeError):
        # Better the usual ones than nobody who comes in; what the person chooses next takes their place.
        _log.error("settings_unreadable", person=row.id)
        settings = {}
    return Person(row.id, row.name, bool(row.guest), row.created, row.seen, settings)


def _with_key(connection: Connection, key: str) -> Person:
    found = _find(connection, "JOIN keys ON person = id WHERE fingerprint = :it", key)
    assert found is not None
    return found


def _claim(connection: Connection, claim: Claim, person: str) -> bool:
    """Take a name; whether it, and what looks like it, was still free."""
    return bool(execute(connection, _CLAIM_IF_FREE, claim._asdict() | {"person": person}).rowcount)


def _claimed(connection: Connection, person: str, claims: Iterable[Claim]) -> str:
    """The first of these names that the person holds, perhaps only now; empty when none can be had."""
    counted = "SELECT COUNT(*) FROM names WHERE person = :it"
    held = execute(connection, counted, {"it": person}).scalar_one()
    for claim in claims:
        owner = _owner(connection, claim)
        if not owner and held < MOST_NAMES:
            execute(connection, _CLAIM, claim._asdict() | {"person": person})
            return claim.name
        if owner == person:
            execute(
                connection,
                "UPDATE names SET name = :name WHERE skeleton = :skeleton",
                claim._asdict(),
            )
            return claim.name
    return ""


def _owner(connection: Connection, claim: Claim) -> str:
    """Who has that name, or one that looks like it; empty when nobody has."""
    return execute(connection, _OWNER, {"skeleton": claim.skeleton}).scalar() or ""


def _keys(connection: Connection, person: str) -> tuple[str, ...]:
    query = "SELECT fingerprint FROM keys WHERE person = :it ORDER BY added, fingerprint"
    return tuple(execute(connection, query, {"it": person}).scalars())


def _forget(connection: Connection, people: Sequence[str]) -> None:
    if people:
        values = [{"it": person} for person in people]
        execute(connection, "UPDATE record_seats SET player = '' WHERE player = :it", values)
        execute(connection, _REMOVE, values)
