"""QR codes: an invitation that a telephone reads from the screen."""

from server.coordinator.messages import TableSnapshot
from server.fullscreen.widgets.drawing import DrawContext
from server.session.invite import ssh_url
from server.terminal.drawing.frame import Row, row
from server.terminal.drawing.qr_code import qr_lines


def invitation_qr(
    way_in: str, look: DrawContext, table: TableSnapshot | None = None
) -> tuple[Row, ...]:
    """The way into this server, or to a ``table`` here, as a code two modules high and one wide a cell; none
    where it is not known, and where there are no blocks or colours to draw it.
    """
    if look.thin or not look.blocks or not way_in:
        return ()
    return tuple(row(("qr", line)) for line in qr_lines(ssh_url(way_in, table)))
