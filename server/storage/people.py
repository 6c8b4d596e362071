"""Who has played here: the protocol for keeping people, and an implementation in memory.

The store knows plain data: which names there could be and when two of them look alike is decided
elsewhere (``server.coordinator.people.people``), and codes come hashed.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

MOST_NAMES: Final = 5
"""That one person may hold."""


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
    """What the person has chosen."""


class Claim(NamedTuple):
    """A name that somebody would like."""

    name: str
    skeleton: str
    """No two people may have names with the same one."""


class NoNameFree(Exception):
    """Every name that was asked for belongs to somebody else."""


class PeopleStore(Protocol):
    """Every method is one transaction; one that writes returns when that would survive power loss.

    All raise ``StoreError`` when the database does not work.
    """

    async def with_key(self, fingerprint: str) -> Person | None:
        """Whose key this is."""

    async def with_code(self, digest: str) -> Person | None:
        """The guest with this rejoin code."""

    async def with_skeleton(self, skeleton: str) -> Person | None:
        """Who holds a name that looks like this."""

    async def get(self, person: str) -> Person | None:
        """The person with this id."""

    async def add(
        self, person: Person, claims: Iterable[Claim], *, key: str = "", code: str = ""
    ) -> Person:
        """Keep a new person under the first name that is free, with a key or a rejoin code (hashed).

        If somebody has that key already, that person is the answer, and nothing is kept. Raises
        ``NoNameFree``.
        """

    async def came(self, person: str, now: float, claims: Iterable[Claim] = ()) -> Person | None:
        """A person came in, and is shown under the first name of ``claims`` that he or she holds or that
        is free, unless there are ``MOST_NAMES`` already; else under the name as before.
        """

    async def keys_of(self, person: str) -> tuple[str, ...]:
        """Fingerprints, oldest first."""

    async def add_key(self, person: str, fingerprint: str, now: float) -> str:
        """The key belongs to ``person`` from now on; the id of the account that it was the last key of.

        That one is no more: its names and results are now the other's. Empty when there was none. Raises
        ``LookupError`` when there is no such person.
        """

    async def remove_key(self, person: str, fingerprint: str) -> bool:
        """Take a key from a person, unless it is the last; whether it was done."""

    async def word_of(self, fingerprint: str) -> str:
        """Which server word has been given with this key; empty for none."""

    async def set_word(self, fingerprint: str, word: str) -> None:
        """Keep that ``word`` has been given with this key. Nothing happens when nobody has it."""

    async def set_settings(self, person: str, settings: Mapping[str, Any]) -> None:
        """Keep what the person has chosen, all of it. Nothing happens when there is no such person."""

    async def forget(self, person: str) -> bool:
        """Remove a person: keys, codes, names, settings. Results stay, nobody's; whether there was one."""

    async def forget_guests(self, before: float, most: int, keep: Container[str]) -> int:
        """Forget guests not seen since ``before``, and the longest unseen beyond ``most``; how many.

        Those in ``keep`` stay.
        """


@dataclass
class _Kept:
    person: Person
    code: str = ""


class MemoryPeople:
    """Keeps everybody in this process: for tests, and for a server that keeps nothing."""

    def __init__(self) -> None:
        self._people: Final[dict[str, _Kept]] = {}
        self._names: Final[dict[str, tuple[str, str]]] = {}
        """Skeleton to name and person."""
        self._keys: Final[dict[str, str]] = {}
        self._words: Final[dict[str, str]] = {}
        """Of keys."""

    async def with_key(self, fingerprint: str) -> Person | None:
        """See ``PeopleStore``."""
        return await self.get(self._keys.get(fingerprint, ""))

    async def with_code(self, digest: str) -> Person | None:
        """See ``PeopleStore``."""
        return next(
            (kept.person for kept in self._people.values() if kept.code and kept.code == digest),
            None,
        )

    async def with_skeleton(self, skeleton: str) -> Person | None:
        """See ``PeopleStore``."""
        return await self.get(self._names.get(skeleton, ("", ""))[1])

    async def get(self, person: str) -> Person | None:
        """See ``PeopleStore``."""
        kept = self._people.get(person)
        return kept.person if kept else None

    async def add(
        self, person: Person, claims: Iterable[Claim], *, key: str = "", code: str = ""
    ) -> Person:
        """See ``PeopleStore``."""
        if key in self._keys:
            return self._people[self._keys[key]].person
        for claim in claims:
            if claim.skeleton not in self._names:
                break
        else:
            raise NoNameFree
        person = person._replace(name=claim.name)
        self._people[person.id] = _Kept(person, code)
        self._names[claim.skeleton] = claim.name, person.id
        if key:
            self._keys[key] = person.id
        return person

    async def came(self, person: str, now: float, claims: Iterable[Claim] = ()) -> Person | None:
        """See ``PeopleStore``."""
        kept = self._people.get(person)
        if kept is None:
            return None
        name = kept.person.name
        held = sum(owner == person for _, owner in self._names.values())
        for claim in claims:
            _, owner = self._names.get(claim.skeleton, ("", ""))
            if owner == person or (not owner and held < MOST_NAMES):
                name = claim.name
                self._names[claim.skeleton] = name, person
                break
        kept.person = kept.person._replace(name=name, seen=now)
        return kept.person

    async def keys_of(self, person: str) -> tuple[str, ...]:
        """See ``PeopleStore``."""
        return tuple(key for key, owner in self._keys.items() if owner == person)

    async def add_key(self, person: str, fingerprint: str, now: float) -> str:
        """See ``PeopleStore``."""
        if person not in self._people:
            raise LookupError(person)
        before = self._keys.pop(fingerprint, "")
        self._keys[fingerprint] = person
        if before in {"", person} or await self.keys_of(before):
            return ""
        for skeleton, (name, owner) in self._names.items():
            if owner == before:
                self._names[skeleton] = name, person
        del self._people[before]
        return before

    async def remove_key(self, person: str, fingerprint: str) -> bool:
        """See ``PeopleStore``."""
        keys = await self.keys_of(person)
        if fingerprint not in keys or len(keys) < 2:
            return False
        del self._keys[fingerprint]
        self._words.pop(fingerprint, None)
        return True

    async def word_of(self, fingerprint: str) -> str:
        """See ``PeopleStore``."""
        return self._words.get(fingerprint, "") if fingerprint in self._keys else ""

    async def set_word(self, fingerprint: str, word: str) -> None:
        """See ``PeopleStore``."""
        if fingerprint in self._keys:
            self._words[fingerprint] = word

    async def set_settings(self, person: str, settings: Mapping[str, Any]) -> None:
        """See ``PeopleStore``."""
        if kept := self._people.get(person):
            kept.person = kept.person._replace(settings=dict(settings))

    async def forget(self, person: str) -> bool:
        """See ``PeopleStore``."""
        if self._people.pop(person, None) is None:
            return False
        for skeleton in [key for key, (_, owner) in self._names.items() if owner == person]:
            del self._names[skeleton]
        for key in await self.keys_of(person):
            del self._keys[key]
            self._words.pop(key, None)
        return True

    async def forget_guests(self, before: float, most: int, keep: Container[str]) -> int:
        """See ``PeopleStore``."""
        guests = [kept.person for kept in self._people.values() if kept.person.guest]
        guests.sort(key=lambda guest: guest.seen, reverse=True)
        gone = [
            guest.id
            for place, guest in enumerate(guests)
            if (guest.seen < before or place >= most) and guest.id not in keep
        ]
        for person in gone:
            await self.forget(person)
        return len(gone)
