"""Telnet within TLS. What comes in encrypted is rationed before it is taken apart: of new keys and the like
no text ever comes, so that nothing further in would notice how many there are.
"""

import asyncio
import ssl
from contextlib import suppress
from dataclasses import dataclass, field
from typing import cast

from typing_extensions import override

from server.rate_limiter import TokenBucket
from server.transport.access.limiter import Reason, Ticket
from server.transport.net.input_throttle import InputThrottle
from server.transport.net.sockets import let_go
from server.transport.telnet.connection import TelnetConnection, TelnetContext


@dataclass(eq=False)
class TlsConnection(asyncio.Protocol):
    """Between a line and asyncio's TLS, which takes the encryption off for a ``TelnetConnection``."""

    context: TelnetContext
    tls: ssl.SSLContext
    ticket: Ticket
    _inner: asyncio.BufferedProtocol = field(default_factory=asyncio.BufferedProtocol, init=False)
    """Asyncio's TLS, once the handshake is over."""

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = cast(asyncio.Transport, transport)
        server, limits = self.context.server, self.context.server.settings.limits
        self._throttle = InputThrottle(
            TokenBucket(limits.wire_bytes, limits.wire_bytes_per_second, server.limiter.now()),
            server.limiter.now,
            deliver=self._take_apart,
            pause=self._line.pause_reading,
            resume=self._line.resume_reading,
            on_limit=lambda: server.limiter.refuse(Reason.WIRE, self.ticket.address),
            share=server.players.of(self.ticket.network),
        )
        # What is read here would be missing from the handshake.
        self._line.pause_reading()
        connection = TelnetConnection(self.context, self.ticket, encrypted=True)
        connection.comes_over(self._line)
        self._handshake = asyncio.get_running_loop().create_task(self._encrypt(connection))

    async def _encrypt(self, connection: TelnetConnection) -> None:
        seconds = self.context.server.settings.limits.login_seconds
        encrypted: asyncio.Transport | None = None
        with suppress(OSError):  # an SSLError is one; there is nobody who could be told
            encrypted = await asyncio.get_running_loop().start_tls(
                self._line, connection, self.tls, server_side=True, ssl_handshake_timeout=seconds
            )
        if encrypted is None or encrypted.is_closing():
            self.context.went(connection)
            self.ticket.leave()
            self._line.abort()
        else:
            self._inner = cast(asyncio.BufferedProtocol, self._line.get_protocol())
            self._line.set_protocol(self)
            connection.connection_made(encrypted)

    @override
    def data_received(self, data: bytes) -> None:
        self._throttle.push(data)

    @override
    def eof_received(self) -> bool | None:
        return self._inner.eof_received()

    @override
    def pause_writing(self) -> None:
        self._inner.pause_writing()

    @override
    def resume_writing(self) -> None:
        self._inner.resume_writing()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self.ticket.leave()
        self._throttle.close()
        self._inner.connection_lost(exc)
        let_go(self._line)

    def _take_apart(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest and not self._line.is_closing():
            room = memoryview(self._inner.get_buffer(len(rest)))
            some = min(len(room), len(rest))
            room[:some] = rest[:some]
            self._inner.buffer_updated(some)
            rest = rest[some:]
