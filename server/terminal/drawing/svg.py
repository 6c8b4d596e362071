"""A screen as an SVG picture, and addresses as QR codes."""

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from io import StringIO
from itertools import groupby
from typing import Final, NamedTuple, TextIO

from server.terminal.drawing.frame import Frame, cell_width
from server.terminal.drawing.theme import NAMES, CellStyle, Theme

_MARGIN: Final = 2
"""Light modules around a code. The standard asks for four; telephones read it with two."""
_HALVES: Final = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}
"""Character for two modules of a QR code, one above the other; dark ones are 1."""


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


WIDTH: Final = 8.4
HEIGHT: Final = 18
SIZE: Final = 14
MARGIN: Final = 14
FONTS: Final = "ui-monospace,'DejaVu Sans Mono','Cascadia Mono',Menlo,Consolas,monospace"
BACKGROUND: Final = "#0b1620"
FOREGROUND: Final = "#d6dee6"
COLOURS: Final = {
    "black": "#1c2a36",
    "red": "#e06c75",
    "green": "#8cc265",
    "yellow": "#d7a657",
    "blue": "#4aa5f0",
    "magenta": "#c162de",
    "cyan": "#42b3c2",
    "white": "#d6dee6",
}
EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
BLOCKS: Final = f"{EIGHTHS}▀"
# Which sides of the cell a line goes to: left, right, up, down.
LINES: Final = {
    "─": "lr",
    "│": "ud",
    "┌": "rd",
    "┐": "ld",
    "└": "ru",
    "┘": "lu",
    "╭": "rd",
    "╮": "ld",
    "╰": "ru",
    "╯": "lu",
    "├": "udr",
    "┤": "udl",
    "┬": "lrd",
    "┴": "lru",
    "┼": "lrud",
}


class CellLook(NamedTuple):
    """How a cell is drawn."""

    ink: str = FOREGROUND
    paper: str = BACKGROUND
    bold: bool = False
    underline: bool = False


Cell = tuple[str, CellLook]
"""What stands in it, empty in the second one of a wide character."""


def cells_of(frame: Frame, theme: Theme, columns: int) -> list[list[Cell]]:
    """A frame as rows of cells, as a theme with all colours has it."""
    rows = []
    for row in frame.rows:
        cells: list[Cell] = []
        for style, text in row:
            look = _look(theme.cell_style(style))
            for char in text:
                # What has no column of its own stands in that of the character before it.
                cells += [(char, look), *[("", look)] * (cell_width(char) - 1)]
        rows.append((cells + [(" ", CellLook())] * columns)[:columns])
    return rows


def _look(style: CellStyle) -> CellLook:
    ink, paper = _colour(style.fg, FOREGROUND), _colour(style.bg, BACKGROUND)
    if style.reverse:
        ink, paper = paper, ink
    return CellLook(ink, paper, style.bold, style.underline)


def _colour(parameters: str, otherwise: str) -> str:
    """Return the colour of SGR parameters: mixed (``38;2;R;G;B``), or one of eight."""
    numbers = [int(number) for number in parameters.split(";") if number]
    if len(numbers) == 5:
        return "#" + "".join(f"{number:02x}" for number in numbers[2:])
    return COLOURS[NAMES[numbers[0] % 10]] if numbers else otherwise


def svg(rows: Sequence[Sequence[Cell]], title: str) -> str:
    """``rows`` as a picture."""
    width = 2 * MARGIN + max(map(len, rows)) * WIDTH
    height = 2 * MARGIN + len(rows) * HEIGHT
    inside = "\n".join(piece for number, cells in enumerate(rows) for piece in _row(cells, number))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="100%" height="100%" rx="10" fill="{BACKGROUND}"/>\n'
        f'<g font-family="{FONTS}" font-size="{SIZE}">\n{inside}\n</g>\n</svg>\n'
    )


def _row(cells: Sequence[Cell], number: int) -> Iterator[str]:
    """The elements of one row."""
    y = MARGIN + number * HEIGHT
    at = 0
    for style, group in groupby(cells, lambda cell: cell[1]):
        run = [text for text, _ in group]
        x, width = MARGIN + at * WIDTH, WIDTH * len(run)
        if style.paper != BACKGROUND:
            yield _rectangle(x, y, width, HEIGHT, style.paper)
        plain: list[str] = []
        for sign, same in groupby(run):
            count, left = len(list(same)), x + len(plain) * WIDTH
            special = sign in LINES or (sign.strip() and sign in BLOCKS)
            if special and sign in LINES:
                yield from (_line(sign, left + n * WIDTH, y, style.ink) for n in range(count))
            elif special:
                yield _block(sign, left, y, count * WIDTH, style.ink)
            plain += ["\N{NO-BREAK SPACE}" if special or sign == " " else sign] * count
        # A run of words is as long as its cells, whatever the font says of a wide character.
        first = next((n for n, sign in enumerate(plain) if sign != "\N{NO-BREAK SPACE}"), None)
        if first is not None:
            while plain[-1] == "\N{NO-BREAK SPACE}":
                plain.pop()
            weight = ' font-weight="bold"' if style.bold else ""
            line = ' text-decoration="underline"' if style.underline else ""
            yield (
                f'<text x="{x + first * WIDTH:.2f}" y="{y + 13.5:.2f}" fill="{style.ink}"{weight}{line} '
                f'textLength="{(len(plain) - first) * WIDTH:.2f}" lengthAdjust="spacingAndGlyphs">'
                f"{escape(''.join(plain[first:]))}</text>"
            )
        at += len(run)


def _rectangle(x: float, y: float, width: float, height: float, fill: str) -> str:
    # A hair wider than it is, or neighbours would show a seam.
    return (
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{width + 0.3:.2f}" height="{height + 0.3:.2f}" '
        f'fill="{fill}" shape-rendering="crispEdges"/>'
    )


def _block(sign: str, x: float, y: float, width: float, ink: str) -> str:
    """Draw a block several times, side by side."""
    if sign == "▀":
        return _rectangle(x, y, width, HEIGHT / 2, ink)
    part = HEIGHT * EIGHTHS.index(sign) / 8
    return _rectangle(x, y + HEIGHT - part, width, part, ink)


def _line(sign: str, x: float, y: float, ink: str) -> str:
    """A piece of a line."""
    middle_x, middle_y = x + WIDTH / 2, y + HEIGHT / 2
    ends = {
        "l": (x, middle_y),
        "r": (x + WIDTH, middle_y),
        "u": (middle_x, y),
        "d": (middle_x, y + HEIGHT),
    }
    path = "".join(
        f"M{middle_x:.2f} {middle_y:.2f}L{ends[side][0]:.2f} {ends[side][1]:.2f}"
        for side in LINES[sign]
    )
    return f'<path d="{path}" stroke="{ink}" stroke-width="1.2"/>'
