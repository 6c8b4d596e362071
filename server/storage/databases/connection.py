"""What statements run on: plain SQL that SQLite and PostgreSQL understand, with named parameters (``:name``).

It is run by the drivers themselves. For a dozen tables, anything that builds statements is more to read,
and takes longer than they run.
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
"""Rows that one statement adds: few enough values for every SQLite."""

PARAMETER: Final = re.compile(r"(?<![:\w]):(\w+)")
"""A parameter in a statement, and its name."""

_NEXT_NUMBER: Final = """
    INSERT INTO numbers (kind, last) VALUES (:kind, 1)
    ON CONFLICT (kind) DO UPDATE SET last = numbers.last + 1 RETURNING last
"""

to_json: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
"""Encode as one line of ASCII. Raises ``TypeError`` or ``ValueError`` for what is no plain data."""


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
    """Make a row with these names, for the row factories of the drivers.

    Those that are none, or are there twice, become ``_1`` and so on.
    """
    make: Any = namedtuple  # which columns there are is not known before
    row: Callable[[Iterable[Any]], Any] = make("Row", columns, rename=True)._make
    return row


class Connection:
    """A connection to a database.

    Where the two products differ, it says what is SQLite's: one process writes, one transaction at a
    time, so there is nothing to lock.
    """

    errors: ClassVar[type[Exception]]
    """What its driver raises."""
    tables: ClassVar[str]
    """The statement that names the tables there are."""

    @property
    def usable(self) -> bool:
        """Return whether another transaction can begin on it."""
        raise NotImplementedError

    def execute(self, sql: str, values: Values | None = None, /, **more: object) -> Cursor:
        """Run a statement with these values; its rows are tuples with the names of the columns."""
        raise NotImplementedError

    def scalars(self, sql: str, values: Values | None = None, /, **more: object) -> list[Any]:
        """Return the first column of all rows."""
        return [row[0] for row in self.execute(sql, values, **more).fetchall()]

    def scalar(self, sql: str, values: Values | None = None, /, **more: object) -> Any:
        """Return the first column of the first row; ``None`` without one."""
        return next(iter(self.scalars(sql, values, **more)), None)

    def next_number(self, kind: str) -> int:
        """Return a number that nothing of this kind has ever had, as records or bans; from 1."""
        return int(self.scalar(_NEXT_NUMBER, kind=kind))

    def read(self, sql: str, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a large query, ``size`` at a time."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of it."""
        raise NotImplementedError

    def lock_rows(self, table: str, key: str, keys: Iterable[str]) -> None:
        """Until the end of the transaction, have no other one change these rows.

        What is read of them after this is as it is now.
        """

    def lock_tables(self, *tables: str) -> None:
        """Until the end of the transaction, have no other one write to these tables."""

    def stay_patient(self) -> None:
        """This transaction may take minutes."""

    def overwrite_removed(self) -> None:
        """Overwrite what this connection removes from now on, instead of only giving it up.

        PostgreSQL has no such thing: there it is overwritten some time after the next VACUUM.
        """

    def run_script(self, script: str) -> None:
        """Run statements, each with ``;`` at the end of its last line."""
        for statement in filter(str.strip, script.split(";\n")):
            self.execute(statement)

    def begin(self, statement: str) -> None:
        """Begin a transaction with this statement."""
        self.execute(statement)

    def commit(self) -> None:
        """Keep what the transaction has changed."""
        self.execute("COMMIT")

    def insert(self, table: str, *rows: Values, conflict: str = "") -> int:
        """Add rows, all with the same columns; how many were added, or changed as ``conflict`` says."""
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
        """Add rows, or change these columns of those that have the same ``key``."""
        changed = ", ".join(f"{name} = excluded.{name}" for name in rows[0] if name != key)
        self.insert(table, *rows, conflict=f"ON CONFLICT ({key}) DO UPDATE SET {changed}")


class Pool:
    """Connections that threads use in turns, one for each of those that need one at the same time.

    What is of no more use is closed, and another one made.
    """

    def __init__(self, connect: Callable[[], Connection], begin: str = "BEGIN") -> None:
        """``begin`` is how each transaction begins."""
        self._connect: Final = connect
        self._begin: Final = begin
        self._idle: Final[deque[Connection]] = deque()
        self._closed = False

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Run a transaction on a connection: it is committed as a whole, or rolled back."""
        connection = self._begun()
        try:
            yield connection
            connection.commit()
        except BaseException:
            with suppress(Exception):  # then it is of no more use
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
        """Undo what its transaction has done so far."""
        connection.execute("ROLLBACK")
        connection.begin(self._begin)

    def fill(self, count: int) -> None:
        """Have so many at least, all of them idle."""
        while len(self._idle) < count:
            self._keep(self._connect())

    def close(self) -> None:
        """Let go of them; of those in use, as soon as they are not."""
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
