"""Chat on the full screen: what is shown where, and what keys do while a line is typed."""

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.editions import Rules
from server.coordinator.messages import (
    ChatLine,
    CreateTable,
    JoinTable,
    LeaveTable,
    Phrase,
    Room,
    Say,
    WatchTable,
)
from server.fullscreen.chat.view import ChatRow, chat_rows
from server.fullscreen.widgets.drawing import ASCII, DrawContext
from server.i18n.lookup import words_for
from server.session.attention import LINES, ChatHistory
from server.terminal.capabilities import Colours, Size
from server.terminal.drawing.frame import row_width, text_width
from tests.support.at_a_screen import heard, sitting, watcher
from tests.support.pilot import NORMAL
from tests.support.tables import UNTIMED, rated_game, world

# ---------------------------------------------------------------- what is shown


async def test_the_lobby_shows_what_was_and_is_said_below_its_tables() -> None:
    async with world() as server:
        bo = server.enter("bo")
        await bo.ok(Say(Room.LOBBY, "anybody for a game?"))
        await server.clock.advance(1000)
        async with sitting(server) as ada:
            assert ada.pilot.row_with("anybody").strip("│ ") == (
                "bo (16 minutes ago): anybody for a game?"
            )
            await ada.say(bo, "hello ada")
            assert ada.pilot.row_with("hello ada").strip("│ ") == "bo: hello ada"
            assert "new" not in ada.keys.replace("new table", "")


async def test_the_table_shows_it_in_the_rows_that_are_free() -> None:
    async with world() as server, sitting(server, play=True) as ada:
        bo = await watcher(server, ada)
        assert "/ chat" in ada.keys
        keys = ada.keys
        await ada.say(bo, "good luck!")
        await ada.say(bo, phrase=Phrase.OUCH)
        rows = ada.pilot.screen()
        assert rows[-4:] == ["", " bo, watching: good luck!", " bo, watching: Ouch!", keys]


async def test_of_a_line_that_is_too_long_for_them_the_beginning_and_the_mark_are_shown() -> None:
    async with world() as server, sitting(server, play=True) as ada:
        bo = await watcher(server, ada)
        await ada.say(bo, "baa " * 90)
        assert ada.pilot.row_with("bo, watching: baa").endswith("baa")
        assert ada.pilot.screen()[-2].endswith("…")
        assert "/ 1 new" in ada.keys
        await ada.say(bo, "sorry")
        assert ada.pilot.screen()[-2] == " bo, watching: sorry"
        assert "/ 2 new" in ada.keys
        await ada.press("/", "escape")
        assert "new" not in ada.keys


async def test_the_first_line_in_a_full_log_is_shown_once() -> None:
    async with world() as server, sitting(server, play=True) as ada:
        bo = await watcher(server, ada)
        for _ in range(4):
            await ada.press("right", "enter", "right")
        assert all(ada.pilot.screen()[-5:-1]), "the log is full"
        await ada.say(bo, "good luck!")
        assert ada.text.count("good luck!") == 1
        assert ada.pilot.screen()[-2] == " bo, watching: good luck!"
        assert "new" not in ada.keys


async def test_without_free_rows_it_is_shown_for_a_while_and_then_how_much_is_unread() -> None:
    async with world() as server, sitting(server, Size(60, 18), play=True) as ada:
        bo = await watcher(server, ada)
        await ada.press("right", "enter", "right")
        await ada.say(bo, "good luck!")
        assert ada.pilot.row_with("bo, watching: good luck!").startswith(" ── ")
        assert "/ 1 new" in ada.keys
        await ada.press("left")
        await ada.say(bo, phrase=Phrase.OUCH)
        assert "bo, watching: Ouch!" in ada.text
        assert "/ 2 new" in ada.keys
        await ada.press("/")
        assert "bo, watching: good luck!" in ada.text
        await ada.press("escape")
        assert "new" not in ada.keys


@pytest.mark.parametrize("size", [NORMAL, Size(40, 15), Size(100, 40)])
async def test_the_final_standings_leave_room_for_what_is_said_about_the_game(size: Size) -> None:
    async with world() as server, sitting(server, size) as ada:
        options = replace(UNTIMED, rules=Rules(players=3, stages=1))
        assert (await ada.controller.context.submit(CreateTable(options))).ok
        await ada.wait()
        bo = await watcher(server, ada)
        while "seed  " not in ada.text and "another game" not in ada.keys:
            await ada.press(" ", "right", "enter")
        await ada.say(bo, "good game")
        await ada.press("left")
        assert "bo, watching: good game" in ada.text
        assert "new" not in ada.keys


@pytest.mark.parametrize("unicode", [True, False])
async def test_the_smallest_screen_has_the_line_and_the_mark(unicode: bool) -> None:
    async with (
        world() as server,
        sitting(server, Size(40, 15), play=True, unicode=unicode, colours=Colours.NONE) as ada,
    ):
        bo = await watcher(server, ada)
        await ada.press("right", "enter", "right")
        await ada.say(bo, "hello there")
        assert "bo, watching: hello there" in ada.text
        assert ada.keys.startswith(" / 1 new")
        assert ada.keys.endswith("Esc leave")
        await ada.press("/")
        await ada.type("x" * 100)
        hand = ada.controller.context.own
        assert hand is not None
        assert all(str(card) in ada.text for card in hand.hand), "the cards can still be seen"
        await ada.press("escape", "/", "enter")
        assert "I have to go." in ada.text
        assert all(text_width(line) <= 40 for line in ada.pilot.screen())


@pytest.mark.parametrize("size", [Size(160, 45), Size(100, 50)])
async def test_large_tables_have_a_panel(size: Size) -> None:
    async with world() as server, sitting(server, size, play=True) as ada:
        bo = await watcher(server, ada)
        assert "chat ──" not in ada.text
        await ada.say(bo, "good luck!")
        assert "chat ──" in ada.text
        await ada.press("left", "right")
        assert "bo, watching: good luck!" in ada.text
        assert "new" not in ada.keys


async def test_the_chat_page_has_everything_and_scrolls() -> None:
    async with world() as server:
        bo = server.enter("bo")
        for number in range(40):
            await bo.ok(Say(Room.LOBBY, f"line number {number}."))
            await server.clock.advance(2)
        async with sitting(server) as ada:
            await ada.press("m")
            assert "line number 39." in ada.text
            await ada.say(bo, "the newest")
            assert "the newest" in ada.text
            await ada.press("pageup")
            assert "line number 5." in ada.text
            await ada.say(bo, "while you read")
            assert "while you read" not in ada.text
            await ada.press("/")
            await ada.type("hello")
            await ada.press("enter", "end")
            assert "ada: hello" in ada.text
            await ada.press("m")
            assert "Lobby" in ada.text
            await ada.press("/", "pageup")
            assert "ada: hello" in ada.text


async def test_at_a_table_the_lobbys_earlier_lines_are_not_in_the_way() -> None:
    async with world() as server:
        bo, cem, dora = (server.enter(name) for name in ("bo", "cem", "dora"))
        await bo.ok(CreateTable(UNTIMED))
        await cem.ok(JoinTable(bo.info.id))
        async with sitting(server) as ada:
            await ada.say(dora, "before")
            assert (await ada.controller.context.submit(JoinTable(bo.info.id))).ok
            await ada.wait()
            assert "before" not in ada.text
            await ada.say(dora, "after")
            await ada.say(cem, "welcome")
            assert "lobby: dora: after" in ada.text
            assert "cem: welcome" in ada.text


# ---------------------------------------------------------------- what keys do


async def test_hot_keys_are_dead_while_a_line_is_typed() -> None:
    async with world() as server, sitting(server) as ada:
        bo = server.enter("bo")
        await ada.press("/")
        assert "to the lobby:" in ada.text
        await ada.type("bbb? no, on/off")
        assert ada.controller.context.table is None
        assert ada.controller.context.overlays == []
        await ada.press("enter")
        assert heard(bo) == ["bbb? no, on/off"]
        assert "ada: bbb? no, on/off" in ada.text
        await ada.press("/")
        await ada.type("never mind")
        await ada.press("escape", "b", "enter")
        assert ada.controller.context.table is not None
        assert heard(bo) == ["bbb? no, on/off"]


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize(
    "text", ["hello everybody, a nice evening!\r", "bnbn\r", "n b\t\r\r", "q\ry\rq\ry\r"]
)
async def test_what_is_pasted_where_nothing_is_typed_presses_no_hot_keys(
    text: str, marked: bool
) -> None:
    async with world() as server, sitting(server) as ada:
        for piece in (text, "g", "\r"):  # what was split off comes a moment later
            if marked:
                ada.pilot.paste(text)
                break
            ada.pilot.session.feed(piece)
        await ada.wait()
        assert not ada.controller.context.overlays
        assert ada.controller.context.table is None
        assert "Lobby" in ada.text
        await ada.press("n")
        assert "New table" in ada.text, "keys are keys again"


@pytest.mark.parametrize("marked", [True, False])
async def test_a_code_that_is_pasted_leads_to_its_table(marked: bool) -> None:
    async with world() as server:
        bo = server.enter("bo")
        await bo.ok(CreateTable(UNTIMED))
        assert bo.table is not None
        async with sitting(server) as ada:
            for menu in (True, False):
                if menu:
                    await ada.press("/", "enter")
                if marked:
                    ada.pilot.paste(bo.table.info.id)
                else:
                    ada.pilot.send(f"{bo.table.info.id}\r")
                await ada.wait()
                table = ada.controller.context.table
                assert (table is None) is menu, "not behind the menu of phrases"
                await ada.press("escape", "escape")


@pytest.mark.parametrize("text", ["สวัสดี", "शक्ति", "x\u0302 =\u0338"])
async def test_marks_are_shown_typed_and_pasted(text: str) -> None:
    async with world() as server:
        bo = server.enter("bo")
        async with sitting(server) as ada:
            await ada.say(bo, text)
            said = unicodedata.normalize("NFC", text)
            assert f"bo: {said}" in ada.pilot.row_with("bo:")
            await ada.press("/")
            await ada.type(text)
            assert f"to the lobby: {said}" in ada.text
            await ada.press("enter", "/")
            ada.pilot.paste(text)
            await ada.wait()
            await ada.press("enter")
            assert [unicodedata.normalize("NFC", each) for each in heard(bo)] == 3 * [said]


@pytest.mark.parametrize("key", ["c-c", "enter"])
async def test_nothing_is_said_from_a_terminal_too_small_to_show_it(key: str) -> None:
    async with world() as server, sitting(server) as ada:
        bo = server.enter("bo")
        await ada.press("/")
        await ada.type("hello")
        ada.pilot.resize(30, 10)
        await ada.type(" secret")
        ada.pilot.paste("code")
        await ada.press("enter", key)
        assert heard(bo) == []
        ada.pilot.resize(80, 24)
        assert ("to the lobby: hello" in ada.text) is (key == "enter"), "Ctrl-C closes the line"
        assert "secret" not in ada.text
        await ada.press("enter")
        assert heard(bo) == (["hello"] if key == "enter" else [])


async def test_a_key_that_is_held_down_is_no_paste() -> None:
    async with world() as server, sitting(server, play=True) as ada:
        ada.pilot.send("llllll")
        await ada.press("enter")
        own = ada.controller.context.own
        assert own is not None
        assert own.table.round == 1, "a card was chosen, and bid"


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("first", ["", "\r"])
async def test_three_pasted_lines_are_said_and_the_last_can_still_be_changed(
    first: str, marked: bool
) -> None:
    async with world() as server, sitting(server) as ada:
        bo = server.enter("bo")
        await ada.press("/")
        lines = f"{first}one\r\ntwo\rthree\r\nfour"
        if marked:
            ada.pilot.paste(lines)
        else:
            ada.pilot.send(lines)
        await ada.wait()
        assert heard(bo) == ["one", "two", "three"], "an empty line says no phrase"
        assert "to the lobby: four" in ada.text
        await ada.press("enter")
        assert heard(bo)[3:] == ["four"]


async def test_a_paste_in_pieces_that_end_with_a_line_says_the_first_and_bids_nothing() -> None:
    async with world() as server, sitting(server, play=True) as ada:
        bo = await watcher(server, ada)
        own = ada.controller.context.own
        assert own is not None
        await ada.press("/")
        for piece in ("one\r", f"two\r{own.hand[0]} or so\r", "qqq yes\r"):
            ada.pilot.send(piece)
            await server.clock.advance(0.1)
        assert heard(bo) == ["one"]
        assert own == ada.controller.context.own
        assert "to the table" not in ada.text


async def test_a_line_that_came_at_once_is_said_and_presses_nothing() -> None:
    async with world() as server, sitting(server, play=True) as ada:
        bo = await watcher(server, ada)
        own = ada.controller.context.own
        assert own is not None
        for line in ("/see you\r", f"/soon\r{own.hand[0]}\rqg"):
            ada.pilot.send(line)
            await ada.wait()
        assert heard(bo) == ["see you", "soon"]
        assert own == ada.controller.context.own
        assert not ada.controller.context.overlays


PASTED = (
    *("see you tonight\r", "qg\r", "yes\ry\r", "{card} is mine\r{card}\r", "or {card}\r"),
    *("sgd\r\r", "é\x03d\r", "l\r", "q\r"),
)


@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("line", ["", "/", "/hi "])
@pytest.mark.parametrize("text", PASTED)
async def test_a_pasted_line_neither_bids_nor_leaves_wherever_it_is_split(
    text: str, line: str, marked: bool
) -> None:
    async with world() as server, sitting(server, play=True) as ada:
        own = ada.controller.context.own
        assert own is not None
        text = text.format(card=own.hand[0])
        sent = f"\x1b[200~{text}\x1b[201~" if marked else text
        for at in range(1, len(sent)):
            for pieces in ((sent[:at], sent[at:]), sent[:at] + sent[at:]):
                await ada.press("right", "left", *line)
                for piece in pieces:
                    ada.pilot.session.feed(piece)
                await ada.wait()
                now = ada.controller.context.own
                assert now is not None
                assert (now.hand, now.bid) == (own.hand, own.bid)
                assert ada.controller.context.table is not None
                assert ada.pilot.running
                while ada.controller.entry is not None or ada.controller.context.overlays:
                    await ada.press("escape")


async def test_what_looks_like_a_bid_is_not_said_without_asking() -> None:
    async with world() as server, sitting(server, play=True) as ada:
        bo = await watcher(server, ada)
        own = ada.controller.context.own
        assert own is not None
        card = str(own.hand[0])
        await ada.press("/")
        await ada.type(card)
        await ada.press("enter")
        assert f"Did you mean to bid {card}?" in ada.text
        await ada.press("escape", *card, "enter")
        assert heard(bo) == []
        now = ada.controller.context.own
        assert now is not None
        assert own.hand[0] not in now.hand or now.bid == own.hand[0]
        await ada.press("/")
        await ada.type("7")
        await ada.press("enter", "enter")
        assert heard(bo) == ["7"]


async def test_phrases_are_chosen_from_a_menu() -> None:
    async with world() as server, sitting(server) as ada:
        bo = server.enter("bo")
        await ada.press("/", "enter")
        assert "Well played!" in ada.text
        await ada.press("3")
        assert heard(bo) == ["well_played"]
        await ada.press("/", "enter", "up", *["down"] * 12, "enter")
        assert heard(bo)[-1] == "have_to_go"
        await ada.press("/", "enter", "escape")
        await ada.type("x")
        assert "to the lobby: x" in ada.text
        await ada.press("c-c")
        assert "to the lobby" not in ada.text


async def test_keys_for_whom_and_earlier_are_told_while_they_do_something() -> None:
    async with world() as server, sitting(server) as ada:
        await ada.press("/")
        assert "Tab" not in ada.keys
        assert "PgUp earlier" in ada.keys
        await ada.say(server.enter("cem"), "psst", to="ada")
        assert "Tab whom" in ada.keys
        await ada.press("enter")
        assert "Tab whom" in ada.keys
        await ada.press("escape", "pageup")
        assert "PgUp" not in ada.keys
        for number in range(20):
            await ada.say(server.enter(f"bo{number}"), "hello")
        assert "PgUp earlier" in ada.keys


async def test_orders_as_in_other_chats_are_no_public_talk() -> None:
    async with world() as server, sitting(server) as ada:
        bo, cem = server.enter("bo"), server.enter("cem")
        for typed in ("/tell bo psst", "/msg bo hey", "/w bo ho"):
            await ada.type(typed)
            await ada.press("enter")
        assert heard(bo) == ["psst", "hey", "ho"]
        await ada.type("/tell nobody secret")
        await ada.press("enter")
        assert 'Nobody called "nobody" is here.' in ada.text
        await ada.press("/", "up")
        assert "to the lobby: tell nobody secret" in ada.text, "nothing typed is lost"
        await ada.press("escape", "/")
        await ada.type("tell me more, bo")
        await ada.press("enter")
        assert "Up, then Enter, sends it as it is." in ada.text
        await ada.press("/", "up", "enter")
        assert heard(bo)[-1] == "tell me more, bo"
        await ada.say(cem, "spam")
        assert "spam" in ada.text
        await ada.type("/mute cem")
        await ada.press("enter")
        assert (
            'Messages from cem are hidden until you leave; "unmute cem" changes that.' in ada.text
        )
        assert "spam" not in ada.text
        await ada.say(cem, "more spam")
        assert "spam" not in ada.text
        await ada.type("/unmute cem")
        await ada.press("enter")
        await ada.say(cem, "ham")
        assert "cem: ham" in ada.text
        assert heard(cem) == ["tell me more, bo", "spam", "more spam", "ham"]


async def test_tab_completes_a_name_that_has_been_begun() -> None:
    async with world() as server, sitting(server) as ada:
        maxi, _max = server.enter("Maximilian"), server.enter("Max_2")
        await ada.wait()
        await ada.type("/tell maxi")
        await ada.press("tab")
        await ada.type("hi")
        assert "tell Maximilian hi" in ada.text
        await ada.press("enter")
        assert heard(maxi) == ["hi"]
        await ada.type("/mute ma")
        await ada.press("tab")
        assert "to the lobby: mute ma" in ada.text, "there are two, and Tab changes nothing else"


async def test_what_was_begun_at_a_table_is_not_said_elsewhere_without_asking() -> None:
    async with world() as server:
        bo = server.enter("bo")
        await bo.ok(CreateTable(UNTIMED))
        async with sitting(server) as ada:
            visit = ada.controller.context
            assert (await visit.submit(JoinTable(bo.info.id))).ok
            await ada.wait()
            await ada.press("/")
            await ada.type("for the table")
            assert (await visit.submit(LeaveTable())).ok
            await ada.wait()
            assert "You are somewhere else now" in ada.text
            await ada.press("enter")
            assert heard(bo) == []
            await ada.press("enter")
            assert "ada: for the table" in ada.text


async def test_chat_can_be_kept_from_the_screen() -> None:
    async with world() as server, sitting(server, play=True) as ada:
        bo = await watcher(server, ada)
        ada.controller.context.prefer(chat="own")
        await ada.say(bo, "blah")
        assert "blah" not in ada.text
        assert "new" not in ada.keys
        await ada.say(bo, "ada, look!")
        assert "ada, look!" in ada.text
        ada.controller.context.prefer(chat="none")
        await ada.press("left")
        await ada.say(bo, "psst", to="ada")
        assert "psst" not in ada.text
        assert ada.controller.context.bells == 1
        await ada.press("m")
        for text in ("blah", "ada, look!", "psst"):
            assert text in ada.text


async def test_spectators_of_a_rated_game_see_whom_they_talk_to() -> None:
    async with world() as server:
        bo, *_ = await rated_game(server)
        async with sitting(server, name="zoe") as ada:
            assert (await ada.controller.context.submit(WatchTable(bo.info.id))).ok
            await ada.wait()
            await ada.press("/")
            assert "to the spectators:" in ada.text
            await ada.type("look at that")
            await ada.press("enter")
            assert heard(bo) == []


# ---------------------------------------------------------------- the parts


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=80)


@given(
    st.lists(TEXTS.filter(bool), max_size=12).map(" ".join),
    st.integers(20, 80),
    st.integers(1, 28),
)
def test_whatever_is_said_stays_in_its_columns_and_is_complete(
    text: str, width: int, name: int
) -> None:
    look, who = DrawContext(words_for("en"), ASCII, False), "m" * min(name, width - 8)
    rows = chat_rows([ChatRow(who, text, False, False, False)], width, look)
    shown = "".join(part for row in rows for _, part in row)
    assert shown.replace(" ", "") == f"{who}:{text}".replace(" ", "")
    assert all(row_width(row) <= width for row in rows)


def test_a_book_is_bounded_and_takes_every_line_once() -> None:
    history = ChatHistory("ada")
    lines = [ChatLine(number, Room.LOBBY, "bo", "x", 0.0) for number in range(1, 3 * LINES)]
    assert len(history.hear([*lines, *lines])) == len(lines)
    assert history.hear(lines[-5:]) == []
    assert len(history.lines) == LINES
    assert history.unread == LINES
    history.read()
    assert history.unread == 0
    mine = ChatLine(10_000, Room.LOBBY, "ada", "x", 0.0)
    history.hear([mine, ChatLine(10_001, Room.LOBBY, "bo", "x", 0.0, old=True)])
    assert history.unread == 0


@pytest.mark.parametrize("held", ["\x1b\r", "\x1bq", "\x1bt"])
async def test_a_key_with_alt_in_a_line_presses_nothing_below_it(held: str) -> None:
    async with world() as server, sitting(server, play=True) as ada:
        await ada.press("right")
        before = ada.text
        await ada.press("/")
        await ada.type("a line and")
        ada.pilot.send(held)
        await ada.wait()
        assert "a line and" in ada.text
        await ada.press("escape")
        assert ada.text == before
        await ada.press("/")
        await ada.type("word")
        ada.pilot.send("\x1bb")
        await ada.type("a ")
        assert "a word" in ada.text, "Alt+b goes back a word"
