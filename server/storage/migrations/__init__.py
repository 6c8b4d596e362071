"""The schema's versions: numbered modules, each with the statements that lead from the one before to it.

Plain SQL that SQLite and PostgreSQL both understand; then, where there is one, a function ``fill`` works
out what new columns hold, of an old database only. A module that has been released never changes, and calls
nothing that does: what it needs is in it.
"""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Final, NamedTuple

from sqlalchemy import Connection, inspect

from server.storage.statements import execute

_TABLE: Final = "schema_version"

PROBE: Final = (
    f"INSERT INTO tables (key, place, content) VALUES ('probe', 0, '{'x' * 16_384}')",
    "DELETE FROM tables WHERE key = 'probe'",
)
"""Together they change nothing, but need as much room on the disk as what tables write."""


class WrongVersion(Exception):
    """The schema is newer than this program, or older and must not be changed now, or nobody knows."""


class TooNew(WrongVersion):
    """It is newer; the message ends with "or ", for another way out."""


class Version(NamedTuple):
    """How the schema comes from the version before to this one."""

    number: int
    statements: tuple[str, ...]
    fill: Callable[[Connection], None] | None = None


def steps() -> list[Version]:
    """Every version, ascending."""
    found = []
    for name in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{name.name}")
        number = int(name.name[1:].split("_")[0])
        fill = getattr(module, "fill", None)
        found.append(Version(number, tuple(module.STATEMENTS), fill))
    return sorted(found)


def newest() -> int:
    """The version that this program needs."""
    return steps()[-1].number


def version(connection: Connection) -> int:
    """The schema's version; 0 in an empty database. Raises ``WrongVersion``."""
    if not inspect(connection).has_table(_TABLE):
        return 0
    found = execute(connection, f"SELECT version FROM {_TABLE}").scalars().all()
    if len(found) != 1 or not isinstance(found[0], int):
        raise WrongVersion(
            f"The database does not say which version it has (its table {_TABLE} must have one row with a "
            "number): something else than this program has changed it. Put back a copy made by `tide backup`."
        )
    return found[0]


def checked(connection: Connection, *, migrate: bool = True) -> int:
    """The schema's version, if this program can use it (or, with ``migrate``, bring it up to date). Raises
    ``WrongVersion``.
    """
    there = version(connection)
    known = steps()
    oldest, newest = known[0].number, known[-1].number
    if there > newest:
        raise TooNew(
            f"The database has version {there}, this program only knows versions up to {newest}: it was "
            "used with a newer release. Install that one again, or "
        )
    if 0 < there < oldest:
        raise WrongVersion(
            f"The database has version {there}, of before the first release. This program knows versions "
            f"from {oldest} on: start the first release with it once, which brings it up to version {oldest}."
        )
    if there < newest and not migrate:
        raise WrongVersion(
            f"The database has version {there}, and this program needs version {newest}. `tide serve` "
            "brings it up to date when it starts; stop the older server that is using it."
        )
    return there


def run(connection: Connection) -> None:
    """Bring the schema up to date, all or nothing. Raises ``WrongVersion``."""
    there = checked(connection)
    for one in steps():
        if one.number > there:
            for statement in one.statements:
                execute(connection, statement)
            if one.fill and there:
                one.fill(connection)
    if there == 0:
        execute(connection, f"CREATE TABLE {_TABLE} (version INTEGER NOT NULL)")
        execute(connection, f"INSERT INTO {_TABLE} (version) VALUES (0)")
    execute(connection, f"UPDATE {_TABLE} SET version = :new", {"new": newest()})
