"""The tables of a round: opened, read and closed."""

from collections.abc import Mapping, Sequence
from typing import Final

import structlog

from engine.tournament import model as engine
from server.coordinator import messages as m
from server.coordinator.clock import Clock
from server.coordinator.table.model import SharedDeal
from server.coordinator.tournaments.ports import Tables
from server.coordinator.tournaments.state import Held
from server.storage.events import EventGame, EventStore
from server.storage.store import StoreError
from server.storage.tournaments import KIND

_log = structlog.get_logger("tournaments")


class RoundTables:
    """Keeps nothing: what tables come to is in the store, and which there are the lobby knows."""

    def __init__(self, events: EventStore, tables: Tables, clock: Clock) -> None:
        self._events: Final = events
        self._tables: Final = tables
        self._clock: Final = clock

    def codes(self, held: Held) -> dict[int, str]:
        """The tables of the open round that there are. Raises ``StoreError`` while one is read back."""
        current = held.play.open_round
        if current is None:
            return {}
        event = held.event(len(held.play.rounds) - 1)
        if event in self._tables.taking_up.values():
            raise StoreError("failed")
        titles = {held.title(number): number for number in range(len(current.tables))}
        return {
            titles[each.row.title]: each.id
            for each in self._tables.listings.values()
            if each.row.event == event and each.row.title in titles
        }

    async def results(self, held: Held, codes: Mapping[int, str]) -> engine.Tournament:
        """The tournament with what the tables of the open round have come to; ``codes`` are those that there
        are. Raises ``StoreError``.
        """
        current = held.play.open_round
        if current is None:
            return held.play
        event = held.event(len(held.play.rounds) - 1)
        over = {
            number
            for number, code in codes.items()
            if self._tables.listings[code].row.status is m.Status.OVER
        }
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
            elif number in over or (number not in codes and any(it in entered for it in ids if it)):
                play = engine.with_result(play, number, None)
        return play

    async def open(self, held: Held, missing: Sequence[int], codes: dict[int, str]) -> bool:
        """Open these tables of the open round, and add them to ``codes``; whether all of them are. Raises
        ``StoreError``.
        """
        current = held.play.open_round
        assert current is not None
        event = await self._events.find(held.event(len(held.play.rounds) - 1))
        if event is None:
            raise StoreError("failed")
        starts = self._clock.time() + held.plan.call
        deal = SharedDeal(bytes.fromhex(event.seed), event.id, starts)
        options, failed = held.plan.options, False
        for number in missing:
            seats = [
                options.bots if seat == engine.BOT else _player(held.play.entrants[seat])
                for seat in current.tables[number].seats
            ]
            reply = await self._tables.event_tables.open(
                deal, options, seats, held.title(number), elsewhere=True
            )
            if not reply.ok:
                failed = True
                _log.warning("tournament_table", tournament=held.id, code=reply.code)
                continue
            code = codes[number] = str(reply.details["table"])
            for seat in seats:
                if isinstance(seat, m.Player):
                    self._call(seat.id, held, code)
        return not failed

    def _call(self, player: str, held: Held, code: str) -> None:
        """Tell whoever is elsewhere where the seat is."""
        place = self._tables.place_of(player)
        if place is None or place.id != code:
            word = m.ServerMessage("tournament_table", held.plan.name, about=code)
            self._tables.say_to(player, word)

    async def close_events(self, held: Held) -> None:
        """Break off what still goes on of rounds that are not open any more, and close their events. Raises
        ``StoreError``; an event is not closed before all its tables are.
        """
        rounds, stay = len(held.play.rounds), set()
        if not held.over:
            # The next one may have been added already.
            stay = {held.event(rounds)}
            if held.play.open_round is not None:
                stay.add(held.event(rounds - 1))
        playing = [
            (code, each.row.event)
            for code, each in self._tables.listings.items()
            if held.has(each.row.event)
            and each.row.event not in stay
            and each.row.status is not m.Status.OVER
        ]
        for code, event in playing:
            if not (await self._tables.close_table(code)).ok:
                stay.add(event)
        for each in await self._events.still_open(KIND):
            if held.has(each.id) and each.id not in stay:
                await self._events.close(each.id, self._clock.time())
        if any(event in stay for _, event in playing):
            raise StoreError("failed")


def _ids(play: engine.Tournament, seats: Sequence[int]) -> tuple[str, ...]:
    return tuple("" if seat == engine.BOT else play.entrants[seat].player for seat in seats)


def _player(entrant: engine.Entrant) -> m.Player:
    return m.Player(entrant.player, entrant.name, entrant.guest)


def _scores(game: EventGame) -> list[engine.SeatScore] | None:
    """A seat each; ``None`` for a game that was not played to its end."""
    if not game.complete:
        return None
    return [engine.SeatScore(seat.score, seat.kind != "left") for seat in game.seats]
