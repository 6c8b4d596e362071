"""A server as one node of several, which share a database and a bus. Others load nothing of that."""

import asyncio
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Final

import structlog
from typing_extensions import override

from server.bus.bus import Bus
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.nodes.lease import NodeLease
from server.coordinator.nodes.logins import LoginsOfNodes
from server.coordinator.nodes.taking_over_tables import NameTaken
from server.coordinator.nodes.this_node import Node
from server.coordinator.nodes.tournaments import TournamentsOfNodes
from server.coordinator.time_source import SystemClock, since_boot
from server.coordinator.tournaments.directory import Tournaments
from server.coordinator.tournaments.known import KnownTournaments
from server.runtime.nodes.common_settings import CLOCK_SECONDS, Agreement, common
from server.runtime.nodes.operators_of_nodes import OperatorsOfAllNodes
from server.runtime.server import RunningServer
from server.settings.addresses import bus_url
from server.settings.settings import node_name
from server.storage.databases.database import CannotOpen, Database
from server.storage.nodes import NodeStore

_log = structlog.get_logger("nodes")

_HAND_OVER_SECONDS: Final = 20.0
"""What has not been handed over by then, the others claim."""
_READINGS: Final = 3
"""Of the database's clock; the one that took least is the best."""
_CLOCK_ADVICE: Final = (
    "Players see the time of the database, as on all nodes, but this log has the machine's: set the clocks "
    "of both machines by NTP."
)


class RunningNode(RunningServer):
    """The parts of a node."""

    goes_on = True

    @override
    async def _right_clock(self) -> SystemClock:
        return await clock_of(self._database)

    @override
    async def _empty_lobby(self) -> Lobby:
        """And the node that it belongs to, not yet open."""
        settings, stack = self._settings, self._stack
        lobby, name = await super()._empty_lobby(), node_name(settings)
        # The lease has a connection of its own: no bid that waits may cost it.
        nodes = NodeStore(self._database.apart())
        stack.push_async_callback(nodes.database.close)
        bus = await bus_at(stack, bus_url(settings), name, await nodes.house(), settings.bus_ca)
        self._node = Node(name, lobby, nodes, bus, NodeLease())
        return lobby

    @override
    def _tournaments(self, known: KnownTournaments) -> Tournaments:
        return TournamentsOfNodes(known, self._node, guests=self._settings.lan)

    @override
    async def _open_lines(self) -> None:
        await super()._open_lines()
        peers, server, reloader = self._node.peers, self._server, self._reloader
        reloader.reloaded = Agreement(peers, lambda: common(reloader.settings), self._clock).changed
        OperatorsOfAllNodes(self._moderation, peers, self._node.orders)
        logins = LoginsOfNodes(server.people, peers)
        logins.share("words", server.access.patience, server.limiter.now)

    @override
    def _close_lobby(self) -> None:
        """Other nodes have the tables before. An operator may want the end, or another server take the name:
        then the stack raises ``CannotOpen``.
        """
        node = self._node
        node.orders.end, node.membership.end = self._shutdown.order, self._shutdown.politely
        self._stack.callback(self._check_name)
        self._stack.push_async_callback(node.close)
        super()._close_lobby()
        self._stack.push_async_callback(self._hand_over)

    async def _hand_over(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_HAND_OVER_SECONDS):
                await self._node.handover.hand_over_all()

    @override
    async def _recover(self) -> int:
        try:
            return await self._node.open()
        except NameTaken:
            raise self._name_taken() from None

    def _check_name(self) -> None:
        if self._node.membership.name_taken:
            raise self._name_taken()

    def _name_taken(self) -> CannotOpen:
        return CannotOpen(
            f"Another server is the node {self._node.name} already: give this one another name (--node)."
        )


async def clock_of(database: Database) -> SystemClock:
    """That of the database, so that all nodes have the same. Raises ``StoreError``."""
    nodes, readings = NodeStore(database), []
    for _ in range(_READINGS):
        asked = since_boot()
        now = await nodes.time()
        took = since_boot() - asked
        readings.append((took, now - asked - took / 2))
    clock = SystemClock(offset=min(readings)[1])
    fast = SystemClock().time() - clock.time()
    if abs(fast) > CLOCK_SECONDS:
        _log.warning("clock_differs", seconds=round(fast, 1), advice=_CLOCK_ADVICE)
    return clock


async def bus_at(
    stack: AsyncExitStack, url: str, name: str, house: str, ca: Path | None = None
) -> Bus:
    """The bus of the nodes of this house, until the stack is closed. Raises ``CannotConnect``, and
    ``CannotOpen`` without the package.
    """
    try:
        from server.bus.nats_bus import connect
    except ImportError:
        raise CannotOpen(
            "NATS needs a package that is not installed: run `make install-cluster`, or install "
            "turn-the-tide[cluster]."
        ) from None
    bus = await connect(url, name, house, ca)
    stack.push_async_callback(bus.close)
    return bus
