"""QR codes: an address that a telephone reads from the screen."""

import os
from collections.abc import Sequence
from functools import lru_cache
from io import StringIO
from typing import Final, TextIO

_MARGIN: Final = 2
"""Light modules around a code. The standard asks for four; telephones read it with two."""
_HALVES: Final = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}
"""Of two modules, one above the other, the dark ones."""


@lru_cache(maxsize=16)
def qr_lines(text: str) -> Sequence[str]:
    """A code two modules high and one wide a character, dark on light."""
    import segno

    code = segno.make(text, error="l", micro=False)
    modules = [list(line) for line in code.matrix_iter(border=_MARGIN)]
    if len(modules) % 2:
        modules.append([0] * len(modules[0]))
    return tuple(
        "".join(_HALVES[bool(top), bool(low)] for top, low in zip(*pair, strict=True))
        for pair in zip(modules[::2], modules[1::2], strict=True)
    )


def qr_code(text: str, stream: TextIO, columns: int) -> list[str]:
    """The rows of a code that is printed; none if ``stream`` is no terminal, or one that is too narrow."""
    if not stream.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return []
    import segno

    code, rows = segno.make(text, error="l", micro=False), StringIO()
    # Without a locale Python writes UTF-8 all the same, but the terminal may not show it.
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "")
    blocks = "utf" in locale.lower() and "utf" in stream.encoding.lower()
    blocks = blocks and os.environ["TERM"] != "linux"
    code.terminal(rows, border=_MARGIN, compact=blocks)
    width = code.symbol_size(border=_MARGIN)[0] * (1 if blocks else 2)
    return rows.getvalue().splitlines() if width <= columns else []
