"""A form: lines with a value each."""

from collections.abc import Sequence

from server.fullscreen.widgets.chrome import menu_row, paragraph, window
from server.fullscreen.widgets.drawing import Glyphs
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, Span, fit, text_width
from server.viewmodels.table_options import OptionLine


def form_rows(lines: Sequence[OptionLine], chosen: int, size: Size, glyphs: Glyphs) -> list[Row]:
    """Labels, and beside each the value it has."""
    width = size.columns
    label_width = min(30, max(text_width(line.label) for line in lines) + 2, width - 21)
    value_width = min(
        30, max(text_width(line.value) for line in lines) + 4, width - label_width - 3
    )
    body: list[Row] = []
    spaced = size.rows >= 2 * len(lines) + 9
    room = size.rows - 6 - (size.rows >= 20)
    for number in range(len(lines)) if spaced else window(len(lines), chosen, room):
        line = lines[number]
        here = number == chosen
        value = fit(line.value, value_width - 4, "^", glyphs.more)
        value = f"< {value} >" if here and not line.fixed else f"  {value}  "
        label = fit(line.label, label_width, ellipsis=glyphs.more)
        style = "dim" if line.fixed else "text"
        cells: list[Span] = [(style, label), (style, value)]
        if width >= label_width + value_width + text_width(line.hint) + 8:
            cells.append(("dim", f"   {line.hint}"))
        body.append(menu_row(here, cells, width))
        if spaced:
            body.append(BLANK)
    if width < label_width + value_width + text_width(lines[chosen].hint) + 8:
        body += [BLANK, *paragraph(lines[chosen].hint, width, "dim")]
    return body
