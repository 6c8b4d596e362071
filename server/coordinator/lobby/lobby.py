"""The lobby: who is here, which tables there are, and the way to them."""

import random
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import structlog
from typing_extensions import override

from engine.bots import Choose, choose
from engine.deal import SEED_BYTES
from server import StoreError
from server.coordinator import messages as m
from server.coordinator.chat import Chat
from server.coordinator.contract import NOBODY, Feed, Visit
from server.coordinator.lobby.lobby_feed import (
    Directory,
    LobbyFeed,
    MissedEvents,
    calls,
    correspondence_game,
    next_busiest,
)
from server.coordinator.lobby.tables import (
    LIMIT_BY_CODE,
    OpenTables,
    Recovered,
    member_of,
    open_table,
    tables_in,
)
from server.coordinator.presence import Presence, TableIndex, members_of
from server.coordinator.table import steps
from server.coordinator.table.pause import taken_up
from server.coordinator.table.ports import (
    GameQuota,
    Host,
    TableEnvironment,
    Think,
    cannot_think,
    reply_of,
)
from server.coordinator.table.state import Table
from server.networks import LimitLog, RateLimiter, salt_of
from server.settings.settings import TableLimits, Timing
from server.storage.table_store import TableLog, TableStore
from server.timers import Clock, Tasks

_log = structlog.get_logger("lobby")

_UNPREDICTABLE: Final = random.SystemRandom()
"""One for all tables: it has nothing to remember, but room for 2.5 KB of that."""

_INVITATIONS: Final = 3
"""Invitations that somebody is told of in a row, whoever invites ..."""
_INVITATION_SECONDS: Final = 120.0
"""... and then once in so many seconds."""
_TAKE_UP_SECONDS: Final = 2.0
"""Until it is tried again to read a table back, or to forget one."""


class Today:
    """Today's tide, where there is none (``events.today``)."""

    played_yesterday: Collection[str] = ()
    """Ids of who has begun the day before this one: nobody else has played on two days in a row."""

    def has_played(self, player: str) -> bool:
        """Whether this player has had the try of this day; also where there is none to play."""
        return True

    def plays(self, player: str, event: str) -> bool:
        """Whether this player's try at that day goes on, or waits."""
        return False

    async def play(self, player: m.Player) -> m.Reply:
        """Take the player to a try, begun now or before. Raises ``Refused`` and ``StoreError``."""
        raise m.Refused(m.Refusal.NO_TODAY)


class NewsKeeper:
    """Keeps no news: for a lobby without any."""

    def table_changed(self, table: Table) -> None:
        """A game has begun there, or is over."""

    def changed(self) -> None:
        """Something else has happened."""


class Lobby(Host):
    """The people who are here, and the tables.

    ``new_seed``, ``new_rng``, ``choose`` and ``think`` are for ``TableEnvironment``; ``strength``
    returns the rating of the account with an id, as people are shown it, or ``None``, and may raise
    ``StoreError``; ``gone`` is called with everybody who has neither a connection any more nor a seat
    to come back to.
    """

    def __init__(
        self,
        store: TableStore,
        clock: Clock,
        *,
        timing: Timing | None = None,
        limits: TableLimits | None = None,
        new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
        new_rng: Callable[[], random.Random] = lambda: _UNPREDICTABLE,
        choose: Choose = choose,
        think: Think = cannot_think,
        strength: Callable[[str], Awaitable[tuple[int | None, int]]] | None = None,
        guests_invite: bool = False,
    ) -> None:
        timing, limits = timing or Timing(), limits or TableLimits()
        self.shared: Final = TableEnvironment(
            clock, store, GameQuota(limits), new_seed, new_rng, timing, limits, choose, think, self
        )
        self._limit_log: Final = LimitLog("lobby", clock.time, self.shared.tally.limits)
        self._strength: Final = strength
        self.places: Final = TableIndex()
        self.known: Final = self.places.tables
        """Each table as it was published last, by its code."""
        self.tables: Final = OpenTables(self.shared, self.places, new_rng())
        self.forgetting: Final[set[str]] = set()
        """Keys of tables that are closed, and that the store may still have."""
        self.people: Final[dict[str, Presence]] = {}
        """People who are connected or have a seat, by player id."""
        self.directory = Directory()
        """The tournaments."""
        self.feed: Final = LobbyFeed(
            self.shared,
            self.tables.actors,
            self.people,
            lambda: self.directory,
            lambda presence, table: self.spawn(self._lead(presence, table), "follow"),
        )
        self.chat: Final = Chat(clock, self.people, self.known)
        self.today = Today()
        self.news = NewsKeeper()
        self.gone: Callable[[m.Player], object] = lambda _: None
        """Called with everybody who has neither a connection any more nor a seat to come back to."""
        self._invitations: Final = RateLimiter(_INVITATIONS, _INVITATION_SECONDS)
        """By who is invited."""
        self._guests_invite: Final = guests_invite
        self.missed: Final = MissedEvents(clock)
        self.closed_down = False
        """Nothing is carried out any more."""
        self._tasks: Final = Tasks()
        self.spawn: Final = self._tasks.spawn

    # ------------------------------------------------------------ for sessions

    def enter(
        self,
        player: m.Player,
        blocked: Mapping[str, str] | None = None,
        source: str = "",
        *,
        new: bool = False,
    ) -> Visit:
        """A player comes in: into the lobby, or back to the seat left behind.

        An earlier visit of the same player ends with ``taken_over``.

        ``blocked`` are the people whom this one has blocked on earlier visits: id and name then. Without it,
        those of the visit that this one takes over. ``source`` is a word for where the visit comes from:
        those who come from there share a limit. Who is ``new`` has no rating to find out.
        """
        presence = self.presence_of(player)
        presence.feed.close("taken_over")
        presence.player = player
        presence.source = source
        presence.feed = feed = Feed()
        presence.room = ""
        if presence.goal in self.places.letters(player.id):
            presence.goal = ""
        if blocked is not None:
            presence.blocked = dict(blocked)
        if not new:
            self._learn_rating(presence)
        self.feed.show_tournaments(presence)
        submit = partial(self.submit, presence, feed)
        made = Visit(player, feed, submit, partial(self.leave, presence, feed))
        if self.closed_down:
            feed.close("shutdown")
        elif table := self.tables.actors.get(presence.table):
            table.post(steps.Came(member_of(presence)))
        for code in self.places.letters(player.id):
            # An earlier visit may look at it.
            self.tables.look_away(presence, code)
        feed.offer_correspondence(self.correspondence_of(player.id))
        self.feed.changed()
        if not presence.table and not self.closed_down:
            self._show_lobby(presence, self.missed.take(player.id))
        self.chat.arrive(presence)
        return made

    def leave(self, presence: Presence, feed: Feed) -> None:
        """The connection with this feed has ended."""
        feed.close("left")
        if presence.feed is not feed:
            return
        self.feed.unfollow(presence)
        presence.feed, presence.goal = NOBODY, ""
        player = presence.player.id
        for code in self.places.of(player):
            if table := self.tables.actors.get(code):
                table.post(steps.Gone(player))
        self.let_go(presence)
        self.feed.changed()

    async def submit(self, presence: Presence, feed: Feed, command: m.Command) -> m.Reply:
        """Carry out a command, or say why not."""
        reply = await reply_of(self._carry_out(presence, feed, command))
        code, asked = presence.table, command
        if isinstance(command, m.AtTable):
            code, asked = command.table, command.command
        asks = reply.ok and isinstance(asked, m.AskHint)
        if asks and (table := self.tables.actors.get(code)):
            # Commands that come meanwhile do not wait.
            reply = await reply_of(table.hint(presence.player.id))
        if limit := LIMIT_BY_CODE.get(reply.code):
            self._limit_log.note(limit, name=presence.player.name)
        return reply

    async def _carry_out(self, presence: Presence, feed: Feed, command: m.Command) -> m.Reply:
        """Raises ``Refused`` and ``StoreError``."""
        m.refuse_if(feed.closed, m.Refusal.GONE)
        if presence.submitted >= self.shared.limits.commands:
            self._limit_log.note("commands", name=presence.player.name)
            raise m.Refused(m.Refusal.BUSY)
        if isinstance(command, m.ChatCommand):
            # Neither waits for a table nor keeps one waiting.
            return self.chat.carry_out(presence, command)
        if isinstance(command, m.TournamentCommand):
            directory = self.directory
            return await directory.carry_out(presence.player, command, presence.source)
        presence.submitted += 1
        try:
            if isinstance(command, m.PlayToday):
                # Takes people to their tables itself.
                return await self.today.play(presence.player)
            async with presence.lock:
                # While this waited for an earlier command, a later visit may have begun.
                m.refuse_if(feed.closed == "taken_over", m.Refusal.GONE)
                if isinstance(command, m.EntryCommand):
                    followed = self.feed.unfollow(presence)
                    if followed and isinstance(command, m.LeaveTable) and not presence.table:
                        return m.Reply()
                match command:
                    case m.QuickGame() | m.CreateTable() | m.QuickJoin():
                        return await open_table(self.tables, presence, command)
                    case m.FollowBusiest():
                        return await self._start_following(presence, feed, command)
                    case m.JoinTable() | m.WatchTable():
                        return await self.tables.move(presence, command)
                    case m.GoToLobby():
                        return await self.tables.move(presence, None)
                    case m.WatchAnother():
                        return await self._watch_another(presence)
                    case m.LookAt(code) if table := self.tables.actors.get(code):
                        return table.look(presence.player.id)
                    case m.LookAt():
                        return m.Reply(m.Refusal.NOT_SEATED)
                    case m.AtTable():
                        seated = command.table in self.places.seats(presence.player.id)
                        code = command.table if seated else ""
                        return await self.tables.ask(code, presence, command.command)
                    case _:
                        return await self.tables.ask(presence.table, presence, command)
        finally:
            presence.submitted -= 1
            self.let_go(presence)

    async def _start_following(
        self, presence: Presence, feed: Feed, command: m.FollowBusiest
    ) -> m.Reply:
        # While this waited for an earlier command: who has gone is not led anywhere.
        m.refuse_if(feed.closed, m.Refusal.GONE)
        m.refuse_if(self.tables.seated(presence), m.Refusal.SEATED_ELSEWHERE)
        decided = self.feed.follow(presence, standings=command.standings)
        await self.tables.move(presence, _watching(decided.table))
        if self.tables.seated(presence):
            self.feed.unfollow(presence)
            raise m.Refused(m.Refusal.SEATED_ELSEWHERE)
        return m.Reply()

    async def _watch_another(self, presence: Presence) -> m.Reply:
        rows, most = self.feed.snapshot().tables, self.shared.limits.spectators
        other = next_busiest(rows, presence.table, most)
        if other is None:
            return m.Reply(m.Refusal.NO_OTHER_TABLE)
        return await self.tables.move(presence, m.WatchTable(other.id))

    async def _lead(self, presence: Presence, table: str) -> None:
        """Bring somebody who follows to a table, or to the lobby when it is none."""
        async with presence.lock:
            follows = self.feed.follows(presence) and presence.connected
            if not follows or self.tables.seated(presence):
                return
            await self.tables.move(presence, _watching(table))

    # ------------------------------------------------------------ for tables

    @override
    def published(self, table: Table) -> None:
        before = self.known[table.id]
        came = self.places.put(table)
        self.feed.changed()
        if before.daily or table.daily:
            self.tell_correspondence(before, table)
        if before.status is not table.status:
            self.directory.table_changed(table.event)
            self.news.table_changed(table)
        if before.playing and not table.playing:
            self.chat.rated(table)
            with_bots = any(seat.occupant is m.Occupant.BOT for seat in table.seats)
            for player in table.people if table.options.rated or with_bots else ():
                self._learn_rating(self.people[player])
        for player in came:
            presence, actor = self.people[player], self.tables.actors[table.id]
            if not presence.connected:
                # The connection dropped while the command lay in the inbox.
                actor.post(steps.Gone(player))
            else:
                actor.post(steps.Rated(player, presence.rating, presence.level))

    @override
    def show(self, player: str, table: m.TableSnapshot, events: Sequence[m.Happening]) -> None:
        presence = self.people.get(player)
        if presence is not None and presence.table == table.info.id:
            presence.feed.offer_table(table, events)

    @override
    def is_connected(self, player: str) -> bool:
        presence = self.people.get(player)
        return presence is not None and not presence.feed.closed

    @override
    def released(self, table: str, player: str, why: m.Happening | None) -> None:
        presence = self.people.get(player)
        if presence is None:
            return
        told = () if why is None else (why,)
        if presence.connected and not presence.table:
            self._show_lobby(presence, (*self.missed.take(player), *told))
            return
        if why is not None:
            self.missed.keep(player, why)
        self.let_go(presence)

    @override
    def invited(self, table: str, name: str, by: m.Player) -> None:
        player, now = self.chat.connected_as(name), self.shared.clock.time()
        if player is None or (by.guest and not self._guests_invite):
            return
        if self.chat.silenced_until(by.id):
            return
        there = self.people.get(player.id)
        if there is not None and (there.shuts_out(by.id) or self.chat.plays_rated(there)):
            return
        if self._invitations.take(player.id, now):
            self.say_to(player.id, m.ServerMessage("invited", by.name, about=table, sender=by.id))

    @override
    def caught_up(self, table: str) -> None:
        self.chat.caught_up(self.known[table])

    @override
    def answered(self, player: str) -> None:
        presence = self.people[player]
        presence.asked -= 1
        self.chat.arrive(presence)
        self.let_go(presence)

    @override
    async def closed(self, table: str, log: TableLog, why: m.Happening | None) -> None:
        event = self.remove(table, why).event
        self.directory.table_changed(event)
        self.forgetting.add(log.key)
        try:
            await log.drop()
        except StoreError:
            self.spawn(self._forget_later(log), "forget")
            raise
        self.forgetting.discard(log.key)

    async def _forget_later(self, log: TableLog) -> None:
        clock = self.shared.clock
        while log.key in self.forgetting:
            await clock.sleep_until(clock.time() + _TAKE_UP_SECONDS)
            with suppress(StoreError):
                await log.drop()
                self.forgetting.discard(log.key)

    @override
    def lost(self, table: str) -> None:
        _log.error("table_conflict", table=table)
        event = self.remove(table).event
        self.spawn(self._take_up_again(table, event), "take up")

    def remove(self, table: str, why: m.Happening | None = None) -> Table:
        """A table is no more; how it looked. Whoever is there is to be told ``why``."""
        gone = self.places.remove(table)
        for player in members_of(gone):
            self.released(table, player, why)
        if gone.daily:
            self.tell_correspondence(gone, None)
        self.tables.actors.pop(table, None)
        self.chat.closed(gone)
        self.feed.changed()
        return gone

    def _learn_rating(self, presence: Presence) -> None:
        """Find out how strong a player is by now, as tables are to show it."""
        if self._strength is not None and not presence.player.guest:
            self.spawn(self._note_rating(presence), "strength")

    async def _note_rating(self, presence: Presence) -> None:
        assert self._strength is not None
        try:
            rating, level = await self._strength(presence.player.id)
        except StoreError as error:
            _log.warning("rating_unknown", code=error.code)
            return
        if (rating, level) != (presence.rating, presence.level):
            presence.rating, presence.level = rating, level
            for code in self.places.of(presence.player.id):
                if table := self.tables.actors.get(code):
                    table.post(steps.Rated(presence.player.id, rating, level))

    def correspondence_of(self, player: str) -> tuple[m.CorrespondenceGame, ...]:
        """The games by correspondence of the player with this id.

        Those that wait for him or her first, then others that are not over, the most urgent first.
        """
        tables = [self.known[code] for code in self.places.letters(player)]
        games = [correspondence_game(each, player) for each in tables]
        return tuple(sorted(games, key=lambda it: (-it.waits, it.status is m.Status.OVER, it.due)))

    def tell_correspondence(self, before: Table, now: Table | None) -> None:
        """A table looks different, or is no more: show who plays there by correspondence."""
        tables = [each for each in (before, now) if each is not None and each.daily]
        for player in {id_: None for each in tables for id_ in each.people}:
            presence = self.people.get(player)
            if presence is None or not presence.connected:
                continue
            if now is not None and not before.daily:
                # A live seat until now: who has it looks at this table.
                presence.goal = now.id
            presence.feed.offer_correspondence(self.correspondence_of(player))
            if now is not None and calls(now, player, before):
                word = m.ServerMessage("your_turn", now.title, about=now.id)
                presence.feed.say(word)

    def _show_lobby(self, presence: Presence, why: Sequence[m.Happening]) -> None:
        """Somebody is in the lobby from now on; ``why`` is to be told."""
        self.feed.show(presence, why)
        self.chat.arrive(presence)

    def presence_of(self, player: m.Player) -> Presence:
        """Return the presence of this player, a new one if necessary.

        It lasts until there is nothing to remember.
        """
        return self.people.setdefault(player.id, Presence(player, self.places))

    def let_go(self, presence: Presence) -> None:
        """Forget somebody, unless there is a connection, a seat or a command in progress to remember."""
        player = presence.player.id
        if presence.submitted or presence.asked or presence.connected or self.places.of(player):
            return
        if self.people.get(player) is presence:
            del self.people[player]
            if not self.knows(player):
                self.gone(presence.player)

    # ------------------------------------------------------------ for the server

    async def recover(self) -> int:
        """Take up every table that the store has; how many. Raises ``StoreError``."""
        found = await tables_in(self.shared.store)
        self.tables.salt = salt_of([each.table.opened_from for each in found])
        for each in found:
            self._take_up(each)
        return len(self.tables.actors)

    def _take_up(self, found: Recovered) -> None:
        """Have a table of the store go on."""
        table = taken_up(found.table, self.shared.clock.time(), self.shared.timing)
        actor = self.tables.set_up(found.log, table)
        actor.post(steps.Restarted())
        for id_, member in table.people.items():
            known = id_ in self.people
            presence = self.presence_of(member.player)
            looks = presence.table == table.id
            if not looks and not table.daily:  # gone to another one while this was away
                continue
            if not known:  # else that is known, or being found out
                self._learn_rating(presence)
            if presence.connected and looks:
                actor.post(steps.Came(member_of(presence)))

    async def _take_up_again(self, table: str, event: str) -> None:
        """Tournaments hear of it only then: until then nobody knows whether the table is gone."""
        clock = self.shared.clock
        found: list[Recovered] | None = None
        while found is None:
            try:
                found = await tables_in(self.shared.store, table)
            except StoreError as error:
                _log.error("storage_failed", table=table, code=error.code)
                await clock.sleep_until(clock.time() + _TAKE_UP_SECONDS)
        for each in found if table not in self.tables.actors and not self.closed_down else ():
            self._take_up(each)
        self.directory.table_changed(event)

    def knows(self, player: str) -> bool:
        """Return whether anything about this player has to be remembered.

        Connected, with a seat or a try to come back to, with one lost without knowing it, or registered in
        a tournament.
        """
        if player in self.people or player in self.missed or self.directory.knows(player):
            return True
        return any(it.shared and it.stepped_out(player) >= 0 for it in self.known.values())

    async def order(self, code: str, given: steps.Close) -> m.Reply:
        """Have the table with this code do something that no player asks for."""
        table = self.tables.actors.get(code)
        return await table.ask(given) if table else m.Reply(m.Refusal.NO_SUCH_TABLE)

    def announce_closing(self, when: float) -> None:
        """From now on no game begins, because the server goes down at ``when``; 0 takes it back."""
        self.shared.closing = when
        for table in self.tables.actors.values():
            table.post(steps.Announced(when))
        self.feed.changed()

    def say(self, word: m.ServerMessage) -> int:
        """Tell everybody who is connected; how many that are."""
        here = [presence for presence in self.people.values() if presence.connected]
        for presence in here:
            presence.feed.say(word)
        return len(here)

    def say_to(self, player: str, word: m.ServerMessage) -> bool:
        """Tell a connected player something, unless that shuts its sender out; whether it is one."""
        presence = self.people.get(player)
        if presence is None:
            return False
        if not presence.shuts_out(word.sender):
            presence.feed.say(word)
        return presence.connected

    def place_of(self, player: str) -> Table | None:
        """At which table the player with this id is; ``None`` in the lobby, or when there is nobody."""
        presence = self.people.get(player)
        return self.known.get(presence.table) if presence is not None else None

    def seen_at(self, player: str) -> tuple[bool, str, str]:
        """Return whether a player is connected, and the code and title of the table.

        That is where he or she plays or watches, if that is for everybody to see.
        """
        tables = [self.known[code] for code in self.places.of(player)]
        shown = [each for each in tables if not (each.private or each.daily)]
        if not self.is_connected(player) or not shown:
            return self.is_connected(player), "", ""
        return True, shown[0].id, shown[0].title

    def in_play(self) -> int:
        """Return the number of games that are not over and have a connected player."""
        return sum(table.playing and bool(table.connected) for table in self.known.values())

    def adjust(self, timing: Timing, limits: TableLimits) -> None:
        """From now on these are in force; what is already planned stays as it was."""
        self.shared.timing, self.shared.limits = timing, limits
        self.shared.begun = GameQuota(limits)

    def send_away(self, why: str) -> None:
        """End every visit."""
        for presence in list(self.people.values()):
            presence.feed.close(why)

    async def close(self) -> None:
        """End every visit and every table; what has been acknowledged is in the store."""
        self.closed_down = True
        self.feed.close()
        self._tasks.cancel()
        self.shared.closing = self.shared.closing or self.shared.clock.time()
        self.send_away("shutdown")
        for table in list(self.tables.actors.values()):
            await table.stop()
        self.chat.close()


def _watching(table: str) -> m.WatchTable | None:
    return m.WatchTable(table) if table else None
