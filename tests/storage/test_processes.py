"""A server and commands beside it on one PostgreSQL: none loses what another one has written."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import TypeVar

import pytest

from server import StoreError
from server.storage.databases.connection import Connection
from server.storage.databases.database import Database
from server.storage.history_store import keep
from server.storage.moderation import BanRow, ModerationStore
from server.storage.people import MOST_NAMES, Claim, PeopleStore, Person
from server.storage.ratings import LEAST, SETTLES, SeasonStore, month_at
from server.storage.table_store import Conflict, FinishedGame, StoredChange, TableStore
from tests.support import databases
from tests.support.databases import (
    ADA,
    BO,
    archived,
    begun,
    bid,
    database,
    meet,
    outcomes,
    page_of,
    vouch,
)
from tests.support.games import record
from tests.support.postgres import needed

T = TypeVar("T")
MANY = 40
_TRIES = 9
OCTOBER = datetime(2026, 10, 5, tzinfo=UTC).timestamp()


@asynccontextmanager
async def processes(count: int = 2) -> AsyncIterator[list[Database]]:
    """So many, on one new database. What met a lock for too long, as on a busy machine, is tried again."""
    needed()
    change = Database.change

    async def changed(self: Database, work: Callable[[Connection], T]) -> T:
        for _ in range(_TRIES):
            try:
                return await change(self, work)
            except StoreError as error:
                if error.code != "locked":
                    raise
        return await change(self, work)

    with databases.on("postgresql"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "change", changed)
        async with AsyncExitStack() as stack:
            yield [await stack.enter_async_context(database(None)) for _ in range(count)]


async def test_of_two_at_one_position_one_appends() -> None:
    async with processes() as (here, there):
        ours, theirs = TableStore(here), TableStore(there)
        await ours.append(begun())
        bids = [StoredChange("one", None, 1, 1, [bid(seat, 5)]) for seat in range(2)]
        told = await outcomes(ours.append(bids[0]), theirs.append(bids[1]))
        assert [type(it) for it in told].count(Conflict) == 1


async def test_a_name_is_given_once_and_nobody_gets_too_many() -> None:
    async with processes() as found:
        people = [PeopleStore(it) for it in found]
        names = [Claim(f"ada{number}", f"ada{number}") for number in range(2 * MANY)]
        added = await asyncio.gather(
            *(
                people[number % 2].add(
                    Person(f"account:{number}", "", False, 1.0, 1.0), names, key=str(number)
                )
                for number in range(2 * MANY)
            )
        )
        assert len({person.name for person in added}) == 2 * MANY
        wanted = [Claim(f"x{number}", f"x{number}") for number in range(2 * MOST_NAMES)]
        await asyncio.gather(
            *(
                people[number % 2].came("account:0", 2.0 + number, [claim])
                for number, claim in enumerate(wanted)
            )
        )
        query = "SELECT COUNT(*) FROM names WHERE person = 'account:0'"
        count = await found[0].read(lambda connection: connection.scalar(query))
        assert count == MOST_NAMES


async def test_one_key_makes_one_account() -> None:
    async with processes() as found:
        added = await asyncio.gather(
            *(
                PeopleStore(it).add(
                    Person(f"account:{number}", "", False, 1.0, 1.0),
                    [Claim(f"ada{number}", f"ada{number}")],
                    key="SHA256:a",
                )
                for number, it in enumerate(found * 5)
            )
        )
        assert len({person.id for person in added}) == 1


async def test_accounts_become_one_from_both_sides() -> None:
    async with processes() as found:
        await meet(found[0])
        people = [PeopleStore(it) for it in found]
        await people[0].add_key(ADA, "a", 1.0)
        await people[0].add_key(BO, "b", 1.0)
        told = await outcomes(people[0].add_key(ADA, "b", 2.0), people[1].add_key(BO, "a", 2.0))
        # One of them has gone, and so cannot get a key any more.
        left = [await people[0].find("id", it) for it in (ADA, BO)]
        assert [type(it) for it in told].count(LookupError) == 1
        assert left.count(None) == 1


async def test_every_game_counts_for_the_ratings_once() -> None:
    def kept(number: int, *, at: int) -> Callable[[Connection], tuple[int, bool]]:
        over = record(number, rated=True).text
        players = (ADA, BO, "", "") if at else (BO, ADA, "", "")
        return lambda it: keep(it, f"{number}-1", 1.0, over, players)

    async with processes() as found:
        await meet(found[0])
        told = await asyncio.gather(
            *(it.change(kept(number, at=number % 2)) for it in found for number in range(MANY))
        )
        assert sorted(new for _, new in told) == [False] * MANY + [True] * MANY
        rating = (await page_of(found[0], ADA)).rating
        assert rating is not None
        assert rating.games == MANY


async def test_of_bans_of_the_same_one_is_left() -> None:
    ban = BanRow(0, "name", "bo", "rude", 1.0, "ada", 0.0)
    async with processes() as found:
        await asyncio.gather(*(ModerationStore(it).ban("bo", ban) for it in found * 10))
        assert len(await ModerationStore(found[0]).bans()) == 1


async def test_who_comes_back_meanwhile_is_not_forgotten() -> None:
    async with processes() as (here, there):
        guest = Person("guest:1", "", True, 1.0, 1.0)
        await PeopleStore(here).add(guest, [Claim("cem", "cem")], code="x")
        loop = asyncio.get_running_loop()

        def keeps(person: str) -> bool:
            """Asked on the thread of the writer, just before the guest would go."""
            came = PeopleStore(there).came(person, 100.0)
            asyncio.run_coroutine_threadsafe(came, loop).result(30)
            return False

        assert await PeopleStore(here).forget_guests(50.0, 10, keeps) == 0
        assert await PeopleStore(here).find("id", "guest:1") is not None


async def test_those_who_lock_each_other_out_both_get_on() -> None:
    """Each takes one, then the other one's, as soon as both have the first."""
    async with processes() as found:
        await meet(found[0])
        together = asyncio.Barrier(2)
        loop = asyncio.get_running_loop()
        runs: list[int] = []

        def taking(*names: str) -> Callable[[Connection], int]:
            def work(connection: Connection) -> int:
                runs.append(1)
                for at, name in enumerate(names):
                    query = "UPDATE people SET seen = seen + 1 WHERE id = :it"
                    connection.execute(query, it=name)
                    if at == 0 and len(runs) <= 2:
                        asyncio.run_coroutine_threadsafe(together.wait(), loop).result(30)
                return len(runs)

            return work

        await asyncio.gather(found[0].change(taking(ADA, BO)), found[1].change(taking(BO, ADA)))
        query = "SELECT seen FROM people WHERE guest = 0"
        seen = await found[0].read(lambda it: list(it.scalars(query)))
        assert seen == [3.0, 3.0]
        assert len(runs) > 2, "they did not meet"


async def test_a_month_that_is_over_is_kept_once() -> None:
    async with processes(3) as found:
        await meet(found[0])
        await vouch(found[0], "ada", "bo")
        for number in range(1, LEAST + 1):
            over = record(number, rated=True).fields()
            finished = FinishedGame(over, (ADA, BO, "", ""), OCTOBER + number)
            await archived(found[0], f"{number}-1", finished)
        after = month_at(OCTOBER).until + SETTLES
        told = await asyncio.gather(*(SeasonStore(each).close(after) for each in found))
        assert sorted(told) == [(), (), ("2026-10",)]
        assert [await SeasonStore(each).close(after) for each in found] == [()] * 3
        pages = [await SeasonStore(each).season(after, 1) for each in found]
        assert pages[0].closed
        assert sorted(row.name for row in pages[0].rows) == ["ada", "bo"]
        assert pages == pages[:1] * 3
