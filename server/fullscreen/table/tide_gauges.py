"""The seats as basins: the water rises in them, a sheep floats on top."""

from functools import lru_cache
from typing import Final, NamedTuple

from server.fullscreen.widgets.drawing import ASCII, DrawContext, Glyphs, shorten
from server.terminal.drawing.frame import Row, Span, fit, row, same, text_width
from server.viewmodels.table import SeatModel

RANKS: Final = ("card", "card.first", "card.second")
"""Styles of revealed cards: any, the highest, the second highest."""

SHEEP: Final = ",@@@"
FLOCK: Final = (" .@@@. ", ",@@@@@,")
"""The sheep of big basins: two rows."""
_FLOCK_FROM: Final = 12
"""Columns that it takes."""


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


class Water(NamedTuple):
    """What one basin shows."""

    level: int
    words: str
    out: bool
    highest: bool


def basin_rows(seats: tuple[SeatModel, ...], basin: Basin, look: DrawContext) -> tuple[Row, ...]:
    """All basins side by side, from the top row down."""
    waters = [Water(seat.level, seat.level_words, seat.out, seat.highest) for seat in seats]
    return _basin_rows(tuple(waters), basin, look)


# By value, here and below: most of what happens at a table leaves the water as it is, and rows that are the
# same objects as in the last frame cost nothing.
@lru_cache(maxsize=2048)
def _basin_rows(waters: tuple[Water, ...], basin: Basin, look: DrawContext) -> tuple[Row, ...]:
    glyphs = look.glyphs
    columns = [_basin(water, basin, look) for water in waters]
    wall: Span = ("rule", glyphs.wall)
    rows = []
    for number in range(basin.rows - 1, -1, -1):
        spans: list[Span] = [("", " "), wall]
        for column in columns:
            spans += column[number]
            spans.append(wall)
        rows.append(row(*spans))
    return tuple(rows)


def _basin(seat: Water, basin: Basin, look: DrawContext) -> list[list[Span]]:
    """One basin's rows, from the bottom up."""
    glyphs, width = look.glyphs, basin.width
    blank: list[Span] = [same("", " " * width)]
    rows: list[list[Span]] = [blank] * basin.rows
    if seat.out:
        middle = (basin.rows - 1) // 2
        rows[middle] = [("seat.out", fit(f"~ {seat.words} ~", width, "^", glyphs.more))]
        return rows
    filled, odd = divmod(seat.level * basin.halves, 2)
    # On a thin line there is no water to be seen, only how high the sheep floats.
    for number in range(0 if look.thin else filled + odd):
        fill = glyphs.full if number < filled else glyphs.half
        rows[number] = [same(_depth(number, basin), fill * width)]
    surface = filled + odd
    if seat.level:
        label = f"{seat.words}!" if seat.highest else seat.words
        rows[0] = _number(label, rows[0][0], look.thin)
    else:
        rows[0] = [_floor(seat.words, width, glyphs)]
        surface = 1
    _float(rows, surface, odd, basin, seat)
    return rows


def _depth(number: int, basin: Basin) -> str:
    """The style of the water in row ``number`` from below: the deeper the darker, whatever is above.

    So water that rises changes only the rows it reaches.
    """
    return f"water.{4 - min(3, number * 4 // (basin.rows - 1))}"


def _floor(text: str, width: int, glyphs: Glyphs) -> Span:
    around = max(0, width - text_width(text) - 2)
    left = around // 2
    return ("sand", f"{glyphs.floor * left} {text} {glyphs.floor * (around - left)}"[:width])


def _number(label: str, water: Span, thin: bool) -> list[Span]:
    """The level, always in the lowest row: all of them can be compared at a glance."""
    style, text = water
    shown = f" {label} "
    left = (len(text) - len(shown)) // 2
    under = "strong" if thin else "under" + style.removeprefix("water")
    return [
        same(style, text[:left]),
        same(under, shown),
        same(style, text[left + len(shown) :]),
    ]


def _float(rows: list[list[Span]], surface: int, odd: int, basin: Basin, seat: Water) -> None:
    """Put the sheep on the water: into a row that is half water, else on top of the surface."""
    if basin.halves > 1 and basin.width >= _FLOCK_FROM:
        for number, line in enumerate(reversed(FLOCK)):
            rows[surface + number] = _centred(line, basin.width)
        return
    if odd and seat.level > 1:
        style, text = rows[surface - 1][0]
        left = (basin.width - len(SHEEP)) // 2
        rows[surface - 1] = [
            (style, text[:left]),
            ("sheep", SHEEP),
            (style, text[left + len(SHEEP) :]),
        ]
        return
    rows[surface] = _centred(SHEEP, basin.width)


def _centred(text: str, width: int) -> list[Span]:
    left = (width - len(text)) // 2
    return [
        same("", " " * left),
        same("sheep", text),
        same("", " " * (width - left - len(text))),
    ]


# ---------------------------------------------------------------- above and below the basins


class NameTag(NamedTuple):
    """What is written above a basin; it seldom changes."""

    name: str
    tag: str
    out: bool
    present: bool


@lru_cache(maxsize=2048)
def name_row(plates: tuple[NameTag, ...], you: int, width: int, look: DrawContext) -> Row:
    """Who sits where; ``you`` is the viewer's seat or -1."""
    spans: list[Span] = [("", "  ")]
    for number, plate in enumerate(plates):
        mine = number == you
        tag = look.words.t("you") if mine and not plate.tag else plate.tag
        if mine:
            style = "seat.you"
        elif plate.out:
            style = "seat.out"
        else:
            style = "seat" if plate.present else "seat.away"
        room = width - (text_width(tag) + 1 if tag else 0)
        name = shorten(plate.name, room, look.glyphs)
        shown = text_width(name) + (text_width(tag) + 1 if tag else 0)
        spans += [(style, name), ("seat.bot", f" {tag}" if tag else "")]
        spans.append(same("", " " * (width - shown + 1)))
    return row(*spans)


class PreserverCount(NamedTuple):
    """What stands below one basin."""

    left: int
    lost: int
    losing: bool
    score: int
    leader: bool


def preserver_row(seats: tuple[SeatModel, ...], width: int, look: DrawContext) -> Row:
    """Life preservers left and lost, and the total."""
    lives = [
        PreserverCount(seat.left, seat.lost, seat.losing, seat.score, seat.leader) for seat in seats
    ]
    return _preserver_row(tuple(lives), width, look)


@lru_cache(maxsize=2048)
def _preserver_row(seats: tuple[PreserverCount, ...], width: int, look: DrawContext) -> Row:
    spans: list[Span] = [("", " ")]
    for seat in seats:
        score = f"{seat.score}*" if seat.leader else f"{seat.score} "
        room = width - 1 - len(score)
        spans.append(("", " "))
        used = 0
        for style, text in preservers(seat.left, seat.lost, room, look.glyphs):
            if seat.losing and style == "preserver.lost":
                spans += _just_lost(text)
            else:
                spans.append(same(style, text))
            used += len(text)
        spans.append(same("", " " * (width - used - len(score))))
        spans.append(same("seat.leader" if seat.leader else "score", score))
    return row(*spans)


def _just_lost(lost: str) -> list[Span]:
    """The ``lost`` ones, of which the first has just been: it stands where it was."""
    at = len(lost) - len(lost.lstrip())
    if lost[at:][:1].isdecimal():  # too many to be drawn one by one
        return [("bad", lost)]
    return [("", lost[:at]), ("bad", lost[at : at + 1]), ("preserver.lost", lost[at + 1 :])]


def preservers(left: int, lost: int, room: int, glyphs: Glyphs) -> tuple[Span, ...]:
    """Life preservers left and lost in at most ``room`` columns: drawn one by one if they fit."""
    total = left + lost
    if 2 * total - 1 <= room:
        shown = " ".join(glyphs.left * left), " ".join(glyphs.lost * lost)
        gap = " " if left and lost else ""
        return (("preserver.left", shown[0]), ("preserver.lost", gap + shown[1]))
    if total <= room:
        return (("preserver.left", glyphs.left * left), ("preserver.lost", glyphs.lost * lost))
    return (
        ("preserver.left", f"{left}{glyphs.left}"),
        ("preserver.lost", f" {lost}{glyphs.lost}"),
    )


def state_row(seats: tuple[SeatModel, ...], width: int, look: DrawContext) -> Row:
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
        spans.append(same(style, fit(text, width, ellipsis=look.glyphs.more)))
    return row(*spans)
