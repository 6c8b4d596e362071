"""A terminal's screen as an SVG: text stays text, blocks and lines are drawn so that they meet."""

from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Any, Final, NamedTuple

WIDTH: Final = 8.4
HEIGHT: Final = 18
SIZE: Final = 14
MARGIN: Final = 14
FONTS: Final = "ui-monospace,'DejaVu Sans Mono','Cascadia Mono',Menlo,Consolas,monospace"
BACKGROUND: Final = "#0b1620"
FOREGROUND: Final = "#d6dee6"
COLORS: Final = {
    "black": "#1c2a36",
    "red": "#e06c75",
    "green": "#8cc265",
    "brown": "#d7a657",
    "blue": "#4aa5f0",
    "magenta": "#c162de",
    "cyan": "#42b3c2",
    "white": "#d6dee6",
}
EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
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


class Look(NamedTuple):
    """How a cell is drawn."""

    ink: str
    paper: str
    bold: bool
    underline: bool


def color(name: str, otherwise: str) -> str:
    """A colour of pyte's as one of SVG's."""
    if name == "default":
        return otherwise
    return COLORS.get(name.removeprefix("bright"), f"#{name}")


def look(cell: Any) -> Look:
    """What pyte says of a cell."""
    ink, paper = color(cell.fg, FOREGROUND), color(cell.bg, BACKGROUND)
    if cell.reverse:
        ink, paper = paper, ink
    return Look(ink, paper, cell.bold, cell.underscore)


def rectangle(x: float, y: float, width: float, height: float, fill: str) -> str:
    # A hair wider than it is, or neighbours would show a seam.
    return (
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{width + 0.3:.2f}" height="{height + 0.3:.2f}" '
        f'fill="{fill}"/>'
    )


def drawn(sign: str, x: float, y: float, ink: str) -> str:
    """A block or a piece of a line."""
    if sign in EIGHTHS:
        part = HEIGHT * EIGHTHS.index(sign) / 8
        return rectangle(x, y + HEIGHT - part, WIDTH, part, ink)
    if sign == "▀":
        return rectangle(x, y, WIDTH, HEIGHT / 2, ink)
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


def row(cells: list[Any], number: int) -> Iterator[str]:
    """The elements of one row."""
    y = MARGIN + number * HEIGHT
    at = 0
    for style, group in groupby(cells, look):
        run = list(group)
        text = "".join(cell.data for cell in run)
        x, width = MARGIN + at * WIDTH, WIDTH * len(run)
        if style.paper != BACKGROUND:
            yield rectangle(x, y, width, HEIGHT, style.paper)
        plain = ""
        for index, sign in enumerate(text):
            special = sign in LINES or (sign in EIGHTHS and sign != " ") or sign == "▀"
            if special:
                yield drawn(sign, x + index * WIDTH, y, style.ink)
            plain += "\N{NO-BREAK SPACE}" if special or sign == " " else sign
        words = plain.strip("\N{NO-BREAK SPACE}")
        if words:
            begin = x + (len(plain) - len(plain.lstrip("\N{NO-BREAK SPACE}"))) * WIDTH
            weight = ' font-weight="bold"' if style.bold else ""
            line = ' text-decoration="underline"' if style.underline else ""
            yield (
                f'<text x="{begin:.2f}" y="{y + 13.5:.2f}" fill="{style.ink}"{weight}{line} '
                f'textLength="{len(words) * WIDTH:.2f}" lengthAdjust="spacingAndGlyphs">'
                f"{escape(words)}</text>"
            )
        at += len(run)


def svg(rows: list[list[Any]], title: str) -> str:
    """``rows`` of pyte's cells as a picture."""
    width = 2 * MARGIN + max(map(len, rows)) * WIDTH
    height = 2 * MARGIN + len(rows) * HEIGHT
    inside = "\n".join(piece for number, cells in enumerate(rows) for piece in row(cells, number))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="100%" height="100%" rx="10" fill="{BACKGROUND}"/>\n'
        f'<g font-family="{FONTS}" font-size="{SIZE}">\n{inside}\n</g>\n</svg>\n'
    )
