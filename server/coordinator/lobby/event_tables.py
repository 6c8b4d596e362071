"""Tables that the server opens for an event: a try of today's tide, or a board of a tournament."""

import dataclasses
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import NamedTuple

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.lobby.tables import member_of
from server.coordinator.presence import Presence
from server.coordinator.table import steps
from server.coordinator.table.ports import reply_of
from server.coordinator.table.seats import check_players
from server.coordinator.table.start import check_options
from server.coordinator.table.state import SharedDeal
from server.networks import mark


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
    open, of which there may be so many at once, and so many begun in a while."""
    call: m.ServerMessage | None = None
    """What whoever plays at another table is told, ``about`` the table: a bot has the seat meanwhile, and
    hands it over to who comes (``JoinTable``). ``None``: the table is not opened then."""
    key: str = ""
    """Key of which there is one table at a time: a second one is refused with ``busy``. Empty for any
    number.
    """


async def open_event_table(lobby: Lobby, wanted: EventTable) -> m.Reply:
    """Open a table.

    People in the lobby, or who watch, are taken there at once; the others find themselves there when
    they come in.

    Who begins to play is kept with the first card (``EventStore.entered``), and the result when the game
    is over (``EventStore.games``); a game that is broken off in its first stage has none. ``Lobby.order``
    with ``steps.Close`` breaks it off. The table survives restarts, and so does its deal; it closes when
    nobody has been there for a while after the game.

    The answer has the ``table``, its code; or it is a refusal, and nothing has happened:
    ``seated_elsewhere`` (``name``: of one of the people), ``closing``, ``too_many_tables``,
    ``rated_bots``, ``rated_guests``, ``storage``, ``busy`` ...
    """
    people = {one.id: one for one in wanted.seats if isinstance(one, m.Player)}
    async with AsyncExitStack() as locked:
        presences = [lobby.presence_of(people[id_]) for id_ in sorted(people)]
        # None of them may be forgotten while another one's lock is waited for.
        for presence in presences:
            presence.submitted += 1
            locked.callback(_let_go, lobby, presence)
        for presence in presences:
            await locked.enter_async_context(presence.lock)
        return await reply_of(_open_for(lobby, presences, wanted))


def _let_go(lobby: Lobby, presence: Presence) -> None:
    presence.submitted -= 1
    lobby.let_go(presence)


async def _open_for(lobby: Lobby, presences: Sequence[Presence], wanted: EventTable) -> m.Reply:
    """Open it, with the locks of its people held. Raises ``Refused``."""
    shared, tables = lobby.shared, lobby.tables
    m.refuse_if(shared.closing, m.Refusal.CLOSING)
    m.refuse_if(wanted.key in lobby.forgetting, m.Refusal.BUSY)
    options = dataclasses.replace(wanted.options, hints=False, spectators=m.Spectating.NONE)
    check_options(options)
    bots = len(presences) < len(wanted.seats)
    players = [presence.player for presence in presences]
    check_players(options, shared.limits, *players, bots=bots)
    opener = wanted.opener
    there, now = lobby.people[opener].source if opener else "", shared.clock.time()
    if opener:
        shared.begun.check(opener, there, now).raise_if_refused()
    source = mark(there, tables.salt)
    await tables.make_room_for(opener, source)
    code = await tables.unused_code()
    busy = []
    for presence in presences:
        player = presence.player
        lobby.feed.unfollow(presence)
        left = await tables.move(presence, None)
        if not left.ok or lobby.places.plays(player.id) or presence.asked:
            m.refuse_if(wanted.call is None, m.Refusal.SEATED_ELSEWHERE, {"name": player.name})
            busy.append(player.id)
    table = tables.new(code, options, wanted.deal, opener, source)
    table = replace(table, title=wanted.title or table.title)
    actor = tables.set_up_new(table, wanted.key)
    arranged = [
        one if isinstance(one, str) or one.id in busy else member_of(lobby.people[one.id], now)
        for one in wanted.seats
    ]
    reply = await actor.ask(steps.Arranged(tuple(arranged)))
    if not reply.ok:
        return reply
    if opener:
        shared.begun.count(opener, there, now)
    if wanted.call is not None:
        for id_ in busy:
            lobby.say_to(id_, replace(wanted.call, about=code))
    return m.Reply(details={"table": code})


async def bring_back(lobby: Lobby, player: m.Player, table: str) -> m.Reply:
    """Bring a player to a game that waits for him or her; the answer has the ``table``, or why not."""
    presence = lobby.people.get(player.id)
    if presence is None:
        return m.Reply(m.Refusal.GONE)
    async with presence.lock:
        if presence.table != table:
            lobby.feed.unfollow(presence)
            (await lobby.tables.move(presence, m.JoinTable(table))).raise_if_refused()
    return m.Reply(details={"table": table})
