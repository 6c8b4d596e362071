"""Help while a finished game is replayed: the keys there, and the rules that it was played by."""

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from server.coordinator.messages import TableOptions
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.help_text import help_lines, rows_of, rules
from server.fullscreen.pages.reading_page import ReadingPage, closed_by
from server.i18n.catalogues import gettext_noop as _
from server.terminal.drawing.frame import Row
from server.terminal.keys.key_table import AnyKey, KeyTable


class ReplayHelpPage(ReadingPage):
    """What these ``keys`` do, and the rules with these ``options``."""

    TITLE = _("How to play")
    KEYS = KeyTable["ReplayHelpPage"](*ReadingPage.KEYS, closed_by("?"))

    def __init__(
        self, context: SessionContext, keys: Sequence[AnyKey], options: TableOptions
    ) -> None:
        super().__init__(context)
        self._keys: Final = keys
        self._options: Final = options

    @override
    def lines(self, width: int) -> Sequence[Row]:
        look = self.context.look
        replay = (look.words.t("Replay"), rows_of(self._keys, look.words))
        return help_lines((replay, *rules(self._options, look, facts=False)), width)
