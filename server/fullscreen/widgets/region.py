"""A part of a screen."""

from typing import NamedTuple


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
