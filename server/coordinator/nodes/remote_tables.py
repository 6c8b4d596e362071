"""The tables of other nodes, for people who are connected to this one."""

from collections.abc import Callable, Container, Coroutine, Set
from functools import partial
from typing import Final

import structlog
from msgspec.structs import replace

from engine.history import History
from server.coordinator import messages as m
from server.coordinator.chat_room import Presence
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.lobby.open_tables import member_of
from server.coordinator.nodes import messages as n
from server.coordinator.nodes.peer import Peer, RemoteTable
from server.coordinator.nodes.peers import Peers
from server.coordinator.table import steps
from server.coordinator.table.actor import TableActor
from server.coordinator.table.ports import Listing

_log = structlog.get_logger("nodes")

_ORPHAN_SECONDS: Final = 10.0
"""A table whose node is gone, and which nobody has taken over by then, is no more."""


class RemoteTables:
    """``spawn`` runs what nobody waits for."""

    def __init__(
        self,
        lobby: Lobby,
        peers: Peers,
        spawn: Callable[[Coroutine[None, None, None], str], None],
    ) -> None:
        self._lobby: Final = lobby
        self._peers: Final = peers
        self._spawn: Final = spawn
        self._told_moving: Final[set[str]] = set()
        """Ids of those who were told that their table is being moved."""
        self._nobody: Final = peers.nobody()
        """Has the tables that could not be claimed when people came in."""
        self.unclaimed: Callable[[], bool] = lambda: False
        """Whether there may be tables that nobody could claim yet."""

    def known(self, code: str) -> RemoteTable | None:
        """The table with this code, if another node has it."""
        table = self._lobby.tables.remote.get(code)
        return table if isinstance(table, RemoteTable) else None

    def of(self, peer: Peer) -> list[tuple[str, RemoteTable]]:
        """The tables of a node, with their codes."""
        found = [(code, self.known(code)) for code in self._lobby.tables.remote]
        return [(code, it) for code, it in found if it is not None and it.peer is peer]

    def person(self, player: str) -> Presence | None:
        """Who is connected to this node."""
        presence = self._lobby.people.get(player)
        connected = presence is not None and presence.feed is not None
        return presence if connected and not presence.feed.remote else None  # type: ignore[union-attr]

    def codes(self, peer: Peer) -> list[str]:
        """Of the tables of a node."""
        return [code for code, _ in self.of(peer)]

    def _at(self, codes: Set[str]) -> list[Presence]:
        found = [it for it in self._lobby.people.values() if it.table in codes]
        return [it for it in found if it.feed is not None and not it.feed.remote]

    # ------------------------------------------------------------ which there are

    def heard_of(self, peer: Peer, there: n.TableAt) -> None:
        """The node has said that a table is its own, and how it looks."""
        listing, epoch = there.listing, there.epoch
        code = listing.id
        own, known = self._lobby.tables.actors.get(code), self.known(code)
        before = own or known
        if before is not None and epoch < before.epoch:
            return  # said by somebody who does not know yet that the table is another node's
        if own is not None:
            if epoch == own.epoch:
                return
            _log.error("table_lost", table=code, node=peer.name)
            self._spawn(own.stop(lost=True), "stop")
            self._lobby.handed_over(code, RemoteTable(peer, code, epoch, self._lobby.answered))
        if known is not None and known.peer is peer and epoch == known.epoch:
            self._lobby.listed(listing, known)
            return
        self._lobby.listed(listing, RemoteTable(peer, code, epoch, self._lobby.answered))
        self.announce({code})

    def closed(self, peer: Peer, code: str) -> None:
        """The node has said that a table of its own is no more."""
        if (known := self.known(code)) and known.peer is peer:
            self._lobby.gone(code)

    def lost(self, table: TableActor) -> None:
        """A table of this node is another one's, which has not said so yet."""
        self._await_owner(table.id, table.epoch)

    def left_out(self, peer: Peer, own: Container[str]) -> None:
        """The node has only these tables now: others are closed, or another node has them and says so."""
        for code, table in self.of(peer):
            if code not in own:
                self._await_owner(code, table.epoch)

    def _await_owner(self, code: str, epoch: int) -> None:
        nobody = self._peers.nobody()
        self.moving({code})
        there = RemoteTable(nobody, code, epoch, self._lobby.answered)
        self._lobby.handed_over(code, there)
        self._forget_later(nobody)

    def orphaned(self, peer: Peer) -> None:
        """A node is gone: its tables wait for another one."""
        self.moving(set(self.codes(peer)))
        self._forget_later(peer)

    def _forget_later(self, peer: Peer) -> None:
        clock = self._lobby.shared.clock
        clock.call_at(clock.time() + _ORPHAN_SECONDS, partial(self._forget, peer))

    def _forget(self, peer: Peer) -> None:
        if not self._peers.connected or self.unclaimed():
            # Who has them cannot say so, or nobody can have them.
            self._forget_later(peer)
            return
        for code, _ in self.of(peer):
            self._lobby.gone(code)

    def kept(self, listing: Listing, epoch: int) -> None:
        """Nobody could claim this table yet: seats there are kept."""
        code = listing.id
        if code in self._lobby.listings:
            return
        table = RemoteTable(self._nobody, code, epoch, self._lobby.answered)
        self._lobby.listed(listing, table)
        self._forget_later(self._nobody)
        for id_ in listing.seated:
            presence = self.person(id_)
            if presence is not None and not presence.table:
                presence.table = code
                self._tell_away(presence, table)

    # ------------------------------------------------------------ who is there

    def announce(self, codes: Set[str]) -> None:
        """Tell the owners of these tables who of those there is connected to this node."""
        tables = {code: self.known(code) for code in codes}
        for code, table in tables.items():
            if table is None:
                continue
            listing = self._lobby.listings[code]
            for id_ in listing.seated:
                presence = self.person(id_)
                if presence is None:
                    continue
                if presence.table in ("", code):
                    presence.table = code
                    table.post(steps.Came(member_of(presence), presence.visit))
                elif listing.row.event and listing.row.status is not m.Status.OVER:
                    # It was opened while nobody there knew who is connected here.
                    self._spawn(self._lobby.event_tables.bring(id_, code), "bring")
        self.watch_on({code for code, table in tables.items() if table is not None})

    def connected(self, player: str) -> None:
        """Tell who owns the table where somebody is that it is this node to which he or she is connected."""
        presence = self.person(player)
        if presence is not None and (table := self.known(presence.table)):
            table.post(steps.Came(member_of(presence), presence.visit))

    def came(self, player: str) -> str:
        """Somebody has connected to this node; the code of the table with the own seat, or empty. While that
        is being moved, there is the lobby to see.
        """
        listings = self._lobby.listings
        seated = [code for code, listing in listings.items() if player in listing.seated]
        # Who was away when the next round of a tournament began has a seat where the last one is over, too.
        code = min(seated, key=lambda it: listings[it].row.status is m.Status.OVER, default="")
        table, presence = self.known(code), self.person(player)
        if table is not None and presence is not None and (table.peer.gone or table.peer.silent):
            self._tell_away(presence, table)
        return code

    def _tell_away(self, presence: Presence, table: RemoteTable) -> None:
        """There is the lobby to see."""
        trouble = m.Trouble("kept" if table.peer is self._nobody else "moving")
        assert presence.feed is not None
        presence.feed.offer_lobby(self._lobby.snapshot(), [trouble])

    def left(self, player: str) -> None:
        """Somebody is not connected to this node any more."""
        self._told_moving.discard(player)

    def watch_on(self, codes: Set[str]) -> None:
        """These tables have other owners, who do not know yet who watches from here, or have not shown it to
        them; whose seat is gone meanwhile is in the lobby.
        """
        for presence in self._at(codes):
            assert presence.feed is not None
            shown, id_, code = presence.feed.now.table, presence.player.id, presence.table
            listing = self._lobby.listings[code]
            if id_ in listing.seated:
                continue
            if shown is not None and shown.seat >= 0:
                self._lobby.released(code, id_, None)
            elif id_ in listing.watching and (table := self._lobby.tables.get(code)):
                table.post(steps.Came(member_of(presence), presence.visit))
            else:
                self._spawn(self._watch_again(presence, code), "watch")

    async def _watch_again(self, presence: Presence, code: str) -> None:
        if self.person(presence.player.id) is not presence:
            return  # gone meanwhile
        reply = await self._lobby.tables.ask(code, presence, m.WatchTable(code))
        if not reply.ok and presence.table == code:
            self._lobby.released(code, presence.player.id, None)

    # ------------------------------------------------------------ what they see

    def take(self, peer: Peer, message: n.Picture | n.SeatPicture | n.Back) -> None:
        """The node has shown something."""
        match message:
            case n.Picture():
                self._picture(peer, message)
            case n.SeatPicture():
                self._seat(peer, message)
            case n.Back():
                self._back(message)

    def _current(self, peer: Peer, code: str, epoch: int) -> RemoteTable | None:
        table = self.known(code)
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
        table, presence = self._current(peer, seat.code, seat.epoch), self.person(seat.player)
        if table is None or presence is None:
            return
        picture = table.picture
        if picture is None or picture.number != seat.picture:
            self._peers.ask_state(peer)
            return
        presence.table = seat.code
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
        assert presence.feed is not None
        events = picture.events
        if seat.player in self._told_moving:
            self._told_moving.discard(seat.player)
            events = (*events, m.TroubleOver())
        presence.feed.offer_table(seen, events)

    def _back(self, back: n.Back) -> None:
        table, presence = self.known(back.code), self.person(back.player)
        if table is not None and back.epoch < table.epoch:
            return
        if presence is not None and presence.table == back.code:
            self._lobby.released(back.code, back.player, next(iter(back.why), None))

    # ------------------------------------------------------------ from one node to another

    def moving(self, codes: Set[str], trouble: str = "moving") -> None:
        """Tell those who are there that it takes a moment, and what the trouble is."""
        for presence in self._at(codes):
            assert presence.feed is not None
            shown = presence.feed.now.table
            if shown is not None and presence.player.id not in self._told_moving:
                presence.feed.offer_table(shown, [m.Trouble(trouble)])
                self._told_moving.add(presence.player.id)

    def moved(self, codes: Set[str]) -> None:
        """Tell them that it goes on."""
        for presence in self._at(codes):
            shown = presence.feed.now.table if presence.feed is not None else None
            if shown is not None and presence.player.id in self._told_moving:
                assert presence.feed is not None
                presence.feed.offer_table(shown, [m.TroubleOver()])
                self._told_moving.discard(presence.player.id)
