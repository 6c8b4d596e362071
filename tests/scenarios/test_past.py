"""What games that are over say about people: results, leaderboards, statistics, today's tide."""

from typing import Any

from engine.records.statistics import Streak
from server.coordinator.messages import Player
from server.storage.history import PlayerPage, PlayerTotals
from server.storage.ratings import LeaderboardRow, Rating
from tests.support.accounts import two_months
from tests.support.days import a_day
from tests.support.faces import AnyFace, at_home, on_each_face

UNREAD = "That could not be read just now"


@on_each_face
async def test_ones_own_results(face: AnyFace) -> None:
    async with at_home(face) as ada:
        tally = PlayerTotals(12, 4, 44, 2.409, 40, 2.5, 2.1, 17)
        rows = tuple(ada.library.rows[:3])
        ada.library.found = PlayerPage("ada", tally, Rating(31.0, 2.0, 5), 3, rows)
        await ada.does("results")
        ada.learns(
            *("12 games, 4 won (33%)", "2.41 points a stage", "17 of 40 stages", "3 h ago"),
            "you scored 2.50 points a stage, the others 2.10",
            "Rating 2500, number 3 here, after 5 rated games",
            results={"games": 12, "wins": 4, "rank": 3, "rating": {"mu": 31.0, "games": 5}},
        )


@on_each_face
async def test_the_best(face: AnyFace) -> None:
    async with at_home(face) as ada:
        await ada.does("best")
        ada.learns("No rated game has been finished yet.", best=[])
        ada.library.standings = (LeaderboardRow(1, "account:2", "bo", Rating(40.0, 2.0, 30)),)
        await ada.does("best")
        ada.learns(
            *("bo 3400 30 rated games", "the server's bots", "bot tidal"),
            best=[{"rank": 1, "name": "bo", "rating": {"mu": 40.0, "games": 30, "shown": 3400}}],
        )
        assert "account:2" not in ada.told()


@on_each_face
async def test_the_months(face: AnyFace) -> None:
    async with at_home(face) as ada:
        await ada.does("season")
        ada.learns("No games are kept here.", season=None)
        ada.library.seasons = two_months()
        await ada.does("season")
        ada.learns(
            *("Season November 2026", "goes on until the end of the month", "1 ada 62.5% 9 games"),
            season={"month": "2026-11", "closed": False, "earlier": True},
        )
        bo = {"rank": 1, "name": "bo", "score": 50.0, "games": 5, "met": 10, "program": True}
        await ada.does("last season")
        ada.learns(
            *("Season October 2026", "This season is over.", "1 bo 50.0% 5 games (program)"),
            season={"closed": True, "places": [bo]},
        )
        ada.library.broken = True
        await ada.does("season")
        ada.learns(UNREAD, code="storage")


@on_each_face
async def test_ones_statistics(face: AnyFace) -> None:
    async with at_home(face) as ada:
        ada.library.days_in_a_row = Streak(31, 2)
        await ada.does("statistics")
        ada.learns(
            *("60 games, ", "Longest streak at today's tide: 31 days; now 2."),
            days_in_a_row={"longest": 31, "now": 2},
            statistics={"games": 60, "opponents": [{"name": each} for each in ("bo", "cem")]},
        )


@on_each_face
async def test_who_has_not_played_is_told_so(face: AnyFace) -> None:
    guest = Player("guest:1", "ada", True)
    async with at_home(face, guest, 0) as ada:
        await ada.does("statistics")
        ada.learns("You have not finished a game yet.", statistics={"games": 0})
        ada.library.found = PlayerPage("ada", PlayerTotals(), None, 0, ())
        await ada.does("results")
        ada.learns("You have not finished a game yet", "You are a guest", results={"games": 0})


@on_each_face
async def test_what_cannot_be_read(face: AnyFace) -> None:
    async with at_home(face) as ada:
        ada.library.broken = True
        for act in ("games", "results", "best", "statistics"):
            await ada.does(act)
            ada.learns(UNREAD, code="storage")


@on_each_face
async def test_todays_tide_before_it_is_played(face: AnyFace) -> None:
    async with at_home(face) as ada:
        ada.library.days = [a_day("new"), a_day("missed", closed=True, tries=True)]
        await ada.does("today")
        ada.learns(
            "The ranking is shown once you have played.",
            today={"day": "2025-11-21", "state": "new", "seed": None, "tries": []},
        )
        assert "ab" * 32 not in ada.told()


@on_each_face
async def test_todays_tide_once_it_has_been_played(face: AnyFace) -> None:
    async with at_home(face) as ada:
        ada.library.days = [a_day("played", tries=True), None]
        await ada.does("today")
        tries: list[dict[str, Any]] = [{"name": "bo", "rank": 1}, {"name": "ada", "program": True}]
        ada.learns(
            "1. bo: 9 points",
            "2. ada (program): 4 points",
            today={"state": "played", "seed": None, "tries": tries},
        )
        # Whose account it is is nobody's business.
        assert "account:" not in ada.told()
        await ada.does("yesterday")
        ada.learns("There was none.", today=None, share=[])


@on_each_face
async def test_yesterdays_tide(face: AnyFace) -> None:
    async with at_home(face) as ada:
        ada.library.days[1] = a_day("missed", closed=True, tries=True)
        await ada.does("yesterday")
        ada.learns("Yesterday's tide", "1. bo: 9 points", today={"seed": "ab" * 32})
        await ada.does("today")
        ada.learns("Today's tide is not played on this server.", today=None)
