"""The tables of a round: opened, read and closed."""

import secrets
from collections.abc import Sequence
from typing import Final

import structlog

from engine.tournament import progress as engine
from server.coordinator import messages as m
from server.coordinator.lobby.event_tables import EventTable, open_event_table
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.table import steps
from server.coordinator.table.state import SharedDeal
from server.coordinator.tournaments.known import codes_of, number_in
from server.coordinator.tournaments.state import Held
from server.storage.events import EventGame, EventStore
from server.storage.store import StoreError
from server.storage.tournaments import KIND

_log = structlog.get_logger("tournaments")


class RoundTables:
    """What tables come to is in the store, and which there are the lobby knows."""

    def __init__(self, events: EventStore, lobby: Lobby) -> None:
        self._events: Final = events
        self._lobby: Final = lobby
        self._failed: Final[set[str]] = set()
        """Keys of those that could not be opened; if only the answer was lost, they have been kept."""

    async def results(self, held: Held) -> tuple[engine.Tournament, set[int]]:
        """The tournament with what the tables of the open round have come to, and which tables there are,
        known of by the lobby or not: one that is read back. Raises ``StoreError``.
        """
        current = held.play.open_round
        if current is None:
            return held.play, set()
        # First how the tables are: whatever is over by then is in the store.
        codes = codes_of(held, self._lobby.listings)
        event = held.event(len(held.play.rounds) - 1)
        over = {
            number
            for number, code in codes.items()
            if self._lobby.listings[code].row.status is m.Status.OVER
        }
        # In this order: what is not there any more has left its result before.
        keys = set(await self._events.tables(event))
        for key in keys & self._failed:
            await self._lobby.shared.store.drop(key)
        there = {number_in(key) for key in keys - self._failed} | codes.keys()
        games = list(await self._events.games(event))
        entered = await self._events.entered(event)
        play = held.play
        for number, table in enumerate(current.tables):
            if table.done:
                continue
            ids = _ids(play, table.seats)
            game = next((each for each in games if each.players == ids), None)
            if game is not None:
                games.remove(game)
                play = engine.with_result(play, number, _scores(game), str(game.id))
            elif number in over or (number not in there and any(it in entered for it in ids if it)):
                play = engine.with_result(play, number, None)
        return play, there

    async def open(self, held: Held, missing: Sequence[int]) -> bool:
        """Open these tables of the open round; whether all of them are. Raises ``StoreError``."""
        current = held.play.open_round
        assert current is not None
        event = await self._events.find(held.event(len(held.play.rounds) - 1))
        if event is None:
            raise StoreError("failed")
        starts = self._lobby.shared.clock.time() + held.plan.call
        deal = SharedDeal(bytes.fromhex(event.seed), event.id, starts)
        options, failed = held.plan.options, False
        call = m.ServerMessage("tournament_table", held.plan.name)
        for number in missing:
            seats = [
                options.bots if seat == engine.BOT else _player(held.play.entrants[seat])
                for seat in current.tables[number].seats
            ]
            key = key_of(event.id, number)
            wanted = EventTable(deal, options, seats, held.title(number), call=call, key=key)
            reply = await open_event_table(self._lobby, wanted)
            if not reply.ok:
                failed = True
                self._failed.add(key)
                _log.warning("tournament_table", tournament=held.id, code=reply.code)
        return not failed

    async def close_events(self, held: Held) -> None:
        """Break off what still goes on of rounds that are not open any more, and close their events. Raises
        ``StoreError``; an event is not closed before all its tables are.

        Nothing else is touched: who has been stopped for a while, and does not know of the rounds that
        somebody else has begun since, closes what is closed.
        """
        played = {held.event(number) for number, it in enumerate(held.play.rounds) if it.closed}

        def has_closed(event: str) -> bool:
            # Of a tournament that is over, the next round's may have been added already.
            return event in played or (bool(held.over) and held.has(event))

        playing = [
            (code, each.row.event)
            for code, each in self._lobby.listings.items()
            if has_closed(each.row.event) and each.row.status is not m.Status.OVER
        ]
        stay = set()
        for code, event in playing:
            if not (await self._lobby.order(code, steps.Close("closed"))).ok:
                stay.add(event)
        for each in await self._events.still_open(KIND):
            if has_closed(each.id) and await self._some_unknown(each.id):
                stay.add(each.id)
            if has_closed(each.id) and each.id not in stay:
                await self._events.close(each.id, self._lobby.shared.clock.time())
        if stay:
            raise StoreError("failed")

    async def _some_unknown(self, event: str) -> bool:
        """Whether there is a table that is not known of: it may be read back just now."""
        there = await self._events.tables(event)
        return not {each.key for each in self._lobby.listings.values()}.issuperset(there)


def key_of(event: str, number: int) -> str:
    """A new key of a table (from 0)."""
    return f"{event}/{number + 1}/{secrets.token_hex(8)}"


def _ids(play: engine.Tournament, seats: Sequence[int]) -> tuple[str, ...]:
    return tuple("" if seat == engine.BOT else play.entrants[seat].player for seat in seats)


def _player(entrant: engine.Entrant) -> m.Player:
    return m.Player(entrant.player, entrant.name, entrant.guest)


def _scores(game: EventGame) -> list[engine.SeatScore] | None:
    """A seat each; ``None`` for a game that was not played to its end."""
    if not game.complete:
        return None
    return [engine.SeatScore(seat.score, seat.kind != "left") for seat in game.seats]
