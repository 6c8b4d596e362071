"""The own hand, in two rows or drawn as cards."""

from collections.abc import Sequence
from functools import lru_cache

from server.fullscreen.widgets.drawing import DrawContext
from server.i18n.catalogues import Words
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, same, text_width
from server.viewmodels.table import CardModel, HandModel

_PITCH = 5
"""Columns from one drawn card to the next: each lies half over the one before."""


def hand_rows(
    hand: HandModel | None, chosen: int, width: int, height: int, look: DrawContext
) -> Sequence[Row]:
    """The hand in ``height`` rows: 2, or 5 for drawn cards."""
    if hand is None or not hand.cards:
        return [BLANK] * height
    return _drawn(hand, chosen, look) if height == DRAWN else _in_line(hand, chosen, width, look)


DRAWN = 5
"""Rows of a drawn hand: the chosen card stands out by one."""


def _style(card: CardModel, chosen: int) -> tuple[str, str, str]:
    """Style, and what encloses the number: colour alone says nothing."""
    if card.card == chosen:
        return "card.chosen", "[", "]"
    if card.sealed:
        return "card.bid", "(", ")"
    return "card", " ", " "


@lru_cache(maxsize=256)
def _printed(halves: int, width: int, cell: int, words: Words, half: str) -> Span:
    """The life preservers printed on a card, in the middle of ``cell`` columns: in words, or as a sign where
    those take more than ``width``; ``half`` is the sign for half of one.
    """
    shown = ("", words.p("on a card", "half"), words.p("on a card", "one"))[halves]
    if text_width(shown) > width:
        shown = ("", half, "1")[halves]
    return ("", "preserver.half", "preserver.left")[halves], fit(shown, cell, "^")


@lru_cache(maxsize=4096)
def _placed(card: int, style: str, opening: str, after: str, cell: int) -> tuple[Span, ...]:
    """A card in more than three columns, and the blanks up to the next one: the same in all hands."""
    return (
        (style, f"{opening}{card:2}"),
        same(style, after),
        same("", " " * (cell - 4)),
    )


def _in_line(hand: HandModel, chosen: int, width: int, look: DrawContext) -> tuple[Row, ...]:
    head = look.words.t("your hand")
    label = max(10, text_width(head) + 1)
    count = len(hand.dealt)
    held = {card.card: card for card in hand.cards}
    cell = next((cell for cell in (5, 4, 3) if label + count * cell + 2 <= width), 3)
    if label + count * cell + 2 > width:
        label = 0
    cards: list[Span] = [same("heading", fit(head, label))]
    printed: list[Span] = [same("", " " * (label + 1))]
    blank, gap, nothing = (same("", " " * columns) for columns in (1, cell - 1, cell))
    closing = blank
    for number in hand.dealt:
        card = held.get(number)
        if card is None:
            # Played: its place stays empty, so that no other card moves.
            cards += (closing if cell == 3 else blank, gap)
            printed.append(nothing)
            closing = blank
            continue
        style, opening, after = _style(card, chosen)
        if cell > 3:
            cards += _placed(card.card, style, opening, after, cell)
        else:
            # In the narrowest hand a card's closing bracket is where the next one's opening would be.
            if opening == " " and closing[1] != " ":
                cards += (closing, same(style, f"{card.card:2}"))
            else:
                cards.append(same(style, f"{opening}{card.card:2}"))
            closing = same(style, after)
        printed.append(_printed(card.halves, cell - 1, cell, look.words, look.glyphs.half_printed))
    if cell == 3:
        cards.append(closing)
    return (row(" ", *cards), row(*printed))


def _drawn(hand: HandModel, chosen: int, look: DrawContext) -> tuple[Row, ...]:
    """Cards that lie half over each other; the chosen one is pushed up and lies on top."""
    head = look.words.t("your hand")
    label = max(10, text_width(head) + 1)
    columns = label + _PITCH * len(hand.dealt) + 3
    canvas: list[list[Span]] = [[("", " ")] * columns for _ in range(DRAWN)]
    canvas[2][1 : 1 + len(head)] = [("heading", char) for char in head]
    for card in sorted(hand.cards, key=lambda card: card.card == chosen):
        place = hand.dealt.index(card.card)
        _lay(canvas, card, chosen, (label + 1 + place * _PITCH, card.card != chosen), look)
    return tuple([_merged(line) for line in canvas])


def _lay(
    canvas: list[list[Span]],
    card: CardModel,
    chosen: int,
    where: tuple[int, int],
    look: DrawContext,
) -> None:
    glyphs = look.glyphs
    top_left, top_right, low_left, low_right = glyphs.corner
    style, opening, after = _style(card, chosen)
    edge = "warm" if card.card == chosen else "rule"
    printed = _printed(card.halves, 4, 4, look.words, glyphs.half_printed)
    wall, line = glyphs.wall, glyphs.line * 4
    lines: tuple[tuple[Span, ...], ...] = (
        ((edge, top_left + line + top_right),),
        ((edge, wall), (style, f"{opening}{card.card:2}{after}"), (edge, wall)),
        ((edge, wall), printed, (edge, wall)),
        ((edge, low_left + line + low_right),),
    )
    left, top = where
    for number, spans in enumerate(lines):
        at = left
        for span_style, text in spans:
            for char in text:
                canvas[top + number][at] = (span_style, char)
                at += 1


def _merged(cells: list[Span]) -> Row:
    spans: list[Span] = []
    for style, char in cells:
        if spans and spans[-1][0] == style:
            spans[-1] = (style, spans[-1][1] + char)
        else:
            spans.append((style, char))
    return row(*spans)
