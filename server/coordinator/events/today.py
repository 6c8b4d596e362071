"""Today's tide and the seasons on a server: opened, shown, closed and kept."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

import structlog
from typing_extensions import override

from server.coordinator import messages as m
from server.coordinator.events import days
from server.coordinator.lobby.event_tables import EventTable, bring_back, open_event_table
from server.coordinator.lobby.lobby import Lobby, Today
from server.coordinator.table import steps
from server.coordinator.table.state import SharedDeal
from server.coordinator.time_source import Clock
from server.storage.events import Event, EventStore
from server.storage.leaderboard import SeasonStore, SeasonTable
from server.storage.store import StoreError

_log = structlog.get_logger("events")

FRESH: Final = 60.0
"""For so many seconds everybody is shown the same table of a month."""
_HOUR: Final = 3600.0


class Seasons:
    """``keep`` runs for as long as the server does."""

    def __init__(self, store: SeasonStore, clock: Clock) -> None:
        self._store: Final = store
        self._clock: Final = clock
        self._reading: Final = asyncio.Lock()
        self._known: dict[tuple[str, int], tuple[float, SeasonTable]] = {}
        """By the month that it was, and how many months before; and when they were read."""

    async def page(self, before: int = 0) -> SeasonTable:
        """This month's leaderboard, or that of so many months ``before``. Raises ``StoreError``."""
        async with self._reading:
            now = self._clock.time()
            fresh = {key: it for key, it in self._known.items() if now < it[0] + FRESH}
            key = f"{datetime.fromtimestamp(now, UTC):%Y-%m}", before
            if key not in fresh:
                fresh[key] = now, await self._store.season(now, before)
            self._known = fresh
            return fresh[key][1]

    async def keep(self) -> None:
        """Keep the table of each month that is over: at the start, then every hour."""
        while True:
            try:
                for month in await self._store.close(self._clock.time()):
                    _log.info("season_closed", month=month)
            except StoreError as error:
                _log.error("season_not_closed", code=error.code)
            await self._clock.sleep_until(self._clock.time() + _HOUR)


_RETRY_SECONDS: Final = 60.0


@dataclass(eq=False)
class TodaysTide(Today):
    """The ``today`` of the lobby. ``keep`` runs from when the tables have been recovered, for as long as the
    server does.
    """

    _lobby: Lobby
    _events: EventStore
    _opening: set[str] = field(default_factory=set)
    """Ids of people for whom a table is being opened."""
    _begun: set[str] = field(default_factory=set)
    """Ids of who has begun today."""

    def __post_init__(self) -> None:
        self._clock = self._lobby.shared.clock
        self._lobby.today = self

    async def refresh(self) -> float:
        """Close what has to be closed, and see that today and tomorrow are there; when to do it again. A
        day's seed is drawn, and its commitment public, a day before. Raises ``StoreError``.
        """
        now = self._clock.time()
        for when in (now, now + m.DAY):
            if await self._events.find(days.event_at(when)) is None:
                await self._events.add(days.new_day(when, self._lobby.shared.new_seed()))
        self._begun = set(await self._events.entered(days.event_at(now)))
        self.played_yesterday = (await self._events.entered(days.event_at(now - m.DAY))).keys()
        for event in await self._events.still_open(days.KIND):
            if event.closes <= now:
                await self._close(event)
        still_open = await self._events.still_open(days.KIND)
        coming = [when for event in still_open for when in (event.opens, event.closes)]
        return min((when for when in coming if when > now), default=now + _RETRY_SECONDS)

    async def keep(self) -> None:
        """Refresh, whenever it is time."""
        while True:
            try:
                again = await self.refresh()
            except StoreError as error:
                _log.error("today_not_refreshed", code=error.code)
                again = self._clock.time() + _RETRY_SECONDS
            await self._clock.sleep_until(again)

    async def _close(self, event: Event) -> None:
        """Raises ``StoreError``; then tries go on, and the day stays open."""
        for code in self._going(event.id):
            reply = await self._lobby.order(code, steps.Close("day_over"))
            if not reply.ok and code in self._going(event.id):
                raise StoreError("failed")
        await self._events.close(event.id, self._clock.time())
        _log.info("event_closed", id=event.id)

    def _going(self, event: str) -> list[str]:
        """Codes of the tables where tries go on or wait."""
        tables = [self._lobby.known[code] for code in self._tables(event)]
        return [each.id for each in tables if each.status is not m.Status.OVER]

    def _tables(self, event: str) -> list[str]:
        return [code for code, each in self._lobby.known.items() if each.event == event]

    def table_of(self, player: str) -> str:
        """The code of the table at which this player's try goes on or waits; empty without one."""
        for code, each in self._lobby.known.items():
            going = days.is_day(each.event) and each.status is not m.Status.OVER
            if going and (player in each.people or each.stepped_out(player) >= 0):
                return code
        return ""

    @override
    def plays(self, player: str, event: str) -> bool:
        return self.table_of(player) in self._tables(event)

    @override
    async def play(self, player: m.Player) -> m.Reply:
        """Begin today's try, or go on with the one that waits. The answer has the ``table``, or it is a
        refusal: one of its own (``today_played``, ``no_today`` ...) or of ``open_event_table``.
        """
        if code := self.table_of(player.id):
            return await bring_back(self._lobby, player, code)
        m.refuse_if(player.id in self._opening, m.Refusal.BUSY)
        self._opening.add(player.id)
        try:
            event = await self._events.find(days.event_at(self._clock.time()))
            if event is None:
                raise m.Refused(m.Refusal.NO_TODAY)
            m.refuse_if(event.closed, m.Refusal.TODAY_CLOSED)
            entered = await self._events.entered(event.id)
            m.refuse_if(player.id in entered, m.Refusal.TODAY_PLAYED)
            options, opponents = days.played_with(event)
            deal = SharedDeal(bytes.fromhex(event.seed), event.id, waits=True)
            wanted = EventTable(
                deal,
                options,
                (player, *opponents),
                days.day_of(event.id),
                opener=player.id,
                # There is none while one of before is being forgotten.
                key=days.table_key(event.id, player.id),
            )
            reply = await open_event_table(self._lobby, wanted)
            if reply.ok:
                self._begun.add(player.id)
            return reply
        finally:
            self._opening.discard(player.id)

    @override
    def has_played(self, player: str) -> bool:
        return player in self._begun and not self.table_of(player)
