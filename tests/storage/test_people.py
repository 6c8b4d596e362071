"""What every keeper of people promises, in memory, on a disk and on a server."""

from functools import partial
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.storage.databases.connection import Connection
from server.storage.databases.database import Database
from server.storage.events import EventStore
from server.storage.people import MOST_NAMES, Claim, NoNameFree, NotedLogin, PeopleStore, Person
from server.storage.table_store import Entered, TableStore
from tests.support.databases import begun, finished, keys_of, outcomes

pytestmark = pytest.mark.usefixtures("product")


@pytest.fixture
def people(opened: Database) -> PeopleStore:
    return PeopleStore(opened)


def account(number: int = 1, seen: float = 100.0) -> Person:
    return Person(f"account:{number}", "", False, 100.0, seen)


def guest(number: int = 1, seen: float = 100.0) -> Person:
    return Person(f"guest:{number}", "", True, 100.0, seen)


def claims(*names: str) -> list[Claim]:
    return [Claim(name, name.lower()) for name in names]


async def test_a_person_is_found_by_key_name_and_id(people: PeopleStore) -> None:
    added = await people.add(account(), claims("Ada"), key="SHA256:a")
    assert added == account()._replace(name="Ada")
    assert await people.find("key", "SHA256:a") == added
    assert await people.find("skeleton", "ada") == added
    assert await people.find("id", "account:1") == added
    assert await people.find("key", "SHA256:b") is None
    assert await people.find("skeleton", "bo") is None
    assert await people.find("code", "") is None
    cem = await people.add(guest(), claims("cem"), code="digest")
    assert cem.guest
    assert await people.find("code", "digest") == cem
    assert await people.find("id", "") is None


async def test_the_first_free_name_is_taken(people: PeopleStore) -> None:
    await people.add(account(1), claims("Ada"), key="a")
    second = await people.add(account(2), claims("ADA", "ada2", "ada3"), key="b")
    assert second.name == "ada2"
    with pytest.raises(NoNameFree):
        await people.add(account(3), claims("Ada", "Ada2"), key="c")
    assert await people.find("id", "account:3") is None
    assert await people.find("key", "c") is None


async def test_a_key_that_is_known_adds_nobody(people: PeopleStore) -> None:
    first = await people.add(account(1), claims("ada"), key="a")
    assert await people.add(account(2), claims("bo"), key="a") == first
    assert await people.find("id", "account:2") is None
    assert await people.find("skeleton", "bo") is None


async def test_two_who_come_at_the_same_moment_get_different_names(people: PeopleStore) -> None:
    wanted = claims("ada", *(f"ada{number}" for number in range(2, 30)))
    came = await outcomes(*(people.add(guest(n), wanted, code=f"{n}") for n in range(20)))
    assert len({person.name for person in came if isinstance(person, Person)}) == 20


async def test_one_comes_back_under_a_name_of_ones_own_or_a_free_one(people: PeopleStore) -> None:
    await people.add(account(1), claims("ada"), key="a")
    await people.add(account(2), claims("bo"), key="b")
    for wish, name in (("Bo", "ada"), ("ada_l", "ada_l"), ("ADA", "ADA"), ("ada_l", "ada_l")):
        came = await people.came("account:1", 200.0, claims(wish))
        assert came == NotedLogin(Person("account:1", name, False, 100.0, 200.0))
    assert await people.came("account:1", 300.0) == NotedLogin(
        Person("account:1", "ada_l", False, 100.0, 300.0)
    )
    assert await people.came("account:9", 300.0, claims("x")) is None
    holder = await people.find("skeleton", "ada")
    assert holder is not None
    assert holder.id == "account:1", "a name that was used once stays one's own"


async def test_a_name_is_free_in_all_its_looks_or_in_none(people: PeopleStore) -> None:
    jorg = Claim("J\u00f6rg", "jorg", ("joerg",))
    await people.add(account(1), [jorg], key="a")
    second = await people.add(account(2), [Claim("joerg", "joerg"), Claim("jo", "jo")], key="b")
    assert second.name == "jo"
    third = [Claim("J\u00f4rg", "jorg", ("other",)), Claim("other", "other")]
    assert (await people.add(account(3), third, key="c")).name == "other", "nothing of it is kept"
    for looks in ("jorg", "joerg"):
        found = await people.find("skeleton", looks)
        assert found is not None
        assert found.id == "account:1"
    came = await people.came("account:1", 200.0, [Claim("Joerg", "joerg")])
    assert came is not None
    assert came.person.name == "Joerg", "it is one's own"


async def test_nobody_can_hoard_names(people: PeopleStore) -> None:
    await people.add(account(), claims("ada0"), key="a")
    for number in range(1, 2 * MOST_NAMES):
        await people.came("account:1", 200.0, claims(f"ada{number}"))
    held = [await people.find("skeleton", f"ada{number}") for number in range(2 * MOST_NAMES)]
    assert sum(person is not None for person in held) == MOST_NAMES
    last = await people.find("id", "account:1")
    assert last is not None
    assert last.name == f"ada{MOST_NAMES - 1}"


async def test_several_keys_open_one_account(people: PeopleStore) -> None:
    ada = await people.add(account(), claims("ada"), key="a")
    assert await people.add_key("account:1", "b", 200.0) == ""
    assert await people.add_key("account:1", "b", 300.0) == ""
    assert await people.find("key", "b") == ada
    assert await keys_of(people, "account:1") == ("a", "b")
    with pytest.raises(LookupError):
        await people.add_key("account:9", "c", 1.0)


async def test_the_tries_of_an_account_go_over_to_the_other(opened: Database) -> None:
    people, events = PeopleStore(opened), EventStore(opened)
    for number, key in ((1, "a"), (2, "b")):
        await people.add(account(number), claims(key), key=key)
    tries = [Entered("day/1", "account:1", 5.0), Entered("day/1", "account:2", 6.0)]
    tries.append(Entered("day/2", "account:2", 7.0))
    await TableStore(opened).append(begun()._replace(entered=tries))
    assert await people.add_key("account:1", "b", 200.0) == "account:2"
    assert (await events.entered("day/1"))["account:1"] == 5.0
    assert await events.entered("day/2") == {"account:1": 7.0}


async def test_an_account_that_loses_its_last_key_goes_over_to_the_other(
    people: PeopleStore,
) -> None:
    await people.add(account(1), claims("ada"), key="a")
    await people.add(account(2), claims("bo"), key="b")
    assert await people.add_key("account:1", "b", 200.0) == "account:2"
    assert await people.find("id", "account:2") is None
    came = await people.came("account:1", 300.0, claims("bo"))
    assert came is not None
    assert came.person.name == "bo"


async def test_an_account_with_more_keys_stays(people: PeopleStore) -> None:
    await people.add(account(1), claims("ada"), key="a")
    bo = await people.add(account(2), claims("bo"), key="b")
    await people.add_key("account:2", "c", 150.0)
    assert await people.add_key("account:1", "b", 200.0) == ""
    assert await people.find("id", "account:2") == bo
    assert await keys_of(people, "account:2") == ("c",)


async def test_which_word_was_given_is_kept_with_a_key(people: PeopleStore) -> None:
    await people.set_password("SHA256:a", "one")
    assert await people.password_of("SHA256:a") == "", "nobody has that key"
    await people.add(account(1), claims("Ada"), key="SHA256:a")
    await people.add(account(2), claims("Bo"), key="SHA256:b")
    assert await people.password_of("SHA256:a") == ""
    await people.set_password("SHA256:a", "one")
    await people.set_password("SHA256:a", "two")
    assert await people.password_of("SHA256:a") == "two"
    assert await people.password_of("SHA256:b") == ""
    await people.add_key("account:2", "SHA256:a", 200.0)
    assert await people.password_of("SHA256:a") == "two", "also when it opens another account"
    await people.forget("account:2")
    await people.add(account(3), claims("Cem"), key="SHA256:a")
    assert await people.password_of("SHA256:a") == ""


async def test_settings_are_kept_as_they_are(people: PeopleStore) -> None:
    await people.add(account(), claims("ada"), key="a")
    wanted = {"theme": "dusk", "bell": False, "nested": {"x": [1, 2]}}
    await people.set_settings("account:1", wanted)
    ada = await people.find("key", "a")
    assert ada is not None
    assert ada.settings == wanted
    came = await people.came("account:1", 200.0)
    assert came is not None
    assert came.person.settings == wanted
    await people.set_settings("account:9", wanted)
    assert await people.find("id", "account:9") is None


async def test_who_is_forgotten_leaves_nothing(people: PeopleStore) -> None:
    await people.add(account(), claims("ada"), key="a")
    for _ in range(2):
        await people.forget("account:1")
    assert await people.find("key", "a") is None
    assert await people.find("skeleton", "ada") is None
    again = await people.add(account(2), claims("ada"), key="a")
    assert again.name == "ada"


async def test_guests_who_stay_away_are_forgotten(people: PeopleStore) -> None:
    await people.add(account(1, seen=1.0), claims("ada"), key="a")
    for number in range(6):
        await people.add(guest(number, seen=number), claims(f"g{number}"), code=f"{number}")
    assert await people.forget_guests(2.0, 100, "guest:0".__eq__) == 1
    assert await people.forget_guests(2.0, 3, "guest:0".__eq__) == 1
    left = [number for number in range(6) if await people.find("id", f"guest:{number}")]
    assert left == [0, 3, 4, 5]
    assert await people.find("id", "account:1")


async def test_results_move_with_an_account_and_stay_when_it_is_forgotten(opened: Database) -> None:
    people, store = PeopleStore(opened), TableStore(opened)
    await people.add(account(1), claims("ada"), key="a")
    await people.add(account(2), claims("bo"), key="b")
    over = finished()._replace(players=("account:2", ""))
    await store.append(begun()._replace(finished=over))
    await people.add_key("account:1", "b", 1.0)
    assert await owners(opened) == ["account:1", ""]
    await people.forget("account:1")
    assert await owners(opened) == ["", ""]


async def test_settings_that_nobody_can_read_keep_nobody_out(opened: Database) -> None:
    people = PeopleStore(opened)

    def spoil(content: str, connection: Connection) -> None:
        connection.execute("UPDATE people SET settings = :it", {"it": content})

    await people.add(account(1), claims("ada"), key="a")
    for wrong in ("{", "7", "[[1]]"):
        await opened.change(partial(spoil, wrong))
        with capture_logs() as lines:
            ada = await people.find("key", "a")
        assert ada is not None
        assert ada.settings == {}
        assert [line["event"] for line in lines] == ["settings_unreadable"]
    await people.set_settings("account:1", {"face": "lines"})
    ada = await people.find("id", "account:1")
    assert ada is not None
    assert ada.settings == {"face": "lines"}


async def owners(opened: Database) -> list[Any]:
    query = "SELECT player FROM record_seats ORDER BY seat"
    return await opened.read(lambda connection: list(connection.scalars(query)))
