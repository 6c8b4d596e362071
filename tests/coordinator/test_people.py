"""Who comes in as whom."""

import asyncio
from pathlib import Path

import pytest
from msgspec import structs

from server import StoreError
from server.coordinator.people.names import LENGTH, LETTERS, digest, new_code, plain_code
from server.coordinator.people.people import (
    ACCOUNT_SECONDS,
    ACCOUNTS,
    WRONG_CODES,
    Admitted,
    Credential,
    People,
)
from server.storage.people import By, PeopleStore, Person
from tests.support.databases import database, keys_of
from tests.support.fake_clock import FakeClock
from tests.support.memory_stores import MemoryPeople

ADA = Credential(key="SHA256:ada", source="192.0.2.1")
BO = Credential(key="SHA256:bo", source="192.0.2.2")
NOBODY = Credential(source="192.0.2.3")


class Server:
    """A door, a clock, and who sits where."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.store = MemoryPeople()
        self.seated: set[str] = set()
        self.people = People(self.store, self.clock, seated=self.seated.__contains__)

    async def guest(self, wanted: str = "ada", code: str = "", source: str = "x") -> Admitted:
        return await self.people.admit(Credential(code=code, source=source), wanted)


@pytest.fixture
def server() -> Server:
    return Server()


def codes(admitted: Admitted) -> list[str]:
    return list(admitted.notes)


# ---------------------------------------------------------------- keys and names


async def test_a_name_belongs_to_the_key_that_first_used_it(server: Server) -> None:
    await server.people.admit(ADA, "ada")
    bo = await server.people.admit(BO, "ΑDА")
    assert bo.player.name == "ΑDА2"
    assert bo.notes == ("called",)
    guest = await server.people.admit(NOBODY, "ada")
    assert guest.player.name == "ada3"
    assert guest.player.guest
    ada = await server.people.admit(ADA, "ada")
    assert ada.player.name == "ada"


@pytest.mark.parametrize(
    ("first", "second", "called"),
    [
        ("J\u00f6rg", "Joerg", "Joerg2"),
        ("Joerg", "J\u00f6rg", "J\u00f6rg2"),
        ("J\u00f6rg", "Jorg", "Jorg2"),
        ("\u0418\u0432\u0430\u043d", "Ivan", "Ivan2"),
        ("\u7528\u6237", "pcjr", "pcjr2"),
        ("\u7528\u6237", "\u540d\u524d", "\u540d\u524d"),
        ("Joe", "Jo", "Jo"),
    ],
)
async def test_nobody_is_shown_as_somebody_else_is(
    server: Server, first: str, second: str, called: str
) -> None:
    await server.people.admit(ADA, first)
    bo = await server.people.admit(BO, second)
    assert bo.player.name == called
    assert await server.people.known_as(bo.player.id, second if called == second else first)
    for_good = await server.people.admit(BO, first, rename=True)
    assert for_good.player.name == called


async def test_a_known_key_keeps_its_name_whatever_the_machine_calls_one(server: Server) -> None:
    ada = await server.people.admit(ADA, "ada")
    root = await server.people.admit(ADA, "root")
    assert root.player == ada.player
    assert codes(root) == ["name_kept"]
    assert codes(await server.people.admit(ADA, "Ada")) == []
    assert (await server.people.admit(BO, "root")).player.name == "root", "it was never hers"


async def test_somebody_may_use_several_names_and_keeps_them(server: Server) -> None:
    ada = await server.people.admit(ADA, "ada")
    captain = await server.people.admit(ADA, "captain", rename=True)
    assert captain.player == structs.replace(ada.player, name="captain")
    assert captain.notes == ()
    bo = await server.people.admit(BO, "ada")
    assert codes(bo) == ["called"]
    wanting = await server.people.admit(ADA, bo.player.name, rename=True)
    assert wanting.player.name == "captain", "somebody else's: the name stays as it was"
    assert wanting.notes == ("called",)
    assert (await server.people.admit(ADA, "ada", rename=True)).player.name == "ada"
    assert codes(await server.people.admit(ADA, "", rename=True)) == []


async def test_a_guest_who_comes_back_keeps_the_name_or_asks_for_another(server: Server) -> None:
    zoe = await server.guest("zoe")
    server.seated.add(zoe.player.id)
    code = Credential(code=zoe.rejoin_code)
    assert (await server.people.admit(code, "root")).player == zoe.player
    renamed = await server.people.admit(code, "dora", rename=True)
    assert renamed.player == structs.replace(zoe.player, name="dora")
    await server.people.admit(ADA, "ada")
    taken = await server.people.admit(code, "ada", rename=True)
    assert taken.player.name == "dora"
    assert codes(taken) == ["called"]


async def test_a_new_key_with_a_reserved_name_gets_a_variant(server: Server) -> None:
    ada = await server.people.admit(ADA, "Otter")
    assert ada.player.name == "Otter2"
    assert ada.notes == ("called",)


async def test_too_many_new_accounts_from_one_place_are_guests() -> None:
    server = Server()
    came = [
        await server.people.admit(Credential(f"key{number}", source="x"), "ada")
        for number in range(ACCOUNTS + 1)
    ]
    *accounts, guest = came
    assert not any(one.player.guest for one in accounts)
    assert guest.player.guest
    assert codes(guest) == ["many_accounts", "called"]
    assert guest.rejoin_code
    known = await server.people.admit(Credential("key0", source="x"), "ada")
    assert known.player == came[0].player
    elsewhere = await server.people.admit(Credential("elsewhere", source="y"), "ada")
    assert not elsewhere.player.guest
    await server.clock.advance(ACCOUNT_SECONDS)
    later = await server.people.admit(Credential("later", source="x"), "ada")
    assert not later.player.guest


async def test_many_who_come_at_once_have_names_of_their_own(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        people = People(PeopleStore(opened), FakeClock())
        came = await asyncio.gather(
            *(people.admit(Credential(source=f"{number}"), "ada") for number in range(200))
        )
        assert len({one.player.name for one in came}) == 200
        assert len({one.player.id for one in came}) == 200
        assert opened.groups.count < 100


# ---------------------------------------------------------------- rejoin codes


async def test_a_guest_comes_back_with_the_code(server: Server) -> None:
    first = await server.guest()
    second = await server.guest()
    assert second.player.id != first.player.id
    for typed in (first.rejoin_code, first.rejoin_code.replace("-", "").upper()):
        again = await server.guest("somebody", typed)
        assert again.player == first.player
        assert not again.new
        assert again.notes == ()


@pytest.mark.parametrize(
    "typed",
    ["", "a", "dukazote", new_code(), "é" * LENGTH, "2" * 5000],
    # Workers must agree on what a test is called; one of these is random.
    ids=["empty", "letter", "table", "unknown", "accents", "endless"],
)
async def test_a_wrong_code_makes_a_new_guest_and_says_so(server: Server, typed: str) -> None:
    admitted = await server.guest(code=typed)
    assert admitted.new
    assert codes(admitted) == (["code_unknown"] if typed else [])


async def test_guessing_codes_is_slow(server: Server) -> None:
    guest = await server.guest("bo")
    for _ in range(WRONG_CODES):
        assert codes(await server.guest(f"ada{_}", new_code())) == ["code_unknown"]
    assert codes(await server.guest("cem", new_code())) == ["code_wait"]
    assert codes(await server.guest("eve", new_code(), source="elsewhere")) == ["code_unknown"]
    assert (await server.guest("bo", guest.rejoin_code)).player == guest.player, (
        "a right one is good, whatever others from there have typed"
    )
    await server.clock.advance(60)
    assert codes(await server.guest("dora", new_code())) == ["code_unknown"]


async def test_a_whole_party_may_come_back_at_the_same_moment(server: Server) -> None:
    party = [await server.guest(f"guest{number}") for number in range(12)]
    held, find = asyncio.Event(), server.store.find

    async def slowly(by: By, it: str) -> Person | None:
        await held.wait()
        return await find(by, it)

    server.store.find = slowly  # type: ignore[method-assign]
    back = [asyncio.create_task(server.guest("", guest.rejoin_code)) for guest in party]
    await asyncio.sleep(0)
    held.set()
    assert [admitted.player for admitted in await asyncio.gather(*back)] == [
        guest.player for guest in party
    ]


async def test_guests_are_forgotten_unless_they_sit_somewhere(server: Server) -> None:
    gone, seated = await server.guest("gone"), await server.guest("here")
    server.seated.add(seated.player.id)
    await server.clock.advance(3601)
    assert codes(await server.guest("x", gone.rejoin_code)) == ["code_unknown"], (
        "even before tidying"
    )
    assert (await server.guest("x", seated.rejoin_code)).player == seated.player
    assert await server.people.tidy() == 1
    assert (await server.guest("gone")).player.name == "gone"


async def test_after_a_restart_guests_have_the_full_time_to_come_back(server: Server) -> None:
    guest = await server.guest()
    await server.clock.advance(3 * 3600)
    restarted = People(server.store, server.clock)
    assert await restarted.tidy() == 0, "perhaps connected all the time"
    back = await restarted.admit(Credential(code=guest.rejoin_code), "")
    assert back.player == guest.player
    await server.clock.advance(3601)
    assert await restarted.tidy() == 1


def test_codes_carry_enough_chance_and_no_vowels() -> None:
    assert len(LETTERS) ** LENGTH > 2**40
    assert not set(LETTERS) & set("aeiou01l")
    code = new_code()
    assert len(code) == 14
    assert plain_code(code.upper().replace("-", " ")) == code.replace("-", "")
    assert digest(code) == digest(code.replace("-", ""))
    assert code not in digest(code)


# ---------------------------------------------------------------- several keys


async def test_a_link_code_adds_a_key_once(server: Server) -> None:
    ada = await server.people.admit(ADA, "ada")
    code = server.people.link_code(ada.player.id)
    phone = Credential("SHA256:phone", code, "x")
    linked = await server.people.admit(phone, "me")
    assert linked.player.id == ada.player.id
    assert "linked" in linked.notes
    assert await keys_of(server.store, ada.player.id) == ("SHA256:ada", "SHA256:phone")
    thief = await server.people.admit(Credential("SHA256:thief", code, "y"), "me2")
    assert thief.player.id != ada.player.id
    assert "code_unknown" in codes(thief)


async def test_a_link_code_does_not_last(server: Server) -> None:
    ada = await server.people.admit(ADA, "ada")
    old = server.people.link_code(ada.player.id)
    code = server.people.link_code(ada.player.id)
    assert await server.people.link(BO._replace(code=old)) == "code_unknown"
    await server.clock.advance(601)
    assert await server.people.link(BO._replace(code=code)) == "code_unknown"


async def test_a_link_code_needs_a_key_and_waits_for_one(server: Server) -> None:
    ada = await server.people.admit(ADA, "ada")
    code = server.people.link_code(ada.player.id)
    assert "link_needs_key" in codes(await server.guest("bo", code))
    assert await server.people.link(BO._replace(code=code)) == "linked"


async def test_the_account_of_the_other_key_becomes_part_of_this_one(server: Server) -> None:
    ada = await server.people.admit(ADA, "ada")
    bo = await server.people.admit(BO, "bo")
    server.seated.add(bo.player.id)
    code = server.people.link_code(ada.player.id)
    assert await server.people.link(BO._replace(code=code)) == "link_seated"
    server.seated.clear()
    assert await server.people.link(BO._replace(code=code)) == "linked"
    assert (await server.people.admit(BO, "bo")).player == ada.player
    renamed = await server.people.admit(BO, "bo", rename=True)
    assert renamed.player == structs.replace(ada.player, name="bo"), "both names are the account's"


async def test_link_codes_cannot_be_guessed_for_ever(server: Server) -> None:
    ada = await server.people.admit(ADA, "ada")
    code = server.people.link_code(ada.player.id)
    for _ in range(WRONG_CODES):
        assert await server.people.link(BO._replace(code=new_code())) == "code_unknown"
    assert await server.people.link(BO._replace(code=code)) == "code_wait"


# ---------------------------------------------------------------- trouble


class Broken(MemoryPeople):
    """Reads, but cannot write."""

    broken = False

    async def came(self, *args: object, **kwargs: object) -> None:
        raise StoreError("full")

    async def add(self, *args: object, **kwargs: object) -> None:  # type: ignore[override]
        raise StoreError("full")

    async def add_key(self, *args: object, **kwargs: object) -> str:
        raise StoreError("full")


async def test_a_full_disk_keeps_nobody_known_out(server: Server) -> None:
    ada = await server.people.admit(ADA, "ada")
    guest = await server.guest("bo")
    await server.clock.advance(1800)
    server.store.__class__ = Broken
    assert (await server.people.admit(ADA, "captain")).player == ada.player
    assert (await server.guest("bo", guest.rejoin_code)).player == guest.player
    with pytest.raises(StoreError):
        await server.people.admit(BO, "cem")
    code = server.people.link_code(ada.player.id)
    for _ in range(2):  # and the code is not used up
        with pytest.raises(StoreError):
            await server.people.link(BO._replace(code=code))
