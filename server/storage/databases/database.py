"""A database with one writer: what many tables write at the same time shares one sync to the disk.

Writes are queued. While one transaction is being synced, the jobs of the next one gather; so a lone bid costs
one sync, and a thousand at once cost little more. Writing and reading run on threads of their own, because a
sync blocks.

An error before COMMIT is certain: the write is refused, and may be tried again. If it is unknown whether a
COMMIT took effect, or the database is damaged, no job is answered: the process ends, and the next one finds
in the database what is true.
"""

import asyncio
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, ClassVar, Concatenate, Final, ParamSpec, Self, TypeVar

import structlog

from server import Problem, StoreError, logs
from server.counters import GROUPS, Histogram
from server.storage.databases.connection import Connection, Pool
from server.storage.databases.migrations import versions

READERS: Final = 2
"""Threads that read."""

BEAT_SECONDS: Final = 1.0
"""Maximum time between two writes of a server that another one may replace."""

UNKNOWN: Final = 4
"""Exit status if it is unknown what was committed: start the server again."""
DAMAGED: Final = 5
"""Exit status if the database is damaged or was removed: starting again does not help."""

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R", bound="Repository")

_log = structlog.get_logger("storage")


class CannotOpen(Problem):
    """The database cannot be used."""


class InUse(CannotOpen):
    """A server is using it."""


class Damaged(CannotOpen):
    """The database is damaged, or was replaced since it was opened."""

    status: ClassVar = DAMAGED


class Unknown(Problem):
    """The outcome of a COMMIT is unknown."""

    status: ClassVar = UNKNOWN


def end_process(problem: Problem) -> None:
    """End the process at once with the status of ``problem``, and say why.

    Nothing is closed: the last connection to a file would remove its log.
    """
    logs.drain()
    with suppress(OSError, AttributeError):
        print(f"tide: {problem}", file=sys.stderr, flush=True)
    os._exit(problem.status)


class Backend:
    """All that differs between the database products, with defaults that do nothing."""

    errors: ClassVar[type[Exception]]
    """The driver's exceptions."""
    readers: Pool
    """Connections for transactions that only read."""
    writer: Pool
    """The connection for transactions that write."""
    blocks: bool = True
    """Whether its calls block, and so run on threads."""
    most: int = sys.maxsize
    """Maximum number of jobs that share a transaction."""
    new: bool = False
    """Whether ``open`` has created it."""
    copied: Path | None = None
    """The copy that ``open`` has made before it changed the schema."""

    beats: bool = False
    """Whether another server may take it over if nothing is written for long (``Database.beat``)."""
    patience: float = sys.maxsize
    """Seconds after which the outcome of a waiting write is taken for unknown."""

    @property
    def term(self) -> int:
        """Return a number that grows with each server that uses it; 0 if all are on one machine."""
        return 0

    def open(self, *, migrate: bool) -> None:
        """Check the database and bring its schema up to date (``Database.open``).

        Blocks. Raises ``CannotOpen``.
        """

    def transaction_id(self, connection: Connection) -> str:
        """Return an id of this transaction for ``was_written``. Raises ``errors`` if it is over already."""
        if connection.usable:
            raise self.errors("the transaction that was to be committed is over")
        return ""

    def was_written(self, error: Exception, transaction: str) -> bool:
        """Return whether a transaction whose COMMIT raised ``error`` took effect. Raises ``Unknown``."""
        raise Unknown(self.told(error, "unknown"))

    def check_in_place(self) -> None:
        """Raise ``Damaged`` if it was removed or replaced since it was opened."""

    def checkpoint(self) -> None:
        """Merge the write-ahead log into the database. Blocks. Raises ``errors``."""

    def code_of(self, error: BaseException) -> str:
        """Return the code of ``StoreError`` for ``error``."""
        return "failed"

    def reason_of(self, error: BaseException) -> str:
        """Return the driver's message without any data."""
        return str(error)

    def advice(self, code: str) -> str:
        """Return what an operator can do about this code, also about ``stuck`` and ``unknown``."""
        return ""

    def told(self, error: BaseException, code: str) -> str:
        """Return a line that says what is wrong and what to do."""
        return f"{self.reason_of(error).rstrip('.')}. {self.advice(code)}"

    def close(self) -> None:
        """Close all connections. Blocks."""
        self.readers.close()
        self.writer.close()


@dataclass(slots=True)
class _Job:
    work: Callable[[Connection], object]
    done: asyncio.Future[Any]
    asked: float
    answer: object = None
    error: Exception | None = None
    """The failure of this job alone, while the others were committed."""
    seconds: float = 0.0
    """Processor time of a read."""
    meter: Callable[[float], object] | None = None
    """Called with these seconds, also if the caller has gone."""


@dataclass(slots=True)
class _Outcome:
    """The outcome of a transaction."""

    jobs: Sequence[_Job]
    error: Exception | None = None
    """Why nothing was written. ``None`` if everything was, except for jobs that failed alone."""
    seconds: float = 0.0
    """Duration of the transaction."""


class Database:
    """A database with its writer and its readers, to be opened with ``open`` and closed with ``close``."""

    def __init__(self, backend: Backend) -> None:
        self.backend: Final = backend
        self.lost: Problem | None = None
        """Why nothing is read, written or answered any more."""
        self.when_lost: Callable[[Problem], object] = end_process
        """Called on the event loop when the database is lost."""
        self.failures = 0
        """Number of transactions that failed."""
        self.probes = 0
        """Number of calls of ``probe``."""
        self.seconds: Final = Histogram()
        """Durations of transactions, including the sync."""
        self.groups: Final = Histogram(GROUPS)
        """Jobs per transaction."""
        self._now: Callable[[], float] = time.monotonic
        self._waiting: deque[_Job] = deque()
        self._unanswered: deque[_Job] = deque()
        """Jobs that wait or are being written, the oldest first. For the event loop only."""
        self._drained: asyncio.Future[None] | None = None
        """Done when the writer has stopped; ``None`` while it does not run."""
        self._writing = ThreadPoolExecutor(1, "storage-writer")
        self._reading = ThreadPoolExecutor(READERS, "storage-reader")
        self._checkpointed = 0
        """Number of transactions before the last checkpoint."""
        self._trouble = ""
        self._only_reading = False
        """Whether the trouble is with a read, and no write has been tried since."""
        self._closed = False

    @property
    def trouble(self) -> str:
        """Return the code of what keeps it from working; empty for nothing."""
        return "lost" if self.lost else "closed" if self._closed else self._trouble

    async def open(self, *, migrate: bool = True) -> None:
        """Check the database and bring its schema up to date, after a copy of it. Raises ``CannotOpen``.

        Without ``migrate``, a schema of another version is a reason to refuse.
        """
        await self._on(self._writing, lambda: self.backend.open(migrate=migrate))

    @property
    def oldest(self) -> float:
        """Return how many seconds the oldest write has been waiting; 0 for none."""
        return self._now() - self._unanswered[0].asked if self._unanswered else 0.0

    async def change(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in a transaction, and return its answer once that would survive power loss.

        It runs on the writer's thread and must not wait for anything. Its exception undoes what it did, and
        is raised here. Raises ``StoreError`` if nothing was written.
        """
        if self._closed:
            raise StoreError("failed")
        loop = asyncio.get_running_loop()
        job = _Job(work, loop.create_future(), self._now())
        self._waiting.append(job)
        self._unanswered.append(job)
        if self.lost:
            pass
        elif not self.backend.blocks:
            self._tell(self._write())
        elif self._drained is None:
            self._drain(loop)
        answer: T = await job.done
        return answer

    async def read(
        self, work: Callable[[Connection], T], meter: Callable[[float], object] | None = None
    ) -> T:
        """Run ``work``, which only reads, in a transaction. Raises ``StoreError``.

        ``meter`` is called with the seconds of processor time.
        """
        if self._closed:
            raise StoreError("failed")
        loop = asyncio.get_running_loop()
        job = _Job(work, loop.create_future(), self._now(), meter=meter)
        if self.lost:
            pass
        elif self.backend.blocks:
            self._reading.submit(self._read_for, loop, job)
        else:
            self._read(job)
            self._answer(job)
        answer: T = await job.done
        return answer

    async def probe(self) -> None:
        """Write something and delete it again, which updates ``trouble``."""
        self.probes += 1
        with suppress(StoreError):
            await self.change(lambda at: [at.execute(sql) for sql in versions.PROBE])

    async def beat(self) -> None:
        """Run an empty transaction, so that a standby sees that this server lives. Raises ``StoreError``."""
        if self.backend.beats:
            await self.change(lambda _: None)

    async def checkpoint(self) -> None:
        """Merge the write-ahead log into the database. An error is logged."""
        commits = self.groups.count
        if self._closed or self.lost or self._checkpointed == commits:
            return
        try:
            await self._on(self._writing, self.backend.checkpoint)
            self._checkpointed = commits
        except Exception as error:
            code, cause, advice = self._told_of(error)
            _log.error("storage_checkpoint_failed", code=code, cause=cause, advice=advice)
            if code == "damaged":
                self.end(Damaged(self.backend.told(error, code)))

    def end(self, problem: Problem) -> None:
        """Stop reading, writing and answering: the process has to end."""
        if self.lost is None:
            self.lost = problem
            _log.error("storage_lost", status=problem.status, reason=str(problem))
            self.when_lost(problem)

    async def close(self) -> None:
        """Finish all jobs, then close the database. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        while self._drained is not None:
            await asyncio.shield(self._drained)
        if self.lost is None:
            await self._on(self._writing, self._reading.shutdown)
            await self._on(self._writing, self.backend.close)
        self._writing.shutdown(wait=self.lost is None)
        self._reading.shutdown(wait=False)

    # ------------------------------------------------------------ the writer

    def _drain(self, loop: asyncio.AbstractEventLoop) -> None:
        self._drained = loop.create_future()
        self._writing.submit(self._write_all, loop)

    def _write_all(self, loop: asyncio.AbstractEventLoop) -> None:
        """Write, on the writer's thread, until no job waits.

        The next transaction does not have to wait for the event loop, which may be busy.
        """
        outcome: _Outcome | None = None
        try:
            while self.lost is None and self._waiting:
                if outcome is not None:
                    loop.call_soon_threadsafe(self._tell, outcome)
                    outcome = None
                outcome = self._write()
                if isinstance(outcome.error, Problem):
                    break
        finally:
            loop.call_soon_threadsafe(self._stopped, loop, outcome)

    def _stopped(self, loop: asyncio.AbstractEventLoop, last: _Outcome | None) -> None:
        try:
            if last is not None:
                self._tell(last)
        finally:
            drained, self._drained = self._drained, None
            if self._waiting and self.lost is None:  # since the writer has looked
                self._drain(loop)
            assert drained is not None
            drained.set_result(None)

    def _write(self) -> _Outcome:
        """Write all waiting jobs, or as many as may share a transaction.

        The event loop's thread adds jobs at any time.
        """
        count = min(len(self._waiting), self.backend.most)
        batch = [self._waiting.popleft() for _ in range(count)]
        began, transaction = time.perf_counter(), None
        try:
            with self.backend.writer.transaction() as connection:
                for job in batch:
                    self._do(job, connection, alone=len(batch) == 1)
                transaction = self.backend.transaction_id(connection)
            self.backend.check_in_place()
        except Exception as error:
            if (failure := self._outcome_of(error, transaction)) is not None:
                return _Outcome(batch, failure)
        return _Outcome(batch, seconds=time.perf_counter() - began)

    def _outcome_of(self, error: Exception, transaction: str | None) -> Exception | None:
        """Return the failure of a transaction; one with an id failed in its COMMIT.

        Returns ``None`` if it took effect all the same, and a ``Problem`` if that is unknown.
        """
        try:
            if self._is_damage(error):
                raise Damaged(self.backend.told(error, "damaged"))
            if transaction is None or isinstance(error, Problem):
                return error
            return None if self.backend.was_written(error, transaction) else error
        except Problem as problem:
            return problem

    def _tell(self, outcome: _Outcome) -> None:
        error = outcome.error
        if isinstance(error, Problem):
            self.end(error)
        if self.lost:
            return
        code = self.backend.code_of(error) if error else ""
        if error is None:
            self.seconds.add(outcome.seconds)
            self.groups.add(len(outcome.jobs))
        else:
            self.failures += 1
        self._note(code, error)
        for job in outcome.jobs:
            self._unanswered.popleft()
            _finish(job, StoreError(code) if error else job.error and self._told(job.error))

    def _told(self, error: Exception) -> Exception:
        """Return the exception for the caller of a job that failed alone."""
        if not isinstance(error, self.backend.errors):
            return error
        code, cause, advice = self._told_of(error)
        _log.error("storage_job_failed", code=code, cause=cause, advice=advice)
        return StoreError(code)

    def _do(self, job: _Job, connection: Connection, *, alone: bool) -> None:
        # In each statement this thread gives the interpreter away several times, and waits to have it back.
        if not alone:
            connection.execute("SAVEPOINT work")
        try:
            job.answer = job.work(connection)
        except Exception as error:
            if self._is_damage(error):
                raise
            try:
                if alone:
                    self.backend.writer.begin_again(connection)
                else:
                    connection.execute("ROLLBACK TO SAVEPOINT work")
            except Exception:
                raise error from None  # with the savepoint the whole transaction has gone
            job.error = error
        if not alone:
            connection.execute("RELEASE SAVEPOINT work")

    def _is_damage(self, error: Exception) -> bool:
        return isinstance(error, self.backend.errors) and self.backend.code_of(error) == "damaged"

    # ------------------------------------------------------------ the readers

    def _read_for(self, loop: asyncio.AbstractEventLoop, job: _Job) -> None:
        if not job.done.cancelled():  # the caller is still there
            self._read(job)
            loop.call_soon_threadsafe(self._answer, job)

    def _read(self, job: _Job) -> None:
        started = time.thread_time()
        try:
            self.backend.check_in_place()
            with self.backend.readers.transaction() as connection:
                job.answer = job.work(connection)
        except Exception as error:
            job.error = error
        job.seconds = time.thread_time() - started

    def _answer(self, job: _Job) -> None:
        if job.meter is not None:
            job.meter(job.seconds)
        if (error := job.error) is not None and self._is_damage(error):
            error = Damaged(self.backend.told(error, "damaged"))
        if isinstance(error, Damaged):
            self.end(error)
        if self.lost:
            return
        if error is None:
            self._note("", None, reading=True)
        elif isinstance(error, (self.backend.errors, OSError)):
            code = self.backend.code_of(error)
            self._note(code, error, reading=True)
            error = StoreError(code)
        _finish(job, error)

    # ------------------------------------------------------------ inside

    def _note(self, code: str, error: Exception | None, *, reading: bool = False) -> None:
        """Log when the database stops working and when it works again, and not for each bid."""
        if reading and self._trouble and not self._only_reading:
            return  # trouble with writing is worse, and only a write shows that it is over
        self._only_reading = reading
        if code == self._trouble:
            return
        self._trouble = code
        if error:
            code, cause, advice = self._told_of(error)
            _log.error("storage_trouble", code=code, cause=cause, advice=advice)
        else:
            _log.info("storage_works_again")

    def _told_of(self, error: Exception) -> tuple[str, str, str]:
        """Return the error's code, the driver's message, and what an operator can do."""
        code = self.backend.code_of(error)
        return code, self.backend.reason_of(error), self.backend.advice(code)

    async def _on(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        if not self.backend.blocks:
            return work()
        return await asyncio.get_running_loop().run_in_executor(pool, work)


def _finish(job: _Job, error: Exception | None) -> None:
    if job.done.done():
        return  # the caller has gone; it is done all the same
    if error:
        job.done.set_exception(error)
    else:
        job.done.set_result(job.answer)


class Repository:
    """Store of one subject in a ``Database``. Each method is one transaction."""

    def __init__(self, database: Database) -> None:
        self.database: Final = database
        self._meter: Callable[[float], object] | None = None

    def metered(self, meter: Callable[[float], object]) -> Self:
        """Return a copy whose reads are reported to ``meter`` (``Database.read``)."""
        found = copy(self)
        found._meter = meter
        return found


_Work = Callable[Concatenate[R, Connection, P], T]
_Method = Callable[Concatenate[R, P], Coroutine[Any, Any, T]]


def reads(work: _Work[R, P, T]) -> _Method[R, P, T]:
    """Make an awaitable method of one that reads from a connection (``Database.read``)."""

    @wraps(work)
    async def method(self: R, /, *args: P.args, **more: P.kwargs) -> T:
        return await self.database.read(lambda it: work(self, it, *args, **more), self._meter)

    return method


def writes(work: _Work[R, P, T]) -> _Method[R, P, T]:
    """Make an awaitable method of one that reads and writes on a connection (``Database.change``)."""

    @wraps(work)
    async def method(self: R, /, *args: P.args, **more: P.kwargs) -> T:
        return await self.database.change(lambda it: work(self, it, *args, **more))

    return method
