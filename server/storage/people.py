"""Who has played here: what a store of people promises.

The store knows plain data: which names there could be and when two of them look alike is decided
elsewhere (``server.coordinator.people.people``), and codes come hashed.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, Protocol

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


By = Literal["id", "key", "code", "skeleton"]


class NoNameFree(Exception):
    """Every name that was asked for belongs to somebody else."""


class PeopleStore(Protocol):
    """Every method is one transaction; one that writes returns when that would survive power loss.

    All raise ``StoreError`` when the database does not work.
    """

    async def find(self, by: By, it: str) -> Person | None:
        """Whose id or key this is, the guest with this rejoin code (hashed), or who holds a name that looks
        like this.
        """

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

    async def add_key(self, person: str, fingerprint: str, now: float) -> str:
        """The key belongs to ``person`` from now on; the id of the account that it was the last key of.

        That one is no more: its names and results are now the other's. Empty when there was none. Raises
        ``LookupError`` when there is no such person.
        """

    async def word_of(self, fingerprint: str) -> str:
        """Which server word has been given with this key; empty for none."""

    async def set_word(self, fingerprint: str, word: str) -> None:
        """Keep that ``word`` has been given with this key. Nothing happens when nobody has it."""

    async def set_settings(self, person: str, settings: Mapping[str, Any]) -> None:
        """Keep what the person has chosen, all of it. Nothing happens when there is no such person."""

    async def forget(self, person: str) -> None:
        """Remove a person: keys, codes, names, settings. Results stay, nobody's."""

    async def forget_guests(self, before: float, most: int, keep: Callable[[str], bool]) -> int:
        """Forget guests not seen since ``before``, and the longest unseen beyond ``most``; how many.

        Those whom ``keep`` names stay.
        """
