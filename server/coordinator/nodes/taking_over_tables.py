"""This node's place among the others: its lease, and the tables of those that are gone."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import structlog

from server.coordinator.lobby.lobby import Lobby
from server.coordinator.lobby.recovery import Recovered, read_tables, tables_in
from server.coordinator.nodes import node_messages as n
from server.coordinator.nodes.lease import RENEWED_EVERY, SECONDS, NodeLease
from server.coordinator.nodes.peer import Peer
from server.coordinator.nodes.peers import Peers
from server.coordinator.nodes.remote_tables import RemoteTables
from server.coordinator.table.facts_for_lobby_and_chat import listing
from server.coordinator.table.pause import taken_up
from server.storage.nodes import TOURNAMENTS, NodeRow, NodeStore
from server.storage.store import StoreError

_log = structlog.get_logger("nodes")

_SUSPECT_SECONDS: Final = 0.25
"""So often the database is asked while somebody is silent, who may be gone."""
_CLAIM_SECONDS: Final = 30.0
"""So often tables are claimed even if no node is known to be gone: one that loses its lease may still write
that a new table is its own, and one may be handed to a node that is gone by then, or so late that the node
has stopped to look for it."""
_OPEN_SECONDS: Final = 15.0
"""So long at most a node that starts waits for tables before people come in."""
_DEAF_SECONDS: Final = 3.0
"""Without the bus for so long, a node gives up its tables if others hear each other."""


_WAITS: Final = (
    "See storage_trouble. Tables wait, and go on by themselves when the database can be used."
)
_NOT_CLAIMED: Final = (
    "People come in, and some do not find their tables: these are kept, and taken up as soon as the database "
    "can be used. See storage_trouble, and the log of PostgreSQL."
)
_LOST: Final = (
    "Other nodes have the tables of this one now, and it goes on without. Was it stopped for a while, or its "
    "way to the database?"
)
_DEAF: Final = (
    "See why this node cannot reach NATS, as others can: they have its tables now. It goes on when it can "
    "reach it."
)
_NAME_TAKEN: Final = (
    "Another server has the name of this node by now, which ends: give it another one (--node), or stop the "
    "other."
)


class NameTaken(Exception):
    """Another node has this name, and its lease holds."""


class Charged:
    """What one of the nodes directs besides its tables (``storage.nodes.TOURNAMENTS``): nothing, where there
    is none of that.
    """

    @property
    def run_here(self) -> bool:
        """Whether this node does."""
        return False

    def take_up(self) -> None:
        """It may be this node's now, as the database knows."""

    def give_up(self) -> None:
        """It is another node's now."""

    async def hand_over(self, peer: Peer) -> bool:
        """From now on that node directs it, which looks out for it; whether it does."""
        return False


@dataclass(eq=False)
class Membership:
    """Made once for each node."""

    _name: str
    _lobby: Lobby
    _store: NodeStore
    _lease: NodeLease
    _peers: Peers
    _remote: RemoteTables
    _ended: Callable[[str], None]
    """Is told the ids of nodes that are gone."""
    id: str = ""
    taking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by whoever looks which tables are new, until they run."""
    leaving: bool = False
    """This node takes no tables any more."""
    hurry: asyncio.Event = field(default_factory=asyncio.Event)
    """The database is to be asked now."""
    tournaments: Charged = field(default_factory=Charged)
    ids: list[str] = field(default_factory=list)
    """All that this node has had; the last one is its own."""
    name_taken: bool = False
    """Another server has become the node of this name; this one has to end ..."""
    end: Callable[[], None] = lambda: None
    """... and this is called."""
    _reachable: float | None = None
    """Since when the database has been answering; ``None`` when it does not."""
    _deaf_since: float | None = None
    _waiting: bool = False
    """The lease is over, as far as this node knows: nothing can be done at its tables."""
    _others_hear_since: float | None = None
    """Since when another node has had the bus; ``None`` when none has."""
    _rows: dict[str, NodeRow] = field(default_factory=dict)
    _claimed: float = 0.0
    """When tables were claimed last."""
    _unclaimed: bool = True
    """There may be tables of nodes that are gone."""
    _seats_unknown: bool = False
    """Of tables that could not be claimed when people came in."""

    def __post_init__(self) -> None:
        self._clock = self._lobby.shared.clock
        self._remote.unclaimed = lambda: self._unclaimed

    async def join(self, patience: float = SECONDS + 1.0) -> None:
        """Be a node. Raises ``NameTaken`` after so many seconds, and ``StoreError``."""
        id_ = self.id = f"{self._name}-{secrets.token_hex(4)}"
        self._lobby.shared.store.node = id_
        was = tuple(self.ids)
        self.ids.append(id_)
        until = self._clock.time() + patience
        while not await self._store.join(id_, self._name, SECONDS, was):
            if self._clock.time() > until:
                raise NameTaken
            await self._clock.sleep_until(self._clock.time() + _SUSPECT_SECONDS)
        await self._meet()

    async def _meet(self) -> None:
        """Hear the others, and be heard."""
        await self._peers.listen(self.id, await self._store.bus_key())
        # Nobody may have this node's former tables: all may have begun again at once.
        self._rows, self._unclaimed = {}, True
        self._peers.call("state", n.AskState())

    async def first_claim(self) -> None:
        """Take the tables that nobody has before people come in, who would not find their seats. Those of a
        node whose lease has just ended, or that says nothing while it lasts, are waited for,
        ``_OPEN_SECONDS`` at most. Raises ``StoreError``.
        """
        until = self._clock.time() + _OPEN_SECONDS
        await self.renew_now()
        while (self._unclaimed or self._unheard) and self._clock.time() < until:
            await self._clock.sleep_until(self._clock.time() + _SUSPECT_SECONDS)
            try:
                await self.renew_now()
            except StoreError as error:
                _log.error("lease_not_renewed", code=error.code, advice=_WAITS)
        if self._unclaimed:
            _log.error("tables_not_claimed", advice=_NOT_CLAIMED)
            self._seats_unknown = True
            await self._keep_seats()

    async def _keep_seats(self) -> None:
        """Whoever has a seat at a table that could not be claimed finds out, and keeps it."""
        with suppress(StoreError):
            keys = await self._store.unclaimed()
            found = await read_tables(self._lobby.shared.store, keys) if keys else []
            now, timing = self._clock.time(), self._lobby.shared.timing
            for each in found:
                shown = listing(each.log.key, taken_up(each.table, now, timing))
                self._remote.kept(shown, each.log.epoch)
            self._seats_unknown = False

    @property
    def _unheard(self) -> bool:
        """A node has a lease, and has said nothing yet. After a crash of all, or in a database that was
        restored from a dump, it is gone.
        """
        there = self._rows.keys() - {self.id}
        return self._peers.connected and not there <= self._peers.known.keys()

    def beat(self) -> None:
        """Twice a second: see whether the bus is there, and tell people here when their tables wait for the
        database.
        """
        connected = self._peers.connected
        self._deaf_since = None if connected else (self._deaf_since or self._lease.now())
        if self._waiting == self._lease.valid:
            self._waiting, own = not self._waiting, set(self._lobby.tables.actors)
            if self._waiting:
                self._remote.moving(own, "storage")
            else:
                self._remote.moved(own)

    async def keep(self) -> None:
        """Renew the lease as long as this runs."""
        while True:
            suspects = [it for it in self._peers.known.values() if self._peers.is_silent(it.id)]
            for peer in suspects:
                if not peer.silent:
                    peer.silent = True
                    self._remote.moving(self._remote.of(peer).keys())
            wait = _SUSPECT_SECONDS if suspects or self._unclaimed else RENEWED_EVERY
            timer = self._clock.call_at(self._clock.time() + wait, self.hurry.set)
            await self.hurry.wait()
            timer.cancel()
            self.hurry.clear()
            try:
                await self.renew_now()
                if self._unclaimed and self._seats_unknown:
                    await self._keep_seats()
            except StoreError as error:
                if self._reachable is not None:
                    _log.error("lease_not_renewed", code=error.code, advice=_WAITS)
                self._reachable = None
            except NameTaken:
                _log.error("name_taken", advice=_NAME_TAKEN)
                self.name_taken = True
                self.end()
                return
            except Exception as error:
                # Without a lease all tables of this node would stand still.
                _log.error("node_failed", error=type(error).__name__)

    async def renew_now(self) -> None:
        """Renew the lease, and look after the others. Raises ``NameTaken`` and ``StoreError``."""
        asked = self._lease.now()
        known = set(self._peers.known)
        rows = await self._store.renew(self.id, SECONDS, self._peers.connected)
        if rows is None:
            _log.error("lease_lost", advice=_LOST)
            await self._begin_again()
            return
        if self._peers.own_id != self.id:
            # It has joined, and the answer was lost.
            await self._meet()
        if self._reachable is None or not self._lease.valid:
            # It did not answer in time, and the others neither.
            self._reachable = self._lease.now()
        if self._cut_off(rows, asked):
            _log.error("tables_given_up", advice=_DEAF)
            await self._store.leave(self.id)
            await self._begin_again()
            return
        self._lease.renewed(asked)
        self._peers.awake()
        # Who is gone may be heard once more: a node that was stopped does not know yet that it is gone. One
        # that is still heard cannot reach the database, but its people.
        gone = (self._rows.keys() | known) - {row.id for row in rows}
        self._rows = {row.id: row for row in rows}
        for id_ in gone:
            if self._peers.is_silent(id_):
                self._ended(id_)
        over = any(row.left <= 0 for row in rows)
        again = asked - self._claimed >= _CLAIM_SECONDS
        self._unclaimed = self._unclaimed or bool(gone) or over or again
        # After a failure of the database everybody has the time to renew a lease first.
        if self._unclaimed and asked - self._reachable >= (SECONDS if over else 0.0):
            await self._claim()
            self._claimed = asked

    def _cut_off(self, rows: Sequence[NodeRow], now: float) -> bool:
        if not any(row.bus for row in rows if row.id != self.id and row.left > 0):
            self._others_hear_since = None
            return False
        # When the bus comes back, not all reach it at the same moment.
        self._others_hear_since = self._others_hear_since or now
        since = max(self._deaf_since or now, self._others_hear_since)
        return now - since >= _DEAF_SECONDS

    async def _claim(self) -> None:
        if self.leaving:
            return
        async with self.taking:
            self._unclaimed = True
            # Also those that were claimed before without an answer, or could not be read then.
            keys = set(await self._store.claim(self.id))
            keys -= {table.key for table in self._lobby.tables.actors.values()}
            store = self._lobby.shared.store
            found = await tables_in(store, keys=list(keys)) if keys else []
            self._unclaimed = False
            for each in found:
                if each.log.key not in self._lobby.forgetting:
                    await self.run(each)
            if TOURNAMENTS in keys:
                self.tournaments.take_up()
        if keys - {TOURNAMENTS}:
            _log.info("tables_taken_over", tables=len(found))

    def look_again(self) -> None:
        """A table of this node is another one's, or was taken up anew by this one, which does not know."""
        self._unclaimed = True
        self.hurry.set()

    async def run(self, found: Recovered) -> None:
        """Run a table that another node had until now."""
        code = found.table.id
        if known := self._lobby.tables.actors.get(code):
            await known.stop(lost=True)
        self._remote.take_over(found)
        self._lobby.shared.tally.tables_taken_over += 1

    async def _begin_again(self) -> None:
        """Be another node: the tables of this one are others' now."""
        self._lease.over()
        self._peers.leave()
        self.id = ""  # until there is another one, no table is this node's
        self._lobby.shared.tally.leases_lost += 1
        self.tournaments.give_up()
        for code, table in list(self._lobby.tables.actors.items()):
            await table.stop(lost=True)
            if self._lobby.tables.actors.get(code) is table:  # it may have been closed meanwhile
                self._remote.await_owner(code, table.epoch)
        while self._deaf_since is not None and not self._peers.connected:
            rows = [row for row in await self._store.nodes() if row.left > 0]
            if not any(row.bus for row in rows):
                break
            await self._clock.sleep_until(self._clock.time() + RENEWED_EVERY)
        await self.join()
