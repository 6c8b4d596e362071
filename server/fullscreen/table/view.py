"""The picture of a table, on large screens and on small ones."""

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final

from server.fullscreen.table.cards import (
    DRAWN,
    Hand,
    climax_lines,
    drawn_hand,
    drawn_width,
    hand_in_line,
    label_width,
    offer_between,
    offer_cards,
    offer_line,
)
from server.fullscreen.table.layout import (
    Layout,
    Places,
    TableFocus,
    centred,
    facts_below,
    lesson_rows,
    message_rows,
    pointed,
    table_layout,
)
from server.fullscreen.table.log import log_rows, panel_rows, tick_rows
from server.fullscreen.table.tide_gauges import (
    RANKS,
    TELLS_FROM,
    NameTag,
    kept_of,
    kept_row,
    name_row,
    none_left,
    preservers,
    state_row,
    tag_of,
    water_of,
    water_rows,
)
from server.fullscreen.widgets.chrome import Keys
from server.fullscreen.widgets.drawing import (
    ASCII,
    DrawContext,
    Glyphs,
    between,
    footer,
    indented,
    justified,
    rule_row,
    shorten,
    wave_row,
)
from server.session.tutorial import ScreenPart
from server.terminal.capabilities import Size
from server.terminal.drawing.caches import cached_by_identity
from server.terminal.drawing.frame import (
    BLANK,
    Frame,
    Row,
    Span,
    fit,
    pad_row,
    row,
    row_width,
    text_width,
    wrap,
)
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
    model: TableModel, focus: TableFocus, layout: Layout, look: DrawContext
) -> list[Row]:
    columns = layout.main
    rows = [offer_line(model.offer, model.takers, columns, look)]
    rows += _seat_lines(model, focus.you, columns, look)
    rows += hand_in_line(focus.hand, focus.chosen, columns, look) if focus.hand else [BLANK] * 2
    if focus.points.part is not ScreenPart.NOTHING:
        seats = len(model.seats)
        held = 2 * (focus.hand is not None)
        places = Places(range(1), 0, range(1, seats + 1), range(seats + 1, seats + 1 + held))
        rows = pointed(rows, focus.points, places, layout, look.glyphs)
    said = message_rows(focus, layout, layout.log, look.glyphs)
    chat = focus.chat and not focus.lesson
    below = model.house_rules if focus.lesson else facts_below(focus, model.house_rules, look)
    more, news = layout.message - len(said), bool(focus.news)
    log = log_rows(focus.log, layout, more, look, chat, news)
    if focus.lesson:
        # Here a lesson needs every row that it can have.
        said = [each for each in said if each is not BLANK]
        lesson = lesson_rows(focus, columns)
        style, text = focus.message
        room = layout.message + layout.log - bool(below)
        if len(said) + len(lesson) > room and style != "error":
            said = [row(" ", (style, shorten(text, columns - 2, look.glyphs)))]
        log = (*lesson, *log)[: layout.log + layout.message - len(said)]
    rows += said
    if below:
        house_rules = wrap(between(below, look.glyphs), columns - 2)
        log = (
            *log[: max(0, layout.log + layout.message - len(said) - len(house_rules))],
            *(row(" ", ("dim", ln)) for ln in house_rules),
        )
    return [*rows, *log]


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


_READ: Final = 110
"""Columns of what the guide says, at most."""


_FACTS: Final = attrgetter("title", "edition", "stage_words", "round_words")


Board = tuple[list[Row], list[Row], tuple[NameTag, ...]]
"""What everybody at a table is shown alike: the rows above the names, those below, down to the player's own,
and what the names' row shows, that has one's own marked."""


def table_screen(
    model: TableModel,
    focus: TableFocus,
    clock: Span,
    keys: Keys,
    size: Size,
    look: DrawContext,
) -> Frame:
    """The table as one visitor sees it: above it the ``clock``, below the ``keys``."""
    layout = table_layout(size, len(model.seats), model.highest_tide, look.thin)
    rows = compact_rows if layout.compact else _full
    body = rows(model, focus, layout, look)
    body += [BLANK] * (layout.body - len(body))
    head = _header_left(_FACTS(model), size.columns, look)
    if clock[1]:
        head = justified(head, (clock, ("", " ")), size.columns)
    return Frame((head, *body[: layout.body], footer(keys, size.columns)))


def _full(model: TableModel, focus: TableFocus, layout: Layout, look: DrawContext) -> list[Row]:
    above, below, tags = _board(model, layout, look)
    names = indented(name_row(tags, focus.you, layout.basin.width, look), layout.left)
    rest = _below(model.house_rules, focus, layout, look)
    rows = [*above, *[BLANK] * layout.spacing[1], names, *below, *rest]
    if focus.points.part is not ScreenPart.NOTHING:
        places = _places(len(above), len(below), focus.hand is not None, layout)
        rows = pointed(rows, focus.points, places, layout, look.glyphs)
    if layout.panel:
        rows += [BLANK] * (layout.body - len(rows))
        panel = panel_rows(model, focus.log, layout, look)
        if focus.lesson and not layout.lesson:
            side, width = ("rule", look.glyphs.wall), layout.panel - 3
            lesson = [row(" ", side, *each) for each in lesson_rows(focus, width)]
            panel = (*panel[:1], *lesson, *panel)
        rows = [_beside(left, right, layout.main) for left, right in zip(rows, panel, strict=False)]
    return rows


def _places(above: int, below: int, held: bool, layout: Layout) -> Places:
    """Where the parts are, with so many rows above and below the names."""
    names = above + layout.spacing[1]
    hand = names + 1 + below + layout.spacing[2] + 1
    return Places(
        offer=range(above - layout.offer_rows, above),
        names=names,
        levels=range(names + 1, names + 1 + layout.basin.rows),
        hand=range(hand, hand + layout.hand * held),
    )


def _beside(left: Row, right: Row, width: int) -> Row:
    return (*pad_row(left, width), *right)


def _below(
    house_rules: tuple[str, ...], focus: TableFocus, layout: Layout, look: DrawContext
) -> list[Row]:
    """Draw everything below the basins, for one visitor."""
    width, glyphs = layout.main, look.glyphs
    # Where columns have no room for words, the sign of a bid is explained here: it costs nothing.
    tells = layout.basin.width >= TELLS_FROM
    sign = "" if tells else f"{glyphs.sealed} {look.words.t('sealed')}"
    below = facts_below(focus, house_rules, look)
    room = width - 8 - (4 + text_width(focus.notice[1]) if focus.notice[1] else 0)
    right = ""
    for facts in (below[:2], below, (sign, *below)):
        if text_width(told := between(facts, glyphs)) <= room:
            right = told
    rows = [*[BLANK] * layout.spacing[2], rule_row(glyphs, width, focus.notice, ("dim", right))]
    # Without a hand its rows are the log's.
    more = layout.hand
    if focus.hand is not None:
        more = 0
        rows += _hand(focus.hand, focus.chosen, layout, look)
    rows += [BLANK] * layout.spacing[3]
    said = message_rows(focus, layout, layout.log + more, glyphs)
    more -= len(said) - layout.message
    rows += said
    room = layout.lesson if layout.panel else layout.log + more
    lesson: list[Row] = []
    if focus.lesson:
        lesson = [centred(each, layout) for each in lesson_rows(focus, min(width, _READ))[:room]]
    chat = focus.chat and not lesson
    rows += [*lesson, *[BLANK] * layout.spacing[0]]
    rows += log_rows(focus.log, layout, more - len(lesson), look, chat, bool(focus.news))
    return rows


@lru_cache(maxsize=256)
def _hand(hand: Hand, chosen: int, layout: Layout, look: DrawContext) -> Sequence[Row]:
    """The hand, with the cards in the middle."""
    if layout.hand >= DRAWN:
        rows = drawn_hand(hand, chosen, layout.hand, layout.pitch, look)
    else:
        rows = hand_in_line(hand, chosen, layout.main, look)
    if not layout.centred:
        return rows
    drawn = layout.hand >= DRAWN
    wide = drawn_width(hand, layout.pitch, look) if drawn else max(map(row_width, rows))
    left = max(0, (layout.main - wide - label_width(look)) // 2)
    return [indented(each, left) for each in rows]


# ---------------------------------------------------------------- shared by everybody at the table


@cached_by_identity(3)
def _board(model: TableModel, layout: Layout, look: DrawContext) -> Board:
    width, seats = layout.main, model.seats
    shore = look.words.t("end of the stage")
    above = [wave_row(look.glyphs, width, model.wave, shore)] if layout.wave else []
    if layout.centred:
        shown = model.offer, model.offer_words, bool(model.takers), model.climax
        above += offer_between(*shown, layout.offer_rows, width, look)
    elif layout.offer_rows > 1:
        *others, last = offer_cards(model.offer, model.offer_words, look)
        if model.climax[0]:
            said = climax_lines(model.climax, width - row_width(last), 1, look)
            last = (*last, ("climax", said[0]))
        above += (*others, last)
    else:
        above.append(offer_line(model.offer, model.takers, width, look))
    basin = layout.basin
    below = [
        *water_rows(tuple(map(water_of, seats)), basin, look),
        kept_row(tuple(map(kept_of, seats)), basin.width, look),
        state_row(seats, basin.width, look),
    ]
    if layout.left:
        below = [indented(each, layout.left) for each in below]
    if layout.ticks:
        ticks = tick_rows(model, layout.ticks, width, look, layout.tick)
        left = (width - max(map(row_width, ticks))) // 2 if layout.centred else 0
        below += [indented(each, left) for each in ticks]
    return above, below, tuple(map(tag_of, seats))


@lru_cache(maxsize=1024)
def _header_left(facts: tuple[str, ...], width: int, look: DrawContext) -> Row:
    title = look.words.t("Turn the Tide")
    text = between(facts, look.glyphs)
    if text_width(title) + text_width(text) + 4 <= width - 10:
        return row(" ", ("title", title), "  ", ("text", text))
    for keep in (facts, facts[1:], facts[2:]):
        text = between(keep, look.glyphs)
        if text_width(text) <= width - 10:
            break
    return row(" ", ("title", shorten(text, width - 2, look.glyphs)))
