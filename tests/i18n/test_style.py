"""Texts keep to ``docs/style.md``: one word for each thing, and each language's own marks."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from server.i18n.lookup import languages
from tests.i18n.messages import ROOT, texts, translations

STYLE = (ROOT / "docs" / "style.md").read_text(encoding="utf-8")
DOCUMENTS = (
    "README.md",
    *(f"docs/{name}.md" for name in ("playing", "rules", "lines", "tournaments")),
)
"""What players read. What is for programs and developers has names of its own."""

TYPED = ("line command", "line command, imperative", "table option", "typed option", "filter")
"""Contexts of what somebody types."""

_QUOTED = re.compile(r'"[^"]*"|„[^“]*“|`[^`]*`|\{[^}]*\}')
"""What is typed, and placeholders."""
_CODE = re.compile(r"^(```+).*?^\1", re.DOTALL | re.MULTILINE)


@cache
def unwanted(language: str) -> tuple[str, ...]:
    """The words of the glossary that are not used in a language."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in STYLE.split("## Glossary")[1].splitlines()
        if line.startswith("|")
    ][2:]
    column = 2 + 2 * ("en", "de", "pt").index(language)
    return tuple(word for row in rows for word in row[column].split(", ") if word)


def found_in(text: str, language: str) -> list[str]:
    """Those of them that a text has, outside of what is quoted."""
    plain = _QUOTED.sub("", text)
    return [
        word
        for word in unwanted(language)
        if re.search(
            rf"(?<!\w){re.escape(word)}(?!\w)", plain, re.IGNORECASE if word.islower() else 0
        )
    ]


def forms(language: str) -> Iterator[str]:
    """How a language says each text."""
    have = {} if language == "en" else translations(language)
    for text in texts():
        if text.context not in TYPED:
            yield from have.get(text.key, text.forms)


@pytest.mark.parametrize("language", languages())
def test_one_word_for_each_thing(language: str) -> None:
    wrong = {form: found for form in forms(language) if (found := found_in(form, language))}
    assert not wrong


@pytest.mark.parametrize("language", languages())
def test_each_language_has_its_own_marks(language: str) -> None:
    percent = re.compile(r"[^\xa0]%" if language == "de" else r"\s%")
    assert not [form for form in forms(language) if percent.search(form)]
    if language == "de":
        assert not [form for form in forms(language) if '"' in form]
        # A sentence after a colon, with a verb of its own, begins with a capital letter.
        small = re.compile(r": (?:du|er|sie|es|niemand|tippe|drück|versuch|warte|ändere) ")
        assert not [form for form in forms(language) if small.search(_QUOTED.sub("", form))]
    else:
        assert not [form for form in forms(language) if re.search("[„“”]", form)]
