"""How everything is drawn: glyphs, texts that fit, digits, the QR code."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import Final

from server.coordinator.messages import TableSnapshot
from server.i18n.lookup import Words, words_for
from server.session.sharing import ssh_url
from server.terminal.capabilities import Colours
from server.terminal.drawing.frame import (
    BLANK,
    Row,
    Span,
    fit,
    pad_row,
    row,
    row_width,
    text_width,
    wrap,
)
from server.terminal.drawing.svg import qr_lines


@dataclass(frozen=True, eq=False, slots=True)
class Glyphs:
    """One character each, unless said otherwise: those of a terminal that has blocks and lines."""

    wall: str = "│"
    line: str = "─"
    corner: tuple[str, str, str, str] = ("┌", "┐", "└", "┘")
    """Top left, top right, bottom left, bottom right."""
    full: str = "█"
    """Water."""
    half: str = "▄"
    """Water in the lower half of the cell."""
    floor: str = "▁"
    sealed: str = "▐█▌"
    """A card face down; three characters."""
    left: str = "○"
    """A life preserver."""
    lost: str = "·"
    """A life preserver turned over."""
    half_printed: str = "½"
    """Half a life preserver, printed on a card; at most three characters."""
    dot: str = "·"
    between: str = " · "
    """Between facts in a line; two or three characters."""
    more: str = "…"
    """At the end of a text that was cut."""
    crest: str = "▂▄▆▄▂"
    """The travelling wave, from the left foot to the right."""
    breaker: str = "▁▂▃▄▅▆▇█▆▄▂▁"
    """Breaker on a wide sea."""
    calm: str = "▁"
    """The sea beside it."""
    heights: str = "▁▂▃▄▅▆▇█"
    """A bar of one cell, from the lowest."""
    mark: str = "▌"
    """A played card in a row of sixty."""
    earlier: str = "▄"
    """A card of that hand played in an earlier stage."""
    arrows: str = "← →"
    """The keys for left and right; empty where a word has to stand for them."""
    points: tuple[str, str] = ("»", "«")
    """Before and behind what is pointed at."""
    bar: tuple[str, str, str] = ("█", "▌", "░")
    """A horizontal bar: full, half and empty cells."""
    thick: tuple[str, str, str, str] = ("╔", "╗", "╚", "╝")
    """Corners of a box that stands out; in the order of ``corner``."""
    thick_line: str = "═"
    thick_wall: str = "║"


UNICODE: Final = Glyphs()
ASCII: Final = Glyphs(
    wall="|",
    line="-",
    corner=("+", "+", "+", "+"),
    full="#",
    half="-",
    floor="_",
    sealed="[#]",
    left="o",
    lost=".",
    half_printed=".5",
    dot=".",
    between=" - ",
    more="~",
    crest=".-^-.",
    breaker=".-'^^'-.",
    calm="_",
    heights="_:-=+*%#",
    mark="|",
    earlier="+",
    arrows="",
    points=(">", "<"),
    bar=("#", "=", "."),
    thick=("+", "+", "+", "+"),
    thick_line="=",
    thick_wall="|",
)

_WIDE_SEA: Final = 100
_SPARE: Final = 1
"""A footer may be wider by so much when counted with three blanks behind every key and none before the first:
there is one before the first, none of the three behind the last, and the last column stays free."""


@dataclass(frozen=True, eq=False, slots=True)
class DrawContext:
    """How screens are to be drawn for one session.

    Compared by identity, like its glyphs: as a part of the keys of caches it is hashed a hundred times
    a round.
    """

    words: Words
    glyphs: Glyphs
    thin: bool
    """Fewest bytes: no fillings, no wave."""
    colours: Colours = Colours.SIXTEEN
    """None, sixteen, or (256) as many as one wants."""

    @property
    def blocks(self) -> bool:
        """Pictures can be made of coloured half blocks."""
        return self.glyphs.full == "█" and self.colours > Colours.NONE


@lru_cache(maxsize=64)
def look_for(
    language: str, unicode: bool, thin: bool, colours: Colours = Colours.SIXTEEN
) -> DrawContext:
    """How to draw for everybody who has this in common: the same object, which costs least to compare."""
    glyphs = UNICODE if unicode else ASCII
    if thin:
        # A row of lines is three bytes a column there, as a life preserver is, and a dot is two.
        glyphs = replace(glyphs, line=" ", between=", ", left=ASCII.left, lost=ASCII.lost)
    return DrawContext(words_for(language), glyphs, thin, colours)


def wrap_to(text: str, width: int, most: int, glyphs: Glyphs) -> tuple[str, ...]:
    """``text`` in at most ``most`` lines; the last one shows when something is missing."""
    lines = wrap(text, width)
    if len(lines) <= most:
        return lines
    if most < 1:
        return ()
    return (*lines[: most - 1], shorten(f"{lines[most - 1]} {glyphs.more}", width, glyphs))


def wrap_facts(
    facts: tuple[str, ...], width: int, look: DrawContext, between: str = "", further: int = 0
) -> list[str]:
    """Facts in lines, none of them broken; all lines but the first may be ``further`` columns long."""
    between = between or look.glyphs.between
    lines: list[str] = []
    for fact in facts:
        longer = f"{lines[-1]}{between}{fact}" if lines else fact
        if lines and text_width(longer) <= (further if further and len(lines) > 1 else width):
            lines[-1] = longer
        else:
            lines.append(shorten(fact, further if further and lines else width, look.glyphs))
    return lines


def between(parts: Iterable[str], glyphs: Glyphs) -> str:
    """Facts in one line."""
    return glyphs.between.join(filter(None, parts))


def justified(left: Row, right: Row, width: int) -> Row:
    """``left`` and ``right`` at the two ends of ``width`` columns; ``right`` gives way."""
    gap = width - row_width(left) - row_width(right)
    return (*left, ("", " " * gap), *right) if gap > 0 else left


def side_by_side(left: Sequence[Row], right: Sequence[Row], column: int) -> list[Row]:
    """Rows on the left, and others beside them from a ``column`` on."""
    pairs = zip_longest(left, right, fillvalue=BLANK)
    return [(*pad_row(one, column), *other) if other else one for one, other in pairs]


def indented(line: Row, columns: int) -> Row:
    """Return the line moved right by ``columns``."""
    return (("", " " * columns), *line) if columns and line else line


def merged(cells: Iterable[Span]) -> Row:
    """Spans side by side, those of the same style in one."""
    runs = groupby(cells, itemgetter(0))
    return tuple([(style, "".join([text for _, text in run])) for style, run in runs])


def labelled(
    label: Span, width: int, lines: Iterable[str], style: str, look: DrawContext
) -> list[Row]:
    """Lines beside a label of ``width`` columns, which stands before the first of them."""
    first, blank = fit(label[1], width - 1, ellipsis=look.glyphs.more), " " * (width - 1)
    return [
        row("  ", (label[0], blank if number else first), " ", (style, line))
        for number, line in enumerate(lines)
    ]


def shorten(text: str, width: int, glyphs: Glyphs) -> str:
    """``text`` cut to at most ``width`` columns, not padded."""
    return text if text_width(text) <= width else fit(text, width, ellipsis=glyphs.more)


def shortest(forms: Sequence[str], width: int, glyphs: Glyphs) -> str:
    """The first of these forms of a text, the longest first, that fits; the last one cut when none does."""
    fitting = (text for text in forms if text_width(text) <= width)
    return next(fitting, "") or shorten(forms[-1], width, glyphs)


@lru_cache(maxsize=256)
def footer(keys: tuple[tuple[str, str], ...], width: int) -> Row:
    """Hot keys and what they do, as many as fit, most important first; the last (the way out) always."""
    shown: list[tuple[str, str]] = []
    used = _key_width(keys[-1])
    for each in keys[:-1]:
        if used + _key_width(each) <= width + _SPARE:
            shown.append(each)
            used += _key_width(each)
    spans: list[Span] = [("", " ")]
    for key, label in (*shown, keys[-1]):
        spans += [("key", key), ("key.label", f" {label}"), ("", "   ")]
    return row(*spans[:-1])


@lru_cache(maxsize=256)
def noted_footer(keys: Row, key: str, label: str, width: int, *, first: bool) -> Row:
    """A ``footer`` with one more key.

    The ``first``, to which others give way, or the last but one, to which only those give way that
    stand after the help, and the vote beside it. Where there is no room, and for any other row, nothing
    changes.
    """
    if len(keys) < 3 or keys[1][0] != "key":
        return keys
    have = [(keys[at][1], keys[at + 1][1][1:]) for at in range(1, len(keys), 3)]
    new, *others, last = ((key, label), *have)
    names = [name for name, _ in others]
    least = 0 if first else names.index("?") + 1 if "?" in names else len(others)
    if not first and names[least : least + 1] == ["v"]:  # a vote
        least += 1
    for count in range(len(others), least - 1, -1):
        told = (new, *others[:count], last) if first else (*others[:count], new, last)
        if sum(map(_key_width, told)) <= width + _SPARE:
            return footer(told, width)
    return keys


def _key_width(key: tuple[str, str]) -> int:
    return text_width(key[0]) + text_width(key[1]) + 4


def rule_row(glyphs: Glyphs, width: int, said: Span = ("", ""), right: Span = ("", "")) -> Row:
    """A quiet horizontal line; ``said`` may stand in it, and something at its right end."""
    spans: list[Span] = [("", " ")]
    room = width - 2
    if said[1]:
        text = shorten(said[1], room - 8, glyphs)
        spans += [("rule", glyphs.line * 2 + " "), (said[0], text), ("", " ")]
        room -= 4 + text_width(text)
    end: list[Span] = []
    if right[1] and text_width(right[1]) + 6 <= room:
        end = [("", " "), right, ("rule", " " + glyphs.line * 2)]
        room -= 4 + text_width(right[1])
    return row(*spans, ("rule", glyphs.line * room), *end)


def wave_row(glyphs: Glyphs, width: int, share: float, shore: str = "") -> Row:
    """Draw the sea with one crest.

    It has come ``share`` (0 to 1) of the way from left to right, where ``shore`` says what it comes to.
    """
    crest = glyphs.breaker if width >= _WIDE_SEA else glyphs.crest
    shore = f" {shore}" if shore else ""
    room = width - 2 - len(crest) - text_width(shore)
    at = round(room * share)
    calm: Span = ("water.1", glyphs.calm * (room - at))
    return row(" ", ("water.1", glyphs.calm * at), ("foam", crest), calm, ("dim", shore))


ROWS: Final = 3
_FIGURES: Final = (
    ("█▀█", "█ █", "▀▀▀"),
    ("▄█ ", " █ ", "▀▀▀"),
    ("▀▀█", "█▀▀", "▀▀▀"),
    ("▀▀█", " ▀█", "▀▀▀"),
    ("█ █", "▀▀█", "  ▀"),
    ("█▀▀", "▀▀█", "▀▀▀"),
    ("█▀▀", "█▀█", "▀▀▀"),
    ("▀▀█", "  █", "  ▀"),
    ("█▀█", "█▀█", "▀▀▀"),
    ("█▀█", "▀▀█", "▀▀▀"),
)


def big_number(number: int) -> tuple[str, ...]:
    """`ROWS` rows of text, all equally wide: three columns a figure, and one between two."""
    figures = [_FIGURES[int(figure)] for figure in str(number)]
    return tuple([" ".join(rows) for rows in zip(*figures, strict=True)])


def invitation_qr(
    way_in: str, look: DrawContext, table: TableSnapshot | None = None
) -> tuple[Row, ...]:
    """The way into this server, or to a ``table`` here, as a code two modules high and one wide a cell.

    None where it is not known, and where there are no blocks or colours to draw it.
    """
    if look.thin or not look.blocks or not way_in:
        return ()
    return tuple(row(("qr", line)) for line in qr_lines(ssh_url(way_in, table)))
