"""Sends what differs between the last frame and the next, in the fewest bytes.

Rows of styled text become cells, each a character with its marks. What turns one such line into another
depends only on the theme, the two lines and the pen, not on the session: it is kept, so that the seats of a
table, whose screens share most rows, pay once.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate, compress, count, repeat, starmap, zip_longest
from operator import is_not, ne
from typing import Final, NamedTuple

from server.terminal.capabilities import Size
from server.terminal.drawing.frame import (
    BLANK,
    CursorPosition,
    Frame,
    Row,
    cell_width,
    is_mark,
    is_spacing,
)
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


_MODES_OFF = "\x1b[m\x1b[?7h\x1b[?25h\x1b[?2004l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"
USUAL_KEYS = "\x1b[<u\x1b[>4m\x1b[?1l\x1b>"
"""Has keys sent as usual, if a program before has left it otherwise: kitty's keyboard protocol, xterm's
modifyOtherKeys, cursor keys and keypad in application mode. What does not know the second may underline."""

# Alternate screen (1049), no scroll region, no wrapping at the margin, pasted text marked as such.
_ENTER = f"\x1b[?1049h{USUAL_KEYS}\x1b[r\x1b[?7l\x1b[?2004h"
# Before leaving the alternate screen, wipe it: terminals without one would keep the last frame. The
# modes once more afterwards, for terminals that keep a set of them for each screen.
_LEAVE = f"\x1b[m\x1b[2J\x1b[H{_MODES_OFF}\x1b[?1049l{_MODES_OFF}"

_SYNC_FROM = 160
"""Bytes from which a frame is worth the 16 that keep it in one piece; less never tears."""


@dataclass(slots=True, eq=False)
class FrameEncoder:
    """What one terminal shows, and how to make it show something else."""

    theme: Theme
    """After another one is set, everything is to be painted: `forget`."""
    synchronized: bool = False
    """Wrap larger frames in synchronized output (DEC private mode 2026)."""
    _pen: int = 0
    _x: int | None = None  # where the terminal's cursor is; None: not known
    _y: int = 0
    _cursor: CursorPosition | None = None  # where it is shown
    _size: Size | None = None
    _rows: tuple[Row, ...] = ()
    _lines: list[CellRow] | None = None  # None: what the terminal shows is not known

    def forget(self) -> None:
        """What the terminal shows is no longer known: the next update paints everything."""
        self._rows, self._lines = (), None

    def enter(self) -> str:
        """What takes the terminal over."""
        self.forget()
        return _ENTER

    def leave(self) -> str:
        """What gives the terminal back as it was, whatever was shown; its title was never touched."""
        self.forget()
        return _LEAVE

    def update(self, frame: Frame, size: Size) -> str:
        """What to send, in one piece, so that the terminal shows ``frame``; empty when it does.

        Rows and columns beyond ``size`` are left out; the last column of the last row stays blank,
        because writing there makes some terminals scroll. Raises KeyError for an unknown style.
        """
        if min(size) < 1:
            size = Size(max(1, size.columns), max(1, size.rows))
        rows = frame.rows[: size.rows]
        if self._lines is None or size != self._size:
            text = self._repaint(rows, size)
        else:
            text = self._redraw(rows, size)
        if frame.cursor or self._cursor:
            text += self._place(frame.cursor, size)
        if self.synchronized and len(text) >= _SYNC_FROM:
            return f"\x1b[?2026h{text}\x1b[?2026l"
        return text

    def _redraw(self, rows: tuple[Row, ...], size: Size) -> str:
        before, shown = self._rows, self._lines
        assert shown is not None
        if rows is before:
            return ""
        make = row_encoder_for(self.theme).line
        last = size.rows - 1
        lines = shown.copy()
        changed: list[int] = []
        pairs = [*zip_longest(rows, before, fillvalue=BLANK)]
        for y in compress(count(), starmap(is_not, pairs)):
            row, was = pairs[y]
            if row == was:
                continue
            line = make(row, size.columns, size.columns - (y == last))
            if line is not shown[y]:
                lines[y] = line
                changed.append(y)
        self._rows, self._lines = rows, lines
        start = self._pen, self._x, self._y
        text = self._draw(changed, shown, lines)
        if 2 * len(changed) > size.rows:  # perhaps it is another screen altogether
            drawn = self._pen, self._x, self._y
            self._pen, self._x, self._y = start
            afresh = self._afresh(lines, size)
            if len(afresh.encode()) < len(text.encode()):
                return afresh
            self._pen, self._x, self._y = drawn
        return text

    def _repaint(self, rows: tuple[Row, ...], size: Size) -> str:
        make, columns = row_encoder_for(self.theme).line, size.columns
        full = (*rows, *(BLANK,) * (size.rows - len(rows)))
        lines = [*map(make, full, repeat(columns), repeat(columns))]
        lines[-1] = make(full[-1], columns, columns - 1)
        self._lines, self._rows, self._size = lines, rows, size
        self._pen, self._cursor = 0, None
        return "\x1b[?25l\x1b[m" + self._afresh(lines, size)

    def _afresh(self, lines: list[CellRow], size: Size) -> str:
        """Erase everything, then write what is not blank."""
        # With a plain pen: so erased cells are only blank.
        text = self.theme.change(self._pen, 0) + "\x1b[2J\x1b[H"
        blank = row_encoder_for(self.theme).line(BLANK, size.columns, size.columns)
        self._pen = self._x = self._y = 0
        return text + self._draw(range(size.rows), [blank] * size.rows, lines)

    def _draw(self, where: Iterable[int], shown: list[CellRow], lines: list[CellRow]) -> str:
        """Turn the rows ``where`` of what is shown into those of ``lines``."""
        turn, pieces = row_encoder_for(self.theme).change, list[str]()
        pen, column, row = self._pen, self._x, self._y
        for y in where:
            old, new = shown[y], lines[y]
            if old is new or (change := turn(old, new, pen)) is None:
                continue
            start, text, end, pen = change
            pieces += (move(column, row, start, y), text)
            column, row = end, y
        self._pen, self._x, self._y = pen, column, row
        return "".join(pieces)

    def _place(self, cursor: CursorPosition | None, size: Size) -> str:
        if cursor is None:
            shown, self._cursor = self._cursor, None
            return "\x1b[?25l" if shown else ""
        column = min(max(cursor.column, 0), size.columns - 1)
        row = min(max(cursor.row, 0), size.rows - 1)
        text = move(self._x, self._y, column, row)
        self._x, self._y = column, row
        if self._cursor is None:
            text += "\x1b[?25h"
        self._cursor = cursor
        return text


@lru_cache(maxsize=8192)
def move(x: int | None, y: int, to_x: int, to_y: int) -> str:
    """The shortest way for the cursor from column ``x`` (None: not known) of row ``y``."""
    if x == to_x and y == to_y:
        return ""
    ways = [f"\x1b[{to_y + 1 if to_y else ''}{f';{to_x + 1}' if to_x else ''}H"]
    if x is not None:
        down = to_y - y
        # A line feed keeps the column, or does not, depending on the line in between: so always with
        # a carriage return. Never downwards from the last row, so nothing scrolls.
        if down >= 0:
            ways.append("\r" + "\n" * down + steps(to_x, "C"))
        back = min("\b" * (x - to_x), steps(max(0, x - to_x), "D"), key=len)
        vertical = steps(down, "B") if down > 0 else steps(-down, "A")
        ways.append(vertical + (back or steps(to_x - x, "C")))
    return min(ways, key=len)
