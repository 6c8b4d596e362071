"""How statements are run: plain SQL that SQLite and PostgreSQL understand, with named parameters (``:name``).

SQLAlchemy brings connections, transactions and errors, and knows how each driver writes parameters.
Statements are not built with it: for a dozen tables, that is more to read, and takes longer than they run.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Connection, CursorResult, Dialect, text

Values = Mapping[str, object]
_NONE: Final[Values] = {}


def execute(
    connection: Connection, sql: str, values: Values = _NONE, /, **more: object
) -> "CursorResult[*tuple[Any, ...]]":
    """Run a statement with these values."""
    own, order = _own_form(sql, connection.dialect)
    return connection.exec_driver_sql(own, _bound({**values, **more}, order))


def execute_each(connection: Connection, sql: str, rows: Iterable[Values]) -> int:
    """Run a statement once for each row of values; how many rows of the table it was about."""
    own, order = _own_form(sql, connection.dialect)
    bound = [_bound(values, order) for values in rows]
    return connection.exec_driver_sql(own, bound).rowcount if bound else 0


def insert(connection: Connection, table: str, *rows: Values, conflict: str = "") -> int:
    """Add rows, all with the same columns; how many were added, or changed as ``conflict`` says."""
    if not rows:
        return 0
    names, marks = ", ".join(rows[0]), ", ".join(f":{name}" for name in rows[0])
    sql = f"INSERT INTO {table} ({names}) VALUES ({marks}) {conflict}"
    return execute_each(connection, sql, rows)


def upsert(connection: Connection, table: str, key: str, *rows: Values) -> None:
    """Add rows, or change these columns of those that have the same ``key``."""
    changed = ", ".join(f"{name} = excluded.{name}" for name in rows[0] if name != key)
    insert(connection, table, *rows, conflict=f"ON CONFLICT ({key}) DO UPDATE SET {changed}")


def _bound(values: Values, order: tuple[str, ...] | None) -> Any:
    return values if order is None else tuple([values[name] for name in order])


@lru_cache(256)
def _own_form(sql: str, dialect: Dialect) -> tuple[str, tuple[str, ...] | None]:
    """``sql`` as a database's driver has it, and the order of its parameters where they have no names."""
    compiled = text(sql).compile(dialect=dialect)
    return str(compiled), tuple(compiled.positiontup or ()) if compiled.positional else None


def to_json(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """One line of ASCII. Raises ``TypeError`` or ``ValueError`` for what is no plain data."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def next_number(connection: Connection, kind: str) -> int:
    """One that nothing of this kind has ever had."""
    return int(execute(connection, _COUNT, kind=kind).scalar_one())


_COUNT: Final = """
    INSERT INTO numbers (kind, last) VALUES (:kind, 1)
    ON CONFLICT (kind) DO UPDATE SET last = numbers.last + 1 RETURNING last
"""
