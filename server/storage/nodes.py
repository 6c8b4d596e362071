"""Which nodes there are, and which of them has a table: leases, by the clock of the database.

A node has one lease for all its tables, and each table an epoch, which rises with every owner. A change of a
table is appended only with its newest epoch (``StoredChange.epoch``): so a node that has lost its lease, and
does not know it, writes nothing.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

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


class NodeStore(Protocol):
    """Every method returns only when the data would survive power loss, or raises ``StoreError``."""

    async def time(self) -> float:
        """Now by the clock of the database, in seconds since 1970."""

    async def house(self) -> str:
        """The id of this database, of letters and digits, which all its nodes have in common. Whoever asks
        first makes it.
        """

    async def bus_key(self) -> bytes:
        """With which nodes of this house mark what they say. Whoever asks first makes it."""

    async def join(self, id_: str, name: str, seconds: float, was: Sequence[str] = ()) -> bool:
        """A node begins: its lease holds for so many seconds. ``False`` while another one has that name.
        ``was`` has the ids that it had before: what was ordered of them holds. Where no other node has a
        lease, nothing does that was ordered before.

        From the first one on, ``TOURNAMENTS`` can be claimed, as the tables of nodes that are gone.
        """

    async def renew(self, id_: str, seconds: float, bus: bool) -> Sequence[NodeRow] | None:
        """The lease holds for so many seconds from now. All nodes, without how many tables they have; or
        ``None`` when this lease is over and somebody else has its tables.
        """

    async def claim(self, id_: str, *, again: bool = False) -> Sequence[str]:
        """Take all tables of nodes whose lease is over, or that there are not any more, each with a new
        epoch: their keys. With ``again``, the keys of all that this node has by then: it may have claimed
        some without hearing the answer.
        """

    async def unclaimed(self) -> Sequence[str]:
        """The keys of all tables of nodes whose lease is over, or that there are not any more."""

    async def visit(self) -> int:
        """The number of somebody's next visit, higher than of all before, on whichever node."""

    async def owns(self, id_: str, key: str) -> int:
        """The epoch of the table with that key if this node has it; otherwise 0."""

    async def hand_over(self, key: str, epoch: int, to: str) -> bool:
        """The table with this epoch is another node's from now on, with the next one. ``False`` when that is
        not its epoch, or there is no such node.
        """

    async def order(self, kind: str, content: str) -> int:
        """Order something of all nodes: its number. It is kept for an hour, and the last one about new games
        for as long as there are nodes.
        """

    async def drain(self, id_: str, kind: str, content: str) -> bool:
        """Order a node to end. ``False`` when there would be no other one left that nobody wants to end."""

    async def orders(self, after: int) -> Sequence[StoredOrder]:
        """Those with higher numbers, but announcements of more than a minute ago: they are news no more."""

    async def leave(self, id_: str) -> None:
        """The node ends; its tables wait for another one."""

    async def nodes(self) -> Sequence[NodeRow]:
        """All of them, by name."""
