"""The options form, for a new table or one that waits."""

from collections.abc import Callable, Sequence
from typing import Final

from typing_extensions import override

from server.coordinator.messages import Command, TableOptions
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import BACK, FormPage
from server.i18n.catalogues import gettext_noop as _
from server.terminal.keys.key_table import Key
from server.viewmodels.table_options import OPTIONS, OptionLine, present_options, stepped


class OptionsPage(FormPage):
    """Gives the ``command`` for what was chosen."""

    KEYS = (Key("enter", does=lambda page: page.finish(), footer=_("done")), *FormPage.KEYS, BACK)

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
    def lines(self) -> Sequence[OptionLine]:
        return present_options(self._options, self.words)

    @override
    def change(self, step: int) -> None:
        self._options = stepped(self._options, OPTIONS[self._chosen], step)

    def finish(self) -> None:
        self.go_back()
        self.context.do(self._command(self._options))
