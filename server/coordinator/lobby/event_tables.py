"""Tables that the server opens for an event: a try of today's tide, or a board of a tournament."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from typing import Final, NamedTuple

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.elsewhere import Elsewhere
from server.coordinator.lobby import tables
from server.coordinator.lobby.open_tables import OpenTables, member_of
from server.coordinator.places import Places
from server.coordinator.presence import Presence
from server.coordinator.table import steps
from server.coordinator.table.model import Member, SharedDeal
from server.coordinator.table.ports import TableEnvironment
from server.coordinator.table.seats import check_players
from server.coordinator.table.setup import check_options
from server.networks import mark
from server.storage.store import Charge


class EventTable(NamedTuple):
    """A table that is wanted for a game of an event (``storage.events``)."""

    deal: SharedDeal
    """Its seed, and when the game begins."""
    options: m.TableOptions
    """There are neither hints nor spectators, whatever they say."""
    seats: Sequence[m.Player | str]
    """A seat each: people, who may be absent, and bots, by their strategies. Nobody else can sit down."""
    title: str = ""
    opener: str = ""
    """The id of one of the people if it is by his or her wish: then it is a table like those that people
    open, of which there may be so many at once."""
    call: m.ServerMessage | None = None
    """What whoever plays at another table is told, ``about`` the table: a bot has the seat meanwhile, and
    hands it over to who comes (``JoinTable``). ``None``: the table is not opened then."""
    key: str = ""
    """Of one key there is one table at a time, and a second one is refused with ``busy``. Empty for any."""
    epoch: int = 1
    """From which its owners are counted."""
    charge: Charge | None = None
    """On whose behalf it is opened, if several nodes could."""


class EventTables:
    """``people`` are those of the lobby, and ``presence_of`` is to know one more; ``unfollow`` has somebody
    follow the busiest table no more, and ``forget`` forgets who is not needed any more.
    """

    def __init__(
        self,
        shared: TableEnvironment,
        open_tables: OpenTables,
        places: Places,
        people: Mapping[str, Presence],
        presence_of: Callable[[m.Player], Presence],
        unfollow: Callable[[Presence], object],
        forget: Callable[[Presence], object],
    ) -> None:
        self._shared: Final = shared
        self._tables: Final = open_tables
        self._places: Final = places
        self._people: Final = people
        self._presence_of: Final = presence_of
        self._unfollow: Final = unfollow
        self._forget: Final = forget
        self.elsewhere = Elsewhere()

    async def open(self, wanted: EventTable) -> m.Reply:
        """Open a table. People in the lobby, or who watch, are taken there at once; the others find
        themselves there when they come in.

        Who begins to play is kept with the first card (``EventStore.entered``), and the result when the game
        is over (``EventStore.games``); a game that is broken off in its first stage has none. ``close_table``
        breaks it off. The table survives restarts, and so does its deal; it closes when nobody has been there
        for a while after the game.

        The answer has the ``table``, its code; or it is a refusal, and nothing has happened:
        ``seated_elsewhere`` (``name``: of one of the people), ``closing``, ``too_many_tables``,
        ``rated_bots``, ``rated_guests``, ``storage``, ``busy`` ...
        """
        people = {one.id: one for one in wanted.seats if isinstance(one, m.Player)}
        async with AsyncExitStack() as locked:
            presences = [self._presence_of(people[id_]) for id_ in sorted(people)]
            # None of them may be forgotten while another one's lock is waited for.
            for presence in presences:
                presence.submitted += 1
                locked.callback(self._let_go, presence)
            for presence in presences:
                await locked.enter_async_context(presence.lock)
            try:
                reply, busy = await self._open_for(presences, wanted)
            except m.Refused as refused:
                return refused.reply
        if wanted.call is not None and reply.ok and not self.elsewhere.calls:
            for player in busy:
                who = self._people.get(player)
                if who is not None and who.feed is not None:
                    who.feed.say(replace(wanted.call, about=str(reply.details["table"])))
        return reply

    def _let_go(self, presence: Presence) -> None:
        presence.submitted -= 1
        self._forget(presence)

    async def _open_for(
        self, presences: Sequence[Presence], wanted: EventTable
    ) -> tuple[m.Reply, list[str]]:
        """The answer, and for whom a bot keeps a seat. Raises ``Refused``."""
        m.refuse_if(self._shared.closing, m.Refusal.CLOSING)
        options = dataclasses.replace(wanted.options, hints=False, spectators=m.Spectating.NONE)
        check_options(options)
        bots = len(presences) < len(wanted.seats)
        players = [presence.player for presence in presences]
        check_players(options, self._shared.limits, *players, bots=bots)
        opener, called = wanted.opener, wanted.call is not None
        source = mark(self._people[opener].source, self._tables.salt) if opener else ""
        await self._tables.make_room_for(opener, source)
        code = await self._tables.unused_code()
        known: dict[str, Presence | None] = {}
        for presence in presences:
            if called and self.elsewhere.is_there(presence.player.id):
                known[presence.player.id] = None
                continue
            known[presence.player.id] = presence
            self._unfollow(presence)
            with suppress(m.Refused):
                await self._tables.move(presence, None)
            if self._places.plays(presence.player.id) or presence.asked:
                name = presence.player.name
                m.refuse_if(not called, m.Refusal.SEATED_ELSEWHERE, {"name": name})
                known[presence.player.id] = None
        m.refuse_if(code in self._tables.listings, m.Refusal.BUSY)
        table = replace(self._tables.new(code, options), shared=wanted.deal)
        table = replace(table, opened_by=tables.opener(opener), opened_from=source)
        table = replace(table, title=wanted.title or table.title)
        actor = self._tables.set_up_new(table, wanted.key, wanted.epoch, wanted.charge)
        now = self._shared.clock.time()
        arranged: list[Member | m.Player | str] = []
        for one in wanted.seats:
            here = None if isinstance(one, str) else known[one.id]
            arranged.append(one if here is None else member_of(here, now))
        reply = await actor.ask(steps.Arranged(tuple(arranged)))
        busy = [player for player, here in known.items() if here is None]
        return m.Reply(details={"table": code}) if reply.ok else reply, busy

    async def bring_back(self, player: m.Player, table: str) -> m.Reply:
        """Bring a player to a game that waits for him or her; the answer has the ``table``, or why not."""
        presence = self._people.get(player.id)
        if presence is None:
            return m.Reply(m.Refusal.GONE)
        async with presence.lock:
            if presence.table != table:
                self._unfollow(presence)
                (await self._tables.move(presence, m.JoinTable(table))).raise_if_refused()
        return m.Reply(details={"table": table})
