"""The tables of other nodes, in the lobby of this one and for people who are connected to it."""

from collections.abc import Callable, Container, Set
from functools import partial
from typing import Final

import structlog
from msgspec.structs import replace

from engine.history import History
from server.coordinator import messages as m
from server.coordinator.feed import NOBODY
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.lobby.recovery import Recovered
from server.coordinator.nodes import node_messages as n
from server.coordinator.nodes.peer import Peer, RemoteTable, remote_table
from server.coordinator.nodes.peers import Peers
from server.coordinator.nodes.whereabouts import Whereabouts
from server.coordinator.presence import Presence
from server.coordinator.table.facts_for_lobby_and_chat import Listing
from server.coordinator.table.pause import taken_over

_log = structlog.get_logger("nodes")

_ORPHAN_SECONDS: Final = 10.0
"""A table whose node is gone, and which nobody has taken over by then, is no more."""


class RemoteTables:
    """Made once for each node."""

    def __init__(self, lobby: Lobby, peers: Peers, whereabouts: Whereabouts) -> None:
        self._lobby: Final = lobby
        self._peers: Final = peers
        self._whereabouts: Final = whereabouts
        self._known: Final = partial(remote_table, lobby)
        self._nobody: Final = peers.nobody()
        """Has the tables that could not be claimed when people came in."""
        self.unclaimed: Callable[[], bool] = lambda: False
        """Whether there may be tables that nobody could claim yet."""
        peers.on(n.Picture, self._picture)
        peers.on(n.SeatPicture, self._seat)
        peers.on(n.Back, self._back)

    def of(self, peer: Peer) -> dict[str, RemoteTable]:
        """The tables of a node, by their codes."""
        found = {code: self._known(code) for code in self._lobby.tables.remote}
        return {code: it for code, it in found.items() if it is not None and it.peer is peer}

    # ------------------------------------------------------------ which there are

    def heard_of(self, peer: Peer, there: n.TableAt) -> None:
        """The node has said that a table is its own, and how it looks."""
        listing, epoch = there.listing, there.epoch
        code = listing.id
        own, known = self._lobby.tables.actors.get(code), self._known(code)
        before = own or known
        if before is not None and epoch < before.epoch:
            return  # said by somebody who does not know yet that the table is another node's
        if own is not None:
            if epoch == own.epoch:
                return
            _log.error("table_lost", table=code, node=peer.name)
            self._lobby.spawn(own.stop(lost=True), "stop")
            self.handed_over(code, epoch, peer)
        if known is not None and known.peer is peer and epoch == known.epoch:
            self._listed(listing, known)
            return
        self._listed(listing, RemoteTable(peer, code, epoch, self._lobby.answered))
        self._whereabouts.announce({code})

    def _listed(self, listing: Listing, table: RemoteTable) -> None:
        """A table of another node is new, or looks different."""
        lobby, code = self._lobby, listing.id
        lobby.tables.actors.pop(code, None)
        lobby.tables.remote[code] = table
        before = lobby.listed(listing)
        if before is not None and before.unseen_round != listing.unseen_round:
            lobby.chat.caught_up(listing)

    def handed_over(self, code: str, epoch: int, peer: Peer) -> None:
        """A table of this node is another one's: who is there, and not connected here, is known there."""
        lobby, listing = self._lobby, self._lobby.listings[code]
        self._listed(listing, RemoteTable(peer, code, epoch, lobby.answered))
        for player in listing.members:
            presence = lobby.people.get(player)
            if presence is not None and not presence.here and not lobby.is_at_own_table(player):
                presence.feed = NOBODY
                lobby.let_go(presence)

    def take_over(self, found: Recovered) -> None:
        """Take up a table that another node had until now, while people play."""
        lobby = self._lobby
        now, timing = lobby.shared.clock.time(), lobby.shared.timing
        table = taken_over(found.table, now, timing, lobby.is_connected)
        lobby.take_up(found.log, table)
        listing = lobby.listings[table.id]
        lobby.elsewhere.published(listing)
        lobby.chat.elsewhere.came_to(listing)
        lobby.feed.rows_changed()
        lobby.directory.table_changed(listing.row.event)
        self.moved({table.id})
        self._whereabouts.announce({table.id})

    def closed(self, peer: Peer, code: str) -> None:
        """The node has said that a table of its own is no more."""
        if (known := self._known(code)) and known.peer is peer:
            self._gone(code)

    def _gone(self, code: str) -> None:
        """Whoever was there from here is in the lobby."""
        lobby = self._lobby
        if code not in lobby.listings:
            return
        lobby.directory.table_changed(lobby.remove(code).row.event)
        for presence in [it for it in lobby.people.values() if it.shown == code]:
            lobby.released(code, presence.player.id, None)

    def left_out(self, peer: Peer, own: Container[str]) -> None:
        """The node has only these tables now: others are closed, or another node has them and says so."""
        for code, table in self.of(peer).items():
            if code not in own:
                self.await_owner(code, table.epoch)

    def await_owner(self, code: str, epoch: int) -> None:
        """A table with this epoch is another node's, which has not said so yet."""
        nobody = self._peers.nobody()
        self.moving({code})
        self.handed_over(code, epoch, nobody)
        self._forget_later(nobody)

    def orphaned(self, peer: Peer) -> None:
        """A node is gone: its tables wait for another one."""
        self.moving(self.of(peer).keys())
        self._forget_later(peer)

    def _forget_later(self, peer: Peer) -> None:
        clock = self._lobby.shared.clock
        clock.call_at(clock.time() + _ORPHAN_SECONDS, partial(self._forget, peer))

    def _forget(self, peer: Peer) -> None:
        if not self._peers.connected or self.unclaimed():
            # Who has them cannot say so, or nobody can have them.
            self._forget_later(peer)
            return
        for code in self.of(peer):
            self._gone(code)

    def kept(self, listing: Listing, epoch: int) -> None:
        """Nobody could claim this table yet: seats there are kept."""
        code = listing.id
        if code in self._lobby.listings:
            return
        table = RemoteTable(self._nobody, code, epoch, self._lobby.answered)
        self._listed(listing, table)
        self._forget_later(self._nobody)
        for id_ in listing.seated:
            presence = self._whereabouts.person(id_)
            if presence is not None and presence.table == code:
                self._tell_away(presence, table)

    # ------------------------------------------------------------ who is there

    def came(self, player: str) -> None:
        """Somebody has connected to this node. While the own table is being moved, there is the lobby to
        see.
        """
        presence = self._lobby.people[player]
        table = self._known(presence.table)
        if table is not None and table.moving:
            self._tell_away(presence, table)

    def _tell_away(self, presence: Presence, table: RemoteTable) -> None:
        """There is the lobby to see."""
        trouble = m.Trouble("kept" if table.peer is self._nobody else "moving")
        presence.feed.offer_lobby(self._lobby.feed.snapshot(), [trouble])

    # ------------------------------------------------------------ what they see

    def _current(self, peer: Peer, code: str, epoch: int) -> RemoteTable | None:
        table = self._known(code)
        current = table is not None and epoch >= table.epoch and table.peer is peer
        return table if current else None

    def _picture(self, peer: Peer, picture: n.Picture) -> None:
        table = self._current(peer, picture.code, picture.epoch)
        if table is None:
            return
        if picture.stages is None:
            before = table.picture
            if before is None or before.stages is None:
                self._peers.ask_state(peer)
                return
            picture = replace(picture, stages=before.stages)
        table.picture = picture

    def _seat(self, peer: Peer, seat: n.SeatPicture) -> None:
        table, presence = (
            self._current(peer, seat.code, seat.epoch),
            self._whereabouts.person(seat.player),
        )
        if table is None or presence is None:
            return
        picture = table.picture
        if picture is None or picture.number != seat.picture:
            self._peers.ask_state(peer)
            return
        if presence.table != seat.code:
            return  # somewhere else by now, or what its owner has told of the table was lost
        self._lobby.chat.arrive(presence)
        own = n.seat_view(picture.table, seat.own)
        history = History(picture.stages or (), seat.hands)
        seen = m.TableSnapshot(
            picture.info,
            seat.seat,
            picture.table,
            own,
            seat.word,
            picture.behind,
            history,
            seat.guess,
        )
        over = [m.TroubleOver()] if presence.feed.moving else []
        presence.feed.moving = False
        presence.feed.offer_table(seen, [*picture.events, *over])

    def _back(self, _: Peer, back: n.Back) -> None:
        table = self._known(back.code)
        if table is None or back.epoch < table.epoch:
            return
        # Who comes back because the table is closed still stands in what was told of it last.
        self._listed(self._lobby.listings[back.code].without(back.player), table)
        if self._whereabouts.person(back.player) is not None:
            self._lobby.released(back.code, back.player, next(iter(back.why), None))

    # ------------------------------------------------------------ from one node to another

    def moving(self, codes: Set[str], trouble: str = "moving") -> None:
        """Tell those who are there that it takes a moment, and what the trouble is."""
        for presence in self._whereabouts.of(codes):
            feed, shown = presence.feed, presence.feed.now.table
            if shown is not None and not feed.moving:
                feed.offer_table(shown, [m.Trouble(trouble)])
                feed.moving = True

    def moved(self, codes: Set[str]) -> None:
        """Tell them that it goes on."""
        for presence in self._whereabouts.of(codes):
            feed, shown = presence.feed, presence.feed.now.table
            if shown is not None and feed.moving:
                feed.offer_table(shown, [m.TroubleOver()])
                feed.moving = False
