"""This node among the others: it keeps its lease, takes over tables of nodes that are gone, and tells what
happens here.
"""

import asyncio
import secrets
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from typing import Final

import msgspec
import structlog
from typing_extensions import override

from engine.history import History
from server.bus.bus import ALL, Bus
from server.coordinator import messages as m
from server.coordinator.chat_room import Presence
from server.coordinator.feed import Feed
from server.coordinator.lobby import tables
from server.coordinator.lobby.elsewhere import Elsewhere
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.lobby.open_tables import member_of
from server.coordinator.nodes import messages as n
from server.coordinator.nodes.channels import Channels
from server.coordinator.nodes.chat import ChatAcrossNodes
from server.coordinator.nodes.handover import Handover
from server.coordinator.nodes.lease import RENEWED_EVERY, SECONDS, NodeLease
from server.coordinator.nodes.peer import Peer, RemoteTable
from server.coordinator.table import steps
from server.coordinator.table.ports import Listing
from server.storage.nodes import NodeRow, NodeStore
from server.storage.store import StoreError

_log = structlog.get_logger("nodes")

_BEAT_SECONDS: Final = 0.5
_SILENT_SECONDS: Final = 1.6
"""Who has not been heard for so long may be gone: then the database is asked more often."""
_SUSPECT_SECONDS: Final = 0.25
_DEAF_SECONDS: Final = 3.0
"""Without the bus for so long, a node gives up its tables if others hear each other."""
_RESYNC_SECONDS: Final = 0.5
"""So often at most a node is asked for its whole state."""
_ORPHAN_SECONDS: Final = 10.0
"""A table whose node is gone, and which nobody has taken over by then, is no more."""


class NameTaken(Exception):
    """Another node has this name, and its lease holds."""


class Node(Elsewhere):
    """``own`` is told the id of this node in the database, now and whenever it gets another one."""

    def __init__(
        self,
        name: str,
        lobby: Lobby,
        store: NodeStore,
        bus: Bus,
        lease: NodeLease,
        own: Callable[[str], None],
    ) -> None:
        self.name: Final = name
        self.id = ""
        self.peers: Final[dict[str, Peer]] = {}
        """The other nodes, by id."""
        self._lobby: Final = lobby
        self._store: Final = store
        self._bus: Final = bus
        self._lease: Final = lease
        self._own: Final = own
        self._clock: Final = lobby.shared.clock
        self._reachable: float | None = None
        """Since when the database has been answering; ``None`` when it does not."""
        self._deaf_since: float | None = None
        self._rows: dict[str, NodeRow] = {}
        self._unclaimed = True
        """There may be tables of nodes that are gone."""
        self._unread = False
        """Some may have been claimed that could not be read then."""
        self._asked_state: Final[dict[str, float]] = {}
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._since: Final[dict[str, float]] = {}
        """When those came who are connected to this node, by id."""
        self._told_moving: Final[set[str]] = set()
        """Ids of those who were told that their table is being moved."""
        self.channels: Final = Channels(self.peers, self._post, self._tell_all, self._spawn)
        ChatAcrossNodes(lobby, self.channels, name)
        self.handover: Final = Handover(lobby, store, self.channels, lambda: self.id, self._run)
        self.drain: Callable[[], None] = lambda: None
        """Called when an operator wants this node to end."""
        self._hurry: Final = asyncio.Event()
        """The database is to be asked now."""

    # ------------------------------------------------------------ from start to end

    async def open(self) -> int:
        """Begin, with the tables that nobody has; how many. Raises ``NameTaken`` and ``StoreError``."""
        await self._join(patience=SECONDS + 1.0)
        self._lobby.elsewhere = self
        await self.renew_now()
        # Whoever is there is heard of before people come in.
        self._call("state", n.AskState())
        self._spawn(self._keep_lease(), "lease")
        self._spawn(self._beat(), "beat")
        return len(self._lobby.tables.actors)

    async def close(self) -> None:
        """End; ``Lobby.close`` comes before. Other nodes take the tables."""
        await self.stop_everything()
        with suppress(StoreError):
            await self._store.leave(self.id)
        self._call("beat", n.Bye())

    async def stop_everything(self) -> None:
        """Do nothing more, and tell nobody."""
        running = tuple(self._tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _join(self, patience: float) -> None:
        self.id = f"{self.name}-{secrets.token_hex(4)}"
        self._own(self.id)
        until = self._clock.time() + patience
        while not await self._store.join(self.id, self.name, SECONDS):
            if self._clock.time() > until:
                raise NameTaken
            await self._clock.sleep_until(self._clock.time() + _SUSPECT_SECONDS)
        await self._bus.listen(self.id, self._hear)

    def _spawn(self, work: Coroutine[None, None, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ------------------------------------------------------------ the lease

    async def _keep_lease(self) -> None:
        while True:
            now = self._lease.now()
            suspects = [it for it in self.peers.values() if now - it.heard > _SILENT_SECONDS]
            for peer in suspects:
                if not peer.silent:
                    peer.silent = True
                    for code, _ in self._tables_of(peer):
                        self._moving(code)
            wait = _SUSPECT_SECONDS if suspects or self._unclaimed else RENEWED_EVERY
            timer = self._clock.call_at(self._clock.time() + wait, self._hurry.set)
            await self._hurry.wait()
            timer.cancel()
            self._hurry.clear()
            try:
                await self.renew_now()
            except StoreError as error:
                if self._reachable is not None:
                    _log.error("lease_not_renewed", code=error.code)
                self._reachable = None
            except Exception as error:
                # Without a lease all tables of this node would stand still.
                _log.error("node_failed", error=type(error).__name__)

    async def renew_now(self) -> None:
        """Renew the lease, and look after the others. Raises ``StoreError``."""
        asked = self._lease.now()
        rows = await self._store.renew(self.id, SECONDS, self._bus.connected)
        if rows is None:
            _log.error("lease_lost", advice="another node has the tables of this one now")
            await self._begin_again()
            return
        if self._reachable is None:
            self._reachable = asked
        if self._cut_off(rows, asked):
            _log.error("tables_given_up", advice="the bus cannot be reached, but by other nodes")
            await self._store.leave(self.id)
            await self._begin_again()
            return
        self._lease.renewed(asked)
        gone = self._rows.keys() - {row.id for row in rows}
        self._rows = {row.id: row for row in rows}
        for id_ in gone:
            self._ended(id_)
        over = gone or any(row.left <= 0 for row in rows)
        # After a failure of the database everybody has the time to renew a lease first.
        if (over or self._unclaimed) and asked - self._reachable >= (SECONDS if over else 0.0):
            await self._claim()

    def _cut_off(self, rows: Sequence[NodeRow], now: float) -> bool:
        deaf = self._deaf_since is not None and now - self._deaf_since >= _DEAF_SECONDS
        others = [row for row in rows if row.id != self.id and row.left > 0]
        return deaf and any(row.bus for row in others)

    async def _claim(self) -> None:
        if self.handover.leaving:
            return
        async with self.handover.taking:
            again, self._unclaimed, self._unread = self._unread, True, True
            keys = set(await self._store.claim(self.id, again=again))
            keys -= {table.key for table in self._lobby.tables.actors.values()}
            store = self._lobby.shared.store
            found = await tables.tables_in(store, keys=list(keys)) if keys else []
            self._unclaimed = self._unread = False
            for each in found:
                await self._run(each)
        if keys:
            _log.info("tables_taken_over", tables=len(found))

    async def _run(self, found: tables.Recovered) -> None:
        """Run a table that another node had until now."""
        code = found.table.id
        if known := self._lobby.tables.actors.get(code):
            await known.stop(lost=True)
        self._lobby.take_over(found)
        self._lobby.shared.tally.taken_over += 1
        self._moved(code)
        self._watch_on(code)

    async def _begin_again(self) -> None:
        """Another node has the tables of this one: what is known of them here is not true any more."""
        self._lease.over()
        self._lobby.shared.tally.leases_lost += 1
        nobody, open_tables = Peer(self.id, self._post, self._epoch_of), self._lobby.tables
        nobody.give_up()
        for code, table in list(open_tables.actors.items()):
            await table.stop(lost=True)
            self._moving(code)
            lost = RemoteTable(nobody, code, table.epoch, self._lobby.answered)
            self._lobby.listed(self._lobby.listings[code], lost)
        while self._deaf_since is not None and not self._bus.connected:
            rows = [row for row in await self._store.nodes() if row.left > 0]
            if not any(row.bus for row in rows):
                break
            await self._clock.sleep_until(self._clock.time() + RENEWED_EVERY)
        await self._join(patience=inf)
        # Nobody may have had these tables since: all nodes may have begun again at once.
        self._rows, self._unclaimed = {}, True
        for peer in self.peers.values():
            # To them this is a new node.
            peer.sent, peer.known = 0, False
        self._call("state", n.AskState())

    # ------------------------------------------------------------ what the lobby tells

    @override
    def owner(self, table: str) -> str:
        known = self._known(table)
        return known.peer.name if known is not None else self.name

    @override
    def came(self, player: m.Player) -> str:
        for peer in self.peers.values():
            peer.people.pop(player.id, None)
        self._since[player.id] = self._clock.time()
        self._tell_all("changed", n.Changed(came=(player,)))
        return next(
            (
                code
                for code in self._lobby.tables.remote
                if player.id in self._lobby.listings[code].seated
            ),
            "",
        )

    @override
    def left(self, player: str) -> None:
        self._since.pop(player, None)
        self._tell_all("changed", n.Changed(left=(player,)))

    @override
    def published(self, listing: Listing) -> None:
        self._tell_all("changed", n.Changed(tables=(self._table_at(listing),)))

    @override
    def closed(self, table: str, *, lost: bool) -> bool:
        if not lost:
            self._tell_all("changed", n.Changed(closed=(table,)))
        return lost

    @override
    def missed(self, player: str, why: m.Happening) -> None:
        if peer := self._door_of(player):
            self._post(peer, "missed", n.Missed(player, why))

    @override
    def say(self, word: m.ServerMessage) -> None:
        self._tell_all("word", n.Word("", word))

    @override
    def feed_of(self, player: str) -> Feed | None:
        peer = self._door_of(player)
        return peer.feed(player) if peer is not None else None

    @override
    def knows(self, player: str) -> bool:
        # Without the bus nobody knows.
        if self._door_of(player) is not None or not self._bus.connected:
            return True
        return any(player in it.seated for it in self._lobby.listings.values())

    def _door_of(self, player: str) -> Peer | None:
        return next((peer for peer in self.peers.values() if player in peer.people), None)

    # ------------------------------------------------------------ sending

    def _epoch_of(self, code: str) -> int:
        table = self._lobby.tables.actors.get(code)
        return table.epoch if table is not None else 0

    def _table_at(self, listing: Listing) -> n.TableAt:
        return n.TableAt(self._epoch_of(listing.id), listing)

    def _state(self) -> n.State:
        here = [
            n.Connected(it.player, self._since.get(it.player.id, 0.0))
            for it in self._lobby.people.values()
            if it.feed and not it.feed.remote
        ]
        own = [self._table_at(self._lobby.listings[it]) for it in self._lobby.tables.actors]
        return n.State(self.name, tuple(here), tuple(own))

    def _post(self, peer: Peer, topic: str, message: n.AnyMessage) -> None:
        peer.sent += 1
        self._bus.send(peer.id, topic, n.encode(n.Envelope(self.id, peer.sent, message)))

    def _tell_all(self, topic: str, message: n.AnyMessage) -> None:
        """To each by itself: so nothing overtakes what it was sent before."""
        for peer in self.peers.values():
            self._post(peer, topic, message)

    def _call(self, topic: str, message: n.AnyMessage) -> None:
        """To all, known or not."""
        self._bus.send(ALL, topic, n.encode(n.Envelope(self.id, 0, message)))

    async def _beat(self) -> None:
        while True:
            now = self._lease.now()
            self._deaf_since = None if self._bus.connected else (self._deaf_since or now)
            self._call("beat", n.Beat(self.name))
            self._tell_all("beat", n.Beat(self.name))
            await self._clock.sleep_until(self._clock.time() + _BEAT_SECONDS)

    # ------------------------------------------------------------ hearing

    def _hear(self, data: bytes) -> None:
        try:
            envelope = n.decode(data)
        except msgspec.MsgspecError as error:
            _log.error("message_unreadable", error=type(error).__name__, advice="another version?")
            return
        if envelope.sender == self.id:
            return
        if isinstance(envelope.message, n.Drain):
            self.drain()
            return
        peer = self.peers.get(envelope.sender)
        if peer is None:
            peer = Peer(envelope.sender, self._post, self._epoch_of)
            self.peers[peer.id] = peer
        now, message = self._lease.now(), envelope.message
        peer.heard = now
        if peer.silent:
            peer.silent = False
            for code, _ in self._tables_of(peer):
                self._moved(code)
        missed = 0 < envelope.number != peer.got + 1
        peer.got = envelope.number or peer.got
        # Until its state has come: what asks for it may be lost as well.
        peer.known = peer.known and not missed
        if not peer.known and not isinstance(message, n.Bye | n.State):
            self._ask_state(peer, now)
        self._take(peer, message)

    def _ask_state(self, peer: Peer, now: float) -> None:
        """Something from it was lost, or it is new here."""
        if now - self._asked_state.get(peer.id, 0.0) >= _RESYNC_SECONDS:
            self._asked_state[peer.id] = now
            self._post(peer, "state", n.AskState())

    def _take(self, peer: Peer, message: n.AnyMessage) -> None:
        match message:
            case n.Beat():
                peer.name = message.name
            case n.AskState():
                self._tell_state(peer)
            case n.State():
                self._take_state(peer, message)
            case n.Changed():
                self._changed(peer, message)
            case n.ToTable() | n.AskAdvice():
                self._for_table(peer, message)
            case n.Answer():
                answer = peer.asked.get(message.number)
                if answer is not None and not answer.done():
                    answer.set_result(message.reply)
            case n.Picture():
                self._picture(peer, message)
            case n.Seat():
                self._seat(peer, message)
            case n.Back():
                self._back(peer, message)
            case n.Word():
                self._word(message)
            case n.End():
                if presence := self._here(message.player):
                    assert presence.feed is not None
                    presence.feed.close(message.reason)
            case n.Missed(player, why):
                self._lobby.missed(player, why)
            case n.Told() | n.Question() | n.Response():
                self.channels.take(peer, message)
            case n.Bye():
                self._hurry.set()

    def _tell_state(self, peer: Peer) -> None:
        """Tell it everything: something was lost on its way there."""
        peer.forget_shown()
        self._post(peer, "state", self._state())
        self.channels.missed(peer)
        if peer.known:
            # That somebody has come may be what was lost; with its state it is told anyway.
            for code, _ in self._tables_of(peer):
                self._announce(code)

    def _take_state(self, peer: Peer, state: n.State) -> None:
        peer.known, peer.name = True, state.name
        people = {it.player.id: it.player for it in state.people}
        # Who was stopped for a while does not know that somebody has come back through another node.
        later = [it.player for it in state.people if self._came_later(it)]
        for player in later:
            del people[player.id]
            self._post(peer, "changed", n.Changed(came=(player,)))
        left = tuple(id_ for id_ in peer.people if id_ not in people)
        own = {it.listing.id for it in state.tables}
        closed = tuple(code for code, _ in self._tables_of(peer) if code not in own)
        came = tuple(player for id_, player in people.items() if id_ not in peer.people)
        self._changed(peer, n.Changed(came, left, state.tables, closed))
        for code in own:
            self._announce(code)
        self.channels.met(peer)

    def _came_later(self, there: n.Connected) -> bool:
        """Whether the visit here is the newer one."""
        id_ = there.player.id
        return self._here(id_) is not None and self._since.get(id_, 0.0) > there.since

    def _changed(self, peer: Peer, changed: n.Changed) -> None:
        for player in changed.came:
            for other in self.peers.values():
                other.people.pop(player.id, None)
            peer.people[player.id] = player
            self._since.pop(player.id, None)
            self._lobby.came_elsewhere(player)
        for id_ in changed.left:
            if peer.people.pop(id_, None) is not None:
                self._lobby.left_elsewhere(id_)
            peer.feeds.pop(id_, None)
        for table in changed.tables:
            self._table(peer, table.epoch, table.listing)
        for code in changed.closed:
            if (known := self._known(code)) and known.peer is peer:
                self._lobby.gone(code)

    def _table(self, peer: Peer, epoch: int, listing: Listing) -> None:
        code = listing.id
        own, known = self._lobby.tables.actors.get(code), self._known(code)
        before = own or known
        if before is not None and epoch < before.epoch:
            return  # said by somebody who does not know yet that the table is another node's
        if own is not None:
            if epoch == own.epoch:
                return
            _log.error("table_lost", table=code, node=peer.name)
            self._spawn(own.stop(lost=True), "stop")
        if known is not None and known.peer is peer and epoch == known.epoch:
            self._lobby.listed(listing, known)
            return
        self._lobby.listed(listing, RemoteTable(peer, code, epoch, self._lobby.answered))
        self._announce(code)

    def _known(self, code: str) -> RemoteTable | None:
        table = self._lobby.tables.remote.get(code)
        return table if isinstance(table, RemoteTable) else None

    def _announce(self, code: str) -> None:
        """Tell the owner of a table who of those there is connected to this node."""
        table, listing = self._known(code), self._lobby.listings.get(code)
        if table is None or listing is None:
            return
        for id_ in listing.seated:
            presence = self._here(id_)
            if presence is not None and presence.table in ("", code):
                presence.table = code
                table.post(steps.Came(member_of(presence)))
        self._watch_on(code)

    def _watch_on(self, code: str) -> None:
        """The table has another owner, who does not know yet who watches it from here; whose seat is gone
        meanwhile is in the lobby.
        """
        seated = self._lobby.listings[code].seated
        for presence in self._at(code):
            assert presence.feed is not None
            shown, id_ = presence.feed.now.table, presence.player.id
            if id_ in seated:
                continue
            if shown is not None and shown.seat >= 0:
                self._lobby.released(id_, None)
            else:
                self._spawn(self._watch_again(presence, code), "watch")

    async def _watch_again(self, presence: Presence, code: str) -> None:
        reply = await self._lobby.tables.ask(code, presence, m.WatchTable(code))
        if not reply.ok and presence.table == code:
            self._lobby.released(presence.player.id, None)

    def _here(self, player: str) -> Presence | None:
        """Who is connected to this node."""
        presence = self._lobby.people.get(player)
        connected = presence is not None and presence.feed is not None
        return presence if connected and not presence.feed.remote else None  # type: ignore[union-attr]

    def _at(self, code: str) -> list[Presence]:
        found = [it for it in self._lobby.people.values() if it.table == code]
        return [it for it in found if it.feed is not None and not it.feed.remote]

    # ------------------------------------------------------------ tables of this node

    def _for_table(self, peer: Peer, message: n.ToTable | n.AskAdvice) -> None:
        table = self._lobby.tables.actors.get(message.code)
        if table is None:
            if message.number:
                self._post(peer, "answer", n.Answer(message.number, steps.MOVED))
            return
        if isinstance(message, n.AskAdvice):
            self._spawn(self._answer(peer, message.number, table.advise(message.player)), "answer")
            return
        given = message.given
        match given:
            case steps.Asked() | steps.Came():
                self._reached_through(peer, given.who.player, given.who.source)
            case steps.Gone():
                presence = self._lobby.people.get(given.player)
                if presence is None or presence.feed is not peer.feeds.get(given.player):
                    return  # connected elsewhere by now
                presence.feed = None
        if isinstance(given, steps.Asked | steps.Close):
            if isinstance(given, steps.Asked):
                self._lobby.people[given.who.player.id].asked += 1
            self._spawn(self._answer(peer, message.number, table.ask(given)), "answer")
        else:
            table.post(given)

    def _reached_through(self, peer: Peer, player: m.Player, source: str) -> None:
        presence = self._lobby.people.setdefault(player.id, Presence(player))
        presence.player, presence.source = player, source
        if presence.feed is None or presence.feed.remote:
            presence.feed = peer.feed(player.id)

    async def _answer(
        self, peer: Peer, number: int, asking: Coroutine[None, None, m.Reply]
    ) -> None:
        try:
            reply = await asking
        except m.Refused as refused:
            reply = refused.reply
        self._post(peer, "answer", n.Answer(number, reply))

    # ------------------------------------------------------------ tables of other nodes

    def _remote(self, peer: Peer, code: str, epoch: int) -> RemoteTable | None:
        table = self._known(code)
        current = table is not None and epoch >= table.epoch and table.peer is peer
        return table if current else None

    def _picture(self, peer: Peer, picture: n.Picture) -> None:
        table = self._remote(peer, picture.code, picture.epoch)
        if table is None:
            return
        before = table.picture
        if picture.stages is None:
            if before is None or before.stages is None:
                self._ask_state(peer, self._lease.now())
                return
            picture = n.Picture(
                picture.code,
                picture.epoch,
                picture.number,
                picture.info,
                picture.table,
                picture.behind,
                picture.events,
                before.stages,
            )
        table.picture = picture

    def _seat(self, peer: Peer, seat: n.Seat) -> None:
        table, presence = self._remote(peer, seat.code, seat.epoch), self._here(seat.player)
        if table is None or presence is None:
            return
        picture = table.picture
        if picture is None or picture.number != seat.picture:
            self._ask_state(peer, self._lease.now())
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

    def _back(self, peer: Peer, back: n.Back) -> None:
        table, presence = self._known(back.code), self._here(back.player)
        if table is not None and back.epoch < table.epoch:
            return
        if presence is not None and presence.table == back.code:
            self._lobby.released(back.player, next(iter(back.why), None))

    def _word(self, message: n.Word) -> None:
        if not message.player:
            self._lobby.say_here(message.word)
        elif presence := self._here(message.player):
            assert presence.feed is not None
            presence.feed.say(message.word)

    def _tables_of(self, peer: Peer) -> list[tuple[str, RemoteTable]]:
        found = [(code, self._known(code)) for code in self._lobby.tables.remote]
        return [(code, it) for code, it in found if it is not None and it.peer is peer]

    def _ended(self, id_: str) -> None:
        """A node is gone: its people are not connected any more, and its tables wait for another one."""
        peer = self.peers.pop(id_, None)
        if peer is None:
            return
        peer.give_up()
        self.channels.ended(peer)
        for player in list(peer.people):
            peer.people.pop(player)
            self._lobby.left_elsewhere(player)
        if orphans := self._tables_of(peer):
            for code, _ in orphans:
                self._moving(code)
            when = self._clock.time() + _ORPHAN_SECONDS
            self._clock.call_at(when, partial(self._forget_orphans, peer))

    def _forget_orphans(self, peer: Peer) -> None:
        for code, _ in self._tables_of(peer):
            self._lobby.gone(code)

    def _moving(self, code: str) -> None:
        """Tell those who are there that it takes a moment."""
        for presence in self._at(code):
            assert presence.feed is not None
            shown = presence.feed.now.table
            if shown is not None and presence.player.id not in self._told_moving:
                presence.feed.offer_table(shown, [m.Trouble("moving")])
                self._told_moving.add(presence.player.id)

    def _moved(self, code: str) -> None:
        """Tell them that it goes on."""
        for presence in self._at(code):
            shown = presence.feed.now.table if presence.feed is not None else None
            if shown is not None and presence.player.id in self._told_moving:
                assert presence.feed is not None
                presence.feed.offer_table(shown, [m.TroubleOver()])
                self._told_moving.discard(presence.player.id)
