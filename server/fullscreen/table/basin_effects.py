"""What a reveal shows in a basin for a moment.

A card that comes, a life preserver that drifts off, a sheep that sinks.
"""

from collections.abc import Sequence
from typing import Final

from server.fullscreen.widgets.drawing import Glyphs, merged
from server.terminal.drawing.frame import Row, Span
from server.viewmodels.table import Effect

_WHOLE_FROM: Final = 10
"""Basins of so many rows light up as a whole; of lower ones where the level stands: each row takes bytes."""
_TALL: Final = 3
"""A sheep of so many rows is drawn with blocks."""
_DRIFT: Final = 3
"""Columns that a life preserver drifts from one picture to the next."""

_BUBBLES: Final = "oO"

Cells = list[Span]
"""A row, a span for each of its columns."""


class _Cells(dict[int, Cells]):
    """Rows as cells, made only when they are needed: an effect is seen in few of them."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows: Final = rows

    def __missing__(self, at: int) -> Cells:
        cells = self[at] = [(style, char) for style, text in self.rows[at] for char in text]
        return cells


def with_effect(rows: tuple[Row, ...], effect: Effect, glyphs: Glyphs) -> tuple[Row, ...]:
    """A basin, from the top row down, with what is seen in it for a moment."""
    whole = len(rows) >= _WHOLE_FROM
    if effect.flows and not whole:
        rows = tuple([tuple([_calm(*span) for span in line]) for line in rows])
    cells = _Cells(rows)
    sheep = [at for at, line in enumerate(rows) if any(_is_sheep(style) for style, _ in line)]
    if effect.tide:
        _put(cells[0], f"[{effect.tide:2}]", "tide.high")
    if sheep and effect.ring:
        _drift(cells, sheep, effect.ring, glyphs)
    if sheep and effect.sunk:
        _sink(cells, sheep, effect.sunk)
    if effect.flash:
        lit = "" if whole else "under"
        for at in range(0 if whole else len(rows) - 1, len(rows)):
            cells[at] = [_lit(*cell) if cell[0].startswith(lit) else cell for cell in cells[at]]
    return tuple([merged(cells[at]) if at in cells else line for at, line in enumerate(rows)])


def _calm(style: str, text: str) -> Span:
    """Without foam, which would be gone at once: it takes bytes."""
    foam = "▔" in text
    return (style.replace("crest", "water"), text.replace("▔", "█")) if foam else (style, text)


def _is_sheep(style: str) -> bool:
    return style.startswith("sheep")


def _lit(style: str, char: str) -> Span:
    kind = style.partition(".")[0]
    if kind == "under":
        return ("under.flash", char)
    if kind in ("water", "crest", "light"):
        return ("water.flash", "█" if char in "▀▔" else char)
    return (style, char)


def _put(line: Cells, text: str, style: str, at: int = -1) -> None:
    """Write ``text`` into a row, from column ``at`` on or in its middle, as far as there is room."""
    start = (len(line) - len(text)) // 2 if at < 0 else at
    for column, char in enumerate(text, start):
        if 0 <= column < len(line):
            line[column] = (style, char)


def _drift(cells: _Cells, sheep: Sequence[int], way: int, glyphs: Glyphs) -> None:
    """A life preserver beside the sheep: the further on its ``way``, the further off."""
    at = sheep[-1] if len(sheep) < _TALL else sheep[len(sheep) // 2]
    right = max(column for column, (style, _) in enumerate(cells[at]) if _is_sheep(style))
    _put(
        cells[at], glyphs.left, "preserver.left", min(right + _DRIFT * way - 1, len(cells[at]) - 1)
    )


def _sink(cells: _Cells, sheep: Sequence[int], deep: int) -> None:
    """The sheep, deeper by that share of its height and more; bubbles are where it was."""
    by = max(1, len(sheep) // 2) * deep
    swims = [(at, list(cells[at])) for at in sheep]
    for at in sheep:
        ground = next((cell for cell in cells[at] if not _is_sheep(cell[0])), ("", " "))
        cells[at] = [ground if _is_sheep(style) else (style, char) for style, char in cells[at]]
    for at, line in reversed(swims):
        if at + by < len(cells.rows) - 1:
            _draw_below(cells[at + by], line)
    middle = (len(cells[0]) - deep) // 2
    _put(cells[sheep[-1]], _BUBBLES[:deep], "foam", middle)


def _draw_below(line: Cells, sheep: Cells) -> None:
    """What of a sheep is in this row of water: a block is seen as a whole."""
    for column, (style, char) in enumerate(sheep):
        if not _is_sheep(style) or char == " ":
            continue
        kind = style.split(".")
        if len(kind) > 1:
            line[column] = (".".join(kind[:2]), "█")
        else:
            under = line[column][0].replace("water", "under").replace("light", "under")
            line[column] = (under if under.startswith("under.") else "sheep", char)
