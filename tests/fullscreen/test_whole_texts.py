"""Texts that say with few words what they have no room to say with many: nothing is cut where it matters."""

import math
import re
from typing import Final

import pytest
from msgspec.structs import replace

from server.coordinator import messages as m
from server.i18n.lookup import Plural, Words
from server.session.preferences import TOURNAMENT
from server.terminal.capabilities import Size
from server.text.happenings import HAPPENINGS, closing_forms
from server.text.refusals import REFUSALS
from server.text.times import time_in_words
from tests.support.fakes import Player1
from tests.support.gallery import LINES, NAMES, SCREENS
from tests.support.snapshots import Game

LANGUAGES = pytest.mark.parametrize("language", ["en", "de", "pt"])
NARROW, SMALL = Size(40, 15), Size(80, 24)
CUP = m.TournamentInfo(
    "vararuti",
    m.TournamentPlan("Friday cup", TOURNAMENT),
    m.TournamentPhase.OPEN,
    0,
    0,
    "",
    guests=False,
)
COUNTED = {
    "en": "0 of 8 players needed",
    "de": "0 von 8 nötigen Leuten",
    "pt": "0 de 8 necessários",
}


def player_of(size: Size, language: str, game: Game | None = None) -> Player1:
    player = Player1(game, language=language)
    player.size = size
    return player


async def lobby_of(player: Player1, *tables: m.TableRow, cups: int = 0) -> None:
    infos = tuple(replace(CUP, id=f"vararut{number}") for number in range(cups))
    lobby = m.LobbySnapshot(tables, ("ada",))
    player.visit.feed.push(m.Update(lobby, None, (), False, "", tournaments=infos))
    await player.clock.advance(0)


@pytest.mark.slow
@LANGUAGES
@pytest.mark.parametrize("name", SCREENS)
async def test_no_sentence_is_cut_on_the_smallest_screen(name: str, language: str) -> None:
    """On every screen of the gallery, with the longest names. Names may be cut, and what people write; and
    a list of facts ends with a sign where there are more of them.
    """
    player = await SCREENS[name]({"language": language})
    player.size = NARROW
    for _ in range(6):
        seen = player.text
        cut = [line for line in seen.splitlines() if "…" in line and not _may_be_cut(line, seen)]
        assert not cut, seen
        await player.press("pagedown")
    player.controller.close()


def _may_be_cut(line: str, screen: str) -> bool:
    before, _, after = line.partition("…")
    if before.endswith((" ", ",")) and not after.strip():
        return True  # more facts, none of which is cut
    if line.startswith(">"):
        value = before.lstrip("> ").rpartition("< ")[2].strip()
        if " ".join(screen.split()).count(value) > 1:
            return True  # in full below the list
    word = re.split(r"[\s,]", before)[-1]
    # Bots of finished games are called so.
    names = (*NAMES, "dora", "cem")
    cut_name = any(each.startswith(word) and word for each in names)
    return cut_name or any(word in each.text for each in LINES if len(word) > 1)


_LONGEST: Final = {
    **dict.fromkeys(("name", "other", "names", "bot"), "Maximilianna"),
    **dict.fromkeys(("title", "tournament", "table"), "kadubilo"),
    **dict.fromkeys(("count", "card", "most", "limit"), 60),
    "number": 6,
    "players": 3,
    "least": 9,
}


def _filled(text: str | Plural, words: Words) -> str:
    """With the longest names and numbers."""
    time = time_in_words(3540, words)
    return words.fill(text, **_LONGEST, time=time, motion="", problem="", what="", code="")


@LANGUAGES
@pytest.mark.parametrize("name", ["lobby", "waiting", "tournament"])
async def test_why_something_is_not_done_is_whole(name: str, language: str) -> None:
    player = await SCREENS[name]({"language": language})
    player.size = NARROW
    context = player.controller.context
    for text in REFUSALS.values():
        said = _filled(text, context.words)
        context.say("error", said)
        player.controller.changed()
        assert said in " ".join(player.text.split())


@LANGUAGES
async def test_what_happens_at_a_table_is_whole_there(language: str) -> None:
    player = await SCREENS["table_early"]({"language": language})
    player.size = NARROW
    context = player.controller.context
    refused = ("too_late", "not_in_hand", "no_guess", "no_hints", "storage", "uncertain")
    told = [REFUSALS[code] for code in (*refused, "silenced", "rated_round", "not_kept")]
    told += [text for each in HAPPENINGS.values() for text in (each.text, each.own) if text]
    for text in told:
        context.message = context.notice = ("", "")
        said = _filled(text, context.words)
        context.say("error" if text in REFUSALS.values() else "notice", said)
        player.controller.changed()
        assert said in " ".join(player.text.split())


@LANGUAGES
async def test_the_server_says_when_it_shuts_down_in_one_row(language: str) -> None:
    for seconds in (0.0, 75.0, math.inf):
        player = player_of(NARROW, language)
        closing = player.clock.time() + seconds
        await player.lobby(m.LobbySnapshot((), ("ada",), closing))
        said = closing_forms(seconds, player.controller.context.words, thin=False)
        assert f" {said[-1]} " in player.text.replace("\n", " ")


@LANGUAGES
@pytest.mark.parametrize("size", [NARROW, SMALL])
@pytest.mark.parametrize("cups", [1, 2])
async def test_how_many_a_tournament_still_needs(size: Size, language: str, cups: int) -> None:
    player = player_of(size, language)
    await lobby_of(player, cups=cups)
    await player.press("l")
    assert COUNTED[language] in player.text
    await player.press("e")
    assert COUNTED[language] in player.row_with("> ")
    assert "…" not in player.text, player.text
