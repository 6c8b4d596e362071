"""The three best on their steps, the first in the middle."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from engine.standings import Standing
from server.fullscreen.widgets.drawing import DrawContext, shorten
from server.terminal.drawing.frame import Row, Span, fit, row

_ORDER: Final = (1, 0, 2)
"""Who stands where, from left to right: by rank, from 0."""
_HEIGHTS: Final = (3, 2, 1)
"""Of the steps, by place."""
_WATER: Final = ("water.1", "water.2", "water.3")
_LEAST: Final = 8
_MOST: Final = 26


def podium_rows(
    seats: Sequence[Standing], names: Sequence[str], width: int, look: DrawContext, scale: int = 1
) -> list[Row]:
    """Steps in ``width`` columns, each ``scale`` times as high as it could be; nothing where there is no
    room. ``seats`` come best first; who has as many points as somebody else stands as high.
    """
    cell = min(_MOST, (width - 4) // 3)
    if cell < _LEAST or len(seats) < len(_ORDER):
        return []
    columns = []
    for rank in _ORDER:
        seat = seats[rank]
        place = sum(other.total > seat.total for other in seats)
        columns.append(_step(seat, names[seat.seat], place, cell, look, scale))
    tallest = max(map(len, columns))
    blank: Row = (("", " " * cell),)
    padded = [[blank] * (tallest - len(column)) + column for column in columns]
    return [
        row("  ", *left, " ", *middle, " ", *right)
        for left, middle, right in zip_longest(*padded, fillvalue=blank)
    ]


def _step(
    seat: Standing, name: str, place: int, cell: int, look: DrawContext, scale: int
) -> list[Row]:
    """One of the three: the name above, the place and the points in the step."""
    glyphs, best = look.glyphs, place == 0
    style = _WATER[min(place, 2)]
    crown = f"* {name} *" if best and seat.winner else name
    rows: list[Row] = [
        (("seat.leader" if best else "seat", fit(shorten(crown, cell, glyphs), cell, "^")),),
        (("seat.leader" if best else "score", fit(str(seat.total), cell, "^")),),
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
