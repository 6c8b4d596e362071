"""Everything with lines around it: panes with titles, side by side or one below the other; cards; banners.

The characters are those of ``Glyphs``: light lines with square corners are in every font that Windows has
for terminals (they are in its list WGL4), round corners are not.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, overload

from typing_extensions import override

from server.fullscreen.widgets.chrome import Region, paragraphs, window
from server.fullscreen.widgets.drawing import DrawContext, Glyphs, shorten, wrap_facts
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import (
    BLANK,
    Frame,
    Row,
    Span,
    pad_row,
    row,
    row_width,
    slice_row,
    text_width,
)

_BESIDE: Final = 100
"""Columns from which panes stand side by side."""
_BOXED: Final = Size(60, 14)
"""With less room than this panes have no lines around them, only titles."""


WHOLE: Final = 1000
"""The ``least`` of a pane that is of no use in parts."""


class Pane(NamedTuple):
    """A part of a page."""

    title: str
    rows: Callable[[int], Sequence[Row]]
    """All that it shows in so many columns."""
    chosen: int = -1
    """The row that keys choose, which stays in sight; -1 for none."""
    top: int = 0
    """Where no row is chosen, the first that is shown."""
    listed: bool = False
    """Each row is one of a list: how many have no room is told."""
    key: str = ""
    """What opens or changes it; stands before the title."""
    aside: str = ""
    """Stands at the right of the title, where there is room."""
    grows: bool = False
    """It takes the rows that others leave."""
    least: int = 1
    """Rows that it needs to be of any use: without them it is left out."""


def are_beside(size: Size, look: DrawContext) -> bool:
    """Whether panes in so much room stand side by side."""
    return size.columns >= _BESIDE and has_boxes(size, look)


def has_boxes(size: Size, look: DrawContext) -> bool:
    """Whether panes in so much room have lines around them."""
    return size.columns >= _BOXED.columns and size.rows >= _BOXED.rows and not look.thin


def panes(
    columns: Sequence[Sequence[Pane]], size: Size, look: DrawContext, shares: Sequence[int] = ()
) -> list[Row]:
    """The panes of these columns in at most ``size``.

    Side by side in boxes on a wide terminal, as wide as their ``shares`` say; one below the other on
    others; without boxes on a small one or a slow line.
    """
    boxed = has_boxes(size, look)
    if not are_beside(size, look):
        columns = [[pane for column in columns for pane in column]]
    widths = _widths(size.columns, shares if len(shares) == len(columns) else [1] * len(columns))
    edges = 2 if boxed else 0
    stacks = [
        [(pane, rows) for pane in column if (rows := pane.rows(width - edges)) or pane.grows]
        for column, width in zip(columns, widths, strict=True)
    ]
    if not boxed:
        return _plain([each for each in stacks[0] if each[1]], size, look)
    needed = max(sum(len(rows) + 2 for _, rows in stack) for stack in stacks)
    room = min(needed, size.rows)
    if any(pane.grows for stack in stacks for pane, _ in stack):
        room = size.rows
    parts = []
    for stack, width in zip(stacks, widths, strict=True):
        heights = _heights(stack, 2, room)
        if (
            len(stacks) > 1
            and (last := max((n for n, h in enumerate(heights) if h), default=-1)) >= 0
        ):
            heights[last] += room - sum(heights)
        part: list[Row] = []
        for (pane, rows), height in zip(stack, heights, strict=True):
            part += _box(pane, rows, Size(width, height), look) if height else ()
        parts.append(part + [(("", " " * width),)] * (room - len(part)))
    if len(parts) == 1:
        return parts[0]
    return [tuple([span for each in line for span in each]) for line in zip(*parts, strict=True)]


def facts_pane(
    title: str, facts: tuple[str, ...], size: Size, look: DrawContext, key: str = ""
) -> Pane:
    """Facts one below the other on a wide terminal, and in lines on others."""

    def rows(width: int) -> list[Row]:
        if are_beside(size, look):
            return paragraphs(facts, width)
        # A fact that is too long goes on in the next row.
        longest = max(width - 3, *map(text_width, facts), 1)
        return paragraphs(wrap_facts(facts, longest, look), width)

    return Pane(title, rows, key=key, least=WHOLE)


class PaneText(Sequence[Row]):
    """Rows of which only those are made that are looked at: for long lists."""

    def __init__(self, count: int, line: Callable[[int], Row]) -> None:
        self._count, self._line = count, line

    @override
    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, which: int) -> Row: ...
    @overload
    def __getitem__(self, which: slice) -> Sequence[Row]: ...
    @override
    def __getitem__(self, which: int | slice) -> Row | Sequence[Row]:
        numbers = range(self._count)[which]
        return self._line(numbers) if isinstance(numbers, int) else [*map(self._line, numbers)]


def joined(panes: Sequence[Pane], width: int) -> list[Row]:
    """What panes show, each below a blank row and its title."""
    return [line for pane in panes for line in (BLANK, row("  ", *_title(pane)), *pane.rows(width))]


def pane_region(frame: Frame, title: str, look: DrawContext) -> Region | None:
    """The inside of the pane in ``frame`` that has this title; none where it is not in a box."""
    low = look.glyphs.corner[2]
    for top, line in enumerate(frame.rows):
        for at, (style, text) in enumerate(line):
            if text != title or style not in _TITLES:
                continue
            left = row_width(line[: at - 1])
            width = _edge_width(line[at - 1 :], look.glyphs)
            if not width:
                continue
            below = frame.rows[top + 1 :]
            ends = (n for n, each in enumerate(below) if _at(each, left) == low)
            if rows := next(ends, 0):
                return Region(top + 1, left + 1, rows, width - 2, headless=True)
    return None


_TITLES: Final = ("heading", "title")


def _edge_width(edge: Row, glyphs: Glyphs) -> int:
    """Columns of the upper edge that begins with these spans; 0 when it is none."""
    width = 0
    for number, (_, text) in enumerate(edge):
        width += text_width(text)
        if number and text.endswith(glyphs.corner[1]):
            return width
    return 0


def _at(line: Row, column: int) -> str:
    return "".join(text for _, text in slice_row(line, column, column + 1))


def _widths(columns: int, shares: Sequence[int]) -> list[int]:
    """``columns`` divided as ``shares`` say; the last takes what is over."""
    widths = [columns * share // sum(shares) for share in shares]
    widths[-1] += columns - sum(widths)
    return widths


def _heights(stack: Sequence[tuple[Pane, Sequence[Row]]], frame: int, room: int) -> list[int]:
    """Return how many of the ``room`` rows each pane takes, with ``frame`` rows that are not its own.

    0 for one that there is no room for. The first ones have what they need before others have more than
    that.
    """
    heights = [0] * len(stack)
    for number, (pane, rows) in enumerate(stack):
        least = min(len(rows), pane.least) + frame
        least = least if number else min(least, room)
        heights[number] = least if sum(heights) + least <= room else 0
    for number, (_, rows) in enumerate(stack):
        if heights[number]:
            heights[number] += min(room - sum(heights), len(rows) + frame - heights[number])
    growing = [n for n in range(len(stack)) if stack[n][0].grows and heights[n]]
    for count, number in enumerate(growing):
        heights[number] += (room - sum(heights)) // (len(growing) - count)
    return heights


def _plain(stack: Sequence[tuple[Pane, Sequence[Row]]], size: Size, look: DrawContext) -> list[Row]:
    """Panes as lines below their titles; without titles where there is too little room for all."""
    titled = 0 if look.thin or sum(len(rows) + 1 for _, rows in stack) > size.rows else 1
    shown: list[Row] = []
    for (pane, rows), height in zip(stack, _heights(stack, titled, size.rows), strict=True):
        if not height:
            continue
        if titled and pane.title:
            shown.append(row(" ", *_title(pane), ("dim", f"  {pane.aside}" if pane.aside else "")))
        seen = _in_sight(pane, rows, height - titled)
        if 0 < len(seen) < len(rows) and pane.chosen < 0 and not pane.listed:
            seen = [*seen[:-1], row(*seen[-1], ("dim", look.glyphs.more))]
        shown += seen
    return shown


def _in_sight(pane: Pane, rows: Sequence[Row], room: int) -> Sequence[Row]:
    """The rows that there is room for, the chosen one among them."""
    if len(rows) <= room:
        return rows
    room = max(0, room)
    if pane.chosen < 0:
        first = min(pane.top, len(rows) - room)
    elif pane.listed:
        first = window(len(rows), pane.chosen, room).start
    else:
        first = max(0, pane.chosen - room + 1)
    return rows[first : first + room]


def _title(pane: Pane) -> list[Span]:
    title: Span = ("title" if pane.chosen >= 0 else "heading", pane.title)
    return [("key", f"{pane.key} "), title] if pane.key else [title]


def _box(pane: Pane, rows: Sequence[Row], size: Size, look: DrawContext) -> list[Row]:
    """A pane with lines around it: brighter ones around what keys choose from."""
    width, height = size
    glyphs, room, inner = look.glyphs, height - 2, width - 2
    shown = _in_sight(pane, rows, room)
    hidden = len(rows) - len(shown)
    more = glyphs.more if hidden else ""
    if hidden and pane.listed:
        more = look.words.n("{count} more", "{count} more", hidden)
    edge = "heading" if pane.chosen >= 0 else "rule"
    wall: Span = (edge, glyphs.wall)
    top_left, top_right, low_left, low_right = glyphs.corner
    title = _title(pane) if pane.title else []
    if title:
        style, text = title[-1]
        title[-1] = (style, shorten(text, inner - 4, glyphs))
    head = _edge((top_left, top_right), tuple(title), pane.aside, width, edge, glyphs)
    foot = _edge((low_left, low_right), (), more, width, edge, glyphs)
    blanks = [BLANK] * (room - len(shown))
    return [head, *[_walled(each, wall, inner) for each in (*shown, *blanks)], foot]


def _walled(line: Row, wall: Span, width: int) -> Row:
    gap = width - row_width(line)
    if gap < 0:
        line = pad_row(slice_row(line, 0, width), width)
    return (wall, *line, ("", " " * gap), wall) if gap > 0 else (wall, *line, wall)


def _edge(
    corners: tuple[str, str],
    title: tuple[Span, ...],
    aside: str,
    width: int,
    edge: str,
    glyphs: Glyphs,
) -> Row:
    """An upper or a lower edge, with its title at the left and something at the right, if that has room."""
    first, last = corners
    begin: list[Span] = (
        [(edge, f"{first}{glyphs.line} "), *title, (edge, " ")] if title else [(edge, first)]
    )
    end: list[Span] = (
        [(edge, " "), ("dim", aside), (edge, f" {glyphs.line}{last}")] if aside else []
    )
    room = width - row_width(tuple(begin)) - row_width(tuple(end))
    if room < 1:
        end, room = [], width - row_width(tuple(begin))
    if not end:
        return row(*begin, (edge, glyphs.line * (room - 1) + last))
    return row(*begin, (edge, glyphs.line * room), *end)


# ---------------------------------------------------------------- other boxes


def card_rows(lines: Sequence[Span], edge: str, index: Span, glyphs: Glyphs) -> tuple[Row, ...]:
    """A card with these lines, all equally wide.

    The ``index`` stands in its upper edge, for figures that are drawn are no text.
    """
    top_left, top_right, low_left, low_right = glyphs.corner
    line, side = glyphs.line * text_width(lines[0][1]), (edge, glyphs.wall)
    return (
        row((edge, top_left), index, (edge, line[len(index[1]) :] + top_right)),
        *[(side, each, side) for each in lines],
        ((edge, low_left + line + low_right),),
    )


def banner(text: str, glyphs: Glyphs) -> tuple[str, str, str]:
    """``text`` in a box that stands out."""
    top_left, top_right, low_left, low_right = glyphs.thick
    side, line = glyphs.thick_wall, glyphs.thick_line * (text_width(text) + 4)
    return (
        f"{top_left}{line}{top_right}",
        f"{side}  {text}  {side}",
        f"{low_left}{line}{low_right}",
    )
