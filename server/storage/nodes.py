"""Which nodes there are, and which of them has a table: leases, by the clock of the database.

A node has one lease for all its tables, and each table an epoch, which rises with every owner. A change of a
table is appended only with its newest epoch (``StoredChange.epoch``): so a node that has lost its lease, and
does not know it, writes nothing.
"""

import secrets
from collections.abc import Sequence
from typing import Final, NamedTuple

from server.storage.databases.connection import Connection, any_of
from server.storage.databases.database import Repository, reads, writes

TOURNAMENTS: Final = "tournaments"
"""In place of a table's key, for the tournaments: the node that has it runs them all."""

LONGEST: Final = 60.0
"""Seconds for which a lease holds at most. One that seems to hold longer was dated by another clock, before a
failover or on the machine of a dump, and is over.
"""


class NodeRow(NamedTuple):
    """A node as the database knows it."""

    id: str
    """Of a node from its start, or the loss of a lease, to its end."""
    name: str
    left: float
    """Seconds for which its lease still holds; less than 0 when it is over."""
    bus: bool
    """It hears the other nodes."""
    tables: int = 0
    """How many it has."""


class StoredOrder(NamedTuple):
    """What an operator wants."""

    number: int
    """Later ones have higher numbers."""
    node: str
    """The id of the node that it is for; empty for all."""
    kind: str
    content: str
    """JSON."""


_MAKE_HOUSE: Final = "INSERT INTO house (kind, id) VALUES ('bus', :id) ON CONFLICT DO NOTHING"
_MAKE_KEY: Final = "UPDATE house SET secret = :secret WHERE secret = ''"
_HOLDS: Final = f"until > {{now}} AND until <= {{now}} + {LONGEST}"
_EXPIRED: Final = f"DELETE FROM nodes WHERE NOT ({_HOLDS})"
_JOIN: Final = """
    INSERT INTO nodes (id, name, until, bus, draining)
    VALUES (:id, :name, {now} + :seconds, 1, :draining) ON CONFLICT DO NOTHING
"""
_ANYBODYS: Final = """
    INSERT INTO owners (table_key, epoch, position, node) VALUES (:key, 0, 0, '')
    ON CONFLICT DO NOTHING
"""
_RENEW: Final = "UPDATE nodes SET until = {now} + :seconds, bus = :bus WHERE id = :id"
_NODES: Final = "SELECT id, name, until - {now}, bus FROM nodes ORDER BY name"
_COUNTED: Final = """
    SELECT id, name, until - {now}, bus,
        (SELECT COUNT(*) FROM owners WHERE node = nodes.id AND table_key <> :not_counted)
    FROM nodes ORDER BY name
"""
# Who renews a lease and who deletes it at this moment wait for each other: it is either renewed, and its
# tables stay, or it is gone, and nobody can renew it.
_CLAIM: Final = """
    UPDATE owners SET epoch = epoch + 1, node = :id
    WHERE node NOT IN (SELECT id FROM nodes)
"""
_UNCLAIMED: Final = f"""
    SELECT table_key FROM owners WHERE table_key <> :tournaments
    AND node NOT IN (SELECT id FROM nodes WHERE {_HOLDS})
"""
_OWNED: Final = "SELECT table_key FROM owners WHERE node = :id"
_OWNS: Final = "SELECT epoch FROM owners WHERE table_key = :key AND node = :id"
_HAND_OVER: Final = """
    UPDATE owners SET epoch = epoch + 1, node = :to
    WHERE table_key = :key AND epoch = :epoch AND EXISTS (SELECT 1 FROM nodes WHERE id = :to)
"""
# Whoever orders something at the same moment waits here, also who drains two nodes at once: nobody reads a
# number before a lower one.
_NEXT_ORDER: Final = "UPDATE house SET orders = orders + 1 RETURNING orders"
_ORDER: Final = """
    INSERT INTO orders (number, at, node, kind, content)
    VALUES (:number, {now}, :node, :kind, :content)
"""
_CARRIED_OUT: Final = """
    DELETE FROM orders WHERE at < {now} - 3600 AND (kind NOT IN ('drain', 'undrain') OR number <
        (SELECT MAX(number) FROM orders WHERE kind IN ('drain', 'undrain')))
"""
_NOBODYS: Final = f"DELETE FROM orders WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE {_HOLDS})"
_ORDERS: Final = """
    SELECT number, node, kind, content FROM orders
    WHERE number > :after AND (kind <> 'announce' OR at >= {now} - 60) ORDER BY number
"""
_DRAIN: Final = f"""
    UPDATE nodes SET draining = 1 WHERE id = :id AND EXISTS
        (SELECT 1 FROM nodes WHERE id <> :id AND draining = 0 AND {_HOLDS})
"""
_LEAVE: Final = "DELETE FROM nodes WHERE id = :id"


def _sql(connection: Connection, statement: str) -> str:
    return statement.format(now=connection.now)


class NodeStore(Repository):
    """Nodes in a ``Database`` that they share. All methods raise ``StoreError`` when it does not work."""

    @reads
    def time(self, connection: Connection) -> float:
        """Now by the clock of the database, in seconds since 1970."""
        return float(connection.execute(_sql(connection, "SELECT {now}")).scalar())

    @writes
    def house(self, connection: Connection) -> str:
        """The id of this database, of letters and digits, which all its nodes have in common. Whoever asks
        first makes it.
        """
        connection.execute(_MAKE_HOUSE, id=secrets.token_hex(6))
        return str(connection.execute("SELECT id FROM house").scalar())

    @writes
    def bus_key(self, connection: Connection) -> bytes:
        """With which nodes of this house mark what they say. Whoever asks first makes it."""
        connection.execute(_MAKE_HOUSE, id=secrets.token_hex(6))
        connection.execute(_MAKE_KEY, secret=secrets.token_hex(32))
        return bytes.fromhex(connection.execute("SELECT secret FROM house").scalar())

    @writes
    def join(
        self, connection: Connection, id_: str, name: str, seconds: float, was: Sequence[str] = ()
    ) -> bool:
        """A node begins: its lease holds for so many seconds. ``False`` while another one has that name.
        ``was`` has the ids that it had before: what was ordered of them holds. Where no other node has a
        lease, nothing does that was ordered before.

        From the first one on, ``TOURNAMENTS`` can be claimed, as the tables of nodes that are gone.
        """
        connection.execute(f"{_sql(connection, _EXPIRED)} AND name = :name", name=name)
        connection.execute(_ANYBODYS, key=TOURNAMENTS)
        ordered = None
        if was:
            marks, ids = any_of(was)
            query = f"SELECT 1 FROM orders WHERE node IN ({marks})"
            ordered = connection.execute(query, ids).first()
        else:
            connection.execute(_sql(connection, _NOBODYS))
        values = {"id": id_, "name": name, "seconds": seconds, "draining": int(ordered is not None)}
        return bool(connection.execute(_sql(connection, _JOIN), values).rowcount)

    @writes
    def renew(
        self, connection: Connection, id_: str, seconds: float, bus: bool
    ) -> Sequence[NodeRow] | None:
        """The lease holds for so many seconds from now. All nodes, without how many tables they have; or
        ``None`` when this lease is over and somebody else has its tables.
        """
        values = {"id": id_, "seconds": seconds, "bus": int(bus)}
        if not connection.execute(_sql(connection, _RENEW), values).rowcount:
            return None
        return _rows(connection, _NODES)

    @writes
    def claim(self, connection: Connection, id_: str) -> Sequence[str]:
        """Take all tables of nodes whose lease is over, or that there are not any more, each with a new
        epoch. The keys of all that this node has by then: it may have claimed some without hearing the
        answer.
        """
        connection.execute(_sql(connection, _EXPIRED) + " AND id <> :id", id=id_)
        if not connection.execute("SELECT 1 FROM nodes WHERE id = :id", id=id_).first():
            return ()
        connection.execute(_CLAIM, id=id_)
        return connection.execute(_OWNED, id=id_).scalars()

    @reads
    def unclaimed(self, connection: Connection) -> Sequence[str]:
        """The keys of all tables of nodes whose lease is over, or that there are not any more."""
        values = {"tournaments": TOURNAMENTS}
        return connection.execute(_sql(connection, _UNCLAIMED), values).scalars()

    @writes
    def visit(self, connection: Connection) -> int:
        """The number of somebody's next visit, higher than of all before, on whichever node."""
        return connection.next_number("visits")

    @reads
    def owns(self, connection: Connection, id_: str, key: str) -> int:
        """The epoch of the table with that key if this node has it; otherwise 0."""
        return connection.execute(_OWNS, key=key, id=id_).scalar() or 0

    @writes
    def hand_over(self, connection: Connection, key: str, epoch: int, to: str) -> bool:
        """The table with this epoch is another node's from now on, with the next one. ``False`` when that is
        not its epoch, or there is no such node.
        """
        return bool(connection.execute(_HAND_OVER, key=key, epoch=epoch, to=to).rowcount)

    @writes
    def order(self, connection: Connection, kind: str, content: str) -> int:
        """Order something of all nodes: its number. It is kept for an hour, and the last one about new games
        for as long as there are nodes.
        """
        return _ordered(connection, _next_order(connection), "", kind, content)

    @writes
    def drain(self, connection: Connection, id_: str, kind: str, content: str) -> bool:
        """Order a node to end. ``False`` when there would be no other one left that nobody wants to end."""
        number = _next_order(connection)
        if not connection.execute(_sql(connection, _DRAIN), id=id_).rowcount:
            return False
        _ordered(connection, number, id_, kind, content)
        return True

    @reads
    def orders(self, connection: Connection, after: int) -> Sequence[StoredOrder]:
        """Those with higher numbers, but announcements of more than a minute ago: they are news no more."""
        return list(
            map(StoredOrder._make, connection.execute(_sql(connection, _ORDERS), after=after))
        )

    @writes
    def leave(self, connection: Connection, id_: str) -> None:
        """The node ends; its tables wait for another one."""
        connection.execute(_LEAVE, id=id_)

    @reads
    def nodes(self, connection: Connection) -> Sequence[NodeRow]:
        """All of them, by name."""
        return _rows(connection, _COUNTED)


def _rows(connection: Connection, statement: str) -> Sequence[NodeRow]:
    found = connection.execute(_sql(connection, statement), not_counted=TOURNAMENTS)
    return [
        NodeRow(id_, name, float(left if left <= LONGEST else 0), bool(bus), *rest)
        for id_, name, left, bus, *rest in found
    ]


def _next_order(connection: Connection) -> int:
    connection.execute(_MAKE_HOUSE, id=secrets.token_hex(6))
    return int(connection.execute(_NEXT_ORDER).scalar())


def _ordered(connection: Connection, number: int, node: str, kind: str, content: str) -> int:
    connection.execute(_sql(connection, _CARRIED_OUT))
    values = {"number": number, "node": node, "kind": kind, "content": content}
    connection.execute(_sql(connection, _ORDER), values)
    return number
