"""Whoever connects for telnet stands here first: admission, and TLS for those who begin with it."""

import asyncio
import socket
import ssl
from contextlib import suppress
from typing import Final, cast

from server.transport.access.limiter import Reason, Ticket, network_of
from server.transport.net.admission import admit
from server.transport.net.sockets import let_go
from server.transport.telnet.connection import TelnetConnection
from server.transport.telnet.context import TelnetContext
from server.transport.telnet.tls_limits import TlsLimits

TLS_WAIT: Final = 0.5
"""Seconds for a TLS client to begin: it always speaks first, a telnet client usually waits."""
_HELLO: Final = 0x16
"""The first byte of every TLS connection (RFC 8446, 5.1), and of no telnet one."""


class PreAuthProtocol(asyncio.Protocol):
    """See the module."""

    def __init__(self, around: TelnetContext, tls: ssl.SSLContext | None) -> None:
        self._around: Final = around
        self._tls: Final = tls
        self._loop: Final = asyncio.get_running_loop()
        self._line: asyncio.Transport | None = None
        self._ticket: Ticket | None = None
        self._address = ""
        self._peeking: socket.socket | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._handshake: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See ``asyncio.Protocol``."""
        self._line = line = cast(asyncio.Transport, transport)
        self._ticket = admit(line, self._around.house.bans, self._around.house.guard)
        if self._ticket is None:
            return
        self._address = self._ticket.address
        if self._tls is None:
            self._go_in(line)
        else:
            self._around.came(self)
            self._wait_for_hello(line)

    def connection_lost(self, exc: Exception | None) -> None:
        """See ``asyncio.Protocol``."""
        self._stop_peeking()
        self._around.went(self)
        if self._ticket is not None:
            self._ticket.leave()
        let_go(self._line)
        self._line = None

    def close(self) -> None:
        """Nobody gets in from here any more."""
        self.abort()

    def abort(self) -> None:
        """End the connection at once."""
        if self._line is not None:
            self._line.abort()

    def _go_in(self, line: asyncio.Transport) -> None:
        connection = self._connection(encrypted=False)
        self._line = None
        line.set_protocol(connection)
        self._around.went(self)
        connection.connection_made(line)

    def _connection(self, *, encrypted: bool) -> TelnetConnection:
        assert self._ticket is not None
        return TelnetConnection(self._around, self._ticket, self._address, encrypted=encrypted)

    # -------------------------------------------------------------- TLS on the same port

    def _wait_for_hello(self, line: asyncio.Transport) -> None:
        # What is read here would be missing from the handshake: so only look, and on a descriptor of our
        # own, as the event loop does not let us wait on its one.
        line.pause_reading()
        plain = line.get_extra_info("socket")
        self._peeking = socket.fromfd(plain.fileno(), plain.family, plain.type)
        self._peeking.setblocking(False)
        self._loop.add_reader(self._peeking, self._peek)
        self._timer = self._loop.call_later(TLS_WAIT, self._speak_first)

    def _peek(self) -> None:
        assert self._peeking is not None
        line = self._line
        try:
            first = self._peeking.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            first = b""
        self._stop_peeking()
        if line is None:
            return
        if not first:
            line.abort()
        elif first[0] == _HELLO:
            self._handshake = self._loop.create_task(self._encrypt(line))
        else:
            self._go_in(line)
            line.resume_reading()

    def _speak_first(self) -> None:
        self._stop_peeking()
        line = self._line
        if line is not None and not line.is_closing():
            self._go_in(line)
            line.resume_reading()

    async def _encrypt(self, line: asyncio.Transport) -> None:
        assert self._ticket is not None
        assert self._tls is not None
        connection = self._connection(encrypted=True)
        seconds = self._around.house.settings.limits.login_seconds
        encrypted: asyncio.Transport | None = None
        with suppress(OSError):  # an SSLError is one; there is nobody who could be told
            encrypted = await self._loop.start_tls(
                line, connection, self._tls, server_side=True, ssl_handshake_timeout=seconds
            )
        self._around.went(self)
        if encrypted is None or encrypted.is_closing():
            self._ticket.leave()
            line.abort()
        else:
            self._ration(line)
            connection.connection_made(encrypted)

    def _ration(self, line: asyncio.Transport) -> None:
        house, address = self._around.house, self._address

        def bitten() -> None:
            house.guard.refuse(Reason.WIRE, address)

        inner = cast(asyncio.BufferedProtocol, line.get_protocol())
        limits = house.settings.limits
        share = house.players.of(network_of(address))
        line.set_protocol(TlsLimits(line, inner, limits, house.guard.now, bitten, share))

    def _stop_peeking(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._peeking is not None:
            with suppress(OSError, ValueError):
                self._loop.remove_reader(self._peeking)
            self._peeking.close()
            self._peeking = None
