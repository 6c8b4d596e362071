"""The lobby: who is here, which tables there are, and the way to them."""

import random
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from engine.bots import choose
from engine.deal import SEED_BYTES
from engine.views import SeatView
from server.coordinator.chat.chat import Chat
from server.coordinator.clock import Clock
from server.coordinator.feed import BoundedFeed
from server.coordinator.lobby import quotas
from server.coordinator.lobby.codes import new_code, new_title
from server.coordinator.lobby.following import Followers, busiest
from server.coordinator.lobby.limit_log import BY_CODE, LimitLog
from server.coordinator.lobby.lobby_feed import LobbyFeed
from server.coordinator.lobby.missed_events import Missed
from server.coordinator.lobby.overview import (
    Counts,
    Whereabouts,
    counts_of,
    facts_of,
    in_play,
    place_at,
)
from server.coordinator.lobby.quick import candidates
from server.coordinator.lobby.quotas import Begun
from server.coordinator.lobby.rating_cache import RatingCache
from server.coordinator.lobby.recovery import tables_in
from server.coordinator.messages import (
    Block,
    Command,
    CreateTable,
    FollowBusiest,
    Happening,
    JoinTable,
    LeaveTable,
    LobbySnapshot,
    Mute,
    Player,
    QuickGame,
    QuickJoin,
    Reply,
    Say,
    ServerMessage,
    TableOptions,
    WatchTable,
)
from server.coordinator.moderation.orders import TableFacts
from server.coordinator.people.presence import Presence
from server.coordinator.ports import Feed, Visit
from server.coordinator.table.actor import Table
from server.coordinator.table.inputs import Announce, Begin, ConnectionChanged, Fill, StopWatching
from server.coordinator.table.model import EMPTY, TableState
from server.coordinator.table.ports import TableEnvironment
from server.coordinator.table.setup import check_options, check_players
from server.coordinator.timing import TableLimits, Timing
from server.storage.store import Store, StoreError, TableLog

_LEADS_ELSEWHERE: Final = (QuickGame, CreateTable, QuickJoin, JoinTable, WatchTable, LeaveTable)


_UNPREDICTABLE: Final = random.SystemRandom()
"""One for all tables: it has nothing to remember, but room for 2.5 KB of that."""


class Lobby:
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
        gone: Callable[[Player], object] = lambda _: None,
    ) -> None:
        self.house: Final = TableEnvironment(
            clock, store, new_seed, new_rng, timing or Timing(), limits or TableLimits(), choose
        )
        self._bites: Final = LimitLog(clock, self.house.tally)
        self._strengths: Final = RatingCache(strength)
        self._tables: dict[str, Table] = {}
        self._people: dict[str, Presence] = {}
        self._names: dict[str, str] = {}
        """Who is here, by player id."""
        self._followers: Final = Followers(
            clock,
            lambda: self.snapshot().tables,
            self._lead,
            lambda: self.house.timing.follow,
            lambda: self.house.limits.spectators,
        )
        self._board: Final = LobbyFeed(
            self.house, self._tables, self._names, lambda: self._closing, self._followers.look
        )
        self.chat: Final = Chat(clock, self._people)
        self._gone: Final = gone
        self._missed: Final = Missed(clock)
        self._rng = new_rng()
        self._salt = quotas.salt_of(())
        """Of what tables keep of where they were opened."""
        self._closing = 0.0
        self._closed = False

    # ------------------------------------------------------------ for sessions

    def enter(
        self,
        player: Player,
        blocked: Mapping[str, str] | None = None,
        source: str = "",
        *,
        new: bool = False,
    ) -> "LobbyVisit":
        """See ``ports.Coordinator``."""
        presence = self._people.get(player.id)
        if presence is None:
            presence = self._people[player.id] = Presence(player)
        if presence.feed is not None:
            presence.feed.close("taken_over")
        presence.player = player
        presence.source = source
        if blocked is not None:
            presence.ear.blocked = dict(blocked)
        presence.feed = feed = BoundedFeed()
        presence.ear.room = ""
        self._names[player.id] = player.name
        if not new:
            self._strengths.learn(presence)
        visit = LobbyVisit(self, presence, feed)
        if self._closed:
            feed.close("shutdown")
        elif presence.table is not None:
            presence.table.post(ConnectionChanged(presence))
        self._board.changed()
        if presence.table is None and not self._closed:
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
        if presence.table is not None:
            presence.table.post(ConnectionChanged(presence))
        else:
            self._forget(presence)
        self._board.changed()

    async def submit(self, presence: Presence, feed: BoundedFeed, command: Command) -> Reply:
        """Carry out a command, or say why not."""
        if feed.closed:
            return Reply("gone")
        if presence.submitted >= self.house.limits.commands:
            self._bites.note("commands", presence.player.name)
            return Reply("busy")
        if isinstance(command, Say | Mute | Block):
            # Neither waits for a table nor keeps one waiting.
            return self._noted(presence, self.chat.carry_out(presence, command))
        presence.submitted += 1
        try:
            async with presence.lock:
                if isinstance(command, _LEADS_ELSEWHERE):
                    self._followers.drop(presence)
                if isinstance(command, QuickGame | CreateTable):
                    reply = await self._create(presence, command)
                elif isinstance(command, QuickJoin):
                    reply = await self._quick_join(presence, command)
                elif isinstance(command, FollowBusiest):
                    reply = await self._start_following(presence, feed)
                elif isinstance(command, JoinTable | WatchTable):
                    reply = await self._go_to(presence, command)
                elif presence.table is None:
                    reply = Reply("not_seated")
                else:
                    reply = await presence.table.ask(presence, command)
                return self._noted(presence, reply)
        finally:
            presence.submitted -= 1
            self._forget(presence)

    def _noted(self, presence: Presence, reply: Reply) -> Reply:
        """The same reply; when it is because of a limit, that is counted."""
        if limit := BY_CODE.get(reply.code):
            self._bites.note(limit, presence.player.name)
        return reply

    def _room_for(self, presence: Presence) -> Reply:
        """Whether this player may open another table."""
        states = [table.state for table in self._tables.values()]
        source = quotas.mark(presence.source, self._salt)
        return quotas.refusal(states, presence.player.id, source, self.house.limits)

    async def _make_room_for(self, presence: Presence) -> Reply:
        """The same; deserted tables go where there are too many."""
        while not (refusal := self._room_for(presence)).ok:
            source = quotas.mark(presence.source, self._salt)
            gone = None
            if refusal.code == "too_many_from_there":
                gone = quotas.dispensable(self._tables.values(), source)
            elif refusal.code == "too_many_tables":
                gone = quotas.dispensable(self._tables.values())
            if gone is None or not (await gone.close("deserted", deserted=True)).ok:
                break
        return refusal

    async def _create(
        self, presence: Presence, command: QuickGame | CreateTable | QuickJoin
    ) -> Reply:
        if self._closing:
            return Reply("closing")
        if presence.asked:
            # Of a connection that was cut off meanwhile.
            return Reply("busy")
        if _seated(presence):
            return Reply("seated_elsewhere")
        refusal = await self._make_room_for(presence)
        if not refusal.ok:
            return refusal
        refusal = check_options(command.options)
        quick = isinstance(command, QuickGame)
        if refusal.ok:
            refusal = check_players(command.options, presence.player, bots=quick)
        if not refusal.ok:
            return refusal
        try:
            code = await self._new_code()
        except StoreError as error:
            return Reply("storage", {"reason": error.code})
        refusal = await self._stop_watching(presence)
        if refusal.ok:
            # Others may have opened tables meanwhile.
            refusal = self._room_for(presence)
        if refusal.ok:
            now = self.house.clock.time()
            refusal = self.house.begun.take(presence.player.id, presence.source, now)
        if not refusal.ok:
            return refusal
        if code in self._tables:
            # Somebody has been given the same one at the same moment.
            return Reply("busy")
        table = self._open(code, command.options, presence)
        return await table.ask(presence, Fill(quick, isinstance(command, QuickJoin)))

    async def _quick_join(self, presence: Presence, command: QuickJoin) -> Reply:
        if _seated(presence):
            return Reply("seated_elsewhere")
        rows = [table.row for table in self._tables.values() if not table.state.word]
        for row in candidates(rows, command.options, presence.player):
            reply = await self._go_to(presence, JoinTable(row.id))
            # Somebody may have been faster, or the owner has removed this player: the next one, then.
            if reply.ok or reply.code in {"busy", "storage", "seated_elsewhere"}:
                return reply
        return await self._create(presence, command)

    async def _start_following(self, presence: Presence, feed: BoundedFeed) -> Reply:
        if feed.closed:
            # While this waited for an earlier command: who has gone is not led anywhere.
            return Reply("gone")
        if _seated(presence):
            return Reply("seated_elsewhere")
        self._followers.add(presence)
        best = busiest(self.snapshot().tables, self.house.limits.spectators)
        if best is not None:
            reply = await self._go_to(presence, WatchTable(best.id))
            if _seated(presence):
                self._followers.drop(presence)
                return reply
        return Reply()

    async def _lead(self, presence: Presence, table: str) -> None:
        """Bring somebody who follows to a table, or to the lobby when it is none."""
        async with presence.lock:
            if presence in self._followers and presence.feed is not None and not _seated(presence):
                if table:
                    await self._go_to(presence, WatchTable(table))
                else:
                    await self._stop_watching(presence)
                self.chat.arrive(presence)

    async def _go_to(self, presence: Presence, command: JoinTable | WatchTable) -> Reply:
        if presence.asked:
            return Reply("busy")
        if _seated(presence):
            return Reply("seated_elsewhere")
        table = self._tables.get(command.table)
        if table is None:
            return Reply("no_such_table")
        if presence.table is not table:
            refusal = await self._stop_watching(presence)
            if not refusal.ok:
                return refusal
        return await table.ask(presence, command)

    async def _stop_watching(self, presence: Presence) -> Reply:
        """To go elsewhere. Refused when a seat that was waited for has come just now."""
        if presence.table is not None:
            await presence.table.ask(presence, StopWatching())
        return Reply("seated_elsewhere") if _seated(presence) else Reply()

    async def _new_code(self) -> str:
        """One that no table has, or has ever had: who remembers an old one comes to no stranger's table.
        Raises ``StoreError``.
        """
        while await self.house.store.is_given(code := new_code(self._tables, self._rng)):
            pass
        return code

    def _open(self, code: str, options: TableOptions, opener: Presence) -> Table:
        titles = {table.state.title for table in self._tables.values()}
        state = TableState(
            id=code,
            title=new_title(titles, self._rng),
            options=options,
            created=self.house.clock.time(),
            seats=(EMPTY,) * options.rules.players,
            opened_by=opener.player.id,
            opened_from=quotas.mark(opener.source, self._salt),
        )
        log = TableLog(self.house.store, secrets.token_hex(16))
        return self._set_up(Table(log, state, self.house, self))

    def _set_up(self, table: Table) -> Table:
        self._tables[table.id] = table
        table.closing = self._closing
        table.start()
        return table

    # ------------------------------------------------------------ for tables

    def row_changed(self, table: Table) -> None:
        """See ``house.Host``."""
        self._board.rows_changed()

    def released(self, presence: Presence, why: Happening | None) -> None:
        """See ``house.Host``."""
        if presence.feed is not None:
            self._show(presence, presence.feed, () if why is None else (why,))
        else:
            if why is not None:
                self._missed.keep(presence.player.id, why)
            self._forget(presence)

    def caught_up(self, table: Table) -> None:
        """See ``house.Host``."""
        self.chat.caught_up(table)

    def rated(self, table: Table) -> None:
        """See ``house.Host``."""
        self.chat.rated(table)
        for presence in table.people.values():
            self._strengths.learn(presence)

    def answered(self, presence: Presence) -> None:
        """See ``house.Host``."""
        self.chat.arrive(presence)
        self._forget(presence)

    def closed(self, table: Table) -> None:
        """See ``house.Host``."""
        self._tables.pop(table.id, None)
        self.chat.closed(table)
        self._board.rows_changed()

    def _show(self, presence: Presence, feed: BoundedFeed, why: Sequence[Happening] = ()) -> None:
        self._board.show(presence, feed, why)
        self.chat.arrive(presence)

    def _forget(self, presence: Presence) -> None:
        """Unless there is a connection, a seat or a command in progress to remember."""
        idle = presence.feed is None and presence.table is None
        idle = idle and not presence.submitted and not presence.asked
        if idle and self._people.get(presence.player.id) is presence:
            del self._people[presence.player.id]
            if presence.player.id not in self._missed:
                self._gone(presence.player)

    # ------------------------------------------------------------ for the server

    async def recover(self) -> int:
        """Take up every table that the store has; how many. Raises ``StoreError``."""
        stored = await tables_in(self.house.store)
        self._salt = quotas.salt_of([found.state.opened_from for found in stored])
        for found in stored:
            table = Table(found.log, found.state, self.house, self, found.deal)
            for seat in found.state.seats:
                if seat.human and seat.player is not None:
                    presence = self._people.setdefault(seat.player.id, Presence(seat.player))
                    table.people[seat.player.id] = presence
                    presence.table = table
            self._set_up(table)
            table.post(Begin())
            for presence in table.people.values():
                self._strengths.learn(presence)
                if presence.feed is not None:
                    table.post(ConnectionChanged(presence))
        return len(self._tables)

    def knows(self, player: str) -> bool:
        """Whether the player with this id is connected, has a seat to come back to, or has lost one without
        knowing.
        """
        return player in self._people or player in self._missed

    async def close_table(self, code: str) -> Reply:
        """Close the table with this code, whatever goes on there: as an operator, not for a player."""
        table = self._tables.get(code)
        return Reply("no_such_table") if table is None else await table.close("closed")

    def announce_closing(self, when: float) -> None:
        """From now on no game begins, because the server goes down at ``when``; 0 takes it back."""
        self._closing = when
        for table in self._tables.values():
            table.post(Announce(when))
        self._board.changed()

    @property
    def closing(self) -> float:
        """See ``LobbySnapshot.closing``."""
        return self._closing

    def say(self, word: ServerMessage) -> int:
        """Tell everybody who is connected something; how many that are."""
        feeds = [presence.feed for presence in self._people.values() if presence.feed is not None]
        for feed in feeds:
            feed.say(word)
        return len(feeds)

    def say_to(self, player: str, word: ServerMessage) -> bool:
        """Tell the player with this id something; false when he or she is not connected."""
        presence = self._people.get(player)
        if presence is None or presence.feed is None:
            return False
        presence.feed.say(word)
        return True

    def end_visit(self, player: str, word: ServerMessage) -> bool:
        """Send the player with this id away, with a word; a seat stays. False when there is nobody."""
        presence = self._people.get(player)
        if presence is None or presence.feed is None:
            return False
        presence.feed.say(word)
        presence.feed.close(word.kind)
        return True

    def place_of(self, player: str) -> Whereabouts | None:
        """At which table the player with this id is; ``None`` in the lobby, or when there is nobody."""
        presence = self._people.get(player)
        return None if presence is None else place_at(presence)

    def facts(self) -> tuple[TableFacts, ...]:
        """Every table, as far as everybody may know it, the newest first."""
        return tuple(facts_of(table) for table in reversed(self._tables.values()))

    def in_play(self) -> int:
        """How many games are not over and have somebody connected who plays."""
        return in_play(self._tables.values())

    def adjust(self, timing: Timing, limits: TableLimits) -> None:
        """From now on these are in force; what is already planned stays as it was."""
        self.house.timing, self.house.limits = timing, limits
        self.house.begun = Begun(limits)

    async def close(self) -> None:
        """End every visit and every table; what has been acknowledged is in the store."""
        self._closed = True
        self._board.close()
        self._closing = self._closing or self.house.clock.time()
        for presence in list(self._people.values()):
            if presence.feed is not None:
                presence.feed.close("shutdown")
        for table in list(self._tables.values()):
            await table.stop()
        self._followers.close()
        self._strengths.close()
        self.chat.close()

    def counts(self) -> Counts:
        """How many there are of everything, for operators and metrics."""
        return counts_of(self._people.values(), self._tables.values())

    def snapshot(self) -> LobbySnapshot:
        """How the lobby looks now."""
        return self._board.snapshot()


class LobbyVisit:
    """See ``ports.Visit``."""

    __slots__ = ("_feed", "_lobby", "_player", "_presence")

    def __init__(self, lobby: Lobby, presence: Presence, feed: BoundedFeed) -> None:
        self._lobby = lobby
        self._presence = presence
        self._feed = feed
        self._player = presence.player

    @property
    def player(self) -> Player:
        """See ``ports.Visit``."""
        return self._player

    @property
    def feed(self) -> Feed:
        """See ``ports.Visit``."""
        return self._feed

    async def submit(self, command: Command) -> Reply:
        """See ``ports.Visit``."""
        return await self._lobby.submit(self._presence, self._feed, command)

    def close(self) -> None:
        """See ``ports.Visit``."""
        self._lobby.leave(self._presence, self._feed)


def _seated(presence: Presence) -> bool:
    return presence.table is not None and presence.table.state.seat_of(presence.player.id) >= 0


_: type[Visit] = LobbyVisit
