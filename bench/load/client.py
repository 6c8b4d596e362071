"""SSH connections as OpenSSH makes them, cheap enough for thousands of them in one process.

asyncssh, but for three things. Options are prepared once and copied, since preparing them costs more than
the handshake. It sends no empty packet before every key, as OpenSSH sends none. And it notes when bytes came
in before it decrypts them: that belongs to the client, not to what is measured.
"""

import asyncio
import copy
import socket
import time
from typing import Any, Final, NamedTuple

import asyncssh
from asyncssh.constants import MSG_IGNORE
from asyncssh.packet import SSHPacketLogger

from bench.load.line import HOST, Far, Line, Wish, address_of
from bench.load.telnet import dial

CLASSICAL: Final = "curve25519-sha256"
HYBRID: Final = "mlkem768x25519-sha256"
_SMALL_WINDOW: Final = 32_768


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
    telnet: int = 0
    """The port for those who come in by telnet; 0 when nobody can."""


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

    async def connect(self, far: Far, wish: Wish, *, telnet: bool = False) -> Line:
        """A session for ``far``, by telnet if the server has that.

        Raises ``OSError``, ``TimeoutError`` or ``asyncssh.Error``.
        """
        if telnet and self._where.telnet:
            return await dial(self._where.telnet, far, wish)
        client = await self._client(wish.name, wish.number)
        if wish.small:
            sock: socket.socket = client.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        session = SshLine(client, far)
        await client.create_session(
            lambda: session,
            term_type=wish.term,
            term_size=wish.size,
            encoding=None,
            window=_SMALL_WINDOW if wish.small else 1 << 30,
        )
        return session

    async def _client(self, name: str, number: int) -> Client:
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


class SshLine(asyncssh.SSHClientSession[bytes]):
    """A session on such a connection. See ``Line``."""

    def __init__(self, client: Client, far: Far) -> None:
        self._client: Final = client
        self._far: Final = far
        self._channel: asyncssh.SSHClientChannel[bytes] | None = None

    # -------------------------------------------------------------- asyncssh.SSHClientSession

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        """See ``asyncssh.SSHClientSession``."""
        self._channel = chan

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """See ``asyncssh.SSHClientSession``."""
        self._far.came(self, data)

    def connection_lost(self, exc: Exception | None) -> None:
        """See ``asyncssh.SSHClientSession``."""
        self._channel = None
        self._far.dropped()

    # -------------------------------------------------------------- Line

    @property
    def arrived(self) -> float:
        """See ``Line``."""
        return self._client.arrived

    @property
    def received(self) -> int:
        """See ``Line``."""
        return self._client.received

    def write(self, data: bytes) -> None:
        """See ``Line``."""
        if self._channel is not None:
            self._channel.write(data)

    def resize(self, columns: int, rows: int) -> None:
        """See ``Line``."""
        if self._channel is not None:
            self._channel.change_terminal_size(columns, rows)

    def listen(self, *, on: bool) -> None:
        """See ``Line``."""
        line = self._client.line
        if on:
            line.resume_reading()
        else:
            line.pause_reading()

    def abort(self) -> None:
        """See ``Line``."""
        self._client.abort()
