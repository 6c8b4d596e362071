"""The two tide cards on offer, who gets which or has taken it, and what the round came to."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from server.fullscreen.table.layout import Layout
from server.fullscreen.widgets.boxes import banner, card_rows
from server.fullscreen.widgets.drawing import (
    ASCII,
    DrawContext,
    big_number,
    justified,
    shorten,
    wrap_to,
)
from server.fullscreen.widgets.drawing import ROWS as BIG_ROWS
from server.terminal.drawing.frame import (
    BLANK,
    Row,
    Span,
    fit,
    pad_row,
    row,
    row_width,
    text_width,
    wrap,
)

_BOX: Final = 6
"""Columns of a box, besides the line in it."""
_BOX_ROWS: Final = 3


@lru_cache(maxsize=1024)
def offer_cards(
    offer: tuple[int, int] | None, words: tuple[str, ...], look: DrawContext
) -> Sequence[Row]:
    """The two tide cards, drawn, and in ``words`` who gets which, or has taken it."""
    if offer is None:
        return [BLANK] * 3
    label = fit(look.words.p("cards", "tides"), 11, ellipsis=look.glyphs.more)
    low = tide_card(offer[0], "tide.low", 3, look)
    high = tide_card(offer[1], "tide.high", 3, look)
    before = (row(" " * 13), row("  ", ("heading", label)), row(" " * 13))
    said = zip(
        [*["text"] * (len(words) - 1), "dim", "dim", "dim"], (*words, "", "", ""), strict=False
    )
    return [
        row(*first, *left, " ", *right, "   ", told)
        for first, left, right, told in zip(before, low, high, said, strict=False)
    ]


def offer_between(
    offer: tuple[int, int] | None,
    words: tuple[str, ...],
    taken: bool,
    climax: tuple[str, str],
    layout: Layout,
    look: DrawContext,
) -> Sequence[Row]:
    """The same in the middle: what is said of a card stands beside it, below that what the round came to."""
    height = layout.offer_rows
    if offer is None:
        return [BLANK] * height
    low = tide_card(offer[0], "tide.low", height, look)
    high = tide_card(offer[1], "tide.high", height, look)
    wide = row_width(low[0])
    middle, said = height // 2, (*words, "", "", "")
    room = layout.main // 2 - wide - 4
    left: list[Span] = [("", "")] * height
    right: list[Span] = [("", "")] * height
    left[middle - 1] = ("heading", look.words.p("cards", "tides"))
    left[middle] = ("text", said[0])
    then = wrap(said[2], room)[:2] if said[2] else ()
    below = middle + 2 - max(1, len(then))
    right[below : below + len(then)] = [("dim", line) for line in then]
    lines = climax_lines(climax, room, height, look) if climax[0] else ()
    right[len(right) - len(lines) :] = [("climax", line) for line in lines]
    right[max(0, height - 4) if taken else below - 1] = ("text", said[1])
    rows = []
    for number in range(height):
        style, text = left[number]
        text = fit(text, room, ">", look.glyphs.more)
        style_after, after = right[number]
        after = shorten(after, room, look.glyphs)
        cards = (*low[number], ("", " "), *high[number])
        rows.append(row(" ", (style, text), "   ", *cards, "   ", (style_after, after)))
    return rows


def tide_card(tide: int, style: str, height: int, look: DrawContext) -> Sequence[Row]:
    """A tide card of 3, 5 or 7 rows; the larger ones show their number in large figures."""
    glyphs, inner = look.glyphs, 2 * height - 2
    numbers: Sequence[str] = (f" {tide:2} ",)
    index = ""
    if height > BIG_ROWS and glyphs.full == "█":
        numbers, index = big_number(tide), str(tide)
    free = height - 2 - len(numbers)
    lines = [*[""] * (free // 2), *numbers, *[""] * (free - free // 2)]
    faces = [(style, fit(text, inner, "^")) for text in lines]
    return card_rows(faces, "rule", (style, index), glyphs)


_LOW: Final = "<"
_HIGH: Final = ">"
"""Where the tide cards stand among words that never change."""


@lru_cache(maxsize=1024)
def offer_line(
    offer: tuple[int, int] | None, takers: tuple[str, ...], width: int, look: DrawContext
) -> Row:
    if offer is None:
        return BLANK
    words = look.words
    low, high = offer
    if takers:
        return _taken_line(offer, takers, width, look)
    said, head = (
        words.t("highest takes {low}, second {high}", low=_LOW, high=_HIGH),
        words.t("on offer"),
    )
    if text_width(head) + text_width(said) + 10 > width:
        head = ""
    before, between_them, after = re.split(f"[{_LOW}{_HIGH}]", said)
    # Changing colours takes bytes, too.
    cards = [("tide.low", f"{low:2}"), ("tide.low" if look.thin else "tide.high", f"{high:2}")]
    if said.index(_LOW) > said.index(_HIGH):
        cards.reverse()
    line = row(
        *(" ", ("heading", head), "  ", ("dim", before), cards[0]),
        *(("dim", between_them), cards[1], ("dim", after)),
    )
    if look.thin:
        # What the sign before a seat means: it is so much shorter than the word.
        line = justified(line, row(("dim", f"{ASCII.full} {words.t('sealed')}"), " "), width)
    return line


def _taken_line(
    offer: tuple[int, int], takers: tuple[str, ...], width: int, look: DrawContext
) -> Row:
    """Who took which, the names as whole as they fit."""
    glyphs, head = look.glyphs, look.words.p("tide cards", "taken")
    used = 1 + text_width(head) + 2 + 2 * 4 + text_width(glyphs.between)
    first, second = (shorten(name, (width - used) // 2, glyphs) for name in takers)
    return row(
        *(" ", ("heading", head), "  ", ("text", first), ("tide.low", f" {offer[0]:2}")),
        *(("dim", glyphs.between), ("text", second), ("tide.high", f" {offer[1]:2}")),
    )


def climax_lines(
    climax: tuple[str, str], room: int, rows: int, look: DrawContext
) -> tuple[str, ...]:
    """The line that says what a round came to, or the shorter one, for ``room`` columns: in a box where that
    leaves one of ``rows`` free, its letters apart where there is more room.
    """
    text, brief = climax
    if rows <= _BOX_ROWS or room < text_width(text) + _BOX:
        if text_width(text) <= room - 2:
            return (f" {text} ",)
        lines = wrap_to(brief, room - 2, max(1, rows - _BOX_ROWS), look.glyphs)
        return tuple([f" {line} " for line in lines])
    shown = " ".join(text) if room >= 2 * text_width(text) + _BOX else text
    return banner(shown, look.glyphs)


def with_climax(
    rows: Sequence[Row], climax: tuple[str, str], width: int, look: DrawContext
) -> Sequence[Row]:
    """``rows`` of which the last has room for that line."""
    *others, last = rows
    start = row_width(last) - 1
    said = climax_lines(climax, width - start - 1, 1, look)
    return [*others, (*pad_row(last, start), ("climax", said[0]))]
