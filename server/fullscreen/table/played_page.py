"""The page of the played cards."""

from collections.abc import Iterable, Sequence
from typing import Final

from typing_extensions import override

from server.fullscreen.pages.reading_page import ReadingPage, closed_by
from server.fullscreen.table.log import tick_rows
from server.fullscreen.widgets.chrome import paragraph
from server.fullscreen.widgets.drawing import DrawContext, wrap_facts
from server.terminal.drawing.frame import BLANK, Row, Span, fit, row
from server.viewmodels.table import TableModel
from server.viewmodels.table_presenter import present_table, seat_names

_LABEL: Final = 15
"""Columns of a name before cards: they begin where the marks of the played cards do."""


_CARDS: Final = 12
"""In a hand."""


class PlayedPage(ReadingPage):
    """Every seat's played cards of this stage."""

    KEYS = (*ReadingPage.KEYS, closed_by("p"))
    ACTION = "played"

    @override
    def title(self) -> str:
        words, table = self.desk.words, self.desk.table
        if table is not None and table.info.options.rules.assistance:
            return words.t("Played cards, with assistance: of earlier stages too")
        return words.t("Cards played in this stage, in order")

    @override
    def lines(self, width: int) -> Sequence[Row]:
        desk = self.desk
        table = desk.table
        if table is None or table.table is None:
            return ()
        model = present_table(table.info, table.table, desk.words)
        earlier = []
        if table.own is not None:
            for hand in table.own.own_earlier:
                cards = " ".join(str(card) for card in hand.cards)
                earlier.append((seat_names(table.info)[hand.holder], cards))
        return played_lines(model, earlier, width, desk.look)


def played_lines(
    model: TableModel, own_earlier: Sequence[tuple[str, str]], width: int, look: DrawContext
) -> list[Row]:
    """Every seat's cards of this stage in order of play; with assistance those of earlier stages.

    ``own_earlier`` are (who holds it now, its cards) of hands that the viewer has played before.
    """
    words = look.words
    lines: list[Row] = []
    for seat in model.seats:
        cards = _in_columns(seat.played) or (words.t("none yet"),)
        lines += _facts(seat.name, cards, "text", width, look)
        if seat.earlier:
            head = words.t("before")
            lines += _facts(f"  {head}", _in_columns(seat.earlier), "dim", width, look)
    if width >= 78:
        lines += [BLANK, *tick_rows(model, len(model.seats) + 1, width, look)]
    if own_earlier:
        lines.append(BLANK)
        lines += paragraph(words.t("Hands that you have played, and who holds them now:"), width)
        for name, held in own_earlier:
            lines += _facts(name, _in_columns(map(int, held.split())), "text", width, look)
    return lines


def _facts(
    name: str, facts: tuple[str, ...], style: str, width: int, look: DrawContext
) -> list[Row]:
    room = width - _LABEL - 4
    gap = "  " if room >= 4 * _CARDS - 2 else " "
    rows: list[Row] = []
    for number, line in enumerate(wrap_facts(facts, room, look, gap)):
        head = fit(name if number == 0 else "", _LABEL, ellipsis=look.glyphs.more)
        spans: tuple[Span, ...] = (("seat", head), ("", " "), (style, line))
        rows.append(row("  ", *spans))
    return rows


def _in_columns(cards: Iterable[int]) -> tuple[str, ...]:
    return tuple([f"{card:2}" for card in cards])
