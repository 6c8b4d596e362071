"""The options form, for a new table or one that waits."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from server.coordinator.messages import Command, TableOptions
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import BACK, FormPage
from server.i18n.catalogues import gettext_noop as _
from server.terminal.keys.key_table import KeyTable
from server.viewmodels.table_options import OPTIONS, OptionLine, TableOption, stepped


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
    def lines(self) -> Sequence[OptionLine]:
        words, options = self.words, self._options
        return [
            OptionLine(
                words.t(option.label),
                option.value(options, words),
                option.hint(options, words),
                partial(self._step, option),
                not option.choices(options),
            )
            for option in OPTIONS
        ]

    def _step(self, option: TableOption, step: int) -> None:
        self._options = stepped(self._options, option, step)

    @KEYS.add("enter", footer=_("done"))
    def finish(self) -> None:
        self.go_back()
        self.context.do(self._command(self._options))

    KEYS.include(*FormPage.KEYS, BACK)
