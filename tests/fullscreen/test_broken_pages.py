"""A mistake of ours in a page costs the page, and never the session: what is drawn, keys, tasks, news."""

from typing import Any, NoReturn

import pytest
from structlog.testing import capture_logs

from server.coordinator.messages import FollowBusiest, Status
from server.fullscreen.chat.overlay import ChatOverlay
from server.fullscreen.history.pages import GamesPage
from server.fullscreen.lobby.big_screen import JoinPage, StandingsPage
from server.fullscreen.lobby.page import LobbyPage
from server.fullscreen.lobby.waiting_page import WaitingPage
from server.fullscreen.menus.help import HelpPage
from server.fullscreen.menus.player import LeavePage, SettingsPage
from server.fullscreen.menus.title import TitlePage
from server.fullscreen.pages.page import Page
from server.fullscreen.replay.page import ReplayPage
from server.fullscreen.standings.pages import FinalPage
from server.fullscreen.table.page import TablePage
from server.terminal.capabilities import Capabilities, Size
from server.terminal.drawing.frame import Frame
from tests.support.accounts import who_has_played
from tests.support.at_a_screen import Sitting, heard, sitting
from tests.support.cups import cup
from tests.support.fakes import NOBODY_HERE, Player1, router_for
from tests.support.pilot import Pilot
from tests.support.tables import world

SIZES = (Size(80, 24), Size(40, 15), Size(120, 40))
IN_SENTENCES = "Something went wrong with the picture"
CLOSED = "Something went wrong on that page, so it was closed."
INTERNAL = "Something went wrong on our side; nothing was changed."


def fails(*_: object, **__: object) -> NoReturn:
    raise ValueError("a mistake: 14")


def breaks(monkeypatch: pytest.MonkeyPatch, page: type, *names: str) -> None:
    for name in names or ("frame",):
        monkeypatch.setattr(page, name, fails)


def mistakes(logs: list[Any]) -> list[Any]:
    return [line for line in logs if line["event"] == "session_mistake"]


def flat(text: str) -> str:
    return " ".join(text.split())


async def bids(ada: Sitting) -> None:
    """Bids a card by its number, which reveals the round: the others are bots."""
    table = ada.controller.page.table
    assert table.own is not None
    hand = table.own.hand
    for digit in str(hand[0]):
        await ada.press(digit)
    await ada.press("enter")
    await ada.wait()
    table = ada.controller.page.table
    assert table.own is not None
    assert hand[0] not in table.own.hand


# ---------------------------------------------------------------- what is drawn


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_table_that_cannot_be_drawn_is_told_and_one_can_bid(
    monkeypatch: pytest.MonkeyPatch, size: Size
) -> None:
    async with world() as server, sitting(server, size, play=True) as ada:
        breaks(monkeypatch, TablePage)
        with capture_logs() as logs:
            await ada.press("right")
            assert IN_SENTENCES in flat(ada.text)
            assert ada.text.count("Your hand: ") == 1
            await bids(ada)
            assert IN_SENTENCES in flat(ada.text)
            await bids(ada)
        (mistake,) = mistakes(logs)
        assert mistake["page"] == "TablePage"
        assert mistake["error"] == "ValueError"
        assert mistake["where"][-1].endswith(" fails")
        assert "14" not in str({**mistake, "where": []}), "what it says may name a card"
        # Whoever comes back is at the same table, and can bid there.
        async with sitting(server, size) as again:
            assert IN_SENTENCES in flat(again.text)
            await bids(again)


async def test_the_broken_table_comes_back_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world() as server, sitting(server, play=True) as ada:
        with monkeypatch.context() as broken:
            breaks(broken, TablePage)
            await ada.press("right")
        await ada.press("down")
        assert IN_SENTENCES in flat(ada.text), "not by itself"
        await ada.press("t")
        assert "hoose a card" in ada.text


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_standings_that_cannot_be_drawn_let_everybody_play_on(
    monkeypatch: pytest.MonkeyPatch, size: Size
) -> None:
    breaks(monkeypatch, FinalPage)
    async with world() as server, sitting(server, size, play=True) as ada:
        await ada.press("v", "2")
        assert "Everybody agreed to end it." in flat(ada.text)
        async with sitting(server, size) as again:
            assert "Everybody agreed to end it." in flat(again.text)
            await again.press("escape", "l")
            assert "Lobby" in again.text


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_lobby_that_cannot_be_drawn_is_told(
    monkeypatch: pytest.MonkeyPatch, size: Size
) -> None:
    breaks(monkeypatch, LobbyPage)
    async with world() as server:
        server.enter("bo")
        async with sitting(server, size) as ada:
            assert "2 players are here: bo, ada" in flat(ada.text)
            await ada.press("g")
            assert "code" in ada.text, "the waiting room is as usual"


@pytest.mark.parametrize(
    ("page", "keys"),
    [(SettingsPage, "o"), (HelpPage, "?"), (LeavePage, "q")],
    ids=lambda each: getattr(each, "__name__", ""),
)
async def test_a_page_laid_over_others_is_closed(
    monkeypatch: pytest.MonkeyPatch, page: type[Page], keys: str
) -> None:
    breaks(monkeypatch, page, "frame")
    async with world() as server, sitting(server, play=True) as ada:
        with capture_logs() as logs:
            await ada.press(keys)
            assert CLOSED in flat(ada.text)
            assert not ada.controller.context.overlays
            await ada.press(keys)
        assert [each["page"] for each in mistakes(logs)] == [page.__name__], "logged once"
        await bids(ada)
        assert CLOSED not in flat(ada.text)


async def test_who_cannot_be_asked_before_leaving_can_still_leave(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    breaks(monkeypatch, LeavePage)
    async with world() as server, sitting(server, play=True) as ada:
        await ada.press("c-c")
        await ada.press("D")
        assert ada.controller.done


async def test_a_replay_that_cannot_be_drawn_leaves_the_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player, _library = await who_has_played()
    async with Pilot(player.controller) as pilot:
        await player.lobby()
        breaks(monkeypatch, ReplayPage)
        for key in ("r", "enter", "down"):
            pilot.press(key)
            await player.clock.advance(1)
            pilot.timers.advance(1)
            if key == "enter":
                assert CLOSED in pilot.text
        assert "Your games" in pilot.text


PLACES = (TitlePage, LobbyPage, JoinPage, StandingsPage, WaitingPage, TablePage, FinalPage)


@pytest.mark.parametrize("place", PLACES)
async def test_each_place_that_cannot_be_drawn_is_told_at_every_login_and_logged_once(
    monkeypatch: pytest.MonkeyPatch, place: type[Page]
) -> None:
    async with cup() as held, sitting(held.server) as ada:
        if place is StandingsPage:
            await held.begun(8)
        if place in (JoinPage, StandingsPage):
            ada.controller.context.do(FollowBusiest(standings=True))
            await ada.wait()
        for key in {WaitingPage: "n\r", TablePage: "b\r", FinalPage: "b\rv2"}.get(place, ""):
            await ada.press("enter" if key == "\r" else key)
        breaks(monkeypatch, place)
        for _login in range(2):
            with capture_logs() as logs:
                async with sitting(held.server) as again:
                    again.controller.context.greeted = place is not TitlePage
                    if place in (JoinPage, StandingsPage):
                        again.controller.context.do(FollowBusiest(standings=True))
                    await again.press("c-l", "down", "t", "up", "o", "escape")
                    assert IN_SENTENCES in flat(again.text)
                    await again.press("D")
                    assert again.controller.done
            assert [each["page"] for each in mistakes(logs)] == [place.__name__]


async def test_a_game_begins_where_the_waiting_room_cannot_be_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    breaks(monkeypatch, WaitingPage)
    async with world() as server, sitting(server) as ada:
        await ada.press("n", "enter", "s")
        table = ada.controller.page.table
        assert table.info.status is Status.PLAYING


async def test_chat_that_cannot_be_drawn_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world() as server, sitting(server, play=True) as ada:
        await ada.press("/")
        breaks(monkeypatch, ChatOverlay, "over")
        await ada.press("x")
        assert "hoose a card" in ada.text or INTERNAL in ada.text
        await ada.press("/")
        assert INTERNAL in ada.text
        await bids(ada)


async def test_a_style_that_no_theme_knows_costs_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def odd(*_: object) -> Frame:
        return Frame(((("no such style", "x"),),))

    monkeypatch.setattr(SettingsPage, "frame", odd)
    async with world() as server, sitting(server, play=True) as ada:
        await ada.press("o")
        assert CLOSED in ada.text
        await bids(ada)


async def test_a_hand_is_told_even_when_the_table_cannot_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with world() as server, sitting(server, play=True) as ada:
        for name in ("server.fullscreen.table.page", "server.session.table_in_sentences"):
            monkeypatch.setattr(f"{name}.present_table", fails)
        await ada.press("c-l")
        await ada.wait()
        await bids(ada)
        assert "Your hand: " in ada.text


# ---------------------------------------------------------------- keys


async def test_a_key_that_fails_costs_no_more_than_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with world() as server, sitting(server, play=True) as ada:
        breaks(monkeypatch, TablePage, "step")
        with capture_logs() as logs:
            await ada.press("right", "right")
        assert INTERNAL in flat(ada.text)
        assert len(mistakes(logs)) == 1
        assert not ada.controller.context.players_doing
        await bids(ada)
        breaks(monkeypatch, SettingsPage, "change")
        await ada.press("o", "right")
        assert CLOSED in flat(ada.text)
        await bids(ada)


async def test_keys_behind_the_one_that_fails_press_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with world() as server, sitting(server, play=True) as ada:
        breaks(monkeypatch, TablePage, "step")
        ada.pilot.send("\x1b[Co")
        assert "Settings" not in ada.text
        await ada.press("o")
        assert "Settings" in ada.text


async def test_a_condition_of_a_key_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world() as server, sitting(server, play=True) as ada:
        monkeypatch.setattr(TablePage, "reads", property(fails))
        await ada.press("h", "3", "escape", "s")  # the footer is made anew
        assert IN_SENTENCES in flat(ada.text)
        await bids(ada)


async def test_a_line_of_chat_that_fails_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world() as server, sitting(server) as ada:
        bo = server.enter("bo")
        with monkeypatch.context() as broken:
            breaks(broken, ChatOverlay, "enter")
            await ada.press("/")
            await ada.type("hello")
            await ada.press("enter")
        assert INTERNAL in ada.text
        assert heard(bo) == []
        await ada.press("/")
        await ada.type("again")
        await ada.press("enter")
        assert heard(bo) == ["again"]


# ---------------------------------------------------------------- tasks, and news


async def test_a_task_of_a_page_that_fails_closes_it() -> None:
    player, library = await who_has_played()
    await player.lobby()
    library.games = fails  # type: ignore[method-assign]
    with capture_logs() as logs:
        await player.press("l", "r")
        await player.clock.settle()
    (mistake,) = mistakes(logs)
    assert mistake["page"] == GamesPage.__name__
    assert "One moment..." not in player.text
    assert CLOSED in player.text
    assert "Lobby" in player.text


async def test_news_that_cannot_be_told_lock_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.fullscreen.router.return_in_words", fails)
    player = Player1()
    await player.lobby(NOBODY_HERE)
    assert INTERNAL in player.text
    again = router_for(player.visit, player.clock, Capabilities())
    async with Pilot(again) as pilot:
        assert pilot.running
