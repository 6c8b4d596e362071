"""Pages of help: of keys what their tables say, and the rules."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Final

from typing_extensions import override

from server.coordinator.messages import TableOptions
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.reading_page import ReadingPage
from server.fullscreen.widgets.chrome import paragraph
from server.fullscreen.widgets.drawing import DrawContext
from server.i18n.lookup import Words, _
from server.session.rules_text import Section, Signs, rules_sections
from server.terminal.drawing.frame import BLANK, Row, fit, row
from server.terminal.keys.key_table import AnyKey

Sections = Sequence[tuple[str, Sequence[str]]]
"""Headings, and the paragraphs below each."""


class TextPage(ReadingPage):
    """Help; what it tells may change while it is read."""

    TITLE = _("How to play")

    def __init__(self, context: SessionContext, told: Callable[[], Sections]) -> None:
        super().__init__(context)
        self._told: Final = told

    @override
    def lines(self, width: int) -> Sequence[Row]:
        return help_lines(self._told(), width)


def rows_of(keys: Sequence[AnyKey], words: Words) -> tuple[str, ...]:
    """What help tells of these keys."""
    return tuple(map(words.t, chain.from_iterable(key.help for key in keys)))


def rules(
    options: TableOptions | None, look: DrawContext, *, facts: bool = True
) -> Sequence[Section]:
    """The rules as a table with these options plays them, with the signs that are seen there."""
    signs = Signs(look.glyphs.left, look.glyphs.lost, look.glyphs.half_printed)
    return rules_sections(options, look.words, facts=facts, signs=signs)


def help_lines(sections: Sections, width: int) -> list[Row]:
    """Help as headings and paragraphs; a paragraph with a tab is "key, tab, meaning"."""
    wide = min(width, 90)
    lines: list[Row] = []
    for heading, texts in sections:
        if lines:
            lines.append(BLANK)
        lines.append(row("  ", ("heading", heading)))
        for text in texts:
            key, tab, meaning = text.partition("\t")
            if tab:
                for number, each in enumerate(paragraph(meaning, wide - 16)):
                    lines.append(row("  ", ("key", fit(key if number == 0 else "", 14)), *each[1:]))
            else:
                lines += paragraph(text, wide)
    return lines
