"""The schema's versions: numbered files with the statements that lead from the version before.

Plain SQL that SQLite and PostgreSQL both understand. A released file never changes.
"""

import re
from pathlib import Path
from typing import Final, NamedTuple

from server.storage.databases.connection import Connection

_TABLE: Final = "schema_version"

PROBE: Final = (
    f"INSERT INTO tables (key, place, content) VALUES ('probe', 0, '{'x' * 16_384}')",
    "DELETE FROM tables WHERE key = 'probe'",
)
"""Statements that change nothing, but need as much room on the disk as a table's changes."""


class WrongVersion(Exception):
    """The schema is newer than this program, older and must not be changed now, or of no known version."""


class Version(NamedTuple):
    """A migration from the version before."""

    number: int
    script: str = ""
    """Statements, each with ``;`` at the end of its last line."""


VERSIONS: Final = tuple(
    Version(int(file.name[:4]), file.read_text("ascii"))
    for file in sorted(Path(__file__).parent.glob("*.sql"))
)


def newest() -> int:
    """Return the version that this program needs."""
    return VERSIONS[-1].number


def tables() -> list[str]:
    """Return all tables but that of the version, in the order of their creation."""
    return [
        name for version in VERSIONS for name in re.findall(r"CREATE TABLE (\w+)", version.script)
    ]


def checked(connection: Connection, *, migrate: bool = True, way_out: str = "") -> int:
    """Return the schema's version (0 in an empty database).

    Raises ``WrongVersion`` if it is too new, with ``way_out`` as advice, or without ``migrate`` too old.
    """
    rows = [0]
    if _TABLE in connection.scalars(connection.tables):
        rows = connection.scalars(f"SELECT version FROM {_TABLE}")
    if len(rows) != 1 or not isinstance(rows[0], int):
        raise WrongVersion(
            f"The database does not say which version it has (its table {_TABLE} must have one row with a "
            "number): something else than this program has changed it. Put back a copy made by `tide backup`."
        )
    there, needed = rows[0], newest()
    if there > needed:
        raise WrongVersion(
            f"The database has version {there}, this program only knows versions up to {needed}: it was "
            f"used with a newer release. Install that one again, or {way_out}"
        )
    if there == 0 and not migrate:
        raise WrongVersion("No server has kept anything in this database.")
    if there < needed and not migrate:
        raise WrongVersion(
            f"The database has version {there}, and this program needs version {needed}. `tide serve` "
            "brings it up to date when it starts; stop the older server that is using it."
        )
    return there


def run(connection: Connection) -> None:
    """Bring the schema up to date, all or nothing. Raises ``WrongVersion``."""
    there = checked(connection)
    for version in VERSIONS:
        if version.number > there:
            connection.run_script(version.script)
    if there == 0:
        connection.execute(f"CREATE TABLE {_TABLE} (version INTEGER NOT NULL)")
        connection.execute(f"INSERT INTO {_TABLE} (version) VALUES (0)")
    connection.execute(f"UPDATE {_TABLE} SET version = :new", new=newest())
