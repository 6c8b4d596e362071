"""One database with one writer: what many tables write at the same time shares one sync to the disk.

Whoever has something to write queues it and waits. While one transaction is being synced, the next one
gathers; so a lone bid costs one sync, and a thousand at once cost little more. Writing and reading run
on threads of their own, because a sync blocks; SQLAlchemy is used in its plain form for the same
reason (its asyncio form hops threads for every statement: measured, three times the CPU for a bid).
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import structlog
from sqlalchemy import Connection, CursorResult, Dialect, Engine, TextClause, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from server.measures import GROUPS, QUICK, Distribution
from server.storage import migrations
from server.storage.store import StoreError

READERS: Final = 2
"""Threads that read."""

T = TypeVar("T")

_log = structlog.get_logger("storage")


class CannotOpen(Exception):
    """The database cannot be used; the message tells an operator why, and the way out."""


class Backend(Protocol):
    """What differs from one database product to the next, all of it."""

    engine: Engine
    """For reading."""
    writer: Engine
    """The same, for transactions that write."""

    def check(self) -> None:
        """See that the database is there and sound. Raises ``CannotOpen``. Blocks."""

    def code_of(self, error: BaseException) -> str:
        """The code of ``StoreError`` for ``error``."""

    def advice(self, code: str) -> str:
        """What an operator can do about such an error."""

    def erase_for_good(self, connection: Connection) -> None:
        """What this connection removes from now on is overwritten, and not only given up."""

    def copy_to(self, target: Path) -> None:
        """Write a consistent copy to ``target``, a path where nothing is. Blocks."""


class Step(NamedTuple):
    """One statement to execute, with named parameters (``:name``)."""

    sql: str
    values: Mapping[str, object]


@dataclass(slots=True)
class _Job:
    done: asyncio.Future[Any]
    lane: str = ""
    steps: Sequence[Step] = ()
    work: Callable[[Connection], object] | None = None


class _Failed(NamedTuple):
    """The answer to a job that failed by itself, while the others were committed."""

    error: Exception


class _Outcome(NamedTuple):
    """What came of a transaction."""

    batch: Sequence[_Job]
    answers: Sequence[object]
    code: str = ""
    error: Exception | None = None
    seconds: float = 0.0


class Database:
    """A database, its writer and its readers. Create it, ``open`` it, in the end ``close`` it."""

    def __init__(self, backend: Backend) -> None:
        self.backend: Final = backend
        self.commits = 0
        """Transactions written since the start."""
        self.jobs = 0
        """Writes that they carried."""
        self.failures = 0
        """Transactions that could not be written."""
        self.probes = 0
        """How often ``probe`` was called."""
        self.seconds: Final = Distribution(QUICK)
        """What transactions took, their wait for the disk included."""
        self.groups: Final = Distribution(GROUPS)
        """How many writes shared one."""
        self._waiting: deque[_Job] = deque()
        self._draining: asyncio.Future[None] | None = None
        self._glances: list[_Job] = []
        self._glancing: asyncio.Task[None] | None = None
        self._writing = ThreadPoolExecutor(1, "storage-writer")
        self._reading = ThreadPoolExecutor(READERS, "storage-reader")
        self._trouble = ""
        self._only_reading = False
        """The trouble is that something could not be read; a write has not been tried since."""
        self._closed = False

    @property
    def trouble(self) -> str:
        """The code of what keeps it from working; empty when nothing does."""
        return "closed" if self._closed else self._trouble

    async def open(self, *, migrate: bool = True) -> None:
        """Check the database and bring its schema up to date. Raises ``CannotOpen``.

        Without ``migrate``, a schema of another version is a reason to refuse.
        """
        await self._on(self._writing, lambda: self._open(migrate))

    async def write(self, lane: str, steps: Sequence[Step]) -> None:
        """Execute ``steps`` all or none; return when they would survive power loss.

        Within a ``lane`` they keep their order, also among several calls; between lanes none is
        promised. Raises ``StoreError``.
        """
        await self._queue(_Job(asyncio.get_running_loop().create_future(), lane, steps))

    async def change(self, work: Callable[[Connection], T]) -> T:
        """Run ``work``, which reads and writes, and return its answer when that would survive power loss.

        It runs on the writer's thread and must not wait for anything. What it raises undoes what it did,
        and is raised here. Raises ``StoreError``, too.
        """
        done = asyncio.get_running_loop().create_future()
        answer: T = await self._queue(_Job(done, work=work))
        return answer

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run ``work``, which only reads, in one transaction. Raises ``StoreError``."""

        def run() -> T:
            with self.backend.engine.begin() as connection:
                return work(connection)

        if self._closed:
            raise StoreError("failed")
        try:
            answer = await self._on(self._reading, run)
        except DBAPIError as error:
            code = self.backend.code_of(error)
            self._note(code, error, reading=True)
            raise StoreError(code) from error
        self._note("", None, reading=True)
        return answer

    async def probe(self) -> None:
        """See whether a little can be written, and take it away again: ``trouble`` is up to date then."""
        self.probes += 1
        with suppress(StoreError):
            await self.write("probe", [Step(sql, {}) for sql in migrations.PROBE])

    async def glance(self, work: Callable[[Connection], T]) -> T:
        """Run ``work``, which reads next to nothing: what others want to glance at in the meantime shares a
        transaction, and a trip to another thread and back. Raises ``StoreError``, and what ``work`` raises.
        """
        if self._closed:
            raise StoreError("failed")
        done = asyncio.get_running_loop().create_future()
        self._glances.append(_Job(done, work=work))
        if not self._glancing:
            self._glancing = asyncio.get_running_loop().create_task(self._look())
        answer: T = await done
        return answer

    async def copy_to(self, target: Path) -> None:
        """Write a consistent copy, while everything goes on."""
        await self._on(self._reading, lambda: self.backend.copy_to(target))

    async def close(self) -> None:
        """Finish what has been asked for, then let go of the database. A second call changes nothing."""
        if self._closed:
            return
        self._closed = True
        while self._draining is not None:
            await asyncio.shield(self._draining)
            await asyncio.sleep(0)  # for ``_drained``, which may begin anew
        while self._glancing:
            await asyncio.shield(self._glancing)
        await self._on(self._writing, self.backend.engine.dispose)
        self._writing.shutdown()
        self._reading.shutdown()

    # ------------------------------------------------------------ the writer

    async def _queue(self, job: _Job) -> Any:
        if self._closed:
            raise StoreError("failed")
        self._waiting.append(job)
        if self._draining is None:
            self._drain(asyncio.get_running_loop())
        return await job.done

    def _drain(self, loop: asyncio.AbstractEventLoop) -> None:
        self._draining = loop.run_in_executor(self._writing, self._write_all, loop)
        self._draining.add_done_callback(self._drained)

    def _drained(self, done: asyncio.Future[None]) -> None:
        self._draining = None
        if self._waiting:  # since the writer has looked
            self._drain(done.get_loop())

    def _write_all(self, loop: asyncio.AbstractEventLoop) -> None:
        """Write, on the writer's thread, until nothing waits: the next transaction does not have to wait
        until the event loop, which may be busy, has heard of the last one.
        """
        while batch := self._taken():
            for outcome in self._written(batch):
                loop.call_soon_threadsafe(self._tell, outcome)

    def _taken(self) -> list[_Job]:
        """All jobs that wait. The event loop's thread adds to them at any time."""
        batch = []
        with suppress(IndexError):
            while True:
                batch.append(self._waiting.popleft())
        return batch

    def _written(self, batch: Sequence[_Job]) -> list[_Outcome]:
        began = time.perf_counter()
        try:
            answers = self._run(batch)
        except Exception as error:
            code = self.backend.code_of(error)
            ours = code == "failed" and not isinstance(error, OperationalError)
            if ours and len(batch) > 1:
                # One of them is our mistake; the others shall not suffer for it.
                return [outcome for job in batch for outcome in self._written([job])]
            answers = [_Failed(StoreError(code)) for _ in batch]
            return [_Outcome(batch, answers, code, error)]
        return [_Outcome(batch, answers, seconds=time.perf_counter() - began)]

    def _tell(self, outcome: _Outcome) -> None:
        if outcome.error is None:
            self.seconds.add(outcome.seconds)
            self.groups.add(len(outcome.batch))
            self.commits += 1
            self.jobs += len(outcome.batch)
        else:
            self.failures += 1
        self._note(outcome.code, outcome.error)
        _answer(outcome.batch, outcome.answers)

    def _run(self, batch: Sequence[_Job]) -> list[object]:
        try:
            with self.backend.writer.begin() as connection:
                for sql, values in gathered((job.lane, job.steps) for job in batch):
                    connection.execute(statement(sql), values)
                return [_work(connection, job) for job in batch]
        except Exception:
            # After a failed sync nothing is known about a connection: the next try gets a fresh one.
            self.backend.engine.dispose()
            raise

    # ------------------------------------------------------------ glances

    async def _look(self) -> None:
        try:
            while self._glances:
                batch, self._glances = self._glances, []
                await self._look_at(batch)
        finally:
            self._glancing = None

    async def _look_at(self, batch: Sequence[_Job]) -> None:
        def run() -> list[object]:
            with self.backend.engine.begin() as connection:
                return [_glance(connection, job) for job in batch]

        try:
            answers = await self._on(self._reading, run)
            self._note("", None, reading=True)
        except Exception as error:
            code = self.backend.code_of(error)
            self._note(code, error, reading=True)
            answers = [_Failed(StoreError(code)) for _ in batch]
        _answer(batch, answers)

    # ------------------------------------------------------------ inside

    def _open(self, migrate: bool) -> None:
        self.backend.check()
        try:
            with self.backend.writer.begin() as connection:
                migrations.run(connection, allowed=migrate)
            with ExitStack() as here:
                # As many as there will ever be in use at once: later there might be no descriptor left.
                for _ in range(1 + READERS):
                    here.enter_context(self.backend.engine.connect())
        except migrations.WrongVersion as wrong:
            raise CannotOpen(str(wrong)) from None
        except DBAPIError as error:
            code = self.backend.code_of(error)
            raise CannotOpen(f"{error.orig}. {self.backend.advice(code)}") from error

    def _note(self, code: str, error: BaseException | None, *, reading: bool = False) -> None:
        """Tell the operator when it stops working, and when it works again; not once a bid."""
        if reading and self._trouble and not self._only_reading:
            return  # that nothing can be written is worse, and only a write shows that it is over
        self._only_reading = reading
        if code == self._trouble:
            return
        self._trouble = code
        if code:
            cause = getattr(error, "orig", None) or error
            advice = self.backend.advice(code)
            _log.error("storage_trouble", code=code, cause=str(cause), advice=advice)
        else:
            _log.info("storage_works_again")

    @staticmethod
    async def _on(pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(pool, work)


def _work(connection: Connection, job: _Job) -> object:
    if not job.work:
        return None
    # Past SQLAlchemy, whose savepoints cost more than most of what is within.
    cursor = connection.connection.cursor()
    cursor.execute("SAVEPOINT work")
    answer: object
    try:
        answer = job.work(connection)
    except IntegrityError as error:
        answer = _Failed(error)
    except DBAPIError:
        raise
    except Exception as error:
        answer = _Failed(error)
    if isinstance(answer, _Failed):
        cursor.execute("ROLLBACK TO SAVEPOINT work")
    cursor.execute("RELEASE SAVEPOINT work")
    cursor.close()
    return answer


def _glance(connection: Connection, job: _Job) -> object:
    assert job.work
    try:
        return job.work(connection)
    except DBAPIError:
        raise
    except Exception as error:
        return _Failed(error)


def _answer(batch: Sequence[_Job], answers: Sequence[object]) -> None:
    for job, answer in zip(batch, answers, strict=True):
        if job.done.done():
            continue  # who asked has gone; it is done all the same
        if isinstance(answer, _Failed):
            job.done.set_exception(answer.error)
        else:
            job.done.set_result(answer)


def gathered(
    jobs: Iterable[tuple[str, Sequence[Step]]],
) -> Iterator[tuple[str, list[Mapping[str, object]]]]:
    """The steps of many lanes as few statements, each with all its values; every lane keeps its order."""
    lanes: dict[str, deque[Step]] = {}
    for lane, steps in jobs:
        if steps:
            lanes.setdefault(lane, deque()).extend(steps)
    while lanes:
        sql = next(iter(lanes.values()))[0].sql
        values = []
        for lane, left in list(lanes.items()):
            while left and left[0].sql == sql:
                values.append(left.popleft().values)
            if not left:
                del lanes[lane]
        yield sql, values


def executed(connection: Connection, sql: str, values: Mapping[str, object]) -> CursorResult[Any]:
    """Execute a statement with named parameters that are plain values, past SQLAlchemy's own way of handing
    them over: that takes as long as a short statement does.
    """
    own, order = _own_form(sql, connection.dialect)
    given = dict(values) if order is None else tuple(values[name] for name in order)
    return connection.exec_driver_sql(own, given)


@lru_cache(256)
def _own_form(sql: str, dialect: Dialect) -> tuple[str, tuple[str, ...] | None]:
    """``sql`` as a database's driver has it, and the order of its parameters where they have no names."""
    compiled = text(sql).compile(dialect=dialect)
    return str(compiled), tuple(compiled.positiontup or ()) if compiled.positional else None


@lru_cache(256)
def statement(sql: str) -> TextClause:
    """``sql`` taken apart, once: doing it anew costs more than a short statement takes to run."""
    return text(sql)
