"""Who may come in: everybody, those who know the server's word, or those whose key is listed.

The policy only answers; how somebody is asked is the business of each line. It looks at its files whenever
it is asked, so what an operator changes there counts from then on.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple

import structlog

from server.i18n.lookup import Words
from server.networks import network_of
from server.rate_limiter import RateLimiter
from server.settings.settings import Settings
from server.storage.store import StoreError
from server.transport.access import password
from server.transport.access.authorized_keys import AuthorizedKeys
from server.transport.access.limiter import ConnectionLimiter, Reason
from server.transport.access.password import HashedPassword, PasswordProblem

if TYPE_CHECKING:
    import asyncssh

log = structlog.get_logger("gate")

PLAYERS: Final = "players"
"""File in the keys directory: keys that need no word, and may come in when only listed keys may."""
OPERATORS: Final = "authorized_keys"
"""The same for operators."""
WRONG_WORDS: Final = 10
"""From one network, before it has to wait ..."""
WRONG_WORD_SECONDS: Final = 30.0
"""... so long for each further attempt."""
_AT_ONCE: Final = 2
"""Words that are looked at: each takes a while, and a thread."""


class Heard(NamedTuple):
    """What comes of a word that somebody has said."""

    word: str = ""
    """Which one it is; empty when it does not fit."""
    must_wait: bool = False
    """Too many wrong ones came from there; this one has not been looked at."""

    def refusal(self, words: Words) -> str:
        """For who has not said the right one."""
        if self.must_wait:
            return words.t("Too many wrong passwords have come from your address: wait a minute.")
        return words.t("That is not the password.")


class AccessPolicy:
    """``given`` tells which word the owner of a key (``SHA256:...``) has given on an earlier visit."""

    def __init__(
        self, settings: Settings, limiter: ConnectionLimiter, given: Callable[[str], Awaitable[str]]
    ) -> None:
        self._settings = settings
        self._limiter: Final = limiter
        self._given: Final = given
        self._lists: Final = tuple(
            AuthorizedKeys(settings.keys / name) for name in (PLAYERS, OPERATORS)
        )
        self.patience: Final = RateLimiter(WRONG_WORDS, WRONG_WORD_SECONDS)
        """With those who say wrong words."""
        self._threads: Final = ThreadPoolExecutor(_AT_ONCE, "word")
        self._trouble = ""

    def adjust(self, settings: Settings) -> None:
        """From now on these are in force."""
        self._settings = settings
        if self.asks_word:
            self._kept()  # so that the log tells when there is none

    def check(self) -> None:
        """Raises ``PasswordProblem`` when a word is asked for, and there is none that can be used."""
        if self.asks_word:
            self._read()

    @property
    def asks_word(self) -> bool:
        """A word is asked for."""
        return self._settings.access == "password"

    @property
    def keys_only(self) -> bool:
        """Only those may come in whose key is listed; and nobody, where the setting is none that is known."""
        return self._settings.access not in {"open", "password"}

    def lists(self, key: "asyncssh.SSHKey", address: str) -> bool:
        """Whether the key is one of those that the operator has listed."""
        known = self._settings.access in {"open", "password", "keys"}
        return known and any(one.knows(key, address) for one in self._lists)

    async def needs_word(self, key: "asyncssh.SSHKey", fingerprint: str, address: str) -> bool:
        """Whether the owner of this key has to say the word: once is enough, until there is another word."""
        if not self.asks_word or self.lists(key, address):
            return False
        kept = self._kept()
        try:
            return kept is None or await self._given(fingerprint) != kept.id
        except StoreError:  # it is not known, so the word is asked for once more
            return True

    async def says(self, word: str, address: str) -> Heard:
        """Somebody who comes from ``address`` says a word. It is neither kept nor logged."""
        network = network_of(address)
        kept = self._kept()
        if self.patience.wait(network, self._limiter.now()) > 0:
            self._limiter.refuse(Reason.WORDS, address)
            return Heard(must_wait=True)
        # Only a wrong one uses up patience: many may say the right one at the same moment. Whoever guesses on
        # many lines at once gains as many guesses as may wait to log in from one address.
        loop = asyncio.get_running_loop()
        if kept is not None and await loop.run_in_executor(self._threads, kept.fits, word):
            return Heard(kept.id)
        self.patience.take(network, self._limiter.now())
        self._limiter.refuse(Reason.WORD, address)
        return Heard()

    def close(self) -> None:
        """Nobody comes any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _kept(self) -> HashedPassword | None:
        """The word; ``None``, and nothing fits, while there is none that can be used."""
        kept, trouble = None, ""
        try:
            kept = self._read()
        except PasswordProblem as problem:
            trouble = str(problem)
        if trouble and trouble != self._trouble:
            log.error("nobody_can_come_in", reason=trouble)
        self._trouble = trouble
        return kept

    def _read(self) -> HashedPassword:
        path = self._settings.keys / password.FILE
        if (kept := password.read(path)) is None:
            raise PasswordProblem(
                f"{path}: players are asked for a password, and there is none; set one with: tide password"
            )
        return kept
