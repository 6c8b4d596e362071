"""SSH authentication: people log in with a key, with nothing, or with the server's password.

Anything that is not overridden here is refused: forwarding in either direction, agents, X11, tunnels.
"""

from typing import Final, cast

import asyncssh
from asyncssh.auth import KbdIntChallenge, KbdIntResponse
from msgspec.structs import replace
from typing_extensions import override

from server.cleaning import clean_word
from server.i18n.lookup import words_for
from server.transport.access.limiter import Reason
from server.transport.access.login_name import parse_login
from server.transport.ssh.connection import SshConnection
from server.transport.ssh.session import SshSession

_LIBRARIES: Final = ("AsyncSSH", "Go", "libssh2", "paramiko", "russh", "ssh2js")
"""Client software of programs, as it names itself."""
_MOST_WRONG: Final = 3
"""Wrong passwords after which a client has to begin anew; as many again, and the connection is ended."""


class SshAuth(asyncssh.SSHServer):
    """Authentication on one connection. asyncssh makes it, and asks it."""

    def __init__(self) -> None:
        self._words = words_for("")
        self._wrong = 0

    @override
    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = cast(SshConnection, conn)
        self._policy = self._connection.server.access

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        """Tell whoever runs the server why an old client, or one limited to FIPS 140, never comes in."""
        if isinstance(exc, asyncssh.KeyExchangeFailed):
            client = clean_word(str(self._connection.get_extra_info("client_version")))
            address = self._connection.caller.address
            self._connection.server.limiter.refuse(Reason.ALGORITHMS, address, client=client)

    @override
    def begin_auth(self, username: str) -> bool:
        """Ask all but those who say they are guests.

        OpenSSH tries to come in without a key first, and would never offer one.
        """
        login = parse_login(username)
        self._connection.caller = replace(self._connection.caller, login=login)
        self._words = words_for(login.language)
        if self._policy.keys_only:
            said = self._words.t("Only players whose SSH key this server knows may come in.")
            self._connection.send_auth_banner(f"{said}\r\n")
        if self._policy.keys_only or self._policy.asks_word:
            return True
        version = str(self._connection.get_extra_info("client_version"))
        if not login.guest and any(map(version.__contains__, _LIBRARIES)):
            # Some give up when they have no key, and do not say why.
            said = self._words.t(
                "Without a key: log in as {login}, or with an empty password.",
                login=f"{login.without_domain().name or 'NAME'}+guest",
            )
            self._connection.send_auth_banner(f"{said}\r\n")
        return not login.guest

    @override
    def auth_completed(self) -> None:
        self._connection.come_in()

    @override
    def session_requested(self) -> SshSession | bool:
        return self._connection.may_open() and SshSession(self._connection)

    # -------------------------------------------------------------- a key

    @override
    def public_key_auth_supported(self) -> bool:
        """Ask for a key, by which people are known. One is enough: then only the password is missing."""
        return not (self._connection.caller.identity and self._policy.asks_word)

    @override
    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Any key, or a listed one; a client may offer any, and what it has signed with is checked later."""
        if not self._policy.keys_only or self._policy.lists(key, self._connection.caller.address):
            self._connection.offered = key
            return True
        self._connection.limit(Reason.KEY)
        return False

    # -------------------------------------------------------------- no key, or the password

    @override
    def kbdint_auth_supported(self) -> bool:
        return not self._policy.keys_only

    @override
    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> KbdIntChallenge:
        """No questions, or one."""
        if not self._policy.asks_word:
            return "", "", "", []
        return self._question(
            self._words.t("Whoever invited you here knows this server's password.")
        )

    @override
    async def validate_kbdint_response(
        self, username: str, responses: KbdIntResponse
    ) -> KbdIntChallenge:
        """No answers, or one."""
        if not self._policy.asks_word:
            return not self._policy.keys_only
        if not responses:
            return self._question("")
        if await self._accepts(responses[0]):
            return True
        if self._wrong < _MOST_WRONG:
            return self._question(self._words.t("That is not the password."))
        return False

    # For clients that can do nothing else.
    password_auth_supported = kbdint_auth_supported

    @override
    async def validate_password(self, username: str, password: str) -> bool:
        """The password, or anything: then it is not looked at. It is never kept nor logged."""
        if self._policy.asks_word:
            return await self._accepts(password)
        return not self._policy.keys_only

    def _question(self, instruction: str) -> KbdIntChallenge:
        return "", instruction, "", [(f"{self._words.t('Server password:')} ", False)]

    async def _accepts(self, password: str) -> bool:
        """Whether that is the password. Who has said too many wrong ones is told so, and has to go."""
        connection = self._connection
        heard = await self._policy.says(password, connection.caller.address)
        if heard.word:
            connection.caller = replace(connection.caller, word=heard.word)
            return True
        self._wrong += 1
        if heard.must_wait or self._wrong >= 2 * _MOST_WRONG:
            said = heard.refusal(self._words)
            connection.disconnect(asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, said)
        return False
