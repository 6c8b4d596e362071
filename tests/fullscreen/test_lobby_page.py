"""Tables in the lobby: joined, watched, opened, and asked for by their code."""

import pytest
from msgspec import structs

from engine.editions import Rules
from server.coordinator.messages import (
    JoinTable,
    LobbySnapshot,
    Pace,
    Reply,
    Status,
    TableOptions,
    TableRow,
    WatchTable,
)
from tests.support.fakes import Player1


async def test_the_lobby_shows_everybody_who_comes() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((), ("ada",)))
    await player.press("l")
    shown = player.frames_asked
    for number in range(1, 6):
        await player.lobby(LobbySnapshot((), ("ada", *"bcdef"[:number])))
    assert player.frames_asked == shown + 5


def row(
    table: str, status: Status = Status.OPEN, names: tuple[str, ...] = ("bo", "", "")
) -> TableRow:
    options = TableOptions(Rules(players=len(names)), Pace.UNTIMED)
    return TableRow(table, table.title(), options, status, names, 0, 1, 0)


async def test_in_a_lobby_without_tables_keys_for_them_say_so() -> None:
    player = Player1()
    await player.lobby()
    await player.press("l", "enter")
    assert "There is no table to join; n opens one." in player.text
    await player.press("w")
    assert "There is no table." in player.text
    assert not player.visit.commands


async def test_the_chosen_table_stays_chosen_when_others_come() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((row("reef"), row("cove")), ("ada",)))
    await player.press("l", "down")
    await player.lobby(LobbySnapshot((row("pier"), row("reef"), row("cove")), ("ada",)))
    await player.press("enter")
    assert player.visit.commands == [JoinTable("cove")]


async def test_enter_watches_a_running_table() -> None:
    player = Player1()
    running = row("reef", Status.PLAYING, ("bo", "cem", "dora"))
    await player.lobby(LobbySnapshot((running,), ("ada",)))
    await player.press("l")
    assert "stage 2/3" in player.text
    await player.press("enter")
    assert player.visit.commands == [WatchTable("reef")]


async def test_a_refusal_is_a_sentence() -> None:
    player = Player1()
    await player.lobby(LobbySnapshot((row("reef"),), ("ada",)))
    player.visit.replies = [Reply("table_full")]
    await player.press("l", "enter")
    assert "Every seat at that table is taken." in player.text
    await player.press("down")
    assert "Every seat" not in player.text


async def test_esc_goes_from_the_lobby_back_to_the_title_and_from_there_asks() -> None:
    player = Player1()
    await player.lobby()
    await player.press("l")
    assert player.text.startswith(" Lobby")
    await player.press("escape")
    assert "T U R N" in player.text
    await player.press("escape")
    assert "Leave Turn the Tide?" in player.text
    await player.press("n", "l", "q")
    assert "Leave Turn the Tide?" in player.text


@pytest.mark.parametrize("code", ["word_needed", "wrong_word"])
async def test_a_private_tables_word_can_be_typed_when_it_is_asked_for(code: str) -> None:
    player = Player1()
    await player.lobby()
    await player.press("l")
    player.visit.replies = [Reply(code)]
    player.controller.text("harbour")
    await player.press("down")
    assert player.controller.entry is not None
    assert "\n  invitation word" in player.text
    player.controller.entry.insert_text("otter")
    await player.press("enter")
    assert player.visit.commands == [JoinTable("harbour"), JoinTable("harbour", word="otter")]
    assert player.controller.entry is None
    await player.press("c")
    assert "code of the table" in player.text
    player.controller.text("reef")


async def test_tables_of_one_tournament_can_be_told_apart() -> None:
    player = Player1()
    first, second = (
        structs.replace(row(code), title=f"A cup with a long name {number}")
        for code, number in (("reef", "1.1"), ("cove", "1.2"))
    )
    await player.lobby(LobbySnapshot((first, second), ("ada",)))
    await player.press("l")
    assert "A cup w… 1.1 " in player.text
    assert "A cup w… 1.2 " in player.text
