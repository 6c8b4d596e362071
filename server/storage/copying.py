"""Copying everything from one database to another: a file of SQLite, or a database of PostgreSQL."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

from server.storage.databases.connection import Connection
from server.storage.databases.database import CannotOpen
from server.storage.databases.migrations import versions
from server.storage.databases.sqlite import NAME, SqliteFile
from server.storage.databases.sqlite_files import filled
from server.storage.statedir import Lock, make_private

ROWS: Final = 1000
"""Rows that are read and written at a time."""


def file_at(place: Path) -> Path:
    """Return the SQLite file meant by a path to it or to a state directory."""
    is_file = place.is_file() or (place.suffix == ".db" and not place.is_dir())
    return place if is_file else place / NAME


@contextmanager
def source(place: Path | str) -> Iterator[Connection]:
    """A database that nobody else uses meanwhile: a state directory, a file, or the URL of one.

    Nothing in it is changed. Raises ``CannotOpen``.
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
                way_out = "use the release that it is of."
                versions.checked(connection, migrate=False, way_out=way_out)
            except versions.WrongVersion as wrong:
                raise CannotOpen(f"{path}: {wrong}") from None
        yield connection


@contextmanager
def target(place: Path | str) -> Iterator[Connection]:
    """An empty database, in which all is kept that is written within, or nothing.

    Raises ``CannotOpen``, and ``OSError`` for a file.
    """
    with ExitStack() as stack:
        if isinstance(place, str):
            connection = stack.enter_context(_on_server(place, migrate=True))
            for table in versions.tables():
                rows = f"SELECT 1 FROM {table} LIMIT 1"
                if table != "numbers" and connection.execute(rows).fetchone():
                    raise CannotOpen(
                        f"the database there is not empty (table {table}); nothing has been changed. Make a "
                        "new one with createdb"
                    )
        else:
            path = file_at(place)
            if path.name == NAME:
                make_private(path.parent)
                stack.callback(Lock(path.parent).release)
            for there in (path, Path(f"{path}-wal")):
                if there.exists():
                    raise CannotOpen(f"{there} already exists; nothing has been overwritten")
            connection = stack.enter_context(filled(path))
        yield connection


@contextmanager
def _on_server(url: str, *, migrate: bool) -> Iterator[Connection]:
    from server.storage.databases.postgres import Postgres

    with closing(Postgres(url, exclusive=True)) as backend:
        backend.open(migrate=migrate)
        with backend.writer.transaction() as connection:
            connection.stay_patient()
            yield connection


def copy_rows(origin: Connection, goal: Connection) -> dict[str, int]:
    """Copy every row of every table, and the numbers given so far; how many rows, by table.

    Raises ``CannotOpen`` for what the other database cannot hold.
    """
    copied = {}
    goal.execute("DELETE FROM numbers")
    for table in versions.tables():
        found = goal.execute(f"SELECT * FROM {table} LIMIT 0").description or ()
        columns = [column[0] for column in found]
        try:
            copied[table] = sum(
                goal.insert(table, *(dict(zip(columns, row, strict=True)) for row in rows))
                for rows in origin.read(f"SELECT {', '.join(columns)} FROM {table}", ROWS)
            )
        except (origin.errors, goal.errors) as error:
            why = (str(error).splitlines() or ["failed"])[0]
            raise CannotOpen(f"the rows of the table {table} could not be copied: {why}") from None
    return copied
