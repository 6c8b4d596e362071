"""The cards at a table.

The two tides on offer, with who gets which, or has taken it, and what the round came to; and the hand, with
a card chosen by typing its number.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.editions import WEATHER_CARDS, half_preservers
from engine.state import Cards
from server.fullscreen.context import SessionContext
from server.fullscreen.widgets.boxes import banner, card_rows
from server.fullscreen.widgets.drawing import (
    ASCII,
    DrawContext,
    Glyphs,
    big_number,
    justified,
    merged,
    shorten,
    wrap_to,
)
from server.fullscreen.widgets.drawing import ROWS as BIG_ROWS
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, row_width, text_width, wrap
from server.timers import OneTimer

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
    height: int,
    width: int,
    look: DrawContext,
) -> Sequence[Row]:
    """Draw the offer in the middle of the table.

    What is said of a card stands beside it, below that what the round came to.
    """
    if offer is None:
        return [BLANK] * height
    low = tide_card(offer[0], "tide.low", height, look)
    high = tide_card(offer[1], "tide.high", height, look)
    wide = row_width(low[0])
    middle, said = height // 2, (*words, "", "", "")
    room = width // 2 - wide - 4
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
    """Say who took which card, the names as whole as they fit."""
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
    """The line that says what a round came to, or the shorter one, for ``room`` columns.

    In a box where that leaves one of ``rows`` free, its letters apart where there is more room.
    """
    text, brief = climax
    if rows <= _BOX_ROWS or room < text_width(text) + _BOX:
        if text_width(text) <= room - 2:
            return (f" {text} ",)
        lines = wrap_to(brief, room - 2, max(1, rows - _BOX_ROWS), look.glyphs)
        return tuple([f" {line} " for line in lines])
    shown = " ".join(text) if room >= 2 * text_width(text) + _BOX else text
    return banner(shown, look.glyphs)


LABEL: Final = 10
"""Columns of the heading beside the hand, at least."""
NARROW: Final = 5
"""Columns from one drawn card to the next, at least: each lies half over the one before."""
DRAWN: Final = 5
"""Rows of a drawn hand: the chosen card stands out by one."""
LARGE: Final = 7
HUGE: Final = 8
"""Rows of larger cards: in the largest ones the number is drawn in large figures."""
_APART: Final = 8
"""From so many columns on cards lie side by side."""
_BIG_FIGURES: Final = 9
"""Columns that a number in large figures needs."""


class Hand(NamedTuple):
    """The hand of the player who looks."""

    cards: Cards
    """That can still be bid."""
    dealt: Cards
    """With which the stage began."""
    bid: int
    """The sealed one; 0 for none."""


def label_width(look: DrawContext) -> int:
    """Columns of the heading beside the hand."""
    return max(LABEL, text_width(look.words.t("your hand")) + 1)


def drawn_width(hand: Hand, pitch: int, look: DrawContext) -> int:
    """Columns of a drawn hand."""
    return label_width(look) + pitch * len(hand.dealt) + 3


def _style(card: int, hand: Hand, chosen: int) -> tuple[str, str, str]:
    """Style, and what encloses the number: colour alone says nothing. No style where the card was played."""
    if card == chosen:
        return "card.chosen", "[", "]"
    if card == hand.bid:
        return "card.bid", "(", ")"
    return "card" if card in hand.cards else "", " ", " "


def _printed(card: int, cell: int, glyphs: Glyphs) -> Span:
    """The life preservers printed on a card as a sign, in the middle of ``cell`` columns."""
    halves = half_preservers(card)
    shown = ("", glyphs.half_printed, glyphs.left)[halves]
    return ("", "preserver.half", "preserver.left")[halves], fit(shown, cell, "^")


def hand_in_line(hand: Hand, chosen: int, width: int, look: DrawContext) -> tuple[Row, ...]:
    """The hand in two rows: the numbers, and below them the life preservers printed on the cards."""
    head = look.words.t("your hand")
    label = label_width(look)
    count = len(hand.dealt)
    cell = max(3, min(5, (width - label - 2) // count))
    if label + count * cell + 2 > width:
        label = 0
    # Few spans: each is looked at again and again on the way to the terminal.
    text, at, below = "", 0, [("", " " * (label + 1))]
    for card in hand.dealt:
        there = card in hand.cards
        text += f" {card:2}  "[:cell] if there else " " * cell
        below.append(_printed(card, cell, look.glyphs) if there else ("", " " * cell))
    text += " "
    shown = [("", " "), ("heading", fit(head, label))]
    for card in sorted({chosen, hand.bid} & {*hand.dealt}):
        start = hand.dealt.index(card) * cell
        style, opening, closing = _style(card, hand, chosen)
        if start < at:  # the closing bracket of the card before is where this one's opening is
            shown[-1] = (shown[-1][0], shown[-1][1][:-1])
        shown += (("card", text[at:start]), (style, f"{opening}{card:2}{closing}"))
        at = start + 4
    return row(*shown, ("card", text[at:])), tuple(below)


def drawn_hand(
    hand: Hand, chosen: int, height: int, pitch: int, look: DrawContext
) -> tuple[Row, ...]:
    """Cards side by side, or half over each other; the chosen one is pushed up and lies on top."""
    head, label = look.words.t("your hand"), label_width(look)
    columns = drawn_width(hand, pitch, look)
    canvas: list[list[Span]] = [[("", " ")] * columns for _ in range(height)]
    canvas[height // 2][1 : 1 + text_width(head)] = [("heading", char) for char in head]
    width = pitch - 1 if pitch >= _APART else pitch + 1
    for card in sorted(hand.cards, key=lambda card: card == chosen):
        left = label + 1 + hand.dealt.index(card) * pitch
        lines = _card(card, _style(card, hand, chosen), card == chosen, width, height - 1, look)
        for at, spans in enumerate(lines, card != chosen):
            cells = [(style, char) for style, text in spans for char in text]
            canvas[at][left : left + len(cells)] = cells
    return tuple([merged(cells) for cells in canvas])


def _card(
    card: int, face: tuple[str, str, str], lifted: bool, width: int, height: int, look: DrawContext
) -> tuple[Row, ...]:
    """One card: its number, what encloses it, and the life preservers printed on it."""
    glyphs, inner = look.glyphs, width - 2
    style, opening, closing = face
    number, index = [f"{opening}{card:2}{closing}"], ""
    if height >= HUGE - 1 and inner >= _BIG_FIGURES and glyphs.full == "█":
        big, index = big_number(card), str(card)
        sides = [(" ", " "), (opening, closing), (" ", " ")]
        number = [f"{a} {line} {b}" for (a, b), line in zip(sides, big, strict=True)]
    told: list[Span] = [(style, fit(line, inner, "^")) for line in number]
    told.append(_printed(card, inner, glyphs))
    free = height - 2 - len(told)
    blank: Span = (style if lifted else "", " " * inner)
    above = [blank] * (free // 2)
    told = [*above, *told, *[("", " " * inner)] * (free - free // 2)]
    return card_rows(told, "warm" if lifted else "rule", (style, index), glyphs)


TYPING_SECONDS: Final = 1.5
"""How long a typed digit waits for a second one."""

_TENS: Final = frozenset(str(card)[0] for card in WEATHER_CARDS if card >= 10)
"""Digits with which a number of two begins."""


class CardTyping:
    """The digit that was typed last, as long as another may follow."""

    def __init__(self, context: SessionContext) -> None:
        self._context = context
        self._timer: Final = OneTimer(context.clock)
        self.digit = ""
        self.fresh = False
        """The number typed last was begun since the table moved on."""

    def key(self, digit: str, cards: tuple[int, ...]) -> int:
        """A digit was typed; which of ``cards`` it chooses, or 0 for none. A number of no card is told."""
        number = self.digit + digit
        self.fresh = self.fresh or not self.digit
        self.forget()
        longer = [card for card in cards if card >= 10 and str(card).startswith(number)]
        exact = int(number) in cards
        if len(number) == 1 and number in _TENS:
            # Even where one digit says it all, or nothing: who types the whole number means no other card by
            # the second.
            self.digit, chosen = number, int(number) if exact else next(iter(longer), 0)
            self._timer.after(TYPING_SECONDS, lambda: self._over(known=chosen > 0))
            return chosen
        if exact:
            return int(number)
        self._refuse(number)
        return 0

    def _refuse(self, number: str) -> None:
        words = self._context.words
        self._context.say("error", words.t("You do not hold the {card}.", card=number))

    def forget(self) -> None:
        """No digit waits any more."""
        self.digit = ""
        self._timer.cancel()

    def _over(self, *, known: bool) -> None:
        digit = self.digit
        self.forget()
        if not known:
            self._refuse(digit)
        self._context.changed()
