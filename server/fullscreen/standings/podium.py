"""The podium, and the ceremony on it."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.reading import ReadingPage
from server.fullscreen.widgets.boxes import banner
from server.fullscreen.widgets.chrome import paragraph
from server.fullscreen.widgets.drawing import DrawContext, indented, shorten
from server.playback import motion_on
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, text_width
from server.terminal.keys.bindings import AnyKey
from server.timers import OneTimer

ALL: Final = 3
"""Places on the podium."""
_ORDER: Final = (1, 0, 2)
"""The places from left to right, from 0."""
_HEIGHTS: Final = (3, 2, 1)
"""Heights of the steps, by place."""
_MOST_NAMES: Final = 6
"""Most rows of names above a step."""
_WATER: Final = ("water.1", "water.2", "water.3")
_LEAST: Final = 8
_MOST: Final = 26


_BOXED: Final = Size(60, 20)
"""From this size who has won stands in a box."""


class PodiumStep(NamedTuple):
    """One step of the podium, and everybody who shares it."""

    names: tuple[str, ...]
    points: str
    place: int
    """From 0."""
    winner: bool = True
    """Whether the first place has won by that."""


def steps_of(ranked: Iterable[tuple[int, str, str]], *, won: bool = True) -> list[PodiumStep]:
    """Steps for (place, points, name), best first, places from 0: the same place shares a step."""
    return [
        PodiumStep(tuple(name for *_, name in group), points, place, won)
        for (place, points), group in groupby(ranked, key=itemgetter(0, 1))
        if place < ALL
    ]


def announced_rows(
    text: str, size: Size, look: DrawContext, *, shown: bool = True, yours: bool = False
) -> list[Row]:
    """Draw the winners: between two crests, where there is room in a box in the middle of the screen.

    What is not ``shown`` yet has its place already.
    """
    crest, style = look.glyphs.crest, "seat.leader" if yours else "strong"
    width, fits = size.columns, text_width(text) <= size.columns - 2 * len(crest) - 10
    boxed = not look.thin and size.columns >= _BOXED.columns and size.rows >= _BOXED.rows
    if not fits or (not boxed and not yours):
        rows = paragraph(text, width, style)
    elif not boxed:
        rows = [row("  ", ("foam", crest), (style, f"  {text}  "), ("foam", crest))]
    else:
        box = banner(f"{crest}  {text}  {crest}", look.glyphs)
        rows = [indented(((style, line),), (width - text_width(line)) // 2) for line in box]
    return rows if shown else [BLANK] * len(rows)


def podium_rows(
    steps: Sequence[PodiumStep], width: int, look: DrawContext, scale: int = 1, standing: int = ALL
) -> list[Row]:
    """Steps in ``width`` columns, each ``scale`` times as high as it could be.

    Nothing where there is no room. ``standing`` is the number of places, from the last, that are on the
    podium by now.
    """
    cell = min(_MOST, (width - 4) // 3)
    if cell < _LEAST or sum(len(step.names) for step in steps) < ALL:
        return []
    columns: dict[int, list[Row]] = {step.place: _step(step, cell, look, scale) for step in steps}
    tallest = max(map(len, columns.values()))
    blank: Row = (("", " " * cell),)
    padded: list[list[Row]] = []
    for place in _ORDER:
        column = columns.get(place, []) if place >= ALL - standing else []
        padded.append([blank] * (tallest - len(column)) + column)
    return [
        row("  ", *left, " ", *middle, " ", *right)
        for left, middle, right in zip(*padded, strict=True)
    ]


def _step(step: PodiumStep, cell: int, look: DrawContext, scale: int) -> list[Row]:
    """One step: the names above, the place and the points in it."""
    glyphs, place, best = look.glyphs, step.place, step.place == 0
    style = _WATER[place]
    names, more = step.names, len(step.names) - _MOST_NAMES
    if more > 0:
        left_out = look.words.n("{count} more", "{count} more", more + 1)
        names = (*names[: _MOST_NAMES - 1], left_out)
    rows: list[Row] = []
    for name in names:
        crown = f"* {name} *" if best and step.winner else name
        called = fit(shorten(crown, cell, glyphs), cell, "^")
        rows.append((("seat.leader" if best else "seat", called),))
    rows += [
        (("seat.leader" if best else "score", fit(step.points, cell, "^")),),
        (("foam", glyphs.half * cell),),
    ]
    under: Span = (style.replace("water", "under"), f" {place + 1} ")
    side = (cell - len(under[1])) // 2
    rest = cell - side - len(under[1])
    for number in range(_HEIGHTS[place] * scale):
        if number == 0:
            rows.append(row((style, glyphs.full * side), under, (style, glyphs.full * rest)))
        else:
            rows.append(((style, glyphs.full * cell),))
    return rows


_SECONDS: Final = 0.6
"""After which the next of the three stands there."""


class CeremonyPage(ReadingPage):
    """The best one comes last; so many are ``standing`` there by now. Any key brings them all."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self.standing = ALL
        self._rises: Final = OneTimer(context.clock)

    def begin(self) -> None:
        """From the first to come, at the top; at once all of them unless everything may move."""
        self._top = 0
        if motion_on(self.context.abilities).flows:
            self.standing = 0
            self._rises.after(_SECONDS, self._next)

    def _next(self) -> None:
        self.standing += 1
        if self.standing < ALL:
            self._rises.after(_SECONDS, self._next)
        self.context.changed()

    def _end(self) -> None:
        self._rises.cancel()
        self.standing = ALL

    @override
    def press(self, key: AnyKey | None, name: str) -> None:
        self._end()
        super().press(key, name)

    @override
    def closed(self) -> None:
        super().closed()
        self._end()
