"""Looks up texts in the player's language: gettext catalogues, English as the source.

A catalogue is ``locale/<language>/LC_MESSAGES/tide.po``; dropping one in adds a language. It is compiled
in memory when it is first asked for, and kept. Placeholders are named: ``words.t("{name} is out",
name=...)``. ``make messages`` gathers the texts.
"""

import gettext
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

LOCALE: Final = Path(__file__).parent / "locale"
DOMAIN: Final = "tide"
SOURCE: Final = "en"


def _(text: str) -> str:
    """Mark ``text`` for the catalogues; ``words.t(text)`` translates it later."""
    return text


def p_(context: str, text: str) -> str:
    """Mark ``text`` for ``words.p(context, text)``, which translates it later."""
    return text


class Plural(NamedTuple):
    """A text with two forms, to be translated later."""

    one: str
    many: str


def n_(one: str, many: str) -> Plural:
    """Mark a text with two forms for ``words.fill``, which translates it later."""
    return Plural(one, many)


@dataclass(frozen=True, eq=False, slots=True)
class Words:
    """The texts of one language. Get one from ``words_for``; equal languages share it."""

    language: str
    _catalogue: gettext.NullTranslations
    _found: Callable[[str], str]
    """What its ``gettext`` has found, kept: a frame asks for some of the same texts."""

    def t(self, text: str, /, **values: object) -> str:
        """``text`` translated, its placeholders filled in."""
        found = self._found(text)
        return found.format(**values) if values else found

    def n(self, one: str, many: str, count: int, /, **values: object) -> str:
        """The form that fits ``count``; the placeholder ``{count}`` is filled in as well."""
        return self._catalogue.ngettext(one, many, count).format(count=count, **values)

    def p(self, context: str, text: str, /, **values: object) -> str:
        """Like ``t``, for a text that means different things in different places."""
        found = self._catalogue.pgettext(context, text)
        return found.format(**values) if values else found

    def fill(self, text: str | Plural, /, **values: Any) -> str:
        """Like ``t``, or like ``n`` where the text has two forms: the one that fits the value ``count``."""
        if isinstance(text, str):
            return self.t(text, **values)
        return self._catalogue.ngettext(*text, values["count"]).format(**values)

    def decimal(self, value: float, digits: int = 2) -> str:
        """A number with ``digits`` digits after the decimal sign of the language."""
        return f"{value:.{digits}f}".replace(".", self.p("decimal sign", "."))

    def listed(self, items: tuple[str, ...]) -> str:
        """The items as a list in a sentence: "ada, bo and cem"."""
        if len(items) < 2:
            return "".join(items)
        return self.t("{first} and {last}", first=", ".join(items[:-1]), last=items[-1])


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    found = sorted(path.parent.parent.name for path in LOCALE.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))
    return (SOURCE, *found)


@cache
def _words(language: str) -> Words:
    if language == SOURCE:
        return Words(SOURCE, gettext.NullTranslations(), str)
    # Babel is big, and who plays in English needs none of it.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        catalogue = read_po(file, locale=language, domain=DOMAIN)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    texts = gettext.GNUTranslations(compiled)
    return Words(language, texts, lru_cache(maxsize=4096)(texts.gettext))


def words_for(asked: str) -> Words:
    """The words for a locale such as ``de``, ``pt_BR.UTF-8`` or ``C``; English when there are none."""
    name = asked.split(".", maxsplit=1)[0].split("@", maxsplit=1)[0].replace("-", "_")
    known = languages()
    for candidate in (name, name.split("_")[0].lower()):
        if candidate in known:
            return _words(candidate)
    return _words(SOURCE)


_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def vocabulary(
    context: str, english: Iterable[str], words: Words, also: Mapping[str, str] = {}
) -> dict[str, str]:
    """What can be typed, and the English word that it stands for.

    The words of the player's language (in this context), with or without the marks on their letters,
    those that ``also`` mean one, and the English ones.
    """
    english = tuple(english)
    known = {words.p(context, word).casefold(): word for word in english} | {**also}
    plain = {
        spelling: word
        for typed, word in known.items()
        for spelling in _plain(typed, words.language)
    }
    return plain | known | {word: word for word in english}


def in_english(typed: str, known: Mapping[str, str]) -> list[str]:
    """The words of what was typed, each that is ``known`` in English.

    What is two words in some language is looked for as one.
    """
    typed = typed.casefold()
    for phrase, word in known.items():
        if " " in phrase:
            typed = typed.replace(phrase, word)
    return [known.get(word, word) for word in typed.split()]


def _plain(word: str, language: str) -> tuple[str, ...]:
    """The word as it is typed without marks on its letters, where they cannot be typed."""
    stripped = "".join(
        char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char)
    )
    if language == "de":
        return (stripped, word.translate(_UMLAUTS))
    return (stripped,)
