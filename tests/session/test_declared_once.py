"""What is declared in one place is there in every frontend: shown with things that are made up here."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.bots import TYPED, WANTED
from engine.editions import Edition
from server.i18n import lookup
from server.i18n.lookup import languages, words_for
from server.linemode.commands import COMMANDS, HELP, help_lines
from server.session.commands import COMMAND_WORDS, Verb
from server.transport.access.login import parse_login
from server.viewmodels.table_options import OPTIONS
from tests.support.tables import world
from tests.support.transcript import reader

ENGLISH = words_for("en")
ROOT = Path(__file__).resolve().parents[2]


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


@pytest.mark.parametrize("language", languages())
def test_help_is_twelve_lines_and_has_something_about_every_command(language: str) -> None:
    words = words_for(language)
    assert COMMANDS.keys() == set(COMMAND_WORDS)
    assert len(help_lines("", words)) == 12
    assert words.p("setting", "talkative") in help_lines("", words)[0]
    nothing = words.t('There is no command "{word}"; type "help".', word="{}")
    for verb in {*COMMAND_WORDS, *HELP} - {Verb.HELP}:
        own = words.p("line command", verb)
        assert help_lines(own, words, operator=True) != [nothing.format(own)], own
    assert help_lines("xyzzy", words) == [nothing.format("xyzzy")]
    assert help_lines("admin", words) == [nothing.format("admin")]


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
    assert help_lines("", words_for("fr"))
