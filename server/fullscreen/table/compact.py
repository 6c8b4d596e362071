"""The table on small terminals: a line for each seat."""

from typing import Final

from engine.views import SeatView
from server.fullscreen.table.focus import TableFocus, facts_below, lesson_rows, message_rows, untold
from server.fullscreen.table.hand import hand_rows
from server.fullscreen.table.layout import Layout
from server.fullscreen.table.log import log_rows
from server.fullscreen.table.offer import offer_line
from server.fullscreen.table.pointing import Places, pointed
from server.fullscreen.table.tide_gauges import RANKS, none_left, preservers
from server.fullscreen.widgets.drawing import ASCII, DrawContext, Glyphs, between, shorten
from server.session.tutorial import ScreenPart
from server.terminal.drawing.caches import cached_by_identity
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, text_width, wrap
from server.viewmodels.table import TableModel

_ROOMY: Final = 60
"""From so many columns on a line a seat has whole names."""
_SAYS: Final = 54
"""From so many columns on it says in words what everybody is doing."""
_TAG: Final = 3
"""Columns of what is special about a player; a longer word takes one more of the name."""
_LEVEL: Final = 3
"""Columns of a level in a line a seat; where a language's word for none or out is longer, a sign stands."""


def compact_rows(
    model: TableModel, own: SeatView | None, focus: TableFocus, layout: Layout, look: DrawContext
) -> list[Row]:
    rows = [offer_line(model.offer, model.takers, layout.main, look)]
    rows += _seat_lines(model, focus.you, layout.columns, look)
    rows += hand_rows(own, focus.chosen, layout.columns, 2, layout.pitch, look)
    if focus.points.part is not ScreenPart.NOTHING:
        seats = len(model.seats)
        held = 2 * (own is not None and bool(own.hand))
        places = Places(range(1), 0, range(1, seats + 1), range(seats + 1, seats + 1 + held))
        rows = pointed(rows, focus.points, places, layout, look.glyphs)
    said = message_rows(focus, layout, layout.log, look.glyphs)
    chat = focus.chat and not focus.lesson
    below = model.house_rules if focus.lesson else facts_below(focus, model, look)
    log = log_rows(untold(focus, layout), layout, layout.message - len(said), look, chat)
    if focus.lesson:
        # Here a lesson needs every row that it can have.
        said = [each for each in said if each is not BLANK]
        lesson = lesson_rows(focus, layout.columns)
        style, text = focus.message
        room = layout.message + layout.log - bool(below)
        if len(said) + len(lesson) > room and style != "error":
            said = [row(" ", (style, shorten(text, layout.columns - 2, look.glyphs)))]
        log = (*lesson, *log)[: layout.log + layout.message - len(said)]
    rows += said
    if below:
        house_rules = wrap(between(below, look.glyphs), layout.columns - 2)
        log = (
            *log[: max(0, layout.log + layout.message - len(said) - len(house_rules))],
            *(row(" ", ("dim", ln)) for ln in house_rules),
        )
    return [*rows, *log]


@cached_by_identity(1)
def _seat_lines(model: TableModel, you: int, width: int, look: DrawContext) -> tuple[Row, ...]:
    glyphs = look.glyphs
    rows = []
    name_width = 13 if width >= _ROOMY else 9
    for seat in model.seats:
        bar = () if look.thin else _bar(seat.level, model.highest_tide, glyphs)
        level = seat.level_words
        if text_width(level) > _LEVEL:
            level = "x" if seat.out else "-"
        level += "!" if seat.highest else ""
        mine, long = seat.seat == you, text_width(seat.short_tag) > _TAG
        style = "seat.you" if mine else "seat.out" if seat.out else "seat"
        score = f"{seat.score}*" if seat.leader else f"{seat.score} "
        # On a slow line a bid is a sign where the cursor gets cheaply; one's own is told below.
        state = "" if look.thin and (seat.thinking or seat.sealed) else seat.state
        first = ASCII.full if look.thin and seat.sealed else " "
        doing: Span = ("card.sealed", glyphs.full if seat.sealed and not look.thin else " ")
        if seat.card:
            doing = (RANKS[seat.rank], f"{seat.card}")
        left: tuple[Span, ...] = preservers(seat.left, seat.lost, 7, glyphs)
        if not seat.left and not seat.out:
            left = none_left(0, look)
        if look.thin:
            left = tuple(("" if each == "preserver.lost" else each, text) for each, text in left)
        line = row(
            ">" if mine else first,
            (style, fit(seat.name, name_width - 1 - long, ellipsis=glyphs.more)),
            ("seat.bot", fit(f" {seat.short_tag}" if seat.tag else "", 5 + long)),
            *bar,
            ("tide.top" if seat.highest else "text", fit(f" {level}", 4, ellipsis="")),
            " ",
            *left,
            " " * (7 - sum(len(text) for _, text in left)),
            ("seat.leader" if seat.leader else "score", f"{score:>4}"),
            doing,
        )
        if width >= _SAYS:
            line = row(*line, " ", ("dim", shorten(state, width - name_width - 36, glyphs)))
        rows.append(line)
    return tuple(rows)


def _bar(level: int, highest: int, glyphs: Glyphs) -> tuple[Span, ...]:
    full, odd = divmod(level, 2)
    filled = glyphs.bar[0] * full + glyphs.bar[1] * odd
    return (("water.1", filled), ("rule", glyphs.bar[2] * ((highest + 1) // 2 - full - odd)))
