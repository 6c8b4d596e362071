"""The tournaments as they are written, for everybody to see."""

import asyncio
from typing import Any, Final

import structlog

from engine.tournament import model as engine
from engine.tournament.record import record_of
from server.coordinator import messages as m
from server.coordinator.clock import Clock, OneTimer
from server.coordinator.tournaments.ports import Tables
from server.coordinator.tournaments.round_tables import RoundTables
from server.coordinator.tournaments.state import Held, UnreadableTournament, from_stored
from server.coordinator.tournaments.views import info_of, view_of
from server.storage.events import EventStore
from server.storage.store import StoreError
from server.storage.tournaments import KIND, StoredTournament, TournamentStore

SHOWN: Final = 10
"""So many that are over are kept at hand ..."""
SHOWN_SECONDS: Final = 24 * 60 * 60.0
"""... and told of in the lobby for so long."""

_log = structlog.get_logger("tournaments")


class Running:
    """A tournament, and what is not kept of it."""

    def __init__(self, held: Held, clock: Clock) -> None:
        self.held = held
        """As it has been written."""
        self.lock: Final = asyncio.Lock()
        self.timer: Final = OneTimer(clock)
        self.codes: dict[int, str] = {}
        """Of the tables of the open round, by their numbers (from 0)."""
        self.begun = (0, 0.0)
        """Which round goes on, and since when; after a restart, since then."""
        self.mistakes = 0
        """So often in a row has our own code failed here."""
        self.seeds: dict[int, str] = {}
        """In hex, of closed rounds only."""


class KnownTournaments:
    """What can be seen of tournaments, whoever runs them."""

    def __init__(
        self, store: TournamentStore, events: EventStore, tables: Tables, clock: Clock
    ) -> None:
        self._store: Final = store
        self._events: Final = events
        self._tables: Final = tables
        self._clock: Final = clock
        self._rounds: Final = RoundTables(events, tables, clock)
        self._all: Final[dict[str, Running]] = {}
        """By id, the last to be opened last."""
        self._reading: Final = asyncio.Lock()
        """One after the other: of two at once, the older answer might come last."""

    async def read(self) -> None:
        """Take up what the store has. Raises ``StoreError``."""
        async with self._reading:
            over = [each for each in await self._store.newest(SHOWN) if each.over]
            for stored in (*reversed(over), *await self._store.still_open()):
                self._take(stored)

    async def read_one(self, which: str) -> None:
        """Take up what the store has of one. Raises ``StoreError``."""
        async with self._reading:
            if (stored := await self._store.find(which)) is not None:
                self._take(stored)

    def show_what(self, other: "KnownTournaments") -> None:
        """Show what another one has read."""
        self._all.update(other._all)

    def _take(self, stored: StoredTournament) -> None:
        try:
            held = from_stored(stored)
        except UnreadableTournament as error:
            _log.error("tournament_unreadable", tournament=stored.id, reason=str(error))
            return
        running = self._all.setdefault(held.id, Running(held, self._clock))
        running.held, running.codes = held, self._rounds.codes(held)

    def shown_to(self, player: str) -> tuple[m.TournamentInfo, ...]:
        """The tournaments as the player with this id sees them, the newest first."""
        long_ago = self._clock.time() - SHOWN_SECONDS
        return tuple(
            info_of(each.held, each.codes, player, self._tables.timing)
            for each in reversed(self._all.values())
            if not each.held.over or each.held.over > long_ago
        )

    def knows(self, player: str) -> bool:
        """Whether this player is registered in one that is not over."""
        return any(
            not each.held.over and each.held.play.number_of(player) != engine.BOT
            for each in self._all.values()
        )

    def table_changed(self, event: str) -> None:
        """A table of this event is new, over or closed."""
        if (running := self._of(event)) is not None:
            running.codes = self._rounds.codes(running.held)
            self._tables.tournaments_changed()

    def awaited(self) -> set[tuple[str, m.ServerMessage]]:
        """For whom a bot keeps a seat at a table of a round that has not begun yet, by their ids, and what is
        to be said to who does not come there.
        """
        found = set()
        for each in self._all.values():
            current = each.held.play.open_round
            for number, code in each.codes.items() if current is not None else ():
                assert current is not None
                listing = self._tables.listings.get(code)
                if listing is None or listing.row.status is not m.Status.OPEN:
                    continue
                word = m.ServerMessage("tournament_table", each.held.plan.name, about=code)
                seats = [it for it in current.tables[number].seats if it != engine.BOT]
                players = [each.held.play.entrants[it].player for it in seats]
                found |= {(player, word) for player in players if player not in listing.seated}
        return found

    def _of(self, event: str) -> Running | None:
        kind, _, rest = event.partition("/")
        return self._all.get(rest.partition("/")[0]) if kind == KIND else None

    async def view(self, which: str, player: str) -> m.TournamentView:
        """Everything that everybody may know; the newest where ``which`` is empty. Raises ``Refused``."""
        if not which:
            found = sorted(
                self._all.values(), key=lambda each: (not each.held.over, each.held.opened)
            )
            m.refuse_if(not found, m.Refusal.NO_SUCH_TOURNAMENT)
            which = found[-1].held.id
        running = await self._find_kept(which)
        seeds = await self._seeds(running)
        return view_of(running.held, running.codes, player, seeds, self._tables.timing)

    async def record(self, which: str) -> dict[str, Any]:
        """The record (``engine.tournament.record``). Raises ``Refused``."""
        running = await self._find_kept(which)
        held, seeds = running.held, await self._seeds(running)
        more = {
            "id": held.id,
            "name": held.plan.name,
            "opened": round(held.opened),
            "ended": round(held.over),
        }
        return record_of(held.play, list(zip(held.commitments, seeds, strict=False)), more)

    def _find(self, which: str) -> Running:
        running = self._all.get(which.lower())
        if running is None:
            raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT)
        return running

    async def _find_kept(self, which: str) -> Running:
        """Also one that was over long ago. Raises ``Refused``."""
        if which.lower() in self._all:
            return self._find(which)
        try:
            stored = await self._store.find(which.lower())
            m.refuse_if(stored is None, m.Refusal.NO_SUCH_TOURNAMENT)
            assert stored is not None
            return Running(from_stored(stored), self._clock)
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None
        except UnreadableTournament:
            raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT) from None

    async def _seeds(self, running: Running) -> list[str]:
        """In hex, of the closed rounds. Raises ``Refused``."""
        found = []
        try:
            for number, played in enumerate(running.held.play.rounds):
                if not played.closed:
                    continue
                if number not in running.seeds:
                    event = await self._events.find(running.held.event(number))
                    running.seeds[number] = event.seed if event is not None else ""
                found.append(running.seeds[number])
        except StoreError as error:
            raise m.Refused(m.Refusal.STORAGE, {"reason": error.code}) from None
        return found
