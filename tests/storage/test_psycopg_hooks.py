"""What ``psycopg_hooks`` overrides is what psycopg calls."""

from collections.abc import Iterator

import pytest

pytest.importorskip("psycopg", reason="without psycopg (make install-postgres)")

import psycopg
from typing_extensions import override

from server.storage.databases.psycopg_hooks import PatientConnection
from tests.support.postgres import needed, shared_server


class Noted(PatientConnection):
    waits = 0

    @override
    def wait(self, *arguments: object, **more: object) -> object:  # type: ignore[override]
        self.waits += 1
        return super().wait(*arguments, **more)  # type: ignore[arg-type]


@pytest.fixture
def connection() -> Iterator[Noted]:
    needed()
    with Noted.connect(shared_server().url("postgres"), autocommit=True) as made:
        yield made


def test_every_statement_waits_there(connection: Noted) -> None:
    connection.execute("SELECT 1")
    before = connection.waits
    for _ in range(10):  # the last ones are prepared
        connection.execute("SELECT %(it)s::int", {"it": 1}).fetchone()
    assert connection.waits >= before + 10
    before = connection.waits
    with connection.transaction(), connection.cursor("named") as cursor:
        cursor.execute("SELECT 1")
        cursor.fetchmany(1)
    assert connection.waits >= before + 4


def test_who_waits_too_long_has_no_connection_any_more(connection: Noted) -> None:
    silent: list[int] = []
    connection.silent = lambda: silent.append(1)
    connection.patience = 0.05
    with pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT pg_sleep(600)")
    assert connection.closed
    assert silent == [1]


def test_an_error_of_the_server_closes_nothing(connection: Noted) -> None:
    connection.patience = 600.0
    with pytest.raises(psycopg.errors.DivisionByZero):
        connection.execute("SELECT 1 / 0")
    assert not connection.closed
    assert connection.execute("SELECT 1").fetchone() == (1,)
