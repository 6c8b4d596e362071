"""Nothing is left of who is forgotten, however the name is written; the database looks for it."""

import json
import re
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest

from server.storage import people
from server.storage.databases.connection import Connection, to_json
from server.storage.databases.database import Database
from server.storage.databases.migrations import versions
from server.storage.history_store import mark
from server.storage.people import PeopleStore
from tests.support.databases import ADA, BO, GUEST, erase, keep, meet
from tests.support.games import record

NAMES = ("ada", "bo", "cem", "dora")
ENTRIES: dict[str, dict[str, object]] = {
    "event_players": {"event": "day-1", "player": ADA, "at": 1.0, "source": ""},
    "seasons": {"month": "2026-10", "kept": 1.0},
    "season_places": {"month": "2026-10", "line": 1, "rank": 1, "player": ADA, "score": 61.5}
    | {"games": 9, "met": 12, "program": 0},
}
"""What Ada is in besides."""


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


async def test_nothing_of_a_person_is_left_in_any_table(opened: Database) -> None:
    await meet(opened)
    follows = PeopleStore(opened)
    for who, whom in ((ADA, BO), (BO, ADA), (BO, GUEST)):
        await follows.follow(who, whom)
    where = ("192.0.2.1", "192.0.2.1", "", "")
    over = record(1, NAMES, rated=True)
    await keep(opened, 1, over, ADA, BO, "", "", sources=where)
    await opened.change(lambda it: [it.insert(table, row) for table, row in ENTRIES.items()])
    await erase(opened, "ada")

    def rows(connection: Connection) -> dict[str, str]:
        found = {each: connection.execute(f"SELECT * FROM {each}") for each in versions.tables()}
        return {table: f"{list(map(tuple, rows))}" for table, rows in found.items()}

    left = await opened.read(rows)
    assert not [table for table, found in left.items() if re.search(r"\bada\b", found)]
    assert left["follows"] == f"{[(BO, GUEST)]}"
    seats = "SELECT player, source FROM record_seats ORDER BY seat LIMIT 2"
    ada, bo = await opened.read(lambda it: [tuple(row) for row in it.execute(seats)])
    assert (ada, bo) == (("", ""), (BO, mark(b"a key", where[1])))
