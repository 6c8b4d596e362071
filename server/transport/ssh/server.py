"""The SSH server: algorithms, listening, closing."""

import asyncio
from dataclasses import InitVar, dataclass, field
from functools import partial
from typing import Final

import asyncssh

from server.transport.net.sockets import Listening, PreAuth
from server.transport.session.server import GameServer
from server.transport.ssh.auth import SshAuth
from server.transport.ssh.connection import KINDS, SshConnection
from server.transport.ssh.host_keys import HostKey

POST_QUANTUM: Final = ("mlkem768x25519-sha256",)
KEX: Final = (*POST_QUANTUM, "curve25519-sha256", "curve25519-sha256@libssh.org")
CIPHERS: Final = (
    "aes128-gcm@openssh.com",
    "aes256-gcm@openssh.com",
    "chacha20-poly1305@openssh.com",
)
MACS: Final = ("hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com")
COMPRESSION: Final = ("none", "zlib@openssh.com")
"""Only where the client asks for it, and only after its login."""
SIGNATURES: Final = (*KINDS, "rsa-sha2-256", "rsa-sha2-512")
"""Signature algorithms of players' keys. None uses SHA-1."""

_WINDOW: Final = 8_192
"""Bytes that a client may send on a channel before they have been used (RFC 4254, 5.2): no packet is larger,
however well it was compressed."""


@dataclass(eq=False, repr=False)
class SshServer:
    """Listens for SSH."""

    _server: GameServer
    listening: Listening
    host_key: InitVar[HostKey]
    coming: InitVar[HostKey | None] = None
    """A key that is announced, and not yet in use."""
    _connections: set[SshConnection] = field(default_factory=set, init=False)

    def __post_init__(self, host_key: HostKey, coming: HostKey | None) -> None:
        self.use(host_key, coming)

    def use(self, host_key: HostKey, coming: HostKey | None) -> None:
        """These are the keys, for connections to come."""
        self._options = _options(self._server, host_key, coming)

    def open(self) -> None:
        """Let in who connects."""
        self.listening.accept(self.pre_auth)

    def pre_auth(self, address: str) -> PreAuth:
        """Takes a connection that has come to the port from there."""
        make = partial(SshConnection, self._server, self._options, self._connections)
        return PreAuth(self._server.bans, self._server.limiter, make, address)

    async def close(self, seconds: float = 1.0) -> None:
        """End every connection: those whose sessions are over usually hang up by themselves, in time."""
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
