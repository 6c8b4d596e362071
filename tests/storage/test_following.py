"""Who follows whom: kept, told once, merged with accounts, and gone with either of the two."""

import asyncio

import pytest

from server.storage import people
from server.storage.databases.connection import Connection
from server.storage.databases.database import Database
from server.storage.history import BestMonth, Met
from server.storage.history_store import HistoryStore
from server.storage.people import Claim, PeopleStore, Person
from tests.support.databases import keep
from tests.support.games import record

pytestmark = pytest.mark.usefixtures("product")

ADA, BO, CEM, DORA = (f"account:{name}" for name in ("ada", "bo", "cem", "dora"))
AWAY = 600.0


@pytest.fixture
async def store(opened: Database) -> PeopleStore:
    found = PeopleStore(opened)
    for id_ in (ADA, BO, CEM, DORA):
        name = id_.removeprefix("account:")
        person = Person(id_, "", False, 0.0, 0.0)
        await found.add(person, [Claim(name, name)], key=f"key:{name}")
    return found


async def followed(store: PeopleStore, person: str) -> list[str]:
    return [each.id for each in await store.followed(person)]


async def told(store: PeopleStore, person: str, now: float) -> set[str]:
    came = await store.came(person, now, away=AWAY)
    assert came is not None
    return set(came.followers)


async def test_followers_are_told_once_while_somebody_comes_and_goes(store: PeopleStore) -> None:
    assert await store.follow(ADA, CEM)
    assert await store.follow(ADA, CEM), "twice is once"
    assert await store.follow(BO, CEM)
    assert await followed(store, ADA) == [CEM]
    assert await told(store, CEM, 1000.0) == {ADA, BO}
    assert await told(store, CEM, 1001.0) == set(), "the line flaps"
    assert await told(store, CEM, 1599.0) == set()
    await store.left(CEM, 9000.0)
    await store.left(CEM, 2000.0)
    assert await told(store, CEM, 9599.0) == set(), "here until a moment ago"
    await store.unfollow(BO, CEM)
    assert await told(store, CEM, 10_300.0) == {ADA}
    assert await told(store, ADA, 10_300.0) == set(), "nobody follows this one"


async def test_of_two_who_come_at_once_as_the_same_person_one_is_told_of(
    store: PeopleStore,
) -> None:
    await store.follow(ADA, CEM)
    came = await asyncio.gather(*(told(store, CEM, 1000.0) for _ in range(4)))
    assert sorted(map(len, came)) == [0, 0, 0, 1]


async def test_one_can_follow_only_so_many(
    store: PeopleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "MOST_FOLLOWED", 2)
    assert await store.follow(ADA, BO)
    assert await store.follow(ADA, CEM)
    assert not await store.follow(ADA, DORA)
    assert await store.follow(ADA, CEM), "that is no more than before"
    with pytest.raises(LookupError):
        await store.follow(ADA, "account:gone")


async def test_linked_accounts_follow_and_are_followed_as_one(store: PeopleStore) -> None:
    for who, whom in ((ADA, CEM), (ADA, BO), (BO, CEM), (BO, ADA), (CEM, ADA), (DORA, ADA)):
        await store.follow(who, whom)
    await store.follow(DORA, BO)
    assert await store.add_key(BO, "key:ada", 5.0) == ADA
    assert await followed(store, BO) == [CEM], "and not oneself"
    assert await followed(store, CEM) == [BO]
    assert await followed(store, DORA) == [BO]


async def test_what_two_have_played_together(opened: Database, store: PeopleStore) -> None:
    seats = [{"kind": "human"}] * 4
    for number, players in enumerate([(ADA, BO, "", ""), (ADA, BO, CEM, ""), (ADA, CEM, "", "")]):
        await keep(opened, number + 1, record(number + 1, seats=seats), *players)
    history = HistoryStore(opened)
    games = [game for game in await history.games(player=ADA) if game.seats[1].name]
    ahead = sum(game.seats[0].place < game.seats[1].place for game in games[1:])
    behind = sum(game.seats[0].place > game.seats[1].place for game in games[1:])
    found = (await history.standing(BO, ADA)).met
    assert found == Met(2, ahead, behind)
    assert (await history.standing(ADA, BO)).met == Met(2, behind, ahead)
    assert (await history.standing(DORA, ADA)).met == Met(0, 0, 0)


async def test_the_best_month_of_a_player(opened: Database, store: PeopleStore) -> None:
    def write(connection: Connection) -> None:
        for month, rank in (("2026-08", 3), ("2026-09", 2), ("2026-10", 2)):
            connection.insert("seasons", {"month": month, "kept": 1.0})
            row = {"month": month, "line": rank, "rank": rank, "player": ADA, "score": 61.5}
            connection.insert("season_places", row | {"games": 9, "met": 20, "program": 0})

    await opened.change(write)
    found = await HistoryStore(opened).standing(ADA, BO)
    assert found.best == BestMonth("2026-09", 2, 61.5)
    assert found.rating is None
    assert (await HistoryStore(opened).standing(BO, ADA)).best is None
