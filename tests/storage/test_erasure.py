"""Who is to be forgotten is looked for by the database, however the name is written there."""

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from server.storage import people
from server.storage.databases.connection import Connection, to_json
from server.storage.databases.database import Database
from tests.support.databases import database


@pytest.fixture
async def opened(product: str, tmp_path: Path) -> AsyncIterator[Database]:
    async with database(tmp_path) as found:
        yield found


def blocking(person: str, name: str, *, of: str) -> Callable[[Connection], Any]:
    """Somebody whose settings block ``name``."""
    query = (
        "INSERT INTO people (id, name, guest, created, seen, settings) "
        "VALUES (:it, :it, 0, 1, 1, :settings)"
    )
    settings = to_json({"blocked": {of: name}})
    return lambda connection: connection.execute(query, it=person, settings=settings)


async def settings(database: Database, person: str) -> Any:
    query = "SELECT settings FROM people WHERE id = :it"
    return await database.read(lambda connection: json.loads(connection.scalar(query, it=person)))


@pytest.mark.parametrize("name", ["bo", "Björn", "ÇELİK", 'a"b', "100%_x", "李雷"])
async def test_a_name_is_found_in_whatever_way_it_is_written(opened: Database, name: str) -> None:
    guest = people.Occurrences("", name, True, (), 0, 0, False, 0, 0)
    await opened.change(blocking("p1", name.upper(), of="g1"))
    await opened.change(blocking("p2", "somebody else", of="g2"))
    assert await opened.change(lambda connection: people.forget(connection, guest)) == []
    assert await settings(opened, "p1") == {"blocked": {}}
    assert await settings(opened, "p2") == {"blocked": {"g2": "somebody else"}}


async def test_rows_of_others_are_not_read_one_by_one(opened: Database) -> None:
    """Nobody can write meanwhile."""
    for number in range(200):
        await opened.change(blocking(f"p{number}", f"n{number}", of=f"g{number}"))
    await opened.change(blocking("last", "bo", of="b-id"))
    person = people.Occurrences("b-id", "bo", False, ("bo",), 1, 0, False, 0, 0)
    with patch("server.storage.people.json.loads", wraps=json.loads) as read:
        assert await opened.change(lambda connection: people.forget(connection, person)) == []
    assert await settings(opened, "last") == {"blocked": {}}
    assert read.call_count < 5
