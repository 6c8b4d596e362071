"""One database with one writer: what many tables write at the same time shares one sync to the disk.

Whoever has something to write queues it and waits. While one transaction is being synced, the next one
gathers; so a lone bid costs one sync, and a thousand at once cost little more. Writing and reading run
on threads of their own, because a sync blocks.
"""

import asyncio
import random
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

from server.counters_and_histograms import GROUPS, Histogram
from server.problem import Problem
from server.storage.databases.connection import Connection, Pool
from server.storage.databases.migrations import versions
from server.storage.store import StoreError

READERS: Final = 2
"""Threads that read."""

COUNTED: Final = "transactions"
"""The kind of the number (in the table ``numbers``) that says how many transactions were written."""

TRIES: Final = 5
"""Of a transaction that fails for a reason that passes (``Backend.passing``)."""
_PAUSE: Final = 0.05
"""Between them, in seconds, at most: two that were in each other's way do not meet again."""
_LOCKED_SECONDS: Final = 3.0
"""How long a job that has met a lock is tried again, on a connection of its own."""
_HARDLY: Final = 0.01
"""Seconds that jobs wait for locks when another one of their transaction has met one: all wait for each."""

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R", bound="Repository")

_log = structlog.get_logger("storage")


class CannotOpen(Problem):
    """The database cannot be used."""


class Backend:
    """What differs from one database product to the next, all of it; here, where there is nothing to do."""

    errors: ClassVar[type[Exception]]
    """What its driver raises."""
    readers: Pool
    """Connections for transactions that only read."""
    writer: Pool
    """The one for transactions that write."""
    blocks: bool = True
    """Whether it takes its time: then threads wait for it, else everything is done where it is asked for."""
    most: int = sys.maxsize
    """Jobs that share a transaction."""
    new: bool = False
    """There was nothing in it before ``open``."""
    copied: Path | None = None
    """What was there before the schema was brought up to date, if it just was and there is a copy."""

    def another(self) -> "Backend | None":
        """One more connection that writes, one job at a time, for what must not wait with the rest; reading
        is shared. ``None`` where only one can write.
        """
        return None

    def met_lock(self, error: BaseException) -> bool:
        """Whether somebody else had locked for long what a job needed."""
        return False

    def wait_for_locks(self, connection: Connection, seconds: float) -> None:
        """For so long at most, in this transaction."""

    def open(self, *, migrate: bool) -> None:
        """Check the database and bring its schema up to date (``Database.open``). Raises ``CannotOpen``.
        Blocks.
        """

    def number(self, connection: Connection) -> int:
        """Number this transaction; later ones have higher numbers."""
        return connection.next_number(COUNTED)

    def settle(self, number: int = 0) -> bool:
        """After a failed transaction: see to it that what was refused cannot come back, and that what was
        acknowledged is on the disk; whether the one with this number has been written all the same.
        Raises what ``code_of`` knows. Blocks.
        """
        return False

    def passing(self, error: BaseException) -> bool:
        """Whether the same may well succeed if it is done again at once."""
        return False

    def check_in_place(self) -> None:
        """Raise what ``code_of`` knows when the database was taken away since it was opened."""

    def acknowledged(self, number: int) -> None:
        """The transaction with this number is on the disk, and people are going to be told."""

    def checkpoint(self) -> None:
        """Bring what was written lately to where it stays. Raises what ``code_of`` knows. Blocks."""

    def code_of(self, error: BaseException) -> str:
        """The code of ``StoreError`` for ``error``."""
        return "failed"

    def reason_of(self, error: BaseException) -> str:
        """What the driver says of ``error``, without anything that was to be written."""
        return str(error)

    def advice(self, code: str) -> str:
        """What an operator can do about such an error, or writes that are ``stuck``."""
        return ""

    def close(self) -> None:
        """Let go of it. Blocks."""
        self.readers.close()
        self.writer.close()


@dataclass(slots=True)
class _Job:
    work: Callable[[Connection], object]
    done: asyncio.Future[Any]
    asked: float
    answer: object = None
    error: Exception | None = None
    """What it failed with by itself, while the others were committed."""
    seconds: float = 0.0
    """Of the processor's time, that reading has taken."""
    meter: Callable[[float], object] | None = None
    """Is told them, also when whoever asked has gone."""


@dataclass(slots=True)
class _Outcome:
    """What is known of a transaction that is over."""

    jobs: Sequence[_Job]
    error: Exception | None = None
    """Why nothing of it is written. ``None`` if all is, except for jobs that have failed by themselves."""
    passing: bool = False
    """It may well succeed if it is done again."""
    uncertain: bool = False
    """It may be written all the same: nobody can be asked."""
    seconds: float = 0.0
    """That it took."""


class Database:
    """A database, its writer and its readers. Create it, ``open`` it, in the end ``close`` it."""

    def __init__(self, backend: Backend, *, beside: bool = False, patient: bool = False) -> None:
        """``beside`` another one of the same process: says nothing of trouble, which that one tells.
        ``patient``: jobs wait for locks, each by itself.
        """
        self.backend: Final = backend
        self._beside: Final = beside
        self._patient: Final = patient
        self._locked: Database | None = None
        """Where jobs go on that have met a lock; made when there is one."""
        self.failures = 0
        """Transactions that could not be written."""
        self.probes = 0
        """How often ``probe`` was called."""
        self.seconds: Final = Histogram()
        """What transactions took, their wait for the disk included."""
        self.groups: Final = Histogram(GROUPS)
        """How many writes shared one, of those written since the start."""
        self._now: Callable[[], float] = time.monotonic
        self._waiting: deque[_Job] = deque()
        self._unanswered: deque[_Job] = deque()
        """What waits and what is being written, the oldest first. The event loop's alone."""
        self._drained: asyncio.Future[None] | None = None
        """While the writer writes: when it has stopped."""
        self._settled = True
        """What was refused cannot come back, and what was acknowledged is on the disk (``_commit``). The
        writer's alone.
        """
        self._damaged: Exception | None = None
        """What has shown that the database is damaged: nothing is accepted any more, as the next start will
        refuse the file.
        """
        self._writing = ThreadPoolExecutor(1, "storage-writer")
        self._reading = ThreadPoolExecutor(READERS, "storage-reader")
        self._checkpointed = 0
        """How many transactions had been written before the last checkpoint."""
        self._trouble = ""
        self._only_reading = False
        """The trouble is that something could not be read; a write has not been tried since."""
        self._closed = False

    @property
    def trouble(self) -> str:
        """The code of what keeps it from working; empty when nothing does."""
        return "closed" if self._closed else self._trouble

    async def open(self, *, migrate: bool = True) -> None:
        """Check the database and bring its schema up to date, after a copy of it. Raises ``CannotOpen``.

        Without ``migrate``, a schema of another version is a reason to refuse.
        """
        await self._on(self._writing, lambda: self.backend.open(migrate=migrate))

    @property
    def oldest(self) -> float:
        """For how many seconds the oldest write has been waiting; 0 when none is."""
        return self._now() - self._unanswered[0].asked if self._unanswered else 0.0

    def apart(self, *, patient: bool = False) -> "Database":
        """The same with a connection of its own to write, where several may write: what is written there
        waits for nothing that is written here. Whoever asks for it closes it before this one.
        """
        backend = self.backend.another()
        return Database(backend, beside=True, patient=patient) if backend else self

    async def change(self, work: Callable[[Connection], T]) -> T:
        """Run ``work``, which reads and writes, and return its answer when that would survive power loss.

        It runs on the writer's thread and must not wait for anything. What it raises undoes what it did,
        and is raised here. Raises ``StoreError``, too. Where several processes write, ``work`` is undone and
        run again when another one was in its way.
        """
        if self._closed:
            raise StoreError("failed")
        loop = asyncio.get_running_loop()
        job = _Job(work, loop.create_future(), self._now())
        self._ask(job, loop)
        answer: T = await job.done
        return answer

    def _ask(self, job: _Job, loop: asyncio.AbstractEventLoop) -> None:
        self._waiting.append(job)
        self._unanswered.append(job)
        if not self.backend.blocks:
            self._tell(self._write(self._taken()))
        elif self._drained is None:
            self._drain(loop)

    async def read(
        self, work: Callable[[Connection], T], meter: Callable[[float], object] | None = None
    ) -> T:
        """Run ``work``, which only reads, in a transaction; ``meter`` is told how many seconds of the
        processor's time it has taken. Raises ``StoreError``.
        """
        if self._closed:
            raise StoreError("failed")
        loop = asyncio.get_running_loop()
        job = _Job(work, loop.create_future(), self._now(), meter=meter)
        if self.backend.blocks:
            self._reading.submit(self._read_for, loop, job)
        else:
            self._read(job)
            self._answer(job)
        answer: T = await job.done
        return answer

    async def probe(self) -> None:
        """See whether a little can be written, and take it away again: ``trouble`` is up to date then."""
        self.probes += 1
        with suppress(StoreError):
            await self.change(lambda at: [at.execute(sql) for sql in versions.PROBE])

    async def checkpoint(self) -> None:
        """Bring what was written lately to where it stays. What goes wrong is logged."""

        def work() -> None:
            try:
                self.backend.checkpoint()
            except Exception as error:
                self._settled = False
                self._shows_damage(error)
                raise

        commits = self.groups.count
        if not self._closed and self._checkpointed != commits:
            try:
                await self._on(self._writing, work)
                self._checkpointed = commits
            except Exception as error:
                code, cause, advice = self._told_of(error)
                _log.error("storage_checkpoint_failed", code=code, cause=cause, advice=advice)

    async def close(self) -> None:
        """Finish what has been asked for, then let go of the database. A second call changes nothing."""
        if self._closed:
            return
        self._closed = True
        while self._drained is not None:
            await asyncio.shield(self._drained)
        if self._locked is not None:
            await self._locked.close()
        await self._on(self._writing, self.backend.close)
        self._writing.shutdown()
        self._reading.shutdown()

    # ------------------------------------------------------------ the writer

    def _drain(self, loop: asyncio.AbstractEventLoop) -> None:
        self._drained = loop.create_future()
        self._writing.submit(self._write_all, loop)

    def _write_all(self, loop: asyncio.AbstractEventLoop) -> None:
        """Write, on the writer's thread, until nothing waits: the next transaction does not have to wait
        until the event loop, which may be busy, has heard of the last one.
        """
        outcome: _Outcome | None = None
        try:
            while batch := self._taken():
                if outcome is not None:
                    loop.call_soon_threadsafe(self._tell, outcome)
                    outcome = None
                outcome = self._write(batch)
                if outcome.passing and len(batch) > 1:
                    outcome = None
                    # Each by itself: alone it is in nobody's way for long.
                    for job in batch:
                        loop.call_soon_threadsafe(self._tell, self._write([job]))
        finally:
            loop.call_soon_threadsafe(self._stopped, loop, outcome)

    def _stopped(self, loop: asyncio.AbstractEventLoop, last: _Outcome | None) -> None:
        try:
            if last is not None:
                self._tell(last)
        finally:
            drained, self._drained = self._drained, None
            if self._waiting:  # since the writer has looked
                self._drain(loop)
            assert drained is not None
            drained.set_result(None)

    def _taken(self) -> list[_Job]:
        """All jobs that wait, or as many as may share a transaction. The event loop's thread adds to them at
        any time.
        """
        return [self._waiting.popleft() for _ in range(min(len(self._waiting), self.backend.most))]

    def _write(self, batch: Sequence[_Job]) -> _Outcome:
        """Write them all in one transaction; a single one may be tried several times."""
        began = time.perf_counter()
        outcome = self._commit(batch)
        for _ in range(TRIES - 1 if len(batch) == 1 else 0):
            if not outcome.passing:
                break
            time.sleep(random.uniform(0, _PAUSE))
            outcome = self._commit(batch)
        outcome.seconds = time.perf_counter() - began
        return outcome

    def _tell(self, outcome: _Outcome) -> None:
        error = outcome.error
        code = self.backend.code_of(error) if error else ""
        if error is None:
            self.seconds.add(outcome.seconds)
            self.groups.add(len(outcome.jobs))
        else:
            self.failures += 1
        self._note(code, error)
        for job in outcome.jobs:
            self._unanswered.popleft()
            locked = job.error and not self._patient and self.backend.met_lock(job.error)
            if locked and not error:
                self._again(job)
            elif error:
                _finish(job, StoreError(code, uncertain=outcome.uncertain))
            else:
                _finish(job, job.error and self._told(job.error))

    def _again(self, job: _Job) -> None:
        """It has met a lock: apart from the others, whom it would hold up."""
        if self._locked is None:
            self._locked = self.apart(patient=True)
        job.error, job.asked = None, self._now()
        self._locked._ask(job, job.done.get_loop())

    def _told(self, error: Exception) -> Exception:
        """What somebody hears whose job failed with ``error``, while others were written."""
        if not isinstance(error, self.backend.errors):
            return error
        code, cause, advice = self._told_of(error)
        _log.error("storage_job_failed", code=code, cause=cause, advice=advice)
        return StoreError(code)

    def _commit(self, batch: Sequence[_Job]) -> _Outcome:
        """One transaction for them all. When what is known:

        =========  =================================  ===========  ===========  =========
        before     what happens                       the outcome  done again?  after
        =========  =================================  ===========  ===========  =========
        settled    it cannot begin                    not written  if passing   settled
        settled    it is committed                    written                   settled
        settled    it fails; "settle": it is there    written                   settled
        settled    it fails; "settle": it is not      not written  if passing   settled
        settled    it fails, and so does "settle"     uncertain    no           unsettled
        unsettled  "settle" fails                     not written  no           unsettled
        unsettled  "settle" succeeds                  as if it had been settled
        =========  =================================  ===========  ===========  =========

        Unsettled, nothing else is written until it is over.
        """
        try:
            if self._damaged:
                raise self._damaged
            if not self._settled:
                self._settle()
            self.backend.check_in_place()
        except Exception as error:
            self._shows_damage(error)
            return _Outcome(batch, error)
        number = 0
        try:
            with self.backend.writer.transaction() as connection:
                self._settled = False  # from here on it may be on the disk, even if it fails
                self._run(batch, connection)
                number = self.backend.number(connection)
            self._settled = True
        except Exception as error:
            self._shows_damage(error)
            written = False
            if not self._settled:
                with suppress(Exception):
                    written = self._settle(number)
            if not written:
                passing = self._settled and self.backend.passing(error)
                return _Outcome(batch, error, passing, uncertain=not self._settled)
        self.backend.acknowledged(number)
        return _Outcome(batch)

    def _settle(self, number: int = 0) -> bool:
        written = self.backend.settle(number)
        self._settled = True
        return written

    def _run(self, batch: Sequence[_Job], connection: Connection) -> None:
        """Each is undone by itself if it fails."""
        if self._patient:
            left = _LOCKED_SECONDS - (self._now() - batch[0].asked)
            self.backend.wait_for_locks(connection, max(_HARDLY, left))
        alone = len(batch) == 1
        for job in batch:
            self._do(job, connection, alone=alone)
            if job.error and self.backend.met_lock(job.error):
                self.backend.wait_for_locks(connection, _HARDLY)

    def _do(self, job: _Job, connection: Connection, *, alone: bool) -> None:
        # In each statement this thread gives the interpreter away several times, and waits to have it back.
        if not alone:
            connection.execute("SAVEPOINT work")
        job.error = None
        try:
            job.answer = job.work(connection)
        except Exception as error:
            if self._shows_damage(error):
                raise  # the others of this transaction would be lost with the file
            if self.backend.passing(error):
                raise  # what others hold, they would wait for this transaction with
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

    def _shows_damage(self, error: Exception) -> bool:
        """Whether it does; then the first one is kept. On any thread."""
        damaged = (
            isinstance(error, self.backend.errors) and self.backend.code_of(error) == "damaged"
        )
        if damaged and self._damaged is None:
            self._damaged = error
        return damaged

    # ------------------------------------------------------------ the readers

    def _read_for(self, loop: asyncio.AbstractEventLoop, job: _Job) -> None:
        if not job.done.cancelled():  # who asked is still there
            self._read(job)
            loop.call_soon_threadsafe(self._answer, job)

    def _read(self, job: _Job) -> None:
        started = time.thread_time()
        try:
            self.backend.check_in_place()
            with self.backend.readers.transaction() as connection:
                job.answer = job.work(connection)
        except Exception as error:
            self._shows_damage(error)
            job.error = error
        job.seconds = time.thread_time() - started

    def _answer(self, job: _Job) -> None:
        if job.meter is not None:
            job.meter(job.seconds)
        if (error := job.error) is None:
            self._note("", None, reading=True)
        elif isinstance(error, (self.backend.errors, OSError)):
            code = self.backend.code_of(error)
            self._note(code, error, reading=True)
            error = StoreError(code)
        _finish(job, error)

    # ------------------------------------------------------------ inside

    def _note(self, code: str, error: Exception | None, *, reading: bool = False) -> None:
        """Tell the operator when it stops working, and when it works again; not once a bid."""
        if reading and self._trouble and not self._only_reading:
            return  # that nothing can be written is worse, and only a write shows that it is over
        self._only_reading = reading
        if self._damaged:
            code, error = "damaged", self._damaged
        if code == self._trouble:
            return
        self._trouble = code
        if self._beside:
            return
        if error:
            _, cause, advice = self._told_of(error)
            _log.error("storage_trouble", code=code, cause=cause, advice=advice)
        else:
            _log.info("storage_works_again")

    def _told_of(self, error: Exception) -> tuple[str, str, str]:
        """Its code, what the driver says, and what an operator can do."""
        code = self.backend.code_of(error)
        return code, self.backend.reason_of(error), self.backend.advice(code)

    async def _on(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        if not self.backend.blocks:
            return work()
        return await asyncio.get_running_loop().run_in_executor(pool, work)


def _finish(job: _Job, error: Exception | None) -> None:
    if job.done.done():
        return  # who asked has gone; it is done all the same
    if error:
        job.done.set_exception(error)
    else:
        job.done.set_result(job.answer)


class Repository:
    """What is kept of one subject in a ``Database``. Each method is one transaction."""

    def __init__(self, database: Database) -> None:
        self.database: Final = database
        self._meter: Callable[[float], object] | None = None

    def metered(self, meter: Callable[[float], object]) -> Self:
        """The same, and ``meter`` is told what each read takes (``Database.read``)."""
        found = copy(self)
        found._meter = meter
        return found


_Work = Callable[Concatenate[R, Connection, P], T]
_Method = Callable[Concatenate[R, P], Coroutine[Any, Any, T]]


def reads(work: _Work[R, P, T]) -> _Method[R, P, T]:
    """A method that only reads: whoever calls it awaits it, and gives no connection (``Database.read``)."""

    @wraps(work)
    async def method(self: R, /, *args: P.args, **more: P.kwargs) -> T:
        return await self.database.read(lambda it: work(self, it, *args, **more), self._meter)

    return method


def writes(work: _Work[R, P, T]) -> _Method[R, P, T]:
    """A method that reads and writes, called like those that ``reads`` makes (``Database.change``)."""

    @wraps(work)
    async def method(self: R, /, *args: P.args, **more: P.kwargs) -> T:
        return await self.database.change(lambda it: work(self, it, *args, **more))

    return method
