"""Tables that are not for everybody: invitation words, seats that are kept, players who were removed."""

import asyncio
import json
from dataclasses import replace

import pytest

from server import StoreError
from server.coordinator import messages as m
from server.coordinator.table.attendance import plain_word
from server.settings.settings import TableLimits
from tests.support.faulty_stores import FullStore
from tests.support.letters import DAILY
from tests.support.memory_stores import MemoryStore
from tests.support.tables import FIVE, UNTIMED, Guest, World, restarted, world
from tests.support.through_frames import enter


def repr_of(command: object) -> str:
    return repr(command).encode("ascii", "backslashreplace").decode()[:40]


async def private(server: World, word: str = "Otter") -> tuple[Guest, str]:
    ada = server.enter("ada")
    await ada.ok(m.CreateTable(UNTIMED))
    await ada.ok(m.SetWord(word))
    return ada, ada.info.id


@pytest.mark.parametrize("typed", ["", "abc", "two words", "a+b+c", "x" * 25, "rename", "tab\tbed"])
def test_what_is_no_word(typed: str) -> None:
    assert plain_word(typed) == ""
    assert plain_word(" O\u0308TTER ") == "\u00f6tter"


async def test_a_private_table_is_not_listed_and_opens_with_its_word_only() -> None:
    async with world() as server:
        ada, table = await private(server)
        bo, cem = server.enter("bo"), server.enter("cem")
        await server.clock.advance(1)
        assert not bo.lobby.tables
        assert ada.info.private
        assert ada.heard(m.Privacy) == [m.Privacy(True)]
        assert await bo.code(m.JoinTable(table)) == "word_needed"
        assert await bo.code(m.WatchTable(table, "beaver")) == "wrong_word"
        await bo.ok(m.WatchTable(table, "OTTER"))
        await bo.ok(m.JoinTable(table))
        await cem.ok(m.JoinTable(table, word="otter"))
        await ada.ok(m.SetWord(""))
        dora = server.enter("dora")
        await server.clock.advance(1)
        assert [row.id for row in dora.lobby.tables] == [table]


async def test_a_private_table_is_not_rated_whichever_comes_first() -> None:
    rated = replace(UNTIMED, rated=True, hints=False)
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await ada.ok(m.CreateTable(rated))
        assert await ada.code(m.SetWord("otter")) == "rated_private"
        await ada.ok(m.SetWord(""))
        await ada.ok(m.ChangeOptions(UNTIMED))
        await ada.ok(m.SetWord("otter"))
        assert await ada.code(m.ChangeOptions(rated)) == "rated_private"
        await ada.ok(m.SetWord(""))
        await ada.ok(m.ChangeOptions(rated))
        # At once: the word is being hashed while the options change.
        await bo.ok(m.CreateTable(UNTIMED))
        codes = await asyncio.gather(
            bo.code(m.SetWord("otter")),
            bo.code(m.ChangeOptions(rated)),
            bo.code(m.ChangeOptions(rated)),
        )
        assert "rated_private" in codes
        assert not (bo.info.private and bo.info.options.rated)


async def test_only_the_owner_is_shown_the_word() -> None:
    async with world() as server:
        ada, table = await private(server)
        bo, cem = server.enter("bo"), server.enter("cem")
        await bo.ok(m.JoinTable(table, word="otter"))
        await cem.ok(m.WatchTable(table, "otter"))
        assert ada.table.word == "otter"
        for other in (bo, cem):
            assert "otter" not in repr(other.read().updates)
        await ada.ok(m.HandOver(1))
        assert (ada.table.word, bo.table.word) == ("", "otter")


async def test_the_word_is_not_in_the_store_and_still_opens_after_a_restart() -> None:
    store = MemoryStore()
    async with world(store=store) as server:
        ada, table = await private(server)
        await ada.ok(m.KeepSeat(2, "zoe"))
    (stored,) = await store.load()
    assert "otter" not in json.dumps(stored.row)
    async with restarted(server) as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await server.clock.settle()
        assert ada.info.private
        assert ada.table.word == ""
        assert ada.info.seats[2].kept == "zoe"
        assert await bo.code(m.JoinTable(table, word="beaver")) == "wrong_word"
        await bo.ok(m.JoinTable(table, word="otter"))


async def test_guesses_are_counted_for_each_player_and_for_the_table() -> None:
    async with world() as server:
        _, table = await private(server)
        bo = server.enter("bo")
        codes = [await bo.code(m.JoinTable(table, word="beaver")) for _ in range(6)]
        assert codes == ["wrong_word"] * 5 + ["word_wait"]
        assert await bo.code(m.JoinTable(table, word="otter")) == "word_wait"
        await server.clock.advance(20)
        await bo.ok(m.JoinTable(table, word="otter"))
        for number in range(60):
            await server.enter(f"guesser{number}").code(m.JoinTable(table, word="beaver"))
        assert await server.enter("late").code(m.JoinTable(table, word="otter")) == "word_wait"
        await server.clock.advance(2)
        await server.enter("later").ok(m.JoinTable(table, word="otter"))


async def test_who_guesses_from_one_place_keeps_nobody_out_who_comes_from_elsewhere() -> None:
    async with world() as server:
        _, table = await private(server)
        guess, right = m.JoinTable(table, word="beaver"), m.WatchTable(table, "otter")
        for number in range(100):
            guesser = server.enter(f"guesser{number}", source="198.51.100.1")
            assert await guesser.code(guess) == ("wrong_word" if number < 10 else "word_wait")
        neighbour = server.enter("neighbour", source="198.51.100.1")
        assert await neighbour.code(right) == "word_wait"
        await server.enter("elsewhere", source="203.0.113.1").ok(right)
        await server.clock.advance(12)
        await neighbour.ok(right)


async def test_a_kept_seat_is_for_that_player_alone_who_needs_no_word() -> None:
    async with world() as server:
        ada, table = await private(server)
        await ada.ok(m.KeepSeat(2, "Zoe"))
        assert ada.heard(m.SeatKept) == [m.SeatKept(2, "Zoe")]
        bo, zoe, cem = server.enter("bo"), server.enter("zoe"), server.enter("cem")
        await bo.ok(m.JoinTable(table, word="otter"))
        assert await cem.code(m.JoinTable(table, word="otter")) == "seat_kept"
        assert await ada.code(m.StartGame()) == "seats_empty"
        await zoe.ok(m.JoinTable(table))
        assert [seat.name for seat in ada.info.seats] == ["ada", "bo", "zoe"]
        await ada.ok(m.StartGame())


async def test_a_guest_with_the_right_name_needs_the_word_all_the_same() -> None:
    async with world() as server:
        ada, table = await private(server)
        await ada.ok(m.KeepSeat(2, "zoe"))
        zoe = server.enter("zoe", guest=True)
        assert await zoe.code(m.JoinTable(table)) == "word_needed"
        await zoe.ok(m.JoinTable(table, word="otter"))
        assert zoe.table.seat == 2


async def test_ratings_in_the_list_are_those_after_the_last_game() -> None:
    ratings: dict[str, int | None] = {"id-ada": 100, "id-bo": 300, "id-cem": None}

    async def strength(player: str) -> tuple[int | None, int]:
        return ratings.get(player), 0

    async with world(strength=strength) as server:
        eve = server.enter("eve", guest=True)
        guests = await server.table(replace(UNTIMED, rated=True), humans=3)
        await server.clock.advance(server.lobby.shared.timing.lobby_again + 1)
        assert [row.ratings for row in eve.lobby.tables] == [(100, 300)]
        ratings |= {"id-ada": 90, "id-bo": 250, "id-cem": 310}
        await server.play_out(*guests)
        await server.clock.advance(server.lobby.shared.timing.lobby_again + 1)
        assert [row.ratings for row in eve.lobby.tables] == [(90, 310)]


async def test_of_who_is_new_nobody_asks_how_strong_she_is() -> None:
    asked: list[str] = []

    async def strength(player: str) -> tuple[int | None, int]:
        asked.append(player)
        return None, 0

    async with world(strength=strength) as server:
        enter(server.lobby, m.Player("id-ada", "ada", False), new=True)
        enter(server.lobby, m.Player("id-bo", "bo", False))
        await server.clock.settle()
    assert asked == ["id-bo"]


async def test_after_a_restart_each_is_asked_about_once_for_all_tables() -> None:
    asked: list[str] = []

    async def strength(player: str) -> tuple[int | None, int]:
        asked.append(player)
        return 200, 3

    async with world() as server:
        ada = server.enter("ada")
        for _ in range(3):
            await ada.ok(m.CreateTable(DAILY))
            await ada.ok(m.GoToLobby())
    async with restarted(server, strength=strength) as server:
        await server.clock.settle()
        assert asked == ["id-ada"]
        assert [row.ratings for row in server.lobby.feed.snapshot().tables] == [(200, 200)] * 3


async def test_a_rating_that_cannot_be_read_keeps_nobody_out() -> None:
    async def strength(_: str) -> tuple[int | None, int]:
        raise StoreError("failed")

    async with world(strength=strength) as server:
        (ada,) = await server.table(UNTIMED, start=False)
        await server.clock.advance(1)
        assert server.lobby.feed.snapshot().tables[0].ratings is None
        await ada.ok(m.AddBot())


async def test_smaller_tables_lose_seats_that_nobody_waits_for_first() -> None:
    async with world() as server:
        (ada,) = await server.table(FIVE, start=False)
        await ada.ok(m.KeepSeat(4, "zoe"))
        await ada.ok(m.ChangeOptions(UNTIMED))
        assert [seat.kept for seat in ada.info.seats] == ["", "", "zoe"]


async def test_who_was_removed_does_not_come_straight_back() -> None:
    async with world() as server:
        ada, bo = (await server.table(UNTIMED, humans=2, start=False))[:2]
        table = ada.info.id
        await ada.ok(m.RemoveSeat(1))
        assert await bo.code(m.JoinTable(table)) == "removed"
        await bo.ok(m.QuickJoin(UNTIMED))
        assert bo.info.id != table
        await bo.ok(m.LeaveTable())
        await bo.ok(m.WatchTable(table))
        await ada.ok(m.KeepSeat(1, "bo"))
        await bo.ok(m.JoinTable(table))
        await ada.ok(m.RemoveSeat(1))
        await server.clock.advance(300)
        await bo.ok(m.JoinTable(table))


async def test_the_owner_moves_people_about_and_stays_the_owner() -> None:
    async with world() as server:
        ada, bo = (await server.table(FIVE, humans=2, start=False))[:2]
        await ada.ok(m.MoveSeat(1, 3))
        assert [seat.name for seat in ada.info.seats] == ["ada", "", "", "bo", ""]
        assert bo.table.seat == 3
        await ada.ok(m.MoveSeat(0, 3))
        assert [seat.name for seat in ada.info.seats] == ["bo", "", "", "ada", ""]
        assert ada.info.owner == ada.table.seat == 3
        assert bo.heard(m.Moved) == [m.Moved(3, "bo", ""), m.Moved(3, "ada", "bo")]
        assert not bo.heard(m.NewOwner)
        assert await bo.code(m.MoveSeat(0, 1)) == "not_owner"
        await ada.ok(m.MoveSeat(3, 3))
        bo.visit.close()
        await server.clock.advance(60)
        assert ada.info.seats[0].name == "", "the seat of who is gone is found wherever it is"


async def test_any_game_means_the_fullest_table_that_fits_or_a_new_one() -> None:
    async with world() as server:
        five, three = server.enter("five"), server.enter("three")
        await three.ok(m.CreateTable(UNTIMED))
        await five.ok(m.CreateTable(FIVE))
        rated, kept = server.enter("rated"), server.enter("kept")
        await rated.ok(m.CreateTable(replace(UNTIMED, rated=True)))
        await kept.ok(m.CreateTable(UNTIMED))
        for number in (1, 2):
            await kept.ok(m.KeepSeat(number, "zoe"))
        await private(server)
        for name, where in (("a", three), ("b", three), ("c", five)):
            guest = server.enter(name, guest=True)
            await guest.ok(m.QuickJoin(UNTIMED))
            assert guest.info.id == where.info.id
        timed = server.enter("timed")
        await timed.ok(m.CreateTable(m.TableOptions()))
        last = server.enter("last", guest=True)
        await last.ok(m.QuickJoin(m.TableOptions()))
        assert last.info.id == timed.info.id, "what is asked for comes before what is nearly full"


@pytest.mark.parametrize(
    "command",
    [
        *(m.KeepSeat(seat, "zoe") for seat in (-1, 5, 10**30)),
        *(m.KeepSeat(1, name) for name in ("\x00", "\u202e" * 9, "x" * 100_000, "\ud800")),
        *(m.MoveSeat(seat, to) for seat, to in ((-1, 0), (0, -1), (0, 10**30), (9, 9))),
        *(m.SetWord(word) for word in ("x" * 100_000, "\x1b[2J", "\ud800abc", "+++++")),
        *(m.JoinTable("\u202e", 10**30, "x" * 100_000), m.WatchTable("", "\ud800")),
    ],
    ids=repr_of,
)
async def test_nothing_that_is_sent_harms_a_table(command: m.Command) -> None:
    async with world() as server:
        ada, bo = (await server.table(FIVE, humans=2, start=False))[:2]
        await ada.submit(command)
        stranger = server.enter("stranger")
        await ada.ok(m.SetWord("otter"))
        table = ada.info.id
        for word in ("x" * 100_000, "\ud800", "\x00\x1b[2J"):
            assert await stranger.code(m.JoinTable(table, word=word)) == "wrong_word"
        shown = "".join(seat.kept for seat in bo.info.seats)
        assert shown.isprintable()
        assert len(shown) <= 12
        await bo.ok(m.LeaveTable())
        await bo.ok(m.JoinTable(table, word="otter"))


async def test_who_could_not_be_removed_is_not_shut_out() -> None:
    store = FullStore()
    async with world(store=store) as server:
        ada, bo = await server.table(UNTIMED, humans=2, start=False)
        store.full = True
        assert await ada.code(m.RemoveSeat(1)) == "storage"
        store.full = False
        await bo.ok(m.LeaveTable())
        await bo.ok(m.JoinTable(ada.info.id))


@pytest.mark.parametrize("kind", [m.CreateTable, m.QuickGame, m.QuickJoin])
async def test_a_game_that_is_over_is_left_for_a_new_table_but_not_for_a_refusal(
    kind: type[m.CreateTable | m.QuickGame | m.QuickJoin],
) -> None:
    async with world(limits=TableLimits(games_per_player=1)) as server:
        ada = await server.quick()
        game = ada.info.id
        assert await ada.code(kind(UNTIMED)) == "seated_elsewhere", "it is not over"
        await server.play_out(ada)
        refused = await ada.submit(kind(UNTIMED))
        assert refused.code == "too_many_games"
        assert (ada.info.id, ada.table.seat) == (game, 0), "the standings stay"
        await server.clock.advance(float(refused.details["seconds"]))
        await ada.ok(kind(UNTIMED))
        assert ada.info.id != game
        assert game not in server.lobby.known, "nobody is there any more"


async def test_who_alone_is_left_at_a_game_that_is_over_plays_on_where_no_table_is_free() -> None:
    async with world(limits=TableLimits(tables=1)) as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await ada.ok(m.QuickGame(UNTIMED))
        await server.play_out(ada)
        assert await bo.code(m.QuickGame(UNTIMED)) == "too_many_tables"
        await ada.ok(m.QuickGame(UNTIMED))


@pytest.mark.parametrize("kind", [m.JoinTable, m.WatchTable])
async def test_a_game_that_is_over_keeps_nobody_from_an_invitation(
    kind: type[m.JoinTable | m.WatchTable],
) -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        await bo.ok(m.CreateTable(UNTIMED))
        await ada.ok(m.QuickGame(UNTIMED))
        game = ada.info.id
        assert await ada.code(kind(bo.info.id)) == "seated_elsewhere", "it is not over"
        await server.play_out(ada)
        assert ada.info.status is m.Status.OVER
        assert await ada.code(kind("kadubilo")) == "no_such_table"
        assert ada.info.id == game, "nothing is lost by a code that leads nowhere"
        assert await ada.code(kind(game)) == "seated_elsewhere"
        await bo.ok(m.SetWord("otter"))
        assert await ada.code(kind(bo.info.id, word="wrong")) == "wrong_word"
        assert (ada.info.id, ada.table.seat) == (game, 0), "nor by a wrong word"
        await bo.ok(m.SetWord(""))
        await ada.ok(kind(bo.info.id))
        assert ada.info.id == bo.info.id
        assert (ada.table.seat >= 0) is (kind is m.JoinTable)
        await server.clock.advance(1)
        left = server.lobby.known.get(game)
        assert left is None or not left.seated
