"""In which order bots think for those who wait: each address and each person has a turn."""

from asyncio import Future
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from engine.bots.review import AnyQuestion
from server.coordinator.table.ports import Asker, Urgency


class Job(NamedTuple):
    """A question that waits."""

    number: int
    """In the order in which they were asked."""
    question: AnyQuestion
    answer: Future[Any]
    """Done as soon as nobody waits for it any more."""
    asker: Asker
    tries: int = 1


class Turns:
    """Questions that wait, and whose turn it is.

    Bids that count come before everything else, and reviews after it. Between them there are rounds, in each
    of which every address that waits has one question answered, and at an address every person: first whose
    is the most urgent, then whoever has asked first. So whoever asks for much waits for that alone.
    """

    def __init__(self) -> None:
        self._jobs: list[Job] = []
        self._addresses: Final = _Rounds()
        self._people: dict[str, _Rounds] = {}
        """By address."""

    def __len__(self) -> int:
        return len(self._jobs)

    def add(self, job: Job) -> None:
        """It waits from now on."""
        self._jobs.append(job)

    def take(self) -> Job | None:
        """The next question; ``None`` when there is none that somebody still waits for."""
        self._forget()
        waiting = defaultdict[str, list[Job]](list)
        for job in self._jobs:
            waiting[job.asker.address].append(job)
        if not waiting:
            return None
        self._addresses.begin(waiting)
        self._people = {address: self._people.get(address) or _Rounds() for address in waiting}
        for address, jobs in waiting.items():
            self._people[address].begin(job.asker.person for job in jobs)
        job = min((min(jobs, key=self._place) for jobs in waiting.values()), key=self._place)
        self._jobs.remove(job)
        self._addresses.served(job.asker.address)
        self._people[job.asker.address].served(job.asker.person)
        return job

    def make_room(self, address: str) -> Job | None:
        """Give up the last question of the address that has asked the most, for one of another ``address``.

        ``None`` where that one has asked as many.
        """
        self._forget()
        may_go = [job for job in self._jobs if job.asker.urgency is not Urgency.COUNTS]
        waiting = Counter(job.asker.address for job in may_go)
        most = max(waiting.values(), default=0)
        if most <= waiting[address]:
            return None
        job = max(
            (job for job in may_go if waiting[job.asker.address] == most),
            key=lambda job: (job.asker.urgency, job.number),
        )
        self._jobs.remove(job)
        return job

    def _forget(self) -> None:
        self._jobs = [job for job in self._jobs if not job.answer.done()]

    def _place(self, job: Job) -> tuple[int, ...]:
        address, person, urgency = job.asker.address, job.asker.person, job.asker.urgency
        apart = {Urgency.COUNTS: -1, Urgency.REVIEW: 1}.get(urgency, 0)
        rounds = self._addresses.of(address), self._people[address].of(person)
        return apart, *rounds, urgency, job.number


class _Rounds:
    """In which round each of them has the next turn."""

    def __init__(self) -> None:
        self._now = 0
        self._next: dict[str, int] = {}
        """Turns of those who have had one in this round."""

    def begin(self, waiting: Iterable[str]) -> None:
        """These wait: a new round begins when all of them have had their turn."""
        self._now = min(map(self.of, waiting))
        self._next = {who: number for who, number in self._next.items() if number > self._now}

    def of(self, who: str) -> int:
        """Return the turn of ``who``; a newcomer begins with the running round."""
        return self._next.get(who, self._now)

    def served(self, who: str) -> None:
        """This was their turn."""
        self._next[who] = self.of(who) + 1
