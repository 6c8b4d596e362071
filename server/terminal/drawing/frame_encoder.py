"""Sends what differs between the last frame and the next, in the fewest bytes."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, count, repeat, starmap, zip_longest
from operator import is_not

from server.terminal.capabilities import Size
from server.terminal.drawing.cell_diff import CellRow, row_encoder_for, steps
from server.terminal.drawing.frame import BLANK, Cursor, Frame, Row
from server.terminal.drawing.theme import Theme

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
    _cursor: Cursor | None = None  # where it is shown
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
        text = self._plain() + "\x1b[2J\x1b[H"
        blank = row_encoder_for(self.theme).line(BLANK, size.columns, size.columns)
        self._x, self._y = 0, 0
        return text + self._draw(range(size.rows), [blank] * size.rows, lines)

    def _plain(self) -> str:
        """What makes sure that erased cells are only blank."""
        pen, self._pen = self._pen, 0
        return self.theme.change(pen, 0)

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

    def _place(self, cursor: Cursor | None, size: Size) -> str:
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
