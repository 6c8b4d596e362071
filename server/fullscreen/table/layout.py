"""Where everything at a table stands, what is pointed at there, and what is in focus."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.editions import LARGEST_HAND, WEATHER_CARDS
from server.coordinator.messages import TableSnapshot
from server.fullscreen.table.cards import DRAWN, HUGE, LABEL, LARGE, NARROW, Hand
from server.fullscreen.table.tide_gauges import Basin, basin_for
from server.fullscreen.widgets.chrome import Region
from server.fullscreen.widgets.drawing import DrawContext, Glyphs, between, indented, wrap_to
from server.i18n.lookup import _
from server.session.attention import bid_due, waits_for
from server.session.tutorial import ScreenPart
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import (
    BLANK,
    Row,
    Span,
    overlay,
    pad_row,
    row,
    row_width,
    slice_row,
    text_width,
    wrap,
)
from server.text.times import time_to_bid
from server.viewmodels.table import LogRound

_WIDEST_BASIN: Final = 46
_PANEL_FROM: Final = 140
"""From so many columns on the log stands beside the basins, in a share of them."""
_PANEL_SHARE: Final = 0.27
_LEAST_PANEL: Final = 50
_MOST_PANEL: Final = 84
_CENTRED_FROM: Final = 100
"""From so many columns on hand, tides on offer and prompt stand in the middle."""
_FIXED: Final = 9
"""Rows of header, names, preservers, states, rule, a hand in line, a message, and footer."""
_LOG: Final = 4
"""Rows of log that come before everything optional."""
_MORE_LOG: Final = 3
"""Rows of log that come before what is only larger."""
_LOG_WITH_CHAT: Final = 8
"""From so many rows on the log can spare some for chat."""
_SLOW_LINE_CHAT: Final = 4
"""Rows of chat, with a line above them, where every byte counts."""
_TICKS_FROM: Final = 78
_DRAWN_FROM: Final = 78
_TICKS: Final = len(WEATHER_CARDS)
_TICK_NAMES: Final = 12
_WIDEST_CARD: Final = {DRAWN: 8, LARGE: 11, HUGE: 15}
_LARGE_FROM: Final = {LARGE: 8, HUGE: 11}
"""Columns that cards of so many rows need."""
_LESSON: Final = 2
_LESSON_FROM: Final = 34
"""From so many rows on there is room for the guide beside the prompt, and a panel."""
_SLIM: Final = Size(56, 18)
"""Below this a line a seat takes the place of the basins."""


class Layout(NamedTuple):
    """How a table is laid out."""

    main: int
    """Columns of the table itself, without the panel."""
    body: int
    """Rows between header and footer."""
    compact: bool
    """A line a seat instead of basins."""
    basin: Basin
    wave: bool
    offer_rows: int
    """3, 5 or 7: drawn as cards; 1: in a line."""
    ticks: int
    """Rows for each seat's played cards; 0 for none."""
    tick: int
    """Columns a card there."""
    hand: int
    """Rows of the own hand: 2, or drawn cards."""
    pitch: int
    """Columns from one drawn card to the next."""
    message: int
    """Rows of the line that speaks to the player."""
    log: int
    """Rows of the log below the hand; 0 when it stands in the panel."""
    panel: int
    """Columns of the panel at the right; 0 for none."""
    lesson: int
    """Rows for what the guide says, where there is no log below the hand; 0 when it stands in the panel."""
    spacing: tuple[int, ...]
    """Blank rows in each of the four places where some may stand between the parts."""
    left: int
    """Blank columns before the basins."""
    centred: bool
    """What is narrower than the basins stands in the middle."""
    tells: bool
    """The log has room for a round with its reasons."""


@lru_cache(maxsize=512)
def table_layout(size: Size, seats: int, highest_tide: int, thin: bool = False) -> Layout:
    """For at least ``SMALLEST``; on a slow line nothing is drawn that words and numbers can say."""
    if thin or size.columns < _SLIM.columns or size.rows < _SLIM.rows:
        return _compact(size, seats, thin)
    columns, rows = size
    panel = 0
    if columns >= _PANEL_FROM:  # the basins come first
        panel = max(_LEAST_PANEL, min(_MOST_PANEL, round(columns * _PANEL_SHARE)))
    main, log = columns - panel, 0 if panel else _LOG
    width = min(_WIDEST_BASIN, (main - 2) // seats - 1)
    basin = basin_for(width, highest_tide, 1)
    wave, offer = rows >= 22, 3 if rows >= 23 else 1
    widest_card = (main - LABEL - 6) // LARGEST_HAND
    # What is worth having comes first: a log that can be read, higher basins with a hand drawn as cards, the
    # played cards; then everything gets larger, as far as there is room; the rest is more log.
    lesson = _LESSON if panel and rows >= _LESSON_FROM else 0
    spare = rows - _FIXED - wave - offer - basin.rows - log - lesson
    more_log = _MORE_LOG * (not panel)
    ticks, hand = 0, 2
    taller = basin_for(width, highest_tide, 2)
    if main >= _DRAWN_FROM and spare >= taller.rows - basin.rows + DRAWN - hand:
        spare -= taller.rows - basin.rows
        basin = taller
    if main >= _TICKS_FROM and spare >= seats:
        ticks = seats + (spare > seats)
        spare -= ticks
    if main >= _DRAWN_FROM and spare >= DRAWN - hand:
        spare -= DRAWN - hand
        hand = DRAWN
    spare -= more_log
    for halves in range(basin.halves + 1, 8):
        taller = basin_for(width, highest_tide, halves)
        if spare >= taller.rows - basin.rows:
            spare -= taller.rows - basin.rows
            basin = taller
        larger = LARGE if hand == DRAWN else HUGE
        if DRAWN <= hand < larger <= hand + spare and widest_card >= _LARGE_FROM[larger]:
            spare -= larger - hand
            hand = larger
        if 3 <= offer < 7 and hand > DRAWN and spare >= 2:
            spare -= 2
            offer += 2
    spare += more_log
    spacing = spare if panel else min(3, max(0, spare) // 4)
    log += spare - spacing
    centred = main >= _CENTRED_FROM
    return Layout(
        *(main, rows - 2, False, basin, wave, offer, ticks),
        tick=max(1, min(3, (main - _TICK_NAMES - 4) // _TICKS)),
        hand=hand,
        pitch=max(NARROW, min(widest_card, _WIDEST_CARD.get(hand, NARROW))),
        message=1,
        log=log,
        panel=panel,
        lesson=lesson,
        spacing=tuple([spacing // 4 + (spacing % 4 > place) for place in range(4)]),
        left=max(0, (main - 2 - seats * (width + 1)) // 2) if centred else 0,
        centred=centred,
        tells=bool(panel) or log >= _LOG,
    )


def _compact(size: Size, seats: int, thin: bool) -> Layout:
    spare = size.rows - seats - 6  # header, offer, two of the hand, one of the message, footer
    message = 2 if spare >= 3 else 1
    log = max(0, spare - (message - 1))
    log = min(log, _LOG) if thin else log
    return Layout(
        *(size.columns, size.rows - 2, True, Basin(0, 0, 0, 0, 0), False, 1, 0, 1, 2, NARROW),
        *(message, log, 0, 0, (0,) * 4, 0, False, log >= _LOG),
    )


def chat_room(size: Size, seats: int, highest_tide: int, thin: bool) -> Region | None:
    """Where chat may stand: the lower end of a log that is long enough; ``None`` where there is none."""
    layout = table_layout(size, seats, highest_tide)
    if layout.panel:
        rows = _SLOW_LINE_CHAT if thin else max(_SLOW_LINE_CHAT, layout.body // 3)
        return Region(1 + layout.body - rows, layout.main, rows, layout.panel, True)
    if layout.log < _LOG_WITH_CHAT:
        return None
    rows = _SLOW_LINE_CHAT if thin else layout.log // 3 + 1
    return Region(1 + layout.body - rows, 0, rows, layout.main)


_DRAWN: Final = ("water", "crest", "light", "sheep", "beach", "sand", "card.chosen")
"""Styles, by their beginnings, that stay as they are."""


class PointedAt(NamedTuple):
    """What stands out on the table."""

    part: ScreenPart = ScreenPart.NOTHING
    seats: tuple[int, ...] = ()
    """Seats that it belongs to; all of them for what is not theirs."""


class Places(NamedTuple):
    """Where the parts are: rows, counted from the one below the header."""

    offer: range
    names: int
    levels: range
    """The water, or a line a seat."""
    hand: range


def pointed(
    rows: Sequence[Row], at: PointedAt, places: Places, layout: Layout, glyphs: Glyphs
) -> list[Row]:
    """``rows`` with what is pointed at standing out."""
    shown = list(rows)
    for region in _regions(shown, at, places, layout):
        last = region.top + region.rows - 1
        middle = region.top + region.rows // 2
        for number in range(region.top, min(last + 1, len(shown))):
            before, behind = glyphs.points if number == middle else ("", "")
            # Before a line a seat there is a sign already.
            arrows = ("" if layout.compact else before, behind)
            shown[number] = _warm(shown[number], region.left, region.columns, arrows)
    return shown


def _regions(
    rows: Sequence[Row], at: PointedAt, places: Places, layout: Layout
) -> Iterable[Region]:
    pitch = layout.basin.width + 1
    if at.part is ScreenPart.OFFER:
        yield _inked(rows, places.offer)
    elif at.part is ScreenPart.HAND and places.hand:
        yield _inked(rows, places.hand)
    elif layout.compact:
        for seat in at.seats:
            yield _inked(rows, range(places.levels[seat], places.levels[seat] + 1))
    elif at.part in (ScreenPart.LEVELS, ScreenPart.PRESERVERS, ScreenPart.STATES):
        for seat in at.seats:
            left = layout.left + 1 + seat * pitch
            below = places.levels.stop
            line = {ScreenPart.PRESERVERS: below, ScreenPart.STATES: below + 1}.get(
                at.part, below - 1
            )
            yield Region(places.names, left, 1, pitch)
            yield Region(line, left, 1, pitch)


def _inked(rows: Sequence[Row], where: range) -> Region:
    """From the first column there that is not blank to the last."""
    texts = ["".join(text for _, text in rows[at]) for at in where]
    left = min((len(each) - len(each.lstrip()) for each in texts if each.strip()), default=0)
    right = max(text_width(each.rstrip()) for each in texts)
    return Region(where.start, max(0, left - 1), len(where), right - left + 2)


def _warm(line: Row, left: int, width: int, arrows: tuple[str, str]) -> Row:
    line = pad_row(line, left + width)
    inside = slice_row(line, left, left + width)
    warm: Row = tuple([(_lit(style), text) for style, text in inside])
    for arrow, column in zip(arrows, (0, width - 1), strict=True):
        if arrow and not "".join(text for _, text in slice_row(warm, column, column + 1)).strip():
            warm = overlay(warm, column, (("warm", arrow),))
    have = row_width(line)
    return (*slice_row(line, 0, left), *warm, *slice_row(line, left + width, have))


def _lit(style: str) -> str:
    if style.startswith("under"):
        return "card.chosen"
    return style if style.startswith(_DRAWN) else "warm"


_LOG_KEPT: Final = 2
"""Rows of the log that no message takes."""


class TableFocus(NamedTuple):
    """What one session adds to the table that everybody sees."""

    you: int
    """The own seat; -1 for a spectator."""
    hand: Hand | None
    """The own hand; ``None`` for a spectator, and for who is out."""
    chosen: int
    """The card that Enter would bid; 0 for none."""
    message: Span
    """What the server says to this player now."""
    notice: Span
    """What has happened beside the cards, for a while."""
    news: tuple[str, ...] = ()
    """What has just happened and why, for screens that are too small to show it in the log."""
    brief: str = ""
    """What has just happened, in few words."""
    lesson: str = ""
    """What the guide says; it takes room from the log."""
    points: PointedAt = PointedAt()
    """What the guide speaks of."""
    chat: bool = False
    """Something has been said here: a row of the log may be left to it."""
    log: tuple[LogRound, ...] = ()
    """This stage's rounds as this player reads them, newest first."""
    named: bool = False
    """It is said what is a life preserver, and what are points."""


def facts_below(
    focus: TableFocus, house_rules: tuple[str, ...], look: DrawContext
) -> tuple[str, ...]:
    """What there is to know of the signs on the table, and of its rules."""
    words, ring = look.words, look.glyphs.left
    if not focus.named:
        return house_rules
    points = words.n("{count} point", "{count} points", 0)
    return (f"{ring} {words.t('life preserver')}", points, *house_rules)


def centred(line: Row, layout: Layout) -> Row:
    return indented(line, (layout.main - row_width(line)) // 2) if layout.centred else line


def message_rows(focus: TableFocus, layout: Layout, log: int, glyphs: Glyphs) -> Sequence[Row]:
    """The server's words to this player.

    What is to be done, and before it what has just happened, where the log is too short to tell it.
    Where they do not fit, they take rows of the ``log``: one, but not of the last two; while a round
    stays revealed, with its cards beside the seats, as many as it takes to say who lost.
    """
    said, reasons = [focus.message], bool(focus.news) and not layout.tells
    if focus.news and (reasons or layout.offer_rows == 1):
        climax, *more = focus.news
        if text_width(climax) > layout.main - 3:
            climax = focus.brief or climax
        why = [("warm", each) for each in more] if reasons else []
        said = [("climax", climax), *why, focus.message]
    elif layout.compact and focus.notice[1]:
        said = [focus.notice, focus.message]
    whole = bool(layout.panel) or (layout.compact and not focus.notice[1])
    most = log if reasons else 0 if whole else min(1, log - _LOG_KEPT)
    width = layout.main - 3
    extra = sum([len(wrap(text, width)) for _, text in said]) - layout.message
    room = layout.message + max(0, min(extra, most, log))
    rows: list[Row] = []
    for number, (style, text) in enumerate(said, 1):
        # Each has a row at least.
        lines = wrap_to(text, width, room - len(rows) - (len(said) - number), glyphs)
        rows += [centred(row(" ", (style, line)), layout) for line in lines]
    return rows[:room] + [BLANK] * (room - len(rows))


def lesson_rows(focus: TableFocus, width: int) -> list[Row]:
    return [row(" ", ("strong", line)) for line in wrap(focus.lesson, width - 3)]


def next_round_line(table: TableSnapshot, now: float, look: DrawContext) -> Span:
    """What is to be known of the next round while the last one, or the end of a stage, is shown.

    How much time there is to bid, or that all wait, or what has been bid.
    """
    words, own, style, said = look.words, table.own, "dim", ""
    if waits_for(table):
        style, said = "warm", words.t("waiting for you")
    elif due := bid_due(table):
        time = time_to_bid(due - now, words, look.thin)
        said = words.t("next round: {time} to bid", time=time)
    elif own is not None and own.bid:
        said = words.t("next round: your {card} is sealed", card=own.bid)
    return (style, said)


def next_round_said(
    table: TableSnapshot, now: float, look: DrawContext, seconds: float, *, last: bool
) -> Span:
    """Say what the next round brings, at the end of a stage, perhaps the last one.

    And how to go on, which it does by itself after so many ``seconds``.
    """
    words, count = look.words, round(seconds)
    style, said = ("dim", "") if last else next_round_line(table, now, look)
    text = _("Press Space to go on (or wait {count} s).")
    if last:
        text = _("Press Space for the standings (or wait {count} s).")
    return (style, between((said, words.t(text, count=count)), look.glyphs))
