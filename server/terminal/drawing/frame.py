"""A picture of the screen: rows of styled text. Screens make frames, the renderer sends what differs.

Styles are names (``"water"``, ``"card.chosen"``); a theme says what they look like on a terminal of a
given colour depth. Rows are immutable, so that a row that many seats share is built once and compared
by identity.
"""

import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from wcwidth import wcwidth

Span = tuple[str, str]
"""(style name, text). The text has no control characters."""

Row = tuple[Span, ...]
"""One line of the screen, from column 0; what it does not reach is blank."""


class CursorPosition(NamedTuple):
    """Where the terminal's cursor stands, from 0; shown only while text is typed."""

    column: int
    row: int


class Frame(NamedTuple):
    """What the whole screen shows; rows that are missing at the bottom are blank."""

    rows: tuple[Row, ...]
    cursor: CursorPosition | None = None
    seen: tuple[Callable[[], None], ...] = ()
    """To be called once it has been sent: they note what has been seen with it."""

    def telling(self, seen: Callable[[], None]) -> "Frame":
        """Return the frame with ``seen`` notified as well."""
        return self._replace(seen=(*self.seen, seen))


BLANK: Row = ()


@lru_cache(maxsize=4096)
def cell_width(char: str) -> int:
    """Columns that ``char`` takes up: 1, 2 for wide ones, 0 for marks and for those that are never drawn.

    Vowel signs beside their consonant (Mc) have a column of their own in xterm, VTE, tmux and most others.
    Never drawn is what has no cell of its own (controls, zero width, bidi overrides) and what terminals do
    not agree on (private use, unassigned; flags and skin tones join with their neighbours in some).
    """
    if "\U0001f1e6" <= char <= "\U0001f1ff" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return 0
    category = unicodedata.category(char)
    return 1 if category == "Mc" else 0 if category[0] == "C" else max(0, wcwidth(char))


def is_spacing(char: str) -> bool:
    """Whether ``char`` is a sign beside the character before it, to which it belongs."""
    return unicodedata.category(char) == "Mc"


def is_mark(char: str) -> bool:
    """Whether ``char`` is drawn into the cell of the one before it.

    Accents, vowel signs above it, the vowels of Korean syllables in pieces. Those that make an emoji of
    it are not: what width that has, terminals do not agree on.
    """
    if "\u1161" <= char <= "\u11ff":
        return True
    emoji = char == "\u20e3" or "\ufe00" <= char <= "\ufe0f"
    return unicodedata.category(char)[0] == "M" and not cell_width(char) and not emoji


def text_width(text: str) -> int:
    """Columns that ``text`` takes up in a terminal."""
    return len(text) if text.isascii() and text.isprintable() else sum(map(cell_width, text))


def row_width(row: Row) -> int:
    """Columns that ``row`` takes up in a terminal."""
    return text_width("".join([text for _, text in row]))


def fit(text: str, width: int, align: str = "<", ellipsis: str = "…") -> str:
    """``text`` cut or padded to exactly ``width`` columns; ``align`` is one of ``<``, ``^``, ``>``."""
    have = text_width(text)
    if have > width:
        text = cut(text, max(0, width - text_width(ellipsis))) + ellipsis[:width]
        have = text_width(text)
    gap = width - have
    left = {"<": 0, "^": gap // 2, ">": gap}[align]
    return " " * left + text + " " * (gap - left)


def cut(text: str, width: int) -> str:
    """As much of ``text`` as fits ``width`` columns."""
    used = 0
    for index, char in enumerate(text):
        used += cell_width(char)
        if used > width:
            return text[:index]
    return text


@lru_cache(maxsize=512)
def wrap(text: str, width: int, indent: str = "") -> tuple[str, ...]:
    """``text`` in lines of at most ``width`` columns, all but the first indented. Only longer words break."""
    lines: list[str] = []
    line = ""
    room = max(1, width - len(indent))
    words = list(filter(None, text.split(" ")))  # not at a no-break space
    short = " ".join(words)
    if short and text_width(short) <= room:
        return (short,)  # most texts
    for whole in words:
        for word in pieces(whole, room) if 2 * len(whole) > room else (whole,):
            longer = f"{line} {word}" if line.strip() else f"{line}{word}"
            if line.strip() and text_width(longer) > width:
                lines.append(line)
                line = indent + word
            else:
                line = longer
    return (*lines, line) if line.strip() else tuple(lines)


def pieces(word: str, width: int) -> list[str]:
    """A word in parts of at most ``width`` columns each: one, if it is no longer than that."""
    parts: list[str] = []
    while word:
        parts.append(cut(word, width) or word[0])
        word = word[len(parts[-1]) :]
    return parts


def says_nothing(row: Row) -> bool:
    """Whether it is blank, or only drawn: the sea, a rule."""
    return not any(char.isalnum() for _, text in row for char in text)


def pad_row(row: Row, width: int, style: str = "") -> Row:
    """``row`` filled up with blanks of ``style`` to ``width`` columns; wider rows are left alone."""
    gap = width - row_width(row)
    return (*row, (style, " " * gap)) if gap > 0 else row


def row(*parts: str | Span) -> Row:
    """A row of spans; a bare string is an unstyled span. Empty texts are left out."""
    # A list is made quicker than a generator is run, and this is called for every row that changes.
    return tuple(
        [span for part in parts if (span := ("", part) if isinstance(part, str) else part)[1]]
    )


def slice_row(row: Row, start: int, stop: int) -> Row:
    """Columns ``start`` to before ``stop`` of ``row``; half of a wide character becomes a blank."""
    cut: list[Span] = []
    column = 0
    for style, text in row:
        if column >= stop:
            break
        wide = text_width(text)
        if column + wide > start and wide:
            piece = _columns(text, max(0, start - column), min(wide, stop - column))
            cut.append((style, piece))
        column += wide
    return tuple(cut)


def overlay(row: Row, column: int, top: Row) -> Row:
    """``row`` with ``top`` laid over it from ``column`` on: dialogs, menus."""
    have, end = row_width(row), column + row_width(top)
    return (
        *pad_row(slice_row(row, 0, column), column),
        *top,
        *(slice_row(row, end, have) if end < have else ()),
    )


def _columns(text: str, start: int, stop: int) -> str:
    """Columns ``start`` to before ``stop`` of ``text``, exactly as wide as that."""
    if {*map(cell_width, {*text})} == {1}:
        return text[start:stop]
    out: list[str] = []
    column = 0
    for char in text:
        end = column + cell_width(char)
        if start <= column and end <= stop:
            out.append(char)
        else:
            out.append(" " * max(0, min(end, stop) - max(column, start)))
        column = end
    return "".join(out)
