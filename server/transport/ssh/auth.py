"""At the door of the SSH line: people come in with a key, with none, or with the server's word."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, cast

import asyncssh
from asyncssh.auth import KbdIntChallenge, KbdIntResponse

from server.i18n.catalogues import Words, words_for
from server.transport.access.limiter import Reason
from server.transport.access.login_name import Login, parse_login
from server.transport.access.policy import AccessPolicy, Admission
from server.transport.ssh.connection import SshConnection

if TYPE_CHECKING:
    from server.transport.ssh.session import SshSession

_MOST_WRONG: Final = 3
"""Wrong words after which a client has to begin anew; as many again, and the connection is ended."""


class SshAuth(asyncssh.SSHServer):
    """Answers what asyncssh asks about one connection. Whatever is not mentioned here is refused:
    forwarding in either direction, agents, X11, tunnels.
    """

    def __init__(self, make_session: "Callable[[SshConnection], SshSession]") -> None:
        self._make_session: Final = make_session
        self._connection: SshConnection | None = None
        self._gate: AccessPolicy
        self._login = Login("")
        self._words: Words = words_for("")
        self._wrong = 0

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """See ``asyncssh.SSHServer``."""
        self._connection = cast(SshConnection, conn)
        self._gate = self._connection.house.gate

    def connection_lost(self, exc: Exception | None) -> None:
        """See ``asyncssh.SSHServer``."""
        self._connection = None

    def begin_auth(self, username: str) -> bool:
        """Always ask: OpenSSH tries to come in without a key first, and would never offer one."""
        self._login = parse_login(username)
        self._words = words_for(self._login.language)
        if self._gate.keys_only and self._connection is not None:
            said = self._words.t("Only players whose SSH key this server knows may come in.")
            self._connection.send_auth_banner(f"{said}\r\n")
        return True

    def auth_completed(self) -> None:
        """See ``asyncssh.SSHServer``."""
        if self._connection is not None:
            self._connection.come_in(self._login)

    def public_key_auth_supported(self) -> bool:
        """Whoever has a key is known by it. One is enough."""
        return self._connection is not None and not self._connection.asks_word_only

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Any key, or a listed one; that it is really theirs is checked afterwards."""
        connection = self._connection
        if connection is None or not self._gate.keys_only:
            return connection is not None
        if self._gate.lists(key, connection.address):
            return True
        connection.house.guard.refuse(Reason.KEY, connection.address)
        return False

    def kbdint_auth_supported(self) -> bool:
        """Whoever has no key comes in this way, or says the word."""
        return not self._gate.keys_only

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> KbdIntChallenge:
        """No questions, or one."""
        if not self._gate.asks_word:
            return "", "", "", []
        return self._question(
            self._words.t("Whoever invited you here knows this server's password.")
        )

    async def validate_kbdint_response(
        self, username: str, responses: KbdIntResponse
    ) -> KbdIntChallenge:
        """No answers, or one."""
        if not self._gate.asks_word:
            return self._gate.open
        if not responses:
            return self._question("")
        if await self._says(responses[0]):
            return True
        if self._wrong < _MOST_WRONG:
            return self._question(self._words.t("That is not the word."))
        return False

    def password_auth_supported(self) -> bool:
        """For clients that can do nothing else."""
        return not self._gate.keys_only

    async def validate_password(self, username: str, password: str) -> bool:
        """The word, or whatever it is: then it is not looked at. It is never kept nor logged."""
        if self._gate.asks_word:
            return await self._says(password)
        return self._gate.open

    def _question(self, instruction: str) -> KbdIntChallenge:
        return "", instruction, "", [(f"{self._words.t('Server word:')} ", False)]

    async def _says(self, word: str) -> bool:
        """Whether that is the word. Who has said too many wrong ones is told so, and has to go."""
        connection = self._connection
        if connection is None:
            return False
        answer, given = await self._gate.says(word, connection.address)
        if answer is Admission.FITS:
            connection.word = given
            return True
        self._wrong += 1
        if answer is Admission.WAIT:
            wait = self._words.t(
                "Too many wrong passwords have come from your address: wait a minute."
            )
            connection.disconnect(asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, wait)
        elif self._wrong >= 2 * _MOST_WRONG:
            connection.disconnect(
                asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE,
                self._words.t("That is not the word."),
            )
        return False

    def session_requested(self) -> "SshSession | bool":
        """See ``asyncssh.SSHServer``."""
        connection = self._connection
        if connection is None or not connection.may_open():
            return False
        return self._make_session(connection)
