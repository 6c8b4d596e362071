"""Rows of styled text as cells, each a character with up to two marks, and what to send to turn one such
line into another.

All of it depends only on the theme, the two lines and the pen, not on the session: it is kept, so that
the seats of a table, whose screens share most rows, pay once.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache, partial
from itertools import accumulate, starmap
from operator import ne
from typing import Final, NamedTuple

from server.terminal.drawing.frame import Row, cell_width, is_mark
from server.terminal.drawing.theme import Theme

STUB = "\0"
"""Stands in the second column of a wide character."""

ERASE = "\x1b[K"
"""Erase to the end of the line (EL)."""

MARKS: Final = 2
"""Combining marks of a cell that are drawn."""

_NO_MARKS: Final[Mapping[int, str]] = {}
_number: Final = partial(int.from_bytes, byteorder="big")
"""A byte for each column: all of them are compared at once."""
_RUNS: Final = re.compile(rb"[^\0]+")
"""Neighbouring columns that differ."""


class CellRow:
    """One row of the screen as cells, exactly as wide as the screen. Compared by identity."""

    __slots__ = ("chars", "end", "marks", "styles")

    def __init__(self, chars: str, styles: bytes, marks: Mapping[int, str] = _NO_MARKS):
        self.chars = chars
        self.styles = styles
        self.marks = marks
        """Combining marks, by the column of their character."""
        self.end = max(len(styles.rstrip(b"\0")), len(chars.rstrip(" ")))
        """All columns from here on are plain blanks."""


class RowChange(NamedTuple):
    """How to turn one line into another: begin at `start` with the pen it was made for, send `text`;
    then the cursor is in column `end` (None: not known) with pen `pen`.
    """

    start: int
    text: str
    end: int | None
    pen: int


def steps(count: int, final: str) -> str:
    """Move the cursor (CUU, CUD, CUF, CUB), if at all."""
    return f"\x1b[{count if count > 1 else ''}{final}" if count else ""


class RowEncoder:
    """Makes lines and changes for one theme."""

    def __init__(self, theme: Theme):
        self.theme = theme
        self._span = lru_cache(maxsize=1024)(self._cells)
        self.line = lru_cache(maxsize=1024)(self._line)
        """(row, columns, keep) -> its cells; the last ``columns - keep`` columns are left blank."""
        self.change = lru_cache(maxsize=1024)(self._change)
        """(old line, new line, pen) -> the `RowChange`, None when they look alike."""

    def _line(self, row: Row, columns: int, keep: int) -> CellRow:
        texts, pens, marked = zip(*starmap(self._span, row), strict=True) if row else ((),) * 3
        chars, styles, marks = "".join(texts), b"".join(pens), _NO_MARKS
        if any(marked):
            starts = accumulate(map(len, texts), initial=0)
            marks = {
                start + column: text
                for start, marks in zip(starts, marked, strict=False)
                for column, text in marks.items()
            }
        if len(chars) > keep:
            half = chars[keep] == STUB
            chars, styles = chars[:keep], styles[:keep]
            marks = {column: text for column, text in marks.items() if column < keep - half}
            if half:  # of a wide character: it would stick out
                chars = chars[:-1] + " "
                styles = styles[:-1] + bytes((self.theme.blank[styles[-1]],))
        gap = columns - len(chars)
        return CellRow(chars + " " * gap, styles + bytes(gap), marks)

    def _cells(self, style: str, text: str) -> tuple[str, bytes, Mapping[int, str]]:
        """A span as cells, the number of each one's style, and the marks, by column."""
        theme = self.theme
        number = theme.number(style)
        blank = theme.blank[number]
        # Beside other characters of that colour, blocks would cost less than two changes of colour.
        solid = None if text.strip("█") else theme.solid.get(style)
        if solid is not None and text:
            return " " * len(text), bytes((solid,)) * len(text), _NO_MARKS
        marks = _NO_MARKS
        if not (text.isascii() and text.isprintable()) and {*map(cell_width, {*text})} != {1}:
            marks = _marks_of(text)
            text = "".join([("", char, char + STUB)[cell_width(char)] for char in text])
        pens = bytes((number,)) * 32 + bytes((blank,)) + bytes((number,)) * 223
        return text, text.encode("latin-1", "replace").translate(pens), marks

    def _change(self, old: CellRow, new: CellRow, pen: int) -> RowChange | None:
        others = _number(bytes(map(ne, old.chars, new.chars)))
        others |= _number(old.styles) ^ _number(new.styles)
        if old.marks != new.marks:
            for column, _ in old.marks.items() ^ new.marks.items():
                others |= 1 << 8 * (len(new.chars) - 1 - column)
        if STUB in new.chars:  # wide ones are written whole
            others |= others >> 8 & _number(bytes([255 * (char == STUB) for char in new.chars]))
        if not others:
            return None
        differs = others.to_bytes(len(new.chars), "big")
        start = at = len(differs) - len(differs.lstrip(b"\0"))
        pieces, blank = list[str](), self.theme.blank
        for run in _RUNS.finditer(differs, start, new.end):
            first, stop = run.span()
            if first == at + 1 and new.styles[at] == (blank[pen] if new.chars[at] == " " else pen):
                first = at  # one cell more is no longer than to move over it
            elif first > at:
                text, pen = self._skip(new, at, first, pen)
                pieces.append(text)
            text, pen = self._write(new, first, stop, pen)
            pieces.append(text)
            at = stop
        if tail := _RUNS.search(differs, new.end):
            text, at, pen = self._blank(new, at, tail.start(), len(differs.rstrip(b"\0")), pen)
            pieces.append(text)
        # After the last column terminals differ in where they say the cursor is.
        return RowChange(start, "".join(pieces), at if at < len(new.chars) else None, pen)

    def _write(self, line: CellRow, start: int, stop: int, pen: int) -> tuple[str, int]:
        change, blank = self.theme.change, self.theme.blank
        written, rest = "", line.styles[start:stop]
        while rest:
            style, rest = rest[0], rest.lstrip(rest[:1])
            end = stop - len(rest)
            text = _with_marks(line, start, end) if line.marks else line.chars[start:end]
            if style != pen:
                if blank[pen] == style:  # a blank that looks the same needs no other pen
                    shown = text.lstrip(" ")
                    written += text[: len(text) - len(shown)]
                    text = shown
                if text:
                    written += change(pen, style)
                    pen = style
            written += text
            start = end
        return written.replace(STUB, ""), pen

    def _skip(self, line: CellRow, start: int, stop: int, pen: int) -> tuple[str, int]:
        """From column ``start`` to ``stop`` over cells that are right already."""
        move, change, to = steps(stop - start, "C"), self.theme.change, line.styles[stop]
        most = len(move) + len(change(pen, to))
        if stop - start <= most:  # else it is longer to write over them
            over, after = self._write(line, start, stop, pen)
            if len(over.encode()) + len(change(after, to)) <= most:
                return over, after
        return move, pen

    def _blank(
        self, line: CellRow, at: int, start: int, stop: int, pen: int
    ) -> tuple[str, int, int]:
        """Blank columns ``start`` to ``stop``, the last that are not, with the cursor in column ``at``: what
        to send, and the column and the pen afterwards.
        """
        text = ""
        if at < line.end:
            text, pen = self._skip(line, at, start, pen)
            at = start
        if self.theme.blank[pen]:
            # Erased cells take the pen's background, in some terminals its underline as well.
            text += self.theme.change(pen, 0)
            pen = 0
        if stop - at <= len(ERASE):
            return text + " " * (stop - at), stop, pen
        return text + ERASE, at, pen


def _marks_of(text: str) -> Mapping[int, str]:
    """The marks in a text that are drawn, by the column of the character they belong to."""
    marks: dict[int, str] = {}
    column, at = 0, -1
    for char in text:
        if width := cell_width(char):
            at = column if char != " " else -1
            column += width
        elif at >= 0 and is_mark(char) and len(marks.get(at, "")) < MARKS:
            marks[at] = marks.get(at, "") + char
    return marks


def _with_marks(line: CellRow, start: int, stop: int) -> str:
    """The characters of columns ``start`` to ``stop``, each with its marks."""
    marks = line.marks
    return "".join(
        [
            char + marks[column] + _to_the_next(line, column) if column in marks else char
            for column, char in enumerate(line.chars[start:stop], start)
        ]
    )


def _to_the_next(line: CellRow, column: int) -> str:
    """What is sent behind a cell with marks: some terminals give vowel signs (Mc) a cell of their own."""
    if not any(unicodedata.category(mark) == "Mc" for mark in line.marks[column]):
        return ""
    after = column + (2 if line.chars[column + 1 : column + 2] == STUB else 1)
    return f"\x1b[{after + 1}G" if after < len(line.chars) else ""


row_encoder_for = lru_cache(maxsize=64)(RowEncoder)
"""The encoder of a theme, shared by all sessions that have it."""
