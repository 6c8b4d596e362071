"""Help for operators: the lists, what can be done with whom, and what becomes of it."""

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.operators.actions import OF_ROWS, OF_SERVER
from server.fullscreen.pages.reading_page import ReadingPage, closed_by, help_lines
from server.i18n.catalogues import Words
from server.terminal.drawing.frame import Row
from server.terminal.keys.key_table import Key


class OperatorsHelpPage(ReadingPage):
    """Help for operators."""

    KEYS = (*ReadingPage.KEYS, closed_by("?"))

    def __init__(self, desk: SessionContext, keys: Sequence[Key]) -> None:
        """``keys`` are those of the page that is explained."""
        super().__init__(desk)
        self._keys: Final = keys

    @override
    def title(self) -> str:
        return self.desk.words.t("Operators")

    @override
    def lines(self, width: int) -> Sequence[Row]:
        words = self.desk.words
        lists = (words.t("The lists"), self._rows(""))
        done = (words.t("What can be done"), (*self._rows(OF_ROWS), *self._rows(OF_SERVER)))
        return help_lines((lists, done, _good_to_know(words)), width)

    def _rows(self, section: str) -> tuple[str, ...]:
        keys = [key for key in self._keys if key.section == section]
        return tuple([self.desk.words.t(text) for key in keys for text in key.help])


def _good_to_know(words: Words) -> tuple[str, tuple[str, ...]]:
    return (
        words.t("Good to know"),
        (
            words.t("A time is a number and a letter: 30m, 2h, 7d, 4w; a ban may last for ever."),
            words.t("Nothing is done without a yes, but for texts, which are sent with Enter."),
            words.t(
                "Whatever an operator does or looks at is written down, also what was refused: the log"
                " shows it. Nobody can change that."
            ),
            words.t("Nobody sees a hidden hand, a sealed bid or an invitation word here."),
            words.t("The same orders work in line mode (admin help) and as tide admin in a shell."),
        ),
    )
