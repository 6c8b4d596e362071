"""How a game went, as lines: the totals of all seats after each stage.

Each seat has a colour, and its letter where it stands after a stage, so that nothing hangs on colours.
Letters, as numbers side by side would look like one.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from server.fullscreen.widgets.drawing import DrawContext, Glyphs
from server.terminal.drawing.frame import Row, Span, cut, row, text_width

_AXIS: Final = 5
"""Columns left of the lines."""
_LEAST_STEP: Final = 3
"""Columns from one stage to the next, and no fewer."""
_MOST_STEP: Final = 40
_NAMED: Final = 44
"""Columns from which names stand at the ends of the lines."""
_LEAST_ROWS: Final = 4
_MOST_ROWS_A_POINT: Final = 3


class Line(NamedTuple):
    """One seat's line."""

    number: int
    """From 1: its letter and its colour."""
    name: str
    totals: Sequence[int]
    """After each stage."""


class _Strokes(NamedTuple):
    flat: str
    steep: str
    up: tuple[str, str]
    """Where a line turns upwards, and where it is flat again."""
    down: tuple[str, str]


def line_letter(number: int) -> str:
    """What stands for a seat in a chart; ``number`` from 1."""
    return chr(ord("A") + number - 1)


def line_style(number: int) -> str:
    """The style of a seat's line; ``number`` from 1."""
    return f"line.{(number - 1) % 6 + 1}"


def chart_rows(lines: Sequence[Line], width: int, height: int, look: DrawContext) -> list[Row]:
    """A chart in ``width`` columns and about ``height`` rows, with its axis; nothing where there is no room
    or only one stage to see.
    """
    stages = len(lines[0].totals) if lines else 0
    if stages < 2:
        return []
    ends = max(text_width(f" A {line.name} {line.totals[-1]}") for line in lines)
    ends = min(ends, max(8, width // 4)) if width >= _NAMED else 0
    room = width - _AXIS - 2 - len(lines) // 2 - ends
    step = min(_MOST_STEP, room // stages)
    values = [0, *(total for line in lines for total in line.totals)]
    low, high = min(values), max(values)
    if step < _LEAST_STEP or height - 1 < _LEAST_ROWS:
        return []
    rows = min(height - 1, max(_LEAST_ROWS, (high - low) * _MOST_ROWS_A_POINT + 1))
    canvas = _Canvas(rows, step * stages + 2 + len(lines) // 2)

    def at(value: int) -> int:
        return round((high - value) * (rows - 1) / max(1, high - low))

    # Whoever is ahead in the end is drawn last, above the others.
    for line in sorted(lines, key=lambda line: line.totals[-1]):
        canvas.draw(line, [at(total) for total in (0, *line.totals)], step, look.glyphs, len(lines))
    for stage in range(1, stages + 1):
        there: dict[int, list[Line]] = {}
        for line in lines:
            there.setdefault(at(line.totals[stage - 1]), []).append(line)
        for level, who in there.items():
            canvas.mark(level, stage * step, who)
    labels = {at(value): value for value in (high, low, 0)}
    last = _ends(lines, [at(line.totals[-1]) for line in lines], rows, ends)
    drawn = [
        row(("dim", f"{labels.get(number, ''):>{_AXIS - 1}} "), *canvas.row(number), *last[number])
        for number in range(rows)
    ]
    base = " " * (_AXIS + 1) + "".join(f"{stage:>{step}}" for stage in range(1, stages + 1))
    return [*drawn, row(("dim", base))]


def _ends(lines: Sequence[Line], levels: Sequence[int], rows: int, room: int) -> list[Row]:
    """Whose line ends there, for each row: the best first, none in the same row as another."""
    labels: list[Row] = [()] * rows
    ranked = sorted(zip(levels, lines, strict=True), key=lambda each: -each[1].totals[-1])
    free = 0
    for left, (level, line) in zip(range(len(ranked), 0, -1), ranked, strict=True):
        place = min(max(level, free), rows - left)
        if room and place >= free:
            total = f" {line.totals[-1]}"
            name = cut(f" {line_letter(line.number)} {line.name}", max(1, room - len(total)))
            labels[place] = row((line_style(line.number), name + total))
            free = place + 1
    return labels


class _Canvas:
    """Cells to draw lines in."""

    def __init__(self, rows: int, columns: int) -> None:
        self._cells: Final[list[list[Span]]] = [[("", " ")] * columns for _ in range(rows)]
        self.columns: Final = columns

    def draw(
        self, line: Line, levels: Sequence[int], step: int, glyphs: Glyphs, lines: int
    ) -> None:
        """Flat until about halfway between two stages, then up or down, then flat again."""
        style, strokes = line_style(line.number), _strokes(glyphs)
        # Lines that climb at the same time do it side by side.
        turn = max(1, min(step - 2, step // 2 - lines // 2 + line.number - 1))
        for stage, (before, after) in enumerate(pairwise(levels)):
            start = stage * step
            for column in range(start, start + turn):
                self._put(before, column, style, strokes.flat)
            for column in range(start + turn + 1, start + step + 1):
                self._put(after, column, style, strokes.flat)
            if before == after:
                self._put(before, start + turn, style, strokes.flat)
                continue
            first, then = strokes.up if after < before else strokes.down
            self._put(before, start + turn, style, first)
            self._put(after, start + turn, style, then)
            for level in range(min(before, after) + 1, max(before, after)):
                self._put(level, start + turn, style, strokes.steep)

    def mark(self, level: int, column: int, who: Sequence[Line]) -> None:
        """The letters of those who stand there, side by side around ``column``."""
        for at, line in enumerate(who, column - (len(who) - 1) // 2):
            self._put(level, at, line_style(line.number), line_letter(line.number))

    def row(self, number: int) -> Row:
        """One row of it."""
        return tuple(self._cells[number])

    def _put(self, level: int, column: int, style: str, sign: str) -> None:
        if 0 <= column < self.columns:
            self._cells[level][column] = (style, sign)


def _strokes(glyphs: Glyphs) -> _Strokes:
    if glyphs.wall.isascii():
        return _Strokes(glyphs.line.strip() or "-", glyphs.wall, ("'", "."), (".", "'"))
    (top_left, top_right, bottom_left, bottom_right) = glyphs.corner
    line = glyphs.line.strip() or "─"
    return _Strokes(line, glyphs.wall, (bottom_right, top_left), (top_right, bottom_left))
