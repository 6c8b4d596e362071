"""What operators can do, told to them."""

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.operators.actions import OF_ROWS, OF_SERVER
from server.fullscreen.pages.help_text import help_lines
from server.fullscreen.pages.reading_page import ReadingPage, closed_by
from server.i18n.catalogues import gettext_noop as _
from server.terminal.drawing.frame import Row as FrameRow
from server.terminal.keys.key_table import AnyKey, KeyTable


class OperatorsHelpPage(ReadingPage):
    """The lists, what can be done with whom, and what becomes of it: ``keys`` are those of the page."""

    TITLE = _("Operators")
    KEYS = KeyTable["OperatorsHelpPage"](*ReadingPage.KEYS, closed_by("?"))

    def __init__(self, context: SessionContext, keys: Sequence[AnyKey]) -> None:
        super().__init__(context)
        self._keys: Final = keys

    @override
    def lines(self, width: int) -> Sequence[FrameRow]:
        t = self.words.t

        def told(section: str) -> list[str]:
            keys = [key for key in self._keys if key.section == section]
            return [t(text) for key in keys for text in key.help]

        good_to_know = (
            t("A time is a number and a letter: 30m, 2h, 7d, 4w; a ban may last for ever."),
            t("Everything is confirmed with a yes, except texts, which Enter sends."),
            t(
                "Whatever an operator does or looks at is written down, and so is what was refused:"
                " the log shows it. Nobody can change that."
            ),
            t("Nobody sees a hidden hand, a sealed bid or an invitation word here."),
            t('The same commands work in line mode ("admin help") and as "tide admin" in a shell.'),
        )
        sections = (
            (t("The lists"), told("")),
            (t("What can be done"), [*told(OF_ROWS), *told(OF_SERVER)]),
            (t("Good to know"), good_to_know),
        )
        return help_lines(sections, width)
