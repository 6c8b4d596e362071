"""The tournaments as they are written, for everybody to see."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import structlog

from engine.tournament import progress as engine
from engine.tournament.record import record_of
from server.coordinator import messages as m
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.table.facts_for_lobby_and_chat import Listing
from server.coordinator.tournaments.state import Held, UnreadableTournament, from_stored
from server.coordinator.tournaments.views import info_of, view_of
from server.storage.events import EventStore
from server.storage.tournaments import KIND, StoredTournament, TournamentStore

SHOWN: Final = 10
"""So many that are over are kept at hand ..."""
SHOWN_SECONDS: Final = 24 * 60 * 60.0
"""... and told of in the lobby for so long."""

_log = structlog.get_logger("tournaments")


class Shown:
    """A tournament, and what is not kept of it."""

    def __init__(self, held: Held) -> None:
        self.held = held
        """As it has been written."""
        self.codes: dict[int, str] = {}
        """Of the tables of the open round that there are, by their numbers (from 0)."""
        self.seeds: dict[int, str] = {}
        """In hex, of closed rounds only."""


class KnownTournaments:
    """The tournaments as they have been written last, by whoever directs them."""

    def __init__(self, lobby: Lobby, store: TournamentStore, events: EventStore) -> None:
        self.lobby: Final = lobby
        self.store: Final = store
        self.events: Final = events
        self.all: Final[dict[str, Shown]] = {}
        """By id, the last to be opened last."""
        self._reading: Final = asyncio.Lock()
        """One after the other: of two at once, the older answer might come last."""
        self._written = 0
        """So often has something been taken up that this process has written."""

    async def read(self, which: str = "") -> None:
        """Take up what the store has: of one, or of all. Raises ``StoreError``."""
        async with self._reading:
            while True:
                written, found = self._written, await self._stored(which)
                if written == self._written:  # what was written meanwhile is newer
                    break
            for stored in found:
                try:
                    self._take(from_stored(stored))
                except UnreadableTournament as error:
                    _log.error("tournament_unreadable", tournament=stored.id, reason=str(error))

    async def _stored(self, which: str) -> list[StoredTournament]:
        if which:
            one = await self.store.find(which)
            return [one] if one is not None else []
        over = [each for each in await self.store.newest(SHOWN) if each.over]
        return [*reversed(over), *await self.store.still_open()]

    def take(self, held: Held) -> None:
        """This has just been written."""
        self._written += 1
        self._take(held)
        self.lobby.feed.tournaments_changed()

    def _take(self, held: Held) -> None:
        shown = self.all.setdefault(held.id, Shown(held))
        if held.over and not shown.held.over:
            self.lobby.news.changed()
        shown.held, shown.codes = held, codes_of(held, self.lobby.listings)

    def shown_to(self, player: str) -> tuple[m.TournamentInfo, ...]:
        """The tournaments as the player with this id sees them, the newest first."""
        long_ago = self.lobby.shared.clock.time() - SHOWN_SECONDS
        return tuple(
            info_of(each.held, each.codes, player, self.lobby.shared.timing)
            for each in reversed(self.all.values())
            if not each.held.over or each.held.over > long_ago
        )

    def knows(self, player: str) -> bool:
        """Whether this player is registered in one that is not over."""
        return any(
            not each.held.over and each.held.play.number_of(player) != engine.BOT
            for each in self.all.values()
        )

    def table_changed(self, event: str) -> None:
        """A table of this event is new, over or closed."""
        shown = self.of(event)
        if shown is not None:
            codes = codes_of(shown.held, self.lobby.listings)
            if codes != shown.codes:
                shown.codes = codes
                self.lobby.feed.tournaments_changed()

    def awaited(self) -> set[tuple[str, m.ServerMessage]]:
        """For whom a bot keeps a seat at a table of a round that has not begun yet, by their ids, and what is
        to be said to who does not come there.
        """
        found = set()
        for each in self.all.values():
            current = each.held.play.open_round
            for number, code in each.codes.items() if current is not None else ():
                assert current is not None
                listing = self.lobby.listings.get(code)
                if listing is None or listing.row.status is not m.Status.OPEN:
                    continue
                word = m.ServerMessage("tournament_table", each.held.plan.name, about=code)
                seats = [it for it in current.tables[number].seats if it != engine.BOT]
                players = [each.held.play.entrants[it].player for it in seats]
                found |= {(player, word) for player in players if player not in listing.seated}
        return found

    def of(self, event: str) -> Shown | None:
        """The tournament to which this event belongs."""
        kind, _, rest = event.partition("/")
        return self.all.get(rest.partition("/")[0]) if kind == KIND else None

    async def view(self, which: str, player: str) -> m.TournamentView:
        """Everything that everybody may know; the newest where ``which`` is empty. Raises ``Refused``
        and ``StoreError``.
        """
        if not which:
            found = sorted(
                self.all.values(), key=lambda each: (not each.held.over, each.held.opened)
            )
            m.refuse_if(not found, m.Refusal.NO_SUCH_TOURNAMENT)
            which = found[-1].held.id
        shown = await self._find_kept(which)
        seeds = await self._seeds(shown)
        return view_of(shown.held, shown.codes, player, seeds, self.lobby.shared.timing)

    async def record(self, which: str) -> dict[str, Any]:
        """The record (``engine.tournament.record``). Raises ``Refused`` and ``StoreError``."""
        shown = await self._find_kept(which)
        held, seeds = shown.held, await self._seeds(shown)
        more = {
            "id": held.id,
            "name": held.plan.name,
            "opened": round(held.opened),
            "ended": round(held.over),
        }
        return record_of(held.play, list(zip(held.commitments, seeds, strict=False)), more)

    async def _find_kept(self, which: str) -> Shown:
        """Also one that was over long ago. Raises ``Refused`` and ``StoreError``."""
        if (shown := self.all.get(which.lower())) is not None:
            return shown
        stored = await self.store.find(which.lower())
        try:
            if stored is not None:
                return Shown(from_stored(stored))
        except UnreadableTournament:
            pass
        raise m.Refused(m.Refusal.NO_SUCH_TOURNAMENT)

    async def _seeds(self, shown: Shown) -> list[str]:
        """In hex, of the closed rounds. Raises ``StoreError``."""
        closed = [number for number, it in enumerate(shown.held.play.rounds) if it.closed]
        for number in closed:
            if number not in shown.seeds:
                event = await self.events.find(shown.held.event(number))
                shown.seeds[number] = event.seed if event is not None else ""
        return [shown.seeds[number] for number in closed]


def codes_of(held: Held, listings: Mapping[str, Listing]) -> dict[int, str]:
    """The tables of the open round that are known of: their codes, by their numbers (from 0)."""
    if held.play.open_round is None:
        return {}
    event = held.event(len(held.play.rounds) - 1)
    return {number_in(each.key): each.id for each in listings.values() if each.row.event == event}


def number_in(key: str) -> int:
    """The table (from 0) whose key it is; -1 for none."""
    number = key.split("/")[-2]
    return int(number) - 1 if number.isdecimal() else -1
