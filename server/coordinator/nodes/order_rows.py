"""What operators want of the nodes: rows of the database, which each node reads once a second. The bus only
says that there is another one.
"""

import asyncio
from collections.abc import Awaitable, Callable, Container
from contextlib import suppress
from typing import Final

import msgspec
import structlog

from server.coordinator.messages import operator_orders as asked
from server.coordinator.nodes import node_messages as n
from server.coordinator.nodes.peers import Peers
from server.coordinator.time_source import Clock
from server.storage.nodes import NodeStore, StoredOrder
from server.storage.store import StoreError

_log = structlog.get_logger("nodes")

READ_SECONDS: Final = 1.0
_REPLIES: Final = 100
"""That are kept for whoever asks what has come of an order."""
_ABOUT_GAMES: Final = {it.__struct_config__.tag for it in (asked.Drain, asked.Undrain)}

_decode: Final = msgspec.json.Decoder(asked.OfEachNode | asked.EndNode).decode


def written(order: asked.OfEachNode | asked.EndNode) -> tuple[str, str]:
    """Kind and content of an order, as they are kept."""
    return asked.name_of(order), msgspec.json.encode(order).decode()


class Orders:
    """``own`` has all ids that this node has had."""

    def __init__(self, store: NodeStore, peers: Peers, clock: Clock, own: Container[str]) -> None:
        self._store: Final = store
        self._peers: Final = peers
        self._clock: Final = clock
        self._own: Final = own
        self._read = 0
        """The number of the last order that was read."""
        self._reading: Final = asyncio.Lock()
        self._replies: Final[dict[int, asked.OperatorReply]] = {}
        self.here: Callable[[asked.OfEachNode], Awaitable[asked.OperatorReply]] | None = None
        """Does it on this node."""
        self.end: Callable[[], None] = lambda: None
        """Called when an operator wants this node to end."""

    async def begin(self) -> None:
        """What was ordered before this node began does not concern it, but for whether new games begin.
        Raises ``StoreError``.
        """
        async with self._reading:
            found = await self._store.orders(0)
            games = [order for order in found if order.kind in _ABOUT_GAMES]
            for order in [*games[-1:], *(it for it in found if it.node)]:
                await self._carry_out(order)
            self._read = max((order.number for order in found), default=0)
            if self.here is not None:
                await self.here(asked.Reread())

    async def look(self) -> None:
        """Carry out what is new; while the database is away, later."""
        with suppress(StoreError):
            await self.read()

    async def read(self) -> None:
        """Carry out what is new. Raises ``StoreError``: the rest is done later."""
        async with self._reading:
            for order in await self._store.orders(self._read):
                await self._carry_out(order)
                self._read = order.number

    async def _carry_out(self, stored: StoredOrder) -> None:
        try:
            order = _decode(stored.content)
            if isinstance(order, asked.EndNode):
                if stored.node in self._own:
                    self.end()
            elif self.here is not None:
                self._replies[stored.number] = await self.here(order)
                self._replies.pop(stored.number - _REPLIES, None)
        except StoreError:
            raise
        except Exception as error:
            _log.error("order_failed", order=stored.kind, error=type(error).__name__)

    async def give(self, order: asked.OfEachNode) -> int:
        """Order something of all nodes: its number. Raises ``StoreError``."""
        number = await self._store.order(*written(order))
        self._peers.call("order", n.Ordered())
        return number

    async def outcome(self, number: int) -> asked.OperatorReply | None:
        """What has come of the order with this number here; ``None`` where that is not known. Raises
        ``StoreError``.
        """
        await self.read()
        return self._replies.get(number)
