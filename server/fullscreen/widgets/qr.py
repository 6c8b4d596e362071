"""QR codes: an address that a telephone reads from the screen."""

from functools import lru_cache

from server.fullscreen.widgets.drawing import DrawContext
from server.terminal.drawing.frame import Row, row

_MARGIN = 2
"""Light modules around a code. The standard asks for four; telephones read it with two."""
_HALVES = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}
"""Of two modules, one above the other, the dark ones."""


@lru_cache(maxsize=16)
def qr_rows(text: str, look: DrawContext) -> tuple[Row, ...]:
    """A code two modules high and one wide a cell; none where there are no blocks or colours to draw it."""
    if look.thin or not look.blocks:
        return ()
    import segno

    code = segno.make(text, error="l", micro=False)
    modules = [list(line) for line in code.matrix_iter(border=_MARGIN)]
    if len(modules) % 2:
        modules.append([0] * len(modules[0]))
    return tuple(
        row(("qr", "".join(_HALVES[bool(top), bool(low)] for top, low in zip(*pair, strict=True))))
        for pair in zip(modules[::2], modules[1::2], strict=True)
    )
