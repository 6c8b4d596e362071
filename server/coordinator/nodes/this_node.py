"""This node among the others: what it tells them of people and tables here, and what it hears of theirs."""

from contextlib import suppress
from math import inf
from typing import Final

import structlog
from typing_extensions import override

from server.bus.bus import Bus
from server.coordinator import messages as m
from server.coordinator.elsewhere import Elsewhere
from server.coordinator.feed import NOBODY, Feed
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.nodes import node_messages as n
from server.coordinator.nodes.chat import ChatAcrossNodes
from server.coordinator.nodes.handover import Handover
from server.coordinator.nodes.lease import NodeLease
from server.coordinator.nodes.order_rows import READ_SECONDS, Orders
from server.coordinator.nodes.peer import Peer, remote_table
from server.coordinator.nodes.peers import Peers
from server.coordinator.nodes.remote_tables import RemoteTables
from server.coordinator.nodes.taking_over_tables import Membership
from server.coordinator.nodes.whereabouts import Whereabouts
from server.coordinator.table.actor import TableActor
from server.coordinator.table.facts_for_lobby_and_chat import Listing
from server.coordinator.time_source import repeated
from server.storage.nodes import NodeStore
from server.storage.store import StoreError
from server.tasks import Tasks

_log = structlog.get_logger("nodes")

_BEAT_SECONDS: Final = 0.5


class Node(Elsewhere):
    """Made once; ``lease`` is also what tables of the lobby ask whether they may speak."""

    calls = True

    def __init__(
        self, name: str, lobby: Lobby, store: NodeStore, bus: Bus, lease: NodeLease
    ) -> None:
        lobby.shared.authority = lease
        self.name: Final = name
        self._lobby: Final = lobby
        self.store: Final = store
        self._bus: Final = bus
        self._clock: Final = lobby.shared.clock
        self._tasks: Final = Tasks()
        self._spawn: Final = self._tasks.spawn
        self.peers: Final = Peers(bus, lease.now, self._epoch_of, self._spawn)
        self.peers.ordered = lambda: self._spawn(self.orders.look(), "orders")
        self.whereabouts: Final = Whereabouts(lobby, self.peers)
        self._remote: Final = RemoteTables(lobby, self.peers, self.whereabouts)
        self.membership: Final = Membership(
            name, lobby, store, lease, self.peers, self._remote, self._ended
        )
        self.orders: Final = Orders(store, self.peers, self._clock, self.membership.ids)
        ChatAcrossNodes(lobby, self.peers, name)
        self.handover: Final = Handover(lobby, store, self.peers, self.membership, self._remote)
        self.peers.awoke = lambda peer: self._remote.moved(self._remote.of(peer).keys())
        self.peers.on(n.Beat, self._beats)
        self.peers.on(n.AskState, self._tell_state)
        self.peers.on(n.State, self._take_state)
        self.peers.on(n.Changed, self._changed)
        self.peers.on(n.Bye, self._ends)

    # ------------------------------------------------------------ from start to end

    async def open(self) -> int:
        """Begin, with the tables that nobody has; how many. Raises ``NameTaken`` and ``StoreError``."""
        self._lobby.elsewhere = self
        # Whoever is there is heard of before people come in, and so is this node.
        await self.membership.join()
        await self.orders.begin()
        self._spawn(self._beat(), "beat")
        await self.membership.first_claim()
        self._spawn(self.membership.keep(), "lease")
        self._spawn(self.whereabouts.keep(), "whereabouts")
        self._spawn(repeated(self._clock, READ_SECONDS, self.orders.read), "orders")
        return len(self._lobby.tables.actors)

    async def close(self) -> None:
        """End; ``Lobby.close`` comes before. Other nodes take the tables."""
        await self._tasks.end()
        with suppress(StoreError):
            await self.store.leave(self.membership.id)
        self.peers.call("beat", n.Bye())

    async def _beat(self) -> None:
        while True:
            if self.peers.beat():
                self.membership.hurry.set()
            self.membership.beat()
            self.peers.call("beat", n.Beat(self.name))
            self.peers.tell("beat", n.Beat(self.name))
            await self._clock.sleep_until(self._clock.time() + _BEAT_SECONDS)

    # ------------------------------------------------------------ what the lobby tells

    @override
    def heard(self) -> int:
        return sum(not peer.silent for peer in self.peers.known.values())

    @override
    def owner(self, table: str) -> str:
        known = remote_table(self._lobby, table)
        return known.peer.name if known is not None else self.name

    @override
    async def visit(self) -> int:
        return await self.store.visit()

    @override
    def came(self, player: m.Player, visit: int) -> None:
        self.peers.person_came(player.id)
        self.peers.tell("changed", n.Changed(came=(n.Connected(player, visit),)))
        self._remote.came(player.id)

    @override
    def left(self, player: str) -> None:
        self.peers.tell("changed", n.Changed(left=(player,)))

    @override
    def published(self, listing: Listing) -> None:
        self.peers.tell("changed", n.Changed(tables=(self._table_at(listing),)))

    @override
    def closed(self, table: str) -> None:
        for peer in self.peers.known.values():
            peer.forget_shown(table)
        self.peers.tell("changed", n.Changed(closed=(table,)))

    @override
    def lost(self, table: TableActor) -> bool:
        _log.error("table_lost", table=table.id)
        self._remote.await_owner(table.id, table.epoch)
        self.membership.look_again()
        return True

    @override
    def feed_of(self, player: str) -> Feed:
        peer = self.peers.with_person(player)
        return peer.feed(player) if peer is not None else NOBODY

    @override
    def knows(self, player: str) -> bool:
        # Without the bus nobody knows.
        return player in self._lobby.connected or not self._bus.connected

    def _epoch_of(self, code: str) -> int:
        table = self._lobby.tables.actors.get(code)
        return table.epoch if table is not None else 0

    def _table_at(self, listing: Listing) -> n.TableAt:
        return n.TableAt(self._epoch_of(listing.id), listing)

    # ------------------------------------------------------------ what other nodes tell

    def _beats(self, peer: Peer, beat: n.Beat) -> None:
        peer.name = beat.name

    def _ends(self, peer: Peer, _: n.Bye) -> None:
        peer.heard = -inf
        self.membership.hurry.set()

    def _tell_state(self, peer: Peer, _: n.AskState) -> None:
        """Tell it everything: something was lost on its way there, perhaps what it was asked."""
        peer.answer_all()
        peer.forget_shown()
        here = [it for it in self._lobby.people.values() if it.here]
        people = tuple([n.Connected(it.player, it.visit) for it in here])
        tables = tuple(self._table_at(self._lobby.listings[it]) for it in self._lobby.tables.actors)
        for state in n.state_in_parts(self.name, people, tables):
            peer.send("state", state)
        for missed in self.peers.on_missing:
            missed(peer)
        if peer.known:
            # That somebody has come may be what was lost; with its state it is told anyway.
            self.whereabouts.announce(self._remote.of(peer).keys())

    def _take_state(self, peer: Peer, part: n.State) -> None:
        state = peer.whole_state(part)
        if state is None:
            return
        peer.known, peer.name = True, state.name
        peer.answer_all()  # the answers may be what was lost
        people = {it.player.id: it for it in state.people if not self._came_later(peer, it)}
        left = tuple(id_ for id_ in {**peer.people, **peer.feeds} if id_ not in people)
        own = {it.listing.id for it in state.tables}
        came = tuple(it for id_, it in people.items() if id_ not in peer.people)
        self._changed(peer, n.Changed(came, left, state.tables))
        self._remote.left_out(peer, own)
        self.whereabouts.announce(own)
        for met in self.peers.on_meeting:
            met(peer)

    def _came_later(self, peer: Peer, there: n.Connected) -> bool:
        """Whether somebody has connected elsewhere since: who was stopped for a while does not know that."""
        id_ = there.player.id
        here = self.whereabouts.person(id_)
        if here is not None and here.visit > there.visit:
            peer.send("changed", n.Changed(came=(n.Connected(here.player, here.visit),)))
            # If the table is there, it has been shown to the visit that is over.
            self.whereabouts.settle(here)
            return True
        other = self.peers.with_person(id_)
        return other is not None and other.people[id_].visit > there.visit

    def _changed(self, peer: Peer, changed: n.Changed) -> None:
        for there in changed.came:
            if self._came_later(peer, there):
                continue
            id_ = there.player.id
            self.peers.person_came(id_)
            peer.people[id_] = there
            self.whereabouts.came(there.player)
        for id_ in changed.left:
            self._left(peer, id_)
        for table in changed.tables:
            self._remote.heard_of(peer, table)
        for code in changed.closed:
            self._remote.closed(peer, code)

    def _ended(self, id_: str) -> None:
        """A node is gone: its people are not connected any more."""
        peer = self.peers.end(id_)
        if peer is None:
            return
        peer.give_up()
        for player in {**peer.people, **peer.feeds}:
            self._left(peer, player)
        self._remote.orphaned(peer)

    def _left(self, peer: Peer, player: str) -> None:
        """Somebody is not connected to it; elsewhere, perhaps."""
        peer.people.pop(player, None)
        self.whereabouts.left(player, peer.feeds.pop(player, NOBODY))
