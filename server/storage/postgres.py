"""Everything that is peculiar to PostgreSQL: connections, what a lost one leaves open, what its errors mean.

Several processes write at the same time, at READ COMMITTED. A statement that changes what it has just
looked at says so in its WHERE; where that is not enough, the rows are locked first (``FOR UPDATE``), or
the tables (``statements.lock_tables``). What deadlocks is undone and done again (``passing``). Each read
is one snapshot.
"""

import secrets
import time
from contextlib import ExitStack, suppress
from typing import Any, Final, TypeVar

import psycopg
import structlog
from psycopg import conninfo, pq
from psycopg.abc import PQGen
from sqlalchemy import Connection, Engine, ExceptionContext, create_engine, event, inspect
from sqlalchemy.exc import DBAPIError, DisconnectionError
from typing_extensions import override

from server.storage import migrations
from server.storage.database import READERS, Backend, CannotOpen, cause_of
from server.storage.primary import Primary, PrimaryConnection
from server.storage.statements import KINDS, execute, sequence_of, stay_patient

CONNECT_SECONDS: Final = 3
"""How long to wait for a connection."""
PATIENCE_SECONDS: Final = 6.0
"""How long to wait for an answer, even of a server that has been stopped and says nothing at all."""
_SERVER_TIMEOUTS: Final = {
    # Far below the lease of a node: others of the same transaction wait for it, too (Database).
    "lock_timeout": "300ms",
    "statement_timeout": "5s",
    # Of a process that was paused in a transaction: others get what it has locked before their leases end.
    "idle_in_transaction_session_timeout": "1s",
}
_MOST_JOBS: Final = 64
"""That share a transaction: with more savepoints PostgreSQL gets slow, and others wait for its locks."""

_USED, _MIGRATED, _KNOWS = 0x7469_6465_0001, 0x7469_6465_0002, 0x7469_6465_1000
"""Advisory locks: held, shared, by whoever is connected; while the schema is brought up to date; held,
shared, by who knows the schema of the version that is added to it.
"""
_OTHERS: Final = f"""
    SELECT MAX(objid::bigint - {_KNOWS & 0xFFFF_FFFF})
    FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND datname = current_database() AND classid::bigint = {_USED >> 32}
    GROUP BY pid
"""
"""The version that each connection knows; negative for those of before they said so."""

WRITER: Final = "writer:"
"""How the kinds in ``numbers`` begin that are the number of the last transaction of one process."""
_WEEK: Final = 7 * 24 * 3600 * 1_000_000

_COLLISIONS: Final = frozenset({"40001", "40P01"})
"""SQLSTATE: could not serialise, deadlock."""
_LOCKED: Final = "55P03"
_CODES: Final = {
    "53100": "full",
    _LOCKED: "locked",
    "57014": "locked",
    "XX001": "damaged",
    "XX002": "damaged",
}
_READ_ONLY: Final = "25006"
_AWAY: Final = ("08", "53", "57P", "25P03", _READ_ONLY)
"""How the codes begin of a server that is not there, or takes no writes."""

_STANDBYS: Final = "SHOW synchronous_standby_names"

_NUMBER: Final = """
    INSERT INTO numbers (kind, last) VALUES (:kind, :last)
    ON CONFLICT (kind) DO UPDATE SET last = excluded.last
"""
_LAST: Final = """
    INSERT INTO numbers (kind, last) VALUES (:kind, 0)
    ON CONFLICT (kind) DO UPDATE SET last = numbers.last RETURNING last
"""
_OF_CRASHED: Final = f"DELETE FROM numbers WHERE kind LIKE '{WRITER}%' AND last < :before"

T = TypeVar("T")
_log = structlog.get_logger("storage")


class _NotConnected(psycopg.OperationalError):
    """There is no connection to be had."""


class _InUse(_NotConnected):
    """It is somebody else's just now."""


class _Connection(PrimaryConnection):
    """One that does not wait for ever: libpq does, for a server that is connected and says nothing."""

    patience = PATIENCE_SECONDS

    @override
    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        try:
            return super().wait(gen, interval, timeout or self.patience)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == pq.TransactionStatus.ACTIVE:
                self.pgconn.finish()  # an answer that comes later would be taken for that of something else
                self.silent()
            raise


class Postgres(Backend):
    """A database of a PostgreSQL server, which several processes may use at the same time.

    A commit whose answer is lost with the connection may have happened or not. So each transaction writes
    its number into a row of this process; ``settle`` reads it again, which waits until the transaction is
    over, and knows.
    """

    most = _MOST_JOBS

    def __init__(self, url: str, *, exclusive: bool = False) -> None:
        """Raises ``CannotOpen`` for what is no such URL."""
        try:
            self._parameters: Final = _parameters(url)
            self._primary = Primary(self._parameters)
        except psycopg.ProgrammingError:
            raise CannotOpen(
                "The URL of the database cannot be read; it must look like "
                "postgresql://USER@HOST:5432/DATABASE, with special characters as %XX."
            ) from None
        self._url: Final = url
        self._kind: Final = f"{WRITER}{secrets.token_hex(8)}"
        self._number = 0
        self.exclusive = exclusive
        """Nobody else may use it, and only ``writer`` can be used: for copying."""
        self.shares_reading = False
        """``engine`` is another one's."""
        self.engine = self._engine(
            READERS, isolation_level="REPEATABLE READ", pool_pre_ping=True
        ).execution_options(postgresql_readonly=True)
        self.writer = self._engine(1, isolation_level="READ COMMITTED")

    @property
    def place(self) -> str:
        """Where it is, for operators; without user and password."""
        host = self._parameters.get("host") or self._parameters.get("hostaddr") or "this machine"
        name = self._parameters.get("dbname") or self._parameters.get("user") or "the user's own"
        return f"PostgreSQL on {host} (database {name})"

    def _engine(self, size: int, **more: Any) -> Engine:
        engine = create_engine(
            "postgresql+psycopg://",
            creator=self._connect,
            pool_size=size,
            max_overflow=0,
            use_native_hstore=False,
            hide_parameters=True,
            **more,
        )
        event.listen(engine, "checkin", _be_impatient)
        event.listen(engine, "handle_error", _look_elsewhere)
        event.listen(engine, "checkout", self._see_that_it_is_not_the_former)
        return engine

    def _connect(self) -> _Connection:
        try:
            made = self._primary.connect(_Connection.connect)
        except psycopg.Error as error:
            raise _NotConnected(str(error).strip()) from None
        try:
            lock = "lock" if self.exclusive else "lock_shared"
            timeouts = "; ".join(f"SET {name} = '{it}'" for name, it in _SERVER_TIMEOUTS.items())
            made.execute(timeouts)
            # "remote_apply", which is more, stays as it is.
            if made.execute("SHOW synchronous_commit").fetchone() in {("off",), ("local",)}:
                made.execute("SET synchronous_commit = on")
            if made.execute(f"SELECT pg_try_advisory_{lock}({_USED})").fetchone() != (True,):
                raise _InUse(
                    "a server, or another program of its kind, is using this database: stop it first"
                    if self.exclusive
                    else "`tide database copy` is using this database now: wait until it is done"
                )
            made.execute(f"SELECT pg_advisory_lock_shared({_KNOWS + migrations.newest()})")
            made.commit()
        except _InUse:
            made.close()
            raise
        except psycopg.Error as error:
            made.close()
            raise _NotConnected(str(error).strip()) from None
        return made

    def _see_that_it_is_not_the_former(self, connection: Any, *_: object) -> None:
        if 0 < connection.timeline < self._primary.timeline:
            raise DisconnectionError  # SQLAlchemy connects again

    @override
    def open(self, *, migrate: bool) -> None:
        try:
            with self.writer.begin() as connection:
                stay_patient(connection)
                self._check(connection)
                if migrate:
                    # Several processes may start at once.
                    execute(connection, f"SELECT pg_advisory_xact_lock({_MIGRATED})")
                there = migrations.checked(connection, migrate=migrate)
                if migrate:
                    self._migrate(connection, there)
            with ExitStack() as here:
                for _ in range(
                    0 if self.exclusive else READERS
                ):  # as many as there will ever be in use at once
                    here.enter_context(self.engine.connect())
        except CannotOpen:
            raise
        except migrations.TooNew as wrong:
            way_out = "use another database, or a copy of before that (docs/upgrading.md)."
            raise CannotOpen(f"{self.place}: {wrong}{way_out}") from None
        except migrations.WrongVersion as wrong:
            raise CannotOpen(f"{self.place}: {wrong}") from None
        except Exception as error:
            if isinstance(cause_of(error), _InUse):
                raise CannotOpen(f"{self.place}: {cause_of(error)}") from None
            reason = self.reason_of(error).rstrip(".?")
            raise CannotOpen(
                f"{self.place} cannot be used: {reason}. See whether it runs and lets this user in "
                "(pg_hba.conf, ~/.pgpass), and whether the database is this user's own."
            ) from error

    def _check(self, connection: Connection) -> None:
        """That it can hold what is written."""
        if (found := execute(connection, "SHOW server_encoding").scalar_one()) != "UTF8":
            raise CannotOpen(
                f"{self.place} is encoded in {found}, which lacks letters of players' names. Make another "
                "one: createdb --template=template0 --encoding=UTF8 tide"
            )
        if execute(connection, "SHOW fsync").scalar_one() != "on":
            _log.warning("database_not_durable", place=self.place, reason="fsync is off")
        if self._primary.several and not execute(connection, _STANDBYS).scalar_one():
            reason = (
                "what a standby does not have yet is lost at a failover (synchronous_standby_names)"
            )
            _log.warning("database_not_durable", place=self.place, reason=reason)

    def _migrate(self, connection: Connection, there: int) -> None:
        if there == 0 and (others := sorted(inspect(connection).get_table_names())):
            raise CannotOpen(
                f"{self.place} holds something else (a table {others[0]}): make a database for the server "
                "alone, with `createdb tide`, and name it."
            )
        if there < migrations.newest():
            known = execute(connection, _OTHERS).scalars()
            if there and any(version < migrations.beside(there) for version in known):
                raise CannotOpen(
                    f"{self.place} has version {there}, and servers of an older release that use it now "
                    f"cannot go on with version {migrations.newest()}: stop them all first "
                    "(docs/upgrading.md)."
                )
            migrations.run(connection)
            if there:
                _log.warning("database_upgraded", old=there, new=migrations.newest(), backup="")
        self.new = there == 0
        for kind in KINDS:
            execute(connection, f"CREATE SEQUENCE IF NOT EXISTS {sequence_of(kind)}")
        execute(connection, _OF_CRASHED, before=time.time_ns() // 1000 - _WEEK)

    # ------------------------------------------------------------ transactions

    @override
    def number(self, connection: Connection) -> int:
        """Of this process alone: in one row for all, they would have to write one after the other."""
        self._number = max(self._number + 1, time.time_ns() // 1000)
        execute(connection, _NUMBER, kind=self._kind, last=self._number)
        return self._number

    @override
    def settle(self, number: int = 0) -> bool:
        with self.writer.begin() as connection:
            return bool(execute(connection, _LAST, kind=self._kind).scalar_one() == number > 0)

    @override
    def another(self) -> "Postgres":
        made = Postgres(self._url)
        made.engine, made.shares_reading = self.engine, True
        made._primary = self._primary
        made.most = 1
        return made

    @override
    def met_lock(self, error: BaseException) -> bool:
        return getattr(cause_of(error), "sqlstate", None) == _LOCKED

    @override
    def wait_for_locks(self, connection: Connection, seconds: float) -> None:
        execute(connection, f"SET LOCAL lock_timeout = {round(1000 * seconds)}")

    @override
    def passing(self, error: BaseException) -> bool:
        cause = cause_of(error)
        if isinstance(cause, _NotConnected):
            return False
        lost = isinstance(error, DBAPIError) and error.connection_invalidated
        code = getattr(cause, "sqlstate", None) or ""
        if isinstance(cause, psycopg.OperationalError):
            lost = lost or not code or code.startswith(("08", "57P", "25P03"))
        return lost or code in _COLLISIONS

    @override
    def code_of(self, error: BaseException) -> str:
        cause = cause_of(error)
        code = getattr(cause, "sqlstate", None) or ""
        if found := _CODES.get(code):
            return found
        if isinstance(cause, _NotConnected) or code.startswith(_AWAY):
            return "unreachable"
        lost = isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError) and not code
        return "unreachable" if lost else "failed"

    @override
    def reason_of(self, error: BaseException) -> str:
        cause = cause_of(error)
        # Its details have the row, which may be somebody's hand.
        diagnosis = cause.diag.message_primary if isinstance(cause, psycopg.Error) else None
        return diagnosis or " ".join(str(cause).split())

    @override
    def advice(self, code: str) -> str:
        advice = {
            "unreachable": f"See whether {self.place} runs, lets this user in (pg_hba.conf, ~/.pgpass), and "
            "takes writes. Games wait, and go on by themselves when it is back.",
            "full": "The disk of PostgreSQL is full: make room there. Games wait until something can be "
            "written again; nothing that was acknowledged is lost.",
            "stuck": f"{self.place} does not answer: see whether it runs and can be reached from here, and "
            "what it waits for (its log, pg_stat_activity, its disk).",
            "locked": "Another program holds a lock in the database for long, or PostgreSQL is overloaded: "
            "see pg_stat_activity.",
            "damaged": "Stop all servers, and see the log of PostgreSQL; put a backup in its place.",
        }
        return advice.get(code, "See the log of PostgreSQL.")

    @override
    def close(self) -> None:
        if self._number:
            with suppress(Exception), self.writer.begin() as connection:
                execute(connection, "DELETE FROM numbers WHERE kind = :kind", kind=self._kind)
        if not self.shares_reading:
            self.engine.dispose()
        self.writer.dispose()


def _be_impatient(connection: Any, _record: object) -> None:
    """After ``stay_patient``."""
    if connection is not None:
        connection.patience = PATIENCE_SECONDS


def _look_elsewhere(context: ExceptionContext) -> None:
    """What only reads since a failover is not the server to write to."""
    if getattr(context.original_exception, "sqlstate", None) == _READ_ONLY:
        context.is_disconnect = True


def _parameters(url: str) -> dict[str, Any]:
    """For ``psycopg.connect``; what is not in it comes from libpq's environment and files. Raises
    ``psycopg.ProgrammingError``.
    """
    if not url.startswith(("postgresql://", "postgres://")):
        raise psycopg.ProgrammingError
    return {
        "connect_timeout": CONNECT_SECONDS,
        "keepalives_idle": 2,
        "keepalives_interval": 1,
        "keepalives_count": 3,
        "tcp_user_timeout": 5000,
        "target_session_attrs": "read-write",
        "application_name": "tide",
        "client_encoding": "UTF8",
        **conninfo.conninfo_to_dict(url),
    }
