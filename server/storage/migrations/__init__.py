"""The schema's versions: numbered modules, each with the statements that lead from the one before to it.

Plain SQL that SQLite and PostgreSQL both understand. A module that has been released never changes.
"""

import importlib
import pkgutil
from typing import Final

from sqlalchemy import Connection, inspect, text

_TABLE: Final = "schema_version"


class WrongVersion(Exception):
    """The schema is newer than this program, or older and must not be changed now."""


def steps() -> list[tuple[int, tuple[str, ...]]]:
    """Every version, ascending, with its statements."""
    found = []
    for module in pkgutil.iter_modules(__path__):
        number = int(module.name[1:].split("_")[0])
        statements = importlib.import_module(f"{__name__}.{module.name}").STATEMENTS
        found.append((number, tuple(statements)))
    return sorted(found)


def version(connection: Connection) -> int:
    """The schema's version; 0 in an empty database."""
    if not inspect(connection).has_table(_TABLE):
        return 0
    return int(connection.execute(text(f"SELECT version FROM {_TABLE}")).scalar_one())


def run(connection: Connection, *, allowed: bool = True) -> int:
    """Bring the schema up to date, all or nothing; the version it had. Raises ``WrongVersion``."""
    there = version(connection)
    known = steps()
    newest = known[-1][0]
    if there > newest:
        raise WrongVersion(
            f"The database has version {there}, this program only knows versions up to {newest}: it was "
            "used with a newer release. Install that one again, or choose another state directory with "
            "--state."
        )
    if there < newest and not allowed:
        raise WrongVersion(
            f"The database has version {there}, and this program needs version {newest}. `tide serve` "
            "brings it up to date when it starts; stop the older server that is using it."
        )
    if there == newest:
        return there
    for number, statements in known:
        if number > there:
            for statement in statements:
                connection.exec_driver_sql(statement)
    if there == 0:
        connection.exec_driver_sql(f"CREATE TABLE {_TABLE} (version INTEGER NOT NULL)")
        connection.execute(text(f"INSERT INTO {_TABLE} (version) VALUES (:new)"), {"new": newest})
    else:
        connection.execute(text(f"UPDATE {_TABLE} SET version = :new"), {"new": newest})
    return there
