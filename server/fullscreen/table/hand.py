"""The own hand, in two rows or drawn as cards."""

from collections.abc import Sequence
from functools import lru_cache

from engine.cards import half_preservers
from engine.views import SeatView
from server.fullscreen.widgets.drawing import DrawContext, merged
from server.i18n.catalogues import Words
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, same, text_width

_PITCH = 5
"""Columns from one drawn card to the next: each lies half over the one before."""


def hand_rows(
    own: SeatView | None, chosen: int, width: int, height: int, look: DrawContext
) -> Sequence[Row]:
    """The hand in ``height`` rows: 2, or 5 for drawn cards."""
    if own is None or not own.hand:
        return [BLANK] * height
    return _drawn(own, chosen, look) if height == DRAWN else _in_line(own, chosen, width, look)


DRAWN = 5
"""Rows of a drawn hand: the chosen card stands out by one."""


def _style(card: int, own: SeatView, chosen: int) -> tuple[str, str, str]:
    """Style, and what encloses the number: colour alone says nothing."""
    if card == chosen:
        return "card.chosen", "[", "]"
    if card == own.bid:
        return "card.bid", "(", ")"
    return "card", " ", " "


@lru_cache(maxsize=256)
def _printed(card: int, width: int, cell: int, words: Words, half: str) -> Span:
    """The life preservers printed on a card, in the middle of ``cell`` columns: in words, or as a sign where
    those take more than ``width``; ``half`` is the sign for half of one.
    """
    halves = half_preservers(card)
    shown = ("", words.p("on a card", "half"), words.p("on a card", "one"))[halves]
    if text_width(shown) > width:
        shown = ("", half, "1")[halves]
    return ("", "preserver.half", "preserver.left")[halves], fit(shown, cell, "^")


def _in_line(own: SeatView, chosen: int, width: int, look: DrawContext) -> tuple[Row, ...]:
    head = look.words.t("your hand")
    label = max(10, text_width(head) + 1)
    count = len(own.dealt)
    cell = next((cell for cell in (5, 4, 3) if label + count * cell + 2 <= width), 3)
    if label + count * cell + 2 > width:
        label = 0
    cards: list[Span] = [("heading", fit(head, label))]
    printed: list[Span] = [("", " " * (label + 1))]
    closing = same("", " ")
    for card in own.dealt:
        # The place of a card that was played stays empty, so that no other card moves.
        held = card in own.hand
        number = f"{card:2}" if held else "  "
        style, opening, after = _style(card, own, chosen) if held else ("", " ", " ")
        if opening == " " and closing[1] != " ":
            # In the narrowest hand a card's closing bracket is where the next one's opening would be.
            cards += (closing, same(style, number))
        else:
            cards.append(same(style, opening + number))
        closing = same(style, after)
        if cell > 3:
            cards += (closing, same("", " " * (cell - 4)))
            closing = same("", " ")
        half = look.glyphs.half_printed
        printed.append(
            _printed(card, cell - 1, cell, look.words, half) if held else same("", " " * cell)
        )
    return (row(" ", *cards, closing), row(*printed))


def _drawn(own: SeatView, chosen: int, look: DrawContext) -> tuple[Row, ...]:
    """Cards that lie half over each other; the chosen one is pushed up and lies on top."""
    head = look.words.t("your hand")
    label = max(10, text_width(head) + 1)
    columns = label + _PITCH * len(own.dealt) + 3
    canvas: list[list[Span]] = [[("", " ")] * columns for _ in range(DRAWN)]
    canvas[2][1 : 1 + len(head)] = [("heading", char) for char in head]
    glyphs = look.glyphs
    top_left, top_right, low_left, low_right = glyphs.corner
    line = glyphs.line * 4
    for card in sorted(own.hand, key=lambda card: card == chosen):
        left = label + 1 + own.dealt.index(card) * _PITCH
        style, opening, after = _style(card, own, chosen)
        edge = "warm" if card == chosen else "rule"
        wall = (edge, glyphs.wall)
        lines: tuple[Row, ...] = (
            ((edge, top_left + line + top_right),),
            (wall, (style, f"{opening}{card:2}{after}"), wall),
            (wall, _printed(card, 4, 4, look.words, glyphs.half_printed), wall),
            ((edge, low_left + line + low_right),),
        )
        for at, spans in enumerate(lines, card != chosen):
            cells = [(style, char) for style, text in spans for char in text]
            canvas[at][left : left + len(cells)] = cells
    return tuple([merged(cells) for cells in canvas])
