"""The options of a table as they are typed: "new gamewright 5 untimed"."""

from typing import Any

from server.coordinator.messages import TableOptions
from server.i18n.catalogues import Words, spellings
from server.i18n.catalogues import pgettext_noop as p_
from server.viewmodels.table_options import OPTIONS

_NO = p_("table option", "no")


class BadOption(ValueError):
    """A word that is no option; ``str()`` of it is the word."""


def parse_options(text: str, start: TableOptions, words: Words) -> TableOptions:
    """``start`` changed as ``text`` says. Raises ``BadOption`` or ``BadRules``.

    Each option has words of its own, in English and the player's language: some want a number before them,
    some can be switched off with "no" before them.
    """
    kinds = {word: kind for option in OPTIONS for word, kind in (option.typed or {}).items()}
    meant = {words.p("table option", word): word for word in (*kinds, _NO)}
    meant |= {word: word for word in (*kinds, _NO)}
    for option in OPTIONS:
        meant |= option.also_typed or {}
    meant |= {
        plain: word for typed, word in meant.items() for plain in spellings(typed, words.language)
    }
    text = text.casefold().replace(",", " ")
    for phrase, word in meant.items():
        if " " in phrase:
            text = text.replace(phrase, word)
    wanted: dict[str, Any] = {}
    number, on = 0, True
    for typed in text.split():
        word = meant.get(typed, typed)
        if word.isdecimal() and len(word) < 6:
            number = int(word)
        elif word == _NO:
            on = False
        else:
            chosen = kinds[word](number, on) if word in kinds else {}
            if not chosen:
                raise BadOption(word)
            wanted |= chosen
            number, on = 0, True
    if number:
        raise BadOption(str(number))
    return start.changed(**wanted)
