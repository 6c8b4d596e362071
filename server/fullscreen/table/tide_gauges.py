"""The seats as basins: the water rises in them, a sheep floats on top."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from server.fullscreen.widgets.drawing import ASCII, DrawContext, Glyphs, shorten
from server.terminal.drawing.frame import Row, Span, fit, row, row_width, text_width
from server.viewmodels.table import SeatModel

RANKS: Final = ("card", "card.first", "card.second")
"""Styles of revealed cards: any, the highest, the second highest."""

SHEEP: Final = ",@@@"
FLOCK: Final = (" .@@@. ", ",@@@@@,")
"""The sheep of big basins: two rows."""
_FLOCK_FROM: Final = 12
"""Columns that it takes."""

NameTag = tuple[str, str, bool, bool]
"""What is written above a basin: the name, what is special about it, whether out, whether present."""


class Basin(NamedTuple):
    """How basins are drawn."""

    width: int
    """Columns between two walls."""
    halves: int
    """Half rows a tide level: 1 to 3."""
    rows: int
    """Rows of the basin, the one above the highest water included."""


def basin_for(width: int, highest_tide: int, halves: int) -> Basin:
    """Basins of ``width`` columns with ``halves`` half rows a tide level."""
    above = len(FLOCK) if halves > 1 and width >= _FLOCK_FROM else 1
    return Basin(width, halves, (highest_tide * halves + 1) // 2 + above)


def basin_rows(seats: Sequence[SeatModel], basin: Basin, look: DrawContext) -> list[Row]:
    """All basins side by side, from the top row down."""
    basins = [
        _basin(seat.level, seat.level_words, seat.out, seat.highest, basin, look) for seat in seats
    ]
    wall: Span = ("rule", look.glyphs.wall)
    return [_between_walls(parts, wall) for parts in zip(*basins, strict=True)]


@lru_cache(maxsize=2048)
def _between_walls(parts: tuple[Row, ...], wall: Span) -> Row:
    return row(" ", wall, *[span for part in parts for span in (*part, wall)])


# By value, here and below: most of what happens at a table leaves the water as it is.
@lru_cache(maxsize=2048)
def _basin(
    level: int, words: str, out: bool, highest: bool, basin: Basin, look: DrawContext
) -> Sequence[Row]:
    """One basin's rows, from the top down."""
    glyphs, width = look.glyphs, basin.width
    rows: list[Row] = [(("", " " * width),)] * basin.rows
    if out:
        rows[basin.rows // 2] = (("seat.out", fit(f"~ {words} ~", width, "^", glyphs.more)),)
        return rows
    filled, odd = divmod(level * basin.halves, 2)
    surface = filled + odd
    # On a slow line there is no water to be seen, only how high the sheep floats.
    for number in range(0 if look.thin else surface):
        # The deeper the darker, whatever is above: water that rises changes only the rows it reaches.
        depth = f"water.{4 - min(3, number * 4 // (basin.rows - 1))}"
        rows[number] = ((depth, (glyphs.full if number < filled else glyphs.half) * width),)
    if level:
        # The level is always in the lowest row: all of them can be compared at a glance.
        under = "strong" if look.thin else rows[0][0][0].replace("water", "under")
        rows[0] = _in_the_middle(f" {words}{'!' * highest} ", under, rows[0])
    else:
        rows[0] = _in_the_middle(f" {words} ", "sand", (("sand", glyphs.floor * width),))
        surface = 1
    sheep = FLOCK if basin.halves > 1 and width >= _FLOCK_FROM else (SHEEP,)
    if len(sheep) == 1 and odd and level > 1:
        surface -= 1  # into a row that is half water
    for number, line in enumerate(reversed(sheep), surface):
        rows[number] = _in_the_middle(line, "sheep", rows[number])
    return rows[::-1]


def _in_the_middle(text: str, style: str, ground: Row) -> Row:
    """``text`` on a row of one span."""
    ((under, filling),) = ground
    text = text[: len(filling)]
    left = (len(filling) - text_width(text)) // 2
    return row((under, filling[:left]), (style, text), (under, filling[left + text_width(text) :]))


# ---------------------------------------------------------------- above and below the basins


@lru_cache(maxsize=2048)
def name_row(tags: tuple[NameTag, ...], you: int, width: int, look: DrawContext) -> Row:
    """Who sits where; ``you`` is the viewer's seat or -1."""
    spans: list[Span] = [("", "  ")]
    for number, (name, special, out, present) in enumerate(tags):
        mine = number == you
        tag = f" {special or (look.words.t('you') if mine else '')}".rstrip()
        style = "seat" if present else "seat.away"
        style = "seat.you" if mine else "seat.out" if out else style
        shown = shorten(name, width - text_width(tag), look.glyphs)
        blank = width - text_width(shown) - text_width(tag) + 1
        spans += [(style, shown), ("seat.bot", tag), ("", " " * blank)]
    return row(*spans)


def preserver_row(seats: Sequence[SeatModel], width: int, look: DrawContext) -> Row:
    """Life preservers left and lost, and the total."""
    parts = [
        _preservers(seat.left, seat.lost, seat.losing, seat.score, seat.leader, width, look.glyphs)
        for seat in seats
    ]
    return row(" ", *[span for part in parts for span in part])


@lru_cache(maxsize=2048)
def _preservers(
    left: int, lost: int, losing: bool, score: int, leader: bool, width: int, glyphs: Glyphs
) -> Row:
    """What stands below one basin."""
    total = f"{score}*" if leader else f"{score} "
    shown = preservers(left, lost, width - 1 - len(total), glyphs)
    if losing:
        shown = (shown[0], *_just_lost(shown[1][1]))
    blank = width - row_width(shown) - len(total)
    return (("", " "), *shown, ("", " " * blank), ("seat.leader" if leader else "score", total))


def _just_lost(lost: str) -> Row:
    """The ``lost`` ones, of which the first has just been: it stands where it was."""
    at = len(lost) - len(lost.lstrip())
    if lost[at:][:1].isdecimal():  # too many to be drawn one by one
        return (("bad", lost),)
    return ("", lost[:at]), ("bad", lost[at : at + 1]), ("preserver.lost", lost[at + 1 :])


def preservers(left: int, lost: int, room: int, glyphs: Glyphs) -> tuple[Span, ...]:
    """Life preservers left and lost in at most ``room`` columns: drawn one by one if they fit."""
    total = left + lost
    if 2 * total - 1 <= room:
        shown = " ".join(glyphs.left * left), " ".join(glyphs.lost * lost)
        gap = " " if left and lost else ""
        return (("preserver.left", shown[0]), ("preserver.lost", gap + shown[1]))
    if total <= room:
        return (("preserver.left", glyphs.left * left), ("preserver.lost", glyphs.lost * lost))
    return (("preserver.left", f"{left}{glyphs.left}"), ("preserver.lost", f" {lost}{glyphs.lost}"))


def state_row(seats: Sequence[SeatModel], width: int, look: DrawContext) -> Row:
    """What each seat is doing; in a reveal its card and what it takes."""
    sealed = ASCII.sealed if look.thin else look.glyphs.sealed
    spans: list[Span] = [("", " ")]
    for seat in seats:
        spans.append(("", " "))
        if seat.card:
            style = RANKS[seat.rank]
            text = seat.state or f"[{seat.card:2}]"
            if text_width(text) > width - 4 * seat.sealed:
                text = f"[{seat.card:2}]"
            if seat.sealed:
                text = fit(text, width - 4) + " " + sealed
        elif seat.sealed:
            style = "card.sealed"
            text = f"{sealed} {seat.state}"
            if look.thin or text_width(text) > width:
                text = sealed
        else:
            style = "seat.out" if seat.out else "dim"
            text = "..." if seat.thinking and seat.present else seat.state
        spans.append((style, fit(text, width, ellipsis=look.glyphs.more)))
    return row(*spans)
