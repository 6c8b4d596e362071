"""A terminal's screen, as pyte has it, as an SVG."""

from typing import Any

from server.terminal.drawing import svg as drawing
from server.terminal.drawing.svg import BACKGROUND, COLOURS, FOREGROUND, Cell, CellLook


def svg(rows: list[list[Any]], title: str) -> str:
    """``rows`` of pyte's cells as a picture."""
    return drawing.svg([list(map(_cell, row)) for row in rows], title)


def _cell(cell: Any) -> Cell:
    ink, paper = _colour(cell.fg, FOREGROUND), _colour(cell.bg, BACKGROUND)
    if cell.reverse:
        ink, paper = paper, ink
    return cell.data, CellLook(ink, paper, cell.bold, cell.underscore)


def _colour(name: str, otherwise: str) -> str:
    """A colour of pyte's as one of SVG's."""
    if name == "default":
        return otherwise
    name = name.removeprefix("bright").replace("brown", "yellow")
    return COLOURS.get(name, f"#{name}")
