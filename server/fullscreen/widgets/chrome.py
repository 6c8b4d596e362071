"""The frame around every screen but the table: a title, the sea, a body, a message, the keys."""

from collections.abc import Iterable, Sequence
from typing import Final

from server.fullscreen.widgets.drawing import (
    DrawContext,
    between,
    footer,
    justified,
    shorten,
    wave_row,
    wrap_to,
)
from server.i18n.lookup import Words
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, Span, fit, row, row_width, wrap

Keys = tuple[tuple[str, str], ...]

SMALLEST: Final = Size(40, 15)
"""Below this nothing sensible can be shown."""
_ROOMY: Final = 60
"""Columns from which there is room for blanks beside where the game is."""
_MOST_SAID: Final = 4
"""Rows of a message: the longest on the smallest screen."""


def page(
    title: str,
    body: Sequence[Row],
    keys: Keys,
    message: Span,
    size: Size,
    look: DrawContext,
    aside: str = "",
    share: float = 0.3,
    game: Row | None = None,
) -> Frame:
    """A screen with ``body`` between title and keys; ``aside`` stands at the right of the title, and how the
    ``game`` goes in place of the sea.
    """
    width = size.columns
    head = justified(
        row(" ", ("title", shorten(title, width - 2, look.glyphs))), row(("dim", aside), " "), width
    )
    sea = BLANK if look.thin else wave_row(look.glyphs, width, share)
    said = [row(" ", (message[0], text)) for text in _said(message, width, look)]
    room = body_size(size, message, look).rows
    shown = [*body[:room], *([BLANK] * (room - len(body)))]
    return Frame((head, game or sea, *spacer(size), *shown, *said, footer(keys, width)))


def body_size(size: Size, message: Span, look: DrawContext) -> Size:
    """What a ``page`` with that message has for its body."""
    around = 3 + len(spacer(size)) + len(_said(message, size.columns, look))
    return Size(size.columns, size.rows - around)


def _said(message: Span, width: int, look: DrawContext) -> tuple[str, ...]:
    return wrap_to(message[1], width - 2, _MOST_SAID, look.glyphs)


def spacer(size: Size) -> list[Row]:
    """A blank row, where there is room for some."""
    return [BLANK] if size.rows >= 20 else []


def paragraph(text: str, width: int, style: str = "text", indent: str = "  ") -> list[Row]:
    """A text in rows of at most ``width`` columns."""
    return [row(indent, (style, line)) for line in wrap(text, width - len(indent) - 1)]


def paragraphs(
    texts: Iterable[str], width: int, style: str = "text", *, apart: bool = False
) -> list[Row]:
    """Texts one below the other, perhaps with a blank row between two of them."""
    rows: list[Row] = []
    for text in texts:
        rows += [BLANK] if apart and rows else []
        rows += paragraph(text, width, style)
    return rows


def menu_row(selected: bool, cells: Sequence[Span], width: int) -> Row:
    """A row of a list; the selected one is a bar, and has a sign as well."""
    if not selected:
        return row("  ", *cells)
    text = "".join(text for _, text in cells)
    return (("selected", fit(f"> {text}", width)),)


def window(count: int, chosen: int, room: int) -> range:
    """Which of ``count`` items to show in ``room`` rows, so that ``chosen`` is among them."""
    if count <= room:
        return range(count)
    first = min(max(0, chosen - room // 2), count - room)
    return range(first, first + room)


def small_screen(size: Size, words: Words) -> Frame:
    """Says that the terminal is too small, and where there is room for that, what else there is to do."""
    text = words.t(
        "This terminal has {columns} x {rows} characters. Make it at least {least_columns} x"
        " {least_rows}, and the game goes on.",
        columns=size.columns,
        rows=size.rows,
        least_columns=SMALLEST.columns,
        least_rows=SMALLEST.rows,
    )
    ways = words.t("Ctrl-C leaves. Log in as NAME+plain to play in sentences, on any terminal.")
    lines, more = (wrap(each, max(1, size.columns)) for each in (text, ways))
    if len(lines) + len(more) < size.rows:
        lines = (*lines, "", *more)
    return Frame(tuple(row(("warm", line[: size.columns])) for line in lines[: size.rows]))


def game_header(
    facts: tuple[str, ...], alert: str, clock: Span, width: int, look: DrawContext
) -> Row:
    """Where the game is, that all wait (``alert``), and how much time there is. Where there is too little
    room, the first ``facts`` are left out.
    """
    ends = [clock] if clock[1] else []
    if alert:
        ends.insert(0, ("warm", alert))
    gap = "  " if width >= _ROOMY else " "
    right: Row = ()
    for span in ends:
        right = row(*right, gap if right else "", span)
    if width >= _ROOMY:
        right = row(*right, " ")
    while True:
        left = row(" ", ("text", between(facts, look.glyphs)))
        if not facts or row_width(left) + row_width(right) < width:
            return justified(left, right, width)
        facts = facts[1:]
