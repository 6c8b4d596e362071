"""QR codes: an address that a telephone reads from the screen."""

from server.fullscreen.widgets.drawing import DrawContext
from server.terminal.drawing.frame import Row, row
from server.terminal.drawing.qr_code import qr_lines


def qr_rows(text: str, look: DrawContext) -> tuple[Row, ...]:
    """A code two modules high and one wide a cell; none where there are no blocks or colours to draw it."""
    if look.thin or not look.blocks:
        return ()
    return tuple(row(("qr", line)) for line in qr_lines(text))
