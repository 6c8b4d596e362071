"""The title page: who else is here, and one key to a game."""

import pytest
from msgspec import structs

from engine.editions import Rules
from server.coordinator.messages import GameNow, LobbySnapshot, QuickGame, Status, TableRow, Update
from server.fullscreen.router import COUNT_SECONDS
from server.session.account import PLAYED
from server.session.preferences import SOLO, TUTORIAL
from server.terminal.capabilities import Size
from tests.support.accounts import ME, FakeAccount, FakeLibrary, visitor
from tests.support.fakes import Player1
from tests.support.snapshots import Game, table_info

FIRST = Rules(players=4, stages=1)


async def test_the_title_counts_who_comes_now_and_again_and_not_each() -> None:
    player = Player1(motion="none")
    await player.lobby(LobbySnapshot((), ("ada",)))
    shown = player.frames_asked
    for number in range(1, 6):
        await player.lobby(LobbySnapshot((), ("ada", *"bcdef"[:number])))
    assert player.frames_asked == shown
    await player.clock.advance(COUNT_SECONDS)
    assert player.frames_asked == shown + 1
    assert "5 other players are here" in player.text
    await player.clock.advance(10 * COUNT_SECONDS)
    assert player.frames_asked == shown + 1
    await player.lobby(LobbySnapshot((), ("ada", "bo")))  # after a quiet time: at once
    assert player.frames_asked == shown + 2
    await player.lobby(LobbySnapshot((), ("ada",)))
    assert player.frames_asked == shown + 2
    player.controller.close()
    await player.clock.advance(COUNT_SECONDS)
    assert player.frames_asked == shown + 2


async def test_the_title_says_at_once_what_is_more_than_a_count() -> None:
    player = Player1()
    here = LobbySnapshot((), ("ada",))
    await player.lobby(here)
    shown = player.frames_asked
    await player.lobby(structs.replace(here, closing=player.clock.time() + 100.0))
    assert player.frames_asked == shown + 1
    player.visit.feed.push(Update(here, None, (), False, "shutdown"))
    await player.clock.advance(0)
    assert player.frames_asked > shown + 1
    assert player.controller.done


@pytest.mark.parametrize("key", ["escape", "q", "c-c", "c-d"])
async def test_the_title_asks_too(key: str) -> None:
    player = Player1()
    await player.lobby()
    await player.press(key)
    assert "Leave Turn the Tide?" in player.text
    await player.press("enter")
    assert not player.controller.done
    await player.press(key)
    assert "> s   Stay" in player.text
    await player.press("y")
    assert player.controller.done


async def newcomer() -> Player1:
    """Somebody who has never played."""
    player = Player1(Game(FIRST), account=FakeAccount(settings={PLAYED: 0}))
    await player.lobby()
    return player


async def test_until_a_game_is_finished_enter_brings_the_guide_and_then_a_game() -> None:
    player = await newcomer()
    title = player.text
    assert title.index("t  learn by playing") < title.index("b  play at once")
    assert "Enter learn" in title
    await player.press("enter")
    assert player.visit.commands == [QuickGame(TUTORIAL)]
    await player.table()
    player.game.play_rounds(12)
    await player.table(info=table_info(FIRST, status=Status.OVER))
    player.visit.commands.clear()
    player.visit.feed.push(Update(LobbySnapshot((), ("ada",)), None, (), False, ""))
    await player.clock.advance(0)
    await player.press("escape")
    assert "Enter play" in player.text
    assert player.text.index("Enter  play at once") < player.text.index("t  learn by playing")
    await player.press("enter")
    assert player.visit.commands == [QuickGame(SOLO)]
    assert player.controller.context.account.settings[PLAYED] == 1


async def test_a_first_game_without_the_guide_offers_it_and_three_name_what_is_what() -> None:
    player = await newcomer()
    player.controller.context.greeted = True
    for played in range(4):
        player.game = Game(FIRST)
        info = table_info(FIRST, game=played + 1)
        player.visit.feed.push(Update(LobbySnapshot((), ("ada",)), None, (), False, ""))
        await player.clock.advance(60)
        await player.table(info=info)
        await player.clock.advance(60)
        assert ("First game? t brings a guide." in player.text) is (played == 0)
        for size in (Size(80, 24), Size(40, 15), Size(120, 40)):
            player.size = size
            assert ("○ life preserver · 0 points" in player.text) is (played < 3)
        player.size = Size(80, 24)
        player.game.play_rounds(12)
        await player.table(info=structs.replace(info, status=Status.OVER))


async def test_today_is_first_until_it_has_been_played() -> None:
    library = FakeLibrary(1_000_000.0)
    library.played_today = False
    player = await visitor(ME, FakeAccount(library=library))
    assert '(")@@@@' in player.text
    label = "d  today's tide: three minutes, one hand for everybody"
    assert player.text.index(label) < player.text.index("Enter  play at once")
    library.played_today = True
    player = await visitor(ME, FakeAccount(library=library))
    assert player.text.index("Enter  play at once") < player.text.index(
        "d  today's tide: the ranking"
    )


@pytest.mark.parametrize(("motion", "moves"), [("full", True), ("less", True), ("none", False)])
async def test_the_sheep_drifts_within_two_seconds_and_then_rests(motion: str, moves: bool) -> None:
    player = Player1(motion=motion)
    await player.lobby()
    first = player.text
    await player.clock.advance(2)
    assert (player.text != first) is moves
    await player.clock.advance(2)
    shown = player.frames_asked
    await player.clock.advance(600)
    assert player.frames_asked == shown


async def test_a_game_that_goes_on_is_there_in_small() -> None:
    player = Player1()
    names = ("bo", "cem", "dora", "Gull")
    rows = (TableRow("cove", "Harbour", SOLO, Status.PLAYING, names, 1, 1, 0),)
    game = GameNow(rows[0].id, 4, (7, 0, 12, -1), (3, 4, 1, 0), (0, 2, -1, 0))
    await player.lobby(LobbySnapshot(rows, ("ada", "bo"), games=(game,)))
    assert "Harbour ▅·█x round 5: bo 7, cem dry, dora 12, Gull out" in player.text
