"""Bots that think do so in processes of their own (``thinker``), which are started for the first of them."""

import asyncio
import json
import os
import pickle
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from itertools import count
from typing import Any, Final, NamedTuple

import structlog

from engine.bots.review import AnyQuestion, Decision

COMMAND: Final = (sys.executable, "-P", "-m", "server.runtime.thinker")
_WORKERS: Final = max(1, min(2, (os.cpu_count() or 1) - 1))
"""One core is the event loop's."""
_WAITING: Final = 1024
"""So many bids may wait to be thought of; no more are taken on."""
_SECONDS: Final = 20.0
"""A process that takes so long for a bid, or to begin, is ended."""
_TRIES: Final = 3
"""So often a bid is thought of anew when the process dies, and processes are started one after the other."""
_REST: Final = 10.0
"""Seconds from then on before another one is started."""

log = structlog.get_logger("bots")


class _Job(NamedTuple):
    """In the order in which they are done."""

    apart: bool
    """Nobody at a table waits for it: a review."""
    number: int
    question: AnyQuestion
    answer: asyncio.Future[Any]
    patient: bool
    tries: int = 1


class Thinkers:
    """The processes, and the questions that wait for one. ``think`` is a ``ports.Think``."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command: Final = command
        self._jobs: Final[asyncio.PriorityQueue[_Job]] = asyncio.PriorityQueue()
        self._count: Final = count()
        self._tasks: list[asyncio.Task[None]] = []
        self._deaths = 0
        """Of processes since the last answer."""
        self._failed: Final[set[str]] = set()
        """Why bots could not choose so far: each reason is logged once."""

    def think(self, question: AnyQuestion, patient: bool = False) -> asyncio.Future[Any]:
        """What a bot chooses or says of a bid (``ports.Think``)."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        if self._jobs.qsize() >= _WAITING and not patient:
            answer.set_result(0)
            return answer
        apart = isinstance(question, Decision)
        self._jobs.put_nowait(_Job(apart, next(self._count), question, answer, patient))
        if not self._tasks:
            self._tasks = [loop.create_task(self._work()) for _ in range(_WORKERS)]
        return answer

    async def aclose(self) -> None:
        """End the processes. What was asked stays without an answer."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _work(self) -> None:
        """Have one process answer one question after the other."""
        process: Process | None = None
        try:
            while True:
                job = await self._jobs.get()
                answer = job.answer
                try:
                    if not answer.done():
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
                if job.patient or job.tries < _TRIES:
                    again = job._replace(number=next(self._count), tries=job.tries + 1)
                    self._jobs.put_nowait(again)
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
