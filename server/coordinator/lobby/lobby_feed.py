"""What everybody in the lobby sees: made once a change, and told together, in turns, and not too often; and
what somebody is told on coming back who was not connected when it happened.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from server.coordinator.clock import Clock
from server.coordinator.feed import Broadcaster, Feed, Presence
from server.coordinator.messages import Happening, LobbySnapshot, TableRow
from server.coordinator.table.ports import Listing, TableEnvironment

_CROWD: Final = 200
"""With so many here, whoever comes is shown a list of names that may be ..."""
_RECENT_SECONDS: Final = 1.0
"""... so old: to make it anew for each costs the more the more there are. Everybody is told soon anyway."""

_NEWS_SECONDS: Final = 3600.0
"""So long it is news."""
_MOST_MISSED: Final = 1000


class LobbyFeed:
    """``tables`` and ``names`` (of who is connected, by player id) are those of the lobby, as they are now;
    ``telling`` is called whenever what has changed is about to be told.
    """

    def __init__(
        self,
        shared: TableEnvironment,
        tables: dict[str, Listing],
        names: Mapping[str, str],
        telling: Callable[[], None],
    ) -> None:
        self._shared: Final = shared
        self._tables: Final = tables
        self._names: Final = names
        self._before: Final = telling
        self._visitors: Final[dict[Presence, None]] = {}
        """Who is in the lobby; some may have gone to a table since."""
        self._rows: tuple[TableRow, ...] | None = None
        self._snapshot: LobbySnapshot | None = None
        self._made: LobbySnapshot | None = None
        """The last one, even when it is no longer true."""
        self._made_at = 0.0
        self._broadcaster: Final = Broadcaster(shared.clock, "lobby", self._delay, self._tell)

    def __len__(self) -> int:
        """How many are told."""
        return len(self._visitors)

    def snapshot(self) -> LobbySnapshot:
        """How the lobby looks now."""
        if self._rows is None:
            listed = [each.row for each in reversed(self._tables.values()) if not each.private]
            self._rows = tuple(sorted(listed, key=lambda row: row.place))
        if self._snapshot is None:
            names = tuple(self._names.values())
            self._snapshot = self._made = LobbySnapshot(self._rows, names, self._shared.closing)
            self._made_at = self._shared.clock.time()
        return self._snapshot

    def _recent(self) -> LobbySnapshot:
        """How it looks now; in a crowd, the names may be those of a moment ago."""
        made = self._made
        if (
            made is not None
            and len(self._names) >= _CROWD
            and made.tables is self._rows
            and made.closing == self._shared.closing
            and self._shared.clock.time() - self._made_at < _RECENT_SECONDS
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
        self._snapshot = None
        self._broadcaster.changed()

    def close(self) -> None:
        """Nobody is told anything any more."""
        self._broadcaster.close()

    def _delay(self) -> float:
        timing = self._shared.timing
        return timing.lobby + timing.lobby_each * len(self._visitors)

    def _tell(self) -> Iterator[None]:
        snapshot = self.snapshot()
        self._before()
        for presence in list(self._visitors):
            if presence.table or presence.feed is None:
                self._visitors.pop(presence, None)
            else:
                presence.feed.offer_lobby(snapshot)
            yield


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
