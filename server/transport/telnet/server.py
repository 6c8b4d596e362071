"""The telnet server: listening, its certificate, closing."""

import asyncio
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from server.transport.access.limiter import Ticket
from server.transport.net.sockets import Listening, PreAuth
from server.transport.session.server import GameServer
from server.transport.telnet.connection import TelnetConnection, TelnetContext
from server.transport.telnet.tls import TlsConnection


class CertificateProblem(Exception):
    """The certificate cannot be used; the message is one line for the operator."""


def load_certificate(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    """How to encrypt, with these PEM files; ``None`` without any. Raises ``CertificateProblem``."""
    if certificate is None:
        if key is not None:
            raise CertificateProblem(f"{key}: a key without a certificate: set tls_cert, too")
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(certificate, key, password=_no_password)
    except OSError as problem:  # which an SSLError is, too
        where = certificate if key is None else f"{certificate} with {key}"
        reason = "it is encrypted" if isinstance(problem.__context__, _Locked) else None
        reason = reason or problem.strerror or str(problem)
        raise CertificateProblem(f"{where}: no certificate and key: {reason}") from None
    except _Locked:
        raise CertificateProblem(f"{key or certificate}: the key is encrypted") from None
    return context


class _Locked(Exception):
    """A passphrase would be needed, and nobody is there to type it."""


def _no_password() -> str:
    raise _Locked


class TelnetServer:
    """Listens for telnet, and with a certificate for telnet within TLS on a port of its own."""

    def __init__(
        self,
        server: GameServer,
        listening: Listening,
        tls: ssl.SSLContext | None = None,
        tls_listening: Listening | None = None,
        advice: str = "",
    ) -> None:
        """``tls`` is the certificate for those who come to ``tls_listening``, ``advice`` a command for those
        who come in unencrypted; empty for none.
        """
        tls_port = tls_listening.port if tls_listening is not None else 0
        self.context: Final = TelnetContext(server, listening.port, tls_port, advice)
        self.listening: Final = listening
        self._tls = tls
        self._tls_listening: Final = tls_listening

    def use(self, tls: ssl.SSLContext | None) -> None:
        """From now on this is the certificate; connections that there are keep theirs."""
        self._tls = tls

    def open(self) -> None:
        """Let in who connects."""
        self.context.opened = time.time()
        self.listening.accept(self.pre_auth)
        if self._tls_listening is not None:
            self._tls_listening.accept(lambda: self.pre_auth(self._tls))

    def pre_auth(self, tls: ssl.SSLContext | None = None) -> PreAuth:
        """Takes a connection that has come to the port for telnet, or with ``tls`` to the other one."""
        make: Callable[[Ticket], asyncio.BaseProtocol]
        make = partial(TelnetConnection, self.context, encrypted=False)
        if tls is not None:
            make = partial(TlsConnection, self.context, tls)
        return PreAuth(self.context.server.bans, self.context.server.limiter, make)

    async def close(self, seconds: float = 1.0) -> None:
        """End every connection: those whose sessions are over hang up by themselves, usually in time."""
        self.listening.close()
        if self._tls_listening is not None:
            self._tls_listening.close()
        connections = self.context.connections
        for one in tuple(connections):
            one.close()
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
