"""How a game went, as lines: the totals of all seats after each stage.

Each seat has a colour, and its letter where it stands after a stage, so that nothing hangs on colours.
Letters, as numbers side by side would look like one.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from server.fullscreen.widgets.drawing import DrawContext, Glyphs
from server.terminal.drawing.frame import Row, cut, row, text_width

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


_LEFT, _RIGHT, _UP, _DOWN = 1, 2, 4, 8
_ACROSS, _ALONG = _LEFT | _RIGHT, _UP | _DOWN


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
    room = width - _AXIS - 2 - ends
    step = min(_MOST_STEP, room // stages)
    values = [0, *(total for line in lines for total in line.totals)]
    low, high = min(values), max(values)
    if step < _LEAST_STEP or height - 1 < _LEAST_ROWS:
        return []
    rows = min(height - 1, max(_LEAST_ROWS, (high - low) * _MOST_ROWS_A_POINT + 1))
    canvas = _Canvas(rows, step * stages + 2)

    def at(value: int) -> int:
        return round((high - value) * (rows - 1) / max(1, high - low))

    levels = {line.number: [at(total) for total in (0, *line.totals)] for line in lines}
    # The line that ends highest is drawn last, above the others.
    ranked = sorted(lines, key=lambda line: line.totals[-1])
    for stage in range(1, stages + 1):
        there: dict[int, list[Line]] = {}
        for line in lines:
            there.setdefault(levels[line.number][stage], []).append(line)
        most = min(step - 1, max(map(len, there.values())))
        moves = [
            (line, levels[line.number][stage - 1], levels[line.number][stage]) for line in ranked
        ]
        canvas.connect(moves, (stage - 1) * step, stage * step, step - most)
        for level, who in there.items():
            canvas.mark(level, stage * step, who, step - 1)
    labels = {at(value): value for value in (high, low, 0)}
    last = _ends(lines, [levels[line.number][-1] for line in lines], rows, ends)
    strokes = _strokes(look.glyphs)
    drawn = [
        row(
            ("dim", f"{labels.get(number, ''):>{_AXIS - 1}} "),
            *canvas.row(number, strokes),
            *last[number],
        )
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
    """Cells to draw lines in: the style of the last line there and the sides to which lines go on, or a
    letter.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self._cells: Final[list[list[tuple[str, int | str]]]] = [
            [("", 0)] * columns for _ in range(rows)
        ]

    def connect(
        self, moves: Sequence[tuple[Line, int, int]], start: int, end: int, room: int
    ) -> None:
        """Draw lines from a level at column ``start`` to another at ``end``: flat, then up or down within the
        first ``room`` columns, then flat. Lines that move alike share the column in which they turn.
        """
        turning = sorted({(before, after) for _, before, after in moves if before != after})
        first = 1 + max(0, room - len(turning)) // 2
        turns = {
            move: start + min(first + number, max(1, room - 1))
            for number, move in enumerate(turning)
        }
        for line, before, after in moves:
            style, turn = line_style(line.number), turns.get((before, after), end)
            for column in range(start, turn):
                self._put(before, column, style, _RIGHT)
                self._put(before, column + 1, style, _LEFT)
            for column in range(turn, end):
                self._put(after, column, style, _RIGHT)
                self._put(after, column + 1, style, _LEFT)
            for level in range(min(before, after), max(before, after)):
                self._put(level, turn, style, _DOWN)
                self._put(level + 1, turn, style, _UP)

    def mark(self, level: int, column: int, who: Sequence[Line], most: int) -> None:
        """The letters of those who stand there, side by side up to ``column``; "+" for those for which
        ``most`` columns are too few.
        """
        letters = [(line_style(line.number), line_letter(line.number)) for line in who]
        if len(letters) > most:
            letters[most - 1 :] = [("dim", "+")]
        self._cells[level][column + 1 - len(letters) : column + 1] = letters

    def row(self, number: int, strokes: Mapping[int, str]) -> Row:
        """One row of it."""
        return tuple(
            (style, what if isinstance(what, str) else strokes[what])
            for style, what in self._cells[number]
        )

    def _put(self, level: int, column: int, style: str, side: int) -> None:
        _, there = self._cells[level][column]
        if not isinstance(there, str):
            self._cells[level][column] = (style, there | side)


def _strokes(glyphs: Glyphs) -> Mapping[int, str]:
    """What is drawn where lines go on to these sides."""
    if glyphs.wall.isascii():
        corners, joints, line = "..''", "+++++", glyphs.line.strip() or "-"
    else:
        corners, joints, line = "".join(glyphs.corner), "┬┴├┤┼", glyphs.line.strip() or "─"
    sides = (
        *(_RIGHT | _DOWN, _LEFT | _DOWN, _RIGHT | _UP, _LEFT | _UP),
        *(_ACROSS | _DOWN, _ACROSS | _UP, _ALONG | _RIGHT, _ALONG | _LEFT, _ACROSS | _ALONG),
    )
    drawn = dict(zip(sides, corners + joints, strict=True))
    drawn |= dict.fromkeys((_LEFT, _RIGHT, _ACROSS), line)
    return {0: " ", **drawn, **dict.fromkeys((_UP, _DOWN, _ALONG), glyphs.wall)}
