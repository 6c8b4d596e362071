"""The SSH server: its host key, algorithms, authentication, listening, closing.

Anything that is not overridden here is refused: forwarding in either direction, agents, X11, tunnels.

Ed25519 and nothing else: an RSA key would bring SHA-1 signatures back (``ssh-audit`` says so).

A new key is first only announced beside the one in use: OpenSSH's clients then learn it while they still
know by the old one where they are (``UpdateHostKeys``), and nobody is warned of a stranger when it changes.
"""

import asyncio
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import InitVar, dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, cast

import asyncssh
from asyncssh.auth import KbdIntChallenge, KbdIntResponse
from msgspec.structs import replace
from typing_extensions import override

from server import Problem
from server.cleaning import clean_word
from server.i18n.lookup import words_for
from server.private_files import draft_of, give_to_owner_of, read_with_mode, sync, write_new
from server.transport.access.limiter import Reason
from server.transport.access.login import parse_login
from server.transport.net.sockets import Listening, PreAuth, pre_auth
from server.transport.session.server import GameServer
from server.transport.ssh.connection import KINDS, SshConnection
from server.transport.ssh.session import SshSession

_LIBRARIES: Final = ("AsyncSSH", "Go", "libssh2", "paramiko", "russh", "ssh2js")
"""Names of client libraries in their versions."""
_MOST_WRONG: Final = 3
"""Wrong passwords in one keyboard-interactive request; twice as many end the connection."""


class SshAuth(asyncssh.SSHServer):
    """Authentication of one connection, called by asyncssh."""

    def __init__(self) -> None:
        self._words = words_for("")
        self._wrong = 0

    @override
    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = cast(SshConnection, conn)
        self._policy = self._connection.server.access

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        """Log why an old client, or one limited to FIPS 140, cannot connect."""
        if isinstance(exc, asyncssh.KeyExchangeFailed):
            client = clean_word(str(self._connection.get_extra_info("client_version")))
            address = self._connection.caller.address
            self._connection.server.limiter.refuse(Reason.ALGORITHMS, address, client=client)

    @override
    def begin_auth(self, username: str) -> bool:
        """Require authentication of all but declared guests.

        OpenSSH first tries to log in without a key, and would never offer one.
        """
        login = parse_login(username)
        self._connection.caller = replace(self._connection.caller, login=login)
        self._words = words_for(login.language)
        if self._policy.keys_only:
            said = self._words.t("Only players whose SSH key this server knows may come in.")
            self._connection.send_auth_banner(f"{said}\r\n")
        if self._policy.keys_only or self._policy.asks_password:
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
        """Ask for a key, by which people are known, but not for another one beside the password."""
        return not (self._connection.caller.fingerprint and self._policy.asks_password)

    @override
    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Accept any key, or a listed one only; asyncssh checks the signature later."""
        if not self._policy.keys_only or self._policy.lists(
            key.public_data, self._connection.caller.address
        ):
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
        """Ask for the password, if there is one."""
        if not self._policy.asks_password:
            return "", "", "", []
        return self._question(
            self._words.t("Whoever invited you here knows this server's password.")
        )

    @override
    async def validate_kbdint_response(
        self, username: str, responses: KbdIntResponse
    ) -> KbdIntChallenge:
        """Check the password, if there is one."""
        if not self._policy.asks_password:
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
        """Check the password, or accept any without looking at it. It is neither kept nor logged."""
        if self._policy.asks_password:
            return await self._accepts(password)
        return not self._policy.keys_only

    def _question(self, instruction: str) -> KbdIntChallenge:
        return "", instruction, "", [(f"{self._words.t('Server password:')} ", False)]

    async def _accepts(self, password: str) -> bool:
        """Return whether this is the password. After too many wrong ones, say so and disconnect."""
        connection = self._connection
        check = await self._policy.check_password(password, connection.caller.address)
        if check.id:
            connection.caller = replace(connection.caller, password=check.id)
            return True
        self._wrong += 1
        if check.must_wait or self._wrong >= 2 * _MOST_WRONG:
            said = check.refusal(self._words)
            connection.disconnect(asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, said)
        return False


FILE: Final = "ssh_host_ed25519_key"
COMING: Final = f"{FILE}.next"
"""The key that is announced, and not yet in use."""
FORMER: Final = f"{FILE}.old"
"""The key that was in use before."""
ALGORITHM: Final = "ssh-ed25519"


class KeyProblem(Problem):
    """The host key cannot be used."""


class HostKey(NamedTuple):
    """A key pair that identifies this server."""

    key: asyncssh.SSHKey
    path: Path
    made: bool
    """Whether it was made just now."""

    @property
    def fingerprint(self) -> str:
        """The fingerprint as ``ssh`` shows it at the first connection."""
        return self.key.get_fingerprint("sha256")

    @property
    def line(self) -> str:
        """The line that ``ssh-keygen -lf`` shows."""
        comment = self.key.get_comment() or "no comment"
        return f"256 {self.fingerprint} {comment} (ED25519)"

    def known_hosts(self, host: str, port: int) -> str:
        """Return a line for a player's ``known_hosts``."""
        place = host if port == 22 else f"[{host}]:{port}"
        kind, public, *_ = self.key.export_public_key().decode("ascii").split()
        return f"{place} {kind} {public}"

    def sshfp(self, host: str) -> str:
        """Return a DNS record (RFC 4255, RFC 7479): algorithm 4 is Ed25519, fingerprint type 2 SHA-256."""
        return f"{host} IN SSHFP 4 2 {hashlib.sha256(self.key.public_data).hexdigest()}"


def load_or_make(directory: Path, name: str = FILE) -> HostKey:
    """Return the key of this name in ``directory``, made if there is none. Raises ``KeyProblem``."""
    path = directory / name
    with _told(path):
        _make_directory(directory)
        made = not path.exists() and _make(path)
        return HostKey(_load(path), path, made)


def load(directory: Path, name: str = FILE) -> HostKey | None:
    """Return the key of this name in ``directory``, or ``None``. Raises ``KeyProblem``."""
    path = directory / name
    with _told(path):
        return HostKey(_load(path), path, made=False) if path.exists() else None


def make_coming(directory: Path) -> HostKey:
    """Return the key to come, made if there is none yet. Raises ``KeyProblem``."""
    with _told(directory):
        (directory / FILE).stat()
        coming = load_or_make(directory, COMING)
        if coming.made:
            give_to_owner_of(directory / FILE, coming.path, _public_of(coming.path))
        return coming


def change(directory: Path) -> HostKey:
    """Put the key to come in use, and keep the previous one as the former key. Raises ``KeyProblem``."""
    current, coming, former = (directory / name for name in (FILE, COMING, FORMER))
    with _told(coming):
        _load(coming)
        # At every instant there is a key in use, and all of it.
        former.unlink(missing_ok=True)
        os.link(current, former)
        os.replace(coming, current)
        _public_of(former).unlink(missing_ok=True)
        os.replace(_public_of(coming), _public_of(current))
        sync(directory)
        return HostKey(_load(current), current, made=False)


def give_up_coming(directory: Path) -> bool:
    """Remove the key to come, and return whether there was one. Raises ``KeyProblem``."""
    path = directory / COMING
    with _told(path):
        there = path.exists()
        path.unlink(missing_ok=True)
        _public_of(path).unlink(missing_ok=True)
        return there


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Raise ``KeyProblem`` for an ``OSError``."""
    try:
        yield
    except OSError as problem:
        where = problem.filename or path
        raise KeyProblem(f"{where}: {problem.strerror or problem}") from None


def _public_of(path: Path) -> Path:
    return path.with_name(path.name + ".pub")


def _make_directory(directory: Path) -> None:
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        if directory.is_file():
            raise KeyProblem(f"{directory} is a file; choose a directory with --keys") from None
        raise KeyProblem(
            f"the keys directory {directory} cannot be made: {problem.strerror or problem}; choose "
            "another one with --keys"
        ) from None
    mode = stat.S_IMODE(directory.stat().st_mode)
    if mode & 0o022:
        raise KeyProblem(
            f"{directory}: others may write there, and so replace the host key; put it right with: "
            f"chmod go-w {directory}"
        )


def _make(path: Path) -> bool:
    """Make a key file atomically, and return whether no other process was quicker."""
    key = asyncssh.generate_private_key(ALGORITHM, comment="turn-the-tide")
    with draft_of(path, key.export_private_key("openssh")) as draft:
        try:
            # Unlike a rename, a link never replaces what is there.
            os.link(draft, path)
        except FileExistsError:
            return False
    public = _public_of(path)
    public.unlink(missing_ok=True)
    write_new(public, key.export_public_key("openssh"), 0o644)
    sync(path.parent)
    return True


def _load(path: Path) -> asyncssh.SSHKey:
    data, mode = read_with_mode(path, 65_536)
    if mode & 0o077:
        raise KeyProblem(
            f"{path}: this private key can be read by others (mode {mode:04o}); if nobody has, put it "
            f"right with: chmod 600 {path}"
        )
    try:
        key = asyncssh.import_private_key(data)
    except asyncssh.KeyImportError as problem:
        raise KeyProblem(f"{path}: is no usable private key: {problem}") from None
    if key.get_algorithm() != ALGORITHM:
        raise KeyProblem(
            f"{path}: is a key of type {key.get_algorithm()}, and only {ALGORITHM} is used here"
        )
    return key


POST_QUANTUM: Final = ("mlkem768x25519-sha256",)
KEX: Final = (*POST_QUANTUM, "curve25519-sha256", "curve25519-sha256@libssh.org")
CIPHERS: Final = (
    "aes128-gcm@openssh.com",
    "aes256-gcm@openssh.com",
    "chacha20-poly1305@openssh.com",
)
MACS: Final = ("hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com")
COMPRESSION: Final = ("none", "zlib@openssh.com")
"""Compression is only for clients that ask for it, and only after the login."""
SIGNATURES: Final = (*KINDS, "rsa-sha2-256", "rsa-sha2-512")
"""Signature algorithms of players' keys. None uses SHA-1."""

_WINDOW: Final = 8_192
"""Window size of a channel in bytes (RFC 4254, 5.2): no packet is larger, however well it was compressed."""


@dataclass(eq=False, repr=False)
class SshServer:
    """The listener for SSH, and its connections."""

    _server: GameServer
    listening: Listening
    host_key: InitVar[HostKey]
    coming: InitVar[HostKey | None] = None
    """A key that is announced, and not yet in use."""
    _connections: set[SshConnection] = field(default_factory=set, init=False)

    def __post_init__(self, host_key: HostKey, coming: HostKey | None) -> None:
        self.use(host_key, coming)

    def use(self, host_key: HostKey, coming: HostKey | None) -> None:
        """Use these host keys for new connections."""
        self._options = _options(self._server, host_key, coming)

    def open(self) -> None:
        """Accept connections."""
        self.listening.accept(self.pre_auth)

    def pre_auth(self, address: str) -> PreAuth | bytes:
        """Return the protocol for a connection from ``address``, or the text of a refusal."""
        make = partial(SshConnection, self._server, self._options, self._connections)
        return pre_auth(self._server.bans, self._server.limiter, make, address)

    async def close(self, seconds: float = 1.0) -> None:
        """Close every connection, after some time for clients to close theirs."""
        self.listening.close()
        open_ones = list(self._connections)
        if open_ones:
            hung_up = [asyncio.create_task(one.wait_closed()) for one in open_ones]
            await asyncio.wait(hung_up, timeout=seconds)
            for one in open_ones:
                one.disconnect(asyncssh.DISC_BY_APPLICATION, "The server is shutting down.")
            await asyncio.gather(*hung_up)


def _options(
    server: GameServer, host_key: HostKey, coming: HostKey | None
) -> asyncssh.SSHServerConnectionOptions:
    return asyncssh.SSHServerConnectionOptions(
        server_factory=SshAuth,
        server_version="TurnTheTide",
        # The first one of a type is the one in use; the others are only announced.
        server_host_keys=[host_key.key] if coming is None else [host_key.key, coming.key],
        send_server_host_keys=True,
        kex_algs=POST_QUANTUM if server.settings.post_quantum_only else KEX,
        encryption_algs=CIPHERS,
        mac_algs=MACS,
        compression_algs=COMPRESSION,
        signature_algs=SIGNATURES,
        login_timeout=0,  # we count those who take too long
        gss_host=None,
        agent_forwarding=False,
        x11_forwarding=False,
        allow_scp=False,
        line_editor=False,
        encoding=None,
        window=_WINDOW,
    )
