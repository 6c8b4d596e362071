"""What surrounds a page, and what is laid over it.

Title, footer, free regions, what the server says, and the sea below it on a large terminal.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from server.fullscreen.widgets.drawing import (
    DrawContext,
    between,
    footer,
    indented,
    justified,
    shorten,
    wave_row,
    wrap_to,
)
from server.i18n.lookup import Words
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import (
    BLANK,
    CursorPosition,
    Frame,
    Row,
    Span,
    fit,
    overlay,
    row,
    row_width,
    says_nothing,
    wrap,
)
from server.terminal.drawing.theme import DEPTHS

Keys = tuple[tuple[str, str], ...]

SMALLEST: Final = Size(40, 15)
"""Below this nothing sensible can be shown."""
_ROOMY: Final = 60
"""Columns from which there is room for blanks beside where the game is."""
_MOST_SAID: Final = 4
"""Rows of a message: the longest on the smallest screen."""


def page(
    title: str,
    body: Sequence[Row],
    keys: Keys,
    message: Span,
    size: Size,
    look: DrawContext,
    aside: str = "",
    share: float = 0.3,
    game: Row | None = None,
) -> Frame:
    """A screen with ``body`` between title and keys.

    ``aside`` stands at the right of the title, and how the ``game`` goes in place of the sea.
    """
    width = size.columns
    head = justified(
        row(" ", ("title", shorten(title, width - 2, look.glyphs))), row(("dim", aside), " "), width
    )
    sea = BLANK if look.thin else wave_row(look.glyphs, width, share)
    said = [row(" ", (message[0], text)) for text in _said(message, width, look)]
    room = body_size(size, message, look).rows
    shown = [*body[:room], *([BLANK] * (room - len(body)))]
    return Frame((head, game or sea, *spacer(size), *shown, *said, footer(keys, width)))


def body_size(size: Size, message: Span, look: DrawContext) -> Size:
    """What a ``page`` with that message has for its body."""
    around = 3 + len(spacer(size)) + len(_said(message, size.columns, look))
    return Size(size.columns, size.rows - around)


def _said(message: Span, width: int, look: DrawContext) -> tuple[str, ...]:
    return wrap_to(message[1], width - 2, _MOST_SAID, look.glyphs)


def spacer(size: Size) -> list[Row]:
    """A blank row, where there is room for some."""
    return [BLANK] if size.rows >= 20 else []


def paragraph(text: str, width: int, style: str = "text", indent: str = "  ") -> list[Row]:
    """A text in rows of at most ``width`` columns."""
    return [row(indent, (style, line)) for line in wrap(text, width - len(indent) - 1)]


def paragraphs(
    texts: Iterable[str], width: int, style: str = "text", *, apart: bool = False
) -> list[Row]:
    """Texts one below the other, perhaps with a blank row between two of them."""
    rows: list[Row] = []
    for text in texts:
        rows += [BLANK] if apart and rows else []
        rows += paragraph(text, width, style)
    return rows


def menu_row(selected: bool, cells: Sequence[Span], width: int) -> Row:
    """A row of a list; the selected one is a bar, and has a sign as well."""
    if not selected:
        return row("  ", *cells)
    text = "".join(text for _, text in cells)
    return (("selected", fit(f"> {text}", width)),)


def window(count: int, chosen: int, room: int) -> range:
    """Which of ``count`` items to show in ``room`` rows, so that ``chosen`` is among them."""
    if count <= room:
        return range(count)
    first = min(max(0, chosen - room // 2), count - room)
    return range(first, first + room)


def small_screen(size: Size, words: Words) -> Frame:
    """Says that the terminal is too small, and where there is room for that, what else there is to do."""
    text = words.t(
        "This terminal has {columns} x {rows} characters. Make it at least {least_columns} x"
        " {least_rows}, and the game goes on.",
        columns=size.columns,
        rows=size.rows,
        least_columns=SMALLEST.columns,
        least_rows=SMALLEST.rows,
    )
    ways = words.t("Ctrl-C leaves. Log in as NAME+plain to play in sentences, on any terminal.")
    lines, more = (wrap(each, max(1, size.columns)) for each in (text, ways))
    if len(lines) + len(more) < size.rows:
        lines = (*lines, "", *more)
    return Frame(tuple(row(("warm", line[: size.columns])) for line in lines[: size.rows]))


def game_header(
    facts: tuple[str, ...], alert: str, clock: Span, width: int, look: DrawContext
) -> Row:
    """Where the game is, that all wait (``alert``), and how much time there is.

    Where there is too little room, the first ``facts`` are left out.
    """
    ends = [clock] if clock[1] else []
    if alert:
        ends.insert(0, ("warm", alert))
    gap = "  " if width >= _ROOMY else " "
    right: Row = ()
    for span in ends:
        right = row(*right, gap if right else "", span)
    if width >= _ROOMY:
        right = row(*right, " ")
    while True:
        left = row(" ", ("text", between(facts, look.glyphs)))
        if not facts or row_width(left) + row_width(right) < width:
            return justified(left, right, width)
        facts = facts[1:]


_MOST: Final = 8
"""Rows of a region that takes blank rows of a page."""
_SLOW_LINE: Final = 2
"""Rows of it where every byte counts: they all move up with each new line."""


class Region(NamedTuple):
    """Part of a screen."""

    top: int
    left: int
    rows: int
    columns: int
    boxed: bool = False
    """It is the lower end of a panel at the right."""
    headless: bool = False
    """It is too low for a line above it that says what it is."""


def blank_region(frame: Frame, size: Size, look: DrawContext, least: int = 3) -> Region | None:
    """The blank rows at the lower end of a page, above its message and its keys, if there are enough."""
    rows = frame.rows
    last = len(rows) - 2
    while last > 0 and rows[last] != BLANK and len(rows) - 2 - last < 3:
        last -= 1
    first = last
    while first > 0 and rows[first] == BLANK:
        first -= 1
    count = min(last - first, _SLOW_LINE + 2 if look.thin else _MOST)
    if count < least or len(rows) < size.rows:
        return None
    return Region(last - count + 1, 0, count, size.columns, headless=count < 3)


def free_region(frame: Frame, most: int, size: Size, look: DrawContext) -> Region | None:
    """The rows above the keys that are blank just now, ``most`` of them at most."""
    last = len(frame.rows) - 1
    most = min(most, _SLOW_LINE) if look.thin else most
    count = 0
    while count < most and frame.rows[last - count - 1] == BLANK:
        count += 1
    return Region(last - count, 0, count, size.columns, headless=True) if count else None


_SHEEP: Final[tuple[Span, ...]] = (
    ("sheep", "                ▄▄▄▄▄▄▄▄▄▄▄▄       "),
    ("sheep", "     ▄▄▄▄▄▄  ▄████████████████▄    "),
    ("sheep", "   ▀██▄██▄██▀███████████████████▌  "),
    ("sheep", "     █ ██ █  ████████████████████  "),
    ("sheep", "     ▀█▄▄█▀ ▄███████████████████▌  "),
    ("warm", "  ▄███▀▀▀▀███▀▀▀▀▀███▀▀▀▀▀███▀▀▀██▄"),
    ("warm", "  ▀███▄▄▄▄███▄▄▄▄▄███▄▄▄▄▄███▄▄▄██▀"),
)
_ASCII_SHEEP: Final[tuple[Span, ...]] = (
    ("sheep", r"           .-''''''''-.     "),
    ("sheep", r"    __   .'            '.   "),
    ("sheep", r"  <(o o)( @ @ @ @ @ @ @  )  "),
    ("sheep", r"    \_/  ( @ @ @ @ @ @ @ )  "),
    ("warm", r"   (===(###)====(###)====)  "),
)
"""A sheep that has found a life preserver."""
SWELL: Final = ("▁▂▃▄▅▆▅▄▃▂", "_.-~^^~-._")
_SEA_FROM: Final = 6
"""Rows to spare from which a page does not take all of them."""
_SHEEP_FROM: Final = 24


def sheep_rows(width: int, look: DrawContext) -> Sequence[Row]:
    """The sheep, in the middle of so many columns."""
    art = _SHEEP if look.glyphs.full == "█" else _ASCII_SHEEP
    return [indented((each,), (width - len(each[1])) // 2) for each in art]


def sea_rows(phase: int, width: int, rows: int, look: DrawContext) -> tuple[Row, ...]:
    """``rows`` of sea below a swell that has come ``phase`` columns."""
    pattern = SWELL[0 if look.glyphs.full == "█" else 1]
    long = pattern * (width // len(pattern) + 2)
    at = phase % len(pattern)
    deep = [
        row((f"water.{1 + number * DEPTHS // max(4, rows)}", look.glyphs.full * width))
        for number in range(rows)
    ]
    return (row(("water.1", long[at : at + width])), *deep)


def area(largest: Size, size: Size) -> Size:
    """Return the area of a terminal of ``size`` that a page takes which is ``largest`` at most."""
    rows = largest.rows if size.rows - largest.rows >= _SEA_FROM else size.rows
    return Size(min(size.columns, largest.columns), rows)


def placed(frame: Frame, taken: Size, size: Size, look: DrawContext) -> Frame:
    """``frame``, drawn for the size that is ``taken``, in the middle of a terminal of ``size``."""
    left, spare = (size.columns - taken.columns) // 2, size.rows - taken.rows
    sea: tuple[Row, ...] = ()
    if spare and not look.thin:
        # Nothing may be drawn in the last cell of all.
        sea = (*sea_rows(0, size.columns, spare // 3 - 1, look), BLANK)
    above = (spare - len(sea)) // 2
    rows = [indented(each, left) for each in frame.rows]
    rows += [BLANK] * (taken.rows - len(rows) + spare - len(sea) - above)
    if sea and spare >= _SHEEP_FROM:
        sheep = sheep_rows(size.columns, look)
        if len(sheep) < spare - len(sea) - above:
            rows[-len(sheep) :] = sheep
    cursor = frame.cursor and CursorPosition(frame.cursor.column + left, frame.cursor.row + above)
    return frame._replace(rows=(*[BLANK] * above, *rows, *sea), cursor=cursor)


SURE_SECONDS: Final = 6.0
"""For so long no key takes it away ..."""
LONGEST_SECONDS: Final = 60.0
"""... and after so long it goes by itself."""

_BANNER_ROWS: Final = 8
_BANNER_TOP: Final = 2
"""Below the title, and where the game stands."""


class Banner:
    """What stands there now. Times are seconds of one clock."""

    def __init__(self) -> None:
        self._said: list[tuple[str, float]] = []
        """Each text, and since when it stands there."""

    def say(self, text: str, now: float) -> None:
        """From now on this stands there."""
        self._said = [*self._said[-2:], (text, now)]

    def look(self, now: float, longest: float = LONGEST_SECONDS) -> float:
        """Take away what has stood there for longer; in how many seconds to look again, 0 for never."""
        since = now - longest
        self._said = self._said and [(text, when) for text, when in self._said if when > since]
        return self._said[0][1] - since if self._said else 0.0

    def over(self, frame: Frame, size: Size) -> Frame:
        """The frame, with what there is to say on it."""
        if not self._said:
            return frame
        lines = [line for text, _ in self._said for line in wrap(text, size.columns - 4)]
        rows = [*frame.rows, *([BLANK] * (size.rows - len(frame.rows)))]
        for number, line in enumerate(lines[: min(_BANNER_ROWS, size.rows - 2)]):
            rows[_BANNER_TOP + number] = (
                ("", " "),
                ("selected", fit(f" {line}", size.columns - 2)),
            )
        return frame._replace(rows=tuple(rows))


def with_notice(frame: Frame, text: str, size: Size) -> Frame:
    """``frame`` with ``text``, which fits a row, where it hides nothing.

    On the water, a rule or a blank row, the first there is; without any, on the keys at the bottom.
    """
    notice: Row = (("warm", f" {text} "),)
    rows = list(frame.rows)
    silent = (number for number, row in enumerate(rows) if says_nothing(row))
    number = next(silent, len(rows) - 1)
    rows[number] = overlay(rows[number], max(0, (size.columns - row_width(notice)) // 2), notice)
    return frame._replace(rows=tuple(rows))
