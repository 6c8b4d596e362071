"""The three best on their steps, the first in the middle."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from engine.standings import Standing
from server.fullscreen.widgets.boxes import banner
from server.fullscreen.widgets.chrome import paragraph
from server.fullscreen.widgets.drawing import DrawContext, indented, shorten
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, text_width

_ORDER: Final = (1, 0, 2)
"""Who stands where, from left to right: by rank, from 0."""
ALL: Final = len(_ORDER)
"""So many stand on it in the end."""
_HEIGHTS: Final = (3, 2, 1)
"""Of the steps, by place."""
_WATER: Final = ("water.1", "water.2", "water.3")
_LEAST: Final = 8
_MOST: Final = 26


_BOXED: Final = Size(60, 20)
"""From this size who has won stands in a box."""


class PodiumStep(NamedTuple):
    """Somebody on the podium."""

    name: str
    points: str
    place: int
    """From 0."""
    winner: bool = True
    """Whoever is in the first place has won by that."""


def steps_of(seats: Sequence[Standing], names: Sequence[str]) -> list[PodiumStep]:
    """Of a game: ``seats`` come best first; who has as many points as somebody else stands as high."""
    return [
        PodiumStep(
            names[seat.seat],
            str(seat.total),
            sum(other.total > seat.total for other in seats),
            seat.winner,
        )
        for seat in seats[:ALL]
    ]


def announced_rows(
    text: str, size: Size, look: DrawContext, *, shown: bool = True, yours: bool = False
) -> list[Row]:
    """Who has won: between two crests, where there is room in a box in the middle of the screen. What is
    not ``shown`` yet has its place already.
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
    """Steps in ``width`` columns, each ``scale`` times as high as it could be; nothing where there is no
    room. ``steps`` come best first; of the three only the last ones are there that are ``standing``.
    """
    cell = min(_MOST, (width - 4) // 3)
    if cell < _LEAST or len(steps) < ALL:
        return []
    columns = [_step(steps[rank], cell, look, scale) for rank in _ORDER]
    tallest = max(map(len, columns))
    blank: Row = (("", " " * cell),)
    padded = [
        [blank] * (tallest - len(column)) + column if rank >= ALL - standing else [blank] * tallest
        for rank, column in zip(_ORDER, columns, strict=True)
    ]
    return [
        row("  ", *left, " ", *middle, " ", *right)
        for left, middle, right in zip_longest(*padded, fillvalue=blank)
    ]


def _step(step: PodiumStep, cell: int, look: DrawContext, scale: int) -> list[Row]:
    """One of the three: the name above, the place and the points in the step."""
    glyphs, place, best = look.glyphs, step.place, step.place == 0
    style = _WATER[min(place, 2)]
    crown = f"* {step.name} *" if best and step.winner else step.name
    rows: list[Row] = [
        (("seat.leader" if best else "seat", fit(shorten(crown, cell, glyphs), cell, "^")),),
        (("seat.leader" if best else "score", fit(step.points, cell, "^")),),
        (("foam", glyphs.half * cell),),
    ]
    under: Span = (style.replace("water", "under"), f" {place + 1} ")
    side = (cell - len(under[1])) // 2
    rest = cell - side - len(under[1])
    for number in range(_HEIGHTS[min(place, 2)] * scale):
        if number == 0:
            rows.append(row((style, glyphs.full * side), under, (style, glyphs.full * rest)))
        else:
            rows.append(((style, glyphs.full * cell),))
    return rows
