"""What one session adds to the table that everybody sees, and the rows that say it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from server.coordinator.messages import TableSnapshot
from server.fullscreen.table.layout import Layout
from server.fullscreen.table.pointing import PointedAt
from server.fullscreen.widgets.drawing import DrawContext, Glyphs, between, indented, wrap_to
from server.i18n.lookup import _
from server.session.turn_status import bid_due, waits_for
from server.terminal.drawing.frame import BLANK, Row, Span, row, row_width, text_width, wrap
from server.text.countdown import time_to_bid
from server.viewmodels.table import LogRound, TableModel

_LOG_KEPT: Final = 2
"""Rows of the log that no message takes."""


class TableFocus(NamedTuple):
    """What one session adds to the table that everybody sees."""

    clock: Span
    """Time left, in words; empty when nothing is due."""
    keys: tuple[tuple[str, str], ...]
    """The footer."""
    you: int
    """The own seat; -1 for a spectator."""
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


def facts_below(focus: TableFocus, model: TableModel, look: DrawContext) -> tuple[str, ...]:
    """What there is to know of the signs on the table, and of its rules."""
    words, ring = look.words, look.glyphs.left
    if not focus.named:
        return model.house_rules
    points = words.n("{count} point", "{count} points", 0)
    return (f"{ring} {words.t('life preserver')}", points, *model.house_rules)


def centred(line: Row, layout: Layout) -> Row:
    return indented(line, (layout.main - row_width(line)) // 2) if layout.centred else line


def _message(focus: TableFocus, layout: Layout) -> tuple[Span, ...]:
    """What is to be done; before it what has just happened, where the log is too short to tell it."""
    if focus.news and (not layout.tells or layout.offer_rows == 1):
        climax, *more = focus.news
        if text_width(climax) > layout.main - 3:
            climax = focus.brief or climax
        why = [] if layout.tells else [("warm", said) for said in more]
        return (("climax", climax), *why, focus.message)
    if layout.compact and focus.notice[1]:
        return (focus.notice, focus.message)
    return (focus.message,)


def untold(focus: TableFocus, layout: Layout) -> tuple[LogRound, ...]:
    """The log without what the message tells of the newest round already."""
    if not focus.news or layout.tells or not focus.log:
        return focus.log
    newest, *others = focus.log
    return (newest._replace(why=()), *others)


def message_rows(focus: TableFocus, layout: Layout, log: int, glyphs: Glyphs) -> Sequence[Row]:
    """The server's words to this player. Where they do not fit, they take rows of the ``log``: one, but not
    of the last two; while a round stays revealed, with its cards beside the seats, as many as it takes to say
    who lost.
    """
    alone = not focus.news or layout.tells
    whole = bool(layout.panel) or (layout.compact and not focus.notice[1])
    most = log if not alone else 0 if whole else min(1, log - _LOG_KEPT)
    return _said(_message(focus, layout), layout, min(most, log), glyphs)


@lru_cache(maxsize=512)
def _said(said: tuple[Span, ...], layout: Layout, most: int, glyphs: Glyphs) -> Sequence[Row]:
    """These texts, in at most so many rows more than they have."""
    width = layout.main - 3
    more = sum([len(wrap(text, width)) for _, text in said]) - layout.message
    room = layout.message + max(0, min(more, most))
    rows: list[Row] = []
    for number, (style, text) in enumerate(said, 1):
        # Each has a row at least.
        lines = wrap_to(text, width, room - len(rows) - (len(said) - number), glyphs)
        rows += [centred(row(" ", (style, line)), layout) for line in lines]
    return rows[:room] + [BLANK] * (room - len(rows))


def lesson_rows(focus: TableFocus, width: int) -> list[Row]:
    return [row(" ", ("strong", line)) for line in wrap(focus.lesson, width - 3)]


def next_round_line(table: TableSnapshot, now: float, look: DrawContext) -> Span:
    """What is to be known of the next round while the last one, or the end of a stage, is shown: how much
    time there is to bid, or that all wait, or what has been bid.
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
    """The same, at the end of a stage, perhaps the last one; and how to go on, which it does by itself after
    so many ``seconds``.
    """
    words, count = look.words, round(seconds)
    style, said = ("dim", "") if last else next_round_line(table, now, look)
    text = _("Press Space to go on (or wait {count} s).")
    if last:
        text = _("Press Space for the standings (or wait {count} s).")
    return (style, between((said, words.t(text, count=count)), look.glyphs))
