"""Finding each other, in both faces: filters, any game, invitations, seats, the question for the lonely."""

import re
from dataclasses import replace
from urllib.parse import quote

import pytest

from engine.editions import Edition, Rules
from server.coordinator.messages import (
    CreateTable,
    FollowBusiest,
    JoinTable,
    KeepSeat,
    LeaveTable,
    Motion,
    Occupant,
    Pace,
    SetWord,
    Spectating,
    Status,
    TableOptions,
    Vote,
    WatchTable,
)
from server.i18n.lookup import languages, words_for
from server.jsonapi.fields import table_data
from server.session.attention import PATIENCE
from server.session.sharing import code_and_word
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import row_width
from server.terminal.drawing.svg import qr_lines
from server.transport.access.login import parse_login
from server.transport.telnet.gmcp import tide_state
from server.viewmodels.lobby import filtered, known_words
from server.viewmodels.table_options import OPTIONS
from tests.support.screens import WAY_IN, Screen, screen
from tests.support.tables import SHORT, UNTIMED, Guest, World, world
from tests.support.transcript import reader

BGA = TableOptions(Rules(Edition.BGA, players=6), Pace.TIMED, 60)


async def two_tables(server: World) -> tuple[str, str]:
    """An open one of Amigo without a clock, and one of Board Game Arena's that is full and running."""
    ada = server.enter("ada")
    await ada.ok(CreateTable(UNTIMED))
    running = await server.quick(BGA, "cem")
    return ada.info.id, running.info.id


# ---------------------------------------------------------------- the filter


async def test_the_full_screen_shows_only_tables_that_fit() -> None:
    async with world() as server, screen(server, "eve") as eve:
        await two_tables(server)
        await server.clock.advance(2)
        assert "Amigo" in eve.text
        assert "Board Game Arena" in eve.text
        over = await server.quick(UNTIMED, "dora")
        await over.ok(Vote(Motion.END))
        await server.clock.advance(2)
        assert "1 game is over (s shows it)" in eve.text
        assert over.info.title not in eve.text
        await eve.press("s")
        assert "(s shows it)" not in eve.text
        assert over.info.title in eve.text
        await eve.press("f", "free amigo", "enter")
        assert "Only tables that fit: free amigo (2 do not; f changes it)" in eve.together
        assert "Board Game Arena" not in eve.text
        await eve.press("f", " bga", "enter")
        assert "There is no such table just now." in eve.together
        await eve.press("f", "escape")
        assert "free amigo bga" in eve.together


async def test_games_against_bots_and_what_is_over_are_only_counted_until_asked_for() -> None:
    async with world() as server, reader(server, "eve") as eve:
        open_, running = await two_tables(server)
        over = await server.quick(UNTIMED, "dora")
        await over.ok(Vote(Motion.END))
        await server.clock.advance(2)
        told = " ".join(await eve.say("lobby"))
        assert open_ in told
        assert running not in told
        assert '2 more, against bots or over: type "lobby all".' in told
        told = " ".join(await eve.say("lobby all"))
        assert all(code in told for code in (open_, running, over.info.id))
        told = " ".join(await eve.say("lobby solo"))
        assert (running in told, over.info.id in told) == (True, False)
        told = " ".join(await eve.say("lobby over"))
        assert (running in told, over.info.id in told) == (False, True)
        told = " ".join(await eve.say("lobby free"))
        assert (open_ in told, running in told) == (True, False)
        assert 'type "any" for any game' in "\n".join(await eve.say("lobby rated"))


async def test_a_table_that_is_gone_leaves_the_choice_where_it_was() -> None:
    async with world() as server, screen(server, "eve") as eve:
        owners = [server.enter(f"owner{number}") for number in range(4)]
        for owner in owners:
            await owner.ok(CreateTable(UNTIMED))
        await server.clock.advance(2)
        await eve.press("down", "down", "up", "up")
        codes: list[str] = []
        for _ in owners:
            codes.append(chosen(eve))
            await eve.press("down")
        await eve.press("down", "down")
        await left(server, owners, codes[2])
        assert chosen(eve) == codes[3]
        await eve.press("f", "playing", "enter")
        assert "There is no such table" in eve.together
        await eve.press("f")
        assert eve.controller.entry is not None
        eve.controller.entry.reset()
        await eve.press("enter")
        assert chosen(eve) == codes[3]
        await left(server, owners, codes[3])
        assert chosen(eve) == codes[1]


def chosen(eve: Screen) -> str:
    """The code of the table that is chosen in the lobby."""
    (code,) = re.findall(r"─ ([a-z]{8}) ─┐", eve.text)
    return str(code)


async def left(server: World, owners: list[Guest], code: str) -> None:
    """The owner of this table leaves, which closes it."""
    (owner,) = [each for each in owners if each.last.table and each.info.id == code]
    await owner.ok(LeaveTable())
    await server.clock.advance(2)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("", 2),
        ("open", 1),
        ("running bga", 1),
        ("untimed free", 1),
        ("TIMED", 1),
        ("rated", 0),
        ("unrated watchable", 2),
        ("correspondence", 0),
        ("assistance", 0),
        ("arena", 1),
        ("cem", 1),
        ("cem amigo", 0),
    ],
)
async def test_every_word_of_a_filter_has_to_fit(wanted: str, found: int) -> None:
    async with world() as server:
        await two_tables(server)
        rows = server.lobby.feed.snapshot().tables
        assert len(filtered(rows, wanted, words_for("en"))) == found


@pytest.mark.parametrize("language", languages())
def test_a_filter_can_be_typed_in_every_language(language: str) -> None:
    known = known_words(words_for(language))
    assert set(known.values()) == set(known_words(words_for("en")).values())
    assert len(known) == len(set(known))


@pytest.mark.parametrize(
    ("language", "wanted"),
    [("de", "ohne uhr frei"), ("pt", "vaga sem relógio"), ("pt", "sem relogio vaga")],
)
async def test_a_filter_may_have_words_of_two_words(language: str, wanted: str) -> None:
    async with world() as server:
        await two_tables(server)
        words, rows = words_for(language), server.lobby.feed.snapshot().tables
        assert filtered(rows, wanted, words) == filtered(rows, "untimed free", words_for("en"))
        assert filtered(rows, wanted, words) != rows


async def test_kept_seats_and_ratings_are_in_the_list() -> None:
    async def strength(player: str) -> tuple[int | None, int]:
        return {"id-ada": 812, "id-bo": 1540}.get(player), 0

    async with world(strength=strength) as server, screen(server, "eve") as eve:
        ada, bo = server.enter("ada"), server.enter("bo")
        await ada.ok(CreateTable(replace(BGA, rated=True)))
        await bo.ok(JoinTable(ada.info.id))
        await ada.ok(KeepSeat(3, "zoe"))
        await server.clock.advance(2)
        assert "ratings 812-1540" in eve.together
        assert "1 seat is kept" in eve.together
        (line,) = [row for row in eve.text.splitlines() if "> " in row]
        assert "Board Game Arena, 60 s a round, rated, …" in line
        eve.size = Size(160, 40)
        (line,) = [row for row in eve.text.splitlines() if "> " in row]
        assert " ada, bo" in line
        eve.size = Size(40, 15)
        assert "rated" in eve.text


async def test_help_is_about_people_where_people_meet() -> None:
    async with world() as server, screen(server, "eve") as eve:
        top = (await eve.press("?")).splitlines()[:6]
        assert any("Meeting people" in line for line in top)
        await eve.press("escape", "n", "enter", "?")
        assert any("Meeting people" in line for line in eve.text.splitlines()[:6])


# ---------------------------------------------------------------- any game


async def test_any_game_in_both_faces() -> None:
    async with world() as server, screen(server, "eve") as eve, reader(server, "fay") as fay:
        table, _ = await two_tables(server)
        await server.clock.advance(2)
        await eve.press("g")
        assert eve.controller.page.table.info.id == table
        await fay.say("any untimed")
        assert fay.session.table is not None
        assert fay.session.table.info.id == table
        async with reader(server, "gus") as gus, screen(server, "hal") as hal:
            told = await gus.say("any bga")
            said = "No open table fits, so this one is yours; it is in the list."
            assert said in told
            assert "You are in the lobby." not in told
            await gus.say("private otter")
            await hal.press("g")
            assert said in hal.together


# ---------------------------------------------------------------- invitations


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("kadubilo", ("kadubilo", "")),
        ("KADUBILO Otter", ("kadubilo", "otter")),
        ("ssh -t -p 2222 club.example join kadubilo", ("kadubilo", "")),
        ("ssh -t -p 2222 club.example join kadubilo sea-otter", ("kadubilo", "sea-otter")),
        ("ssh -p 2222 zoe+kadubilo+otter@club.example", ("kadubilo", "otter")),
        ("nowhere", ("nowhere", "")),
        ("  two words ", ("two", "words")),
    ],
)
def test_what_a_line_that_invites_says(typed: str, meant: tuple[str, str]) -> None:
    assert code_and_word(typed) == meant


async def test_what_is_typed_in_the_lobby_can_be_seen() -> None:
    async with world() as server, screen(server, "eve") as eve:
        line = f"ssh -t {WAY_IN} join puvisolu otter"
        assert f"code of the table {line}" in await eve.press("c", line)
        assert "tables to show free untimed amigo rated" in await eve.press(
            "escape", "f", "free untimed amigo rated"
        )
        eve.size = Size(40, 15)
        assert "amigo rated\n" in eve.text
        assert all(row_width(row) <= 40 for row in eve.controller.frame(eve.size).rows)


async def test_a_pasted_invitation_leads_to_a_private_table() -> None:
    async with world() as server, screen(server, "eve") as eve, screen(server, "hal") as hal:
        await eve.press("n", "enter")
        assert "join " in eve.text
        await eve.press("i", "Otter", "enter")
        code = eve.controller.page.table.info.id
        line = f"ssh -t {WAY_IN} join {code} otter"
        assert line in eve.text
        assert "the invitation word is otter" in eve.together
        assert code not in hal.text, "it is not in the list"
        hal.controller.text(line)
        await server.clock.advance(0.1)
        assert "You have" not in hal.text
        assert f"ssh -t {WAY_IN} join {code}" in hal.text
        assert "otter" not in hal.text
        assert "friends need the invitation word" in hal.together


async def test_line_mode_invites_and_comes() -> None:
    async with (
        world() as server,
        reader(server, "eve", way_in=WAY_IN) as eve,
        reader(server, "fay", way_in=WAY_IN) as fay,
    ):
        await eve.say("new 3 players")
        told = await eve.say("private Otter")
        assert told == ["The table is private now: whoever comes needs the invitation word."]
        told = await eve.say("invite")
        assert told[1].startswith(f"ssh -t {WAY_IN} join ")
        assert told[1].endswith(" otter")
        code = told[1].split()[-2]
        await fay.say(f"join {code} otter")
        told = await fay.say("invite")
        assert "otter" not in "".join(told)
        assert told[-1] == "Private: friends need the invitation word, too."
        assert await eve.say("public") == ["The table is open to everybody now."]


# ---------------------------------------------------------------- seats


async def test_the_owner_is_asked_before_the_table_is_handed_over() -> None:
    async with world() as server, screen(server, "eve") as eve:
        await eve.press("n", "enter")
        table = eve.controller.page.table.info.id
        bo = server.enter("bo")
        await bo.ok(JoinTable(table, 3))
        await server.clock.advance(2)
        await eve.press("down")
        assert "Nobody sits there." in await eve.press("v")
        await eve.press("down", "down")
        assert "To which seat does bo move? 1 to 4" in await eve.press("v")
        assert "Hand the table over to bo?" in await eve.press("g")
        await eve.press("enter")
        assert bo.info.owner == 0, "nothing changes without a yes"
        await eve.press("g", "y")
        assert bo.info.owner == 3
        assert "Only the owner" in await eve.press("v")


async def test_a_game_does_not_begin_by_one_key_without_who_is_awaited() -> None:
    async with world() as server, screen(server, "eve") as eve:
        await eve.press("n", "enter", "down", "f", "zoe", "enter")
        assert "Begin without zoe?" in await eve.press("enter")
        await eve.press("enter")
        table = eve.controller.page.table
        assert table.info.seats[1].kept == "zoe"
        await eve.press("enter", "y")
        table = eve.controller.page.table
        assert table.info.status is Status.PLAYING


async def test_nobody_is_told_to_seat_bots_where_no_seat_is_empty() -> None:
    async with world() as server, screen(server, "eve") as eve:
        await eve.press("n", "enter")
        for _ in range(3):
            assert "a add bot" in eve.text
            await eve.press("a", "enter")
        assert "Everybody is here" in eve.text
        assert "add bot" not in eve.text
        await eve.press("a")
        assert "Which bot?" not in eve.text
        assert "Every seat at that table is taken." in eve.text


@pytest.mark.parametrize("size", [Size(80, 24), Size(60, 18), Size(40, 15)], ids=str)
async def test_the_owner_chooses_which_bot_sits_down(size: Size) -> None:
    async with world() as server, screen(server, "eve", size) as eve:
        await eve.press("n", "enter", "a")
        assert "> 3   greedy" in eve.text, "the usual one"
        await eve.press("up")
        assert "> 2   novice" in eve.text
        await eve.press("up")
        assert "> 1   newcomer" in eve.text
        assert "bids its highest card" in eve.text
        await eve.press("up")
        assert "> 1   newcomer" in eve.text, "the first stays the first"
        await eve.press("end")
        assert "> 8   alike" in eve.text
        await eve.press("up")
        assert "> 7   master (7/7)" in eve.text
        assert "learns how you bid" in eve.text
        down = ["down"] * [option.name for option in OPTIONS].index("bots")
        await eve.press("enter", "a", "5", "e", *down, *["right"] * 3, "enter", "a", "enter")
        table = eve.controller.page.table
        assert [seat.strategy for seat in table.info.seats] == ["", "master", "tidal", "expert"]
        assert "bot, master" in eve.text


async def test_the_nearest_level_is_offered_first_if_the_usual_bot_is_not_offered() -> None:
    async with world() as server, screen(server, "eve") as eve:
        down = ["down"] * [option.name for option in OPTIONS].index("bots")
        await eve.press("n", *down, "left", "enter", "a", "enter")
        table = eve.controller.page.table
        assert table.info.options.bots == "cautious"
        assert [seat.strategy for seat in table.info.seats[:2]] == ["", "greedy"]


async def test_a_game_against_bots_is_against_those_that_are_chosen() -> None:
    async with world() as server, screen(server, "eve") as eve:
        await eve.press("l", "b", "right")
        assert "forgetful (4/7)" in eve.text
        assert "plans ahead, but forgets cards" in eve.together
        await eve.press("left", "left", "enter")
        table = eve.controller.page.table
        assert [seat.strategy for seat in table.info.seats] == ["", *["cautious"] * 3]


async def test_nobody_is_told_to_seat_bots_in_a_rated_game() -> None:
    async with world() as server, screen(server, "eve") as eve, reader(server, "fay") as fay:
        await eve.press("n", *["down"] * 7, "right", "enter")
        said = "Rated games are between people: bots cannot play in them."
        assert said in eve.text
        assert "fills the rest" not in eve.text
        assert "add bot" not in eve.text
        told = await fay.say("new rated")
        assert said in told
        assert "bots take" not in (await fay.say("start"))[-1]


async def test_nobody_is_removed_by_one_key() -> None:
    async with world() as server, screen(server, "eve") as eve:
        await eve.press("n", "enter", "a", "enter")
        await eve.press("down", "x")
        table = eve.controller.page.table
        assert not table.info.seats[1].name, "but for bots"
        bo = server.enter("bo")
        await bo.ok(JoinTable(table.info.id, 1))
        await server.clock.advance(2)
        assert "Remove bo from this table?" in await eve.press("x")
        await eve.press("escape")
        assert bo.info.seats[1].name == "bo"
        await eve.press("x")
        await bo.ok(LeaveTable())
        cem = server.enter("cem")
        await cem.ok(JoinTable(table.info.id, 1))
        await server.clock.advance(2)
        await eve.press("y")
        assert cem.info.seats[1].name == "cem", "that was asked about bo"
        await eve.press("x", "y")
        table = eve.controller.page.table
        assert not table.info.seats[1].name


# ---------------------------------------------------------------- alone


async def test_who_waits_alone_is_asked_once_on_the_full_screen() -> None:
    async with world() as server, screen(server, "eve") as eve:
        await eve.press("n", "enter")
        await server.clock.advance(PATIENCE - 1)
        assert "y starts against bots" not in eve.text
        await server.clock.advance(2)
        assert "y starts against bots" in eve.text
        await eve.press("down")
        await server.clock.advance(10 * PATIENCE)
        assert "y starts against bots" not in await eve.press("y"), "once, and it was not answered"
        assert eve.controller.page.table.info.status is Status.OPEN


async def test_yes_starts_against_bots_in_both_faces() -> None:
    async with world() as server, screen(server, "eve") as eve, reader(server, "fay") as fay:
        await eve.press("n", "enter")
        await fay.say("new 3 players")
        await server.clock.advance(PATIENCE + 1)
        assert fay.new()[-1].startswith("Nobody else is here yet.")
        await eve.press("y")
        await fay.say("yes")
        for table in (eve.controller.context.table, fay.session.table):
            assert table is not None
            assert table.info.status is Status.PLAYING
            assert sum(seat.occupant is Occupant.BOT for seat in table.info.seats) >= 2


async def test_the_question_is_taken_back_when_somebody_comes() -> None:
    async with world() as server, screen(server, "eve") as eve, reader(server, "fay") as fay:
        await eve.press("n", "enter")
        await fay.say("new 3 players")
        await server.clock.advance(PATIENCE + 1)
        assert "y starts against bots" in eve.text
        for name, table in (("bo", eve.controller.context.table), ("cem", fay.session.table)):
            assert table is not None
            await server.enter(name).ok(JoinTable(table.info.id))
        await server.clock.advance(2)
        await eve.press()
        assert "y starts against bots" not in eve.text
        await eve.press("y")
        told = await fay.say("yes")
        assert told[-1] == 'You are not alone any more: type "start" when everybody is here.'
        for table in (eve.controller.context.table, fay.session.table):
            assert table is not None
            assert table.info.status is Status.OPEN


@pytest.mark.parametrize("why", ["kept", "private", "rated", "company", "watched"])
async def test_nobody_is_asked_who_does_not_wait_alone_for_just_anybody(why: str) -> None:
    async with world() as server, reader(server, "fay") as fay:
        await fay.say("new rated" if why == "rated" else "new")
        assert fay.session.table is not None
        table = fay.session.table.info.id
        if why == "kept":
            await fay.visit.submit(KeepSeat(1, "zoe"))
        elif why == "private":
            await fay.visit.submit(SetWord("otter"))
        elif why == "company":
            await server.enter("bo").ok(JoinTable(table))
        elif why == "watched":
            await server.enter("bo").ok(WatchTable(table))
        await server.clock.advance(10 * PATIENCE)
        assert not [line for line in fay.new() if line.startswith("Nobody else")]


# ---------------------------------------------------------------- watching


async def test_a_spectator_is_offered_a_place_and_may_think_better_of_it() -> None:
    async with world() as server, screen(server, "eve") as eve, reader(server, "fay") as fay:
        ada = await server.quick(TableOptions(Rules(players=3), Pace.UNTIMED))
        await server.clock.advance(2)
        assert "play for a bot" in await eve.press("s", "w")
        await eve.press("j")
        told = await fay.say(f"join {ada.info.id}")
        assert any("fay from the next stage on" in line for line in told)
        await fay.say("leave")
        arrived = await fay.say(f"watch {ada.info.id}")
        assert "You are watching." in arrived
        assert 'Type "join" to play for a bot from the next stage on.' in arrived
        told = await fay.say("join")
        assert told[-1] == "fay takes a bot's place when the next stage begins."
        assert [seat.claimed for seat in ada.info.seats] == ["", "eve", "fay"]
        await fay.say("watch")
        assert [seat.claimed for seat in ada.info.seats] == ["", "eve", ""]
        await server.clock.advance(2)
        assert "play for a bot" not in eve.text, (
            "there is one more bot, but eve has a place already"
        )
        assert "j just watch" in eve.text
        assert "play for a bot" in await eve.press("j")
        assert [seat.claimed for seat in ada.info.seats] == ["", "", ""]


async def test_what_a_bot_played_is_not_told_of_who_plays_on_for_it() -> None:
    async with world() as server, screen(server, "eve") as eve, reader(server, "fay") as fay:
        ada = await server.quick(TableOptions(Rules(players=4), Pace.UNTIMED))
        await eve.press("c", ada.info.id, "enter")
        await fay.say(f"join {ada.info.id}")
        bots = [seat.name for seat in ada.info.seats[1:3]]
        told: list[str] = []
        while ada.own.table.stage == 0:
            if ada.owes():
                await ada.bid()
            await server.clock.advance(0.1)
            told += fay.new()
        end = told.index(f"eve plays on for {bots[0]} from here.")
        assert told[end + 1 : end + 3] == [f"You play on for {bots[1]} from here.", "Stage 2 of 4."]
        assert not any(name in line for line in told[:end] for name in ("eve ", "fay "))
        (totals,) = [line for line in told[:end] if line.startswith("Totals: ")]
        assert all(name in totals for name in bots)
        while "Stage 1 of 4 is over" not in eve.text:
            await eve.press(" ")
        assert all(name in eve.text for name in bots)
        await eve.press(" ")
        assert bots[0] not in eve.text.split("──")[0]


async def test_who_watches_an_open_table_sits_down_with_enter() -> None:
    async with world() as server, screen(server, "eve") as eve:
        (ada,) = await server.table(UNTIMED, start=False)
        await server.clock.advance(2)
        assert "Enter join" in await eve.press("s", "w")
        await eve.press("enter")
        assert ada.info.seats[1].name == "eve"


async def test_what_was_said_while_there_was_nothing_to_see_goes_with_it() -> None:
    async with world() as server, screen(server, "eve") as eve:
        eve.controller.context.say("notice", "There is no table to watch yet.")
        await eve.visit.submit(FollowBusiest())
        assert "There is no table" in eve.text
        await server.quick(UNTIMED)
        await server.clock.advance(2)
        assert "There is no table" not in eve.text
        assert "You are watching." in eve.text


async def test_who_is_shown_the_busiest_table_goes_to_another_with_a_key() -> None:
    async with world() as server, screen(server, "eve") as eve, reader(server, "fay") as fay:
        told = await fay.say("watch")
        assert told == ["You are shown the busiest table from now on, until you leave it."]
        await eve.do(FollowBusiest())
        await server.quick(UNTIMED)
        await server.clock.advance(2)
        assert "n another table" in eve.text
        assert "There is no other table to watch just now." in await eve.press("n")
        other = await server.quick(UNTIMED, "bo")
        await server.clock.advance(2)
        assert other.info.title in await eve.press("n")
        heard = await fay.say("watch other")
        await server.clock.advance(2)
        assert other.info.title in " ".join((*heard, *fay.new()))


async def test_a_round_late_is_said_and_played_back_when_it_is_over() -> None:
    options = replace(UNTIMED, spectators=Spectating.DELAYED)
    async with world() as server, screen(server, "eve") as eve, reader(server, "fay") as fay:
        ada = await server.quick(options)
        await fay.say(f"watch {ada.info.id}")
        await server.clock.advance(2)
        assert "each round is shown when it is over" in await eve.press("s", "w")
        await server.clock.advance(60)
        fay.new()
        card = ada.own.hand[0]
        await ada.bid(card)
        await server.clock.advance(2)
        told = "\n".join(fay.new())
        assert f"ada {card}" in told
        assert "Space next" in eve.text, "the reveal is played back"
        assert f"{card}" in eve.text


async def test_everybody_sees_all_hands_when_the_game_is_over() -> None:
    async with world() as server, screen(server, "eve") as eve, reader(server, "fay") as fay:
        ada = await server.quick(TableOptions(SHORT, Pace.UNTIMED))
        await server.clock.advance(2)
        await eve.press("s", "w")
        await fay.say(f"watch {ada.info.id}")
        assert await fay.say("reveal") == ["No games are kept here."]
        await server.play_out(ada)
        await server.clock.advance(200)
        while "All hands of this game" not in eve.text:
            await eve.press(" ", "h")
        assert ada.table.table is not None
        hands = [" ".join(map(str, hand)) for hand in ada.table.table.deal]
        told = await fay.say("reveal")
        assert told[:3] == [
            f"Dealt to {seat.name}: {hand}."
            for seat, hand in zip(ada.info.seats, hands, strict=True)
        ]
        assert all(hand in eve.together for hand in hands)
        assert "All games" in await eve.press("escape", "g", "tab")


async def test_the_standings_name_who_played_also_when_they_have_left() -> None:
    options = TableOptions(Rules(players=3, stages=1), Pace.UNTIMED)
    async with world() as server, screen(server, "eve") as eve, reader(server, "fay") as fay:
        ada, bo = await server.table(options, humans=2)
        await eve.press("c", ada.info.id, "enter")
        await fay.say(f"watch {ada.info.id}")
        await server.play_out(ada, bo)
        await server.clock.advance(30)
        played = [seat.name for seat in ada.info.seats]
        while "Final standings" not in eve.text:
            await eve.press(" ")
        await server.clock.advance(3)  # until all three stand on the podium
        shown = eve.text
        told = await fay.say("table")
        scores = await fay.say("scores")
        hands = await fay.say("reveal")
        await ada.ok(LeaveTable())
        await server.clock.advance(10)  # until what is said about it has gone
        assert not bo.info.seats[0].name
        assert eve.text == shown
        assert await fay.say("table") == told
        assert await fay.say("scores") == scores
        assert await fay.say("reveal") == hands
        assert all(name in " ".join(told) for name in played)
        data = table_data(bo.table)
        assert data["played_by"] == played
        assert data["seats"][0]["name"] is None
        assert tide_state(bo.last)["played_by"] == played


@pytest.mark.parametrize("word", ["otter", "ötter"])
async def test_a_telephone_reads_how_to_come_to_a_private_table(word: str) -> None:
    async with world() as server, screen(server, "eve", Size(120, 40)) as eve:
        await eve.press("n", "enter", "i", *word, "enter")
        code = eve.controller.page.table.info.id
        *options, host = WAY_IN.split()
        url = f"ssh://+{code}+{quote(word)}@{host}:{options[-1]}"
        drawn = [line.rstrip() for line in qr_lines(url) if line.strip()]
        assert drawn
        assert all(line in eve.text for line in drawn)
        login = parse_login(f"+{code}+{word}")
        assert (login.code, login.word, login.unknown) == (code, word, ())
