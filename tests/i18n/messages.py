"""The texts that players see and their catalogues: gathering, updating, checking.

``make messages`` (``python -m tests.i18n.messages``) brings every catalogue up to date: new texts come in
untranslated, texts that are gone are dropped, and what is missing is listed.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from engine.bots import BOTS
from engine.bots.manners import MANNERS
from server.i18n.lookup import DOMAIN, LOCALE

ROOT = Path(__file__).resolve().parents[2]
KEYWORDS = {"t": 1, "n": 2, "p": 2, "_": 1, "n_": 2, "p_": 2}
"""The methods of ``Words``, and how many of their arguments are texts, the first of ``p`` its context; ``_``,
``n_`` and ``p_`` mark texts that are translated later.
"""

_PLACEHOLDER = re.compile(r"\{(\w*)[^{}]*\}")
# Who translated when and with what is git's to tell.
_NOISE = re.compile(
    r'"(Report-Msgid-Bugs-To|POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team'
    r"|Generated-By):.*\n|#, python-brace-format\n"
)


class Text(NamedTuple):
    """A text in the source."""

    context: str | None
    forms: tuple[str, ...]
    """One, or singular and plural."""

    @property
    def key(self) -> tuple[str | None, str]:
        return self.context, self.forms[0]


@cache
def texts() -> tuple[Text, ...]:
    """Every text in the source, in order, each once; last those of the bots' registry."""
    found: dict[tuple[str | None, str], Text] = {}
    # The modules of a package before those of the packages in it.
    modules = sorted(
        (ROOT / "server").rglob("*.py"),
        key=lambda path: (*((1, each) for each in path.parts[:-1]), (0, path.name)),
    )
    lines = [
        *[row.line for row in BOTS.values()],
        *[manner.line for manner in MANNERS.values()],
    ]
    bots = [Text(None, (line,)) for line in lines]
    for text in (*(each for path in modules for each in texts_in(path.read_text("utf-8"))), *bots):
        if text.key not in found or len(text.forms) > len(found[text.key].forms):
            found[text.key] = text
    return tuple(found.values())


def texts_in(source: str) -> list[Text]:
    """The texts of a module, in order. From its syntax tree: to Python 3.11's tokens, and so to Babel, an
    f-string is one piece, with whatever is called in it.
    """
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    found: list[Text] = []
    for call in sorted(calls, key=lambda call: (call.end_lineno, call.end_col_offset)):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        given = [each.value for each in call.args if isinstance(each, ast.Constant)]
        said = tuple(each for each in given if isinstance(each, str))[: KEYWORDS.get(name, 0)]
        if said:
            context, forms = (said[0], said[1:]) if name in ("p", "p_") else (None, said)
            found += [Text(context, forms)] if forms else []
    return found


def path_of(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def _read(language: str) -> Catalog:
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def translations(language: str) -> dict[tuple[str | None, str], tuple[str, ...]]:
    """Return the translated forms of each text in a catalogue."""
    return {
        (each.context, each.id if isinstance(each.id, str) else each.id[0]): (
            (each.string,) if isinstance(each.string, str) else tuple(each.string or ())
        )
        for each in _read(language)
        if each.id
    }


def placeholders(text: str) -> set[str]:
    return set(_PLACEHOLDER.findall(text))


def problems(language: str) -> Iterator[str]:
    """What is wrong with a catalogue, as sentences."""
    have = translations(language)
    plurals = _read(language).num_plurals
    for text in texts():
        forms = have.pop(text.key, ())
        wanted = plurals if len(text.forms) > 1 else 1
        if len(forms) != wanted or not all(forms):
            yield f"not translated: {text.forms[0]!r}"
            continue
        names = placeholders("".join(text.forms))
        for form in forms:
            if not placeholders(form) <= names or placeholders(text.forms[-1]) - placeholders(form):
                yield f"other placeholders: {text.forms[0]!r} -> {form!r}"
            if ("\t" in form) != ("\t" in text.forms[0]):
                yield f"a key and its meaning need a tab between them: {form!r}"
    for _, text_gone in have:
        yield f"no longer used: {text_gone!r}"


def update(language: str) -> None:
    """Write a catalogue anew, with what it has."""
    have = translations(language)
    header = path_of(language).read_text(encoding="utf-8").split("msgid", 1)[0].rstrip()
    catalogue = Catalog(
        locale=language, domain=DOMAIN, project="Turn the Tide over SSH", version="", fuzzy=False
    )
    # Its own plural forms: newer versions of Babel know more of them than a language's texts need.
    catalogue.mime_headers = _read(language).mime_headers
    catalogue.header_comment = header
    for text in texts():
        many = len(text.forms) > 1
        forms = have.get(text.key, ())
        string: str | tuple[str, ...] = forms[0] if forms else ""
        if many:
            string = forms if len(forms) == catalogue.num_plurals else ("",) * catalogue.num_plurals
        catalogue.add(text.forms if many else text.forms[0], string, context=text.context)
    written = BytesIO()
    write_po(written, catalogue, width=100, no_location=True)
    plain = _NOISE.sub("", written.getvalue().decode()).replace(" VERSION\\n", "\\n")
    path_of(language).write_text(plain, encoding="utf-8")


def main() -> int:
    """Update every catalogue; the status tells whether something is missing."""
    wrong = 0
    for path in sorted(LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        language = path.parent.parent.name
        update(language)
        for problem in problems(language):
            wrong += 1
            print(f"{language}: {problem}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
