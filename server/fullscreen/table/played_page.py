"""The page of the played cards."""

from collections.abc import Sequence

from server.fullscreen.widgets.reading import played_lines
from server.fullscreen.widgets.reading_page import ReadingPage
from server.terminal.frame import Row
from server.viewmodels.table_presenter import present_table, seat_names


class PlayedPage(ReadingPage):
    """See the module."""

    same_key = "p"

    def title(self) -> str:
        """See ``ReadingPage``."""
        words, table = self._desk.words, self._desk.table
        if table is not None and table.info.options.rules.assistance:
            return words.t("Played cards, with assistance: of earlier stages too")
        return words.t("Cards played in this stage, in order")

    def lines(self, width: int) -> Sequence[Row]:
        """See ``ReadingPage``."""
        desk = self._desk
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
