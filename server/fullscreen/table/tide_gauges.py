"""The seats of a table as tide gauges, the sheep at them, and what a reveal shows there for a moment."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, NamedTuple

from server.fullscreen.widgets.drawing import ASCII, DrawContext, Glyphs, merged, shorten
from server.terminal.capabilities import Colours
from server.terminal.drawing.frame import Row, Span, fit, row, row_width, text_width
from server.terminal.drawing.theme import DEPTHS
from server.viewmodels.table import Effect, SeatModel

TEXT_ROWS: Final = 2
"""Rows of a sheep made of characters, at most."""
_RIDES: Final = (" ,@@@@.", '(")@@@@')
_DUCKS: Final = ('(")@@@,',)
_SINKS: Final = ('(")~',)
_DUCKS_FROM: Final = 3 / 4
_SINKS_FROM: Final = 11 / 12
"""Share of the highest tide in the deck from which a sheep sinks."""

SKY, WOOL, FACE = "", "sheep.wool", "sheep.face"
_COLOURS: Final = {".": SKY, "w": WOOL, "f": FACE}
_PICTURE: Final = (
    "....wwwwwww...",
    ".fffwwwwwwwww.",
    "fwffwwwwwwwwww",
    "ffffwwwwwwwwww",
    "....wwwwwwwww.",
    "....f.f...f.f.",
)
"""Half rows of a sheep made of blocks; the lowest are its legs."""
_LEGS: Final = 1
_DEEPEST: Final = 4
"""Half rows of a sheep that are under water at the highest tide."""
MARGIN: Final = 3
"""Columns free at both sides of a large one."""


def text_sheep(level: int, highest: int) -> tuple[str, ...]:
    """Rows of a sheep made of characters, from the top down; ``highest`` is the highest tide in the deck."""
    if level >= highest * _SINKS_FROM:
        return _SINKS
    return _DUCKS if level > highest * _DUCKS_FROM else _RIDES


def block_sheep(level: int, highest: int, scale: int) -> Sequence[Sequence[str]]:
    """Half rows of a sheep made of blocks, from the surface up.

    What is seen of it, as the colours `SKY`, `WOOL` and `FACE`.
    """
    hidden = 0
    if level:
        hidden = _LEGS + round((_DEEPEST - _LEGS) * level / highest)
    seen = _PICTURE[: len(_PICTURE) - hidden]
    return [
        [_COLOURS[sign] for sign in line for _ in range(scale)]
        for line in reversed(seen)
        for _ in range(scale)
    ]


RANKS: Final = ("card", "card.first", "card.second")
"""Styles of revealed cards: any, the highest, the second highest."""

_SHADES: Final = "█▓▒░"
_ASCII_SHADES: Final = "#%=~"
"""Water without colours, from the bottom up."""
_LIT_ROWS: Final = 5
"""Rows below the surface where light falls on the water."""
_PERIOD: Final = 11
_GLINT: Final = 3
"""Columns from one place that is lit to the next, and of such a place."""

_SAYS_FROM: Final = 26
"""Columns of a basin from which words say that somebody is thinking."""

TELLS_FROM: Final = 20
"""Columns of a basin from which words below it say what is a sign in lower ones, or told above."""

NameTag = tuple[str, str, bool, bool]
"""What is written above a basin: the name, what is special about it, whether out, whether present."""


Water = tuple[int, str, bool, bool, Effect | None]
"""What a basin shows: the level, in words as well, whether out, whether the highest of all; an effect."""

Kept = tuple[int, int, bool, bool, int, bool]
"""What stands below: life preservers left and lost, whether one just now, whether out, points, the lead."""

tag_of: Final[Callable[[SeatModel], NameTag]] = attrgetter("name", "tag", "out", "present")
# What else is shown of one is looked up by these.
water_of: Final = attrgetter("level", "level_words", "out", "highest", "effect")
kept_of: Final = attrgetter("left", "lost", "losing", "out", "score", "leader")


class Basin(NamedTuple):
    """How basins are drawn."""

    width: int
    """Columns between two walls."""
    halves: int
    """Half rows a tide level."""
    rows: int
    """Rows of the basin, those above the highest water included."""
    highest: int
    """The highest tide in the deck."""
    scale: int
    """How large the sheep made of blocks is; 0 where there is no room for it."""


def basin_for(width: int, highest_tide: int, halves: int) -> Basin:
    """Basins of ``width`` columns with ``halves`` half rows a tide level."""
    scale = min((width - 2 * MARGIN) // len(_PICTURE[0]), halves // 2)
    # The sheep stands out above the highest water.
    above = max(TEXT_ROWS, ((len(_PICTURE) - _DEEPEST) * scale + 1) // 2) if halves > 1 else 1
    return Basin(width, halves, (highest_tide * halves + 1) // 2 + above, highest_tide, scale)


def water_rows(shown: tuple[Water, ...], basin: Basin, look: DrawContext) -> Sequence[Row]:
    """All basins side by side, from the top row down."""
    basins = []
    for level, words, out, highest, effect in shown:
        rows = _basin(level, words, out, highest, basin, look)
        basins.append(with_effect(tuple(rows), effect, look.glyphs) if effect else rows)
    side, lines = ("rule", look.glyphs.wall), list[Row]()
    for parts in zip(*basins, strict=True):
        line: list[Span] = [("", " "), side]
        for part in parts:
            line += (*part, side)
        lines.append(tuple(line))
    return lines


@lru_cache(maxsize=2048)
def _basin(
    level: int, words: str, out: bool, highest: bool, basin: Basin, look: DrawContext
) -> Sequence[Row]:
    """One basin's rows, from the top down."""
    glyphs, width = look.glyphs, basin.width
    # The surface is drawn as well, unless that costs too many bytes in each row that it comes through.
    foams = look.blocks and (look.colours > Colours.SIXTEEN or basin.halves > 1)
    rows: list[Row] = [(("", " " * width),)] * basin.rows
    if out:
        rows[basin.rows // 2] = (("seat.out", fit(f"~ {words} ~", width, "^", glyphs.more)),)
        return rows
    filled, odd = divmod(level * basin.halves, 2)
    # On a slow line there is no water to be seen, only how high the sheep floats.
    if not look.thin:
        for number in range(filled):
            above = filled - number - 1
            rows[number] = _water(number, above, foams and not odd, basin, look)
        if odd:
            style = "crest" if foams else f"water.{_depth(filled, basin)}"
            rows[filled] = ((style, glyphs.half * width),)
    if level:
        # The level is always in the lowest row: all of them can be compared at a glance.
        under = "strong" if look.thin else f"under.{_depth(0, basin)}"
        rows[0] = _in_the_middle(f" {words}{'!' * highest} ", under, rows[0])
    elif look.blocks and basin.halves > 1:
        rows[0] = (("beach", fit(words, width, "^")),)
    else:
        rows[0] = _in_the_middle(f" {words} ", "sand", (("sand", glyphs.floor * width),))
    if basin.scale and look.blocks and not look.thin:
        _draw_sheep(rows, filled + (level == 0), odd > 0, level, basin)
        return rows[::-1]
    sheep = text_sheep(level, basin.highest)
    # Into a row that is half water, unless it is the only one.
    surface = filled + (odd > 0 and level == 1) if level else 1
    for number, line in enumerate(reversed(sheep), surface):
        rows[number] = _in_the_middle(line, "sheep", rows[number])
    return rows[::-1]


def _depth(number: int, basin: Basin) -> int:
    """How dark a row is.

    The deeper the darker, whatever is above, so that rising water changes only the rows it reaches.
    """
    surface = (basin.highest * basin.halves + 1) // 2
    return DEPTHS - number * DEPTHS // max(1, surface)


def _water(number: int, above: int, foams: bool, basin: Basin, look: DrawContext) -> Row:
    """A full row, with so many full ones ``above``; the highest one may foam."""
    depth, width, glyphs = _depth(number, basin), basin.width, look.glyphs
    if foams and number and not above:
        return ((f"crest.{depth}", ("▀" if basin.halves > 1 else "▔") * width),)
    if look.colours <= Colours.NONE or glyphs.full != "█":
        shades = _SHADES if glyphs.full == "█" else _ASCII_SHADES
        return ((f"water.{depth}", shades[(DEPTHS - depth) * len(shades) // DEPTHS] * width),)
    if look.colours > Colours.SIXTEEN and basin.halves > 1 and 0 < above < _LIT_ROWS and number:
        return _lit(depth, number, width)
    return ((f"water.{depth}", glyphs.full * width),)


def _lit(depth: int, number: int, width: int) -> Row:
    """Light falls on the water in places that differ from row to row."""
    water, light = f"water.{depth}", f"light.{depth}"
    first = number * 5 % _PERIOD
    spans: list[Span] = [(water, "█" * min(first, width))]
    at = first
    while at < width:
        shown = min(_GLINT, width - at)
        dark = min(_PERIOD - _GLINT, width - at - shown)
        spans += [(light, "▔" * shown), (water, "█" * dark)]
        at += _PERIOD
    return row(*spans)


def _draw_sheep(rows: list[Row], first: int, half: bool, level: int, basin: Basin) -> None:
    """A sheep made of blocks, from row ``first`` up; where its lower ``half`` is water, in the upper one."""
    picture = block_sheep(level, basin.highest, basin.scale)
    columns = len(picture[0])
    left = (basin.width - columns) // 2
    nothing: Sequence[str] = [SKY] * columns
    halves = [["crest"] * columns, *picture] if half else [*picture]
    halves += [nothing] * (len(halves) % 2)
    for number in range(0, len(halves), 2):
        at = first + number // 2
        cells = [_cell(up, low) for up, low in zip(halves[number + 1], halves[number], strict=True)]
        (style, ground), *_more = rows[at]
        before, after = ground[:left], ground[left + columns :]
        rows[at] = row((style, before), *merged(cells), (style, after))


def _cell(upper: str, lower: str) -> Span:
    """Two half cells in one."""
    if upper == lower:
        return (upper, "█" if upper else " ")
    if not upper:
        return (lower, "▄")
    if not lower:
        return (upper, "▀")
    if upper == FACE and lower == WOOL:
        return (f"{WOOL}.face", "▄")
    return (f"{upper}.{lower.rpartition('.')[2]}", "▀")


def _in_the_middle(text: str, style: str, ground: Row) -> Row:
    """``text`` on a row that is nothing but water, sand or air."""
    ((around, filling),) = ground
    text = text[: len(filling)]
    left = (len(filling) - text_width(text)) // 2
    after = filling[left + text_width(text) :]
    return row((around, filling[:left]), (style, text), (around, after))


# ---------------------------------------------------------------- what a reveal shows for a moment


_WHOLE_FROM: Final = 10
"""Basins of so many rows light up as a whole; of lower ones where the level stands: each row takes bytes."""
_TALL: Final = 3
"""A sheep of so many rows is drawn with blocks."""
_DRIFT: Final = 3
"""Columns that a life preserver drifts from one picture to the next."""

_BUBBLES: Final = "oO"

Cells = list[Span]
"""A row, a span for each of its columns."""


class _Cells(dict[int, Cells]):
    """Rows as cells, made only when they are needed: an effect is seen in few of them."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows: Final = rows

    def __missing__(self, at: int) -> Cells:
        cells = self[at] = [(style, char) for style, text in self.rows[at] for char in text]
        return cells


def with_effect(rows: tuple[Row, ...], effect: Effect, glyphs: Glyphs) -> tuple[Row, ...]:
    """A basin, from the top row down, with what is seen in it for a moment."""
    whole = len(rows) >= _WHOLE_FROM
    if effect.flows and not whole:
        rows = tuple([tuple([_calm(*span) for span in line]) for line in rows])
    cells = _Cells(rows)
    sheep = [at for at, line in enumerate(rows) if any(_is_sheep(style) for style, _ in line)]
    if effect.tide:
        _put(cells[0], f"[{effect.tide:2}]", "tide.high")
    if sheep and effect.ring:
        _drift(cells, sheep, effect.ring, glyphs)
    if sheep and effect.sunk:
        _sink(cells, sheep, effect.sunk)
    if effect.flash:
        lit = "" if whole else "under"
        for at in range(0 if whole else len(rows) - 1, len(rows)):
            cells[at] = [
                _flashing(*cell) if cell[0].startswith(lit) else cell for cell in cells[at]
            ]
    return tuple([merged(cells[at]) if at in cells else line for at, line in enumerate(rows)])


def _calm(style: str, text: str) -> Span:
    """Without foam, which would be gone at once: it takes bytes."""
    foam = "▔" in text
    return (style.replace("crest", "water"), text.replace("▔", "█")) if foam else (style, text)


def _is_sheep(style: str) -> bool:
    return style.startswith("sheep")


def _flashing(style: str, char: str) -> Span:
    kind = style.partition(".")[0]
    if kind == "under":
        return ("under.flash", char)
    if kind in ("water", "crest", "light"):
        return ("water.flash", "█" if char in "▀▔" else char)
    return (style, char)


def _put(line: Cells, text: str, style: str, at: int = -1) -> None:
    """Write ``text`` into a row, from column ``at`` on or in its middle, as far as there is room."""
    start = (len(line) - len(text)) // 2 if at < 0 else at
    for column, char in enumerate(text, start):
        if 0 <= column < len(line):
            line[column] = (style, char)


def _drift(cells: _Cells, sheep: Sequence[int], way: int, glyphs: Glyphs) -> None:
    """A life preserver beside the sheep: the further on its ``way``, the further off."""
    at = sheep[-1] if len(sheep) < _TALL else sheep[len(sheep) // 2]
    right = max(column for column, (style, _) in enumerate(cells[at]) if _is_sheep(style))
    _put(
        cells[at], glyphs.left, "preserver.left", min(right + _DRIFT * way - 1, len(cells[at]) - 1)
    )


def _sink(cells: _Cells, sheep: Sequence[int], deep: int) -> None:
    """The sheep, deeper by that share of its height and more; bubbles are where it was."""
    by = max(1, len(sheep) // 2) * deep
    swims = [(at, list(cells[at])) for at in sheep]
    for at in sheep:
        ground = next((cell for cell in cells[at] if not _is_sheep(cell[0])), ("", " "))
        cells[at] = [ground if _is_sheep(style) else (style, char) for style, char in cells[at]]
    for at, line in reversed(swims):
        if at + by < len(cells.rows) - 1:
            _draw_below(cells[at + by], line)
    middle = (len(cells[0]) - deep) // 2
    _put(cells[sheep[-1]], _BUBBLES[:deep], "foam", middle)


def _draw_below(line: Cells, sheep: Cells) -> None:
    """What of a sheep is in this row of water: a block is seen as a whole."""
    for column, (style, char) in enumerate(sheep):
        if not _is_sheep(style) or char == " ":
            continue
        kind = style.split(".")
        if len(kind) > 1:
            line[column] = (".".join(kind[:2]), "█")
        else:
            under = line[column][0].replace("water", "under").replace("light", "under")
            line[column] = (under if under.startswith("under.") else "sheep", char)


# ---------------------------------------------------------------- above and below the basins


@lru_cache(maxsize=1024)
def name_row(tags: tuple[NameTag, ...], you: int, width: int, look: DrawContext) -> Row:
    """Draw the names of the seats; ``you`` is the viewer's seat or -1."""
    spans: list[Span] = [("", "  ")]
    for number, (name, special, out, present) in enumerate(tags):
        mine = number == you
        tag = f" {special or (look.words.t('you') if mine else '')}".rstrip()
        style = "seat" if present else "seat.away"
        style = "seat.you" if mine else "seat.out" if out else style
        shown = shorten(name, width - text_width(tag), look.glyphs)
        gap = " " * (width - text_width(shown) - text_width(tag) + 1)
        spans += [(style, shown), ("seat.bot", tag), ("", gap)] if tag else [(style, shown + gap)]
    return tuple(spans)


@lru_cache(maxsize=1024)
def kept_row(seats: tuple[Kept, ...], width: int, look: DrawContext) -> Row:
    """Return the row of life preservers left and lost, and of the totals; where none is left, an alarm."""
    spans: list[Span] = [("", " ")]
    for left, lost, losing, out, score, leader in seats:
        total = f"{score}*" if leader else f"{score} "
        room = width - 1 - len(total)
        alarm = () if left or out else none_left(room, look)
        shown = preservers(left, lost, max(0, room - row_width(alarm)), look.glyphs, losing=losing)
        if alarm:
            shown = (*alarm, *(shown if row_width((*alarm, *shown)) < room else ()))
        blank = " " * (width - row_width(shown) - len(total))
        spans += (("", " "), *shown, ("", blank), ("seat.leader" if leader else "score", total))
    return row(*spans)


def none_left(room: int, look: DrawContext) -> Row:
    """That no life preserver is left, in at most ``room`` columns."""
    said = f" {look.words.t('0 left!')} "
    return (("alarm", said if text_width(said) <= room else "!0"), ("", " "))


def preservers(
    left: int, lost: int, room: int, glyphs: Glyphs, *, losing: bool = False
) -> tuple[Span, ...]:
    """Life preservers left and lost in at most ``room`` columns: drawn one by one if they fit.

    While one is lost (``losing``), the first of those stands out where it was.
    """
    total = left + lost
    if total > room:
        style = "bad" if losing else "preserver.lost"
        return (("preserver.left", f"{left}{glyphs.left}"), (style, f" {lost}{glyphs.lost}"))
    apart = " " if 2 * total - 1 <= room else ""
    gap, turned = apart if left and lost else "", apart.join(glyphs.lost * lost)
    shown: Span = ("preserver.left", apart.join(glyphs.left * left))
    if losing:
        return (shown, ("", gap), ("bad", turned[:1]), ("preserver.lost", turned[1:]))
    return (shown, ("preserver.lost", gap + turned))


def state_row(seats: Sequence[SeatModel], width: int, look: DrawContext) -> Row:
    """What each seat is doing; in a reveal its card and what it takes."""
    spans = [("", " ")]
    sealed = ASCII.sealed if look.thin else look.glyphs.sealed
    for seat in seats:
        if seat.card:
            style = RANKS[seat.rank if width >= TELLS_FROM else 0]
            text = seat.state or f"[{seat.card:2}]"
            if text_width(text) > width - 4 * seat.sealed or width < TELLS_FROM:
                text = f"[{seat.card:2}]"
            if seat.sealed:
                text = fit(text, width - 4) + " " + sealed
        elif seat.sealed:
            style = "card.sealed"
            text = sealed if look.thin or width < TELLS_FROM else f"{sealed} {seat.state}"
        else:
            style = "seat.out" if seat.out else "dim"
            brief = seat.thinking and seat.present and width < _SAYS_FROM
            text = "..." if brief else seat.state
        spans += (("", " "), (style, fit(text, width, ellipsis=look.glyphs.more)))
    return tuple(spans)
