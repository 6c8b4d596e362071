"""Which of several PostgreSQL servers is the primary.

After a failover the former one may run again: it had been paused, or cut off from its standby. It still takes
connections and answers, with what was; what it commits waits for a standby that no longer follows it. Each
promotion begins a timeline with a higher number: who has seen that uses no connection of before.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

import psycopg

from server.storage.databases.psycopg_hooks import PatientConnection

_TIMELINE: Final = "SELECT pg_walfile_name(pg_current_wal_lsn())"
"""Begins with eight hexadecimal digits that are its number."""


class PrimaryConnection(PatientConnection):
    """A connection to it."""

    timeline = 0
    """0 where it is not known."""


C = TypeVar("C", bound=PrimaryConnection)


class Primary:
    """The servers of a URL. All connections of a process to a database share it; may be used by threads."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        """Raises ``psycopg.ProgrammingError``."""
        self._hosts = _hosts(parameters)
        """Parameters for each, the one that was the primary last first."""
        self._looked = False
        """At all of them: of two primaries the first one in the URL may be the former one."""
        self.several: Final = len(self._hosts) > 1
        self.timeline = 0
        """The newest that was seen."""

    def connect(self, connect: Callable[..., C]) -> C:
        """Raises ``psycopg.OperationalError``."""
        failures: list[str] = []
        found: list[tuple[C, Mapping[str, Any]]] = []
        for host in self._hosts:
            try:
                made = connect(**host)
                made.timeline = timeline = _timeline(made)
            except psycopg.Error as error:
                failures.append(str(error).strip())
                continue
            if 0 < timeline < self.timeline:
                made.close()
                failures.append(f"a former primary (timeline {timeline}, not {self.timeline})")
                continue
            found.append((made, host))
            if self._looked:
                break
        if not found:
            raise psycopg.OperationalError("; ".join(failures))
        newest, host = max(found, key=lambda it: it[0].timeline)
        for made, _ in found:
            if made is not newest:
                made.close()
        self._looked = True
        self.timeline = max(self.timeline, newest.timeline)
        self._hosts = [host, *(it for it in self._hosts if it is not host)]
        newest.silent = partial(self._last, host)
        return newest

    def _last(self, host: Mapping[str, Any]) -> None:
        self._hosts = [*(it for it in self._hosts if it is not host), host]


def _hosts(parameters: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """As libpq takes lists: hosts, perhaps their addresses, a port for each or one for all."""
    found = {it: str(parameters.get(it, "")).split(",") for it in ("host", "hostaddr", "port")}
    many = max(len(found["host"]), len(found["hostaddr"]))
    if any(len(each) not in (1, many) for each in found.values()):
        raise psycopg.ProgrammingError("not as many hosts as addresses or ports")
    return [
        {
            **parameters,
            **{key: each[n % len(each)] for key, each in found.items() if key in parameters},
        }
        for n in range(many)
    ]


def _timeline(connection: psycopg.Connection[Any]) -> int:
    try:
        row = connection.execute(_TIMELINE).fetchone()
    except psycopg.Error:  # some services that speak its protocol have none
        connection.rollback()
        return 0
    return int(row[0][:8], 16) if row else 0
