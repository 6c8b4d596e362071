"""The bus on NATS: a node's messages have subjects of their own, below one prefix for all nodes of a house.

``tide.HOUSE.to.NODE.TOPIC`` is for one node and ``tide.HOUSE.all.TOPIC`` for all; no stream keeps anything.
"""

import asyncio
import os
import ssl
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error, MaxPayloadError
from typing_extensions import override

from server.bus.bus import ALL, Bus, Heard
from server.bus.nats_hooks import GuardedClient
from server.problem import Problem

_log = structlog.get_logger("bus")

_PING_SECONDS: Final = 1
"""Between the pings that show that a connection is dead, and between attempts to connect again."""
_CONNECT_SECONDS: Final = 5.0
_ADVICE: Final = (
    "See whether the NATS server runs and can be reached from here. Meanwhile people play on at tables of "
    "the node to which they are connected."
)
_UNSENT: Final = 10_000
"""Messages that may wait to be sent; beyond that they are lost."""


class CannotConnect(Problem):
    """There is no such service there."""


class NatsBus(Bus):
    """Made by ``connect``, ended by ``close``."""

    def __init__(self, client: Client, house: str, told: "ToldOfBus") -> None:
        self._client: Final = client
        self._told: Final = told
        self._prefix: Final = f"tide.{house}"
        self._subscribed: list[Subscription] = []
        self._unsent: Final[asyncio.Queue[tuple[str, bytes]]] = asyncio.Queue(_UNSENT)
        self._sender: Final = asyncio.create_task(self._send_all(), name="bus")

    @property
    @override
    def connected(self) -> bool:
        return self._client.is_connected

    @override
    async def listen(self, node: str, heard: Heard) -> None:
        async def take(message: Msg) -> None:
            heard(message.data)

        for old in self._subscribed:
            with suppress(Error):
                await old.unsubscribe()
        wanted = (f"{self._prefix}.to.{node}.>", f"{self._prefix}.all.>")
        self._subscribed = [await self._client.subscribe(it, cb=take) for it in wanted]

    @override
    def send(self, to: str, topic: str, message: bytes) -> None:
        place = "all" if to == ALL else f"to.{to}"
        with suppress(asyncio.QueueFull):
            self._unsent.put_nowait((f"{self._prefix}.{place}.{topic}", message))

    async def close(self) -> None:
        """Send what waits, and let go."""
        self._told.begun = False
        with suppress(TimeoutError):
            await asyncio.wait_for(self._unsent.join(), _PING_SECONDS)
        self._sender.cancel()
        with suppress(Error, TimeoutError, OSError):
            await self._client.flush()
        with suppress(Error, TimeoutError, OSError):
            await self._client.close()

    async def _send_all(self) -> None:
        while True:
            subject, message = await self._unsent.get()
            if self.connected:
                try:
                    await self._client.publish(subject, message)
                except MaxPayloadError:
                    _log.error("message_too_long", subject=subject, bytes=len(message))
                except (Error, OSError):
                    pass  # lost
            self._unsent.task_done()


class ToldOfBus:
    """What the log is told of a connection, once each time that it is lost."""

    def __init__(self) -> None:
        self.begun = False
        """It is there, or has been, and is not being closed."""
        self.reason = ""
        """Why it was not there last; what a server said counts more than a connection that broke."""
        self._lost = False
        self._reasons: Final[set[str]] = set()

    async def lost(self) -> None:
        """It has ended, and is tried again every second."""
        if self.begun and not self._lost:
            self._lost = True
            _log.error("bus_lost", advice=_ADVICE)

    async def failed(self, error: Exception) -> None:
        """It cannot be had. Each reason is told once: with several servers they alternate."""
        reason = _words(error)
        if not (self.reason and isinstance(error, OSError)):
            self.reason = reason
        if self._lost and reason and reason not in self._reasons:
            self._reasons.add(reason)
            _log.warning("bus_unreachable", reason=reason)

    async def back(self) -> None:
        """It is there again."""
        self._lost = False
        self._reasons.clear()
        _log.info("bus_back")


async def connect(url: str, name: str, house: str, ca: Path | None = None) -> NatsBus:
    """Connect to NATS; from then on it connects again by itself. Only those of the same ``house`` (letters,
    digits) hear each other. With ``tls://``, nothing is sent outside of TLS, and the certificate has to be of
    a known authority, or of those in the file ``ca`` (PEM). Raises ``CannotConnect``.
    """

    servers = _servers(url)
    told = ToldOfBus()
    encrypted = any(server.startswith("tls://") for server in servers)
    client = GuardedClient(encrypted=encrypted)
    connecting = client.connect(
        servers,
        name=name,
        tls=_authorities(ca) if encrypted or ca else None,
        max_reconnect_attempts=-1,
        reconnect_time_wait=_PING_SECONDS,
        ping_interval=_PING_SECONDS,
        pending_size=0,  # what could not be sent at its time is lost
        disconnected_cb=told.lost,
        reconnected_cb=told.back,
        error_cb=told.failed,
    )
    try:
        await asyncio.wait_for(connecting, _CONNECT_SECONDS)
    except (Error, OSError, TimeoutError, ValueError) as error:
        reason = told.reason or _words(error)
        await client.close()
        why = f" ({reason})" if reason else ""
        raise CannotConnect(
            f"The bus cannot be reached at {_place(url)}{why}: is a NATS server running there? (setting bus)"
        ) from None
    told.begun = True
    return NatsBus(client, house, told)


def _servers(url: str) -> list[str]:
    """Each of a cluster. Raises ``CannotConnect`` for what is no such URL."""
    servers = [each.strip() for each in url.split(",")]
    try:
        for each in servers:
            parts = urlsplit(each)
            if not parts.hostname or parts.port == 0:
                raise ValueError
    except ValueError:
        raise CannotConnect(
            "The URL of the bus cannot be read; it must look like nats://HOST:4222, or "
            "nats://USER:PASSWORD@HOST:4222 with special characters as %XX."
        ) from None
    return servers


def _authorities(ca: Path | None) -> ssl.SSLContext:
    """Raises ``CannotConnect``."""
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as problem:
        why = "no certificate in it" if isinstance(problem, ssl.SSLError) else problem.strerror
        raise CannotConnect(f"bus_ca: {ca}: {why}") from None


def _place(url: str) -> str:
    """Where it is, for operators; without user, password and token."""
    return ", ".join(urlsplit(each.strip()).netloc.rpartition("@")[2] for each in url.split(","))


def _words(error: Exception) -> str:
    """Why, as far as is known."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"TLS: {(error.reason or 'failed').replace('_', ' ').lower()}"
    if isinstance(error, OSError) and error.errno:
        # Of a name that is unknown the number is less than 0.
        return os.strerror(error.errno) if error.errno > 0 else str(error.strerror)
    return "" if isinstance(error, TimeoutError) else str(error).removeprefix("nats: ").strip("'")
