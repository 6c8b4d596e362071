"""This server as one node of several, which share a database and a bus. Others load nothing of that."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog

from server.config import Settings, bus_url, node_name
from server.coordinator.clock import Clock, SystemClock, since_boot
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.tournaments.known import KnownTournaments
from server.operators.service import OperatorService
from server.storage.databases.database import CannotOpen, Database
from server.storage.nodes import NodeStore
from server.storage.statedir import Opened

if TYPE_CHECKING:
    from server.bus.bus import Bus
    from server.coordinator.nodes.node import Node
    from server.coordinator.nodes.tournaments import TournamentsOfNodes

_log = structlog.get_logger("nodes")

_HAND_OVER_SECONDS: Final = 20.0
"""What has not been handed over by then, the others claim."""
_READINGS: Final = 3
"""Of the database's clock; the one that took least is the best."""
_CLOCK_ADVICE: Final = (
    "Players see the time of the database, as on all nodes, but this log has the machine's: set the clocks "
    "of both machines by NTP."
)


async def clock_of(settings: Settings, database: Database) -> SystemClock:
    """The machine's clock; that of the database for a node, so that all nodes have the same. Raises
    ``StoreError``.
    """
    machine = SystemClock()
    if not bus_url(settings):
        return machine
    from server.runtime.agreement import CLOCK_SECONDS

    nodes, readings = NodeStore(database), []
    for _ in range(_READINGS):
        asked = since_boot()
        now = await nodes.time()
        took = since_boot() - asked
        readings.append((took, now - asked - took / 2))
    clock = SystemClock(offset=min(readings)[1])
    fast = machine.time() - clock.time()
    if abs(fast) > CLOCK_SECONDS:
        _log.warning("clock_differs", seconds=round(fast, 1), advice=_CLOCK_ADVICE)
    return clock


async def node_of(
    stack: AsyncExitStack, settings: Settings, state: Opened, lobby: Lobby
) -> "Node | None":
    """The node that this server is, not yet open; ``None`` without a bus. Raises ``ConfigError`` and
    ``CannotOpen`` and ``StoreError``.
    """
    url = bus_url(settings)
    if not url:
        return None
    from server.coordinator.nodes.lease import NodeLease
    from server.coordinator.nodes.node import Node

    name = node_name(settings)
    # The lease has a connection of its own: no bid that waits may cost it.
    nodes = NodeStore(state.database.apart())
    stack.push_async_callback(nodes.database.close)
    bus = await bus_at(stack, url, name, await nodes.house(), settings.bus_ca)
    return Node(name, lobby, nodes, bus, NodeLease())


async def bus_at(
    stack: AsyncExitStack, url: str, name: str, house: str, ca: Path | None = None
) -> "Bus":
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


def compare(
    node: "Node | None", settings: Callable[[], Settings], clock: Clock
) -> Callable[[], None]:
    """Have the log say where the settings in force, the keys and the clock of other nodes differ from those
    of this one; to be called when they have been read again.
    """
    if node is None:
        return lambda: None
    from server.runtime.agreement import Agreement, common

    return Agreement(node.peers, lambda: common(settings()), clock).changed


def share_moderation(moderation: OperatorService, node: "Node | None") -> None:
    """Have operators' orders reach the other nodes, and what counts against who comes in."""
    if node is not None:
        from server.coordinator.nodes.logins import LoginsOfNodes
        from server.runtime.operators_of_nodes import OperatorsOfAllNodes

        OperatorsOfAllNodes(moderation, node.peers, node.orders)
        server = moderation.online.server
        logins = LoginsOfNodes(server.people, node.peers)
        logins.share("words", server.access.patience, server.limiter.now)


def tournaments_of(node: "Node", known: KnownTournaments, *, guests: bool) -> "TournamentsOfNodes":
    """Tournaments that one of the nodes directs."""
    from server.coordinator.nodes.tournaments import TournamentsOfNodes

    return TournamentsOfNodes(known, node, guests=guests)


def close_with(
    stack: AsyncExitStack,
    lobby: Lobby,
    node: "Node | None",
    ordered: Callable[[], None],
    end: Callable[[], None],
) -> None:
    """Have lobby and node end where the stack is unwound to here, and others have the tables before.
    ``ordered`` is called when an operator wants that, ``end`` when another server has taken the node's name:
    then the stack raises ``CannotOpen``.
    """
    if node is not None:
        node.orders.end, node.membership.end = ordered, end
        stack.callback(_check_name, node)
        stack.push_async_callback(node.close)
    stack.push_async_callback(lobby.close)
    if node is not None:
        stack.push_async_callback(_hand_over, node)


async def _hand_over(node: "Node") -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(_HAND_OVER_SECONDS):
            await node.handover.hand_over_all()


async def opened(node: "Node") -> int:
    """Have the node begin; how many tables it has. Raises ``CannotOpen`` and ``StoreError``."""
    from server.coordinator.nodes.membership import NameTaken

    try:
        return await node.open()
    except NameTaken:
        raise _name_taken(node) from None


def _check_name(node: "Node") -> None:
    if node.membership.name_taken:
        raise _name_taken(node)


def _name_taken(node: "Node") -> CannotOpen:
    return CannotOpen(
        f"Another server is the node {node.name} already: give this one another name (--node)."
    )
