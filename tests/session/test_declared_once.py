"""What is declared in one place is there in every frontend: shown with things that are made up here."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots import TYPED, WANTED
from engine.editions import Edition
from server.coordinator.messages import CreateTable, TableOptions
from server.fullscreen.pages import lists
from server.fullscreen.pages.lists import OptionsPage
from server.i18n import lookup
from server.i18n.lookup import languages, words_for
from server.jsonapi import fields
from server.linemode import commands, people
from server.linemode.commands import COMMANDS, HELP, LineCommand, help_lines
from server.session import client, preferences
from server.session.commands import COMMAND_WORDS, Said, Verb, Where, understand
from server.session.preferences import (
    SETTINGS,
    PlayerSetting,
    Preferences,
    preferences_from,
    to_settings,
)
from server.transport.access.login import parse_login
from server.viewmodels import lobby, table_options
from server.viewmodels.table_options import OPTIONS, TableOption, options_in_words
from tests.support.fakes import Player1
from tests.support.tables import world
from tests.support.transcript import reader

ENGLISH = words_for("en")
ROOT = Path(__file__).resolve().parents[2]

# ---------------------------------------------------------------- an option of a table


@dataclass(frozen=True, slots=True)
class WindyOptions(TableOptions):
    windy: bool = False


WINDY: TableOption = TableOption(
    name="windy",
    type=bool,
    label="Wind",
    choices=lambda _: (False, True),
    value=lambda options, _: "strong" if WINDY.of(options) else "calm",
    hint=lambda options, _: "from the west",
    fact=lambda options, _: "a strong wind" if WINDY.of(options) else "",
    typed={"windy": lambda number, on: {"windy": on}},
    typed_help=("windy (with sails)",),
    filters={"windy": lambda options: bool(WINDY.of(options))},
)


@pytest.fixture
def windy(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (table_options, lobby, fields, lists, commands):
        monkeypatch.setattr(module, "OPTIONS", (*OPTIONS, WINDY))


@pytest.mark.usefixtures("windy")
def test_an_option_of_a_table_is_declared_once() -> None:
    player, calm = Player1(), WindyOptions()
    page = OptionsPage(player.controller.context, "Options", calm, CreateTable)
    assert any("Wind" in row and "calm" in row for row in _rows(page, player))
    wild = table_options.parse_options("windy 5 players", calm, ENGLISH)
    assert WINDY.of(wild)
    assert not WINDY.of(table_options.parse_options("no windy", wild, ENGLISH))
    assert "a strong wind" in options_in_words(wild, ENGLISH)
    assert WINDY.stepped(wild, 1) == WindyOptions(wild.rules)
    assert msgspec.convert(msgspec.to_builtins(wild), WindyOptions).rules == wild.rules
    wanted = msgspec.convert({"windy": True}, fields.options_type(table_options.OPTIONS))
    assert fields.options_data(fields.chosen(calm, wanted))["windy"] is True
    assert "windy" in lobby.known_words(ENGLISH)
    assert any("windy (with sails)" in line for line in help_lines("lobby", ENGLISH))


def _rows(page: OptionsPage, player: Player1) -> list[str]:
    frame = page.frame(player.size)
    return ["".join(text for _, text in row) for row in frame.rows]


def test_documents_and_help_name_every_option() -> None:
    api = (ROOT / "docs" / "api.md").read_text()
    told = " ".join((*help_lines("lobby", ENGLISH), *help_lines("play", ENGLISH)))
    for option in OPTIONS:
        assert f"`{option.name}`" in api
        for typed in option.typed or {}:
            # One edition is there as an example, and a word for each of several; former names of bots
            # are only understood.
            named = option.name == "edition" or typed in {*TYPED} - {*WANTED}
            assert re.search(rf"\b{typed}", told) or named, typed


# ---------------------------------------------------------------- an edition, a bot


@pytest.mark.slow
def test_an_edition_and_a_bot_are_declared_once() -> None:
    walk = "tests/session/walk_added_rows.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.support.added_rows", walk]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_no_two_editions_have_the_same_letter_in_codes() -> None:
    letters = [edition.letter for edition in Edition]
    assert len({*letters}) == len(letters)
    assert all(len(letter) == 1 and letter.isalpha() for letter in letters)


# ---------------------------------------------------------------- a setting


class LoudPreferences(Preferences, frozen=True):
    loud: bool = False


LOUD = PlayerSetting("loud", label="Volume", hint="of the gulls", switch="loud")


async def test_a_setting_is_declared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (preferences, client, people, fields):
        monkeypatch.setattr(module, "SETTINGS", (*SETTINGS, LOUD))
    monkeypatch.setattr(preferences, "_USUAL", LoudPreferences())
    async with world() as place, reader(place) as ada:
        told = await ada.say("set", "more")
        assert any("Volume: no (of the gulls)." in line for line in told)
        assert await ada.say("set loud") == ["loud is on."]
        assert ada.session.value_of(LOUD) is True
    player = Player1()
    context = player.controller.context
    context.preferences = LoudPreferences()
    await player.press("o", "end", *["up"] * 3)
    assert "Volume" in player.text
    kept = to_settings(LoudPreferences(loud=True), {}, {})
    assert preferences_from(kept) == LoudPreferences(loud=True)
    assert fields.choices_data(kept)["loud"] is True
    wanted = msgspec.convert({"loud": True}, fields.settings_type(preferences.SETTINGS))
    assert fields.with_choices({}, wanted)["loud"] is True


# ---------------------------------------------------------------- a command of line mode


async def test_a_command_is_declared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    waves = LineCommand(lambda session, rest: heard.append(rest))
    monkeypatch.setitem(COMMANDS, Verb.BEST, waves)
    monkeypatch.setitem(HELP, Verb.GAMES, (*HELP[Verb.GAMES], "best TEXT: waves."))
    async with world() as place, reader(place) as ada:
        await ada.say("best of all")
        assert heard == ["of all"]
        assert "best TEXT: waves." in await ada.say("help games")
        monkeypatch.setitem(COMMANDS, Verb.BEST, waves._replace(where=Where.TABLE))
        assert "not at a table" in (await ada.say("best"))[0]


def test_every_command_does_something_and_help_tells_of_it() -> None:
    assert COMMANDS.keys() == set(COMMAND_WORDS)
    topics = ("", *HELP)
    lines = [line for topic in topics for line in help_lines(topic, ENGLISH, operator=True)]
    assert set(COMMAND_WORDS) <= {word for line in lines for word in re.findall(r"\w+", line)}


@pytest.mark.parametrize("language", languages())
def test_help_is_twelve_lines_and_has_something_about_every_command(language: str) -> None:
    words = words_for(language)
    assert len(help_lines("", words)) == 12
    assert words.p("setting", "talkative") in help_lines("", words)[0]
    nothing = words.t('There is no command "{word}"; type "help".', word="{}")
    for verb in {*COMMAND_WORDS, *HELP} - {Verb.HELP}:
        own = words.p("line command", verb)
        assert help_lines(own, words, operator=True) != [nothing.format(own)], own
    assert help_lines("xyzzy", words) == [nothing.format("xyzzy")]
    assert help_lines("admin", words) == [nothing.format("admin")]


@pytest.mark.parametrize("language", languages())
def test_every_command_is_understood_in_every_language(language: str) -> None:
    words = words_for(language)
    for verb in COMMAND_WORDS:
        assert understand(words.p("line command", verb), words) == Said(verb, "")


# ---------------------------------------------------------------- a language


@pytest.fixture
def french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for language, source in (("de", "de"), ("pt", "pt"), ("fr", "pt")):
        folder = tmp_path / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        file = f"{lookup.DOMAIN}.po"
        text = (lookup.LOCALE / source / "LC_MESSAGES" / file).read_text()
        (folder / file).write_text(text.replace("Português", "Français"))
    monkeypatch.setattr(lookup, "LOCALE", tmp_path)
    languages.cache_clear()
    yield
    languages.cache_clear()
    lookup._words.cache_clear()


@pytest.mark.usefixtures("french")
async def test_a_language_is_a_catalogue_and_nothing_else() -> None:
    assert languages() == ("en", "de", "fr", "pt")
    assert parse_login("ada+fr").language == "fr"
    assert words_for("fr_FR.UTF-8").language == "fr"
    async with world() as place, reader(place) as ada:
        assert "fr" in (await ada.say("set language"))[0]
        await ada.say("set language fr")
        assert ada.session.words.language == "fr"
    wanted: Any = msgspec.convert({"language": "fr"}, fields.settings_type(SETTINGS))
    assert json.loads(msgspec.json.encode(wanted))["language"] == "fr"
    assert commands.help_lines("", words_for("fr"))
