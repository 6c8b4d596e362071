"""The hand: how it is drawn, and a card chosen by typing its number."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.cards import WEATHER_CARDS, half_preservers
from engine.state import Cards
from server.fullscreen.context import SessionContext
from server.fullscreen.widgets.boxes import card_rows
from server.fullscreen.widgets.drawing import DrawContext, Glyphs, big_number, merged
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, text_width
from server.timers import OneTimer

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


def hand_rows(
    hand: Hand | None, chosen: int, width: int, height: int, pitch: int, look: DrawContext
) -> Sequence[Row]:
    """The hand in ``height`` rows: 2, or more for drawn cards with ``pitch`` columns from one to the next."""
    if hand is None:
        return [BLANK] * height
    if height >= DRAWN:
        return _drawn(hand, chosen, height, pitch, look)
    return _in_line(hand, chosen, width, look)


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


@lru_cache(maxsize=64)
def _faces(cell: int, glyphs: Glyphs) -> tuple[Sequence[str], Sequence[Span]]:
    """For each card its number, and what is printed on it, in ``cell`` columns; at 0 what a gap shows."""
    numbers = [f" {card:2}  "[:cell] for card in WEATHER_CARDS]
    signs = [_printed(card, cell, glyphs) for card in WEATHER_CARDS]
    return [" " * cell, *numbers], [("", " " * cell), *signs]


def _in_line(hand: Hand, chosen: int, width: int, look: DrawContext) -> tuple[Row, ...]:
    head = look.words.t("your hand")
    label = label_width(look)
    count = len(hand.dealt)
    cell = max(3, min(5, (width - label - 2) // count))
    if label + count * cell + 2 > width:
        label = 0
    # Few spans: each is looked at again and again on the way to the terminal.
    numbers, signs = _faces(cell, look.glyphs)
    inside = dict.fromkeys(hand.dealt, numbers[0]) | {card: numbers[card] for card in hand.cards}
    text, at = "".join(inside.values()) + " ", 0
    shown = [("", " "), ("heading", fit(head, label))]
    for card in sorted({chosen, hand.bid} & {*hand.dealt}):
        start = hand.dealt.index(card) * cell
        style, opening, closing = _style(card, hand, chosen)
        if start < at:  # the closing bracket of the card before is where this one's opening is
            shown[-1] = (shown[-1][0], shown[-1][1][:-1])
        shown += (("card", text[at:start]), (style, f"{opening}{card:2}{closing}"))
        at = start + 4
    below = dict.fromkeys(hand.dealt, signs[0]) | {card: signs[card] for card in hand.cards}
    return row(*shown, ("card", text[at:])), (("", " " * (label + 1)), *below.values())


def _drawn(hand: Hand, chosen: int, height: int, pitch: int, look: DrawContext) -> tuple[Row, ...]:
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
