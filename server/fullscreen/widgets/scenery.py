"""The sea, and who looks out over it: below the title, and below pages on a large terminal."""

from collections.abc import Sequence
from typing import Final

from server.fullscreen.widgets.drawing import DrawContext, indented
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Cursor, Frame, Row, Span, row, text_width
from server.terminal.drawing.water import DEPTHS

_SHEEP: Final[tuple[Span, ...]] = (
    ("sheep", "                ▄▄▄▄▄▄▄▄▄▄▄▄       "),
    ("sheep", "     ▄▄▄▄▄▄  ▄████████████████▄    "),
    ("sheep", "   ▀██▄██▄██▀███████████████████▌  "),
    ("sheep", "     █ ██ █  ████████████████████  "),
    ("sheep", "     ▀█▄▄█▀ ▄███████████████████▌  "),
    ("warm", "  ▄███▀▀▀▀███▀▀▀▀▀███▀▀▀▀▀███▀▀▀██▄"),
    ("warm", "  ▀███▄▄▄▄███▄▄▄▄▄███▄▄▄▄▄███▄▄▄██▀"),
)
_ASCII_SHEEP: Final[tuple[Span, ...]] = (
    ("sheep", r"           .-''''''''-.     "),
    ("sheep", r"    __   .'            '.   "),
    ("sheep", r"  <(o o)( @ @ @ @ @ @ @  )  "),
    ("sheep", r"    \_/  ( @ @ @ @ @ @ @ )  "),
    ("warm", r"   (===(###)====(###)====)  "),
)
"""A sheep that has found a life preserver."""
SWELL: Final = ("▁▂▃▄▅▆▅▄▃▂", "_.-~^^~-._")
_SEA_FROM: Final = 6
"""Rows to spare from which a page does not take all of them."""
_SHEEP_FROM: Final = 24


def sheep_rows(width: int, look: DrawContext) -> Sequence[Row]:
    """The sheep, in the middle of so many columns."""
    art = _SHEEP if look.glyphs.full == "█" else _ASCII_SHEEP
    return [indented((each,), (width - text_width(each[1])) // 2) for each in art]


def sea_rows(phase: int, width: int, rows: int, look: DrawContext) -> tuple[Row, ...]:
    """``rows`` of sea below a swell that has come ``phase`` columns."""
    pattern = SWELL[0 if look.glyphs.full == "█" else 1]
    long = pattern * (width // len(pattern) + 2)
    at = phase % len(pattern)
    deep = [
        row((f"water.{1 + number * DEPTHS // max(4, rows)}", look.glyphs.full * width))
        for number in range(rows)
    ]
    return (row(("water.1", long[at : at + width])), *deep)


def area(largest: Size, size: Size) -> Size:
    """Of a terminal of ``size`` what a page takes that is ``largest`` so large."""
    rows = largest.rows if size.rows - largest.rows >= _SEA_FROM else size.rows
    return Size(min(size.columns, largest.columns), rows)


def placed(frame: Frame, taken: Size, size: Size, look: DrawContext) -> Frame:
    """``frame``, drawn for the size that is ``taken``, in the middle of a terminal of ``size``."""
    if taken == size:
        return frame
    left, spare = (size.columns - taken.columns) // 2, size.rows - taken.rows
    sea: tuple[Row, ...] = ()
    if spare and not look.thin:
        # Nothing may be drawn in the last cell of all.
        sea = (*sea_rows(0, size.columns, spare // 3 - 1, look), BLANK)
    above = (spare - len(sea)) // 2
    rows = [indented(each, left) for each in frame.rows]
    rows += [BLANK] * (taken.rows - len(rows) + spare - len(sea) - above)
    if sea and spare >= _SHEEP_FROM:
        sheep = sheep_rows(size.columns, look)
        if len(sheep) < spare - len(sea) - above:
            rows[-len(sheep) :] = sheep
    cursor = frame.cursor and Cursor(frame.cursor.column + left, frame.cursor.row + above)
    return frame._replace(rows=(*[BLANK] * above, *rows, *sea), cursor=cursor)
