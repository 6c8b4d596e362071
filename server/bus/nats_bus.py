"""The bus on NATS: a node's messages have subjects of their own, below one prefix for all nodes of a house.

``PREFIX.to.NODE.TOPIC`` is for one node and ``PREFIX.all.TOPIC`` for all; no stream keeps anything.
"""

import asyncio
from contextlib import suppress
from typing import Final

import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error
from typing_extensions import override

from server.bus.bus import ALL, Bus, Heard

_log = structlog.get_logger("bus")

_PING_SECONDS: Final = 1
"""Between the pings that show that a connection is dead, and between attempts to connect again."""
_CONNECT_SECONDS: Final = 5.0
_UNSENT: Final = 10_000
"""Messages that may wait to be sent; beyond that they are lost."""


class CannotConnect(Exception):
    """There is no such service there; the message tells an operator why, and the way out."""


class NatsBus(Bus):
    """Made by ``connect``, ended by ``close``."""

    def __init__(self, client: Client, prefix: str) -> None:
        self._client: Final = client
        self._prefix: Final = prefix
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
                with suppress(Error, OSError):
                    await self._client.publish(subject, message)
            self._unsent.task_done()


async def connect(url: str, name: str, prefix: str = "tide") -> NatsBus:
    """Connect to NATS; from then on it connects again by itself. Raises ``CannotConnect``."""

    async def lost() -> None:
        _log.error("bus_lost", advice="is the NATS server running?")

    async def back() -> None:
        _log.info("bus_back")

    async def failed(_error: Exception) -> None:
        """The two above tell what is worth telling."""

    client = Client()
    connecting = client.connect(
        url,
        name=name,
        max_reconnect_attempts=-1,
        reconnect_time_wait=_PING_SECONDS,
        ping_interval=_PING_SECONDS,
        pending_size=0,  # what could not be sent at its time is lost
        disconnected_cb=lost,
        reconnected_cb=back,
        error_cb=failed,
    )
    try:
        await asyncio.wait_for(connecting, _CONNECT_SECONDS)
    except (Error, OSError, TimeoutError, ValueError):
        await client.close()
        raise CannotConnect(
            "The bus cannot be reached: is a NATS server running where the setting bus says?"
        ) from None
    return NatsBus(client, prefix)
