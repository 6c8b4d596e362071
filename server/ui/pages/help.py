"""The help page: the rules in our own words, as this table plays them, and the keys."""

from collections.abc import Sequence

from server.ui.desk import Desk
from server.ui.frame import Row
from server.ui.help_text import help_sections
from server.ui.pages.reading import ReadingPage
from server.ui.screens.reading import help_lines


class HelpPage(ReadingPage):
    """See the module."""

    same_key = "?"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)

    def title(self) -> str:
        """See ``ReadingPage``."""
        return self._desk.words.t("How to play")

    def lines(self, width: int) -> Sequence[Row]:
        """See ``ReadingPage``."""
        table = self._desk.table
        options = table.info.options if table is not None else None
        return help_lines(help_sections(options, self._desk.words), width)
