"""Nodes in a database that they share."""

import secrets
from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from server.storage.databases.connection import Connection, any_of
from server.storage.databases.database import Repository, reads, writes
from server.storage.nodes import LONGEST, TOURNAMENTS, NodeRow, NodeStore, StoredOrder

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
    WHERE node NOT IN (SELECT id FROM nodes) RETURNING table_key
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


class SqlNodes(Repository, NodeStore):
    """Nodes in a ``Database``."""

    @override
    @reads
    def time(self, connection: Connection) -> float:
        return float(connection.execute(_sql(connection, "SELECT {now}")).scalar())

    @override
    @writes
    def house(self, connection: Connection) -> str:
        connection.execute(_MAKE_HOUSE, id=secrets.token_hex(6))
        return str(connection.execute("SELECT id FROM house").scalar())

    @override
    @writes
    def bus_key(self, connection: Connection) -> bytes:
        connection.execute(_MAKE_HOUSE, id=secrets.token_hex(6))
        connection.execute(_MAKE_KEY, secret=secrets.token_hex(32))
        return bytes.fromhex(connection.execute("SELECT secret FROM house").scalar())

    @override
    @writes
    def join(
        self,
        connection: Connection,
        id_: str,
        name: str,
        seconds: float,
        was: Sequence[str] = (),
    ) -> bool:
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

    @override
    @writes
    def renew(
        self, connection: Connection, id_: str, seconds: float, bus: bool
    ) -> Sequence[NodeRow] | None:
        values = {"id": id_, "seconds": seconds, "bus": int(bus)}
        if not connection.execute(_sql(connection, _RENEW), values).rowcount:
            return None
        return _rows(connection, _NODES)

    @override
    @writes
    def claim(self, connection: Connection, id_: str, *, again: bool = False) -> Sequence[str]:
        connection.execute(_sql(connection, _EXPIRED) + " AND id <> :id", id=id_)
        if not connection.execute("SELECT 1 FROM nodes WHERE id = :id", id=id_).first():
            return ()
        claimed = connection.execute(_CLAIM, id=id_).scalars()
        return connection.execute(_OWNED, id=id_).scalars() if again else claimed

    @override
    @reads
    def unclaimed(self, connection: Connection) -> Sequence[str]:
        values = {"tournaments": TOURNAMENTS}
        return connection.execute(_sql(connection, _UNCLAIMED), values).scalars()

    @override
    @writes
    def visit(self, connection: Connection) -> int:
        return connection.next_number("visits")

    @override
    @reads
    def owns(self, connection: Connection, id_: str, key: str) -> int:
        return connection.execute(_OWNS, key=key, id=id_).scalar() or 0

    @override
    @writes
    def hand_over(self, connection: Connection, key: str, epoch: int, to: str) -> bool:
        return bool(connection.execute(_HAND_OVER, key=key, epoch=epoch, to=to).rowcount)

    @override
    @writes
    def order(self, connection: Connection, kind: str, content: str) -> int:
        return _ordered(connection, _next_order(connection), "", kind, content)

    @override
    @writes
    def drain(self, connection: Connection, id_: str, kind: str, content: str) -> bool:
        number = _next_order(connection)
        if not connection.execute(_sql(connection, _DRAIN), id=id_).rowcount:
            return False
        _ordered(connection, number, id_, kind, content)
        return True

    @override
    @reads
    def orders(self, connection: Connection, after: int) -> Sequence[StoredOrder]:
        return list(
            map(StoredOrder._make, connection.execute(_sql(connection, _ORDERS), after=after))
        )

    @override
    @writes
    def leave(self, connection: Connection, id_: str) -> None:
        connection.execute(_LEAVE, id=id_)

    @override
    @reads
    def nodes(self, connection: Connection) -> Sequence[NodeRow]:
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
