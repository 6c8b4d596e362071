"""Which tables of the lobby somebody wants to see: a few words, all of which must fit."""

from collections.abc import Callable, Mapping
from typing import Final

from server.coordinator.messages import Status, TableRow
from server.coordinator.people.names import called
from server.i18n.lookup import Words, in_english, p_, vocabulary
from server.viewmodels.table_options import ALSO_TYPED, OPTIONS

Test = Callable[[TableRow], bool]

LONGEST: Final = 40
"""Characters of a filter."""


_OF_TABLES: Final[dict[str, Test]] = {
    p_("filter", "all"): lambda row: True,
    p_("filter", "free"): lambda row: row.has_room,
    p_("filter", "open"): lambda row: row.status is Status.OPEN,
    p_("filter", "running"): lambda row: row.status is Status.PLAYING,
    p_("filter", "solo"): lambda row: row.solo,
    p_("filter", "over"): lambda row: row.status is Status.OVER,
}


def _tests() -> dict[str, Test]:
    """Every word, and what it asks of a table."""
    found = {
        word: lambda row, test=test: test(row.options)
        for option in OPTIONS
        for word, test in (option.filters or {}).items()
    }
    return _OF_TABLES | found


def known_words(words: Words) -> dict[str, str]:
    """What can be typed, and the English word that it stands for."""
    tests = _tests()
    also = {word: meant for word, meant in ALSO_TYPED.items() if meant in tests}
    return vocabulary("filter", tests, words, also)


def filtered(tables: tuple[TableRow, ...], wanted: str, words: Words) -> tuple[TableRow, ...]:
    """Those of ``tables`` that fit every word of ``wanted``: one of the known words, or a part of a title,
    a code, a name or an edition.
    """
    if not wanted:
        return tables
    asked, tests = in_english(wanted, known_words(words)), _tests()
    return tuple(row for row in tables if all(_fits(row, word, tests) for word in asked))


def _fits(row: TableRow, word: str, tests: Mapping[str, Test]) -> bool:
    if word in tests:
        return tests[word](row)
    edition = row.options.rules.edition.called
    texts = (row.title, row.id, edition, *row.names)
    return any(word in text.casefold() for text in texts) or called(row.names, word) >= 0
