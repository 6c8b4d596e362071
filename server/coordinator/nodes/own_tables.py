"""What people who are connected to other nodes do at the tables of this one."""

from collections.abc import Awaitable
from typing import Final

from server.coordinator import messages as m
from server.coordinator.feed import NOBODY
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.nodes import wire as n
from server.coordinator.nodes.peer import Peer
from server.coordinator.nodes.peers import Peers
from server.coordinator.nodes.whereabouts import Whereabouts
from server.coordinator.table import steps
from server.coordinator.table.actor import TableActor
from server.coordinator.unwritten import reply_of


class OwnTables:
    """Made once for each node."""

    def __init__(self, lobby: Lobby, peers: Peers, whereabouts: Whereabouts) -> None:
        self._lobby: Final = lobby
        self._peers: Final = peers
        self._whereabouts: Final = whereabouts
        peers.on(n.ToTable, self._hear)

    def _hear(self, peer: Peer, message: n.ToTable) -> Awaitable[m.Reply] | None:
        table, given = self._lobby.tables.actors.get(message.code), message.given
        if isinstance(given, steps.Request):
            return _at_once(steps.MOVED) if table is None else self._asked(peer, table, given)
        if table is not None:
            self._told(peer, table, given)
        return None

    def _told(self, peer: Peer, table: TableActor, given: steps.Note) -> None:
        if isinstance(given, steps.Gone):
            presence = self._lobby.people.get(given.player)
            if presence is None or presence.feed is not peer.feeds.get(given.player, NOBODY):
                return  # connected elsewhere by now
            presence.feed = NOBODY
        elif isinstance(given, steps.Came) and not self._is_reached_through(peer, given):
            return
        table.post(given)
        if isinstance(given, steps.Came):
            # Who has left meanwhile comes too late.
            self._lobby.let_go(self._lobby.people[given.who.player.id])

    def _asked(self, peer: Peer, table: TableActor, given: steps.Request) -> Awaitable[m.Reply]:
        if isinstance(given, steps.Asked):
            if not self._is_reached_through(peer, given):
                return _at_once(m.Reply(m.Refusal.GONE))
            self._lobby.people[given.who.player.id].asked += 1
        return self._answer(peer, table.ask(given))

    def _is_reached_through(self, peer: Peer, given: steps.Asked | steps.Came) -> bool:
        """Whether this visit of somebody is connected to that node: of who has come again since, here or to
        any node, it is over; that node was stopped, and does not know it yet.
        """
        player = given.who.player
        before, there = self._lobby.people.get(player.id), self._peers.with_person(player.id)
        if there not in (None, peer) or (before is not None and before.visit > given.visit):
            return False
        if before is not None and before.visit < given.visit:
            # What was told of that may have been lost.
            self._whereabouts.came(player)
        presence = self._lobby.presence_of(player)
        presence.player, presence.source, presence.visit = player, given.who.source, given.visit
        if not presence.here:
            presence.feed = peer.feed(player.id)
        return True

    async def _answer(self, peer: Peer, asking: Awaitable[m.Reply]) -> m.Reply:
        reply = await reply_of(asking)
        if reply.code == m.Refusal.CLOSING and self._lobby.closed_down:
            # Only this node ends: the table goes on at another one.
            return steps.MOVING
        # Where nobody is connected any more, nobody is shown what has come of it, as far as this node knows.
        return steps.MOVING if reply.ok and peer.gone else reply


async def _at_once(reply: m.Reply) -> m.Reply:
    return reply
