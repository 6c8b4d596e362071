"""What a table has to do and when: one clock timer a table, however much is planned."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from server.coordinator.clock import Clock, Timer


class TimerKind(StrEnum):
    """What is to be done."""

    BID = "bid"
    """A bot bids for its seat, or for an absent player's."""
    TIME_UP = "time_up"
    """The bids of a round were due."""
    REPLACEABLE = "replaceable"
    """From now on the others may vote about an absent player, or without him or her."""
    FREE_SEAT = "free_seat"
    """Nobody came back for a seat at an open table."""
    COUNT = "count"
    """Votes, and wishes for another game, are counted again: what they led to could not be written down, or
    somebody was waited for."""
    NOBODY = "nobody"
    """Nobody has been here for long: suspend, end or close."""


class RoundEpoch(NamedTuple):
    """What a plan was made for; when the table has moved on, the plan is stale and ignored."""

    game: int
    stage: int
    round: int
    pauses: int


class Task(NamedTuple):
    """Something that is due."""

    kind: TimerKind
    seat: int
    moment: RoundEpoch | None


def _nobody() -> None:
    """There is nobody to wake."""


class Agenda:
    """Plans by kind and seat; ``wake`` is called when one comes due."""

    def __init__(self, clock: Clock, wake: Callable[[], None]) -> None:
        self._clock = clock
        self._wake = wake
        self._plans: dict[tuple[TimerKind, int], tuple[float, RoundEpoch | None]] = {}
        self._timer: Timer | None = None
        self._armed = float("inf")

    def plan(
        self, when: float, kind: TimerKind, seat: int = -1, moment: RoundEpoch | None = None
    ) -> None:
        """Plan it; an earlier plan of this kind for this seat is dropped."""
        self._plans[kind, seat] = (when, moment)
        self._arm()

    def drop(self, kind: TimerKind, seat: int = -1) -> None:
        """It need not be done. Harmless when it was not planned."""
        self._plans.pop((kind, seat), None)

    def when(self, kind: TimerKind, seat: int = -1) -> float | None:
        """When it is planned for; ``None`` when it is not."""
        plan = self._plans.get((kind, seat))
        return plan[0] if plan else None

    def clear(self, kind: TimerKind | None = None) -> None:
        """Drop everything, or everything of a kind."""
        for key in [key for key in self._plans if kind in (None, key[0])]:
            del self._plans[key]

    def due(self) -> list[Task]:
        """Take out what is due, earliest first."""
        now = self._clock.time()
        found = sorted(
            (when, kind, seat, moment)
            for (kind, seat), (when, moment) in self._plans.items()
            if when <= now
        )
        for _, kind, seat, _ in found:
            del self._plans[kind, seat]
        self._armed = float("inf")
        self._arm()
        return [Task(kind, seat, moment) for _, kind, seat, moment in found]

    def close(self) -> None:
        """Drop everything, the clock's timer, and who would be woken."""
        self._plans.clear()
        self._wake = _nobody
        if self._timer:
            self._timer.cancel()

    def _arm(self) -> None:
        soonest = min((when for when, _ in self._plans.values()), default=float("inf"))
        # A timer that fires for nothing is cheaper than moving it with every plan.
        if soonest < self._armed:
            if self._timer:
                self._timer.cancel()
            self._armed = soonest
            self._timer = self._clock.call_at(soonest, self._wake)
