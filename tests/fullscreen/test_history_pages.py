"""Finished games: the list, a replay of one, one's own results, the leaderboard; today's tide."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from engine.bots.estimates import CardReason, Why
from engine.bots.review import ReviewedBid
from engine.records.statistics import Streak
from server import StoreError
from server.coordinator.events.days import Try
from server.coordinator.messages import PlayToday, QuickGame
from server.i18n.lookup import Words, languages, words_for
from server.session.preferences import SOLO
from server.storage.history import GameRow, PlayerPage, PlayerTotals
from server.storage.ratings import SeasonTable
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import row_width
from server.text.bots import bid_in_words, summary_in_words
from server.text.events import try_in_words
from server.text.history import game_words
from tests.support.accounts import (
    ME,
    NAMES,
    FakeAccount,
    FakeLibrary,
    game_row,
    two_months,
    visitor,
    who_has_played,
)
from tests.support.days import a_day
from tests.support.fakes import Player1


async def test_the_list_of_games_from_the_title_and_the_lobby() -> None:
    player, _ = await who_has_played()
    await player.press("r")
    assert "Your games" in player.text
    assert "1 h ago" in player.text
    first = player.row_with("1 h ago")
    for seat in game_row(1, 0.0).seats:
        assert f"{seat.name} {seat.score}" in first
    assert "*" in first
    await player.press("escape", "l", "r")
    assert "Your games" in player.text


async def test_a_game_that_was_shared_is_shown_by_its_code_in_the_lobby() -> None:
    player, library = await who_has_played()
    game = await library.game(97)
    assert game is not None
    await player.press("l", "c", *f"ssh -t -p 2222 tide.example replay {game.code}", "enter")
    assert "Replay, as everybody could see it." in player.text
    await player.press("escape", "c", *"97-00000000", "enter")
    assert "That game cannot be shown." in player.text


async def test_all_games_and_more_of_them() -> None:
    player, library = await who_has_played()
    await player.press("r", "tab")
    assert "All games" in player.text
    assert "2 h ago" in player.text
    for _ in range(8):
        await player.press("pagedown")
    assert "2 days ago" in player.text
    assert library.asked[:3] == [(True, 0), (False, 0), (False, 75)]
    await player.press("tab")
    assert "Your games" in player.text
    assert "1 h ago" in player.text


async def all_is_told() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_review_leads_to_the_rounds_and_back() -> None:
    player, library = await who_has_played()
    library.viewpoint = 1
    await player.press("r", "v")
    await all_is_told()
    assert "Review: bo in game 99" in player.text
    assert "6 bids with a choice" in player.text
    last = player.row_with("  1.6")
    assert "see this round" not in player.text
    await player.press("end")
    assert "Enter see this round" in player.text
    assert "Stage 1, round 6" in player.text
    assert "cost most" in player.text or "would have brought" not in player.text
    await player.press("enter")
    assert "round 6/12" in player.text
    assert "Replay, as bo saw it." in player.text
    await player.press("v")
    await all_is_told()
    assert player.row_with("  1.6") == last
    await player.press("e")
    assert "Review: cem in game 99" in player.text
    await player.press("escape", "escape")
    assert "Your games" in player.text


async def test_the_chosen_bid_stays_chosen_while_others_are_reviewed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = asyncio.Queue[ReviewedBid]()

    async def review(_game: object, _seat: int) -> AsyncGenerator[ReviewedBid, None]:
        while True:
            yield await told.get()

    async def tell(number: int, cost: float) -> None:
        reason = CardReason(Why.LEAVES, 12, 1, 1.0)
        figures = (2, number, 37, 46, cost + 0.1, 0.05, 1.0, 0.1, 0, 2.0)
        told.put_nowait(ReviewedBid(*figures, reason))
        await player.clock.settle()

    player, library = await who_has_played()
    monkeypatch.setattr(library, "review", review)
    await player.press("r", "v")
    await tell(0, 0.3)
    await player.press("down")
    for number in range(1, 12):
        await tell(number, 0.9)
        chosen = [line for line in player.text.splitlines() if ">" in line]
        assert "3.1 " in chosen[0], "it has cost less than the others by now"
        assert ("cost most" in chosen[0]) is (number < 3)


async def test_a_review_for_which_there_is_no_time_says_so() -> None:
    player, library = await who_has_played()
    library.busy = True
    await player.press("r", "v")
    await all_is_told()
    assert "too much at once; try again" in player.text


async def test_a_game_that_cannot_be_shown() -> None:
    player, _ = await who_has_played()
    await player.press("r", "down", "down", "enter")
    assert "cannot be shown" in player.text


async def test_the_months_are_turned_to_and_back() -> None:
    player, library = await who_has_played()
    library.seasons = two_months()
    await player.press("r", "b", "m")
    assert player.row_with(" ada ").startswith("│>")
    assert "month after" not in player.text
    await player.press("right", "left")
    assert "Season October 2026" in player.text
    assert "month before" not in player.text
    await player.press("left", "right")
    assert "Season November 2026" in player.text
    await player.press("m")
    assert "for comparison" in player.text


@pytest.mark.parametrize("keys", ["r", "d", "ry", "rs", "rb", "rbm"])
async def test_what_could_not_be_read_is_read_when_asked_again(keys: str) -> None:
    player, library = await who_has_played()
    library.found = PlayerPage("ada", PlayerTotals(), None, 0, ())
    library.seasons = two_months()
    library.broken = True
    await player.press(*keys)
    await player.press("left", "end")
    assert "could not be read" in player.text
    assert "One moment" not in player.text
    assert "Enter try again" in player.text
    library.broken = False
    await player.press("enter")
    assert "could not be read" not in player.text
    assert "One moment" not in player.text
    assert "try again" not in player.text


async def test_what_fails_late_says_nothing_about_what_is_read_since() -> None:
    player, library = await who_has_played()
    go_on = asyncio.Event()
    games = library.games

    async def late(*, mine: bool, before: int = 0) -> tuple[GameRow, ...]:
        if mine:
            await go_on.wait()
            raise StoreError("damaged")
        return await games(mine=mine, before=before)

    library.games = late  # type: ignore[method-assign]
    await player.press("r", "tab")
    assert "2 h ago" in player.text
    go_on.set()
    await player.clock.settle()
    assert "2 h ago" in player.text
    assert "try again" not in player.text


async def test_what_comes_late_is_not_shown_in_place_of_what_is_read_since() -> None:
    player, library = await who_has_played()
    library.seasons = two_months()
    go_on, season = asyncio.Event(), library.season

    async def late(before: int = 0) -> SeasonTable | None:
        if before:
            await go_on.wait()
        return await season(before)

    library.season = late  # type: ignore[method-assign]
    await player.press("r", "b", "m", "left", "right")
    go_on.set()
    await player.clock.settle()
    assert "Season November 2026" in player.text


async def test_without_a_library_there_is_no_such_page() -> None:
    player = Player1()
    await player.lobby()
    before = player.text
    assert "replays" not in before
    await player.press("r")
    assert "Your games" not in player.text


def test_a_game_that_a_bot_won_for_who_left_has_a_star_too() -> None:
    row, words = game_row(1, 0.0), words_for("en")
    best = max(row.seats, key=lambda seat: seat.score)
    left = tuple(
        seat._replace(kind="left", place=0) if seat is best else seat for seat in row.seats
    )
    assert f"{best.name} {best.score}*" in game_words(row, words)
    assert f"{best.name} (bot) {best.score}*" in game_words(row._replace(seats=left), words)
    assert game_words(row._replace(seats=left), words).count("*") == 1
    assert "*" not in game_words(row._replace(complete=False), words)
    assert "*" not in game_words(row._replace(seats=()), words)


async def test_statistics_from_the_games_the_results_and_the_account() -> None:
    player, library = await who_has_played()
    await player.press("r", "s")
    player.size = Size(140, 60)
    assert "never met · rating 3390" in player.row_with("tidal ")
    assert "60 games · ahead " in player.row_with("bo  ")
    await player.press("s")
    assert "Your games" in player.text
    await player.press("y")
    assert player.text.splitlines()[-1].rstrip().endswith("Esc back")
    await player.press("s")
    assert "Your statistics" in player.text
    await player.press("escape", "escape", "escape", "l", "a")
    assert player.text.splitlines()[-1].rstrip().endswith("Esc back")
    await player.press("s")
    assert "Your statistics" in player.text
    library.broken = True
    await player.press("s", "s")
    assert "That could not be read just now" in player.text


async def test_ones_own_game_of_an_open_event_is_shown_as_one_saw_it() -> None:
    player, library = await who_has_played()
    library.viewpoint = 1
    whole = await library.game(99)
    assert whole is not None
    library.held = True
    await player.press("r")
    assert "deal still secret" in player.text
    await player.press("v")
    assert "Review: bo" in player.text
    assert "whose bids" not in player.text
    await player.press("e", "tab")
    assert "Review: bo" in player.text
    await player.press("escape", "enter")
    assert "Replay, as bo saw it." in player.text
    for key in ("1", "3", "4", "a"):
        await player.press(key)
        assert "Others may still play this deal" in player.text, key
    await player.press("e")
    assert "as everybody could see it" in player.text
    await player.press("e")
    assert "Replay, as bo saw it." in player.text
    seen = player.text
    while "end of the game" not in player.text:
        await player.press("right")
        seen += player.text
    assert whole.info.seed
    assert whole.info.seed[:16] not in seen
    await player.press("d", "escape")
    assert "Your games" in player.text


@pytest.mark.parametrize("language", languages())
async def test_the_smallest_screen_has_all_of_a_verdict_and_of_the_worst_bid(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = [0.1] * 19 + [0.3] * 12 + [0.9] * 13
    bids = [
        ReviewedBid(
            *(2, number, 37, 46, cost + 0.1, 0.05, 1.0, 0.1, 0, 2.0),
            CardReason(Why.LEAVES, 12, 1, 1.0),
        )
        for number, cost in enumerate(costs)
    ]

    async def review(_game: object, _seat: int) -> AsyncGenerator[ReviewedBid, None]:
        for bid in bids:
            yield bid

    player, library = await who_has_played(language=language)
    monkeypatch.setattr(library, "review", review)
    player.size = Size(40, 15)
    await player.press("r", "v")
    await all_is_told()
    words = words_for(language)
    for text in (
        " ".join(summary_in_words(bids, words)[:2]),
        bid_in_words(bids[-13], NAMES, words),
    ):
        assert " ".join(text.split()) in " ".join(player.text.split())
        await player.press("down")


# ---------------------------------------------------------------- today's tide


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
