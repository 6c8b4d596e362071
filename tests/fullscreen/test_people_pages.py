"""Who somebody is, and to follow them; and the same people at another table."""

from typing import Any

import pytest
from msgspec import structs

from engine.editions import Rules
from server.coordinator.contract import Profile
from server.coordinator.messages import (
    CreateTable,
    JoinTable,
    LobbySnapshot,
    ServerMessage,
    Status,
    Update,
)
from server.i18n.lookup import languages, words_for
from server.session.preferences import same_people
from server.storage.ratings import LeaderboardRow, Rating
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import row_width
from server.text.people import between_lines, profile_lines
from tests.support.accounts import RESULTS, FakeAccount, FakeLibrary, who_has_played
from tests.support.fakes import Player1
from tests.support.snapshots import Game

BO = Profile("bo", False, RESULTS, True, True, "reef-7", "Reef", 1e6, True, False)
CEM = BO._replace(name="cem", results=None, shows_visits=False, followable=False)


async def somebody(*players: str, **abilities: Any) -> tuple[Player1, FakeAccount, FakeLibrary]:
    """In the lobby of a server with people."""
    player, library = await who_has_played(**abilities)
    account = player.controller.context.account
    assert isinstance(account, FakeAccount)
    account.profiles = {"bo": BO, "cem": CEM, "ada": BO._replace(name="ada", own=True)}
    await player.press("l")
    await player.lobby(LobbySnapshot((), players))
    return player, account, library


async def test_who_is_here_and_the_page_of_one() -> None:
    player, account, _ = await somebody("ada", "bo", "cem")
    await player.press("i")
    assert [player.row_with(name) for name in ("> bo", "cem", "ada")]
    await player.press("enter")
    assert "f follow" in player.text
    await player.press("f")
    assert account.following == {"bo"}
    assert "You are told when bo comes." in player.text
    await player.press("escape")
    assert "bo, followed" in player.text
    await player.press("i", "f")
    assert account.following == set()
    await player.press("i", "down", "enter")
    assert "cem shows nothing more to others." in player.text
    assert "cem does not want to be followed." in player.text
    assert "f follow" not in player.text


async def test_of_a_guest_there_is_no_page_and_nothing_to_try_again() -> None:
    player, _, _ = await somebody("gwen")
    await player.press("i", "enter")
    assert "There is no page about gwen" in player.text
    assert "try again" not in player.text


async def test_who_is_followed_and_not_here_is_listed_as_well() -> None:
    player, account, _ = await somebody("ada")
    account.following = {"bo"}
    account.profiles = {**account.profiles, "bo": BO._replace(here=False, table="", seen=9e5)}
    await player.press("i")
    assert "This is what others see of you." in player.text, "there is nobody else"
    await player.press("escape")
    await player.lobby(LobbySnapshot((), ("ada", "cem")))
    await player.press("i")
    assert "bo, followed, not here" in player.text
    await player.press("end", "enter")
    assert player.row_with("Last here: 1 day ago.")


async def test_without_rated_games_there_is_nobody_to_choose() -> None:
    player, _, library = await somebody("ada")
    await player.press("r", "b")
    assert library.standings == ()
    await player.press("i")
    assert "There is nobody to choose." in player.text


async def test_lists_of_people_lead_to_their_pages() -> None:
    player, _, library = await somebody("ada")
    library.standings = (LeaderboardRow(1, "account:2", "bo", Rating(30.0, 1.0, 12)),)
    await player.press("r", "b", "i")
    assert "profile" in player.text
    assert "12 games with you" in player.text
    await player.press("i", "escape", "i")
    assert player.row_with("dora"), "who played the chosen game"
    await player.press("enter")
    assert player.controller.context.overlays


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", [Size(40, 15), Size(80, 24), Size(120, 40)])
async def test_nothing_of_a_page_is_cut(size: Size, language: str) -> None:
    player, _, _ = await somebody("ada", "bo", language=language)
    player.size = size
    words = words_for(language)
    await player.press("i", "enter")
    text = list[str]()
    for _ in range(20):
        assert max(map(row_width, player.frame.rows)) <= size.columns
        text += [line.strip("│ ") for line in player.text.splitlines()]
        await player.press("down")
    said = " ".join(part for line in text for part in line.split("││"))
    for line in (*profile_lines(BO, player.clock.time(), words), *between_lines(BO, words)):
        for word in line.split():
            assert word in said, line
    assert "f " in player.text.splitlines()[-1]


# ---------------------------------------------------------------- the same people again


async def over(**info: object) -> Player1:
    """A game of ada, cem, dora and a bot has just ended."""
    player = Player1(Game(Rules(players=4)))
    player.game.play_out()
    await player.table(info=structs.replace(player.game.snapshot().info, **info))
    return player


async def test_the_same_people_are_invited_to_another_table_with_the_same_options() -> None:
    player = await over()
    options = player.game.snapshot().info.options
    blocked = FakeAccount(settings={"blocked": {"id-cem": "cem"}})
    player.controller.context.account = blocked  # type: ignore[misc]
    player.size = Size(120, 40)
    assert "p same people" in player.text
    await player.press("p")
    assert player.visit.commands == [CreateTable(options, keep=("dora",))], "without who is blocked"


async def test_a_private_table_has_its_rematch() -> None:
    player = await over(private=True)
    assert "p same people" not in player.text
    await player.press("p")
    assert not player.visit.commands


@pytest.mark.parametrize("here", [False, True])
async def test_who_was_invited_elsewhere_goes_there_and_the_next_time_opens_a_table(
    here: bool,
) -> None:
    player = await over()
    table = player.game.snapshot()
    word = ServerMessage("invited", "cem", about=table.info.id if here else "reef-7")
    player.visit.feed.push(Update(None, table, (), False, "", said=(word,)))
    await player.clock.advance(0)
    await player.press("p", "p")
    first, second = player.visit.commands
    assert isinstance(first, CreateTable) if here else first == JoinTable("reef-7")
    assert isinstance(second, CreateTable)


def test_whom_one_has_played_with() -> None:
    game = Game()
    table = game.snapshot(0)
    played = structs.replace(
        table.info, status=Status.OVER, played_by=("ada", "bo", "Gull", "dora")
    )
    table = structs.replace(table, info=played)
    assert same_people(table, "ada") == ("bo", "dora")
    assert same_people(table, "eve") == (), "who only watched"
    for more in ({"status": Status.PLAYING}, {"private": True}):
        other = structs.replace(played, **more)
        assert same_people(structs.replace(table, info=other), "ada") == ()
    event = structs.replace(table, info=structs.replace(played, event="day-2026-11-26"))
    assert same_people(event, "ada") == ()
    alone = structs.replace(played, played_by=("ada", "Gull", "Kelp", "Tern"))
    assert same_people(structs.replace(table, info=alone), "ada") == ()
