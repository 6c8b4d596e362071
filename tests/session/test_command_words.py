"""Words, their beginnings, and what is unclear."""

import pytest

from server.i18n.lookup import words_for
from server.session.commands import Said, Unclear, Verb, full_word, understand

ENGLISH = words_for("en")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("bid 44", Said("bid", "44")),
        ("b 44", Said("bid", "44")),
        ("44", Said("bid", "44")),
        ("  HAND  ", Said(Verb.HAND, "")),
        ("/hand", Said(Verb.HAND, "")),
        ("h", Said(Verb.HAND, "")),
        ("ta", Said(Verb.TABLE, "")),
        ("t", Said(Verb.TABLE, "")),
        ("tid", Said(Verb.TIDES, "")),
        ("m", Said(Verb.MORE, "")),
        ("vo replace Bo B", Said("vote", "replace Bo B")),
        ("?", Said(Verb.HELP, "")),
        ("rematch", Said("again", "")),
        ("say  Hello,  World", Said(Verb.SAY, "Hello,  World")),
        (" 'tell me more", Said(Verb.SAY, "tell me more")),
        ("/tell bo hi", Said(Verb.TELL, "bo hi")),
        ('"play"', Said(Verb.PLAY, "")),
        ('"say hello"', Said(Verb.SAY, "hello")),
        ('say "hello"', Said(Verb.SAY, '"hello"')),
        ('"bid" 44', Said("bid", "44")),
    ],
)
def test_what_a_line_means(typed: str, meant: Said) -> None:
    assert understand(typed, ENGLISH) == meant


def test_an_empty_line_means_nothing() -> None:
    assert understand("   ", ENGLISH) is None


def test_a_word_that_has_two_forms_is_named_once() -> None:
    unclear = understand("s", words_for("de"))
    assert unclear == Said(Verb.SCORES, "")
    unclear = understand("sch", words_for("de"))
    assert unclear == Said(Verb.TELL, "")
    unclear = understand("sp", words_for("de"))
    assert isinstance(unclear, Unclear)
    assert set(unclear.could_be) == {"spielen", "sperren", "springen"}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("settings", Verb.SET),
        ("tables", Verb.LOBBY),
        ("cards", Verb.HAND),
        ("tutorial", Verb.LEARN),
        ("ajustes", Verb.SET),
        ("tische", Verb.LOBBY),
    ],
)
def test_what_the_full_screen_calls_things_is_understood(typed: str, meant: str) -> None:
    for language in ("en", "de", "pt"):
        assert understand(typed, words_for(language)) == Said(meant, "")


@pytest.mark.parametrize(
    ("language", "typed", "meant"),
    [
        ("de", "zurück", Verb.BACK),
        ("de", "zurueck", Verb.BACK),
        ("de", "zuruck", Verb.BACK),
        ("pt", "mão", Verb.HAND),
        ("pt", "mao", Verb.HAND),
        ("pt", "nao", Verb.NO),
    ],
)
def test_marks_on_letters_need_not_be_typed(language: str, typed: str, meant: str) -> None:
    assert understand(typed, words_for(language)) == Said(meant, "")


@pytest.mark.parametrize(
    ("language", "typed", "meant"),
    [
        ("de", "sagen sage sag", Verb.SAY),
        ("de", "einstellen einstelle", Verb.SET),
        ("de", "geben gib", "give"),
        ("pt", "dizer diga", Verb.SAY),
        ("pt", "entrar entre", Verb.JOIN),
        ("pt", "ir vá va", Verb.GO),
    ],
)
def test_infinitives_and_imperatives_are_both_understood(
    language: str, typed: str, meant: str
) -> None:
    words = words_for(language)
    for word in typed.split():
        assert understand(f"{word} 3", words) == Said(meant, "3")
    # On the full screen only whole words are commands.
    assert full_word(typed.split()[1], words) == meant
