"""People: known by their keys, guests by a rejoin code; every name is one person's."""

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from server import StoreError
from server.coordinator.messages import Player
from server.coordinator.people.names import Claims, digest, new_code, plain_code, skeleton
from server.networks import RateLimiter
from server.storage.people import (
    FOLLOWABLE,
    SHOWS_VISITS,
    NotedLogin,
    PeopleStore,
    Person,
    are_apart,
    blocked_in,
    lets,
)
from server.timers import Clock

_ACCOUNT: Final = "account:"
_GUEST: Final = "guest:"

_GUEST_SECONDS: Final = 3600.0
"""A guest who has been away so long, and has no seat to come back to, is forgotten ..."""
TIDY_SECONDS: Final = _GUEST_SECONDS / 2
"""... at a look after so long."""
_GUESTS: Final = 50_000
"""With more, those who have stayed away longest are forgotten first."""
SEEN_EVERY: Final = 600.0
"""How exactly it is kept when somebody was here, in seconds."""
_LINK_SECONDS: Final = 600.0
"""How long a link code is good."""
WRONG_CODES: Final = 30
"""From one source, before more count as guessing, and link codes have to wait: codes of guests who had no
seat are no good any more, and a whole LAN party may come back from one address ..."""
_WRONG_CODE_SECONDS: Final = 60.0
"""... so long until the next one is free again."""
ACCOUNTS: Final = 30
"""New ones from one source (a whole LAN party may be behind one address) ..."""
ACCOUNT_SECONDS: Final = 120.0
"""... and then one in so long."""


class Credential(NamedTuple):
    """What somebody proves or types on arrival."""

    key: str = ""
    """Fingerprint of a public key that has signed; empty without one."""
    code: str = ""
    """A rejoin or link code, as it was typed."""
    source: str = ""
    """Where it came from: attempts from one source are counted together."""


class Admitted(NamedTuple):
    """Somebody has come in."""

    player: Player
    rejoin_code: str = ""
    """A guest's, to come back with; nobody else may see it, and it is kept nowhere but hashed."""
    notes: tuple[str, ...] = ()
    """What has to be told: ``called`` (not as asked for: that name belongs to somebody else or to the
    server), ``name_kept`` (nor was it asked for to be renamed), ``code_unknown``, ``code_wait`` (too many
    wrong codes from here), ``link_needs_key``, ``link_seated`` (the account that this key opens so far is
    here, or has a seat), ``linked`` (this key now opens this account), ``many_accounts`` (too many new ones
    from here: a guest today)."""
    settings: Mapping[str, Any] = MappingProxyType({})
    """What this person has chosen on earlier visits."""
    new: bool = False
    """Here for the first time."""
    followers: tuple[str, ...] = ()
    """Ids of those who are to be told (``Presence.shuts_out`` of each may have another word)."""


class People:
    """Lets people in. ``seated`` tells whether the person with this id is here, or has a seat anywhere."""

    def __init__(
        self, store: PeopleStore, clock: Clock, *, seated: Callable[[str], bool] = lambda _: False
    ) -> None:
        self.store: Final = store
        self.clock: Final = clock
        self._started: Final = clock.time()
        self._seated: Final = seated
        self.forbidden: tuple[str, ...] = ()
        """Words that no new name may contain (``names.forbidden_words``)."""
        self.codes: Final = RateLimiter(WRONG_CODES, _WRONG_CODE_SECONDS)
        """Wrong ones."""
        self.accounts: Final = RateLimiter(ACCOUNTS, ACCOUNT_SECONDS)
        """New ones."""
        self.links: Final[dict[str, tuple[str, float]]] = {}
        """Digest of a link code to the account and the time until which it is good."""

    async def admit(self, credential: Credential, wanted: str, *, rename: bool = False) -> Admitted:
        """Let somebody in who would like to be called ``wanted`` (clean; may be empty).

        Who is known keeps the name, unless to ``rename`` is what was asked for. Raises
        ``StoreError`` when somebody new cannot be written down; who is known comes in all the same.
        """
        notes: list[str] = []
        new_name = wanted if rename else ""
        if credential.code and (guest := await self._with_code(credential, new_name, notes)):
            if new_name and guest.name != new_name:
                notes.append("called")
            return Admitted(_player(guest), credential.code, tuple(notes), guest.settings)
        person = await self.store.find("key", credential.key) if credential.key else None
        code, new = "", person is None
        followers: tuple[str, ...] = ()
        if person is not None:
            person, followers = await self._back(person, new_name)
        elif credential.key and self.accounts.take(credential.source, self.clock.time()):
            person = await self._new(wanted, key=credential.key)
        else:
            if credential.key:
                notes.append("many_accounts")
            code = new_code()
            person = await self._new(wanted, code=digest(code))
        if new or rename:
            if wanted and person.name != wanted:
                notes.append("called")
        elif skeleton(wanted) not in ("", skeleton(person.name)):
            notes.append("name_kept")
        return Admitted(_player(person), code, tuple(notes), person.settings, new, followers)

    async def known(self, credential: Credential) -> Person | None:
        """Return the person with this credential, without logging anybody in. Raises ``StoreError``."""
        if credential.key:
            return await self.store.find("key", credential.key)
        code = plain_code(credential.code)
        return await self.store.find("code", digest(code)) if code else None

    # ------------------------------------------------------------ several keys

    def link_code(self, account: str) -> str:
        """A code with which a key can be added to this account, once, and soon. Any earlier one is void."""
        now = self.clock.time()
        void = [
            code for code, (owner, until) in self.links.items() if owner == account or until < now
        ]
        for code in void:
            del self.links[code]
        code = new_code()
        self.links[digest(code)] = account, now + _LINK_SECONDS
        return code

    async def link(self, credential: Credential) -> str:
        """Add the key to the account that the code was made for: ``linked``, or why not.

        An account that this was the last key of becomes part of the other. Raises ``StoreError``.
        """
        now = self.clock.time()
        if not self.codes.take(credential.source, now):
            return "code_wait"
        found = digest(credential.code)
        account, until = self.links.get(found, ("", 0.0))
        if until < now:
            return "code_unknown"
        self.codes.give_back(credential.source)
        if not credential.key:
            return "link_needs_key"
        before = await self.store.find("key", credential.key)
        if before is not None and before.id != account and self._seated(before.id):
            return "link_seated"
        # Gone before anything is awaited that another attempt could overtake.
        if self.links.pop(found, None) is None:
            return "code_unknown"
        try:
            await self.store.add_key(account, credential.key, now)
        except LookupError:
            return "code_unknown"
        except StoreError:
            self.links[found] = account, until
            raise
        return "linked"

    # ------------------------------------------------------------ who is known

    async def left(self, person: str) -> None:
        """The connection has ended: a guest without a seat is forgotten, if possible, and the name free."""
        if person.startswith(_GUEST) and not self._seated(person):
            with suppress(StoreError):
                await self.store.forget(person)

    async def was_here(self, person: str) -> None:
        """A visit has ended that has lasted for ``SEEN_EVERY`` or longer."""
        with suppress(StoreError):
            await self.store.left(person, self.clock.time())

    async def known_as(self, asker: str, name: str) -> tuple[Person, Person] | None:
        """Return the asking person, by id, and the account with this name, if they may know of each other.

        Raises ``StoreError``.
        """
        person, who = await self.store.find("skeleton", skeleton(name)), None
        if person is not None and not person.guest:
            who = await self.store.find("id", asker)
        if person is None or who is None or are_apart(person, who):
            return None
        return who, person

    async def follow(self, asker: str, name: str, on: bool) -> str:
        """Have ``asker`` told when the person of that name comes, or no more.

        A code as ``Account.follow``. Raises ``StoreError``.
        """
        if (found := await self.known_as(asker, name)) is None:
            return "no_profile"
        who, person = found
        if who.guest:
            return "follow_guest"
        if who.id == person.id:
            return "own_name"
        if not on:
            await self.store.unfollow(who.id, person.id)
            return "ok"
        if not lets(person.settings, FOLLOWABLE):
            return "not_followable"
        try:
            followed = await self.store.follow(who.id, person.id)
        except LookupError:
            return "no_profile"
        return "ok" if followed else "too_many_followed"

    async def followed(self, asker: str) -> tuple[Person, ...]:
        """Return the people whom somebody follows and may follow. Raises ``StoreError``."""
        who = await self.store.find("id", asker)
        return tuple(
            person
            for person in (await self.store.followed(asker) if who is not None else ())
            if who is not None and lets(person.settings, FOLLOWABLE) and not are_apart(person, who)
        )

    async def tidy(self) -> int:
        """Forget the guests who will not be back; how many. Raises ``StoreError``."""
        before = self._forgotten_before(self.clock.time())
        return await self.store.forget_guests(before, _GUESTS, self._seated)

    async def _with_code(
        self, credential: Credential, new_name: str, notes: list[str]
    ) -> Person | None:
        """The guest who comes back; ``None`` when the code has done something else, or nothing."""
        now = self.clock.time()
        if not plain_code(credential.code):
            notes.append("code_unknown")
            return None
        if digest(credential.code) in self.links:
            notes.append(await self.link(credential))
            return None
        # A right one is good however many wrong ones came from there: after a restart a whole LAN party comes
        # back, and some of their codes may be void. With 57 bits nobody finds one by guessing.
        guest = await self.store.find("code", digest(credential.code))
        # It is only because nobody has tidied yet that a forgotten one is still there.
        forgotten = guest is not None and guest.seen < self._forgotten_before(now)
        if guest is None or (forgotten and not self._seated(guest.id)):
            counted = self.codes.take(credential.source, now)
            notes.append("code_unknown" if counted else "code_wait")
            return None
        return (await self._back(guest, new_name)).person

    def _forgotten_before(self, now: float) -> float:
        """Guests who were last seen before that are forgotten.

        Who was here when the server stopped may have come long before, and nobody could come back
        while it was down: time counts from the start.
        """
        return now - _GUEST_SECONDS if now >= self._started + _GUEST_SECONDS else 0.0

    async def _back(self, person: Person, new_name: str) -> NotedLogin:
        """Followers are told of nobody who was here a moment ago, hides visits, or has blocked them."""
        now, same = self.clock.time(), NotedLogin(person)
        if new_name in ("", person.name) and now - person.seen < SEEN_EVERY:
            return same
        with suppress(StoreError):  # a full disk must not keep anybody from a seat
            claims = Claims(new_name, exact=True, forbidden=self.forbidden)
            came = await self.store.came(person.id, now, claims, away=SEEN_EVERY) or same
            blocked = blocked_in(person.settings)
            shown = all(lets(person.settings, what) for what in (FOLLOWABLE, SHOWS_VISITS))
            told = came.followers if shown else ()
            return NotedLogin(came.person, tuple(each for each in told if each not in blocked))
        return same

    async def _new(self, wanted: str, *, key: str = "", code: str = "") -> Person:
        now = self.clock.time()
        kind = _ACCOUNT if key else _GUEST
        person = Person(f"{kind}{secrets.token_urlsafe(12)}", "", not key, now, now)
        return await self.store.add(
            person, Claims(wanted, forbidden=self.forbidden), key=key, code=code
        )


def _player(person: Person) -> Player:
    return Player(person.id, person.name, person.guest)
