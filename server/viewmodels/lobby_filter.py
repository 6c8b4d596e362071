"""Which tables of the lobby somebody wants to see: a few words, all of which must fit."""

from collections.abc import Callable
from functools import cache
from typing import Final

from engine.editions import Edition
from server.coordinator.messages import Pace, Spectating, Status, TableRow
from server.i18n.catalogues import Words, spellings
from server.text.rounds import EDITION_NAMES

Test = Callable[[TableRow], bool]

LONGEST: Final = 40
"""Characters of a filter."""


def is_over(row: TableRow) -> bool:
    """Whether the game there is finished."""
    return row.status is Status.OVER


def _is_watchable(row: TableRow) -> bool:
    return row.options.spectators is not Spectating.NONE


_FORMER: Final = {"zeitlos": "untimed", "livre": "untimed"}
"""What earlier releases called some things, in other languages; typed, it is still understood."""

_TESTS: Final[dict[str, Test]] = {
    "all": lambda row: True,
    "free": lambda row: row.has_room,
    "open": lambda row: row.status is Status.OPEN,
    "running": lambda row: row.status is Status.PLAYING,
    "solo": lambda row: row.solo,
    "over": is_over,
    "watchable": _is_watchable,
    "rated": lambda row: row.options.rated,
    "unrated": lambda row: not row.options.rated,
    "assistance": lambda row: row.options.rules.assistance,
    "timed": lambda row: row.options.pace is Pace.TIMED,
    "untimed": lambda row: row.options.pace is Pace.UNTIMED,
    "correspondence": lambda row: row.options.pace is Pace.CORRESPONDENCE,
} | {
    edition.value: lambda row, edition=edition: row.options.rules.edition is edition
    for edition in Edition
}


@cache
def known_words(words: Words) -> dict[str, str]:
    """What can be typed in the player's language, and the English word that it stands for."""
    known = {
        words.p("filter", "all"): "all",
        words.p("filter", "free"): "free",
        words.p("filter", "open"): "open",
        words.p("filter", "running"): "running",
        words.p("filter", "solo"): "solo",
        words.p("filter", "over"): "over",
        words.p("filter", "watchable"): "watchable",
        words.p("filter", "rated"): "rated",
        words.p("filter", "unrated"): "unrated",
        words.p("filter", "assistance"): "assistance",
        words.p("filter", "timed"): "timed",
        words.p("filter", "untimed"): "untimed",
        words.p("filter", "correspondence"): "correspondence",
        **_FORMER,
    } | {edition.value: edition.value for edition in Edition}
    plain = {
        spelling: meant
        for typed, meant in known.items()
        for spelling in spellings(typed, words.language)
    }
    return plain | known


def filtered(tables: tuple[TableRow, ...], wanted: str, words: Words) -> tuple[TableRow, ...]:
    """Those of ``tables`` that fit every word of ``wanted``: one of the known words, or a part of a title,
    a code, a name or an edition.
    """
    text = wanted.casefold()
    # What is two words in some language is looked for as one.
    for typed, meant in known_words(words).items():
        if " " in typed:
            text = text.replace(typed, meant)
    asked = text.split()
    return tuple(row for row in tables if all(_fits(row, word, words) for word in asked))


def _fits(row: TableRow, word: str, words: Words) -> bool:
    test = _TESTS.get(known_words(words).get(word, word))
    if test is not None:
        return test(row)
    edition = EDITION_NAMES[row.options.rules.edition]
    return any(word in text.casefold() for text in (row.title, row.id, edition, *row.names))
