"""QR codes in a terminal, for whoever would rather point a telephone than type an address."""

import re
from collections.abc import Mapping
from typing import Final, TextIO

_MARGIN: Final = 2
"""Modules of light around the code. The standard wants four; telephones are content with two."""
_BLACK_ON_WHITE: Final = "\x1b[38;5;16;48;5;231m"
_REVERSE: Final = "\x1b[7m"
_PLAIN: Final = "\x1b[0m"
_HALVES: Final = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


def qr_rows(text: str, *, blocks: bool, color: bool) -> list[str]:
    """``text`` as the rows of a QR code. ``blocks``: the terminal has block elements, so that two modules
    fit into one character; otherwise one module is two blanks, set apart by their background.

    Without ``color`` light modules are what the terminal draws: on a dark screen, as most are, that is a
    proper code, on a light one its negative, which most telephones read as well.
    """
    import segno

    code = segno.make(text, error="l", micro=False, boost_error=True)
    modules = [list(row) for row in code.matrix_iter(border=_MARGIN)]
    if not blocks:
        return [_row_of_blanks(row, color=color) for row in modules]
    if len(modules) % 2:
        modules.append([0] * len(modules[0]))
    rows = []
    for upper, lower in zip(modules[::2], modules[1::2], strict=True):
        drawn = [
            _HALVES[(up, low) if color else (1 - up, 1 - low)]
            for up, low in zip(upper, lower, strict=True)
        ]
        line = "".join(drawn)
        rows.append(f"{_BLACK_ON_WHITE}{line}{_PLAIN}" if color else line)
    return rows


def _row_of_blanks(row: list[int], *, color: bool) -> str:
    if color:
        parts = (f"\x1b[48;5;{16 if dark else 231}m  " for dark in row)
        return "".join(parts) + _PLAIN
    return "".join("  " if dark else f"{_REVERSE}  {_PLAIN}" for dark in row)


def qr_for(stream: TextIO, columns: int, environ: Mapping[str, str], text: str) -> list[str]:
    """The rows of a code that ``stream`` can show; none when it is no terminal, or too narrow a one."""
    term = environ.get("TERM", "")
    if not stream.isatty() or term in {"", "dumb"}:
        return []
    # What Python would write says nothing about the terminal: without a locale it writes UTF-8 all the same.
    locale = next(filter(None, map(environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "")
    encodings = f"{stream.encoding} {locale}".lower()
    blocks = encodings.count("utf") == 2 and term != "linux"
    many = "256" in term or environ.get("COLORTERM", "") in {"truecolor", "24bit"}
    color = many and not environ.get("NO_COLOR")
    rows = qr_rows(text, blocks=blocks, color=color)
    width = max(len(re.sub(r"\x1b\[[0-9;]*m", "", row)) for row in rows)
    return rows if width <= columns else []
