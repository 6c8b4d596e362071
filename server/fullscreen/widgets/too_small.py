"""What is shown when nothing sensible fits."""

from typing import Final

from server.i18n.catalogues import Words
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, row
from server.terminal.drawing.text_layout import wrap

SMALLEST: Final = Size(40, 15)
"""Below this nothing sensible can be shown."""


def small_screen(size: Size, words: Words) -> Frame:
    """Says that the terminal is too small, as well as it fits."""
    text = words.t(
        "This terminal has {columns} x {rows} cells. Make it at least {least_columns} x"
        " {least_rows}: the game goes on then.",
        columns=size.columns,
        rows=size.rows,
        least_columns=SMALLEST.columns,
        least_rows=SMALLEST.rows,
    )
    lines = wrap(text, max(1, size.columns))
    return Frame(tuple(row(("warm", line[: size.columns])) for line in lines[: size.rows]))
