"""Access for all, with the server's password, or by a listed key.

The policy only answers; each transport asks in its own way. The files are read whenever the policy is
asked, so what an operator changes there counts from then on.
"""

import asyncio
import hashlib
import hmac
import secrets
import unicodedata
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

import structlog

from server import Problem, StoreError
from server.i18n.lookup import Words
from server.networks import RateLimiter, network_of
from server.private_files import draft_of, give_to_owner_of, read_with_mode
from server.settings.settings import Settings
from server.transport.access.limiter import ConnectionLimiter, Reason
from server.transport.access.login import OPERATORS, PLAYERS, AuthorizedKeys

FILE: Final = "password"
"""Name of the file with the server's password, in the keys directory."""
LONGEST: Final = 200
"""Maximum characters of a password that count: more would be work for nothing."""

_log = structlog.get_logger("gate")

_SCHEME: Final = b"scrypt"
_BYTES: Final = 32


class PasswordProblem(Problem):
    """The file with the password cannot be used."""


class HashedPassword(NamedTuple):
    """A password as it is kept: nobody can read it."""

    salt: bytes
    digest: bytes

    @property
    def id(self) -> str:
        """Identifies this password among those before and after it, and says nothing about any."""
        return hashlib.sha256(b"password " + self.salt).hexdigest()[:16]

    def fits(self, password: str) -> bool:
        """Return whether this is the password. Takes some 60 ms and 16 MB, on purpose."""
        return hmac.compare_digest(_digest(password, self.salt), self.digest)


def plain(password: str) -> str:
    """Return a password as it counts: with accents composed, and without blanks around it."""
    return unicodedata.normalize("NFKC", password[: 4 * LONGEST]).strip()[:LONGEST]


def write(path: Path, password: str) -> None:
    """Keep ``password`` in place of any other. Raises ``OSError``."""
    salt = secrets.token_bytes(16)
    parts = (b64encode(part) for part in (salt, _digest(password, salt)))
    with draft_of(path, b"$".join((_SCHEME, *parts)) + b"\n") as draft:
        give_to_owner_of(path.parent, draft)
        draft.replace(path)


def read(path: Path) -> HashedPassword | None:
    """Return the password that is kept there, or ``None``. Raises ``PasswordProblem``."""
    try:
        text, mode = read_with_mode(path, 1024)
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise PasswordProblem(f"{path}: {problem.strerror or problem}") from None
    if mode & 0o077:
        raise PasswordProblem(f"{path}: others can read it; put it right with: chmod 600 {path}")
    try:
        scheme, *parts = text.strip().split(b"$")
        salt, digest = (b64decode(part, validate=True) for part in parts)
    except ValueError:
        scheme = salt = digest = b""
    if scheme != _SCHEME or len(digest) != _BYTES:
        raise PasswordProblem(f"{path}: holds no password; set one with: tide password")
    return HashedPassword(salt, digest)


def _digest(password: str, salt: bytes) -> bytes:
    text = plain(password).encode("utf-8", "replace")
    return hashlib.scrypt(text, salt=salt, n=2**14, r=8, p=1, dklen=_BYTES)


WRONG_PASSWORDS: Final = 10
"""Wrong passwords from one network, before it has to wait ..."""
WRONG_PASSWORD_SECONDS: Final = 30.0
"""... this many seconds for each further attempt."""
_AT_ONCE: Final = 2
"""Passwords that are hashed at the same time: each takes a while, and a thread."""


class PasswordCheck(NamedTuple):
    """The result of an attempt with a password."""

    id: str = ""
    """The ``HashedPassword.id`` of the right password; empty for a wrong one."""
    must_wait: bool = False
    """Too many wrong ones came from there; this one has not been checked."""

    def refusal(self, words: Words) -> str:
        """Say why the attempt failed."""
        if self.must_wait:
            return words.t("Too many wrong passwords have come from your address: wait a minute.")
        return words.t("That is not the password.")


class AccessPolicy:
    """Decides about logins.

    ``given`` returns the id of the password that the owner of a key (``SHA256:...``) gave on an earlier
    visit.
    """

    def __init__(
        self, settings: Settings, limiter: ConnectionLimiter, given: Callable[[str], Awaitable[str]]
    ) -> None:
        self._settings = settings
        self._limiter: Final = limiter
        self._given: Final = given
        self._lists: Final = tuple(
            AuthorizedKeys(settings.keys / name) for name in (PLAYERS, OPERATORS)
        )
        self.patience: Final = RateLimiter(WRONG_PASSWORDS, WRONG_PASSWORD_SECONDS)
        """With wrong passwords, by network."""
        self._threads: Final = ThreadPoolExecutor(_AT_ONCE, "password")
        self._trouble = ""

    def adjust(self, settings: Settings) -> None:
        """From now on these are in force."""
        self._settings = settings
        if self.asks_password:
            self._kept()  # so that the log tells when there is none

    def check(self) -> None:
        """Raise ``PasswordProblem`` when a password is asked for, and there is none that can be used."""
        if self.asks_password:
            self._read()

    @property
    def asks_password(self) -> bool:
        """Whether a password is asked for."""
        return self._settings.access == "password"

    @property
    def keys_only(self) -> bool:
        """Only those may come in whose key is listed; and nobody, where the setting is none that is known."""
        return self._settings.access not in {"open", "password"}

    def lists(self, key: bytes, address: str) -> bool:
        """Whether the operator has listed the key, which is in its wire form."""
        known = self._settings.access in {"open", "password", "keys"}
        return known and any(one.knows(key, address) for one in self._lists)

    async def needs_password(self, key: bytes, fingerprint: str, address: str) -> bool:
        """Whether the owner of this key has to give the password: once is enough, until it is changed."""
        if not self.asks_password or self.lists(key, address):
            return False
        kept = self._kept()
        try:
            return kept is None or await self._given(fingerprint) != kept.id
        except StoreError:  # it is not known, so the password is asked for once more
            return True

    async def check_password(self, password: str, address: str) -> PasswordCheck:
        """Check a password that came from ``address``. It is neither kept nor logged."""
        network = network_of(address)
        kept = self._kept()
        if self.patience.wait(network, self._limiter.now()) > 0:
            self._limiter.refuse(Reason.WRONG_PASSWORDS, address)
            return PasswordCheck(must_wait=True)
        # Only a wrong one uses up patience: many may give the right one at the same moment. On many
        # connections at once, a guesser gains as many guesses as may wait to log in from one address.
        loop = asyncio.get_running_loop()
        if kept is not None and await loop.run_in_executor(self._threads, kept.fits, password):
            return PasswordCheck(kept.id)
        self.patience.take(network, self._limiter.now())
        self._limiter.refuse(Reason.WRONG_PASSWORD, address)
        return PasswordCheck()

    def close(self) -> None:
        """Stop checking passwords."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _kept(self) -> HashedPassword | None:
        """Return the password; ``None``, and nothing fits, while there is none that can be used."""
        kept, trouble = None, ""
        try:
            kept = self._read()
        except PasswordProblem as problem:
            trouble = str(problem)
        if trouble and trouble != self._trouble:
            _log.error("nobody_can_come_in", reason=trouble)
        self._trouble = trouble
        return kept

    def _read(self) -> HashedPassword:
        path = self._settings.keys / FILE
        if (kept := read(path)) is None:
            raise PasswordProblem(
                f"{path}: players are asked for a password, and there is none; set one with: tide password"
            )
        return kept
