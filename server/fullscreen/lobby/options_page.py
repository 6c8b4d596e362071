"""The options form, for a new table or one that waits."""

from collections.abc import Callable
from typing import Final

from typing_extensions import override

from server.coordinator.messages import TableOptions
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import BACK, FormPage
from server.fullscreen.widgets.form import options_screen
from server.i18n.catalogues import gettext_noop as _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame
from server.terminal.keys.key_table import Key
from server.viewmodels.table_options import OPTIONS, present_options, stepped


class OptionsPage(FormPage):
    """Calls ``done`` with what was chosen."""

    KEYS = (Key("enter", does=lambda page: page.finish(), footer=_("done")), *FormPage.KEYS, BACK)

    def __init__(
        self,
        desk: SessionContext,
        title: str,
        options: TableOptions,
        done: Callable[[TableOptions], None],
    ) -> None:
        super().__init__(desk)
        self._title: Final = title
        self._options = options
        self._done: Final = done

    @override
    def frame(self, size: Size) -> Frame:
        desk, look = self.desk, self.desk.look
        lines = present_options(self._options, look.words)
        keys = self.footer()
        return options_screen(self._title, lines, self._chosen, desk.said, keys, size, look)

    @property
    @override
    def count(self) -> int:
        return len(OPTIONS)

    @override
    def change(self, step: int) -> None:
        self._options = stepped(self._options, OPTIONS[self._chosen], step)

    def finish(self) -> None:
        """This is how it shall be."""
        self.go_back()
        self._done(self._options)
