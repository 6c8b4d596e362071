"""Catalogues are complete, and words come out in the player's language."""

import re

import pytest

from server.i18n.lookup import languages, words_for
from server.session.commands import COMMAND_WORDS, Said, understand
from tests.i18n.messages import Text, placeholders, problems, texts, texts_in, translations

TRANSLATED = [language for language in languages() if language != "en"]


def test_there_is_german_and_portuguese() -> None:
    first, *others = languages()
    assert first == "en"
    assert {"de", "pt"} <= set(others)


@pytest.mark.slow
@pytest.mark.parametrize("language", TRANSLATED)
def test_no_catalogue_is_incomplete(language: str) -> None:
    """``make messages`` brings new texts in; then translate them."""
    assert not list(problems(language))


def test_every_placeholder_has_a_name() -> None:
    for text in texts():
        for form in text.forms:
            assert "" not in placeholders(form), form


_VERBS = "|".join(COMMAND_WORDS)
_MARKED = re.compile(r'"([^"]*)"|„([^“]*)“')


def test_no_text_asks_to_say_a_command() -> None:
    """Who says it tells it to everybody."""
    asked = re.compile(rf"\b[Ss]ay (?:{_VERBS})\b(?! TEXT)")
    assert not [
        text for text in texts() for form in text.forms if asked.search(_MARKED.sub("", form))
    ]
    for language, said in (("de", r"\b[Ss]age?\b"), ("pt", r"\b[Dd]iga\b")):
        for (context, _), forms in translations(language).items():
            if context is None:
                assert not [form for form in forms if re.search(said, form)]


@pytest.mark.parametrize("language", TRANSLATED)
def test_commands_that_texts_name_are_those_of_the_language(language: str) -> None:
    named = 0
    have = translations(language)
    for text in texts():
        wanted = _commands(text.forms[-1], "en")
        if wanted:
            named += 1
            assert _commands(have[text.key][-1], language) == wanted, have[text.key]
    assert named > 60


def _commands(text: str, language: str) -> set[str]:
    marked = ("".join(found) for found in _MARKED.findall(text))
    said = [understand(each, words_for(language)) for each in marked if "{" not in each]
    return {each.verb for each in said if isinstance(each, Said)}


def test_texts_are_found_wherever_they_stand() -> None:
    source = """
words.say(f"  {words.t('in {what} f-string', what=1)}: {words.p('seat', 'left')}")
look.words.n("{count} day", "{count}"
             " days", 2)
LATER = _("for later")
words.t(text)
"""
    assert texts_in(source) == [
        Text(None, ("in {what} f-string",)),
        Text("seat", ("left",)),
        Text(None, ("{count} day", "{count} days")),
        Text(None, ("for later",)),
    ]


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("de", "de"),
        ("de_AT.UTF-8", "de"),
        ("pt_BR.UTF-8", "pt"),
        ("pt-PT", "pt"),
        ("DE", "de"),
        ("C", "en"),
        ("", "en"),
        ("../../etc", "en"),
        ("fr_FR.UTF-8", "en"),
    ],
)
def test_a_locale_finds_its_language(asked: str, language: str) -> None:
    assert words_for(asked).language == language


def test_plurals_follow_the_language() -> None:
    german = words_for("de")
    assert german.n("{count} stage", "{count} stages", 1) == "1 Durchgang"
    assert german.n("{count} stage", "{count} stages", 3) == "3 Durchgänge"


def test_a_context_tells_texts_apart() -> None:
    assert words_for("de").p("seat", "left") == "gegangen"
    assert words_for("en").p("seat", "left") == "left"


def test_names_are_listed_as_the_language_does() -> None:
    assert words_for("en").listed(("ada", "bo", "cem")) == "ada, bo and cem"
    assert words_for("de").listed(("ada", "bo")) == "ada und bo"
    assert words_for("pt").listed(("ada",)) == "ada"
    assert words_for("pt").listed(()) == ""


def test_braces_in_a_name_are_harmless() -> None:
    words = words_for("de")
    assert words.t("{name} is back.", name="{0.__class__}") == "{0.__class__} ist wieder da."
