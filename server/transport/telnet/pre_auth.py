"""Admission of telnet connections, and TLS for those that have come to its port."""

import asyncio
import ssl
from contextlib import suppress
from typing import Final, cast

from typing_extensions import override

from server.transport.access.limiter import Reason, Ticket
from server.transport.net.admission import admit
from server.transport.net.sockets import let_go
from server.transport.telnet.connection import TelnetConnection
from server.transport.telnet.context import TelnetContext
from server.transport.telnet.tls_limits import TlsLimits


class TelnetPreAuth(asyncio.Protocol):
    """One connection until it is known whether it may log in, and is encrypted if it is to be."""

    def __init__(self, context: TelnetContext, tls: ssl.SSLContext | None) -> None:
        self._context: Final = context
        self._tls: Final = tls
        self._line: asyncio.Transport | None = None
        self._ticket: Ticket | None = None
        self._handshake: asyncio.Task[None] | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = line = cast(asyncio.Transport, transport)
        server = self._context.server
        self._ticket = ticket = admit(line, server.bans, server.limiter)
        if ticket is None:
            return
        if self._tls is None:
            self._line = None
            connection = TelnetConnection(self._context, ticket, encrypted=False)
            line.set_protocol(connection)
            connection.connection_made(line)
        else:
            # What is read here would be missing from the handshake.
            line.pause_reading()
            self._context.came(self)
            handshake = self._encrypt(line, ticket, self._tls)
            self._handshake = asyncio.get_running_loop().create_task(handshake)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._context.went(self)
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

    async def _encrypt(self, line: asyncio.Transport, ticket: Ticket, tls: ssl.SSLContext) -> None:
        connection = TelnetConnection(self._context, ticket, encrypted=True)
        seconds = self._context.server.settings.limits.login_seconds
        encrypted: asyncio.Transport | None = None
        with suppress(OSError):  # an SSLError is one; there is nobody who could be told
            encrypted = await asyncio.get_running_loop().start_tls(
                line, connection, tls, server_side=True, ssl_handshake_timeout=seconds
            )
        self._context.went(self)
        if encrypted is None or encrypted.is_closing():
            ticket.leave()
            line.abort()
        else:
            self._limit(line, ticket)
            connection.connection_made(encrypted)

    def _limit(self, line: asyncio.Transport, ticket: Ticket) -> None:
        server, inner = self._context.server, cast(asyncio.BufferedProtocol, line.get_protocol())
        line.set_protocol(
            TlsLimits(
                line,
                inner,
                server.settings.limits,
                server.limiter.now,
                lambda: server.limiter.refuse(Reason.WIRE, ticket.address),
                server.players.of(ticket.network),
            )
        )
