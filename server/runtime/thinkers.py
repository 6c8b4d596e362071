"""Bots that think do so in processes of their own (``thinker``), which are started for the first of them."""

import asyncio
import json
import os
import pickle
import sys
from asyncio import Future
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import Any, Final, NamedTuple

import structlog

from engine.bots.review import AnyQuestion
from server.coordinator.table.ports import Asker, Urgency
from server.timers import Tasks

COMMAND: Final = (sys.executable, "-P", "-m", "server.runtime.thinker")
_WORKERS: Final = max(1, min(2, (os.cpu_count() or 1) - 1))
"""One core is the event loop's."""
_WAITING: Final = 1024
"""Most questions that wait: one more replaces one of the address that has asked the most."""
_SECONDS: Final = 20.0
"""A process that takes so long for a bid, or to begin, is ended."""
_TRIES: Final = 3
"""Tries for a bid when the process dies, and processes that are started one after the other."""
_REST: Final = 10.0
"""Seconds from then on before another one is started."""

log = structlog.get_logger("bots")
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


class Thinkers:
    """The processes, and the questions that wait for one. ``think`` is a ``ports.Think``."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command: Final = command
        self._turns: Final = Turns()
        self._asked: Final = asyncio.Event()
        self._count: Final = count()
        self._tasks: Final = Tasks()
        self._deaths = 0
        """Deaths of processes since the last answer."""
        self._failed: Final[set[str]] = set()
        """Why bots could not choose so far: each reason is logged once."""

    def think(self, question: AnyQuestion, asker: Asker) -> asyncio.Future[Any]:
        """What a bot chooses or says of a bid (``ports.Think``)."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        if len(self._turns) >= _WAITING and asker.urgency is not Urgency.COUNTS:
            gone = self._turns.make_room(asker.address)
            if gone is None:
                answer.set_result(0)
                return answer
            gone.answer.set_result(0)
        self._add(Job(next(self._count), question, answer, asker))
        for _ in range(0 if self._tasks else _WORKERS):
            self._tasks.spawn(self._work())
        return answer

    async def aclose(self) -> None:
        """End the processes. What was asked stays without an answer."""
        await self._tasks.end()

    def _add(self, job: Job) -> None:
        self._turns.add(job)
        self._asked.set()

    async def _next(self) -> Job:
        while (job := self._turns.take()) is None:
            self._asked.clear()
            await self._asked.wait()
        return job

    async def _work(self) -> None:
        """Have one process answer one question after the other."""
        process: Process | None = None
        try:
            while True:
                job = await self._next()
                answer = job.answer
                try:
                    process = process or await self._start()
                    found = await self._ask(process, job.question)
                    if not answer.done():
                        answer.set_result(found)
                    continue
                except Exception as error:
                    log.warning("thinker_died", error=type(error).__name__)
                if process is not None:
                    await _end(process)
                    process = None
                if job.asker.urgency is Urgency.COUNTS or job.tries < _TRIES:
                    self._add(job._replace(number=next(self._count), tries=job.tries + 1))
                elif not answer.done():
                    answer.set_result(0)
                self._deaths += 1
                if self._deaths >= _TRIES:
                    await asyncio.sleep(_REST)
        finally:
            if process is not None:
                await _end(process)

    async def _start(self) -> Process:
        # More threads for one bid would only be in the way of others.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        return await asyncio.create_subprocess_exec(
            *self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=environment
        )

    async def _ask(self, process: Process, question: AnyQuestion) -> Any:
        """The answer, or 0. Raises whatever can go wrong with a process; it is of no use then."""
        assert process.stdin is not None
        assert process.stdout is not None
        async with asyncio.timeout(_SECONDS):
            process.stdin.write(pickle.dumps(question))
            line = await process.stdout.readuntil()
        found, why = json.loads(line)
        self._deaths = 0
        if why and why not in self._failed:
            self._failed.add(why)
            log.error("bot_failed", strategy=question.strategy, error=why)
        return found


async def _end(process: Process) -> None:
    if process.returncode is None:
        process.kill()
    await process.communicate()
