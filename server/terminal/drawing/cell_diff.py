"""Rows of styled text as cells, and what to send to turn one such line into another.

All of it depends only on the theme, the two lines and the pen, not on the session: it is kept, so that
the seats of a table, whose screens share most rows, pay once.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import compress, count
from operator import ne, or_

from server.terminal.drawing.frame import Row, cell_width
from server.terminal.drawing.sgr import change
from server.terminal.drawing.theme import Theme

STUB = "\0"
"""Stands in the second column of a wide character."""

ERASE = "\x1b[K"
"""Erase to the end of the line (EL)."""

_SEEN = 1024
"""Rows that are known by identity at most."""

_LONGEST_GAP = 12
"""Columns beyond which writing over what has not changed is never shorter than moving."""


class CellRow:
    """One row of the screen as cells, exactly as wide as the screen. Compared by identity."""

    __slots__ = ("chars", "end", "looks")

    def __init__(self, chars: str, looks: bytes):
        self.chars = chars
        self.looks = looks
        filled = len(looks.rstrip(b"\0"))
        self.end = max(filled, len(chars.rstrip(" ")))
        """All columns from here on are plain blanks."""

    @property
    def ink(self) -> int:
        """How many characters are to be seen."""
        return len(self.chars) - self.chars.count(" ")


class RowChange:
    """How to turn one line into another: begin at `start` with the pen it was made for, send `text`;
    then the cursor is in column `end` (None: not known) with pen `pen`.
    """

    __slots__ = ("end", "pen", "start", "text")

    def __init__(self, start: int, text: str, end: int | None, pen: int):
        self.start = start
        self.text = text
        self.end = end
        self.pen = pen


def forward(columns: int) -> str:
    """Cursor forward (CUF) by at least one column."""
    return "\x1b[C" if columns == 1 else f"\x1b[{columns}C"


class Painter:
    """Makes lines and changes for one theme."""

    def __init__(self, theme: Theme):
        self.theme = theme
        self._lines = lru_cache(maxsize=2048)(self._line)
        self._span = lru_cache(maxsize=4096)(self._cells)
        self._seen: dict[tuple[int, int, int], tuple[Row, CellRow]] = {}
        self.change = lru_cache(maxsize=2048)(self._change)
        """(old line, new line, pen) -> the `Change`, None when they look the same."""

    def line(self, row: Row, columns: int, keep: int) -> CellRow:
        """The `Line` for ``row``; the last ``columns - keep`` columns are left blank."""
        # The seats of a table share most of their rows: which one it is costs less to see than what is in it.
        key = (id(row), columns, keep)
        seen = self._seen.get(key)
        if seen is not None and seen[0] is row:
            return seen[1]
        line = self._lines(row, columns, keep)
        if len(self._seen) >= _SEEN:
            self._seen.clear()
        self._seen[key] = (row, line)
        return line

    def _line(self, row: Row, columns: int, keep: int) -> CellRow:
        spans = [self._span(style, text) for style, text in row]
        chars = "".join([chars for chars, _ in spans])
        looks = b"".join([looks for _, looks in spans])
        if len(chars) > keep:
            half = chars[keep] == STUB
            chars, looks = chars[:keep], looks[:keep]
            if half:  # of a wide character: it would stick out
                chars = chars[:-1] + " "
                looks = looks[:-1] + bytes((self.theme.blank[looks[-1]],))
        gap = columns - len(chars)
        return CellRow(chars + " " * gap, looks + bytes(gap))

    def _cells(self, style: str, text: str) -> tuple[str, bytes]:
        """A span as cells, and the look of each."""
        theme = self.theme
        look = theme.number(style)
        blank = theme.blank[look]
        # Beside other characters of that colour, blocks would cost less than two changes of colour.
        solid = None if text.strip("█") else theme.solid.get(style)
        if text.isascii() and text.isprintable():
            if blank == look:
                return text, bytes((look,)) * len(text)
            return text, bytes([blank if char == " " else look for char in text])
        if solid is not None:
            return " " * len(text), bytes((solid,)) * len(text)
        chars: list[str] = []
        looks = bytearray()
        for char in text:
            width = cell_width(char)
            if not width:
                continue
            if width == 1:
                chars.append(char)
                looks.append(blank if char == " " else look)
            else:
                chars += (char, STUB)
                looks += bytes((look, look))
        return "".join(chars), bytes(looks)

    def _change(self, old: CellRow, new: CellRow, pen: int) -> RowChange | None:
        others = map(or_, map(ne, old.chars, new.chars), map(ne, old.looks, new.looks))
        places = list(compress(count(), others))
        if not places:
            return None
        start = at = places[0]
        pieces: list[str] = []
        for first, stop in _runs(places, new):
            text, pen = self._skip(new, at, first, pen)
            shown, pen = self._write(new, first, stop, pen)
            pieces += (text, shown)
            at = stop
        if places[-1] >= new.end:
            tail = next(column for column in places if column >= new.end)
            text, at, pen = self._blank(new, at, tail, places[-1] + 1, pen)
            pieces.append(text)
        # After the last column terminals differ in where they say the cursor is.
        return RowChange(start, "".join(pieces), at if at < len(new.chars) else None, pen)

    def _write(self, line: CellRow, start: int, stop: int, pen: int) -> tuple[str, int]:
        looks, blank = self.theme.looks, self.theme.blank
        only = line.looks[start]
        if line.looks.count(only, start, stop) == stop - start:
            # All in one look, as words are: it comes out as below.
            chars = line.chars[start:stop].replace(STUB, "")
            if only == pen:
                return chars, pen
            if " " not in chars or blank[pen] != only:
                return change(looks[pen], looks[only]) + chars, only
        pieces: list[str] = []
        for char, look in zip(line.chars[start:stop], line.looks[start:stop], strict=True):
            if char == STUB:
                continue
            if look != pen and not (char == " " and blank[pen] == look):
                pieces.append(change(looks[pen], looks[look]))
                pen = look
            pieces.append(char)
        return "".join(pieces), pen

    def _skip(self, line: CellRow, start: int, stop: int, pen: int) -> tuple[str, int]:
        """From column ``start`` to ``stop`` over cells that are right already."""
        gap = stop - start
        if not gap:
            return "", pen
        if (
            gap == 1
            and line.chars[start] == " "
            and line.looks[start] in {pen, self.theme.blank[pen]}
        ):
            return " ", pen  # between two words, as a rule: nothing is shorter
        move = forward(gap)
        if gap <= _LONGEST_GAP:
            looks = self.theme.looks
            over, after = self._write(line, start, stop, pen)
            to = looks[line.looks[stop]]
            saved = len(change(looks[pen], to)) - len(change(looks[after], to))
            if len(over.encode()) - saved <= len(move):
                return over, after
        return move, pen

    def _blank(
        self, line: CellRow, at: int, start: int, stop: int, pen: int
    ) -> tuple[str, int, int]:
        """Blank columns ``start`` to ``stop``, the last that are not, with the cursor in column ``at``.

        Returns what to send, and the column and the pen afterwards.
        """
        text = ""
        if at < line.end:
            text, pen = self._skip(line, at, start, pen)
            at = start
        if self.theme.blank[pen]:
            # Erased cells take the pen's background, in some terminals its underline as well.
            text += change(self.theme.looks[pen], self.theme.looks[0])
            pen = 0
        if stop - at <= len(ERASE):
            return text + " " * (stop - at), stop, pen
        return text + ERASE, at, pen


def _runs(places: list[int], line: CellRow) -> Iterator[tuple[int, int]]:
    """Stretches of neighbouring columns among ``places`` before the blank tail; wide ones whole."""
    first = stop = places[0]
    for column in places:
        if column >= line.end:
            break
        if column > stop:
            yield first, stop
            first = column
        stop = column + (2 if line.chars[column + 1 : column + 2] == STUB else 1)
    if stop > first:
        yield first, stop


@lru_cache(maxsize=64)
def painter_for(theme: Theme) -> Painter:
    """The painter of a theme, shared by all sessions that have it."""
    return Painter(theme)
