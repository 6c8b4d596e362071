"""Options that are typed, as line mode has them: a number before a word, or "no"."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from server.i18n.lookup import Words, in_english, p_, vocabulary

Typed = Callable[[int, bool], Mapping[str, Any]]
"""What a typed word chooses, given the number before it (-1 for none) and whether there was no "no"; nothing
when that makes no sense.
"""

_NO: Final = p_("table option", "no")


class BadOption(ValueError):
    """A word that is no option; ``str()`` of it is the word."""


def number(name: str, least: int = 1) -> Typed:
    """A number of at least that, which chooses ``name``."""
    return lambda number, on: {name: number} if number >= least else {}


def read_options(
    text: str, kinds: Mapping[str, Typed], also: Mapping[str, str], words: Words
) -> dict[str, Any]:
    """What ``text`` chooses, by name. ``kinds`` are words in the context "table option", ``also`` more words
    for those. Raises ``BadOption``.

    Each option has words of its own, in English and the player's language: some want a number before them,
    some can be switched off with "no" before them.
    """
    meant = vocabulary("table option", (*kinds, _NO), words, also)
    wanted: dict[str, Any] = {}
    given, on = -1, True
    for word in in_english(text.replace(",", " "), meant):
        if word.isdecimal() and len(word) < 6:
            given = int(word)
        elif word == _NO:
            on = False
        else:
            chosen = kinds[word](given, on) if word in kinds else {}
            if not chosen:
                raise BadOption(word)
            wanted |= chosen
            given, on = -1, True
    if given >= 0:
        raise BadOption(str(given))
    return wanted
