"""The log page: this stage's rounds, and what happened beside the cards."""

from collections.abc import Sequence

from typing_extensions import override

from server.fullscreen.pages.reading_page import ReadingPage, closed_by
from server.fullscreen.table.log import log_lines
from server.terminal.drawing.frame import Row
from server.viewmodels.table_presenter import present_table


class LogPage(ReadingPage):
    """The log of this stage."""

    KEYS = (*ReadingPage.KEYS, closed_by("l", "L"))
    ACTION = "log"

    @override
    def title(self) -> str:
        return self.desk.words.t("Log of this stage, newest first")

    @override
    def lines(self, width: int) -> Sequence[Row]:
        desk = self.desk
        table = desk.table
        if table is None or table.table is None:
            return ()
        model = present_table(table.info, table.table, desk.words)
        stage = table.table.stage
        notices = [(each.round + 1, each.text) for each in desk.notices if each.stage == stage]
        return log_lines(model, notices, width, desk.look)
