"""The page of all hands, when the game is over."""

from collections.abc import Sequence

from typing_extensions import override

from server.fullscreen.pages.reading_page import ReadingPage, closed_by
from server.fullscreen.widgets.chrome import paragraph
from server.terminal.drawing.frame import BLANK, Row
from server.viewmodels.dealt_hands import hands_in_words


class HandsPage(ReadingPage):
    """All hands of a finished game."""

    KEYS = (*ReadingPage.KEYS, closed_by("h"))

    @override
    def title(self) -> str:
        return self.desk.words.t("All hands of this game")

    @override
    def lines(self, width: int) -> Sequence[Row]:
        table = self.desk.table
        rows: list[Row] = []
        for line in hands_in_words(table.info, self.desk.words) if table is not None else ():
            rows += [*paragraph(line, width), BLANK]
        return rows[:-1]
