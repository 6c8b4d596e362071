"""Screens that follow the busiest table: they move on by themselves, and wait when there is none."""

from collections.abc import Callable, Iterable
from typing import Final

from server.coordinator.clock import OneTimer
from server.coordinator.feed import Presence
from server.coordinator.messages import Status, TableRow
from server.coordinator.table.ports import TableEnvironment


def busiest(rows: Iterable[TableRow], most: int) -> TableRow | None:
    """The table with most people that can be watched, games in progress first, unless ``most`` watch there
    already; ``None`` without any. A game that waits for people whose lines are down is nothing to look at.
    """

    def rank(row: TableRow) -> tuple[bool, int, bool, int]:
        playing = row.status is Status.PLAYING
        return playing and row.present > 0, row.present, playing, row.spectators

    watchable = [row for row in rows if row.options.spectators.allowed and row.spectators < most]
    return max(watchable, key=rank, default=None)


def moves_on(here: TableRow, best: TableRow) -> bool:
    """Whether who has watched ``here`` for long enough should go to ``best``."""
    if best.id == here.id or best.status is not Status.PLAYING:
        return False
    return here.status is not Status.PLAYING or best.present > here.present


class Followers:
    """Who follows. ``rows`` are the tables that are listed now; ``lead`` brings somebody to one of them, or
    to the lobby when it is none.
    """

    def __init__(
        self,
        shared: TableEnvironment,
        rows: Callable[[], tuple[TableRow, ...]],
        lead: Callable[[Presence, str], None],
    ) -> None:
        self._shared: Final = shared
        self._rows: Final = rows
        self._lead: Final = lead
        self._places: Final[dict[Presence, tuple[str, Status | None, float]]] = {}
        """The table where each was found last, what it did, and since when."""
        self._timer: Final = OneTimer(shared.clock)

    def __contains__(self, presence: object) -> bool:
        return presence in self._places

    def add(self, presence: Presence) -> None:
        """From now on this player follows; ``look`` has to come."""
        self._places[presence] = "", None, 0.0

    def drop(self, presence: Presence) -> None:
        """The player has other plans. Harmless for who does not follow."""
        self._places.pop(presence, None)

    def close(self) -> None:
        """Nobody is led anywhere any more."""
        self._places.clear()
        self._timer.cancel()

    def look(self) -> None:
        """Something has changed, or the time has come: lead on whoever should not stay."""
        self._timer.cancel()
        if not self._places:
            return
        rows = {row.id: row for row in self._rows()}
        best = busiest(rows.values(), self._shared.limits.spectators)
        now, again = self._shared.clock.time(), float("inf")
        for presence in list(self._places):
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
            self._timer.start(again, self.look)

    def _stays_until(
        self, presence: Presence, rows: dict[str, TableRow], best: TableRow, now: float
    ) -> float:
        """When to lead this player to ``best``; never, as things are, when that is infinite."""
        if not presence.table:
            return now
        here = rows[presence.table]
        table, status, since = self._places[presence]
        if (table, status) != (here.id, here.status):
            since = now
            self._places[presence] = here.id, here.status, now
        return since + self._shared.timing.follow if moves_on(here, best) else float("inf")
