"""The log of a stage: beside the table, and as pages."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from typing_extensions import override

from engine.editions import LARGEST_HAND, WEATHER_CARDS
from server.fullscreen.pages.reading import ReadingPage
from server.fullscreen.table.layout import Layout
from server.fullscreen.widgets.chrome import paragraph
from server.fullscreen.widgets.drawing import (
    DrawContext,
    Glyphs,
    labelled,
    merged,
    shorten,
    wrap_facts,
)
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row, row_width, text_width, wrap
from server.viewmodels.table import LogRound, TableModel, log_of, present_table, seat_names

_TICKS: Final = len(WEATHER_CARDS)
_NAME: Final = 10
_LONGEST: Final = 18
"""Columns of a name beside the points, at least and at most."""
_NARROW: Final = 70
"""Below so many columns the reasons stand further left than the bids."""


def round_blocks(
    entry: LogRound,
    fresh: bool,
    width: int,
    look: DrawContext,
    tight: bool = False,
    label: str = "",
) -> tuple[tuple[Row, ...], ...]:
    """One round of the log, as blocks that are not to be torn: its bids, then each sentence why.

    ``tight``: everything but the first row begins further left, and takes fewer rows. ``label`` stands for
    the round's number.
    """
    label = label or look.words.t("round {number}", number=entry.number)
    head = max(10, text_width(label) + 2)
    room = width - head - 2
    bids: list[Row] = []
    further = width - 4 if tight else room
    for number, line in enumerate(wrap_facts(entry.bids, room, look, further=further)):
        indent = head if number == 0 or not tight else 2
        first = fit(label if number == 0 else "", indent, ellipsis=look.glyphs.more)
        # Only this says that it is the newest: the rest moves down as it is, which costs least.
        bids.append(row(" ", ("warm" if fresh else "heading", first), ("text", line)))
    style, indent = "text" if look.thin else "bad", head + 1
    if tight or width < _NARROW:
        indent, room = 3, width - 4
    blocks = [tuple(bids)]
    for said in entry.why:
        lines = wrap(said, room, "  ")
        blocks.append(tuple([row(" " * indent, (style, line)) for line in lines]))
    return tuple(blocks)


def _squeezed(entry: LogRound, room: Size, look: DrawContext, label: str) -> tuple[Row, ...]:
    """The newest round in too few rows: who lost what before who bid what, and what is missing is marked."""
    glyphs = look.glyphs
    bids, *why = round_blocks(entry, True, room.columns, look, tight=True, label=label)
    reasons = [line for block in why for line in block]
    left = room.rows - len(reasons)
    if left >= len(bids):
        return (*bids, *reasons)
    if left > 0:
        *start, (style, text) = bids[left - 1]
        most = room.columns - 1 - row_width(tuple(start))
        while text_width(text) + text_width(glyphs.more) + 1 > most:
            text, _, last = text.rpartition(glyphs.between)
            if not text:
                text = shorten(last, most - text_width(glyphs.more) - 1, glyphs)
        cut = (*start, (style, f"{text} {glyphs.more}"))
        return (*bids[: left - 1], cut, *reasons)
    if left == 0:
        return tuple(reasons)
    lines, words = wrap(entry.brief, room.columns - 4), f"{glyphs.more} {entry.brief}".split()
    while len(lines) > room.rows and len(words) > 2:
        # What came of it stands at the end.
        del words[1]
        lines = wrap(" ".join(words), room.columns - 4)
    style = "text" if look.thin else "bad"
    return tuple([row("   ", (style, line)) for line in lines[: room.rows]])


@lru_cache(maxsize=512)
def _log_lines(log: tuple[LogRound, ...], room: Size, look: DrawContext) -> tuple[Row, ...]:
    """As many of the newest rounds as fit."""
    lines: list[Row] = []
    # On a slow line there is only the last one: what it is called need not change.
    label = look.words.t("last round") if look.thin else ""
    for number, entry in enumerate(log[:1] if look.thin else log):
        blocks = round_blocks(entry, number == 0, room.columns, look, label=label)
        if number == 0 and sum(map(len, blocks)) > room.rows:
            blocks = (_squeezed(entry, room, look, label),) if room.rows > 0 else ()
        for block in blocks:
            if number and len(lines) + len(block) > room.rows:
                return tuple(lines)
            lines += block
    return tuple(lines)


def log_rows(
    log: tuple[LogRound, ...],
    layout: Layout,
    more: int,
    look: DrawContext,
    chat: bool = False,
    news: bool = False,
) -> tuple[Row, ...]:
    """The log below the hand, with ``more`` rows than planned.

    Where people ``chat``, its last row is left to them unless the newest round needs it. Where that one
    is ``news``, and the log is short, the message tells already why who lost what.
    """
    if layout.panel:
        return ()
    if news and log and not layout.tells:
        log = (log[0]._replace(why=()), *log[1:])
    room = Size(layout.main, layout.log + more)
    rows = _log_lines(log, room, look)
    if chat and len(rows) == room.rows > 1:
        less = room._replace(rows=room.rows - 1)
        if len(_log_lines(log[:1], room, look)) <= less.rows:
            return _log_lines(log, less, look)
    return rows


def panel_rows(
    model: TableModel, log: tuple[LogRound, ...], layout: Layout, look: DrawContext
) -> tuple[Row, ...]:
    """At the right of a wide terminal: the points of all stages, and the log."""
    rows, width = layout.body, layout.panel - 3
    side = ("rule", look.glyphs.wall)
    body = [BLANK, *sheet_rows(model, width, look), BLANK]
    body += [row(" ", ("heading", look.words.t("this stage, newest round first"))), BLANK]
    body += _log_lines(log, Size(width, rows - len(body)), look)
    return tuple([row(" ", side, " ", *line) for line in (*body, *[BLANK] * rows)][:rows])


def sheet_rows(model: TableModel, width: int, look: DrawContext) -> list[Row]:
    """Draw the points of each player in each stage, a column a stage, and the total."""
    words, more = look.words, look.glyphs.more
    stages = model.stages
    total = words.t("total")
    last = max(7, text_width(total) + 2)
    cell = max(4, min(8, (width - _NAME - last - 2) // stages))
    name = min(_LONGEST, width - last - cell * stages - 2)
    heads = "".join(f"{number:>{cell}}" for number in range(1, stages + 1))
    head = fit(words.t("stage"), name, ellipsis=more)
    rows = [row(" ", ("heading", head), ("dim", heads), ("heading", fit(total, last, ">")))]
    for seat in model.seats:
        spans: list[Span] = [("seat", fit(seat.name, name, ellipsis=more))]
        for stage in range(stages):
            if stage < len(model.points):
                points = model.points[stage][seat.seat]
                style = "good" if points > 0 else "bad" if points < 0 else "dim"
                spans.append((style, f"{points:>{cell}}"))
            else:
                spans.append(("rule", f"{look.glyphs.dot:>{cell}}"))
        score = f"{seat.score}{'*' if seat.leader else ' '}"
        spans.append(("seat.leader" if seat.leader else "score", fit(score, last + 1, ">")))
        rows.append(row(" ", *spans))
    return rows


def tick_rows(
    model: TableModel, room: int, width: int, look: DrawContext, each: int = 1
) -> list[Row]:
    """Every seat's played cards in a row of sixty, of ``each`` so many columns.

    As marks, or from two on by their numbers.
    """
    glyphs = look.glyphs
    label = min(16, width - _TICKS * each - 4)
    rows: list[Row] = []
    if room > len(model.seats):
        scale = "".join(f"{number:>{10 * each}}" for number in range(10, _TICKS + 1, 10))
        head = fit(look.words.t("played"), label, ellipsis=glyphs.more)
        rows.append(row(" ", ("heading", head), " ", ("dim", scale)))
    for seat in model.seats:
        marks = [_tick(card, seat.played, seat.earlier, each, glyphs) for card in WEATHER_CARDS]
        name = fit(seat.name, label, ellipsis=glyphs.more)
        rows.append(row(" ", ("seat.out" if seat.out else "seat", name), " ", *merged(marks)))
    return rows


def _tick(
    card: int, played: tuple[int, ...], earlier: tuple[int, ...], each: int, glyphs: Glyphs
) -> Span:
    """A card there: its mark or number, or its place."""
    if card in played:
        # Neighbours may stand without a blank between them.
        style = ("card.first", "card.second")[card % 2]
        return (style, f"{card:>{each}}") if each > 1 else ("card.played", glyphs.mark)
    if card in earlier:
        return "dim", f"{glyphs.earlier:>{each}}"
    return "rule", f"{glyphs.dot:>{each}}"


_LABEL: Final = 15
"""Columns of a name before cards: they begin where the marks of the played cards do."""


class OfStage(ReadingPage):
    """Nothing while there is no game."""

    @override
    def lines(self, width: int) -> Sequence[Row]:
        table = self.context.table
        if table is None or table.table is None:
            return ()
        return self.told(present_table(table.info, table.table, self.words), width)

    def told(self, model: TableModel, width: int) -> list[Row]:
        """All there is to read of this table."""
        raise NotImplementedError


class LogPage(OfStage):
    """The log of this stage, with what happened beside the cards."""

    TITLE = _("Log of this stage, newest first")

    @override
    def told(self, model: TableModel, width: int) -> list[Row]:
        look, table = self.context.look, self.table
        assert table.table is not None
        log = log_of(table.info, table.table, self.words, table.seat)
        lines: list[Row] = []
        for number in range(model.round + 1, 0, -1):
            # A round is in the log when its bids are revealed: after whatever else happened in it.
            for entry in log:
                if entry.number == number:
                    lines += chain(*round_blocks(entry, False, width, look))
            for notice in reversed(self.context.notices):
                if (notice.stage + 1, notice.round + 1) == (model.stage, number):
                    lines += paragraph(notice.text, width, "dim", " ")
        nothing = look.words.t("Nothing has been revealed in this stage yet.")
        return lines or paragraph(nothing, width)


class PlayedPage(OfStage):
    """Every seat's cards of this stage in order of play; with assistance those of earlier stages."""

    @override
    def title(self) -> str:
        words, table = self.words, self.context.table
        if table is not None and table.info.options.rules.assistance:
            return words.t("Played cards, with assistance: of earlier stages too")
        return words.t("Cards played in this stage, in order")

    @override
    def told(self, model: TableModel, width: int) -> list[Row]:
        words, table = self.words, self.context.table
        lines: list[Row] = []
        for seat in model.seats:
            lines += self._facts(seat.name, seat.played or words.t("none yet"), "text", width)
            if seat.earlier:
                lines += self._facts(f"  {words.t('before')}", seat.earlier, "dim", width)
        if width >= 78:
            lines += [BLANK, *tick_rows(model, len(model.seats) + 1, width, self.context.look)]
        if table is not None and table.own is not None and table.own.own_earlier:
            names = seat_names(table.info)
            told = words.t("Hands that you have played, and who holds them now:")
            lines += [BLANK, *paragraph(told, width)]
            for hand in table.own.own_earlier:
                lines += self._facts(names[hand.holder], hand.cards, "text", width)
        return lines

    def _facts(self, name: str, cards: Iterable[int] | str, style: str, width: int) -> list[Row]:
        """A name, and beside it cards in columns, or a word."""
        look, room = self.context.look, width - _LABEL - 4
        gap = "  " if room >= 4 * LARGEST_HAND - 2 else " "
        facts = (cards,) if isinstance(cards, str) else tuple(f"{card:2}" for card in cards)
        return labelled(("seat", name), _LABEL + 1, wrap_facts(facts, room, look, gap), style, look)
