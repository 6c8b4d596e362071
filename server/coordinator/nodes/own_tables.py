"""What people who are connected to other nodes do at the tables of this one."""

from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Final

from server.coordinator import messages as m
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.nodes import wire as n
from server.coordinator.nodes.peer import Peer
from server.coordinator.nodes.peers import Peers
from server.coordinator.nodes.whereabouts import Whereabouts
from server.coordinator.table import steps


class OwnTables:
    """``spawn`` runs what nobody waits for."""

    def __init__(
        self,
        lobby: Lobby,
        peers: Peers,
        whereabouts: Whereabouts,
        spawn: Callable[[Coroutine[None, None, None], str], None],
    ) -> None:
        self._lobby: Final = lobby
        self._peers: Final = peers
        self._whereabouts: Final = whereabouts
        self._spawn: Final = spawn

    def take(self, peer: Peer, message: n.ToTable | n.AskAdvice) -> None:
        """Something for a table of this node has come."""
        table = self._lobby.tables.actors.get(message.code)
        if table is None:
            if message.number:
                peer.send("answer", n.Answer(message.number, steps.MOVED))
            return
        if isinstance(message, n.AskAdvice):
            advise = partial(table.advise, message.player)
            self._spawn(self._answer(peer, message.number, advise), "answer")
            return
        given = message.given
        match given:
            case steps.Asked() | steps.Came():
                if self._is_over(peer, given.who.player.id, given.visit):
                    if message.number:
                        peer.send("answer", n.Answer(message.number, m.Reply(m.Refusal.GONE)))
                    return
                self._reached_through(peer, given)
            case steps.Gone():
                presence = self._lobby.people.get(given.player)
                if presence is None or presence.feed is not peer.feeds.get(given.player):
                    return  # connected elsewhere by now
                presence.feed = None
        if isinstance(given, steps.Order):
            if isinstance(given, steps.Asked):
                self._lobby.people[given.who.player.id].asked += 1
            self._spawn(self._answer(peer, message.number, partial(table.ask, given)), "answer")
        else:
            table.post(given)
            if isinstance(given, steps.Came):
                # Who has left meanwhile comes too late.
                self._lobby.let_go(self._lobby.people[given.who.player.id])

    def _is_over(self, peer: Peer, player: str, visit: int) -> bool:
        """Whether somebody has come again since, here or to any node: that one was stopped, and does not know
        it yet.
        """
        presence, there = self._lobby.people.get(player), self._peers.with_person(player)
        if there not in (None, peer):
            return True
        return presence is not None and presence.visit > visit

    def _reached_through(self, peer: Peer, given: steps.Asked | steps.Came) -> None:
        player = given.who.player
        before = self._lobby.people.get(player.id)
        if before is not None and before.visit < given.visit:
            # What was told of that may have been lost.
            self._whereabouts.came(player)
        presence = self._lobby.presence_of(player)
        presence.player, presence.source, presence.visit = player, given.who.source, given.visit
        if presence.feed is None or presence.feed.remote:
            presence.feed = peer.feed(player.id)

    async def _answer(self, peer: Peer, number: int, ask: Callable[[], Awaitable[m.Reply]]) -> None:
        try:
            reply = await ask()
        except m.Refused as refused:
            reply = refused.reply
        if reply.code == m.Refusal.CLOSING and self._lobby.closed_down:
            # Only this node ends: the table goes on at another one.
            reply = steps.MOVING
        if reply.ok and peer.gone:
            # Nobody there is shown what has come of it: nobody was connected, as far as this node knew.
            reply = steps.MOVING
        peer.send("answer", n.Answer(number, reply))
