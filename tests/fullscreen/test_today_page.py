"""The page of today's tide, and the same deal again."""

import pytest

from engine.records.statistics import Streak
from server.coordinator.events.days import Try
from server.coordinator.messages import PlayToday, QuickGame
from server.i18n.lookup import Words
from server.session.preferences import SOLO
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import row_width
from server.text.events import try_in_words
from tests.support.accounts import ME, FakeAccount, FakeLibrary, visitor, who_has_played
from tests.support.days import a_day

NOW = 1_000_000.0


async def test_d_shows_today_and_enter_begins() -> None:
    player, library = await who_has_played()
    library.days[0] = a_day("new")
    await player.press("d")
    assert "Today's tide" in player.text
    assert "2025-11-21" in player.text
    assert "the same hand for everybody" in player.text
    assert "2 players have begun" in player.text
    assert "The ranking is shown once you have played." in player.text
    assert "tidal (level 5 of 7, rating 3390)" in player.text
    assert "Enter play" in player.text
    assert "Tab yesterday" in player.text
    await player.press("enter")
    assert player.visit.commands == [PlayToday()]


async def test_who_has_played_sees_the_table_and_only_the_own_game_again() -> None:
    player, library = await who_has_played()
    library.days[0] = found = a_day("played", tries=True)
    await player.press("d")
    assert "place 2 of 2" in player.row_with("ranking")
    assert "greedy 8.5 · tidal 6.5 · expert 1.5" in player.row_with("greedy")
    assert player.text.index("2. ada") < player.text.index("bots on average")
    assert "Enter" not in player.text
    await player.press("enter")
    assert "Today's tide" in player.text
    others = found.tries[1]._replace(player="account:3")
    library.days[0] = found._replace(tries=(found.tries[0], others))
    await player.press("escape", "d", "down")
    assert "Enter" not in player.text
    library.days[0] = found
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
    assert "ab" * 32 not in player.text
    await player.press("f")
    assert "ab" * 32 in player.text
    assert "cd" * 32 in player.text
    await player.press("f")
    assert "Enter replay" in player.text
    await player.press("down", "enter")
    assert "Replay" in player.text
    await player.press("d")
    (asked,) = player.visit.commands
    assert isinstance(asked, QuickGame)
    assert asked.options == SOLO
    assert asked.deal.startswith("a44-")


async def test_until_the_ranking_is_shown_yesterdays_stands_there() -> None:
    player, library = await who_has_played()
    library.days[0] = a_day("new")
    library.days[1] = a_day("missed", closed=True, tries=True)
    await player.press("d")
    for size in (Size(80, 24), Size(120, 40), Size(200, 60)):
        player.size = size
        assert "Tab yesterday" in player.row_with("yesterday")
        assert "1. bo: 9 points" in player.text
        assert "─ ranking" not in player.text
        assert max(map(row_width, player.frame.rows)) <= size.columns
    # Where its title has no room, it could be taken for today's.
    player.size = Size(40, 15)
    assert "1. bo" not in player.text
    await player.press("tab")
    assert "> 1. bo: 9 points" in player.text


@pytest.mark.parametrize(
    ("days", "daily", "columns", "said"),
    [(12, True, 80, True), (1, True, 80, False), (12, False, 80, False), (12, True, 40, False)],
)
async def test_the_title_says_on_how_many_days_in_a_row(
    days: int, daily: bool, columns: int, said: bool
) -> None:
    library = FakeLibrary(NOW, 0)
    library.days_in_a_row, library.played_yesterday = Streak(31, days), daily
    player = await visitor(ME, FakeAccount(library=library))
    player.size = Size(columns, 24)
    line = "You are ada. You have played on 12 days in a row."
    assert "You are ada." in player.text
    assert (line in player.text) is said
    await player.press("l", "escape")
    assert (line in player.text) is said


async def test_a_guest_is_told_how_to_be_counted_and_who_has_missed_a_day_when_it_is_shown() -> (
    None
):
    player, library = await who_has_played()
    library.days = [a_day("new")._replace(guest=True), a_day("missed")]
    await player.press("d")
    assert "Guests play out of competition." in player.text
    assert "Enter play" in player.text
    await player.press("tab")
    assert "The ranking is shown once the day is closed." in player.text


async def test_of_a_long_ranking_only_what_is_in_sight_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player, library = await who_has_played()
    found = a_day("played", tries=True)
    many = [found.tries[0]._replace(rank=n, player=f"account:{n}") for n in range(1, 501)]
    library.days[0] = found._replace(tries=(*many, found.tries[1]._replace(rank=501)))
    await player.press("d")
    made = list[str]()

    def counted(each: Try, words: Words) -> str:
        made.append(each.name)
        return try_in_words(each, words)

    monkeypatch.setattr("server.fullscreen.history.today_page.try_in_words", counted)
    await player.press("end")
    assert "> 501. ada (program): 4 points" in player.text
    made.clear()
    assert player.frame
    assert 0 < len(made) < player.size.rows


async def test_the_title_tells_the_result_of_yesterday() -> None:
    library = FakeLibrary(NOW, 0)
    library.days[1] = a_day("played", closed=True, tries=True)
    library.played_yesterday = True
    player = await visitor(ME, FakeAccount(library=library))
    assert "You are ada. Yesterday's tide: 4 points, place 2 of 2." in player.text
