"""Sends what differs between the last frame and the next, in the fewest bytes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, count, repeat, starmap, zip_longest
from operator import is_not

from server.terminal.capabilities import Size
from server.terminal.drawing.cell_diff import CellRow, RowEncoder, row_encoder_for, steps
from server.terminal.drawing.frame import BLANK, Changes, Cursor, Frame, Row
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

_SCROLLED_FROM = 3
"""Changed rows from which some may only have moved."""

_Pen = tuple[int, int | None, int]
"""(style, column or None, row) of the terminal's cursor."""

_Scroll = tuple[int, int, int]
"""(first row, last row, by how many rows down; negative: up) of a block that moves."""


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
        elif frame.changes and frame.before is self._rows:
            text = self._step(rows, frame.changes, size)
        else:
            text = self._redraw(rows, size)
        if frame.cursor or self._cursor:
            text += self._place(frame.cursor, size)
        if self.synchronized and len(text) >= _SYNC_FROM:
            return f"\x1b[?2026h{text}\x1b[?2026l"
        return text

    def _step(self, rows: tuple[Row, ...], changes: Changes, size: Size) -> str:
        """As ``_redraw``, where nothing has changed but what changes for others as well."""
        assert self._lines is not None
        pen = self._pen, self._x, self._y
        if (found := changes.drawn.get((self.theme, size, pen))) is None:
            encoder, last = row_encoder_for(self.theme), size.rows - 1
            lines = {
                y: encoder.line(row, size.columns, size.columns - (y == last))
                for y, _, row in changes.rows
            }
            found = (lines, *_drawn(lines, self._lines, lines, encoder, pen))
            changes.drawn[self.theme, size, pen] = found
        lines, text, (self._pen, self._x, self._y) = found
        for y in lines:
            self._lines[y] = lines[y]
        self._rows = rows
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
        if len(changed) < _SCROLLED_FROM:
            return text
        # Much has changed. Perhaps most of it only moved, or it is another screen altogether.
        if step := _find_scroll(changed, shown, lines):
            text = self._shorter(text, start, lambda: self._scroll(step, shown, lines, size))
        if 2 * len(changed) > size.rows:
            text = self._shorter(text, start, lambda: self._afresh(lines, size))
        return text

    def _shorter(self, text: str, start: _Pen, other: Callable[[], str]) -> str:
        """``text``, just drawn, or another way from ``start`` to the same screen if that is shorter."""
        drawn = self._pen, self._x, self._y
        self._pen, self._x, self._y = start
        instead = other()
        if len(instead.encode()) < len(text.encode()):
            return instead
        self._pen, self._x, self._y = drawn
        return text

    def _scroll(self, step: _Scroll, shown: list[CellRow], lines: list[CellRow], size: Size) -> str:
        """Move a block of rows (DECSTBM, IL, DL), then draw what else has changed."""
        top, bottom, by = step
        text = self._plain()
        text += f"\x1b[{top + 1};{bottom + 1}r" + move(None, 0, 0, top)
        text += f"\x1b[{'' if abs(by) == 1 else abs(by)}{'L' if by > 0 else 'M'}\x1b[r"
        self._x = None  # setting the margins moves the cursor home, but not everywhere
        gap = [row_encoder_for(self.theme).line(BLANK, size.columns, size.columns)] * abs(by)
        block = shown[top : bottom + 1]
        moved = [*gap, *block[:-by]] if by > 0 else [*block[-by:], *gap]
        now = [*shown[:top], *moved, *shown[bottom + 1 :]]
        return text + self._draw(range(size.rows), now, lines)

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
        encoder, pen = row_encoder_for(self.theme), (self._pen, self._x, self._y)
        text, (self._pen, self._x, self._y) = _drawn(where, shown, lines, encoder, pen)
        return text

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


def _drawn(
    where: Iterable[int],
    shown: Sequence[CellRow] | Mapping[int, CellRow],
    lines: Sequence[CellRow] | Mapping[int, CellRow],
    encoder: RowEncoder,
    pen: _Pen,
) -> tuple[str, _Pen]:
    """What turns rows into others, and where it leaves the cursor."""
    (style, x, at), pieces = pen, list[str]()
    for y in where:
        old, new = shown[y], lines[y]
        if old is new or (step := encoder.change(old, new, style)) is None:
            continue
        start, text, end, style = step
        pieces += (move(x, at, start, y), text)
        x, at = end, y
    return "".join(pieces), (style, x, at)


def _find_scroll(changed: list[int], shown: list[CellRow], lines: list[CellRow]) -> _Scroll | None:
    """The block of rows in which most has only moved, if there is one."""
    where = dict(zip(shown, count(), strict=False))
    moved: dict[int, list[int]] = {}
    for y in changed:
        origin = where.get(lines[y])
        if origin is not None and origin != y and lines[y].end:
            moved.setdefault(y - origin, []).append(y)
    if not moved:
        return None
    by, rows = max(moved.items(), key=lambda item: sum(lines[y].visible for y in item[1]))
    ends = [*rows, *(y - by for y in rows)]
    first, last = min(ends), max(ends)
    # What is beside them may have moved with them, into another colour.
    down, up = max(by, 0), max(-by, 0)
    while first and _same_text(shown[first - 1 + up], lines[first - 1 + down]):
        first -= 1
    while last + 1 < len(lines) and _same_text(shown[last + 1 - down], lines[last + 1 - up]):
        last += 1
    return first, last, by


def _same_text(one: CellRow, other: CellRow) -> bool:
    return bool(other.end) and one.chars == other.chars and one.marks == other.marks


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
