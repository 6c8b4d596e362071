"""``tide nodes`` and ``tide drain``: the servers that share a database and a bus, from any machine that can
reach both.
"""

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from server.cli.output import fail, finish
from server.cli.state_dir import config_option, settings_in_force, with_database
from server.settings.addresses import bus_url, database_url
from server.settings.settings import Settings

if TYPE_CHECKING:
    from server.storage.databases.database import Database
    from server.storage.nodes import NodeRow, NodeStore

_LOOK_AGAIN: Final = 0.2
_SECONDS: Final = 60.0


@click.command()
@config_option
@click.option("--json", "as_json", is_flag=True, help="One JSON array.")
def nodes(config: Path | None, as_json: bool) -> None:
    """List the servers (nodes) that share a database and a bus.

    The database and the bus are those in the settings. The lease is for how many seconds a node still has
    its tables without renewing that; it does so every second.
    """
    from server.storage.nodes import NodeStore

    rows = with_database(_settings(config), lambda it: NodeStore(it).nodes())
    if as_json:
        finish([json.dumps([_plain(row) for row in rows])])
    if not rows:
        finish(["No node is running."])
    lines = [("NODE", "STATE", "TABLES", "LEASE", "BUS")]
    lines += [
        (
            row.name,
            _state(row),
            str(row.tables),
            f"{max(row.left, 0):.1f} s",
            "yes" if row.bus else "no",
        )
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        click.echo("  ".join(map(str.ljust, line, widths)).rstrip())


@click.command()
@click.argument("name", metavar="NODE", help="Its name, as in tide nodes.")
@config_option
def drain(name: str, config: Path | None) -> None:
    """Have a node hand its tables over to the others, while they play, and end.

    Who is connected to it is told, and comes in through another one. Then it can be upgraded and started.
    """
    settings = _settings(config)
    with_database(settings, lambda it: _drain(it, settings, name))
    finish([f"The node {name} has ended; other nodes have its tables."])


async def _drain(database: "Database", settings: Settings, name: str) -> None:
    import asyncio

    from server.coordinator.messages.operator_orders import EndNode
    from server.coordinator.nodes.order_rows import written
    from server.storage.nodes import NodeStore

    store = NodeStore(database)
    rows = [row for row in await store.nodes() if row.left > 0]
    node = next((row for row in rows if row.name == name), None)
    if node is None:
        fail(f"there is no node {name}; there are: {', '.join(row.name for row in rows) or 'none'}")
    if not await store.drain(node.id, *written(EndNode())):
        fail(
            f"{name} is the only node, or the others are ending: nobody could take its tables. Start another "
            "one, or just stop it"
        )
    await tell_nodes(store, settings)
    until, left = time.monotonic() + _SECONDS, node.tables
    while time.monotonic() < until:
        now = next((row for row in await store.nodes() if row.id == node.id), None)
        if now is None:
            return
        if now.tables != left:
            left = now.tables
            click.echo(f"{left} tables left", err=True)
        await asyncio.sleep(_LOOK_AGAIN)
    fail(f"{name} has not ended, and has {left} tables: look at its log, and at tide nodes")


async def tell_nodes(store: "NodeStore", settings: Settings) -> None:
    """Tell all nodes that there is an order. Raises ``StoreError``."""
    from server.bus.bus import ALL
    from server.bus.nats_bus import CannotConnect, connect
    from server.coordinator.nodes.node_messages import Envelope, Ordered, sealed

    house, key = await store.house(), await store.bus_key()
    with suppress(CannotConnect):  # then they see that a second later
        bus = await connect(bus_url(settings), "tide-operator", house, settings.bus_ca)
        bus.send(ALL, "order", sealed(key, ALL, Envelope("", 0, Ordered.__name__, b"")))
        await bus.close()


def _settings(config: Path | None) -> Settings:
    settings = settings_in_force(config=config)
    if not database_url(settings):
        fail(
            "the settings name no database that nodes share (TIDE_DATABASE_URL, or --config FILE)",
            2,
        )
    bus_url(settings)
    return settings


def _state(row: "NodeRow") -> str:
    if row.left <= 0:
        return "gone"
    return "ready" if row.bus else "without bus"


def _plain(row: "NodeRow") -> dict[str, object]:
    return {
        "name": row.name,
        "state": _state(row),
        "tables": row.tables,
        "lease": round(row.left, 1),
        "bus": row.bus,
    }
