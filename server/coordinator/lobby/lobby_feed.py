"""What everybody in the lobby sees: made once a change, and told together, in turns, and not too often; who
follows the busiest table; and what somebody is told on coming back who was not connected when it happened.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from server.coordinator.chat_room import Presence
from server.coordinator.clock import Clock, OneTimer
from server.coordinator.feed import Broadcaster, Feed
from server.coordinator.messages import Happening, LobbySnapshot, Player, Status, TableRow
from server.coordinator.table.ports import Listing, TableEnvironment

_CROWD: Final = 200
"""With so many here, whoever comes is shown a list of names that may be ..."""
_RECENT_SECONDS: Final = 1.0
"""... so old: to make it anew for each costs the more the more there are. Everybody is told soon anyway."""

_NEWS_SECONDS: Final = 3600.0
"""So long it is news."""
_MOST_MISSED: Final = 1000


def busiest(rows: Iterable[TableRow], most: int) -> TableRow | None:
    """The table with most people that can be watched, games in progress first, unless ``most`` watch there
    already; ``None`` without any. A game that waits for people whose lines are down is nothing to look at.
    """
    watchable = _watchable(rows, most)
    return max(watchable, key=lambda row: (*_rank(row), row.spectators), default=None)


def next_busiest(rows: Sequence[TableRow], here: str, most: int) -> TableRow | None:
    """The table after the one with the code ``here``, by the same order, and after the last one the first;
    ``None`` where there is no other.
    """
    others = [row for row in _watchable(rows, most) if row.id != here]
    current = next((row for row in rows if row.id == here), None)
    if current is None:
        return max(others, key=_rank, default=None)
    place = _rank(current), current.id
    quieter = [row for row in others if (_rank(row), row.id) < place]
    return max(quieter or others, key=lambda row: (_rank(row), row.id), default=None)


def _rank(row: TableRow) -> tuple[bool, int, bool]:
    """The higher, the busier. Who watches does not count: that changes as somebody looks around."""
    playing = row.status is Status.PLAYING
    return playing and row.present > 0, row.present, playing


def _watchable(rows: Iterable[TableRow], most: int) -> list[TableRow]:
    return [row for row in rows if row.options.spectators.allowed and row.spectators < most]


def moves_on(here: TableRow, best: TableRow) -> bool:
    """Whether who has watched ``here`` for long enough should go to ``best``."""
    if best.id == here.id or best.status is not Status.PLAYING:
        return False
    return here.status is not Status.PLAYING or best.present > here.present


class LobbyFeed:
    """``tables`` and ``here`` (who is connected, by player id) are those of the lobby, as they are now;
    ``lead`` brings who follows to a table, or to the lobby when it is none.
    """

    def __init__(
        self,
        shared: TableEnvironment,
        tables: dict[str, Listing],
        here: Mapping[str, Player],
        lead: Callable[[Presence, str], None],
    ) -> None:
        self.shared: Final = shared
        self._tables: Final = tables
        self._here: Final = here
        self._lead: Final = lead
        self.following: Final[dict[Presence, tuple[str, Status | None, float]]] = {}
        """Who follows the busiest table: where each was found last, what that table did, and since when."""
        self._next_look: Final = OneTimer(shared.clock)
        self._visitors: Final[dict[Presence, None]] = {}
        """Who is in the lobby; some may have gone to a table since."""
        self._rows: tuple[TableRow, ...] | None = None
        self._made: LobbySnapshot | None = None
        """The last snapshot, even when it is no longer true."""
        self._made_at = 0.0
        self._stale = True
        self._broadcaster: Final = Broadcaster(shared.clock, "lobby", self._delay, self._tell)

    def unfollow(self, presence: Presence) -> None:
        """Somebody wants to be elsewhere than at the busiest table."""
        self.following.pop(presence, None)

    def snapshot(self) -> LobbySnapshot:
        """How the lobby looks now."""
        if self._rows is None:
            listed = [each.row for each in reversed(self._tables.values()) if not each.private]
            self._rows = tuple(sorted(listed, key=lambda row: row.place))
        if self._made is None or self._stale:
            here = self._here.values()
            names = tuple([player.name for player in here])
            programs = tuple([player.name for player in here if player.program])
            self._made = LobbySnapshot(self._rows, names, self.shared.closing, programs)
            self._made_at, self._stale = self.shared.clock.time(), False
        return self._made

    def _recent(self) -> LobbySnapshot:
        """How it looks now; in a crowd, the names may be those of a moment ago."""
        made = self._made
        if (
            made is not None
            and len(self._here) >= _CROWD
            and made.tables is self._rows
            and made.closing == self.shared.closing
            and self.shared.clock.time() - self._made_at < _RECENT_SECONDS
        ):
            return made
        return self.snapshot()

    def show(self, presence: Presence, feed: Feed, why: Sequence[Happening]) -> None:
        """Show it to somebody who is in the lobby from now on; ``why`` is to be told."""
        self._visitors[presence] = None
        feed.offer_lobby(self._recent(), why)

    def rows_changed(self) -> None:
        """There are other tables, or they look different."""
        self._rows = None
        self.changed()

    def changed(self) -> None:
        """Tell everybody in the lobby soon, once for all that changes until then."""
        self._stale = True
        self._broadcaster.changed()

    def close(self) -> None:
        """Nobody is told anything any more, nor led anywhere."""
        self._broadcaster.close()
        self.following.clear()
        self._next_look.cancel()

    def _delay(self) -> float:
        timing = self.shared.timing
        return timing.lobby + timing.lobby_each * len(self._visitors)

    def _tell(self) -> Iterator[None]:
        snapshot = self.snapshot()
        self._look()
        for presence in list(self._visitors):
            if presence.table or presence.feed is None:
                self._visitors.pop(presence, None)
            else:
                presence.feed.offer_lobby(snapshot)
            yield

    def _look(self) -> None:
        """Something has changed, or the time has come: lead on whoever should not stay."""
        self._next_look.cancel()
        if not self.following:
            return
        rows = {row.id: row for row in self.snapshot().tables}
        best = busiest(rows.values(), self.shared.limits.spectators)
        now, again = self.shared.clock.time(), float("inf")
        for presence in list(self.following):
            stays_until, to = now, ""
            # A table that has become private is nothing for a screen that anybody sees.
            if not presence.table or presence.table in rows:
                if best is None:
                    continue
                stays_until, to = self._stays_until(presence, rows, best, now), best.id
            if stays_until <= now and not presence.lock.locked():
                self._lead(presence, to)
            again = min(again, max(stays_until, now + 1.0))
        if again < float("inf"):
            self._next_look.start(again, self._look)

    def _stays_until(
        self, presence: Presence, rows: dict[str, TableRow], best: TableRow, now: float
    ) -> float:
        """When to lead this player to ``best``; never, as things are, when that is infinite."""
        if not presence.table:
            return now
        here = rows[presence.table]
        table, status, since = self.following[presence]
        if (table, status) != (here.id, here.status):
            since = now
            self.following[presence] = here.id, here.status, now
        return since + self.shared.timing.follow if moves_on(here, best) else float("inf")


class MissedEvents:
    """Why people have no seat any more, by player id."""

    def __init__(self, clock: Clock) -> None:
        self._clock: Final = clock
        self._kept: Final[dict[str, tuple[Happening, float]]] = {}
        """And until when; the oldest first."""

    def keep(self, player: str, why: Happening) -> None:
        """For when this player comes back."""
        now = self._clock.time()
        self._kept.pop(player, None)
        self._kept[player] = why, now + _NEWS_SECONDS
        while len(self._kept) > _MOST_MISSED or next(iter(self._kept.values()))[1] <= now:
            del self._kept[next(iter(self._kept))]

    def take(self, player: str) -> tuple[Happening, ...]:
        """What there is to tell, once."""
        why, until = self._kept.pop(player, (None, 0.0))
        return (why,) if why is not None and until > self._clock.time() else ()

    def __contains__(self, player: str) -> bool:
        return player in self._kept and self._kept[player][1] > self._clock.time()
