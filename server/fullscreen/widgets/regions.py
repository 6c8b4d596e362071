"""Parts of a screen, and those of a frame that are blank."""

from typing import Final, NamedTuple

from server.fullscreen.widgets.drawing import DrawContext
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame

_MOST: Final = 8
"""Rows of a region that takes blank rows of a page."""
_SLOW_LINE: Final = 2
"""Rows of it where every byte counts: they all move up with each new line."""


class Region(NamedTuple):
    """Part of a screen."""

    top: int
    left: int
    rows: int
    columns: int
    boxed: bool = False
    """It is the lower end of a panel at the right."""
    headless: bool = False
    """It is too low for a line above it that says what it is."""


def blank_region(frame: Frame, size: Size, look: DrawContext, least: int = 3) -> Region | None:
    """The blank rows at the lower end of a page, above its message and its keys, if there are enough."""
    rows = frame.rows
    last = len(rows) - 2
    while last > 0 and rows[last] != BLANK and len(rows) - 2 - last < 3:
        last -= 1
    first = last
    while first > 0 and rows[first] == BLANK:
        first -= 1
    count = min(last - first, _SLOW_LINE + 2 if look.thin else _MOST)
    if count < least or len(rows) < size.rows:
        return None
    return Region(last - count + 1, 0, count, size.columns, headless=count < 3)


def free_region(frame: Frame, most: int, size: Size, look: DrawContext) -> Region | None:
    """The rows above the keys that are blank just now, ``most`` of them at most."""
    last = len(frame.rows) - 1
    most = min(most, _SLOW_LINE) if look.thin else most
    count = 0
    while count < most and frame.rows[last - count - 1] == BLANK:
        count += 1
    return Region(last - count, 0, count, size.columns, headless=True) if count else None
