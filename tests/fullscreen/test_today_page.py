"""The page of today's tide, and the same deal again."""

from server.coordinator.messages import PlayToday, QuickGame
from server.session.usual_tables import SOLO
from tests.support.accounts import who_has_played
from tests.support.days import a_day


async def test_d_shows_today_and_enter_begins() -> None:
    player, library = await who_has_played()
    library.days[0] = a_day("new")
    await player.press("d")
    assert "Today's tide" in player.text
    assert "2025-11-21" in player.text
    assert "One deal for everybody" in player.text
    assert "2 players have begun" in player.text
    assert "The table is shown once you have played." in player.text
    assert "Enter play" in player.text
    assert "Tab yesterday" in player.text
    await player.press("enter")
    assert player.visit.commands == [PlayToday()]


async def test_who_has_played_sees_the_table_and_only_the_own_game_again() -> None:
    player, library = await who_has_played()
    library.days[0] = found = a_day("played", tries=True)
    await player.press("d")
    assert "1. bo: 9 points (3 + 2 - 1 + 5); the bots 8, 4, 2" in player.text
    assert "2. ada (program): 4 points" in player.text
    assert "Enter" not in player.text
    await player.press("enter")
    assert "Today's tide" in player.text
    own = found.tries[1]._replace(player=player.controller.context.player.id)
    library.days[0] = found._replace(tries=(found.tries[0], own))
    await player.press("escape", "d", "down")
    assert "Enter replay" in player.text
    await player.press("enter")
    assert "game 97" in player.text.splitlines()[0]
    assert player.visit.commands == []


async def test_every_game_of_yesterday_can_be_seen_again_and_its_deal_played() -> None:
    player, library = await who_has_played()
    library.days[0] = a_day("new")
    library.days[1] = a_day("missed", closed=True, tries=True)
    await player.press("d", "tab")
    assert "Yesterday's tide" in player.text
    assert "ab" * 32 in player.text
    assert "Enter replay" in player.text
    await player.press("down", "enter")
    assert "Replay" in player.text
    await player.press("d")
    (asked,) = player.visit.commands
    assert isinstance(asked, QuickGame)
    assert asked.options == SOLO
    assert asked.deal.startswith("a44-")


async def test_where_there_is_none_that_is_said() -> None:
    player, _ = await who_has_played()
    await player.press("d")
    assert "Today's tide is not played on this server." in player.text
    await player.press("tab")
    assert "There was none." in player.text
