"""How statements are run: plain SQL that SQLite and PostgreSQL understand, with named parameters (``:name``).

Only ``FOR UPDATE`` SQLite does not know, and does not need: one process writes, one transaction at a time.
So it never gets to see that.

SQLAlchemy brings connections, transactions and errors, and knows how each driver writes parameters.
Statements are not built with it: for a dozen tables, that is more to read, and takes longer than they run.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Connection, CursorResult, Dialect, text

Values = Mapping[str, object]
_NONE: Final[Values] = {}
_ROWS: Final = 50
"""That one statement adds, so that their values are few enough for every SQLite."""


def execute(
    connection: Connection, sql: str, values: Values = _NONE, /, **more: object
) -> "CursorResult[*tuple[Any, ...]]":
    """Run a statement with these values."""
    own, order = _own_form(sql, connection.dialect)
    return connection.exec_driver_sql(own, _bound({**values, **more}, order))


def insert(connection: Connection, table: str, *rows: Values, conflict: str = "") -> int:
    """Add rows, all with the same columns; how many were added, or changed as ``conflict`` says."""
    added = 0
    for first in range(0, len(rows), _ROWS):
        some = rows[first : first + _ROWS]
        names = tuple(some[0])
        # Not with `executemany`: psycopg asks for a flush after it, and with that PostgreSQL forgets
        # `idle_in_transaction_session_timeout` until the next statement.
        marks = ", ".join(
            f"({', '.join(f':{name}_{n}' for name in names)})" for n in range(len(some))
        )
        values = {f"{name}_{n}": row[name] for n, row in enumerate(some) for name in names}
        sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES {marks} {conflict}"
        added += execute(connection, sql, values).rowcount
    return added


def upsert(connection: Connection, table: str, key: str, *rows: Values) -> None:
    """Add rows, or change these columns of those that have the same ``key``."""
    changed = ", ".join(f"{name} = excluded.{name}" for name in rows[0] if name != key)
    insert(connection, table, *rows, conflict=f"ON CONFLICT ({key}) DO UPDATE SET {changed}")


def any_of(values: Sequence[object]) -> tuple[str, Values]:
    """What stands in the brackets of ``IN (...)``, and its values."""
    named = {f"it{number}": value for number, value in enumerate(values)}
    return ", ".join(f":{name}" for name in named), named


def _bound(values: Values, order: tuple[str, ...] | None) -> Any:
    return values if order is None else tuple([values[name] for name in order])


@lru_cache(256)
def _own_form(sql: str, dialect: Dialect) -> tuple[str, tuple[str, ...] | None]:
    """``sql`` as a database's driver has it, and the order of its parameters where they have no names."""
    if dialect.name == "sqlite":
        sql = sql.replace(" FOR UPDATE", "")
    compiled = text(sql).compile(dialect=dialect)
    return str(compiled), tuple(compiled.positiontup or ()) if compiled.positional else None


def to_json(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """One line of ASCII. Raises ``TypeError`` or ``ValueError`` for what is no plain data."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def next_number(connection: Connection, kind: str) -> int:
    """One that nothing of this kind, one of ``KINDS``, has ever had."""
    if connection.dialect.name == "sqlite":
        return int(execute(connection, _COUNT, kind=kind).scalar_one())
    # Where several processes write, none has to wait for another one's transaction.
    return int(execute(connection, f"SELECT nextval('{sequence_of(kind)}')").scalar_one())


KINDS: Final = ("tables", "records", "audit", "bans", "reports", "visits")
"""Of what is numbered."""

_COUNT: Final = """
    INSERT INTO numbers (kind, last) VALUES (:kind, 1)
    ON CONFLICT (kind) DO UPDATE SET last = numbers.last + 1 RETURNING last
"""


def sequence_of(kind: str) -> str:
    """What has the last number of this kind on PostgreSQL, in place of its row in ``numbers``."""
    return f"numbers_{kind}"


def lock_rows(connection: Connection, table: str, key: str, keys: Iterable[str]) -> None:
    """Until the end of the transaction, have no other one change these rows: what is read of them after
    this is as it is now.
    """
    if connection.dialect.name != "sqlite":
        sql = f"SELECT 1 FROM {table} WHERE {key} = :it FOR UPDATE"
        for it in sorted(set(keys)):  # all in the same order, so that nobody waits for each other
            execute(connection, sql, it=it)


def lock_tables(connection: Connection, *tables: str) -> None:
    """Until the end of the transaction, have no other one write to these tables."""
    if connection.dialect.name != "sqlite":
        execute(connection, f"LOCK TABLE {', '.join(tables)} IN SHARE ROW EXCLUSIVE MODE")


def stay_patient(connection: Connection) -> None:
    """This transaction may take minutes."""
    if connection.dialect.name != "sqlite":
        for name in ("statement_timeout", "idle_in_transaction_session_timeout"):
            execute(connection, f"SET LOCAL {name} = '10min'")
        execute(connection, "SET LOCAL lock_timeout = '1min'")
        made: Any = connection.connection.driver_connection
        made.patience = 600.0


def on_postgres(script: str) -> str:
    """Statements that make tables, as PostgreSQL needs them to keep the same as SQLite: whole numbers of 64
    bits, and texts that are compared by code points whatever the language of the database.
    """
    wide = re.sub(r"\bINTEGER\b", "BIGINT", script)
    return re.sub(r"\bTEXT\b", 'TEXT COLLATE "C"', wide)
