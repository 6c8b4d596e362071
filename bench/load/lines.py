"""SSH connections as OpenSSH makes them, cheap enough for thousands of them in one process.

asyncssh, but for four things. Options are prepared once and copied, since preparing them costs more than the
handshake. It calls itself OpenSSH: a server says more to libraries. It sends no empty packet before every
key. And it notes when bytes came in before it decrypts them: that belongs to the client.
"""

import asyncio
import copy
import socket
import time
from collections.abc import Callable
from typing import Final, cast

import asyncssh
from asyncssh.constants import MSG_IGNORE
from asyncssh.packet import SSHPacketLogger

HOST: Final = "127.0.0.1"
PER_ADDRESS: Final = 4
"""Players who share one source address: the server's limits stay on, and none of them bites."""
TERM: Final = "xterm-16color"
COLUMNS: Final = 80
ROWS: Final = 24
_SMALL_WINDOW: Final = 32_768

Heard = Callable[[bytes], None]
"""Is told what comes in, and of nothing when the line is gone."""


def address_of(number: int) -> str:
    """Return where player ``number`` comes from."""
    place = number // PER_ADDRESS + 1
    return f"127.{10 + (place >> 16)}.{place >> 8 & 255}.{place & 255}"


class Client(asyncssh.SSHClientConnection):
    """One connection."""

    arrived = 0.0

    def data_received(self, data: bytes, datatype: int | None = None) -> None:
        """See ``asyncio.Protocol``."""
        self.arrived = time.perf_counter()
        super().data_received(data, datatype)

    def send_packet(
        self, pkttype: int, *args: bytes, handler: SSHPacketLogger | None = None
    ) -> None:
        """See asyncssh."""
        if pkttype != MSG_IGNORE:
            super().send_packet(pkttype, *args, handler=handler)


class Clients:
    """Makes connections to one server."""

    def __init__(self, port: int) -> None:
        self._port: Final = port
        self._options: Final = asyncssh.SSHClientConnectionOptions(
            client_version="OpenSSH_9.2p1",
            known_hosts=None,
            client_keys=None,
            agent_path=None,
            config=None,
            kex_algs=["curve25519-sha256"],
            encryption_algs=["aes128-gcm@openssh.com"],
            compression_algs=None,
            gss_host=None,
            keepalive_interval=0,
            preferred_auth="publickey",
            host=HOST,
            port=port,
        )

    async def connect(self, name: str, number: int, heard: Heard, *, small: bool = False) -> "Line":
        """Return a session from the address of player ``number``; ``small`` keeps little unread at this end.
        Raises ``OSError`` or ``asyncssh.Error``.
        """
        loop = asyncio.get_running_loop()
        options = copy.copy(self._options)
        options.username = name
        key = asyncssh.generate_private_key("ssh-ed25519")
        options.client_keys = asyncssh.load_keypairs([key])
        options.waiter = loop.create_future()
        _, client = await loop.create_connection(
            lambda: Client(loop, options, wait="auth"),
            HOST,
            self._port,
            local_addr=(address_of(number), 0),
        )
        await options.waiter
        if small:
            sock: socket.socket = client.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        session = Line(client, heard)
        await client.create_session(
            lambda: session,
            term_type=TERM,
            term_size=(COLUMNS, ROWS),
            encoding=None,
            window=_SMALL_WINDOW if small else 1 << 30,
        )
        return session


class Line(asyncssh.SSHClientSession[bytes]):
    """A session on such a connection."""

    def __init__(self, client: Client, heard: Heard) -> None:
        self._client: Final = client
        self._heard: Final = heard
        self._channel: asyncssh.SSHClientChannel[bytes] | None = None

    def connection_made(self, chan: asyncssh.SSHClientChannel[bytes]) -> None:
        """See ``asyncssh.SSHClientSession``."""
        self._channel = chan

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """See ``asyncssh.SSHClientSession``."""
        self._heard(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """See ``asyncssh.SSHClientSession``."""
        self._channel = None
        self._heard(b"")

    @property
    def arrived(self) -> float:
        """When the last bytes came in (``time.perf_counter``), before anything was made of them."""
        return self._client.arrived

    def write(self, data: bytes) -> None:
        """Type; nowhere, once the line is gone."""
        if self._channel is not None:
            self._channel.write(data)

    def resize(self, columns: int, rows: int) -> None:
        """Tell another size of the terminal."""
        if self._channel is not None:
            self._channel.change_terminal_size(columns, rows)

    def stop_listening(self) -> None:
        """Leave what comes in to the system to keep."""
        cast(asyncio.Transport, self._client._transport).pause_reading()

    def abort(self) -> None:
        """Hang up."""
        self._client.abort()
