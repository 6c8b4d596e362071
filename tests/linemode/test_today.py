"""Today's tide and deals that are played again, by sentences alone."""

from engine.deal import deal_code, read_deal
from engine.records.statistics import Streak
from server.coordinator.messages import Command, LeaveTable, PlayToday, QuickGame
from server.session.preferences import SOLO
from tests.support.days import a_day
from tests.support.fakes import FakeVisit
from tests.support.homes import at_home
from tests.support.transcript import Reader


def commands_of(person: Reader) -> list[Command]:
    assert isinstance(person.visit, FakeVisit)
    return person.visit.commands


async def test_who_can_play_is_asked_first() -> None:
    home, library = at_home()
    library.days[0] = a_day("new")
    async with home as ada:
        told = await ada.say("today")
        assert told[0] == "Today's tide, 2025-11-21."
        assert told[1] == "The ranking is shown once you have played."
        assert told[2].startswith("Bots: greedy (level 3 of 7, rating ")
        assert told[-1] == 'Type "yes" to begin your one try.'
        assert "cd" * 32 not in "".join(told)
        await ada.say("yes")
        assert commands_of(ada) == [PlayToday()]


async def test_yesterdays_games_are_told_again() -> None:
    home, library = at_home()
    library.days[1] = a_day("missed", closed=True, tries=True)
    async with home as ada:
        told = await ada.say("yesterday")
        assert told[0] == "Yesterday's tide, 2025-11-21."
        assert "ab" * 32 not in "".join(told)
        checked = await ada.say("yesterday commitment")
        assert checked[1:] == [f"Commitment: {'cd' * 32}", f"Seed: {'ab' * 32}"]
        await ada.say("yesterday")
        assert told[-1] == 'Type "replay 1" for the first of these games.'
        assert (await ada.say("replay 2"))[0].startswith("Replay of game 97: ")


async def test_yesterdays_best_are_told_with_today() -> None:
    home, library = at_home()
    library.days = [a_day("new"), a_day("missed", closed=True, tries=True)]
    async with home as ada:
        assert "2025-11-21: bo 9, ada 4." in await ada.say("today")
        told = await ada.say("today commitment")
        assert told[1:] == [
            f"Commitment: {'cd' * 32}",
            f"Tomorrow's commitment: {'ef' * 32}",
        ]


async def test_the_deal_of_a_replay_is_played_again() -> None:
    home, _ = at_home()
    async with home as ada:
        assert (await ada.say("deal"))[0].startswith("Which one?")
        await ada.say("games")
        await ada.say("replay 1")
        code = (await ada.say("deal"))[0].rpartition(" ")[2]
        assert read_deal(code).rules is not None
        await ada.say("yes")
        assert commands_of(ada) == [QuickGame(SOLO, deal=code)]


async def test_a_word_is_a_deal() -> None:
    home, _ = at_home()
    async with home as ada:
        await ada.say("deal club friday")
        assert commands_of(ada) == [QuickGame(SOLO, deal="club friday")]
        assert LeaveTable() not in commands_of(ada)
        assert deal_code(read_deal("club friday").seed, SOLO.rules).startswith("a44-")


async def test_who_comes_back_is_told_the_result_of_yesterday() -> None:
    home, library = at_home()
    library.days[1] = a_day("played", closed=True, tries=True)
    library.played_yesterday, library.days_in_a_row = True, Streak(5, 5)
    async with home as ada:
        said = "Yesterday's tide: 4 points, place 2 of 2. You have played on 5 days in a row."
        assert said in ada.paper.lines
