"""The tables of a round: seen, opened and closed."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Final

from engine.tournament import progress as engine
from server.coordinator import messages as m
from server.coordinator.lobby.event_tables import EventTable, open_event_table
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.table.state import SharedDeal, Table
from server.coordinator.table.steps import Close
from server.coordinator.tournaments.decide import See, Seen
from server.coordinator.tournaments.state import Held
from server.storage.events import KIND, EventStore
from server.storage.store import StoreError


class RoundTables:
    """What tables come to is in the store, and which there are the lobby knows. Raises ``StoreError``."""

    def __init__(self, events: EventStore, lobby: Lobby) -> None:
        self._events: Final = events
        self._lobby: Final = lobby
        self._failed: Final[set[str]] = set()
        """Keys of those that could not be opened; if only the answer was lost, they have been kept."""

    async def see(self, held: Held, asked: See) -> Seen:
        """What has become of the tables of a round."""
        # First how the tables are: whatever is over by then is in the store.
        codes, tables = codes_of(held, self._lobby.known), self._lobby.known
        over = {n for n, code in codes.items() if tables[code].status is m.Status.OVER}
        # In this order: what is not there any more has left its result before.
        keys = set(await self._events.tables(asked.event))
        for key in keys & self._failed:
            await self._lobby.shared.store.drop(key)
        there = {_number_in(key) for key in keys - self._failed} - codes.keys()
        games = tuple(await self._events.games(asked.event))
        entered = frozenset(await self._events.entered(asked.event))
        known = frozenset(over), frozenset(codes), frozenset(there)
        return Seen(asked, *known, games, entered)

    async def open(self, held: Held, tables: Sequence[int]) -> None:
        """Open these tables of the open round. Raises ``Refused`` when some could not be."""
        event = await self._events.find(held.open_event)
        if event is None:
            raise StoreError("failed")
        starts = self._lobby.shared.clock.time() + held.plan.call
        deal = SharedDeal(bytes.fromhex(event.seed), event.id, starts)
        options, refused = held.plan.options, m.Reply()
        call = m.ServerMessage("tournament_table", held.plan.name)
        for number in tables:
            seats = [
                options.bots if seat == engine.BOT else _player(held.play.entrants[seat])
                for seat in held.play.rounds[-1].tables[number].seats
            ]
            key = f"{event.id}/{number + 1}/{secrets.token_hex(8)}"
            wanted = EventTable(deal, options, seats, held.title(number), call=call, key=key)
            reply = await open_event_table(self._lobby, wanted)
            if not reply.ok:
                self._failed.add(key)
                refused = reply
        refused.raise_if_refused()

    async def settle(self, held: Held) -> None:
        """Break off what still goes on of rounds that are closed, and close their events: each when all its
        tables are.
        """
        tables, waits = self._lobby.known, False
        for event in await self._events.still_open(KIND):
            if not held.has_closed(event.id):
                continue
            closed = True
            for code, each in [*tables.items()]:
                if each.event == event.id and each.status is not m.Status.OVER:
                    closed &= (await self._lobby.order(code, Close("closed"))).ok
            # One that is not known of may be read back just now.
            known = {each.key for each in tables.values()}
            if closed and known.issuperset(await self._events.tables(event.id)):
                await self._events.close(event.id, self._lobby.shared.clock.time())
            else:
                waits = True
        if waits:
            raise StoreError("failed")


def codes_of(held: Held, tables: Mapping[str, Table]) -> dict[int, str]:
    """The tables of the open round that the lobby knows of: their codes, by their numbers (from 0)."""
    event = held.open_event
    if not event:
        return {}
    return {_number_in(each.key): each.id for each in tables.values() if each.event == event}


def _number_in(key: str) -> int:
    """The table (from 0) whose key it is; -1 for none."""
    number = key.split("/")[-2]
    return int(number) - 1 if number.isdecimal() else -1


def _player(entrant: engine.Entrant) -> m.Player:
    return m.Player(entrant.player, entrant.name, entrant.guest)
