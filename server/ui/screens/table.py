"""The table: everything that decides a bid on one screen."""

from typing import Final, NamedTuple

from server.ui.frame import BLANK, Frame, Row, Span, fit, pad_row, row, text_width
from server.ui.models.table import HandModel, LogRound, TableModel
from server.ui.screens.basins import (
    RANKS,
    basin_rows,
    name_row,
    preserver_row,
    preservers,
    state_row,
)
from server.ui.screens.layout import Layout, table_layout
from server.ui.screens.look import (
    Glyphs,
    Look,
    between,
    footer,
    rule_row,
    shorten,
    spread,
    wave_row,
    wrap,
)
from server.ui.sharing import shared
from server.ui.terminal import Size

_TICKS: Final = 60


class TableFocus(NamedTuple):
    """What one session adds to the table that everybody sees."""

    you: int
    """The own seat; -1 for a spectator."""
    chosen: int
    """The card that Enter would bid; 0 for none."""
    message: Span
    """What the house says to this player now."""
    notice: Span
    """What has happened beside the cards, for a while."""
    clock: Span
    """Time left, in words; empty when nothing is due."""
    keys: tuple[tuple[str, str], ...]
    """The footer."""
    news: tuple[str, ...] = ()
    """What has just happened and why, for screens that are too small to show it in the log."""


def table_screen(
    model: TableModel, hand: HandModel | None, focus: TableFocus, size: Size, look: Look
) -> Frame:
    """The table as one visitor sees it."""
    layout = table_layout(size, len(model.seats), model.highest_tide)
    draw = _compact if layout.compact else _full
    body = draw(model, hand, focus, layout, look)
    body += [BLANK] * (layout.rows - 2 - len(body))
    head = _header(model, focus.clock, layout, look)
    return Frame((head, *body[: layout.rows - 2], footer(focus.keys, layout.columns)))


def _full(
    model: TableModel, hand: HandModel | None, focus: TableFocus, layout: Layout, look: Look
) -> list[Row]:
    board = _board(model, layout, look)
    names = _names(model, focus.you, layout, look)
    width = layout.main
    rows = [*board.above, names, *board.below]
    rows.append(rule_row(look.glyphs, width, focus.notice))
    rows += _hand_rows(hand, focus.chosen, width, look)
    rows += _message_rows((focus.message,), width, layout.message)
    rows += _log_rows(model, layout, look)
    if layout.panel:
        rows += [BLANK] * (layout.rows - 2 - len(rows))
        panel = _panel(model.log, layout, look)
        rows = [(*pad_row(left, width), *right) for left, right in zip(rows, panel, strict=False)]
    return rows


# ---------------------------------------------------------------- shared by everybody at the table


class Board(NamedTuple):
    """The rows that look alike for all."""

    above: tuple[Row, ...]
    """Above the names."""
    below: tuple[Row, ...]
    """Below them, down to what is the player's own."""


@shared(1)
def _board(model: TableModel, layout: Layout, look: Look) -> Board:
    width, seats = layout.main, model.seats
    above: list[Row] = []
    if layout.wave:
        above.append(_wave(model, layout, look))
    above += _offer_cards(model, look) if layout.offer_rows == 3 else [_offer_line(model, look)]
    basin = layout.basin
    below = [
        *(row(" ", *each) for each in basin_rows(seats, basin, look)),
        row(" ", *preserver_row(seats, basin.width, look)),
        row(" ", *state_row(seats, basin.width, look)),
    ]
    if layout.ticks:
        below += tick_rows(model, layout.ticks, width, look)
    return Board(tuple(above), tuple(below))


@shared(1)
def _names(model: TableModel, you: int, layout: Layout, look: Look) -> Row:
    return row(" ", *name_row(model.seats, you, layout.basin.width, look))


@shared(1)
def _header_left(model: TableModel, width: int, look: Look) -> Row:
    words = look.words
    facts = (model.title, model.edition, *model.house, model.stage_words, model.round_words)
    title = words.t("Turn the Tide")
    text = between(facts, look.glyphs)
    if text_width(title) + text_width(text) + 4 <= width - 10:
        return row(" ", ("title", title), "  ", ("text", text))
    for keep in (facts[1:], (model.edition, *facts[-2:]), facts[-2:]):
        text = between(keep, look.glyphs)
        if text_width(text) <= width - 10:
            break
    return row(" ", ("title", shorten(text, width - 2, look.glyphs)))


def _header(model: TableModel, clock: Span, layout: Layout, look: Look) -> Row:
    left = _header_left(model, layout.columns, look)
    return spread(left, (clock, ("", " ")), layout.columns) if clock[1] else left


def _wave(model: TableModel, layout: Layout, look: Look) -> Row:
    if look.thin:
        return rule_row(look.glyphs, layout.main)
    return wave_row(look.glyphs, layout.main, model.wave)


def _offer_cards(model: TableModel, look: Look) -> list[Row]:
    """The two tide cards, drawn, and who gets which."""
    glyphs = look.glyphs
    label = fit(look.words.t("on offer"), 11, ellipsis=glyphs.more)
    line = glyphs.line * 4
    top_left, top_right, low_left, low_right = glyphs.corner
    if model.offer is None:
        empty = fit("", 6)
        cards: list[Row] = [(("rule", f"{empty} {empty}"),)] * 3
        said: tuple[str, ...] = ("", "", "")
        label = " " * 11
    else:
        low, high = model.offer
        border = ("rule", f"{top_left}{line}{top_right}")
        bottom = ("rule", f"{low_left}{line}{low_right}")
        wall = ("rule", glyphs.wall)
        cards = [
            (border, ("", " "), border),
            (
                *(wall, ("tide.low", f" {low:2} "), wall),
                ("", " "),
                *(wall, ("tide.high", f" {high:2} "), wall),
            ),
            (bottom, ("", " "), bottom),
        ]
        said = (*model.offer_words, "")[:3]
    rows = []
    for number, card in enumerate(cards):
        head = ("heading", f"  {label}") if number == 1 else ("", " " * 13)
        style = "text" if number < len(model.offer_words) - 1 else "dim"
        rows.append(row(head, *card, "   ", (style, said[number])))
    return rows


def _offer_line(model: TableModel, look: Look) -> Row:
    if model.offer is None:
        return BLANK
    words = look.words
    low, high = model.offer
    return row(
        " ",
        ("heading", words.t("on offer")),
        "  ",
        ("tide.low", f" {low} "),
        " ",
        ("tide.high", f" {high} "),
        "   ",
        ("dim", words.t("highest {low}, next {high}", low=low, high=high)),
    )


@shared(1)
def tick_rows(model: TableModel, room: int, width: int, look: Look) -> list[Row]:
    """Every seat's played cards as marks in a row of sixty."""
    glyphs = look.glyphs
    label = min(16, width - _TICKS - 4)
    rows: list[Row] = []
    if room > len(model.seats):
        scale = "".join(f"{number:>10}" for number in range(10, _TICKS + 1, 10))
        head = fit(look.words.t("played"), label, ellipsis=glyphs.more)
        rows.append(row(" ", ("heading", head), " ", ("dim", scale)))
    for seat in model.seats:
        marks: list[Span] = []
        for card in range(1, _TICKS + 1):
            if card in seat.played:
                span = ("card.played", glyphs.mark)
            elif card in seat.earlier:
                span = ("dim", glyphs.earlier)
            else:
                span = ("rule", glyphs.dot)
            if marks and marks[-1][0] == span[0]:
                marks[-1] = (span[0], marks[-1][1] + span[1])
            else:
                marks.append(span)
        name = fit(seat.name, label, ellipsis=glyphs.more)
        rows.append(row(" ", ("seat.out" if seat.out else "seat", name), " ", *marks))
    return rows


# ---------------------------------------------------------------- the log


def round_blocks(entry: LogRound, fresh: bool, width: int, look: Look) -> list[list[Row]]:
    """One round of the log, as blocks that are not to be torn: its bids, then each sentence why."""
    label = look.words.t("round {number}", number=entry.number)
    head = max(10, text_width(label) + 2)
    room = width - head - 2
    bids: list[Row] = []
    for number, line in enumerate(wrap_facts(entry.bids, room, look)):
        first = fit(label if number == 0 else "", head, ellipsis=look.glyphs.more)
        bids.append(row(" ", ("heading", first), ("strong" if fresh else "text", line)))
    style, indent = "warm" if fresh else "dim", " " * (head + 1)
    why = [[row(indent, (style, ln)) for ln in wrap(said, room, "  ")] for said in entry.why]
    return [bids, *why]


def wrap_facts(facts: tuple[str, ...], width: int, look: Look, between: str = "") -> list[str]:
    """Facts in lines, none of them broken."""
    between = between or look.glyphs.between
    lines: list[str] = []
    for fact in facts:
        longer = f"{lines[-1]}{between}{fact}" if lines else fact
        if lines and text_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(shorten(fact, width, look.glyphs))
    return lines


@shared(1)
def _log_lines(log: tuple[LogRound, ...], room: Size, look: Look) -> tuple[Row, ...]:
    """As many of the newest rounds as fit; only the newest is ever cut in mid-sentence."""
    lines: list[Row] = []
    for number, entry in enumerate(log):
        for block in round_blocks(entry, number == 0, room.columns, look):
            if number and len(lines) + len(block) > room.rows:
                return tuple(lines)
            lines += block
    return tuple(lines[: room.rows])


def _log_rows(model: TableModel, layout: Layout, look: Look) -> tuple[Row, ...]:
    if layout.panel:
        return ()
    room = Size(layout.columns, layout.log)
    return _log_lines(model.log, room, look)


@shared(1)
def _panel(log: tuple[LogRound, ...], layout: Layout, look: Look) -> tuple[Row, ...]:
    """The log at the right of a wide terminal."""
    rows = layout.rows - 2
    wall: Span = ("rule", look.glyphs.wall)
    lines = _log_lines(log, Size(layout.panel - 3, rows - 3), look)
    head = row(" ", wall, "  ", ("heading", look.words.t("this stage, newest round first")))
    empty = row(" ", wall)
    body = [row(" ", wall, " ", *line) for line in lines]
    return tuple([empty, head, empty, *body, *([empty] * rows)][:rows])


# ---------------------------------------------------------------- one's own


def _hand_rows(hand: HandModel | None, chosen: int, width: int, look: Look) -> list[Row]:
    words, glyphs = look.words, look.glyphs
    if hand is None or not hand.cards:
        return [BLANK, BLANK]
    head = words.t("your hand")
    label = max(10, text_width(head) + 1)
    cell = 5
    while cell > 3 and label + len(hand.cards) * cell + 2 > width:
        cell -= 1
    if label + len(hand.cards) * cell + 2 > width:
        label = 0
    cards: list[Span] = [("heading", fit(head, label)) if label else ("", "")]
    printed: list[Span] = [("", " " * (label + 1))]
    wide = cell == 5
    closing = ("", " ")
    for card in hand.cards:
        style = "card.bid" if card.sealed else "card"
        opening, after = ("(", ")") if card.sealed else (" ", " ")
        if card.card == chosen:
            style, opening, after = "card.chosen", "[", "]"
        # In the narrowest hand a card's closing bracket is where the next one's opening would be.
        if cell == 3 and opening == " " and closing[1] != " ":
            style_before, opening = closing
            cards += [(style_before, opening), (style, f"{card.card:2}")]
        else:
            cards.append((style, f"{opening}{card.card:2}"))
        closing = (style, after)
        if cell > 3:
            cards += [closing, ("", " " * (cell - 4))]
        shown = ("", words.p("on a card", "half"), words.p("on a card", "one"))[card.halves]
        if not wide or text_width(shown) > cell - 1:
            shown = ("", glyphs.half_printed, "1")[card.halves]
        style = ("", "preserver.half", "preserver.left")[card.halves]
        printed.append((style, fit(shown, cell, "^" if cell > 3 else "<")))
    if cell == 3:
        cards.append(closing)
    return [row(" ", *cards), row(*printed)]


def _message_rows(message: tuple[Span, ...], width: int, room: int) -> list[Row]:
    """The house's words to this player in ``room`` rows."""
    lines = [(style, line) for style, text in message for line in wrap(text, width - 3)]
    rows = [row(" ", line) for line in lines[:room]]
    return rows + [BLANK] * (room - len(rows))


# ---------------------------------------------------------------- small terminals


def _compact(
    model: TableModel, hand: HandModel | None, focus: TableFocus, layout: Layout, look: Look
) -> list[Row]:
    rows = [_offer_line(model, look)]
    rows += _seat_lines(model, focus.you, layout.columns, look)
    rows += _hand_rows(hand, focus.chosen, layout.columns, look)
    message: tuple[Span, ...] = (focus.message,)
    if focus.notice[1]:
        message = (focus.notice, *message)
    if focus.news:
        message = tuple(("warm", said) for said in focus.news)
    rows += _message_rows(message, layout.columns, layout.message)
    rows += _log_rows(model, layout, look)
    return rows


@shared(1)
def _seat_lines(model: TableModel, you: int, width: int, look: Look) -> tuple[Row, ...]:
    glyphs = look.glyphs
    rows = []
    name_width = 9
    for seat in model.seats:
        bar = _bar(seat.level, model.highest_tide, glyphs)
        level = f"{seat.level_words}!" if seat.highest else seat.level_words
        mine = seat.seat == you
        style = "seat.you" if mine else "seat.out" if seat.out else "seat"
        score = f"{seat.score}*" if seat.leader else f"{seat.score} "
        doing: Span = ("card.sealed", glyphs.full if seat.sealed else " ")
        if seat.card:
            doing = (RANKS[seat.rank], f"{seat.card}")
        left = preservers(seat.left, seat.lost, 7, glyphs)
        used = sum(len(text) for _, text in left)
        line = row(
            ">" if mine else " ",
            (style, fit(seat.name, name_width - 1, ellipsis=glyphs.more)),
            ("seat.bot", fit(f" {seat.tag}", 5, ellipsis="")),
            *bar,
            ("tide.top" if seat.highest else "text", fit(f" {level}", 4, ellipsis="")),
            " ",
            *left,
            " " * (7 - used),
            ("seat.leader" if seat.leader else "score", f"{score:>4}"),
            doing,
        )
        if width >= 54:
            line = row(*line, " ", ("dim", shorten(seat.state, width - 45, glyphs)))
        rows.append(line)
    return tuple(rows)


def _bar(level: int, highest: int, glyphs: Glyphs) -> tuple[Span, Span]:
    full, odd = divmod(level, 2)
    filled = glyphs.bar[0] * full + glyphs.bar[1] * odd
    return (("water.1", filled), ("rule", glyphs.bar[2] * ((highest + 1) // 2 - full - odd)))
