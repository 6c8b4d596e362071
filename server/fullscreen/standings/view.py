"""The standings of a game, and their chart."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from engine.standings import Standing, standings
from engine.views import TableView
from server.coordinator.messages import TablePublic
from server.fullscreen.standings.podium import (
    ALL,
    PodiumStep,
    announced_rows,
    podium_rows,
    steps_of,
)
from server.fullscreen.widgets.chrome import paragraph
from server.fullscreen.widgets.drawing import (
    DrawContext,
    Glyphs,
    labelled,
    shortest,
    side_by_side,
    wrap_facts,
)
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, Span, cut, fit, row, text_width
from server.text.happenings import wins_in_words
from server.text.rounds import highlights_in_words, signed
from server.viewmodels.table import HandLine, code_of, hand_results, headline, seat_names, verdict

_AXIS: Final = 5
"""Columns left of the lines."""
_LEAST_STEP: Final = 3
"""Columns from one stage to the next, and no fewer."""
_MOST_STEP: Final = 40
_NAMED: Final = 44
"""Columns from which names stand at the ends of the lines."""
_LEAST_ROWS: Final = 4
_MOST_ROWS_A_POINT: Final = 3


_LEFT, _RIGHT, _UP, _DOWN = 1, 2, 4, 8
_ACROSS, _ALONG = _LEFT | _RIGHT, _UP | _DOWN


def seat_letter(seat: int) -> str:
    """What stands for a seat in a chart."""
    return chr(ord("A") + seat)


def line_style(seat: int) -> str:
    """The style of a seat's line."""
    return f"line.{seat % 6 + 1}"


def chart_rows(
    seats: Sequence[Standing], names: Sequence[str], width: int, height: int, look: DrawContext
) -> list[Row]:
    """A chart in ``width`` columns and about ``height`` rows, with its axis; ``seats`` come best first.

    Nothing where there is no room or only one stage to see.
    """
    lines = {each.seat: (0, *each.totals) for each in sorted(seats, key=lambda each: each.seat)}
    stages = len(seats[0].points)
    if stages < 2:
        return []
    ends = max(text_width(f" A {names[seat]} {totals[-1]}") for seat, totals in lines.items())
    ends = min(ends, max(8, width // 4)) if width >= _NAMED else 0
    room = width - _AXIS - 2 - ends
    step = min(_MOST_STEP, room // stages)
    values = [*chain.from_iterable(lines.values())]
    low, high = min(values), max(values)
    if step < _LEAST_STEP or height - 1 < _LEAST_ROWS:
        return []
    rows = min(height - 1, max(_LEAST_ROWS, (high - low) * _MOST_ROWS_A_POINT + 1))
    canvas = _Canvas(rows, step * stages + 2)

    def at(value: int) -> int:
        return round((high - value) * (rows - 1) / max(1, high - low))

    levels = {seat: [at(total) for total in totals] for seat, totals in lines.items()}
    # The line that ends highest is drawn last, above the others.
    ranked = sorted(lines, key=lambda seat: lines[seat][-1])
    for stage in range(1, stages + 1):
        there: dict[int, list[int]] = {}
        for seat in lines:
            there.setdefault(levels[seat][stage], []).append(seat)
        most = min(step - 1, max(map(len, there.values())))
        moves = [(seat, levels[seat][stage - 1], levels[seat][stage]) for seat in ranked]
        canvas.connect(moves, (stage - 1) * step, stage * step, step - most)
        for level, met in there.items():
            canvas.mark(level, stage * step, met, step - 1)
    labels = {at(value): value for value in (high, low, 0)}
    ended = [(names[each.seat], each, levels[each.seat][-1]) for each in seats]
    last = _ends(ended, rows, ends)
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


def _ends(lines: Sequence[tuple[str, Standing, int]], rows: int, room: int) -> list[Row]:
    """Draw the name at the end of each line, by rows: none in the same row as another.

    ``lines`` are (name, standing, level), the best first.
    """
    labels: list[Row] = [()] * rows
    free = 0
    for left, (name, standing, level) in zip(range(len(lines), 0, -1), lines, strict=True):
        place = min(max(level, free), rows - left)
        if room and place >= free:
            total = f" {standing.total}"
            said = cut(f" {seat_letter(standing.seat)} {name}", max(1, room - len(total)))
            labels[place] = row((line_style(standing.seat), said + total))
            free = place + 1
    return labels


class _Canvas:
    """Cells to draw lines in.

    The style of the last line there and the sides to which lines go on, or a letter.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self._cells: Final[list[list[tuple[str, int | str]]]] = [
            [("", 0)] * columns for _ in range(rows)
        ]

    def connect(
        self, moves: Sequence[tuple[int, int, int]], start: int, end: int, room: int
    ) -> None:
        """Draw lines of seats from a level at column ``start`` to another at ``end``.

        Flat, then up or down within the first ``room`` columns, then flat. Lines that move alike
        share the column in which they turn.
        """
        turning = sorted({(before, after) for _, before, after in moves if before != after})
        first = 1 + max(0, room - len(turning)) // 2
        turns = {
            move: start + min(first + number, max(1, room - 1))
            for number, move in enumerate(turning)
        }
        for seat, before, after in moves:
            style, turn = line_style(seat), turns.get((before, after), end)
            for column in range(start, turn):
                self._put(before, column, style, _RIGHT)
                self._put(before, column + 1, style, _LEFT)
            for column in range(turn, end):
                self._put(after, column, style, _RIGHT)
                self._put(after, column + 1, style, _LEFT)
            for level in range(min(before, after), max(before, after)):
                self._put(level, turn, style, _DOWN)
                self._put(level + 1, turn, style, _UP)

    def mark(self, level: int, column: int, seats: Sequence[int], most: int) -> None:
        """The letters of those who stand there, side by side up to ``column``.

        "+" for those for which ``most`` columns are too few.
        """
        letters = [(line_style(seat), seat_letter(seat)) for seat in seats]
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


_STAGE: Final = 5
"""Columns of a stage in the table of points; the others are ``_FIXED``."""
_FIXED: Final = 12
_NARROW: Final = 1
"""Columns by which each number is narrower where there is no room."""
_WIDE: Final = 80
_LEAST_NAME: Final = 6
_LONG_NAME: Final = 18
_LABEL: Final = 11
"""Columns of what stands before a long word."""
_TWO: Final = 76
"""Columns from which the chart stands beside the points ..."""
_ROOMY: Final = 110
"""... and from which it is higher than those, so that the key moments stand below them."""
_GAP: Final = 3
"""Columns between the two."""
_LOW_CHART: Final = 10
"""Rows of a chart where there is little room."""
_TALL: Final = 36
"""Rows of a screen from which the podium is twice as high."""
_FRAME: Final = 6
"""Rows of a screen that are not for the standings: title, footer, the head and the foot of the chart."""


def points_style(points: int) -> str:
    """Return the style for the points of a stage."""
    return "good" if points > 0 else "bad" if points < 0 else "text"


def final_lines(
    info: TablePublic, view: TableView, you: int, size: Size, look: DrawContext, standing: int = ALL
) -> list[Row]:
    """Everything about a finished game, as lines to scroll on a screen of this size.

    So many are ``standing`` on the podium by now.
    """
    width = size.columns
    lines = [*_headline(info, view, you, size, look, shown=standing == ALL), BLANK]
    top = (
        _beside(info, view, you, size, look, standing, len(lines))
        if width >= _TWO
        else _below(info, view, you, size, look)
    )
    lines += top
    words = look.words
    if hands := hand_results(info, view, words):
        head = words.t("What everybody scored with the same hand")
        best = f"   {words.t('* best result')}"
        lines.append(BLANK)
        if text_width(head) + text_width(best) <= width - 4:
            lines.append(row("  ", ("heading", head), ("dim", best)))
        else:
            lines += paragraph(head, width, "heading")
        lines += _hands(hands, width, look)
    if info.seed:
        lines.append(BLANK)
        told = words.t("The deal can be checked: this seed gives every card and tide of the game.")
        lines += paragraph(told, width, "dim")
        lines += _long(words.t("seed"), info.seed, width, look)
        lines += _long(words.t("commitment"), info.commitment, width, look)
        label = shortest([words.t("code to play it again"), words.t("code")], _LABEL, look.glyphs)
        lines += _long(label, code_of(info), width, look)
    return lines


def _headline(
    info: TablePublic, view: TableView, you: int, size: Size, look: DrawContext, *, shown: bool
) -> list[Row]:
    """Whether it is you who has won, and who has."""
    said = paragraph(verdict(info, view, look.words), size.columns, "strong")
    if won := wins_in_words(info, look.words):
        said += paragraph(won, size.columns, "warm")
    if not (yours := headline(view, you, look.words)):
        return said
    return [*announced_rows(yours, size, look, shown=shown, yours=True), *said]


def _below(
    info: TablePublic, view: TableView, you: int, size: Size, look: DrawContext
) -> list[Row]:
    """One below the other: points, what was remarkable, the chart."""
    seats, names, width = standings(view), seat_names(info), size.columns
    chart = chart_rows(seats, names, width - 1, _LOW_CHART, look)
    lines = _points(seats, names, you, width, bool(chart), look)
    if told := _highlights(view, names, width, look):
        lines += [BLANK, *told]
    return [*lines, BLANK, chart_head(look), *chart] if chart else lines


def _beside(
    info: TablePublic,
    view: TableView,
    you: int,
    size: Size,
    look: DrawContext,
    standing: int,
    above: int,
) -> list[Row]:
    """Podium and points at the left, the chart at the right, as high as the rows ``above`` leave room."""
    seats, names = standings(view), seat_names(info)
    stages, width = len(view.points), size.columns
    least = _FIXED + stages * _STAGE + _LEAST_NAME
    left = max(least, min(_FIXED + stages * _STAGE + _LONG_NAME, width * 9 // 20))
    right = width - left - _GAP - 1
    first: list[Row] = []
    if view.winners and not look.thin:
        scale = 2 if size.rows >= _TALL else 1
        first = podium_rows(podium_of(seats, names), left, look, scale, standing)
        first += [BLANK] if first else []
    first += _points(seats, names, you, left, stages > 1, look)
    # Without a chart, nothing stands beside them.
    roomy = width >= _ROOMY and stages > 1
    told = _highlights(view, names, left if roomy else width, look)
    if told and roomy:
        first += [BLANK, *told]
    height = size.rows - _FRAME - above if roomy else len(first) - 1
    second = chart_rows(seats, names, right, max(_LOW_CHART, height), look)
    lines = side_by_side(first, [chart_head(look), *second] if second else [], left + _GAP)
    return [*lines, BLANK, *told] if told and not roomy else lines


def podium_of(seats: Sequence[Standing], names: Sequence[str]) -> list[PodiumStep]:
    """The podium of a game: equal totals share a step. ``seats`` come best first."""
    totals = [seat.total for seat in seats]
    ranked = ((totals.index(seat.total), str(seat.total), names[seat.seat]) for seat in seats)
    return steps_of(ranked, won=any(seat.winner for seat in seats))


def chart_head(look: DrawContext) -> Row:
    """What stands above a chart."""
    return row("  ", ("heading", look.words.t("totals, by letter")))


def _highlights(view: TableView, names: Sequence[str], width: int, look: DrawContext) -> list[Row]:
    told = highlights_in_words(view, tuple(names), look.words)
    lines = [row("  ", ("heading", look.words.t("Key moments")))] if told else []
    for each in told:
        said = paragraph(each, width - 2, "text", "    ")
        lines += [row("  ", ("dim", look.glyphs.dot), " ", *said[0][1:]), *said[1:]]
    return lines


def _long(label: str, text: str, width: int, look: DrawContext) -> list[Row]:
    """A long word without blanks, broken where the line ends."""
    room = max(8, width - _LABEL - 3)
    parts = [text[at : at + room] for at in range(0, len(text), room)]
    return labelled(("dim", label), _LABEL + 1, parts, "text", look)


def _points(
    seats: Sequence[Standing],
    names: Sequence[str],
    you: int,
    width: int,
    lettered: bool,
    look: DrawContext,
) -> list[Row]:
    """The table of points in ``width`` columns; seats are ``lettered`` where there is a chart."""
    words, more, stages = look.words, look.glyphs.more, len(seats[0].points)
    room = width - _FIXED - stages * _STAGE
    tight = _NARROW if room < _LEAST_NAME else 0
    name_width = max(_LEAST_NAME, min(_LONG_NAME, room + tight * (stages + 2)))
    cell, last = 4 - tight, 6 - 2 * tight
    title = words.t("total")
    if text_width(title) > last + 1:
        title = words.p("four letters", "sum")
    numbers = "".join(f"{number:>{cell}} " for number, _ in enumerate(seats[0].points, 1))
    head = fit(words.p("eight letters", "stage"), name_width + 2, "<", more) + numbers
    rows = [row("  ", ("heading", head + fit(title, last + 1, ">", "")))]
    for seat in seats:
        cells: list[Span] = []
        for points, bonus in zip(seat.points, seat.bonus, strict=True):
            cells.append((points_style(points), f"{signed(points):>{cell}}"))
            cells.append(("good", "'" if bonus else " "))
        mine, crown = seat.seat == you, "*" if seat.winner else " "
        letter = f"{seat_letter(seat.seat)} " if lettered else ""
        name = fit(names[seat.seat], name_width + 2 - len(letter), "<", more)
        rows.append(
            row(
                "> " if mine else "  ",
                (line_style(seat.seat), letter),
                ("seat.you" if mine else "seat", name),
                *cells,
                ("seat.leader" if seat.winner else "score", f"{seat.total:>{last}}{crown}"),
            )
        )
    return [*rows, row("  ", ("dim", words.t("' with the bonus   * winner")))]


def _hands(hands: Sequence[HandLine], width: int, look: DrawContext) -> list[Row]:
    rows: list[Row] = []
    widest = max((text_width(hand.label) for hand in hands), default=0) + 2
    label = min(widest, 32 if width >= _WIDE else 20) if width >= 60 else 0
    for hand in hands:
        facts = tuple(
            f"{name} {signed(points)}{'*' if best else ''}" for name, points, best in hand.results
        )
        if label:
            told = wrap_facts(facts, width - label - 4, look)
            rows += labelled(("dim", hand.label), label, told, "text", look)
        else:
            rows.append(row("  ", ("dim", hand.label)))
            rows += [row("    ", ("text", text)) for text in wrap_facts(facts, width - 6, look)]
    return rows
