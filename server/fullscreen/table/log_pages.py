"""The pages with the log of the stage and with the cards played in it."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from typing_extensions import override

from engine.cards import LARGEST_HAND
from server.fullscreen.pages.reading_page import ReadingPage
from server.fullscreen.table.log import round_blocks, tick_rows
from server.fullscreen.widgets.chrome import paragraph
from server.fullscreen.widgets.drawing import labelled, wrap_facts
from server.i18n.lookup import _
from server.terminal.drawing.frame import BLANK, Row
from server.viewmodels.table import TableModel, log_of, present_table, seat_names

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
