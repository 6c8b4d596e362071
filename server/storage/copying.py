"""Copying everything from one database to another: a file of SQLite, or a database of PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError

from server.storage import migrations
from server.storage.database import CannotOpen, cause_of
from server.storage.sqlite import NAME, SqliteFile
from server.storage.statedir import Lock, make_private
from server.storage.statements import (
    KINDS,
    execute,
    insert,
    sequence_of,
    stay_patient,
    upsert,
)

ROWS: Final = 1000
"""That are read and written at a time."""
_NOT_COPIED: Final = frozenset({"schema_version", "house", "orders"})
_OF_ALL: Final = "kind NOT LIKE 'writer:%'"
"""Which ``numbers`` are not a process's own."""

Progress = Callable[[str], None]


def file_at(place: Path) -> Path:
    """The file of SQLite that is meant: itself, or the one in a state directory."""
    return (
        place if place.is_file() or (not place.is_dir() and place.suffix == ".db") else place / NAME
    )


@contextmanager
def source(place: Path | str) -> Iterator[Connection]:
    """A database that nobody else uses meanwhile: a state directory, a file, or the URL of one. Nothing in it
    is changed. Raises ``CannotOpen``.
    """
    with ExitStack() as stack:
        if isinstance(place, str):
            connection = stack.enter_context(_on_server(place, migrate=False))
        else:
            path = file_at(place)
            alone = path.name == NAME and path.is_file()
            if alone:
                stack.callback(Lock(path.parent).release)
            connection = stack.enter_context(SqliteFile(path).looked_at(alone=alone))
            try:
                migrations.checked(connection, migrate=False)
            except migrations.WrongVersion as wrong:
                way_out = (
                    "use the release that it is of." if isinstance(wrong, migrations.TooNew) else ""
                )
                raise CannotOpen(f"{path}: {wrong}{way_out}") from None
        yield connection


@contextmanager
def target(place: Path | str) -> Iterator[Connection]:
    """An empty database, in which all is kept that is written within, or nothing. Raises ``CannotOpen``, and
    ``OSError`` for a file.
    """
    with ExitStack() as stack:
        if isinstance(place, str):
            connection = stack.enter_context(_on_server(place, migrate=True))
            _see_that_it_is_empty(connection, place)
        else:
            path = file_at(place)
            if path.name == NAME:
                make_private(path.parent)
                stack.callback(Lock(path.parent).release)
            for there in (path, Path(f"{path}-wal")):
                if there.exists():
                    raise CannotOpen(f"{there} already exists; nothing has been overwritten")
            connection = stack.enter_context(SqliteFile(path).filled())
        yield connection


@contextmanager
def _on_server(url: str, *, migrate: bool) -> Iterator[Connection]:
    from server.storage.postgres import Postgres

    backend = Postgres(url, exclusive=True)
    try:
        backend.open(migrate=migrate)
        with backend.writer.begin() as connection:
            stay_patient(connection)
            yield connection
    finally:
        backend.close()


def _see_that_it_is_empty(connection: Connection, url: str) -> None:
    for table in _tables(connection):
        rows = f"SELECT 1 FROM {table} LIMIT 1"
        if table != "numbers" and execute(connection, rows).first():
            raise CannotOpen(
                f"the database there is not empty (table {table}); nothing has been changed. Make a new one "
                "with createdb"
            )


def copy(
    origin: Connection, goal: Connection, tell: Progress = lambda table: None
) -> dict[str, int]:
    """Copy every row of every table, and the numbers given so far; how many rows, by table. Raises
    ``CannotOpen`` for what the other database cannot hold.
    """
    copied = {}
    for table, columns in _tables(goal).items():
        tell(table)
        try:
            if table == "numbers":
                copied[table] = _copy_numbers(origin, goal)
            else:
                copied[table] = _copy_table(origin, goal, table, columns)
        except DBAPIError as error:
            why = (str(cause_of(error)).splitlines() or ["failed"])[0]
            raise CannotOpen(f"the rows of the table {table} could not be copied: {why}") from None
    return copied


def _tables(connection: Connection) -> dict[str, list[str]]:
    """The columns of each, those that others refer to first."""
    found = inspect(connection)
    order = [name for name, _ in found.get_sorted_table_and_fkc_names() if name]
    return {
        name: [column["name"] for column in found.get_columns(name)]
        for name in order
        if name not in _NOT_COPIED
    }


def _copy_table(origin: Connection, goal: Connection, table: str, columns: list[str]) -> int:
    own: Any = origin.connection.driver_connection
    count = 0
    # Without a name, PostgreSQL sends all rows at once.
    with closing(own.cursor() if origin.dialect.name == "sqlite" else own.cursor("copied")) as rows:
        rows.execute(f"SELECT {', '.join(columns)} FROM {table}")
        while found := rows.fetchmany(ROWS):
            values = [dict(zip(columns, row, strict=True)) for row in found]
            count += insert(goal, table, *values)
    return count


def _copy_numbers(origin: Connection, goal: Connection) -> int:
    """On PostgreSQL, the numbers that several processes take are in sequences."""
    last = dict(
        map(tuple, execute(origin, f"SELECT kind, last FROM numbers WHERE {_OF_ALL}").all())
    )
    if origin.dialect.name != "sqlite":
        for kind in KINDS:
            query = f"SELECT last_value, is_called FROM {sequence_of(kind)}"
            number, given = execute(origin, query).one()
            if given:
                last[kind] = number
    execute(goal, f"DELETE FROM numbers WHERE {_OF_ALL}")
    rows: list[dict[str, object]] = [
        {"kind": kind, "last": number} for kind, number in last.items()
    ]
    if rows:
        upsert(goal, "numbers", "kind", *rows)
    if goal.dialect.name != "sqlite":
        for kind in KINDS:
            if last.get(kind):
                execute(goal, f"SELECT setval('{sequence_of(kind)}', :last)", last=last[kind])
    return len(rows)
