"""Rows of styled text as cells, and what turns one row into another.

A cell is a character with its marks.
"""

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from itertools import accumulate, starmap
from operator import ne
from typing import Final, NamedTuple

from server.terminal.drawing.frame import Row, cell_width, is_mark, is_spacing
from server.terminal.drawing.theme import Theme

STUB = "\0"
"""Stands in the second column of a wide character."""

ERASE = "\x1b[K"
"""Erase to the end of the line (EL)."""

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
    """How to turn one line into another: begin at `start` with the pen it was made for, send `text`.

    Then the cursor is in column `end` (None: not known) with pen `pen`.
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
            # What would stick out, half of a wide character, is left blank.
            whole = len(chars[: keep + 1].rstrip(STUB)) - 1 if chars[keep] == STUB else keep
            blank = bytes((self.theme.blank[styles[whole]],))
            chars = chars[:whole] + " " * (keep - whole)
            styles = styles[:whole] + blank * (keep - whole)
            marks = {column: text for column, text in marks.items() if column < whole}
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
        if not (text.isascii() and text.isprintable()):
            text, marks = _cells_of(text)
        pens = bytes((number,)) * 32 + bytes((blank,)) + bytes((number,)) * 223
        return text, text.encode("latin-1", "replace").translate(pens), marks

    def _change(self, old: CellRow, new: CellRow, pen: int) -> RowChange | None:
        others = _number(bytes(map(ne, old.chars, new.chars)))
        others |= _number(old.styles) ^ _number(new.styles)
        if old.marks != new.marks:
            for column, _ in old.marks.items() ^ new.marks.items():
                others |= 1 << 8 * (len(new.chars) - 1 - column)
        if STUB in new.chars:  # wide ones are written whole
            stubs = _number(bytes([255 * (char == STUB) for char in new.chars]))
            while more := others >> 8 & stubs & ~others:
                others |= more
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
        """Blank columns ``start`` to ``stop``, the last that are not, with the cursor in column ``at``.

        What to send, and the column and the pen afterwards.
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


def _cells_of(text: str) -> tuple[str, Mapping[int, str]]:
    """A text as cells, and the marks that are drawn, by the column of the character they belong to.

    One that has a column of its own makes that a wide character.
    """
    cells, marks, base = list[str](), dict[int, str](), -1
    for char in text:
        width = cell_width(char)
        if is_spacing(char):
            cells.append(STUB if base >= 0 else " ")
        elif width:
            base = len(cells) if char != " " else -1
            cells += char + STUB * (width - 1)
            continue
        elif not is_mark(char):
            continue
        if base >= 0:
            marks[base] = marks.get(base, "") + char
    return "".join(cells), marks


def _with_marks(line: CellRow, start: int, stop: int) -> str:
    """The characters of columns ``start`` to ``stop``, each with its marks."""
    marks = line.marks
    return "".join(
        [
            _marked(line, column) if column in marks else char
            for column, char in enumerate(line.chars[start:stop], start)
        ]
    )


def _marked(line: CellRow, column: int) -> str:
    """A cell with its marks.

    Some terminals give vowel signs (Mc) no column of their own: there, it is blanked before.
    """
    text = line.chars[column] + line.marks[column]
    if not any(map(is_spacing, line.marks[column])):
        return text
    after = len(line.chars) - len(line.chars[column + 1 :].lstrip(STUB))
    onward = f"\x1b[{after + 1}G" if after < len(line.chars) else ""
    return f"{' ' * (after - column)}\x1b[{column + 1}G{text}{onward}"


row_encoder_for = lru_cache(maxsize=64)(RowEncoder)
"""The encoder of a theme, shared by all sessions that have it."""
