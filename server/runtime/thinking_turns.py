"""The order in which bots think for players: each address and each person has a turn."""

from asyncio import Future
from collections import Counter
from itertools import count
from typing import Any, Final, NamedTuple

from engine.bots.review import AnyQuestion
from server.coordinator.table.ports import Asker, Urgency

_REMEMBERED: Final = 2_000
"""Addresses and people whose last turn is remembered."""


class Job(NamedTuple):
    """A question that waits."""

    number: int
    """Increases with each question."""
    question: AnyQuestion
    answer: Future[Any]
    """Done, too, as soon as nobody waits for it any more."""
    asker: Asker
    tries: int = 1


class Turns:
    """The queue of questions.

    Bids that count come before everything else, and reviews after it. Otherwise addresses take turns, and at
    an address its people: first the one with the oldest last turn, then the one with the most urgent
    question, then the one who asked first. So a flood of questions delays only its own.
    """

    def __init__(self) -> None:
        self._jobs: list[Job] = []
        self._number: Final = count(1)
        self._last: Final[dict[tuple[str, ...], int]] = {}
        """The last turn of an address, and of a person there; the latest last."""

    def __len__(self) -> int:
        return len(self._jobs)

    def add(self, job: Job) -> None:
        """Add a question."""
        self._jobs.append(job)

    def take(self) -> Job | None:
        """Remove and return the next question that somebody still waits for, or ``None``."""
        self._forget()
        job = min(self._jobs, key=self._place, default=None)
        if job is not None:
            self._jobs.remove(job)
            for who in _who(job):
                self._last.pop(who, None)
                self._last[who] = next(self._number)
            while len(self._last) > _REMEMBERED:
                del self._last[next(iter(self._last))]
        return job

    def make_room(self, address: str) -> Job | None:
        """Remove and return the last question of the address with the most, for one of ``address``.

        Returns ``None`` if that address has as many.
        """
        self._forget()
        may_go = [job for job in self._jobs if job.asker.urgency is not Urgency.COUNTS]
        waiting = Counter(job.asker.address for job in may_go)
        if max(waiting.values(), default=0) <= waiting[address]:
            return None
        job = max(
            may_go, key=lambda job: (waiting[job.asker.address], job.asker.urgency, job.number)
        )
        self._jobs.remove(job)
        return job

    def _forget(self) -> None:
        self._jobs = [job for job in self._jobs if not job.answer.done()]

    def _place(self, job: Job) -> tuple[int, ...]:
        apart = {Urgency.COUNTS: -1, Urgency.REVIEW: 1}.get(job.asker.urgency, 0)
        turns = (self._last.get(who, 0) for who in _who(job))
        return apart, *turns, job.asker.urgency, job.number


def _who(job: Job) -> tuple[tuple[str, ...], ...]:
    """Return the keys of the address and of the person that have a turn with ``job``."""
    return (job.asker.address,), (job.asker.address, job.asker.person)
