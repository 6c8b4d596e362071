"""The options form, for a new table or one that waits."""

from collections.abc import Callable, Sequence
from typing import Final

from typing_extensions import override

from server.coordinator.messages import Command, TableOptions
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import BACK, FormPage
from server.fullscreen.widgets.boxes import Pane, facts_pane
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.keys.key_table import KeyTable
from server.viewmodels.table_options import OPTIONS, OptionLine, options_in_words


class OptionsPage(FormPage):
    """Gives the ``command`` for what was chosen."""

    KEYS = KeyTable["OptionsPage"]()

    def __init__(
        self,
        context: SessionContext,
        title: str,
        options: TableOptions,
        command: Callable[[TableOptions], Command],
    ) -> None:
        super().__init__(context)
        self._title: Final = title
        self._options = options
        self._command: Final = command

    @override
    def title(self) -> str:
        return self._title

    @override
    def items(self) -> Sequence[OptionLine]:
        return [each.line(self._options, self.words, self._take) for each in OPTIONS]

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        facts = options_in_words(self._options, self.words)
        title, look = self.words.t("what you will play"), self.context.look
        return (facts_pane(title, facts, size, look),)

    def _take(self, options: TableOptions) -> None:
        self._options = options

    @KEYS.add("enter", footer=_("done"))
    def finish(self) -> None:
        self.go_back()
        self.context.do(self._command(self._options))

    KEYS.include(*FormPage.KEYS, BACK)
