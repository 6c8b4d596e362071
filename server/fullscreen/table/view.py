"""The table: everything that decides a bid on one screen."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.views import SeatView
from server.fullscreen.table.hand import drawn_width, hand_rows, label_width
from server.fullscreen.table.layout import Layout, table_layout
from server.fullscreen.table.log import log_rows, panel_rows, tick_rows
from server.fullscreen.table.pointing import Places, PointedAt, pointed
from server.fullscreen.table.reveal import climax_lines, with_climax
from server.fullscreen.table.tide_gauges import (
    RANKS,
    TELLS_FROM,
    NameTag,
    basin_rows,
    name_row,
    no_ring,
    preserver_row,
    preservers,
    state_row,
)
from server.fullscreen.widgets.big_digits import ROWS as BIG_ROWS
from server.fullscreen.widgets.big_digits import big_number
from server.fullscreen.widgets.drawing import (
    ASCII,
    DrawContext,
    Glyphs,
    between,
    footer,
    indented,
    rule_row,
    shorten,
    spread,
    wave_row,
    wrap_to,
)
from server.session.tutorial import ScreenPart
from server.terminal.capabilities import Size
from server.terminal.drawing.caches import LastValue, shared
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
_LOG_KEPT: Final = 2
"""Rows of the log that no message takes."""
_READ: Final = 110
"""Columns of what the guide says, at most."""
_LEVEL: Final = 3
"""Columns of a level in a line a seat; where a language's word for none or out is longer, a sign stands."""


class TableFocus(NamedTuple):
    """What one session adds to the table that everybody sees."""

    you: int
    """The own seat; -1 for a spectator."""
    chosen: int
    """The card that Enter would bid; 0 for none."""
    message: Span
    """What the server says to this player now."""
    notice: Span
    """What has happened beside the cards, for a while."""
    clock: Span
    """Time left, in words; empty when nothing is due."""
    keys: tuple[tuple[str, str], ...]
    """The footer."""
    news: tuple[str, ...] = ()
    """What has just happened and why, for screens that are too small to show it in the log."""
    lesson: str = ""
    """What the guide says; it takes room from the log."""
    points: PointedAt = PointedAt()
    """What the guide speaks of."""
    chat: bool = False
    """Something has been said here: a row of the log may be left to it."""


OwnRows = tuple[Row, list[Row]]
"""The names' row, and everything below the basins."""


def table_screen(
    model: TableModel,
    own: SeatView | None,
    focus: TableFocus,
    size: Size,
    look: DrawContext,
    kept: LastValue[OwnRows] | None = None,
) -> Frame:
    """The table as one visitor sees it; ``kept`` is what his or her session keeps of the last frame."""
    layout = table_layout(size, len(model.seats), model.highest_tide, look.thin)
    if layout.compact:
        body = _compact(model, own, focus, layout, look)
    else:
        body = _full(model, own, focus, layout, look, kept or LastValue())
    body += [BLANK] * (layout.body - len(body))
    head = _header_left(model, layout.columns, look)
    if focus.clock[1]:
        head = spread(head, (focus.clock, ("", " ")), layout.columns)
    return Frame((head, *body[: layout.body], footer(focus.keys, layout.columns)))


def _full(
    model: TableModel,
    own: SeatView | None,
    focus: TableFocus,
    layout: Layout,
    look: DrawContext,
    kept: LastValue[OwnRows],
) -> list[Row]:
    above, below, tags = _board(model, layout, look)
    focus = focus._replace(clock=("", ""), keys=())
    hand = (own.hand, own.dealt, own.bid) if own is not None else None
    names, rest = kept.get(
        (tags, model.house_rules, model.log, hand, focus, layout, look),
        lambda: _own(model, tags, own, focus, layout, look),
    )
    rows = [*above, *_air(layout, 1), names, *below, *rest]
    if focus.points.part is not ScreenPart.NOTHING:
        held = own is not None and bool(own.hand)
        rows = pointed(
            rows, focus.points, _places(len(above), len(below), held, layout), layout, look.glyphs
        )
    if layout.panel:
        rows += [BLANK] * (layout.body - len(rows))
        panel = panel_rows(model, layout, look)
        if focus.lesson and not layout.lesson:
            wall: Span = ("rule", look.glyphs.wall)
            lesson = [row(" ", wall, *each) for each in _lesson_rows(focus, layout.panel - 3)]
            panel = (*panel[:1], *lesson, *panel)
        rows = [_beside(left, right, layout.main) for left, right in zip(rows, panel, strict=False)]
    return rows


def _places(above: int, below: int, held: bool, layout: Layout) -> Places:
    """Where the parts are, with so many rows above and below the names."""
    names = above + len(_air(layout, 1))
    hand = names + 1 + below + len(_air(layout, 2)) + 1
    return Places(
        offer=range(above - layout.offer_rows, above),
        names=names,
        levels=range(names + 1, names + 1 + layout.basin.rows),
        hand=range(hand, hand + layout.hand * held),
    )


def _centred(line: Row, layout: Layout) -> Row:
    return indented(line, (layout.main - row_width(line)) // 2) if layout.centred else line


def _air(layout: Layout, slot: int) -> list[Row]:
    """Blank rows in one of the four places for them."""
    return [BLANK] * (layout.air // 4 + (layout.air % 4 > slot))


@shared(2, 8192)
def _beside(left: Row, right: Row, width: int) -> Row:
    return (*pad_row(left, width), *right)


def _own(
    model: TableModel,
    tags: tuple[NameTag, ...],
    own: SeatView | None,
    focus: TableFocus,
    layout: Layout,
    look: DrawContext,
) -> OwnRows:
    width = layout.main
    # Where columns have no room for words, the sign of a bid is explained here: it costs nothing.
    sign = (
        f"{look.glyphs.sealed} {look.words.t('sealed')}" if layout.basin.width < TELLS_FROM else ""
    )
    right = between((sign, *model.house_rules), look.glyphs)
    rows = [*_air(layout, 2), rule_row(look.glyphs, width, focus.notice, ("dim", right))]
    # Without a hand its rows are the log's.
    more = layout.hand
    if own is not None and own.hand:
        more = 0
        rows += _hand(own, focus, layout, look)
    rows += _air(layout, 3)
    said = _message_rows(focus, layout, layout.log + more, look.glyphs)
    more -= len(said) - layout.message
    rows += said
    room = layout.lesson if layout.panel else layout.log + more
    lesson = [_centred(each, layout) for each in _lesson_rows(focus, min(width, _READ))[:room]]
    chat = focus.chat and not lesson
    shown = _untold(model, focus, layout)
    rows += [*lesson, *_air(layout, 0)]
    rows += log_rows(shown, layout, more - len(lesson), look, chat)
    names = name_row(tags, focus.you, layout.basin.width, look)
    return indented(names, layout.left), rows


def _hand(own: SeatView, focus: TableFocus, layout: Layout, look: DrawContext) -> list[Row]:
    """The hand, with the cards in the middle."""
    rows = hand_rows(own, focus.chosen, layout.main, layout.hand, layout.pitch, look)
    left = 0
    if layout.centred:
        wide = (
            drawn_width(own, layout.pitch, look) if layout.hand > 2 else max(map(row_width, rows))
        )
        left = max(0, (layout.main - wide - label_width(look)) // 2)
    return [indented(each, left) for each in rows]


# ---------------------------------------------------------------- shared by everybody at the table


@shared(3)
def _board(
    model: TableModel, layout: Layout, look: DrawContext
) -> tuple[list[Row], list[Row], tuple[NameTag, ...]]:
    """The rows above the names, and those below down to what is the player's own; what the names' row shows,
    that has one's own marked.
    """
    width, seats = layout.main, model.seats
    above = [wave_row(look.glyphs, width, model.wave)] if layout.wave else []
    if layout.centred:
        above += _offer_between(
            model.offer, model.offer_words, bool(model.takers), model.climax, layout, look
        )
    elif layout.offer_rows > 1:
        offer = _offer_cards(model.offer, model.offer_words, look)
        above += with_climax(offer, model.climax, width, look) if model.climax else offer
    else:
        above.append(_offer_line(model.offer, model.takers, width, look))
    basin = layout.basin
    below = [
        *basin_rows(seats, basin, look),
        preserver_row(seats, basin.width, look),
        state_row(seats, basin.width, look),
    ]
    below = [indented(each, layout.left) for each in below]
    if layout.ticks:
        ticks = tick_rows(model, layout.ticks, width, look, layout.tick)
        left = (width - max(map(row_width, ticks))) // 2 if layout.centred else 0
        below += [indented(each, left) for each in ticks]
    return above, below, tuple([(seat.name, seat.tag, seat.out, seat.present) for seat in seats])


@shared(3)
def _header_left(model: TableModel, width: int, look: DrawContext) -> Row:
    words = look.words
    facts = (model.title, model.edition, model.stage_words, model.round_words)
    title = words.t("Turn the Tide")
    text = between(facts, look.glyphs)
    if text_width(title) + text_width(text) + 4 <= width - 10:
        return row(" ", ("title", title), "  ", ("text", text))
    for keep in (facts, facts[1:], facts[2:]):
        text = between(keep, look.glyphs)
        if text_width(text) <= width - 10:
            break
    return row(" ", ("title", shorten(text, width - 2, look.glyphs)))


@lru_cache(maxsize=1024)
def _offer_cards(
    offer: tuple[int, int] | None, words: tuple[str, ...], look: DrawContext
) -> Sequence[Row]:
    """The two tide cards, drawn, and in ``words`` who gets which, or has taken it."""
    if offer is None:
        return [BLANK] * 3
    label = fit(look.words.p("cards", "tides"), 11, ellipsis=look.glyphs.more)
    low, high = (
        tide_card(tide, style, 3, look)
        for tide, style in zip(offer, ("tide.low", "tide.high"), strict=True)
    )
    before = (" " * 13, row("  ", ("heading", label)), " " * 13)
    cards = [
        row(*(first if isinstance(first, tuple) else (first,)), *left, " ", *right)
        for first, left, right in zip(before, low, high, strict=True)
    ]
    styles = [*["text"] * (len(words) - 1), "dim", "dim", "dim"]
    said = zip(cards, styles, (*words, "", "", ""), strict=False)
    return [row(*card, "   ", (style, text)) for card, style, text in said]


@lru_cache(maxsize=1024)
def _offer_between(
    offer: tuple[int, int] | None,
    words: tuple[str, ...],
    taken: bool,
    climax: str,
    layout: Layout,
    look: DrawContext,
) -> Sequence[Row]:
    """The same in the middle: what is said of a card stands beside it, below that what the round came to."""
    height = layout.offer_rows
    if offer is None:
        return [BLANK] * height
    low = tide_card(offer[0], "tide.low", height, look)
    high = tide_card(offer[1], "tide.high", height, look)
    wide = row_width(low[0])
    middle, said = height // 2, (*words, "", "", "")
    room = layout.main // 2 - wide - 4
    left: list[Span] = [("", "")] * height
    right: list[Span] = [("", "")] * height
    left[middle - 1] = ("heading", look.words.p("cards", "tides"))
    left[middle] = ("text", said[0])
    then = wrap(said[2], room)[:2] if said[2] else ()
    below = middle + 2 - max(1, len(then))
    right[below : below + len(then)] = [("dim", line) for line in then]
    lines = climax_lines(climax, room, height, look) if climax else ()
    right[len(right) - len(lines) :] = [("climax", line) for line in lines]
    right[max(0, height - 4) if taken else below - 1] = ("text", said[1])
    rows = []
    for number in range(height):
        style, text = left[number]
        text = fit(text, room, ">", look.glyphs.more)
        style_after, after = right[number]
        after = shorten(after, room, look.glyphs)
        cards = (*low[number], ("", " "), *high[number])
        rows.append(row(" ", (style, text), "   ", *cards, "   ", (style_after, after)))
    return rows


@lru_cache(maxsize=256)
def tide_card(tide: int, style: str, height: int, look: DrawContext) -> Sequence[Row]:
    """A tide card of 3, 5 or 7 rows; the larger ones show their number in large figures."""
    glyphs = look.glyphs
    top_left, top_right, low_left, low_right = glyphs.corner
    inner = 2 * height - 2
    numbers: Sequence[str] = (f" {tide:2} ",)
    index = ""
    if height > BIG_ROWS and glyphs.full == "█":
        # Figures that are drawn are no text: that stands in the edge.
        numbers, index = big_number(tide), str(tide)
    line, wall = glyphs.line * inner, ("rule", glyphs.wall)
    free = height - 2 - len(numbers)
    lines = [*[""] * (free // 2), *numbers, *[""] * (free - free // 2)]
    return (
        row(("rule", top_left), (style, index), ("rule", line[len(index) :] + top_right)),
        *[row(wall, (style, fit(text, inner, "^")), wall) for text in lines],
        row(("rule", f"{low_left}{line}{low_right}")),
    )


_LOW: Final = "<"
_HIGH: Final = ">"
"""Where the tide cards stand among words that never change."""


@lru_cache(maxsize=1024)
def _offer_line(
    offer: tuple[int, int] | None, takers: tuple[str, ...], width: int, look: DrawContext
) -> Row:
    if offer is None:
        return BLANK
    words = look.words
    low, high = offer
    if takers:
        return _taken_line(offer, takers, width, look)
    said, head = words.t("highest {low}, next {high}", low=_LOW, high=_HIGH), words.t("on offer")
    if text_width(head) + text_width(said) + 10 > width:
        head = ""
    before, between_them, after = re.split(f"[{_LOW}{_HIGH}]", said)
    # Changing colours takes bytes, too.
    cards = [("tide.low", f"{low:2}"), ("tide.low" if look.thin else "tide.high", f"{high:2}")]
    if said.index(_LOW) > said.index(_HIGH):
        cards.reverse()
    line = row(
        *(" ", ("heading", head), "  ", ("dim", before), cards[0]),
        *(("dim", between_them), cards[1], ("dim", after)),
    )
    if look.thin:
        # What the sign before a seat means: it is so much shorter than the word.
        line = spread(line, row(("dim", f"{ASCII.full} {words.t('sealed')}"), " "), width)
    return line


def _taken_line(
    offer: tuple[int, int], takers: tuple[str, ...], width: int, look: DrawContext
) -> Row:
    """Who took which, the names as whole as they fit."""
    glyphs, head = look.glyphs, look.words.p("tide cards", "taken")
    used = 1 + text_width(head) + 2 + 2 * 4 + text_width(glyphs.between)
    first, second = (shorten(name, (width - used) // 2, glyphs) for name in takers)
    return row(
        *(" ", ("heading", head), "  ", ("text", first), ("tide.low", f" {offer[0]:2}")),
        *(("dim", glyphs.between), ("text", second), ("tide.high", f" {offer[1]:2}")),
    )


def _message(focus: TableFocus, layout: Layout) -> tuple[Span, ...]:
    """What is to be done; before it what has just happened, where the log is too short to tell it."""
    if focus.news and (not layout.tells or layout.offer_rows == 1):
        climax, *more = focus.news
        why = [] if layout.tells else [("warm", said) for said in more]
        return (("climax", climax), *why, focus.message)
    if layout.compact and focus.notice[1]:
        return (focus.notice, focus.message)
    return (focus.message,)


def _untold(model: TableModel, focus: TableFocus, layout: Layout) -> TableModel:
    """``model`` without what the message tells of the newest round already."""
    if not focus.news or layout.tells or not model.log:
        return model
    newest, *others = model.log
    return model._replace(log=(newest._replace(why=()), *others))


def _message_rows(focus: TableFocus, layout: Layout, log: int, glyphs: Glyphs) -> list[Row]:
    """The server's words to this player. Where they do not fit, they take rows of the ``log``: one, but not
    of the last two; while a round stays revealed, with its cards beside the seats, as many as it takes to say
    who lost.
    """
    said, width = _message(focus, layout), layout.main - 3
    more = sum([len(wrap(text, width)) for _, text in said]) - layout.message
    if not focus.news or layout.tells:
        more = 0 if layout.panel or layout.compact else min(more, 1, log - _LOG_KEPT)
    room = layout.message + max(0, min(more, log))
    rows: list[Row] = []
    for number, (style, text) in enumerate(said, 1):
        # Each has a row at least.
        lines = wrap_to(text, width, room - len(rows) - (len(said) - number), glyphs)
        rows += [_centred(row(" ", (style, line)), layout) for line in lines]
    return rows[:room] + [BLANK] * (room - len(rows))


def _lesson_rows(focus: TableFocus, width: int) -> list[Row]:
    return [row(" ", ("strong", line)) for line in wrap(focus.lesson, width - 3)]


# ---------------------------------------------------------------- small terminals


def _compact(
    model: TableModel, own: SeatView | None, focus: TableFocus, layout: Layout, look: DrawContext
) -> list[Row]:
    rows = [_offer_line(model.offer, model.takers, layout.main, look)]
    rows += _seat_lines(model, focus.you, layout.columns, look)
    rows += hand_rows(own, focus.chosen, layout.columns, 2, layout.pitch, look)
    if focus.points.part is not ScreenPart.NOTHING:
        seats = len(model.seats)
        held = 2 * (own is not None and bool(own.hand))
        places = Places(range(1), 0, range(1, seats + 1), range(seats + 1, seats + 1 + held))
        rows = pointed(rows, focus.points, places, layout, look.glyphs)
    said = _message_rows(focus, layout, layout.log, look.glyphs)
    untold, chat = _untold(model, focus, layout), focus.chat and not focus.lesson
    log = log_rows(untold, layout, layout.message - len(said), look, chat)
    if focus.lesson:
        # Here a lesson needs every row that it can have.
        said = [each for each in said if each is not BLANK]
        lesson = _lesson_rows(focus, layout.columns)
        style, text = focus.message
        room = layout.message + layout.log - bool(model.house_rules)
        if len(said) + len(lesson) > room and style != "error":
            said = [row(" ", (style, shorten(text, layout.columns - 2, look.glyphs)))]
        log = (*lesson, *log)[: layout.log + layout.message - len(said)]
    rows += said
    if model.house_rules:
        house_rules = wrap(between(model.house_rules, look.glyphs), layout.columns - 2)
        log = (
            *log[: max(0, layout.log + layout.message - len(said) - len(house_rules))],
            *(row(" ", ("dim", ln)) for ln in house_rules),
        )
    return [*rows, *log]


@shared(1)
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
        mine = seat.seat == you
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
            left = no_ring(0, look)
        if look.thin:
            left = tuple(("" if each == "preserver.lost" else each, text) for each, text in left)
        line = row(
            ">" if mine else first,
            (style, fit(seat.name, name_width - 1, ellipsis=glyphs.more)),
            ("seat.bot", fit(f" {seat.tag}" if seat.tag else "", 5, ellipsis="")),
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
