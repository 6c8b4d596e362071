"""The lobby: who is here, which tables there are, and the way to them."""

import asyncio
import random
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

import structlog
from msgspec.structs import replace
from typing_extensions import override

from engine.bots import choose
from engine.deal import SEED_BYTES
from engine.views import SeatView
from server.coordinator import messages as m
from server.coordinator.chat.chat import Chat
from server.coordinator.clock import Clock
from server.coordinator.feed import BoundedFeed
from server.coordinator.lobby import overview, quotas
from server.coordinator.lobby.codes import new_code, new_title
from server.coordinator.lobby.following import Followers, busiest
from server.coordinator.lobby.limits import BY_CODE
from server.coordinator.lobby.lobby_feed import LobbyFeed
from server.coordinator.lobby.missed_events import Missed
from server.coordinator.lobby.quick import candidates
from server.coordinator.lobby.quotas import Begun
from server.coordinator.lobby.rating_cache import RatingCache
from server.coordinator.lobby.recovery import Recovered, tables_in
from server.coordinator.moderation.orders import TableFacts
from server.coordinator.people.presence import Presence
from server.coordinator.ports import Feed, Visit
from server.coordinator.table import inputs
from server.coordinator.table.actor import TableActor
from server.coordinator.table.model import EMPTY, Member, Table
from server.coordinator.table.pause import taken_up
from server.coordinator.table.ports import Host, TableEnvironment
from server.coordinator.table.seats import check_players
from server.coordinator.table.setup import check_options
from server.coordinator.table.table_info import Listing
from server.coordinator.timing import TableLimits, Timing
from server.limit_log import LimitLog
from server.storage.store import Store, StoreError, TableLog

_log = structlog.get_logger("lobby")

_UNPREDICTABLE: Final = random.SystemRandom()
"""One for all tables: it has nothing to remember, but room for 2.5 KB of that."""


class Lobby(Host):
    """See ``ports.Coordinator``.

    ``new_seed`` gives 32 secret bytes a game, ``new_rng`` an unpredictable generator a table, for delays
    and bots, and one for the codes of tables;
    ``choose`` is what a strategy bids; ``strength`` tells the rating of the account with an id, as people
    are shown it, or ``None``; it may raise ``StoreError``; ``gone`` is called with everybody who has neither
    a connection any more nor a seat to come back to.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        timing: Timing | None = None,
        limits: TableLimits | None = None,
        new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
        new_rng: Callable[[], random.Random] = lambda: _UNPREDICTABLE,
        choose: Callable[[str, SeatView, random.Random], int] = choose,
        strength: Callable[[str], Awaitable[int | None]] | None = None,
        gone: Callable[[m.Player], object] = lambda _: None,
    ) -> None:
        timing, limits = timing or Timing(), limits or TableLimits()
        self._begun = Begun(limits)
        self.shared: Final = TableEnvironment(
            clock, store, self._begun, new_seed, new_rng, timing, limits, choose
        )
        self._limit_log: Final = LimitLog("lobby", clock.time, self.shared.tally.limits)
        self._strengths: Final = RatingCache(strength, self._rating_changed)
        self._tables: dict[str, TableActor] = {}
        self._listings: Final[dict[str, Listing]] = {}
        """What is known of each table."""
        self._people: dict[str, Presence] = {}
        self._names: dict[str, str] = {}
        """Who is here, by player id."""
        self._followers: Final = Followers(
            clock,
            lambda: self.snapshot().tables,
            self._lead,
            lambda: self.shared.timing.follow,
            lambda: self.shared.limits.spectators,
        )
        self._board: Final = LobbyFeed(
            self.shared, self._listings, self._names, lambda: self._closing, self._followers.look
        )
        self.chat: Final = Chat(clock, self._people, self._listings)
        self._gone: Final = gone
        self._missed: Final = Missed(clock)
        self._rng = new_rng()
        self._salt = quotas.salt_of(())
        """Of what tables keep of where they were opened."""
        self._closing = 0.0
        self._closed = False
        self._taking_up: Final[set[asyncio.Task[None]]] = set()

    # ------------------------------------------------------------ for sessions

    def enter(
        self,
        player: m.Player,
        blocked: Mapping[str, str] | None = None,
        source: str = "",
        *,
        new: bool = False,
    ) -> "LobbyVisit":
        presence = self._people.get(player.id)
        if presence is None:
            presence = self._people[player.id] = Presence(player)
        if presence.feed is not None:
            presence.feed.close("taken_over")
        presence.player = player
        presence.source = source
        presence.feed = feed = BoundedFeed()
        self.chat.enter(presence, blocked)
        self._names[player.id] = player.name
        if not new:
            self._strengths.learn(presence)
        visit = LobbyVisit(self, presence, feed)
        if self._closed:
            feed.close("shutdown")
        elif presence.table:
            self._tables[presence.table].post(inputs.Came(_member(presence)))
        self._board.changed()
        if not presence.table and not self._closed:
            self._show(presence, feed, self._missed.take(player.id))
        self.chat.arrive(presence)
        return visit

    def leave(self, presence: Presence, feed: BoundedFeed) -> None:
        """The connection with this feed has ended."""
        feed.close("left")
        if presence.feed is not feed:
            return
        presence.feed = None
        self._followers.drop(presence)
        self._names.pop(presence.player.id, None)
        if presence.table:
            self._tables[presence.table].post(inputs.Gone(presence.player.id))
        else:
            self._forget(presence)
        self._board.changed()

    async def submit(self, presence: Presence, feed: BoundedFeed, command: m.Command) -> m.Reply:
        """Carry out a command, or say why not."""
        if feed.closed:
            return m.Reply(m.Refusal.GONE)
        if presence.submitted >= self.shared.limits.commands:
            self._limit_log.note("commands", name=presence.player.name)
            return m.Reply(m.Refusal.BUSY)
        if isinstance(command, m.ChatCommand):
            # Neither waits for a table nor keeps one waiting.
            return self._noted(presence, self.chat.carry_out(presence, command))
        presence.submitted += 1
        try:
            async with presence.lock:
                if isinstance(command, m.EntryCommand):
                    self._followers.drop(presence)
                if isinstance(command, m.QuickGame | m.CreateTable):
                    reply = await self._create(presence, command)
                elif isinstance(command, m.QuickJoin):
                    reply = await self._quick_join(presence, command)
                elif isinstance(command, m.FollowBusiest):
                    reply = await self._start_following(presence, feed)
                elif isinstance(command, m.JoinTable | m.WatchTable):
                    reply = await self._go_to(presence, command)
                else:
                    reply = await self._ask(presence.table, presence, command)
                return self._noted(presence, reply)
        finally:
            presence.submitted -= 1
            self._forget(presence)

    def _noted(self, presence: Presence, reply: m.Reply) -> m.Reply:
        """The same reply; when it is because of a limit, that is counted."""
        if limit := BY_CODE.get(reply.code):
            self._limit_log.note(limit, name=presence.player.name)
        return reply

    async def _ask(
        self, table: str, presence: Presence, command: m.Command | inputs.Fill | inputs.StopWatching
    ) -> m.Reply:
        """Ask a table, which tells when it has ``answered``."""
        actor = self._tables.get(table)
        if actor is None:
            return m.Reply(m.Refusal.NOT_SEATED)
        presence.asked += 1
        return await actor.ask(inputs.Asked(_member(presence), command))

    def _seated(self, presence: Presence) -> bool:
        table = self._listings.get(presence.table)
        return table is not None and presence.player.id in table.seated

    def _room_for(self, presence: Presence) -> m.Reply:
        """Whether this player may open another table."""
        tables = self._listings.values()
        source = quotas.mark(presence.source, self._salt)
        return quotas.refusal(tables, presence.player.id, source, self.shared.limits)

    async def _make_room_for(self, presence: Presence) -> m.Reply:
        """The same; deserted tables go where there are too many."""
        close = inputs.Close("deserted", deserted=True)
        while not (refusal := self._room_for(presence)).ok:
            source, gone = quotas.mark(presence.source, self._salt), ""
            if refusal.code == "too_many_from_there":
                gone = quotas.dispensable(self._listings.values(), source)
            elif refusal.code == "too_many_tables":
                gone = quotas.dispensable(self._listings.values())
            if not gone or not (await self._tables[gone].ask(close)).ok:
                break
        return refusal

    async def _create(
        self, presence: Presence, command: m.QuickGame | m.CreateTable | m.QuickJoin
    ) -> m.Reply:
        if self._closing:
            return m.Reply(m.Refusal.CLOSING)
        if presence.asked:
            # Of a connection that was cut off meanwhile.
            return m.Reply(m.Refusal.BUSY)
        if self._seated(presence):
            return m.Reply(m.Refusal.SEATED_ELSEWHERE)
        refusal = await self._make_room_for(presence)
        if not refusal.ok:
            return refusal
        refusal = check_options(command.options)
        quick = isinstance(command, m.QuickGame)
        if refusal.ok:
            refusal = check_players(command.options, presence.player, bots=quick)
        if not refusal.ok:
            return refusal
        try:
            code = await self._new_code()
        except StoreError as error:
            return m.Reply(m.Refusal.STORAGE, {"reason": error.code})
        refusal = await self._stop_watching(presence)
        if refusal.ok:
            # Others may have opened tables meanwhile.
            refusal = self._room_for(presence)
        now = self.shared.clock.time()
        if refusal.ok:
            refusal = self._begun.check(presence.player.id, presence.source, now)
        if not refusal.ok:
            return refusal
        if code in self._tables:
            # Somebody has been given the same one at the same moment.
            return m.Reply(m.Refusal.BUSY)
        self._begun.count(presence.player.id, presence.source, now)
        self._open(code, command.options, presence)
        return await self._ask(code, presence, inputs.Fill(quick, isinstance(command, m.QuickJoin)))

    async def _quick_join(self, presence: Presence, command: m.QuickJoin) -> m.Reply:
        if self._seated(presence):
            return m.Reply(m.Refusal.SEATED_ELSEWHERE)
        rows = [table.row for table in self._listings.values() if not table.private]
        for row in candidates(rows, command.options, presence.player):
            reply = await self._go_to(presence, m.JoinTable(row.id))
            # Somebody may have been faster, or the owner has removed this player: the next one, then.
            if reply.ok or reply.code in {"busy", "storage", "seated_elsewhere"}:
                return reply
        return await self._create(presence, command)

    async def _start_following(self, presence: Presence, feed: BoundedFeed) -> m.Reply:
        if feed.closed:
            # While this waited for an earlier command: who has gone is not led anywhere.
            return m.Reply(m.Refusal.GONE)
        if self._seated(presence):
            return m.Reply(m.Refusal.SEATED_ELSEWHERE)
        self._followers.add(presence)
        best = busiest(self.snapshot().tables, self.shared.limits.spectators)
        if best is not None:
            reply = await self._go_to(presence, m.WatchTable(best.id))
            if self._seated(presence):
                self._followers.drop(presence)
                return reply
        return m.Reply()

    async def _lead(self, presence: Presence, table: str) -> None:
        """Bring somebody who follows to a table, or to the lobby when it is none."""
        async with presence.lock:
            if (
                presence in self._followers
                and presence.feed is not None
                and not self._seated(presence)
            ):
                if table:
                    await self._go_to(presence, m.WatchTable(table))
                else:
                    await self._stop_watching(presence)
                self.chat.arrive(presence)

    async def _go_to(self, presence: Presence, command: m.JoinTable | m.WatchTable) -> m.Reply:
        if presence.asked:
            return m.Reply(m.Refusal.BUSY)
        if self._seated(presence):
            return m.Reply(m.Refusal.SEATED_ELSEWHERE)
        if command.table not in self._tables:
            return m.Reply(m.Refusal.NO_SUCH_TABLE)
        if presence.table != command.table:
            refusal = await self._stop_watching(presence)
            if not refusal.ok:
                return refusal
        return await self._ask(command.table, presence, command)

    async def _stop_watching(self, presence: Presence) -> m.Reply:
        """To go elsewhere. Refused when a seat that was waited for has come just now."""
        if presence.table:
            await self._ask(presence.table, presence, inputs.StopWatching())
        return m.Reply(m.Refusal.SEATED_ELSEWHERE) if self._seated(presence) else m.Reply()

    async def _new_code(self) -> str:
        """One that no table has, or has ever had: who remembers an old one comes to no stranger's table.
        Raises ``StoreError``.
        """
        while await self.shared.store.is_given(code := new_code(self._tables, self._rng)):
            pass
        return code

    def _open(self, code: str, options: m.TableOptions, opener: Presence) -> None:
        titles = {table.row.title for table in self._listings.values()}
        table = Table(
            id=code,
            title=new_title(titles, self._rng),
            options=options,
            created=self.shared.clock.time(),
            seats=(EMPTY,) * options.rules.players,
            opened_by=opener.player.id,
            opened_from=quotas.mark(opener.source, self._salt),
        )
        self._set_up(TableLog(self.shared.store, secrets.token_hex(16)), table)

    def _set_up(self, log: TableLog, table: Table) -> TableActor:
        table = replace(table, closing=self._closing)
        actor = TableActor(log, table, self.shared, self)
        self._tables[table.id] = actor
        self._listings[table.id] = actor.listing
        actor.start()
        return actor

    # ------------------------------------------------------------ for tables

    @override
    def published(self, listing: Listing, *, row_changed: bool) -> None:
        self._listings[listing.id] = listing
        if row_changed:
            self._board.rows_changed()

    @override
    def show(self, player: str, table: m.TableSnapshot, events: Sequence[m.Happening]) -> None:
        presence = self._people.get(player)
        here = presence is not None and presence.table == table.info.id
        if here and presence is not None and presence.feed is not None:
            presence.feed.offer_table(table, events)

    @override
    def is_connected(self, player: str) -> bool:
        presence = self._people.get(player)
        return presence is not None and presence.feed is not None and not presence.feed.closed

    @override
    def joined(self, member: Member, table: str) -> None:
        presence = self._people[member.player.id]
        presence.table = table
        if presence.feed is None:
            # The connection dropped while the command lay in the inbox.
            self._tables[table].post(inputs.Gone(member.player.id))
        elif presence.rating != member.rating:
            self._rating_changed(presence)

    @override
    def released(self, player: str, why: m.Happening | None) -> None:
        presence = self._people.get(player)
        if presence is None:
            return
        presence.table = ""
        if presence.feed is not None:
            self._show(presence, presence.feed, () if why is None else (why,))
            return
        if why is not None:
            self._missed.keep(player, why)
        self._forget(presence)

    @override
    def caught_up(self, table: str) -> None:
        self.chat.caught_up(self._listings[table])

    @override
    def rated(self, table: str) -> None:
        self.chat.rated(self._listings[table])
        for player in self._listings[table].seated:
            self._strengths.learn(self._people[player])

    @override
    def answered(self, player: str) -> None:
        presence = self._people[player]
        presence.asked -= 1
        self.chat.arrive(presence)
        self._forget(presence)

    @override
    def closed(self, table: str) -> None:
        self._tables.pop(table, None)
        self.chat.closed(self._listings.pop(table))
        self._board.rows_changed()

    @override
    def lost(self, table: str) -> None:
        task = asyncio.get_running_loop().create_task(self._take_up_again(table), name="take up")
        self._taking_up.add(task)
        task.add_done_callback(self._taking_up.discard)

    def _rating_changed(self, presence: Presence) -> None:
        if presence.table:
            self._tables[presence.table].post(inputs.Rated(presence.player.id, presence.rating))

    def _show(self, presence: Presence, feed: BoundedFeed, why: Sequence[m.Happening] = ()) -> None:
        self._board.show(presence, feed, why)
        self.chat.arrive(presence)

    def _forget(self, presence: Presence) -> None:
        """Unless there is a connection, a seat or a command in progress to remember."""
        idle = presence.feed is None and not presence.table
        idle = idle and not presence.submitted and not presence.asked
        if idle and self._people.get(presence.player.id) is presence:
            del self._people[presence.player.id]
            self.chat.forget(presence.player.id)
            if presence.player.id not in self._missed:
                self._gone(presence.player)

    # ------------------------------------------------------------ for the server

    async def recover(self) -> int:
        """Take up every table that the store has; how many. Raises ``StoreError``."""
        found = await tables_in(self.shared.store)
        self._salt = quotas.salt_of([each.table.opened_from for each in found])
        for each in found:
            self._take_up(each)
        return len(self._tables)

    def _take_up(self, found: Recovered) -> None:
        table = taken_up(found.table, self.shared.clock.time(), self.shared.timing)
        actor = self._set_up(found.log, table)
        actor.post(inputs.Restarted())
        for id_, member in table.people.items():
            presence = self._people.setdefault(id_, Presence(member.player))
            if presence.table:  # gone elsewhere while this table was away
                continue
            presence.table = table.id
            self._strengths.learn(presence)
            if presence.feed is not None:
                actor.post(inputs.Came(_member(presence)))

    async def _take_up_again(self, table: str) -> None:
        try:
            found = await tables_in(self.shared.store, table)
        except StoreError as error:
            _log.error("storage_failed", table=table, code=error.code)
            return
        for each in found:
            if table not in self._tables and not self._closed:
                self._take_up(each)

    def knows(self, player: str) -> bool:
        """Whether the player with this id is connected, has a seat to come back to, or has lost one without
        knowing.
        """
        return player in self._people or player in self._missed

    async def close_table(self, code: str) -> m.Reply:
        """Close the table with this code, whatever goes on there: as an operator, not for a player."""
        if code not in self._tables:
            return m.Reply(m.Refusal.NO_SUCH_TABLE)
        return await self._tables[code].ask(inputs.Close("closed"))

    def announce_closing(self, when: float) -> None:
        """From now on no game begins, because the server goes down at ``when``; 0 takes it back."""
        self._closing = when
        for table in self._tables.values():
            table.post(inputs.Announced(when))
        self._board.changed()

    @property
    def closing(self) -> float:
        """When the server goes down; 0 when it stays."""
        return self._closing

    def say(self, word: m.ServerMessage) -> int:
        """Tell everybody who is connected something; how many that are."""
        feeds = [presence.feed for presence in self._people.values() if presence.feed is not None]
        for feed in feeds:
            feed.say(word)
        return len(feeds)

    def say_to(self, player: str, word: m.ServerMessage) -> bool:
        """Tell the player with this id something; false when he or she is not connected."""
        presence = self._people.get(player)
        if presence is None or presence.feed is None:
            return False
        presence.feed.say(word)
        return True

    def end_visit(self, player: str, word: m.ServerMessage) -> bool:
        """Send the player with this id away, with a word; a seat stays. False when there is nobody."""
        presence = self._people.get(player)
        if presence is None or presence.feed is None:
            return False
        presence.feed.say(word)
        presence.feed.close(word.kind)
        return True

    def place_of(self, player: str) -> overview.Whereabouts | None:
        """At which table the player with this id is; ``None`` in the lobby, or when there is nobody."""
        presence = self._people.get(player)
        table = None if presence is None else self._listings.get(presence.table)
        return overview.place_at(player, table)

    def facts(self) -> tuple[TableFacts, ...]:
        """Every table, as far as everybody may know it, the newest first."""
        return tuple(overview.facts_of(table) for table in reversed(self._listings.values()))

    def in_play(self) -> int:
        """How many games are not over and have somebody connected who plays."""
        return overview.in_play(self._listings.values())

    def adjust(self, timing: Timing, limits: TableLimits) -> None:
        """From now on these are in force; what is already planned stays as it was."""
        self.shared.timing, self.shared.limits = timing, limits
        self.shared.begun = self._begun = Begun(limits)

    async def close(self) -> None:
        """End every visit and every table; what has been acknowledged is in the store."""
        self._closed = True
        self._board.close()
        for task in self._taking_up:
            task.cancel()
        self._closing = self._closing or self.shared.clock.time()
        for presence in list(self._people.values()):
            if presence.feed is not None:
                presence.feed.close("shutdown")
        for table in list(self._tables.values()):
            await table.stop()
        self._followers.close()
        self._strengths.close()
        self.chat.close()

    def counts(self) -> overview.Counts:
        """How many there are of everything, for operators and metrics."""
        return overview.counts_of(self._people.values(), self._listings.values())

    def snapshot(self) -> m.LobbySnapshot:
        """How the lobby looks now."""
        return self._board.snapshot()


class LobbyVisit:
    """One player's visit (``ports.Visit``)."""

    __slots__ = ("_feed", "_lobby", "_player", "_presence")

    def __init__(self, lobby: Lobby, presence: Presence, feed: BoundedFeed) -> None:
        self._lobby = lobby
        self._presence = presence
        self._feed = feed
        self._player = presence.player

    @property
    def player(self) -> m.Player:
        return self._player

    @property
    def feed(self) -> Feed:
        return self._feed

    async def submit(self, command: m.Command) -> m.Reply:
        return await self._lobby.submit(self._presence, self._feed, command)

    def close(self) -> None:
        self._lobby.leave(self._presence, self._feed)


def _member(presence: Presence) -> Member:
    return Member(presence.player, presence.source, presence.rating)


_: type[Visit] = LobbyVisit
