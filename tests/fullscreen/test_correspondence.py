"""Games by correspondence on the full screen: the title, the way through them, Esc, and giving one up."""

import pytest

from engine.views import RoundScene
from server.i18n.lookup import words_for
from server.terminal.capabilities import Size
from server.text.times import moment_in_words
from server.viewmodels.lobby import own_games
from tests.support.accounts import FakeAccount
from tests.support.at_a_screen import sitting
from tests.support.letters import bid_at, letters
from tests.support.pilot import NORMAL
from tests.support.tables import world

WORDS = words_for("en")


async def test_the_title_says_how_many_wait_and_a_key_leads_through_them() -> None:
    async with world() as server:
        ada, bo = server.enter("ada", guest=True), server.enter("bo")
        codes = [await letters(server, ada, bo) for _ in range(2)]
        async with sitting(server) as screen:
            context = screen.controller.context
            await screen.press("escape")
            assert "2 games by correspondence, 2 wait for you" in screen.text
            assert "y next game" in screen.keys
            answered = []
            for _ in codes:
                await screen.press("y")
                assert context.table is not None
                answered.append(context.table.info.id)
                await screen.press("right", "enter")
            assert sorted(answered) == sorted(codes)
            await screen.press("escape")
            assert context.table is None
            assert "y: 2 games by correspondence, none waits for you" in screen.text
            await screen.press("escape")
            assert "2 games by correspondence, none waits for you" in screen.text


async def test_esc_keeps_the_seat_and_the_game_is_given_up_only_when_asked() -> None:
    async with world() as server:
        ada, bo = server.enter("ada", guest=True), server.enter("bo")
        code = await letters(server, ada, bo)
        async with sitting(server) as screen:
            await screen.press("y")
            assert "Esc lobby" in screen.keys
            await screen.press("escape")
            assert server.lobby.places.seats("id-ada") == [code]
            await screen.press("y", "q")
            assert "your seat is kept; y brings you back" in screen.text
            await screen.press("l")
            assert server.lobby.places.seats("id-ada") == [code]
            await screen.press("y", "q", "g")
            assert not server.lobby.places.seats("id-ada")
            assert screen.controller.context.table is None


async def test_nobody_who_plays_by_correspondence_is_shown_as_offline() -> None:
    async with world() as server:
        ada, bo = server.enter("ada", guest=True), server.enter("bo")
        await letters(server, ada, bo)
        bo.visit.close()
        async with sitting(server) as screen:
            await screen.press("y")
            assert "bo" in screen.text
            assert "offline" not in screen.text


@pytest.mark.parametrize("size", [Size(40, 15), NORMAL, Size(120, 40)])
async def test_a_page_has_all_of_them_with_whom_each_waits_for_and_leads_there(size: Size) -> None:
    async with world() as server:
        ada, bo = server.enter("ada", guest=True), server.enter("bo")
        codes = [await letters(server, ada, bo) for _ in range(3)]
        await bid_at(ada, codes[1])
        await server.clock.advance(3600.0)
        async with sitting(server, size) as screen:
            await screen.press("Y")
            assert "Games by correspondence" in screen.text
            assert screen.text.count("your turn, 23 h: bo, ") == 2
            assert screen.text.count("waiting for bo, 23 h: bo, ") == 1
            await screen.press("down", "down")
            assert "> waiting for bo, 23 h: bo, " in screen.text
            since = moment_in_words(ada.last.correspondence[-1].since, WORDS)
            assert f"has been waiting for bo since {since}" in " ".join(
                screen.text.replace("│", " ").split()
            )
            # One that comes before it changes nothing of what is chosen.
            await bid_at(bo, codes[1])
            await server.clock.advance(3.0)
            await screen.wait()
            assert screen.text.count("your turn, ") == 3
            await screen.press("enter")
            assert screen.controller.page.table.info.id == codes[1]


async def test_the_first_one_stays_chosen_when_another_comes_before_it() -> None:
    async with world() as server:
        ada, bo = server.enter("ada", guest=True), server.enter("bo")
        codes = [await letters(server, ada, bo) for _ in range(2)]
        for code in codes:
            await bid_at(ada, code)
        async with sitting(server) as screen:
            await screen.press("Y")
            context = screen.controller.context
            first, second = (game.table for game in context.correspondence)
            await bid_at(bo, second)
            await server.clock.advance(3.0)
            await screen.wait()
            assert [game.table for game in context.correspondence] == [second, first]
            await screen.press("enter")
            assert context.table is not None
            assert context.table.info.id == first


async def test_enter_on_the_game_in_sight_goes_back_to_it() -> None:
    async with world() as server:
        ada, bo = server.enter("ada", guest=True), server.enter("bo")
        await letters(server, ada, bo)
        async with sitting(server) as screen:
            await screen.press("y", "Y", "enter")
            assert not screen.controller.context.overlays


async def test_without_any_the_page_says_how_one_begins() -> None:
    async with world() as server, sitting(server) as screen:
        for _ in ("in the lobby", "on the title page"):
            await screen.press("Y")
            assert "You have no games by correspondence" in screen.text
            assert "go there" not in screen.keys
            await screen.press("enter", "escape", "escape")


@pytest.mark.parametrize("here", [0, 1, 2, 3])
async def test_the_next_one_waits_if_any_does_and_comes_after_this_one(here: int) -> None:
    async with world() as server:
        ada, bo = server.enter("ada"), server.enter("bo")
        codes = [await letters(server, ada, bo) for _ in range(3)]
        await bid_at(ada, codes[0])
        games = ada.last.correspondence
        waiting = [game.table for game in games if game.waits]
        assert set(waiting) == {codes[1], codes[2]}
        at = ["", *codes][here]
        found = own_games(games, WORDS, at)
        assert found.waiting == 2
        assert found.next == waiting[(waiting.index(at) + 1) % 2 if at in waiting else 0]


async def test_who_comes_back_sees_the_reveals_that_were_missed_one_after_the_other() -> None:
    account = FakeAccount()
    async with world() as server:
        ada, bo = server.enter("ada", guest=True), server.enter("bo")
        code = await letters(server, ada, bo)
        for rounds in (2, 1, 0):
            async with sitting(server, account=account) as screen:
                reveal = screen.controller.context.reveal
                await screen.press("y")
                seen = []
                while isinstance(reveal.scene, RoundScene):
                    seen.append(reveal.scene.before.round)
                    # Each is played as it would have been, and then stays to be read.
                    await server.clock.advance(3)
                    assert f"round {seen[-1] + 1}/" in screen.text
                    await screen.press(" ")
                assert seen == {2: [], 1: [0, 1], 0: [2]}[rounds]
                assert "your hand" in screen.text
            ada = server.enter("ada", guest=True)
            for _ in range(rounds):
                for each in (ada, bo):
                    await bid_at(each, code)
                await server.clock.advance(3.0)
