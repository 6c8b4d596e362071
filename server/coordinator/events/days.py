"""Today's tide, as pure data: one stage a day, the same for everybody, against the same bots, and a ranking.

A day is one of UTC. It can be begun while it lasts; a try that was begun in time counts if it is over within
an hour of its end. Then the day is closed: its seed and all its games are public.

A guest can play it again under another name, so tries of guests are out of competition, and so is every try
that may have been made with the deal known (``Apart``).
"""

import hashlib
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, NamedTuple

from msgspec import convert, to_builtins

from engine.bots import BOTS
from engine.deal import commitment
from engine.editions import Edition, Rules
from engine.records.statistics import Streak
from server.coordinator.messages import DAY, Pace, Player, Spectating, TableOptions
from server.storage.events import Event, EventGame, EventStore
from server.timers import Clock

KIND: Final = "day"

GRACE: Final = 60 * 60
"""Seconds after the day in which a try that was begun in time can be ended."""

OPTIONS: Final = TableOptions(
    Rules(Edition.AMIGO, players=4, stages=1),
    Pace.UNTIMED,
    spectators=Spectating.NONE,
    hints=False,
)
OPPONENTS: Final = ("greedy", "tidal", "expert")
"""Bots on the seats after the player's, in this order."""

_PREFIX: Final = f"{KIND}-"


def is_day(event: str) -> bool:
    """Whether this is the id of a day."""
    return event.startswith(_PREFIX)


def day_of(event: str) -> str:
    """The date of a day, such as ``2025-11-21``; empty for another event."""
    return event.removeprefix(_PREFIX) if is_day(event) else ""


def event_at(now: float) -> str:
    """The id of the day that it is, in seconds since 1970."""
    return f"{_PREFIX}{datetime.fromtimestamp(now, UTC):%Y-%m-%d}"


def opening_of(now: float) -> float:
    """When the day that it is began."""
    return now // DAY * DAY


def days_ago(event: str, now: float) -> int:
    """Return how many days before the current day this one was."""
    opened = datetime.fromisoformat(day_of(event)).replace(tzinfo=UTC).timestamp()
    return round((opening_of(now) - opened) / DAY)


def table_key(event: str, player: str) -> str:
    """The key of the one table at which this player can try a day.

    It is in the record, and tells nobody who that is.
    """
    return f"{event}/{hashlib.blake2s(f'{event} {player}'.encode()).hexdigest()}"


def new_day(now: float, seed: bytes) -> Event:
    """The day that it is then, with the deal of this seed."""
    event, opens = event_at(now), opening_of(now)
    state = {"options": to_builtins(OPTIONS), "opponents": list(OPPONENTS)}
    committed = commitment(seed, OPTIONS.rules)
    return Event(event, KIND, opens, opens + DAY + GRACE, seed.hex(), committed, state=state)


def played_with(event: Event) -> tuple[TableOptions, tuple[str, ...]]:
    """The options and the bots of a day, as they were when it was made.

    Raises ``ValueError``.
    """
    bots = tuple(event.state["opponents"])
    if not all(bot in BOTS for bot in bots):
        raise ValueError("opponents")
    return convert(event.state["options"], TableOptions), bots


class Apart(StrEnum):
    """Why a try is out of competition."""

    NO = ""
    GUEST = "guest"
    FIRST_DAY = "first_day"
    """The account did not exist when the day began: it could be somebody's second one."""
    SEEN = "seen"
    """A guest had begun to play the deal from the same address before the try was over."""


class Try(NamedTuple):
    """A try that was ended in time: a line of the ranking."""

    rank: int
    """From 1; who made as much shares it. Out of competition, what it would be."""
    name: str
    """As it stands in the record: clean it before a terminal sees it."""
    score: int
    others: tuple[int, ...]
    """The bots' scores."""
    game: int
    """The number of the record."""
    player: str = ""
    """The id of whose it is; never shown."""
    program: bool = False
    apart: Apart = Apart.NO


def tries_of(event: Event, games: Sequence[EventGame]) -> tuple[Try, ...]:
    """The tries at a day: those that count, who made most first, then who was done first.

    Below them those out of competition. Each person is there once, with the first try.
    """
    found, had = list[Try](), set[str]()
    for game in games:
        seat = next((n for n, player in enumerate(game.players) if player), -1)
        result, player = game.seats[seat], game.players[seat]
        # Whom a bot played on for has made nothing.
        counts = game.complete and game.at <= event.closes and result.kind in ("human", "program")
        if seat < 0 or game.again or player in had:
            continue
        had.add(player)
        if not counts:
            continue
        others = tuple(each.score for n, each in enumerate(game.seats) if n != seat)
        program, apart = result.kind == "program", _apart(event, game, seat)
        found.append(Try(0, result.name, result.score, others, game.id, player, program, apart))
    scores = sorted(-each.score for each in found if each.apart is Apart.NO)
    ranked = [each._replace(rank=1 + bisect_left(scores, -each.score)) for each in found]
    return tuple(sorted(ranked, key=lambda each: (each.apart is not Apart.NO, each.rank)))


def _apart(event: Event, game: EventGame, seat: int) -> Apart:
    if game.players[seat].startswith("guest:"):
        return Apart.GUEST
    if game.since[seat] >= event.opens:
        return Apart.FIRST_DAY
    return Apart.SEEN if game.seen else Apart.NO


def streak_of(runs: Iterable[tuple[float, float]], opens: float, now: float) -> Streak:
    """On how many days in a row somebody has begun a try: at most, and up to the day that ``opens`` then.

    While that lasts, not to have begun it yet ends nothing. ``runs`` as in ``EventStore.runs``.
    """
    longest = streak = 0
    must_reach = opens - DAY if now < opens + DAY else opens
    for first, last in runs:
        longest = max(longest, 1 + round((last - first) / DAY))
        if first <= opens and last >= must_reach:
            streak = 1 + round((min(last, opens) - first) / DAY)
    return Streak(longest, streak)


def days_in(runs: Iterable[tuple[float, float]]) -> int:
    """Return the number of days in ``runs``."""
    return sum(1 + round((last - first) / DAY) for first, last in runs)


class DayPage(NamedTuple):
    """A day as one person is shown it."""

    day: str
    """Such as ``2025-11-21``."""
    until: float
    """When it can no longer be begun, in seconds since 1970 ..."""
    closes: float
    """... and when it is closed, planned or done."""
    closed: bool
    commitment: str
    """Public from the day before."""
    seed: str
    """Empty while the day is not closed."""
    opponents: tuple[str, ...]
    """The bots' strategies."""
    begun: int
    """The number of tries begun."""
    state: str
    """This person's: ``new`` (may begin), ``begun`` (waits to be gone on with), ``played``, ``missed`` (it is
    over, and was not begun)."""
    guest: bool = False
    """Whether this person is one, and plays out of competition."""
    tries: tuple[Try, ...] = ()
    """The ranking; empty for who may still play, so that nothing of the deal follows from it (``shown``)."""
    tomorrow: str = ""
    """The commitment to the next day's deal, if it is there."""
    streak: int = 0
    """On how many days in a row this person has begun a try, up to this one (``streak_of``) ..."""
    longest: int = 0
    """... and the most days in a row so far."""

    @property
    def event(self) -> str:
        """The id of its event."""
        return f"{_PREFIX}{self.day}"

    @property
    def playable(self) -> bool:
        """Whether this person can begin, or go on."""
        return self.state in ("new", "begun") and not self.closed

    @property
    def shown(self) -> bool:
        """Whether this person may see what others have made of it."""
        return self.state == "played" or self.closed

    def own_try(self, player: str) -> Try | None:
        """The try of the person with this id, if it is shown."""
        return next((each for each in self.tries if each.player == player), None)


class DayPages:
    """The days as people look at them. ``plays`` tells whether somebody's try at a day goes on, or waits."""

    def __init__(
        self, events: EventStore, clock: Clock, plays: Callable[[str, str], Awaitable[bool]]
    ) -> None:
        self._events: Final = events
        self._clock: Final = clock
        self._plays: Final = plays

    async def streak(self, player: str, before: int = 0) -> Streak:
        """On how many days in a row somebody, by id, has begun a try.

        At most, and up to today, or the day so many days ``before``. Nobody's result follows from
        it. Raises ``StoreError``.
        """
        return (await self.played(player, before))[0]

    async def played(self, player: str, before: int = 0) -> tuple[Streak, int]:
        """Return the streak and the number of days played in all. Raises ``StoreError``."""
        now = self._clock.time()
        runs = await self._events.runs(player, KIND)
        opens = opening_of(now - before * DAY)
        return streak_of(runs, opens, now), days_in(runs)

    async def page(self, player: Player, before: int = 0) -> DayPage | None:
        """What this player is shown of today, or of the day so many days ``before``.

        ``None`` where that was not played. Raises ``StoreError``.
        """
        now, who = self._clock.time(), player.id
        event = await self._events.find(event_at(now - before * DAY))
        if event is None:
            return None
        entered = await self._events.entered(event.id)
        if await self._plays(who, event.id):  # on the day, or in the hour after it
            state = "begun"
        elif who in entered:
            state = "played"
        else:
            state = "missed" if now >= event.opens + DAY else "new"
        coming = None if before else await self._events.find(event_at(now + DAY))
        streak = await self.streak(who, before)
        page = DayPage(
            day_of(event.id),
            event.opens + DAY,
            event.closed or event.closes,
            bool(event.closed),
            event.commitment,
            event.seed if event.closed else "",
            tuple(event.state.get("opponents", ())),
            len(entered),
            state,
            player.guest,
            tomorrow=coming.commitment if coming else "",
            streak=streak.now,
            longest=streak.longest,
        )
        if not page.shown:
            return page
        return page._replace(tries=tries_of(event, await self._events.games(event.id)))
