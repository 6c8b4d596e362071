"""The title page: who else is here, and one key to a game."""

import math

import pytest
from msgspec import structs

from server.coordinator.messages import (
    LobbySnapshot,
    QuickGame,
    Update,
)
from server.fullscreen.router import COUNT_SECONDS
from tests.support.fakes import Player1


async def test_one_key_on_the_title_screen_starts_a_game_against_bots() -> None:
    player = Player1()
    await player.lobby()
    assert "T U R N" in player.text
    await player.press("enter")
    assert [type(command) for command in player.visit.commands] == [QuickGame]
    await player.table()
    assert "your hand" in player.text


async def test_the_title_says_who_else_is_here() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((), ("ada", "bo", "cem")))
    assert "You are ada." in player.text
    assert "2 other players are here" in player.text


async def test_the_title_counts_who_comes_now_and_again_and_not_each() -> None:
    player = Player1()
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


async def test_a_count_comes_also_after_something_else_has_been_shown_meanwhile() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((), ("ada",)))
    await player.lobby(LobbySnapshot((), ("ada", "bo")))  # to be counted later
    await player.clock.advance(COUNT_SECONDS / 2)
    drained = LobbySnapshot((), ("ada", "bo"), closing=math.inf)
    await player.lobby(drained)
    await player.clock.advance(COUNT_SECONDS * 0.75)
    shown = player.frames_asked
    await player.lobby(structs.replace(drained, players=("ada", "bo", "cem")))
    await player.clock.advance(COUNT_SECONDS)
    assert player.frames_asked == shown + 1
    assert "2 other players are here" in player.text


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
