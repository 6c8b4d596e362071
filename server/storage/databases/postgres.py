"""The backend for PostgreSQL: connections, the outcome of a lost COMMIT, the meaning of errors.

One server uses the database, but commands such as `tide forget` write beside it, at READ COMMITTED. A
statement that changes what was read before repeats the condition in its WHERE; where that is not enough, the
rows (``FOR UPDATE``) or tables (``lock_tables``) are locked first. A transaction that waits for a lock for
long, or deadlocks, is refused. Each read is one snapshot.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, Final

import psycopg
import structlog
from psycopg import conninfo, pq
from typing_extensions import override

from server.storage.databases.connection import PARAMETER, Connection, Cursor, Pool, Values, row_of
from server.storage.databases.database import READERS, Backend, CannotOpen, InUse, Unknown
from server.storage.databases.migrations import versions

CONNECT_SECONDS: Final = 3
"""Maximum time for connecting."""
_SERVER_TIMEOUTS: Final = {
    # The other jobs of the transaction wait, too.
    "lock_timeout": "1s",
    "statement_timeout": "5s",
    # A process that was paused in a transaction loses its locks.
    "idle_in_transaction_session_timeout": "1s",
}

_USED, _SERVED = 0x7469_6465_0001, 0x7469_6465_0002
"""Advisory locks: one shared by all connections, and one held by the writing connection of the server."""
_TERM_NOW: Final = "SELECT last FROM numbers WHERE kind = 'servers'"
"""Query for the number of servers that have used the database."""
SILENT_SECONDS: Final = 3.0
"""A server that has not written for this long is ended by a standby, which replaces it."""
_END: Final = f"""
    SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND objid = {_SERVED & 0xFFFF_FFFF} AND granted AND (pid = :pid
        OR state LIKE 'idle%' AND state_change < clock_timestamp() - make_interval(secs => :silent))
"""

_BEGIN_COUNTING: Final = "INSERT INTO numbers VALUES ('writes', 0) ON CONFLICT DO NOTHING"
_COUNT: Final = "UPDATE numbers SET last = last + 1 WHERE kind = 'writes' RETURNING last"
_COUNTED: Final = "UPDATE numbers SET last = last WHERE kind = 'writes' RETURNING last"
ASK_SECONDS: Final = 60.0
"""How long to ask for the outcome of a COMMIT, while PostgreSQL may be restarted."""
_ASK_AGAIN: Final = 0.2

_CODES: Final = {
    "53100": "full",
    "55P03": "locked",
    "57014": "locked",
    "40P01": "locked",
    "XX001": "damaged",
    "XX002": "damaged",
}
_AWAY: Final = ("08", "57P", "25P03", "25006", "53")
"""Prefixes of codes for a server that is away, too busy, or read-only since a failover."""

_WAY_OUT: Final = "use another database, or a copy of before that (docs/upgrading.md)."

_log = structlog.get_logger("storage")


class _NotConnected(psycopg.OperationalError):
    """No connection could be made."""


class _InUse(_NotConnected):
    """Another program uses the database."""


class _Served(_InUse):
    """Another server uses the database."""


class PostgresConnection(Connection):
    """A connection of psycopg in autocommit mode."""

    errors: ClassVar = psycopg.Error
    tables: ClassVar = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"

    def __init__(self, driver: "psycopg.Connection[Any]") -> None:
        self.driver: Final = driver

    @property
    @override
    def usable(self) -> bool:
        return self.driver.pgconn.transaction_status == pq.TransactionStatus.IDLE

    @override
    def execute(self, sql: str, values: Values | None = None, /, **more: object) -> Cursor:
        try:
            return self.driver.execute(_own_form(sql), {**(values or {}), **more})
        except psycopg.errors.ReadOnlySqlTransaction:
            self.driver.close()  # it is read-only since a failover: another server has to be found
            raise

    @override
    def read(self, sql: str, size: int) -> Iterator[list[tuple[Any, ...]]]:
        # To a cursor without a name, PostgreSQL sends all rows at once.
        with self.driver.cursor("read") as cursor:
            cursor.execute(_own_form(sql), {})
            while rows := cursor.fetchmany(size):
                yield rows

    @override
    def lock_rows(self, table: str, key: str, keys: Iterable[str]) -> None:
        sql = f"SELECT 1 FROM {table} WHERE {key} = :it FOR UPDATE"
        for it in sorted(set(keys)):  # all in the same order, against deadlocks
            self.execute(sql, it=it)

    @override
    def lock_tables(self, *tables: str) -> None:
        self.execute(f"LOCK TABLE {', '.join(tables)} IN SHARE ROW EXCLUSIVE MODE")

    @override
    def stay_patient(self) -> None:
        for name in ("statement_timeout", "idle_in_transaction_session_timeout"):
            self.execute(f"SET LOCAL {name} = '10min'")
        self.execute("SET LOCAL lock_timeout = '1min'")

    @override
    def run_script(self, script: str) -> None:
        # As in SQLite: integers of 64 bits, and texts that are compared by code points.
        wide = re.sub(r"\bINTEGER\b", "BIGINT", script)
        super().run_script(re.sub(r"\bTEXT\b", 'TEXT COLLATE "C"', wide))

    @override
    def close(self) -> None:
        self.driver.close()


def _row(cursor: Any) -> Callable[[Iterable[Any]], Any]:
    return row_of(tuple([column.name for column in cursor.description or ()]))


def _own_form(sql: str) -> str:
    """Return a statement with parameters in psycopg's form."""
    return PARAMETER.sub(r"%(\1)s", sql.replace("%", "%%"))


class Postgres(Backend):
    """A PostgreSQL database, which one server and several commands may use at the same time.

    If the connection is lost during COMMIT, the transaction may have taken effect or not. So the last
    statement of each transaction counts it, and the number is read on a new connection. (Transaction ids and
    ``pg_xact_status`` would not do: after a crash or a failover an id may be given again.)
    """

    errors: ClassVar = PostgresConnection.errors
    most = 64
    """With more savepoints PostgreSQL gets slow, and holds its locks for long."""
    patience = ASK_SECONDS

    def __init__(self, url: str, *, exclusive: bool = False, serves: bool = False) -> None:
        """Take the URL; a server that ``serves`` keeps every other one out.

        Raises ``CannotOpen`` if it is not a valid URL.
        """
        try:
            self._parameters: Final = _parameters(url)
        except psycopg.ProgrammingError:
            raise CannotOpen(
                "The URL of the database cannot be read; it must look like "
                "postgresql://USER@HOST:5432/DATABASE, with special characters as %XX."
            ) from None
        self.exclusive = exclusive
        """Keep everybody else out, for copying; then only ``writer`` can be used."""
        self._serves: Final = serves
        self.beats = serves
        self._writes = 0
        """The PostgreSQL process of the writing connection."""
        self._term = 0
        self._refused = False
        """Whether another server was using it at the last attempt."""
        self.readers = Pool(self._connect, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        self.writer = Pool(self._connect_to_write, "BEGIN ISOLATION LEVEL READ COMMITTED")

    @property
    def place(self) -> str:
        """Return where it is, for operators, without user and password."""
        host = self._parameters.get("host") or self._parameters.get("hostaddr") or "this machine"
        name = self._parameters.get("dbname") or self._parameters.get("user") or "the user's own"
        return f"PostgreSQL on {host} (database {name})"

    @property
    @override
    def term(self) -> int:
        return self._term

    def _connect(self) -> PostgresConnection:
        made: psycopg.Connection[Any] | None = None
        try:
            made = psycopg.connect(**self._parameters, row_factory=_row)
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
        except psycopg.Error as error:
            if made:
                made.close()
            if isinstance(error, _InUse):
                raise
            raise _NotConnected(str(error).strip()) from None
        return PostgresConnection(made)

    def _connect_to_write(self) -> PostgresConnection:
        """Connect; a server keeps every other one out as long as this connection lasts."""
        made = self._connect()
        try:
            if self._serves:
                self._keep_others_out(made)
        except BaseException:
            made.close()
            raise
        return made

    def _keep_others_out(self, connection: Connection) -> None:
        waits = self._refused and not self.term
        free, ended = True, False
        try:
            if waits:
                free = connection.scalar(f"SELECT pg_try_advisory_lock({_SERVED})")
            else:
                connection.execute(f"SELECT pg_advisory_lock({_SERVED})")
        except psycopg.errors.LockNotAvailable:
            free = False
        if not free:
            self._check_term(connection)
            # It may be our own lock, of a lost connection that PostgreSQL still takes for alive.
            ended = any(connection.scalars(_END, pid=self._writes, silent=SILENT_SECONDS))
        if waits or not free:
            # A standby takes the lock only if it is free at two attempts: the former server, which keeps its
            # players' connections, reconnects or starts its spare coordinator sooner than that. A server
            # that was ended for its silence does not.
            self._refused = not (free or ended)
            raise _Served(
                "another server is using this database: stop it first, or give this one a database of its own"
            )
        self._writes = connection.scalar("SELECT pg_backend_pid()")
        self._check_term(connection)

    def _check_term(self, connection: Connection) -> None:
        if self._term and connection.scalar(_TERM_NOW) != self._term:
            raise Unknown(f"{self.place}: another server has used this database meanwhile.")

    @override
    def open(self, *, migrate: bool) -> None:
        try:
            with self.writer.transaction() as connection:
                connection.stay_patient()
                self._check(connection)
                there = versions.checked(connection, migrate=migrate, way_out=_WAY_OUT)
                if migrate:
                    self._migrate(connection, there)
                if self._serves:
                    self._term = connection.next_number("servers")
                    connection.execute(_BEGIN_COUNTING)
            # As many as will ever be used at the same time.
            self.readers.fill(0 if self.exclusive else READERS)
        except CannotOpen:
            raise
        except _Served as wrong:
            raise InUse(f"{self.place}: {wrong}") from None
        except (versions.WrongVersion, _InUse) as wrong:
            raise CannotOpen(f"{self.place}: {wrong}") from None
        except Exception as error:
            reason = self.reason_of(error).rstrip(".?")
            raise CannotOpen(
                f"{self.place} cannot be used: {reason}. See whether it runs and lets this user in "
                "(pg_hba.conf, ~/.pgpass), and whether the database is this user's own."
            ) from error

    def _check(self, connection: Connection) -> None:
        """Check that the database can store everything, and durably. Raises ``CannotOpen``."""
        if (found := connection.scalar("SHOW server_encoding")) != "UTF8":
            raise CannotOpen(
                f"{self.place} is encoded in {found}, which lacks letters of players' names. Make another "
                "one: createdb --template=template0 --encoding=UTF8 tide"
            )
        if connection.scalar("SHOW fsync") != "on":
            _log.warning("database_not_durable", place=self.place, reason="fsync is off")
        standbys = connection.scalar("SHOW synchronous_standby_names")
        if "," in self._parameters.get("host", "") and not standbys:
            reason = (
                "what a standby does not have yet is lost at a failover (synchronous_standby_names)"
            )
            _log.warning("database_not_durable", place=self.place, reason=reason)

    def _migrate(self, connection: Connection, there: int) -> None:
        if there == 0 and (others := sorted(connection.scalars(connection.tables))):
            raise CannotOpen(
                f"{self.place} holds something else (a table {others[0]}): make a database for the server "
                "alone, with `createdb tide`, and name it."
            )
        if there < versions.newest():
            versions.run(connection)
            if there:
                _log.warning("database_upgraded", old=there, new=versions.newest(), backup="")
        self.new = there == 0

    # ------------------------------------------------------------ transactions

    @override
    def transaction_id(self, connection: Connection) -> str:
        return str(connection.scalar(_COUNT)) if self._serves else ""

    @override
    def was_written(self, error: Exception, transaction: str) -> bool:
        until = time.monotonic() + ASK_SECONDS
        while transaction and time.monotonic() < until:
            # This UPDATE waits for the transaction if it is not over, and for a synchronous standby, so that
            # no failover undoes the answer.
            try:
                with self.writer.transaction() as connection:
                    last = connection.scalar(_COUNTED)
            except psycopg.Error:
                time.sleep(_ASK_AGAIN)
            else:
                return bool(last >= int(transaction))
        return super().was_written(error, transaction)

    @override
    def code_of(self, error: BaseException) -> str:
        code = getattr(error, "sqlstate", None) or ""
        lost = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and not code
        away = lost or code.startswith(_AWAY)
        return _CODES.get(code) or ("unreachable" if away else "failed")

    @override
    def reason_of(self, error: BaseException) -> str:
        # The details contain the row, which may be a hand of cards.
        diagnosis = error.diag.message_primary if isinstance(error, psycopg.Error) else None
        return diagnosis or " ".join(str(error).split())

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
            "unknown": f"What was written last may have been kept or not, and {self.place} cannot tell. "
            "Nothing that was acknowledged is lost. Start the server again (tide serve): it finds out.",
            "damaged": "Stop all servers, and see the log of PostgreSQL; put a backup in its place.",
        }
        return advice.get(code, "See the log of PostgreSQL.")


def _parameters(url: str) -> dict[str, Any]:
    """Return parameters for ``psycopg.connect``; others come from libpq's environment and files.

    Raises ``psycopg.ProgrammingError``.
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
        "autocommit": True,  # transactions are ours
        **conninfo.conninfo_to_dict(url),
    }
