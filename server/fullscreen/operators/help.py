"""Help for operators: the lists, what can be done with whom, and what becomes of it."""

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.reading_page import ReadingPage, closed_by, help_lines
from server.i18n.catalogues import Words
from server.i18n.catalogues import gettext_noop as _
from server.terminal.drawing.frame import Row
from server.terminal.keys.key_table import Key

ACTIONS: Final = _("What can be done")


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
        of_lists = [words.t(row) for key in self._keys for row in key.help if not key.section]
        of_actions = [words.t(row) for key in self._keys for row in key.help if key.section]
        lists = (words.t("The lists"), (*of_lists,))
        done = (words.t(ACTIONS), (*_actions(words), *of_actions))
        return help_lines((lists, done, _good_to_know(words)), width)


def _actions(words: Words) -> tuple[str, ...]:
    return (
        words.t("m, u\tpeople: silence somebody for a time, or let speak again"),
        words.t("x\tpeople: end a connection; the seat stays, and who it was may come back"),
        words.t("b\tpeople: ban a key, a name, an address or the network around it"),
        words.t("c\ttables: close one, whatever goes on there"),
        words.t("a, c, o\treports: answer, close without a word, also show those closed"),
        words.t("u\tbans: lift one; below them is who is silenced: let speak again"),
    )


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
