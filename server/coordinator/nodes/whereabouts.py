"""Where people are, and where their tables have them: what was lost or came too late is put right."""

from collections.abc import Awaitable, Container, Set
from functools import partial
from typing import Final

import structlog

from server.coordinator import messages as m
from server.coordinator.feed import NOBODY, Feed
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.lobby.open_tables import member_of
from server.coordinator.nodes import node_messages as n
from server.coordinator.nodes.peer import Peer, RemoteFeed, remote_table
from server.coordinator.nodes.peers import Peers
from server.coordinator.presence import Presence
from server.coordinator.table import steps
from server.coordinator.table.actor import TableActor
from server.coordinator.time_source import retried
from server.coordinator.unwritten import reply_of

_log = structlog.get_logger("nodes")

_BRING_SECONDS: Final = 4.0
_BRING_EVERY: Final = 1.0
"""So long, and so often, it is tried to take somebody to a seat."""
LOOK_SECONDS: Final = 3.0
"""Between two looks: what is wrong both times is put right, what is on its way has the time to arrive."""


class Whereabouts:
    """Made once for each node."""

    def __init__(self, lobby: Lobby, peers: Peers) -> None:
        self._lobby: Final = lobby
        self._peers: Final = peers
        self._wrong: set[str] = set()
        """Ids of those with whom something was not right at the last look."""
        self._unreached: set[tuple[str, str]] = set()
        """Tables of this node and the ids of people there whom nothing reached at the last look."""
        peers.on(n.Word, self._say)
        peers.on(n.Missed, self._missed)
        peers.on(n.ToTable, self._heard)

    async def keep(self) -> None:
        """Look as long as this runs."""
        clock = self._lobby.shared.clock
        while True:
            await clock.sleep_until(clock.time() + LOOK_SECONDS)
            try:
                self._look_after_visitors()
                self._look_after_tables()
            except Exception as error:
                _log.error("node_failed", error=type(error).__name__)

    # ------------------------------------------------------------ what other nodes tell

    def came(self, player: m.Player) -> None:
        """Somebody has connected to another node: a visit here is over."""
        lobby, presence = self._lobby, self.person(player.id)
        if presence is not None:
            presence.feed.close("taken_over")
            lobby.feed.unfollow(presence)
            presence.feed, presence.goal = NOBODY, ""
            lobby.let_go(presence)
        lobby.connected[player.id] = player
        if peer := self._peers.with_person(player.id):
            for why in lobby.missed.take(player.id):
                peer.send("missed", n.Missed(player.id, why))
        lobby.feed.changed()

    def left(self, player: str, feed: Feed) -> None:
        """Somebody is not connected to another node any more, to which this feed led."""
        lobby = self._lobby
        presence = lobby.people.get(player)
        if presence is not None and presence.connected and presence.feed is feed:
            presence.feed = NOBODY
            for code in lobby.places.of(player):
                if table := lobby.tables.actors.get(code):
                    table.post(steps.Gone(player))
        if not lobby.is_connected(player):
            lobby.connected.pop(player, None)
        if presence is not None:
            lobby.let_go(presence)
        lobby.feed.changed()

    def _missed(self, _peer: Peer, missed: n.Missed) -> None:
        presence = self.person(missed.player)
        if presence is None or presence.table:
            self._lobby.missed.keep(missed.player, missed.why)
        else:
            self._lobby.show_lobby(presence, presence.feed, (missed.why,))

    def _say(self, _peer: Peer, told: n.Word) -> None:
        presence = self.person(told.player)
        if presence is not None and not presence.shuts_out(told.word.sender):
            presence.feed.say(told.word)

    # ------------------------------------------------------------ who is connected here

    def person(self, player: str) -> Presence | None:
        """Who is connected to this node."""
        presence = self._lobby.people.get(player)
        return presence if presence is not None and presence.here else None

    def of(self, codes: Container[str]) -> list[Presence]:
        """Who is connected to this node, and at one of these tables, or is shown it."""
        here = [it for it in self._lobby.people.values() if it.here]
        return [it for it in here if it.table in codes or it.shown in codes]

    def announce(self, codes: Set[str]) -> None:
        """Tell these tables, whose owners may not know, who is there and connected to this node."""
        for presence in self.of(codes):
            self.settle(presence)
        for code in codes:
            listing = self._lobby.listings.get(code)
            players = listing.seated if listing is not None and listing.daily else ()
            for presence in filter(None, map(self.person, players)):
                if presence.table != code:
                    self._lobby.tables.look_away(presence, code)

    def settle(self, presence: Presence) -> None:
        """Have somebody who is connected to this node be, and see, where the tables have him or her."""
        id_, at = presence.player.id, presence.table
        strays = self._lobby.places.strays(id_, at)
        if at and not strays:
            self._come(presence)
        elif not any((it := remote_table(self._lobby, code)) and it.moving for code in strays):
            self._peers.spawn(self._settle(presence), "settle")

    def _come(self, presence: Presence) -> None:
        # As after a command to watch, but whoever waits for a seat there still does.
        if table := self._lobby.tables.get(presence.table):
            table.post(steps.Came(member_of(presence), presence.visit))

    async def _settle(self, presence: Presence) -> None:
        """Leave all tables but the one to look at, and games by correspondence. Who watched one whose new
        owner does not know that watches again, and waits again for the same seat; who has no place any more
        is in the lobby.
        """
        id_, places, tables = presence.player.id, self._lobby.places, self._lobby.tables
        async with presence.lock:
            for stray in places.strays(id_, presence.table):
                leaves = m.LeaveTable() if stray in places.seats(id_) else steps.GoAway(soon=True)
                await tables.ask(stray, presence, leaves)
            if self.person(id_) is not presence:
                return
            code, shown = presence.goal, presence.feed.now.table
            watched = shown is not None and (shown.info.id, shown.seat) == (code, -1)
            if presence.table in places.seats(id_):
                self._lobby.feed.unfollow(presence)
            elif watched and not presence.table:
                watch = partial(tables.ask, code, presence, watched=True)
                seat = _claimed(shown, presence.player.name)
                if seat < 0 or not (await watch(m.JoinTable(code, seat))).ok:
                    await watch(m.WatchTable(code))
            if presence.table:
                self._come(presence)
            else:
                self._lobby.released(code, id_, None)

    async def bring(self, presence: Presence, word: m.ServerMessage) -> None:
        """Take somebody who is connected to this node to the seat that the word is about; whoever plays
        elsewhere, or does not get there, is told the word.
        """
        # Either table may be on its way to another node.
        brought = partial(self._brought, presence, word.about)
        await retried(self._lobby.shared.clock, brought, _BRING_SECONDS, _BRING_EVERY)
        if presence.here and presence.table != word.about:
            presence.feed.say(word)

    async def _brought(self, presence: Presence, table: str) -> bool | None:
        async with presence.lock:
            if presence.here:
                self._lobby.feed.unfollow(presence)
                await self._lobby.tables.move(presence, m.JoinTable(table))
        return self._lobby.places.plays(presence.player.id) or not presence.here or None

    def _look_after_visitors(self) -> None:
        before, self._wrong = self._wrong, set()
        for presence in list(self._lobby.people.values()):
            busy = presence.asked or presence.submitted or presence.lock.locked()
            if not presence.here or busy or self._is_right(presence):
                continue
            if presence.player.id in before:
                _log.info("place_mended", tables=len(self._lobby.places.of(presence.player.id)))
                self.settle(presence)
            else:
                self._wrong.add(presence.player.id)

    def _is_right(self, presence: Presence) -> bool:
        """Whether somebody is at one table at most, apart from games by correspondence, is shown that, and is
        there for others to see.
        """
        now, id_, code = presence.feed.now, presence.player.id, presence.table
        if self._lobby.places.strays(id_, code):
            return False
        if now.table is None or not code:
            return now.lobby is not None and not code
        seat, seated = now.table.seat, code in self._lobby.places.seats(id_)
        absent = seat >= 0 and now.table.info.seats[seat].absent_since > 0
        return (now.table.info.id, seat >= 0) == (code, seated) and not absent

    # ------------------------------------------------------------ who is at tables of this node

    def _look_after_tables(self) -> None:
        for id_, presence in list(self._lobby.people.items()):
            if isinstance(presence.feed, RemoteFeed):
                door = self._peers.with_person(id_)
                if door is not None and door is not presence.feed.peer:
                    presence.feed = door.feed(id_)
        self._peers.prune(self._lobby.people)
        before, self._unreached = self._unreached, set()
        for code, actor in self._lobby.tables.actors.items():
            table = actor.table
            here = [id_ for id_, member in table.people.items() if not member.absent]
            for id_ in (*here, *table.spectators):
                if self.person(id_) is not None or self._peers.with_person(id_) is not None:
                    continue
                if (code, id_) in before:
                    actor.post(steps.Gone(id_))
                else:
                    self._unreached.add((code, id_))

    # ------------------------------------------------------------ what people elsewhere do at tables here

    def _heard(self, peer: Peer, message: n.ToTable) -> Awaitable[m.Reply] | None:
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
            self.came(player)
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


def _claimed(shown: m.TableSnapshot | None, name: str) -> int:
    """The bot's seat for which somebody of this name waits; -1 for none."""
    seats = shown.info.seats if shown is not None else ()
    return next((number for number, seat in enumerate(seats) if seat.claimed == name), -1)
