"""An SSH connection as OpenSSH makes one, cheap enough for thousands of them in one process.

asyncssh, but for three things. Options are prepared once and copied, since preparing them costs more than
the handshake. It sends no empty packet before every key, as OpenSSH sends none. And it notes when bytes came
in before it decrypts them: that belongs to the client, not to what is measured.
"""

import asyncio
import copy
import time
from typing import Any, Final, NamedTuple

import asyncssh
from asyncssh.constants import MSG_IGNORE
from asyncssh.packet import SSHPacketLogger

HOST: Final = "127.0.0.1"
PER_ADDRESS: Final = 4
"""Players who share one source address: the server's limits stay on, and none of them bites."""
CLASSICAL: Final = "curve25519-sha256"
HYBRID: Final = "mlkem768x25519-sha256"


class Client(asyncssh.SSHClientConnection):
    """One connection."""

    arrived = 0.0
    """When the last bytes came in (``time.perf_counter``)."""
    received = 0
    """Bytes of the TCP stream so far, in this direction."""

    def data_received(self, data: bytes, datatype: int | None = None) -> None:
        """See ``asyncio.Protocol``."""
        self.arrived = time.perf_counter()
        self.received += len(data)
        super().data_received(data, datatype)

    def send_packet(
        self, pkttype: int, *args: bytes, handler: SSHPacketLogger | None = None
    ) -> None:
        """See asyncssh."""
        if pkttype != MSG_IGNORE:
            super().send_packet(pkttype, *args, handler=handler)

    @property
    def line(self) -> asyncio.Transport:
        """The TCP connection below."""
        line: asyncio.Transport = self._transport  # type: ignore[assignment]
        return line


class Where(NamedTuple):
    """A server, and how to come in."""

    port: int
    kex: str = CLASSICAL
    keys: bool = True
    """With a public key each; else as somebody who has none."""


class Guest(asyncssh.SSHClient):
    """Answers no questions."""

    def kbdint_auth_requested(self) -> str:
        """See ``asyncssh.SSHClient``."""
        return ""

    def kbdint_challenge_received(self, *_: Any) -> list[str]:
        """See ``asyncssh.SSHClient``."""
        return []


class Clients:
    """Makes connections to one server."""

    def __init__(self, where: Where) -> None:
        self._where: Final = where
        self._options: Final = asyncssh.SSHClientConnectionOptions(
            client_factory=Guest,
            known_hosts=None,
            client_keys=None,
            agent_path=None,
            config=None,
            kex_algs=[where.kex],
            encryption_algs=["aes128-gcm@openssh.com"],
            compression_algs=None,
            gss_host=None,
            keepalive_interval=0,
            preferred_auth="publickey" if where.keys else "keyboard-interactive",
            host=HOST,
            port=where.port,
        )

    async def connect(self, name: str, number: int) -> Client:
        """Come in as ``name``; ``number`` chooses the source address.

        Raises ``OSError`` or ``asyncssh.Error``.
        """
        loop = asyncio.get_running_loop()
        options = copy.copy(self._options)
        options.username = name
        if self._where.keys:
            key = asyncssh.generate_private_key("ssh-ed25519")
            options.client_keys = asyncssh.load_keypairs([key])
        options.waiter = loop.create_future()
        _, client = await loop.create_connection(
            lambda: Client(loop, options, wait="auth"),
            HOST,
            self._where.port,
            local_addr=(address_of(number), 0),
        )
        await options.waiter
        return client


def address_of(number: int) -> str:
    """Where player ``number`` comes from."""
    place = number // PER_ADDRESS + 1
    return f"127.{10 + (place >> 16)}.{place >> 8 & 255}.{place & 255}"
