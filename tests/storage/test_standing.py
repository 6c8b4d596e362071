"""Ratings among people who share an address, and who is on the leaderboard."""

from itertools import pairwise
from pathlib import Path

import pytest

from engine.records.outcome import resolve
from server.storage.databases.database import CannotOpen, Database
from server.storage.history_store import HistoryStore, mark
from server.storage.moderation import ModerationStore
from server.storage.people import Claim, PeopleStore, Person
from server.storage.ratings import (
    GAMES,
    LEAST_WEIGHT,
    MEMORY,
    OPPONENTS,
    PATIENCE,
    Rating,
    rated,
    rated_fairly,
    rated_where_some_left,
    weight,
)
from server.storage.statedir import KEY, key_in
from server.storage.table_store import FinishedGame
from tests.support.databases import archived, database, keep, page_of
from tests.support.games import record
from tests.support.state import open_state

pytestmark = pytest.mark.usefixtures("product")

HOME = "192.0.2.1"


def account(name: str) -> str:
    return f"account:{name}"


async def meet(opened: Database, *names: str) -> None:
    people = PeopleStore(opened)
    for name in names:
        who = Person(account(name), "", False, 1.0, 1.0)
        await people.add(who, [Claim(name, name)], key="", code="")


async def play(opened: Database, number: int, names: dict[str, str]) -> None:
    """A rated game of these people, from these addresses."""
    players = [account(name) for name in names]
    empty = [""] * (4 - len(names))
    sources = (*names.values(), *empty)
    await keep(opened, number, record(number, rated=True), *players, *empty, sources=sources)


async def rating(opened: Database, name: str) -> Rating:
    found = (await page_of(opened, account(name))).rating
    assert found is not None
    return found


# ---------------------------------------------------------------- the rule


def test_seats_that_were_left_bring_those_who_stayed_nothing() -> None:
    before = [Rating(), Rating(30.0, 4.0, 9), Rating(20.0, 6.0, 3), Rating(28.0, 5.0, 7)]
    after = rated_where_some_left(before, [2, 1, 0, 0], {(0, 1): 0.5, (1, 3): 0.7})
    assert after[:2] == rated_fairly(before[:2], [2, 1], {(0, 1): 0.5})
    for one in (2, 3):
        assert after[one].mu < before[one].mu, "whoever left is last"
    alone = rated_where_some_left(before, [0, 1, 0, 0], {})
    assert alone[1] == before[1]
    assert alone[0].mu < before[0].mu


def test_the_first_game_at_one_address_counts_whole_and_the_next_ever_less() -> None:
    before = [Rating(), Rating()]
    assert rated_fairly(before, [1, 2], {(0, 1): 1.0}) == rated(before, [1, 2])
    gains = [
        rated_fairly(before, [1, 2], {(0, 1): weight(met, shared=True)})[0].mu - 25
        for met in range(200)
    ]
    assert all(later < sooner for sooner, later in pairwise(gains))
    assert gains[5] == pytest.approx(gains[0] / 2)
    assert 0 < gains[199] < gains[0] / 40


def test_who_shares_no_address_gets_all_and_who_does_keeps_what_others_bring() -> None:
    before = [Rating(), Rating(), Rating()]
    often = rated_fairly(before, [1, 2, 3], {(0, 1): weight(10**9, shared=True)})
    assert often[2] == rated(before, [1, 2, 3])[2]
    alone = rated([before[0], before[2]], [1, 3])[0]
    assert often[0].mu == pytest.approx(alone.mu)
    assert often[0].games == 1


def test_between_networks_a_game_counts_less_and_never_less_than_half() -> None:
    weights = [weight(met, shared=False) for met in range(100)]
    assert weights[0] == 1
    assert weights[: PATIENCE + 1] == [weight(met, shared=True) for met in range(PATIENCE + 1)]
    assert set(weights[PATIENCE:]) == {LEAST_WEIGHT}


# ---------------------------------------------------------------- in the database


@pytest.mark.slow
async def test_three_accounts_of_one_address_farm_no_first_place(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        await meet(opened, "ada", "bo", "cem")
        for number in range(1, 61):
            await play(opened, number, dict.fromkeys(("ada", "bo", "cem"), HOME))
        assert await HistoryStore(opened).best() == ()
        assert (await page_of(opened, account("ada"))).rank == 0
        at_home = await rating(opened, "ada")
    (tmp_path / "far").mkdir()
    async with database(tmp_path / "far") as opened:
        await meet(opened, "ada", "bo", "cem")
        for number in range(1, 61):
            places = {"ada": "192.0.2.1", "bo": "192.0.2.2", "cem": "192.0.2.3"}
            await play(opened, number, places)
        far = await rating(opened, "ada")
    assert at_home.games == far.games == 60
    assert at_home.sigma > far.sigma, "games among oneself say less"


async def test_pairs_of_different_networks_count_less_until_a_month_has_passed(
    opened: Database,
) -> None:
    await meet(opened, "ada", "bo")
    before = [Rating(), Rating()]
    # The last one but one is so late that those before are forgotten.
    moments = [1.0, 2.0, 3.0, 3.0 + MEMORY + 1, 4.0 + MEMORY + 1]
    for number, (at, met) in enumerate(zip(moments, (0, 1, 2, 0, 1), strict=True), 1):
        over = record(number, rated=True)
        players = (account("ada"), account("bo"), "", "")
        sources = (HOME, "198.51.100.7", "", "")
        game = FinishedGame(over.fields(), players, at, sources)
        await archived(opened, f"game-{number}", game)
        ada, bo = resolve(over).scores[:2]
        places = [1 + (bo > ada), 1 + (ada > bo)]
        weights = {(0, 1): weight(met, shared=False)} if met else {}
        before = rated_fairly(before, places, weights)
        assert await rating(opened, "ada") == pytest.approx(before[0])
        assert await rating(opened, "bo") == pytest.approx(before[1])


async def test_one_customers_networks_of_ipv6_are_one(opened: Database) -> None:
    await meet(opened, "ada", "bo", "cem")
    places = {"ada": "2001:db8:1:2::/64", "bo": "2001:db8:1:3::/64", "cem": "2001:db8:2:2::/64"}
    await play(opened, 1, places)
    ada, bo, cem, _ = await sources(opened)
    assert ada == bo != cem


async def test_enough_games_with_enough_people_of_other_addresses_list_somebody(
    opened: Database,
) -> None:
    others = [f"player{number}" for number in range(OPPONENTS)]
    await meet(opened, "ada", *others)
    for number in range(GAMES):
        assert await HistoryStore(opened).best() == ()
        other = others[number % OPPONENTS]
        await play(opened, number + 1, {"ada": HOME, other: f"198.51.100.{number}"})
    assert [one.name for one in await HistoryStore(opened).best()] == ["ada"]


@pytest.mark.slow
async def test_few_people_however_often_or_many_at_home_list_nobody(opened: Database) -> None:
    family = [f"player{number}" for number in range(6)]
    await meet(opened, "ada", "bo", "cem", "dora", *family)
    for number in range(1, 31):
        guest = ("bo", "cem", "dora")[number % 3]
        await play(opened, number, {"ada": HOME, guest: "198.51.100.7"})
    for number in range(31, 61):
        await play(opened, number, {"ada": HOME, family[number % 6]: HOME})
    assert "ada" not in [one.name for one in await HistoryStore(opened).best()]


async def test_those_who_leave_for_somebody_make_nobody_the_first(opened: Database) -> None:
    """Six accounts of six networks: two leave in each game, and one has the seats beside bots."""
    friends = [f"friend{number}" for number in range(5)]
    await meet(opened, "ada", *friends)
    kinds = [{"kind": "human"}, {"kind": "left"}, {"kind": "left"}, {"kind": "bot"}]
    for number in range(1, 17):
        two = [friends[number % 5], friends[(number + 1) % 5]]
        over = record(number, rated=True, seats=kinds)
        sources = (HOME, f"198.51.100.{number}", f"203.0.113.{number}", "")
        players = (*map(account, ("ada", *two)), "")
        await archived(opened, str(number), FinishedGame(over.fields(), players, 1.0, sources))
    assert await HistoryStore(opened).best() == ()
    page = await page_of(opened, account("ada"))
    assert (page.rating, page.rank) == (None, 0)
    assert (await rating(opened, "friend1")).mu < 25


async def test_an_operators_word_lists_somebody_until_it_is_taken_back(opened: Database) -> None:
    operator_actions, history = ModerationStore(opened), HistoryStore(opened)
    await meet(opened, "ada", "bo")
    assert await operator_actions.vouch("nobody", on=True) == ""
    assert await operator_actions.vouch("ada", on=True) == "ada"
    assert await history.best() == ()
    await play(opened, 1, {"ada": HOME, "bo": HOME})
    assert [(one.rank, one.name) for one in await history.best()] == [(1, "ada")]
    assert await operator_actions.vouch("ada", on=False) == "ada"
    assert await history.best() == ()


async def test_a_guest_cannot_be_vouched_for(opened: Database) -> None:
    guest = Person("guest:eve", "", True, 1.0, 1.0)
    await PeopleStore(opened).add(guest, [Claim("eve", "eve")], key="", code="")
    assert await ModerationStore(opened).vouch("eve", on=True) == ""


# ---------------------------------------------------------------- what is kept


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def sources(opened: Database) -> list[str]:
    query = "SELECT source FROM record_seats ORDER BY record_id, seat"
    return list(await opened.read(lambda connection: connection.scalars(query)))


async def test_marks_are_kept_of_rated_games_alone_and_no_address(tmp_path: Path) -> None:
    async with database(tmp_path) as opened:
        await meet(opened, "ada", "bo")
        where = (HOME, HOME, "", "")
        players = (account("ada"), account("bo"), "", "")
        await keep(opened, 1, record(1), *players, sources=where)
        assert await sources(opened) == [""] * 4
        await keep(opened, 2, record(2, rated=True), *players, sources=where)
        kept = (await sources(opened))[4:]
        assert kept == [mark(b"a key", HOME), mark(b"a key", HOME), "", ""]
        assert kept[0] not in {"", mark(b"another", HOME)}
    assert not [path for path in files(tmp_path) if HOME.encode() in path.read_bytes()]


async def test_the_key_of_the_marks_is_made_once_for_this_user_alone(tmp_path: Path) -> None:
    state = tmp_path / "state"
    await (await open_state(state)).aclose()
    made = (state / KEY).read_bytes()
    assert (state / KEY).stat().st_mode & 0o777 == 0o600
    await (await open_state(state)).aclose()
    assert (state / KEY).read_bytes() == made == key_in(state)
    (state / KEY).write_bytes(b"cut")
    assert len(key_in(state)) == 32


def test_a_key_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / KEY).mkdir()
    with pytest.raises(CannotOpen, match=KEY):
        key_in(tmp_path)
