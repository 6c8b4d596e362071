"""The lobby: who is here, which tables there are, and the way to them."""

import asyncio
import dataclasses
import random
import secrets
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Final, Protocol

import structlog
from msgspec.structs import replace
from typing_extensions import override

from engine.bots import choose
from engine.bots.question import Choose
from engine.deal import SEED_BYTES
from engine.deal_code import BadDealCode, read_deal
from server.coordinator import messages as m
from server.coordinator.chat import Chat, Presence
from server.coordinator.clock import Clock
from server.coordinator.feed import Feed, Visit
from server.coordinator.lobby import tables
from server.coordinator.lobby.lobby_feed import LobbyFeed, MissedEvents, busiest, next_busiest
from server.coordinator.lobby.tournament_feed import TournamentFeed
from server.coordinator.moderation.orders import TableFacts
from server.coordinator.table import steps
from server.coordinator.table.actor import TableActor
from server.coordinator.table.model import EMPTY, Member, SharedDeal, Table
from server.coordinator.table.pause import taken_up
from server.coordinator.table.ports import (
    GameQuota,
    Host,
    Listing,
    TableEnvironment,
    Think,
    cannot_think,
)
from server.coordinator.table.seats import check_players
from server.coordinator.table.setup import check_options
from server.coordinator.timing import TableLimits, Timing
from server.rate_limiter import LimitLog
from server.storage.store import Store, StoreError, TableLog

_log = structlog.get_logger("lobby")

_UNPREDICTABLE: Final = random.SystemRandom()
"""One for all tables: it has nothing to remember, but room for 2.5 KB of that."""

_KEYS: Final = 16
"""Of requests that one player has made."""


_TAKE_UP_SECONDS: Final = 2.0
"""Until it is tried again to read a table back."""


class Today(Protocol):
    """Today's tide (``events.today``)."""

    async def play(self, player: m.Player) -> m.Reply:
        """Take the player to a try, begun now or before. Raises ``Refused``."""


class Lobby(Host):
    """Who is here, and the tables. ``new_seed``, ``new_rng``, ``choose`` and ``think`` are for
    ``TableEnvironment``; ``strength`` tells the rating of the account with an id, as people are shown it, or
    ``None``, and may raise ``StoreError``; ``gone`` is called with everybody who has neither a connection any
    more nor a seat to come back to.
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
        choose: Choose = choose,
        think: Think = cannot_think,
        strength: Callable[[str], Awaitable[int | None]] | None = None,
        gone: Callable[[m.Player], object] = lambda _: None,
    ) -> None:
        timing, limits = timing or Timing(), limits or TableLimits()
        self.shared: Final = TableEnvironment(
            clock, store, GameQuota(limits), new_seed, new_rng, timing, limits, choose, think, self
        )
        self._limit_log: Final = LimitLog("lobby", clock.time, self.shared.tally.limits)
        self._strength: Final = strength
        self._tables: dict[str, TableActor] = {}
        self.listings: Final[dict[str, Listing]] = {}
        """What is known of each table, by its code."""
        self.taking_up: Final[dict[str, str]] = {}
        """Tables that are read back from the store, and their events."""
        self.people: Final[dict[str, Presence]] = {}
        """Who is connected or has a seat, by player id."""
        self._names: dict[str, m.Player] = {}
        """Who is connected, by player id."""
        self._lobby_feed: Final = LobbyFeed(
            self.shared,
            self.listings,
            self._names,
            lambda presence, table: self._spawn(self._lead(presence, table), "follow"),
        )
        self.tournaments: Final = TournamentFeed(self.shared, self.people)
        self.chat: Final = Chat(clock, self.people, self.listings)
        self.today: Today | None = None
        """The deal of the day; ``None`` where there is none."""
        self._gone: Final = gone
        self._missed: Final = MissedEvents(clock)
        self._rng = new_rng()
        self._salt = tables.salt_of(())
        """Of what tables keep of where they were opened."""
        self._closed = False
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    # ------------------------------------------------------------ for sessions

    def enter(
        self,
        player: m.Player,
        blocked: Mapping[str, str] | None = None,
        source: str = "",
        *,
        new: bool = False,
    ) -> "LobbyVisit":
        """A player comes in: into the lobby, or back to the seat left behind. An earlier visit of the same
        player ends with ``taken_over``.

        ``blocked`` are the people whom this one has blocked on earlier visits: id and name then. Without it,
        those of the visit that this one takes over. ``source`` is a word for where the visit comes from:
        those who come from there share a limit. Who is ``new`` has no rating to find out.
        """
        presence = self.people.setdefault(player.id, Presence(player))
        if presence.feed is not None:
            presence.feed.close("taken_over")
        presence.player = player
        presence.source = source
        presence.feed = feed = Feed()
        presence.room = ""
        if blocked is not None:
            presence.blocked = dict(blocked)
        self._names[player.id] = player
        if not new:
            self._learn_rating(presence)
        self.tournaments.show(presence)
        visit = LobbyVisit(self, presence, feed, player)
        if self._closed:
            feed.close("shutdown")
        elif presence.table:
            self._tables[presence.table].post(steps.Came(_member(presence)))
        self._lobby_feed.changed()
        if not presence.table and not self._closed:
            self._show(presence, feed, self._missed.take(player.id))
        self.chat.arrive(presence)
        return visit

    def leave(self, presence: Presence, feed: Feed) -> None:
        """The connection with this feed has ended."""
        feed.close("left")
        if presence.feed is not feed:
            return
        presence.feed = None
        self._lobby_feed.following.pop(presence, None)
        self._names.pop(presence.player.id, None)
        if presence.table:
            self._tables[presence.table].post(steps.Gone(presence.player.id))
        else:
            self._forget(presence)
        self._lobby_feed.changed()

    async def submit(self, presence: Presence, feed: Feed, command: m.Command) -> m.Reply:
        """Carry out a command, or say why not."""
        try:
            reply = await self._carry_out(presence, feed, command)
            if reply.ok and isinstance(command, m.AskHint) and presence.table in self._tables:
                # Commands that come meanwhile do not wait.
                reply = await self._tables[presence.table].advise(presence.player.id)
        except m.Refused as refused:
            reply = refused.reply
        if limit := tables.LIMIT_BY_CODE.get(reply.code):
            self._limit_log.note(limit, name=presence.player.name)
        return reply

    async def _carry_out(self, presence: Presence, feed: Feed, command: m.Command) -> m.Reply:
        m.refuse_if(feed.closed, m.Refusal.GONE)
        if presence.submitted >= self.shared.limits.commands:
            self._limit_log.note("commands", name=presence.player.name)
            raise m.Refused(m.Refusal.BUSY)
        if isinstance(command, m.ChatCommand):
            # Neither waits for a table nor keeps one waiting.
            return self.chat.carry_out(presence, command)
        if isinstance(command, m.TournamentCommand):
            return await self.tournaments.carry_out(presence.player, command)
        presence.submitted += 1
        try:
            if isinstance(command, m.PlayToday):
                # Takes people to their tables itself.
                m.refuse_if(self.today is None, m.Refusal.NO_TODAY)
                assert self.today is not None
                return await self.today.play(presence.player)
            async with presence.lock:
                if isinstance(command, m.EntryCommand):
                    self._lobby_feed.following.pop(presence, None)
                match command:
                    case m.QuickGame() | m.CreateTable() | m.QuickJoin():
                        return await self._open(presence, command)
                    case m.FollowBusiest():
                        return await self._start_following(presence, feed)
                    case m.JoinTable() | m.WatchTable():
                        return await self._go_to(presence, command)
                    case m.WatchAnother():
                        return await self._watch_another(presence)
                    case _:
                        return await self._ask(presence.table, presence, command)
        finally:
            presence.submitted -= 1
            self._forget(presence)

    async def _ask(
        self, table: str, presence: Presence, command: m.Command | steps.StopWatching
    ) -> m.Reply:
        """Ask a table, which tells when it has ``answered``."""
        actor = self._tables.get(table)
        if actor is None:
            return m.Reply(m.Refusal.NOT_SEATED)
        presence.asked += 1
        return await actor.ask(steps.Asked(_member(presence), command))

    def _seated(self, presence: Presence) -> bool:
        table = self.listings.get(presence.table)
        return table is not None and presence.player.id in table.seated

    def _check_not_seated(self, presence: Presence) -> None:
        m.refuse_if(self._seated(presence), m.Refusal.SEATED_ELSEWHERE)

    def _room_for(self, player: str, source: str) -> m.Reply:
        """Whether this player may open another table."""
        return tables.room_for(self.listings.values(), player, source, self.shared.limits)

    async def _make_room_for(self, player: str, source: str) -> None:
        """Have deserted tables go where there are too many. Raises ``Refused``."""
        close = steps.Close("deserted", deserted=True)
        while not (reply := self._room_for(player, source)).ok:
            gone = ""
            if reply.code == m.Refusal.TOO_MANY_FROM_THERE:
                gone = tables.dispensable(self.listings.values(), source)
            elif reply.code == m.Refusal.TOO_MANY_TABLES:
                gone = tables.dispensable(self.listings.values())
            if not gone or not (await self._tables[gone].ask(close)).ok:
                reply.raise_if_refused()

    async def _open(self, presence: Presence, command: m.OpeningCommand) -> m.Reply:
        """Whoever has not heard the answer may ask again with the same key: that opens no second table."""
        key, opened = command.key, presence.opened
        if key in opened:
            return m.Reply(details={"table": opened[key]})
        carry_out = self._quick_join if isinstance(command, m.QuickJoin) else self._create
        reply = await carry_out(presence, command)
        if not key or not reply.ok:
            return reply
        opened[key] = presence.table
        if len(opened) > _KEYS:
            del opened[next(iter(opened))]
        return m.Reply(details={"table": presence.table})

    async def _create(self, presence: Presence, command: m.OpeningCommand) -> m.Reply:
        m.refuse_if(self.closing, m.Refusal.CLOSING)
        # Of a connection that was cut off meanwhile.
        m.refuse_if(presence.asked, m.Refusal.BUSY)
        self._check_not_seated(presence)
        player, source = presence.player, tables.mark(presence.source, self._salt)
        await self._make_room_for(player.id, source)
        options, deal = _with_deal(command)
        check_options(options)
        check_players(options, self.shared.limits, player, bots=isinstance(command, m.QuickGame))
        code = await self._unused_code()
        await self._stop_watching(presence)
        # Others may have opened tables meanwhile.
        self._room_for(player.id, source).raise_if_refused()
        now = self.shared.clock.time()
        fast = options.pace is m.Pace.FAST
        self.shared.begun.check(player.id, presence.source, now, fast).raise_if_refused()
        # Somebody may have been given the same one at the same moment.
        m.refuse_if(code in self._tables, m.Refusal.BUSY)
        self.shared.begun.count(player.id, presence.source, now, fast)
        table = replace(self._new_table(code, options), shared=deal)
        self._set_up_new(replace(table, opened_by=player.id, opened_from=source))
        return await self._ask(code, presence, command)

    async def _unused_code(self) -> str:
        """One that no table has ever had: who remembers an old one comes to no stranger's table. Raises
        ``Refused``.
        """
        try:
            while await self.shared.store.is_given(
                code := tables.new_code(self._tables, self._rng)
            ):
                pass
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None
        return code

    def _new_table(self, code: str, options: m.TableOptions) -> Table:
        titles = {table.row.title for table in self.listings.values()}
        return Table(
            id=code,
            title=tables.new_title(titles, self._rng),
            options=options,
            created=self.shared.clock.time(),
            seats=(EMPTY,) * options.rules.players,
        )

    def _set_up_new(self, table: Table) -> TableActor:
        return self._set_up(TableLog(self.shared.store, secrets.token_hex(16)), table)

    async def _quick_join(self, presence: Presence, command: m.OpeningCommand) -> m.Reply:
        self._check_not_seated(presence)
        rows = [
            table.row
            for table in self.listings.values()
            if not table.private
            and table.row.has_room
            and not table.row.known
            and not (table.row.options.rated and presence.player.guest)
        ]
        wanted = command.options.kind
        # Those that need the fewest more people to begin come before others.
        for row in sorted(rows, key=lambda row: (row.options.kind != wanted, row.names.count(""))):
            reply = await self._go_to(presence, m.JoinTable(row.id))
            # Somebody may have been faster, or the owner has removed this player: the next one, then.
            if reply.ok or reply.code in {"busy", "storage", "seated_elsewhere"}:
                return reply
        return await self._create(presence, command)

    async def _start_following(self, presence: Presence, feed: Feed) -> m.Reply:
        # While this waited for an earlier command: who has gone is not led anywhere.
        m.refuse_if(feed.closed, m.Refusal.GONE)
        self._check_not_seated(presence)
        self._lobby_feed.following[presence] = "", None, 0.0
        best = busiest(self.snapshot().tables, self.shared.limits.spectators)
        if best is not None:
            with suppress(m.Refused):
                await self._go_to(presence, m.WatchTable(best.id))
            if self._seated(presence):
                self._lobby_feed.following.pop(presence, None)
                raise m.Refused(m.Refusal.SEATED_ELSEWHERE)
        return m.Reply()

    async def _watch_another(self, presence: Presence) -> m.Reply:
        rows, most = self.snapshot().tables, self.shared.limits.spectators
        other = next_busiest(rows, presence.table, most)
        if other is None:
            return m.Reply(m.Refusal.NO_OTHER_TABLE)
        return await self._go_to(presence, m.WatchTable(other.id))

    async def _lead(self, presence: Presence, table: str) -> None:
        """Bring somebody who follows to a table, or to the lobby when it is none."""
        async with presence.lock:
            follows = presence in self._lobby_feed.following and presence.feed is not None
            if not follows or self._seated(presence):
                return
            with suppress(m.Refused):
                if table:
                    await self._go_to(presence, m.WatchTable(table))
                else:
                    await self._stop_watching(presence)
            self.chat.arrive(presence)

    async def _go_to(self, presence: Presence, command: m.JoinTable | m.WatchTable) -> m.Reply:
        m.refuse_if(presence.asked, m.Refusal.BUSY)
        self._check_not_seated(presence)
        if command.table not in self._tables:
            return m.Reply(m.Refusal.NO_SUCH_TABLE)
        if presence.table != command.table:
            await self._stop_watching(presence)
        return await self._ask(command.table, presence, command)

    async def _stop_watching(self, presence: Presence) -> None:
        """To go elsewhere. Raises ``Refused`` when a seat that was waited for has come just now."""
        if presence.table:
            await self._ask(presence.table, presence, steps.StopWatching())
        self._check_not_seated(presence)

    def _set_up(self, log: TableLog, table: Table) -> TableActor:
        actor = TableActor(log, replace(table, closing=self.closing), self.shared)
        self._tables[table.id] = actor
        self.listings[table.id] = actor.publisher.listing
        return actor

    # ------------------------------------------------------------ for tables

    @override
    def published(self, listing: Listing, *, row_changed: bool) -> None:
        before, self.listings[listing.id] = self.listings[listing.id], listing
        for player in set(listing.members).difference(before.members):
            presence = self.people[player]
            presence.table = listing.id
            if presence.feed is None:
                # The connection dropped while the command lay in the inbox.
                self._tables[listing.id].post(steps.Gone(player))
            else:
                self._rating_changed(presence)
        if row_changed:
            self._lobby_feed.rows_changed()
        if before.playing and not listing.playing:
            self.tournaments.table_changed(listing.row.event)
        if before.playing and not listing.playing and listing.row.options.rated:
            self.chat.rated(listing)
            for player in listing.seated:
                self._learn_rating(self.people[player])

    @override
    def show(self, player: str, table: m.TableSnapshot, events: Sequence[m.Happening]) -> None:
        feed = self._feed_of(player)
        if feed is not None and self.people[player].table == table.info.id:
            feed.offer_table(table, events)

    @override
    def is_connected(self, player: str) -> bool:
        feed = self._feed_of(player)
        return feed is not None and not feed.closed

    def _feed_of(self, player: str) -> Feed | None:
        presence = self.people.get(player)
        return presence.feed if presence is not None else None

    @override
    def released(self, player: str, why: m.Happening | None) -> None:
        presence = self.people.get(player)
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
        self.chat.caught_up(self.listings[table])

    @override
    def answered(self, player: str) -> None:
        presence = self.people[player]
        presence.asked -= 1
        self.chat.arrive(presence)
        self._forget(presence)

    @override
    def closed(self, table: str, *, lost: bool) -> None:
        self._tables.pop(table, None)
        listing = self.listings.pop(table)
        self.chat.closed(listing)
        self._lobby_feed.rows_changed()
        if lost:
            self.taking_up[table] = listing.row.event
            self._spawn(self._take_up_again(table), "take up")
        else:
            self.tournaments.table_changed(listing.row.event)

    def _spawn(self, work: Coroutine[None, None, None], name: str) -> None:
        """Nobody waits for it."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _learn_rating(self, presence: Presence) -> None:
        """Find out how strong a player is by now, as tables are to show it."""
        if self._strength is not None and not presence.player.guest:
            self._spawn(self._note_rating(presence), "strength")

    async def _note_rating(self, presence: Presence) -> None:
        assert self._strength is not None
        try:
            rating = await self._strength(presence.player.id)
        except StoreError as error:
            _log.warning("rating_unknown", code=error.code)
            return
        if rating != presence.rating:
            presence.rating = rating
            self._rating_changed(presence)

    def _rating_changed(self, presence: Presence) -> None:
        if presence.table:
            self._tables[presence.table].post(steps.Rated(presence.player.id, presence.rating))

    def _show(self, presence: Presence, feed: Feed, why: Sequence[m.Happening] = ()) -> None:
        self._lobby_feed.show(presence, feed, why)
        self.chat.arrive(presence)

    def _forget(self, presence: Presence) -> None:
        """Unless there is a connection, a seat or a command in progress to remember."""
        here = presence.feed or presence.table or presence.submitted or presence.asked
        if not here and self.people.get(presence.player.id) is presence:
            del self.people[presence.player.id]
            if not self.knows(presence.player.id):
                self._gone(presence.player)

    # ------------------------------------------------------------ for the server

    async def recover(self) -> int:
        """Take up every table that the store has; how many. Raises ``StoreError``."""
        found = await tables.tables_in(self.shared.store)
        self._salt = tables.salt_of([each.table.opened_from for each in found])
        for each in found:
            self._take_up(each)
        return len(self._tables)

    def _take_up(self, found: tables.Recovered) -> None:
        table = taken_up(found.table, self.shared.clock.time(), self.shared.timing)
        actor = self._set_up(found.log, table)
        actor.post(steps.Restarted())
        for id_, member in table.people.items():
            presence = self.people.setdefault(id_, Presence(member.player))
            if presence.table:  # gone elsewhere while this table was away
                continue
            presence.table = table.id
            self._learn_rating(presence)
            if presence.feed is not None:
                actor.post(steps.Came(_member(presence)))

    async def _take_up_again(self, table: str) -> None:
        """Tournaments hear of it only then: until then nobody knows whether the table is gone."""
        clock = self.shared.clock
        found: list[tables.Recovered] | None = None
        while found is None:
            try:
                found = await tables.tables_in(self.shared.store, table)
            except StoreError as error:
                _log.error("storage_failed", table=table, code=error.code)
                await clock.sleep_until(clock.time() + _TAKE_UP_SECONDS)
        for each in found:
            if table not in self._tables and not self._closed:
                self._take_up(each)
        self.tournaments.table_changed(self.taking_up.pop(table))

    def knows(self, player: str) -> bool:
        """Whether this player is connected, has a seat or a try to come back to, has lost one without
        knowing, or is registered in a tournament.
        """
        if player in self.people or player in self._missed or self.tournaments.knows(player):
            return True
        return any(player in each.stepped_out for each in self.listings.values())

    async def open_event_table(
        self,
        deal: SharedDeal,
        options: m.TableOptions,
        seats: Sequence[m.Player | str],
        title: str = "",
        opener: str = "",
        *,
        elsewhere: bool = False,
    ) -> m.Reply:
        """Open a table for a game of an event (``storage.events``), with these people, who may be absent, and
        bots, by their strategies: a seat each. People in the lobby, or who watch, are taken there at once;
        the others find themselves there when they come in. The game begins as ``deal`` says, with its seed;
        there are neither hints nor spectators, whatever ``options`` say, and nobody else can sit down.

        Who begins to play is kept with the first card (``EventStore.entered``), and the result when the game
        is over (``EventStore.games``); a game that is broken off in its first stage has none. ``close_table``
        breaks it off. The table survives restarts, and so does its deal; it closes when nobody has been there
        for a while after the game. ``opener`` is the id of one of the people if it is by his or her wish:
        then it is a table like those that people open, of which there may be so many at once.

        With ``elsewhere``, a bot has the seat of whoever plays at another table, and hands it over to
        who comes (``JoinTable``).

        The answer has the ``table``, its code; or it is a refusal, and nothing has happened:
        ``seated_elsewhere`` (``name``: of one of the people), ``closing``, ``too_many_tables``,
        ``rated_bots``, ``rated_guests``, ``storage``, ``busy`` ...
        """
        options = dataclasses.replace(options, hints=False, spectators=m.Spectating.NONE)
        people = {one.id: one for one in seats if isinstance(one, m.Player)}
        async with AsyncExitStack() as locked:
            presences = [
                self.people.setdefault(id_, Presence(people[id_])) for id_ in sorted(people)
            ]
            # None of them may be forgotten while another one's lock is waited for.
            for presence in presences:
                presence.submitted += 1
                locked.callback(self._let_go, presence)
            for presence in presences:
                await locked.enter_async_context(presence.lock)
            try:
                return await self._open_for(
                    deal, options, seats, title, presences, opener, elsewhere
                )
            except m.Refused as refused:
                return refused.reply

    def _let_go(self, presence: Presence) -> None:
        presence.submitted -= 1
        self._forget(presence)

    async def _open_for(
        self,
        deal: SharedDeal,
        options: m.TableOptions,
        seats: Sequence[m.Player | str],
        title: str,
        presences: Sequence[Presence],
        opener: str,
        elsewhere: bool,
    ) -> m.Reply:
        m.refuse_if(self.closing, m.Refusal.CLOSING)
        check_options(options)
        bots = len(presences) < len(seats)
        players = [presence.player for presence in presences]
        check_players(options, self.shared.limits, *players, bots=bots)
        source = tables.mark(self.people[opener].source, self._salt) if opener else ""
        await self._make_room_for(opener, source)
        code = await self._unused_code()
        known: dict[str, Presence | None] = {}
        for presence in presences:
            known[presence.player.id] = presence
            self._lobby_feed.following.pop(presence, None)
            await self._let_go_of_table(presence)
            if self._seated(presence) or presence.asked:
                name = presence.player.name
                m.refuse_if(not elsewhere, m.Refusal.SEATED_ELSEWHERE, {"name": name})
                known[presence.player.id] = None
        m.refuse_if(code in self._tables, m.Refusal.BUSY)
        table = replace(self._new_table(code, options), shared=deal)
        table = replace(table, opened_by=opener, opened_from=source)
        actor = self._set_up_new(replace(table, title=title) if title else table)
        now = self.shared.clock.time()
        arranged: list[Member | m.Player | str] = []
        for one in seats:
            here = None if isinstance(one, str) else known[one.id]
            arranged.append(one if here is None else _member(here, now))
        reply = await actor.ask(steps.Arranged(tuple(arranged)))
        return m.Reply(details={"table": code}) if reply.ok else reply

    async def bring_back(self, player: m.Player, table: str) -> m.Reply:
        """Bring a player to a game that waits for him or her; the answer has the ``table``, or why not."""
        presence = self.people.get(player.id)
        if presence is None:
            return m.Reply(m.Refusal.GONE)
        async with presence.lock:
            if presence.table != table:
                self._lobby_feed.following.pop(presence, None)
                (await self._go_to(presence, m.JoinTable(table))).raise_if_refused()
        return m.Reply(details={"table": table})

    async def _let_go_of_table(self, presence: Presence) -> None:
        """Of one where the player only watches, or whose game is over."""
        table = self.listings.get(presence.table)
        with suppress(m.Refused):
            if not self._seated(presence):
                await self._stop_watching(presence)
            elif table is not None and table.row.status is m.Status.OVER:
                await self._ask(presence.table, presence, m.LeaveTable())

    def tournaments_changed(self) -> None:
        """Everybody is to be shown the tournaments anew."""
        self.tournaments.changed()

    async def close_table(self, code: str, why: str = "closed") -> m.Reply:
        """Close the table with this code, whatever goes on there: as an operator, not for a player. ``why``
        is what people there are told (``SentBack``).
        """
        if code not in self._tables:
            return m.Reply(m.Refusal.NO_SUCH_TABLE)
        return await self._tables[code].ask(steps.Close(why))

    def announce_closing(self, when: float) -> None:
        """From now on no game begins, because the server goes down at ``when``; 0 takes it back."""
        self.shared.closing = when
        for table in self._tables.values():
            table.post(steps.Announced(when))
        self._lobby_feed.changed()

    @property
    def closing(self) -> float:
        """When the server goes down; 0 when it stays."""
        return self.shared.closing

    def say(self, word: m.ServerMessage) -> int:
        """Tell everybody who is connected something; how many that are."""
        feeds = [presence.feed for presence in self.people.values() if presence.feed is not None]
        for feed in feeds:
            feed.say(word)
        return len(feeds)

    def say_to(self, player: str, word: m.ServerMessage, *, last: bool = False) -> bool:
        """Tell a connected player something; whether it is one. The ``last`` word ends the visit."""
        feed = self._feed_of(player)
        if feed is not None:
            feed.say(word)
            if last:
                feed.close(word.kind)
        return feed is not None

    def place_of(self, player: str) -> Listing | None:
        """At which table the player with this id is; ``None`` in the lobby, or when there is nobody."""
        presence = self.people.get(player)
        return self.listings.get(presence.table) if presence is not None else None

    def facts(self) -> tuple[TableFacts, ...]:
        """Every table, as far as everybody may know it, the newest first."""
        return tuple(_facts_of(table) for table in reversed(self.listings.values()))

    def in_play(self) -> int:
        """How many games are not over and have somebody connected who plays."""
        return sum(table.playing and table.row.present > 0 for table in self.listings.values())

    @property
    def timing(self) -> Timing:
        """How long things take at tables."""
        return self.shared.timing

    def adjust(self, timing: Timing, limits: TableLimits) -> None:
        """From now on these are in force; what is already planned stays as it was."""
        self.shared.timing, self.shared.limits = timing, limits
        self.shared.begun = GameQuota(limits)

    async def close(self) -> None:
        """End every visit and every table; what has been acknowledged is in the store."""
        self._closed = True
        self._lobby_feed.close()
        self.tournaments.close()
        for task in self._tasks:
            task.cancel()
        self.shared.closing = self.closing or self.shared.clock.time()
        for presence in list(self.people.values()):
            if presence.feed is not None:
                presence.feed.close("shutdown")
        for table in list(self._tables.values()):
            await table.stop()
        self.chat.close()

    def snapshot(self) -> m.LobbySnapshot:
        """How the lobby looks now."""
        return self._lobby_feed.snapshot()


@dataclass(slots=True, eq=False)
class LobbyVisit:
    """One player's visit (``feed.Visit``)."""

    _lobby: Lobby
    _presence: Presence
    feed: Feed
    player: m.Player

    async def submit(self, command: m.Command) -> m.Reply:
        return await self._lobby.submit(self._presence, self.feed, command)

    def close(self) -> None:
        self._lobby.leave(self._presence, self.feed)


def _with_deal(command: m.OpeningCommand) -> tuple[m.TableOptions, SharedDeal | None]:
    """The options of a new table, and the deal that is wanted there. Raises ``Refused``."""
    if isinstance(command, m.QuickJoin) or not command.deal:
        return command.options, None
    try:
        found = read_deal(command.deal)
    except BadDealCode:
        raise m.Refused(m.Refusal.BAD_DEAL) from None
    rules = found.rules or command.options.rules
    return dataclasses.replace(command.options, rules=rules, rated=False), SharedDeal(found.seed)


def _member(presence: Presence, now: float = 0.0) -> Member:
    """``now`` is since when somebody is absent who is not connected."""
    absent = now if presence.feed is None else 0.0
    return Member(presence.player, presence.source, presence.rating, absent)


def _facts_of(table: Listing) -> TableFacts:
    row, epoch = table.row, table.epoch
    return TableFacts(
        title=row.title,
        status=row.status.value,
        edition=row.options.rules.edition.value,
        names=row.names,
        bots=row.bots,
        stage=epoch.stage + 1 if epoch else 0,
        stages=row.options.rules.stages,
        round=epoch.round + 1 if epoch else 0,
        spectators=row.spectators,
        code=table.id,
    )


_: type[Visit] = LobbyVisit
