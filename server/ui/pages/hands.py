"""The page of all hands, when the game is over."""

from collections.abc import Sequence

from server.ui.frame import BLANK, Row
from server.ui.pages.reading import ReadingPage
from server.ui.present_hands import hands_in_words
from server.ui.screens.chrome import paragraph


class HandsPage(ReadingPage):
    """See the module."""

    same_key = "h"

    def title(self) -> str:
        """See ``ReadingPage``."""
        return self._desk.words.t("All hands of this game")

    def lines(self, width: int) -> Sequence[Row]:
        """See ``ReadingPage``."""
        table = self._desk.table
        rows: list[Row] = []
        for line in hands_in_words(table.info, self._desk.words) if table is not None else ():
            rows += [*paragraph(line, width), BLANK]
        return rows[:-1]
