"""The telnet server: listening, also for telnet over TLS, and its certificate."""

import asyncio
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, cast

from typing_extensions import override

from server import Problem
from server.text.server_messages import SHUTDOWN
from server.transport.access.limiter import Ticket
from server.transport.net.asyncio_hooks import let_go, put_before_tls, take_apart
from server.transport.net.sockets import Listening, PreAuth, pre_auth
from server.transport.session.server import GameServer
from server.transport.telnet.connection import TelnetConnection, TelnetContext


class CertificateProblem(Problem):
    """The certificate cannot be used."""


def load_certificate(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """Load a certificate from PEM files; ``None`` without any. Raises ``CertificateProblem``."""
    if certificate is None:
        if key is not None:
            raise CertificateProblem(f"{key}: a key without a certificate: set tls_cert, too")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except OSError as problem:  # includes SSLError
        where = certificate if key is None else f"{certificate} with {key}"
        reason = "it is encrypted" if isinstance(problem.__context__, _Locked) else None
        reason = reason or problem.strerror or str(problem)
        raise CertificateProblem(f"{where}: no certificate and key: {reason}") from None
    except _Locked:
        raise CertificateProblem(f"{key or certificate}: the key is encrypted") from None
    return context


class _Locked(Exception):
    """The key has a passphrase."""


def _no_password() -> str:
    raise _Locked


@dataclass(eq=False)
class TlsConnection(asyncio.Protocol):
    """A connection before asyncio's TLS, which decrypts for a ``TelnetConnection``.

    Input is throttled here, before TLS: messages such as key updates never become text.
    """

    context: TelnetContext
    tls: ssl.SSLContext
    ticket: Ticket
    _inner: asyncio.BufferedProtocol = field(default_factory=asyncio.BufferedProtocol, init=False)
    """Asyncio's TLS, once the handshake is over."""

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line = cast(asyncio.Transport, transport)
        # The handshake needs all that is read.
        self._line.pause_reading()
        connection = TelnetConnection(self.context, self.ticket, encrypted=True)
        connection.comes_over(self._line, lambda data: take_apart(self._line, self._inner, data))
        self._throttle = connection.throttle
        self._handshake = asyncio.get_running_loop().create_task(self._encrypt(connection))

    async def _encrypt(self, connection: TelnetConnection) -> None:
        seconds = self.context.server.settings.limits.login_seconds
        encrypted: asyncio.Transport | None = None
        with suppress(OSError):  # includes SSLError; nothing can be sent
            encrypted = await asyncio.get_running_loop().start_tls(
                self._line, connection, self.tls, server_side=True, ssl_handshake_timeout=seconds
            )
        if encrypted is None or encrypted.is_closing():
            self.context.went(connection)
            self.ticket.leave()
            self._line.abort()
        else:
            self._inner = put_before_tls(self._line, self)
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


class TelnetServer:
    """Listens for telnet, and with a certificate for telnet over TLS on another port."""

    def __init__(
        self,
        server: GameServer,
        listening: Listening,
        tls: ssl.SSLContext | None = None,
        tls_listening: Listening | None = None,
        advice: str = "",
    ) -> None:
        """``tls`` is the certificate at ``tls_listening``, ``advice`` a command to connect encrypted."""
        tls_port = tls_listening.port if tls_listening is not None else 0
        self.context: Final = TelnetContext(server, listening.port, tls_port, advice)
        self.listening: Final = listening
        self._tls = tls
        self._tls_listening: Final = tls_listening

    def use(self, tls: ssl.SSLContext | None) -> None:
        """Replace the certificate for new connections."""
        self._tls = tls

    def open(self) -> None:
        """Accept connections."""
        self.context.opened = time.time()
        self.listening.accept(self.pre_auth)
        if self._tls_listening is not None:
            self._tls_listening.accept(lambda address: self.pre_auth(address, self._tls))

    def pre_auth(self, address: str, tls: ssl.SSLContext | None = None) -> PreAuth | bytes:
        """Return how a connection is accepted, with ``tls`` over TLS."""
        make: Callable[[Ticket], asyncio.BaseProtocol]
        make = partial(TelnetConnection, self.context, encrypted=False)
        if tls is not None:
            make = partial(TlsConnection, self.context, tls)
        return pre_auth(self.context.server.bans, self.context.server.limiter, make, address)

    async def close(self, seconds: float = 1.0) -> None:
        """Close every connection; those that have not ended by themselves in time are cut off."""
        self.listening.close()
        if self._tls_listening is not None:
            self._tls_listening.close()
        connections = self.context.connections
        for one in tuple(connections):
            one.say_last(SHUTDOWN)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._until_empty()
        for one in tuple(connections):
            one.abort()
        await self._until_empty()

    async def _until_empty(self) -> None:
        while self.context.connections:
            self.context.empty.clear()
            await self.context.empty.wait()
