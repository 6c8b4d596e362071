"""Leaving is asked first; what ends with a session."""

import pytest
from msgspec.structs import replace

from server.coordinator.messages import Disconnected, LeaveTable, Status, Update
from server.fullscreen.pages.page import ENTER_RESTS
from tests.fullscreen.at_a_table import revealing, seated
from tests.support.at_a_screen import sitting
from tests.support.tables import world


@pytest.mark.parametrize("key", ["escape", "q", "c-c", "c-d"])
async def test_leaving_is_asked_first_and_again(key: str) -> None:
    player = await seated()
    await player.press(key)
    assert "Leave this table?" in player.text
    await player.press("c-c", "c-d", "c-c")
    assert "Leave this table?" in player.text
    assert not player.controller.done
    await player.press("escape")
    assert "your hand" in player.text


async def test_ctrl_c_asks_from_within_an_overlay() -> None:
    player = await seated()
    await player.press("?", "c-c")
    assert "Leave this table?" in player.text


async def test_the_game_can_be_given_up_or_only_the_line() -> None:
    player = await seated()
    await player.press("q")
    assert "g   Give the game up" in player.text
    await player.press("l")
    assert not player.visit.commands, "l is the next card, and the leave page is not for that"
    await player.press("g")
    assert player.visit.commands == [LeaveTable()]
    player = await seated()
    await player.press("q")
    assert "d   End the game and leave" in player.text
    assert "keep the seat" not in player.text, "who plays alone, with the server inside"
    assert "the result stays yours" not in player.text
    await player.press("d")
    assert player.controller.done
    assert not player.visit.commands


async def test_what_comes_as_the_session_ends_starts_nothing() -> None:
    player = await seated()
    game = player.game.snapshot(0)
    player.visit.feed.push(Update(None, game, (Disconnected(1, "bo"),), False, ""))
    player.controller.close()
    await player.clock.advance(0)
    assert player.clock.due is None


async def test_closing_leaves_no_timer_and_no_task() -> None:
    player = await revealing()
    player.controller.context.leave()
    player.controller.close()
    assert player.clock.due is None


async def test_a_seat_in_a_tournament_is_given_back() -> None:
    player = await seated()
    info = replace(player.game.snapshot(0).info, event="tournament/kadubilo/1")
    await player.table(info=info)
    await player.press("escape")
    assert "g   To the lobby" in player.text
    assert "a bot bids for you until you are back; press e to return" in player.text
    assert "for good" not in player.text


async def test_an_answer_that_has_just_become_another_one_is_not_given() -> None:
    player = await seated()
    over = replace(player.game.snapshot(0).info, status=Status.OVER)
    await player.table(info=over)
    await player.press("escape", "down")
    assert "> l   To the lobby" in player.text
    await player.table()
    assert "> g   Give the game up" in player.text
    await player.press("enter")
    assert not player.visit.commands, "it was meant for the other answer"
    await player.clock.advance(ENTER_RESTS)
    await player.press("enter")
    assert player.visit.commands == [LeaveTable()]


async def test_a_key_with_alt_neither_asks_nor_answers() -> None:
    async with world() as server, sitting(server, play=True) as ada:
        for held in "\x1bg", "\x1bd", "\x1bq":
            ada.pilot.send(held)
            await ada.wait()
            assert "your hand" in ada.text
        await ada.press("escape", "g")
        assert "Lobby" in ada.text


async def test_no_question_is_answered_before_it_has_been_seen() -> None:
    async with world() as server, sitting(server, play=True) as ada:
        for text in ("qg", "qd", "\x03d"):
            ada.pilot.send(text)
            await ada.wait()
            assert "> s   Stay" in ada.text
            await ada.press("s")
            assert "your hand" in ada.text
        await ada.press("q", "g")
        assert "Lobby" in ada.text


@pytest.mark.parametrize("asks", ["q", "\x03"])
async def test_an_answer_that_comes_as_fast_as_the_question_is_given(asks: str) -> None:
    async with world() as server, sitting(server, play=True) as ada:
        ada.pilot.session.feed(asks)
        assert "Leave this table?" in ada.text
        ada.pilot.session.feed("g")
        await ada.wait()
        await ada.wait()
        assert "Lobby" in ada.text


async def test_an_answer_to_a_question_that_is_just_painted_anew_is_given() -> None:
    async with world() as server, sitting(server, play=True) as ada:
        await ada.press("\x03")
        ada.pilot.session.drained()
        ada.pilot.session.feed("g")
        await ada.wait()
        await ada.wait()
        assert "Lobby" in ada.text
