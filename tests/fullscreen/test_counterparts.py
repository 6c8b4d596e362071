"""What the full screen can do, line mode can do: every page has its counterpart there."""

import inspect
import pkgutil
import re
from importlib import import_module

from server import fullscreen
from server.i18n.lookup import words_for
from server.session.commands import COMMAND_WORDS, Said, Verb, understand
from tests.i18n.messages import ROOT
from tests.support.tables import world
from tests.support.transcript import reader

COUNTERPARTS: dict[str, set[str]] = {
    "TitlePage": {Verb.PLAY, Verb.LEARN, Verb.LOBBY, Verb.HELP, Verb.SET, Verb.QUIT},
    "LobbyPage": {Verb.LOBBY, Verb.WHO, Verb.JOIN, Verb.WATCH, Verb.NEW, Verb.PLAY, Verb.ANY},
    "OptionsPage": {Verb.NEW, "options"},
    "WaitingPage": {
        *(Verb.TABLE, "add", "remove", "give", "start", Verb.INVITE),
        *("keep", "move", "private", "public"),
    },
    "TablePage": {
        *(Verb.TABLE, Verb.HAND, Verb.TIDES, "bid", "resume", Verb.LEARN),
        *(Verb.JOIN, Verb.INVITE),
    },
    "PlainPage": {Verb.TABLE, "bid", Verb.LOBBY, Verb.ANY, "start", "again"},
    "HintPage": {"hint"},
    "LogPage": {Verb.LOG},
    "PlayedPage": {Verb.PLAYED},
    "VotePage": {"vote"},
    "LeavePage": {"leave", Verb.QUIT, Verb.YES, Verb.NO},
    "StagePage": {Verb.SCORES},
    "FinalPage": {Verb.SCORES, "again", Verb.REGROUP},
    "PeoplePage": {Verb.WHO, Verb.FOLLOW},
    "ProfilePage": {Verb.PROFILE, Verb.FOLLOW, Verb.UNFOLLOW},
    "SharePage": {Verb.SHARE, Verb.TOURNAMENT},
    "HelpPage": {Verb.HELP, Verb.RULES},
    "SettingsPage": {Verb.SET, Verb.SCREEN},
    "ChatPage": {
        *(Verb.CHAT, Verb.SAY, Verb.TELL, Verb.REPLY, Verb.SHOUT, Verb.PHRASE),
        *(Verb.MUTE, Verb.UNMUTE, Verb.BLOCK, Verb.UNBLOCK),
    },
    "KeysPage": set(),  # there are words instead, and their beginnings
    "AccountPage": {Verb.ACCOUNT},
    "CorrespondencePage": {Verb.TURNS},
    "GamesPage": {Verb.GAMES, Verb.REPLAY, Verb.MORE},
    "TodayPage": {Verb.TODAY, Verb.YESTERDAY},
    "ReplayPage": {Verb.NEXT, Verb.BACK, Verb.GO, Verb.VIEW, Verb.REVEAL, "leave"},
    "ReviewPage": {Verb.REVIEW, Verb.VIEW},
    "PuzzlePage": {Verb.PUZZLE},
    "AnswerPage": {Verb.PUZZLE},
    "ResultsPage": {Verb.RESULTS},
    "StatisticsPage": {Verb.STATISTICS},
    "BestPage": {Verb.BEST},
    "SeasonPage": {Verb.SEASON},
    "TournamentsPage": {Verb.TOURNAMENT},
    "TournamentPage": {Verb.TOURNAMENT, Verb.JOIN},
    "PlayersPage": {Verb.TOURNAMENT},
    "PlanPage": {Verb.TOURNAMENT},
    "StandingsPage": {Verb.TOURNAMENT},
    "JoinPage": {Verb.WATCH, Verb.GAMES, Verb.YESTERDAY},
    "ReportPage": {Verb.REPORT},
    "OperatorsPage": {Verb.ADMIN},
    "ChoicePage": {Verb.YES, Verb.NO},
}
"""A page of the full screen -> what one types instead."""

_BASES = {"Page", "ListPage", "FormPage", "LoadedPage", "ReadingPage", "CeremonyPage"}


def all_pages() -> set[str]:
    """The classes of every page there is."""
    found = set()
    for module in pkgutil.walk_packages(fullscreen.__path__, f"{fullscreen.__name__}."):
        for name, what in inspect.getmembers(import_module(module.name), inspect.isclass):
            if what.__module__.startswith(fullscreen.__name__) and name.endswith("Page"):
                found.add(name)
    return found - _BASES


def test_every_page_has_its_counterpart_in_line_mode() -> None:
    assert set(COUNTERPARTS) == all_pages()


async def test_every_counterpart_answers() -> None:
    """Nothing that is understood is without an answer, wherever it is typed."""
    for verb in set().union(*COUNTERPARTS.values()) - {Verb.QUIT, Verb.SCREEN}:
        async with world() as place, reader(place) as ada:
            assert await ada.say(verb), verb
            await ada.say("leave", "yes", "play 3 players")
            before = len(ada.paper.written)
            await ada.say(verb)
            await place.clock.advance(1)
            assert len(ada.paper.written) > before, verb


def test_the_document_on_line_mode_has_every_word_of_every_language() -> None:
    text = (ROOT / "docs" / "lines.md").read_text(encoding="utf-8")
    rows = [
        re.findall(r"`([^`]+)`", row)[:3]
        for row in re.findall(r"^\| (`\w+` \| `\w+` \| `\w+`) \|", text, re.MULTILINE)
    ]
    told = {english: (german, portuguese) for english, german, portuguese in rows}
    assert set(told) == set(COMMAND_WORDS)
    for english, own in told.items():
        for language, word in zip(("de", "pt"), own, strict=True):
            assert understand(word, words_for(language)) == Said(english, "")
