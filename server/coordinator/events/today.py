"""Today's tide, the seasons and the news of a server: opened, shown, closed and kept.

The news is read from the store, and kept for everybody in the lobby.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

import structlog
from msgspec.structs import replace
from typing_extensions import override

from engine.records.statistics import Streak
from engine.standings import Highlight, climax
from engine.views import table_view
from server import StoreError
from server.cleaning import clean_name
from server.coordinator import messages as m
from server.coordinator.events import days
from server.coordinator.lobby.event_tables import EventTable, bring_back, open_event_table
from server.coordinator.lobby.lobby import Lobby, NewsKeeper, Today
from server.coordinator.table import steps
from server.coordinator.table.state import SharedDeal, Table
from server.storage.events import Event, EventStore
from server.storage.history import GameRow
from server.storage.history_store import HistoryStore
from server.storage.ratings import SeasonStore, SeasonTable
from server.timers import Clock, OneTimer

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
    """The ``today`` of the lobby.

    ``keep`` runs from when the tables have been recovered, for as long as the server does.
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
        """Close what has to be closed, and see that today and tomorrow are there; when to do it again.

        A day's seed is drawn, and its commitment public, a day before. Raises ``StoreError``.
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
        for each in self._tries():
            if each.event == event.id:
                reply = await self._lobby.order(each.id, steps.Close("day_over"))
                if not reply.ok and each.id in [it.id for it in self._tries()]:
                    raise StoreError("failed")
        await self._events.close(event.id, self._clock.time())
        _log.info("event_closed", id=event.id)

    def _tries(self) -> list[Table]:
        """Return the tables where tries at any day go on or wait."""
        tables = self._lobby.known.values()
        return [it for it in tables if days.is_day(it.event) and it.status is not m.Status.OVER]

    def _try_of(self, player: str) -> Table | None:
        """Return the table at which this player's try goes on or waits."""
        for each in self._tries():
            if player in each.people or each.stepped_out(player) >= 0:
                return each
        return None

    @override
    def plays(self, player: str, event: str) -> bool:
        going = self._try_of(player)
        return going is not None and going.event == event

    @override
    async def play(self, player: m.Player) -> m.Reply:
        """Begin today's try, or go on with the one that waits.

        The answer has the ``table``, or it is a refusal: one of its own (``today_played``,
        ``no_today`` ...) or of ``open_event_table``.
        """
        if going := self._try_of(player.id):
            return await bring_back(self._lobby, player, going.id)
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
        return player in self._begun and self._try_of(player) is None


_GAMES: Final = 100
"""Number of the newest games that are searched, without those of events."""
_MOST: Final = 10
"""Items that are told."""
_DAILY: Final = 5
"""Most people who are named for playing today's tide on several days."""
LEAST_DAYS: Final = 3
"""In a row, before that is news."""
_LEAST_GAMES: Final = 20
"""A score has to be better than in so many games before that is news."""
_BEST: Final = 3
"""Names of a day's ranking."""
_SOON: Final = 1.0
"""Seconds from a change until it is read: several games end together."""
_AGAIN: Final = 300.0
"""Seconds after which it is read anyway, for somebody may have been forgotten."""


@dataclass(eq=False)
class LobbyNews(NewsKeeper):
    """The ``news`` of the lobby.

    ``keep`` runs from when the tables have been recovered, for as long as the server does; each of
    several does that for its people. ``streak`` tells how often somebody, by id, has played today's
    tide in a row, and may raise ``StoreError``.
    """

    _lobby: Lobby
    _history: HistoryStore
    _events: EventStore
    _streak: Callable[[str], Awaitable[Streak]]
    _due: asyncio.Event = field(default_factory=asyncio.Event)
    _changed: bool = False
    _closed: tuple[str, tuple[tuple[str, int], ...], int] = "", (), 0
    """The last day that is closed, who was best, and how many finished it ..."""
    _read: float = 0.0
    """... and when that was read."""
    _climaxes: dict[int, Highlight | None] = field(default_factory=dict)
    """Highlights of the games in the last news, by the number of the game."""

    def __post_init__(self) -> None:
        self._clock = self._lobby.shared.clock
        self._timer = OneTimer(self._clock)
        self._lobby.news = self

    @override
    def table_changed(self, table: Table) -> None:
        if table.status is m.Status.OVER or days.is_day(table.event):
            self.changed()

    @override
    def changed(self) -> None:
        if not self._changed:
            self._changed = True
            self._timer.after(_SOON, self._due.set)

    async def keep(self) -> None:
        """Tell what there is: now, whenever a game is over, and now and then."""
        try:
            while True:
                self._due.clear()
                self._changed = False
                try:
                    await self.refresh()
                except StoreError as error:
                    _log.warning("news_not_read", code=error.code)
                if not self._changed:
                    self._timer.after(_AGAIN, self._due.set)
                await self._due.wait()
        finally:
            self._timer.cancel()

    async def refresh(self) -> None:
        """Read everything, and tell it. Raises ``StoreError``."""
        games = await self._history.lately(_GAMES)
        found, counted = list[tuple[float, m.News]](), Counter[str]()
        for number, game in enumerate(games):
            # Nobody where it is nobody's result, as with what was imported.
            people = enumerate(game.players)
            winners = [n for n, player in people if player and game.seats[n].place == 1]
            if not winners or len(found) == _MOST:
                continue
            player, row = game.players[winners[0]], 0
            # Wins in a row are told with the newest of them.
            known = len(winners) == 1 and counted[player] > 0
            counted.subtract(game.players[seat] for seat in winners)
            if len(winners) == 1 and not known:
                row = await self._history.wins_in_a_row(player, game.id)
                counted[player] = row - 1
            one = replace(
                _won(games[number:], winners, row),
                game=game.id,
                seats=_names(game, range(len(game.seats))),
                climax=await self._climax(game.id),
            )
            if not known or one.against or one.most:
                found.append((game.kept, one))
        self._climaxes = {one.game: one.climax for _, one in found}
        found += await self._daily()
        cups = self._lobby.directory.shown_to("")
        found += [
            (each.ended, m.News(each.winners, cup=each.plan.name)) for each in cups if each.winners
        ]
        news = tuple(one for _, one in sorted(found, key=lambda each: -each[0])[:_MOST])
        self._lobby.feed.tell_news(news, await self._today())

    async def _climax(self, game: int) -> Highlight | None:
        """What is most remarkable about a game."""
        if game not in self._climaxes:
            found = await self._history.replay(game, "")
            return climax(table_view(found[0].last)) if found is not None else None
        return self._climaxes[game]

    async def _daily(self) -> list[tuple[float, m.News]]:
        """Return the people who have played today's tide on several days in a row, with the times."""
        found = list[tuple[float, m.News]]()
        for game in await self._history.lately(_DAILY, days.event_at(self._clock.time())):
            if player := next(filter(None, game.players), ""):
                count = (await self._streak(player)).now
                if count >= LEAST_DAYS:
                    name = clean_name(game.seats[game.players.index(player)].name)
                    found.append((game.kept, m.News((name,), days=count)))
        return found

    async def _today(self) -> m.TodayNow:
        event = await self._events.find(days.event_at(self._clock.time()))
        played = len(await self._events.entered(event.id)) if event is not None else 0
        for last in await self._events.newest(days.KIND, 4):
            if last.closed:
                now = self._clock.time()
                # What is public stays as it is, and can be long, but somebody may have been forgotten.
                if days.day_of(last.id) != self._closed[0] or now - self._read >= _AGAIN:
                    self._closed, self._read = await self._ranking(last), now
                break
        return m.TodayNow(played, *self._closed)

    async def _ranking(self, event: Event) -> tuple[str, tuple[tuple[str, int], ...], int]:
        tries = days.tries_of(event, await self._events.games(event.id))
        best = tuple((clean_name(each.name) or "?", each.score) for each in tries[:_BEST])
        return days.day_of(event.id), best, len(tries)


def _won(games: Sequence[GameRow], winners: Sequence[int], row: int) -> m.News:
    """That people have won the first of these, the newest, in a ``row`` of wins; others were before it."""
    game, *earlier = games
    people = [seat for seat, player in enumerate(game.players) if player]
    first = sum(seat.place == 1 for seat in game.seats) - len(winners)
    points = game.seats[winners[0]].score
    alike = [
        each
        for each in earlier
        if each.edition == game.edition and len(each.seats) == len(game.seats)
    ]
    best = max((seat.score for each in alike for seat in each.seats), default=points)
    return m.News(
        _names(game, winners),
        _names(game, [seat for seat in people if seat not in winners]),
        len(game.seats) - len(people) - first,
        points,
        row,
        most=len(alike) >= _LEAST_GAMES and points > best,
        winning_bots=first,
    )


def _names(game: GameRow, seats: Iterable[int]) -> tuple[str, ...]:
    """Empty for guests."""
    return tuple(
        "" if game.players[seat].startswith("guest:") else clean_name(game.seats[seat].name)
        for seat in seats
    )
