"""Connections: they run plain SQL that SQLite and PostgreSQL understand, with named parameters (``:name``).

The drivers run it as it is: for a dozen tables, a library that builds statements is more to read, and takes
longer than the statements.
"""

import json
import re
from collections import deque, namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, ClassVar, Final, Protocol

Values = Mapping[str, object]
_ROWS: Final = 50
"""Rows of one INSERT: SQLite limits the number of values."""

PARAMETER: Final = re.compile(r"(?<![:\w]):(\w+)")
"""A parameter in a statement; the group is its name."""

_NEXT_NUMBER: Final = """
    INSERT INTO numbers (kind, last) VALUES (:kind, 1)
    ON CONFLICT (kind) DO UPDATE SET last = numbers.last + 1 RETURNING last
"""

to_json: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
"""Encode as one line of ASCII. Raises ``TypeError`` or ``ValueError`` for anything but plain data."""


class Cursor(Protocol):
    """A driver's cursor (PEP 249)."""

    @property
    def description(self) -> Sequence[Any] | None: ...
    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


@lru_cache(256)
def row_of(columns: tuple[str, ...]) -> Callable[[Iterable[Any]], Any]:
    """Return a maker of rows with these names, for the row factories of the drivers.

    A column whose name is not valid, or is there twice, is called ``_1`` and so on.
    """
    make: Any = namedtuple  # the columns are not known to mypy
    row: Callable[[Iterable[Any]], Any] = make("Row", columns, rename=True)._make
    return row


class Connection:
    """A connection to a database.

    Where the products differ, this is right for SQLite, which needs no locks: one process writes, one
    transaction at a time.
    """

    errors: ClassVar[type[Exception]]
    """The driver's exceptions."""
    tables: ClassVar[str]
    """A statement that returns the names of all tables."""

    @property
    def usable(self) -> bool:
        """Return whether a transaction can begin on this connection."""
        raise NotImplementedError

    def execute(self, sql: str, values: Values | None = None, /, **more: object) -> Cursor:
        """Run a statement with these values; its rows are named tuples."""
        raise NotImplementedError

    def scalars(self, sql: str, values: Values | None = None, /, **more: object) -> list[Any]:
        """Return the first column of all rows."""
        return [row[0] for row in self.execute(sql, values, **more).fetchall()]

    def scalar(self, sql: str, values: Values | None = None, /, **more: object) -> Any:
        """Return the first column of the first row; ``None`` without one."""
        return next(iter(self.scalars(sql, values, **more)), None)

    def next_number(self, kind: str) -> int:
        """Return a number, from 1, that nothing of this kind (records, bans) has ever had."""
        return int(self.scalar(_NEXT_NUMBER, kind=kind))

    def read(self, sql: str, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a large query, ``size`` at a time."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the connection."""
        raise NotImplementedError

    def lock_rows(self, table: str, key: str, keys: Iterable[str]) -> None:
        """Lock rows until the end of the transaction: they are read as they are now, and stay so."""

    def lock_tables(self, *tables: str) -> None:
        """Keep other transactions from writing to these tables until the end of this one."""

    def stay_patient(self) -> None:
        """Let this transaction take minutes."""

    def overwrite_removed(self) -> None:
        """Overwrite what this connection deletes from now on, instead of only freeing its pages.

        PostgreSQL cannot: there it is overwritten some time after the next VACUUM.
        """

    def run_script(self, script: str) -> None:
        """Run statements, each with ``;`` at the end of its last line."""
        for statement in filter(str.strip, script.split(";\n")):
            self.execute(statement)

    def begin(self, statement: str) -> None:
        """Begin a transaction with this statement."""
        self.execute(statement)

    def commit(self) -> None:
        """Commit the transaction."""
        self.execute("COMMIT")

    def insert(self, table: str, *rows: Values, conflict: str = "") -> int:
        """Insert rows with the same columns; return how many were added, or changed as ``conflict`` says."""
        # Not with `executemany`: psycopg asks for a flush after it, and with that PostgreSQL forgets
        # `idle_in_transaction_session_timeout` until the next statement.
        added = 0
        for first in range(0, len(rows), _ROWS):
            values: dict[str, object] = {}
            marks = []
            for n, row in enumerate(rows[first : first + _ROWS]):
                numbered = {f"{name}_{n}": row[name] for name in rows[0]}
                values |= numbered
                marks.append(f"(:{', :'.join(numbered)})")
            sql = f"INSERT INTO {table} ({', '.join(rows[0])}) VALUES {', '.join(marks)} {conflict}"
            added += self.execute(sql, values).rowcount
        return added

    def upsert(self, table: str, key: str, *rows: Values) -> None:
        """Insert rows, or update those that have the same ``key``."""
        changed = ", ".join(f"{name} = excluded.{name}" for name in rows[0] if name != key)
        self.insert(table, *rows, conflict=f"ON CONFLICT ({key}) DO UPDATE SET {changed}")


class Pool:
    """Connections that threads take in turns: as many as are needed at the same time.

    One that cannot be used any more is closed and replaced.
    """

    def __init__(self, connect: Callable[[], Connection], begin: str = "BEGIN") -> None:
        """Take a function that connects, and the statement that begins each transaction."""
        self._connect: Final = connect
        self._begin: Final = begin
        self._idle: Final[deque[Connection]] = deque()
        self._closed = False

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Run a transaction, which is committed, or rolled back after an exception."""
        connection = self._begun()
        try:
            yield connection
            connection.commit()
        except BaseException:
            with suppress(Exception):  # then it cannot be used any more
                connection.execute("ROLLBACK")
            raise
        finally:
            self._keep(connection)

    @contextmanager
    def idle(self) -> Iterator[Connection]:
        """Lend a connection without a transaction."""
        connection = self._taken() or self._connect()
        try:
            yield connection
        finally:
            self._keep(connection)

    def begin_again(self, connection: Connection) -> None:
        """Roll a transaction back, and begin another one."""
        connection.execute("ROLLBACK")
        connection.begin(self._begin)

    def fill(self, count: int) -> None:
        """Connect until so many are idle."""
        while len(self._idle) < count:
            self._keep(self._connect())

    def close(self) -> None:
        """Close all connections, those in use as soon as they are given back."""
        self._closed = True
        while connection := self._taken():
            connection.close()

    def _begun(self) -> Connection:
        while True:
            known = self._taken()
            connection = known or self._connect()
            try:
                connection.begin(self._begin)
            except Exception:
                lost = not connection.usable
                self._keep(connection)
                if not (known and lost):
                    raise
                # It was lost while nobody used it.
            else:
                return connection

    def _taken(self) -> Connection | None:
        with suppress(IndexError):
            while not (connection := self._idle.pop()).usable:
                connection.close()
            return connection
        return None

    def _keep(self, connection: Connection) -> None:
        if connection.usable and not self._closed:
            self._idle.append(connection)
        else:
            connection.close()
