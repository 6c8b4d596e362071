"""Doors on other machines: mutual TLS with pinned certificates.

No authority signs anything, and names in certificates do not matter: each end accepts the certificates whose
files an operator has put there (docs/several-cores.md). Files are read anew for each connection.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from socket import socket
from typing import Any, Final, cast

import structlog
from typing_extensions import override

from server import Problem
from server.networks import LogThrottle
from server.timers import Tasks

_DOORS: Final = "doors"
_COORDINATORS: Final = "coordinators"
"""Subdirectories of the keys directory, with certificates ``NAME.crt``: of doors elsewhere, at the
coordinator, and of coordinators, at such doors.
"""
_OWN: Final = "link"
"""The machine's own certificate is ``link.crt``, with ``link.key``."""
_HANDSHAKE_SECONDS: Final = 5.0
_AT_ONCE: Final = 32
"""Maximum handshakes at a time."""
_PAUSE: Final = 0.25
"""Seconds before an attempt to reach a coordinator, and after an accept that has failed for want of
descriptors."""

MakeLine = Callable[[str], asyncio.Protocol]
"""A maker of the protocol for a connection of the machine with a name."""

_log = structlog.get_logger("link")


class LinkCertificateProblem(Problem):
    """A certificate of the link cannot be used."""


def encryption(keys: Path, *, of_doors: bool) -> tuple[ssl.SSLContext, dict[bytes, str]]:
    """Return the TLS context, and the certificates that the other end may have: names by their DER form.

    They are those ``of_doors``, or else of coordinators. Raises ``LinkCertificateProblem``.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if of_doors else ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname, context.verify_mode = False, ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    pinned: dict[bytes, str] = {}
    file = keys / f"{_OWN}.crt"
    try:
        context.load_cert_chain(file, keys / f"{_OWN}.key", password="")
        for file in sorted((keys / (_DOORS if of_doors else _COORDINATORS)).glob("*.crt")):
            der = ssl.PEM_cert_to_DER_cert(file.read_text("ascii"))
            context.load_verify_locations(cadata=der)
            pinned[der] = file.stem
    except (OSError, ValueError) as problem:  # an SSLError is an OSError, too
        reason = getattr(problem, "strerror", None) or problem
        raise LinkCertificateProblem(
            f"{file}: no certificate for doors elsewhere: {reason}"
        ) from None
    return context, pinned


@dataclass(eq=False)
class _Gate(asyncio.Protocol):
    """The protocol of a connection after its handshake: replaced by the one that ``make`` makes, or the
    connection is aborted if its certificate is only signed by a pinned one.
    """

    pinned: dict[bytes, str]
    make: MakeLine

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        line = cast(asyncio.Transport, transport)
        certificate = line.get_extra_info("ssl_object").getpeercert(binary_form=True)
        if certificate not in self.pinned:
            line.abort()
            return
        protocol = self.make(self.pinned[certificate])
        line.set_protocol(protocol)
        protocol.connection_made(line)


async def _passed(connecting: Awaitable[tuple[asyncio.BaseTransport, Any]]) -> None:
    """Wait until a connection has passed its gate. Raises ``OSError``."""
    transport, _ = await connecting
    if transport.is_closing():
        raise ConnectionAbortedError("the certificate is not known here")


@dataclass(eq=False)
class DoorPort:
    """The listener for doors on other machines, until closed."""

    listening: Sequence[socket]
    keys: Path
    make: MakeLine
    _tasks: Tasks = field(default_factory=Tasks, init=False)
    _refused: LogThrottle = field(default_factory=LogThrottle, init=False)
    _room: asyncio.Semaphore = field(default_factory=partial(asyncio.Semaphore, _AT_ONCE))

    def __post_init__(self) -> None:
        for one in self.listening:
            self._tasks.spawn(self._accept(one))

    def close(self) -> None:
        """Stop listening."""
        self._tasks.cancel()
        for one in self.listening:
            one.close()

    async def _accept(self, listening: socket) -> None:
        while True:
            await self._room.acquire()
            try:
                line, (address, *_) = await asyncio.get_running_loop().sock_accept(listening)
            except OSError:  # no descriptor is left, or the door has gone already
                await asyncio.sleep(_PAUSE)
                self._room.release()
            else:
                coming = self._tasks.spawn(self._let_in(line, address))
                coming.add_done_callback(lambda _: self._room.release())

    async def _let_in(self, line: socket, address: str) -> None:
        loop = asyncio.get_running_loop()
        try:
            context, pinned = encryption(self.keys, of_doors=True)
        except LinkCertificateProblem as problem:
            _log.error("link_refused", address=address, reason=str(problem))
            line.close()
            return
        make, seconds = partial(_Gate, pinned, self.make), _HANDSHAKE_SECONDS
        try:
            await _passed(
                loop.connect_accepted_socket(make, line, ssl=context, ssl_handshake_timeout=seconds)
            )
        except OSError as problem:
            if (also := self._refused.left_out(loop.time())) is not None:
                _log.warning("link_refused", address=address, reason=str(problem), also=also)


Reach = Callable[[Callable[[], asyncio.Protocol]], Coroutine[Any, Any, object]]
"""A way to connect to a coordinator, with a maker of the protocol. Raises ``OSError``."""


def reach_elsewhere(host: str, port: int, keys: Path) -> Reach:
    """Return the way to the coordinator that listens there."""
    refused = LogThrottle(10.0)

    async def reach(make: Callable[[], asyncio.Protocol]) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.sleep(_PAUSE)
        try:
            context, pinned = encryption(keys, of_doors=False)
            async with asyncio.timeout(_HANDSHAKE_SECONDS):
                gate = partial(_Gate, pinned, lambda _: make())
                await _passed(loop.create_connection(gate, host, port, ssl=context))
        except (OSError, LinkCertificateProblem) as problem:
            reason = str(problem) or "no answer"
            if (also := refused.left_out(loop.time())) is not None:
                _log.warning(
                    "coordinator_not_reached", host=host, port=port, reason=reason, also=also
                )
            raise OSError(reason) from None

    return reach
