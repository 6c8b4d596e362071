"""What is shown when nothing sensible fits."""

from server.ui.frame import Frame, row
from server.ui.i18n import Words
from server.ui.screens.layout import SMALLEST
from server.ui.screens.look import wrap
from server.ui.terminal import Size


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
