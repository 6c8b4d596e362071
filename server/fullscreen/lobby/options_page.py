"""The options form, for a new table or one that waits."""

from collections.abc import Callable

from prompt_toolkit.buffer import Buffer

from server.coordinator.messages import TableOptions
from server.fullscreen.context import SessionContext
from server.fullscreen.widgets.form import options_screen
from server.terminal.capabilities import Size
from server.terminal.frame import Frame
from server.viewmodels.table_options import OPTIONS, present_options, stepped


class OptionsPage:
    """Calls ``done`` with what was chosen."""

    entry: Buffer | None = None

    def __init__(
        self,
        desk: SessionContext,
        title: str,
        options: TableOptions,
        done: Callable[[TableOptions], None],
    ) -> None:
        self._desk = desk
        self._title = title
        self._options = options
        self._done = done
        self._chosen = 0

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        look = self._desk.look
        lines = present_options(self._options, look.words)
        return options_screen(self._title, lines, self._chosen, self._desk.said, size, look)

    def key(self, name: str) -> None:
        """See ``Page``."""
        match name:
            case "up" | "k":
                self._chosen = (self._chosen - 1) % len(OPTIONS)
            case "down" | "j" | "tab":
                self._chosen = (self._chosen + 1) % len(OPTIONS)
            case "left" | "h":
                self._change(-1)
            case "right" | "l" | " ":
                self._change(1)
            case "enter":
                self._desk.close(self)
                self._done(self._options)
            case "escape" | "q":
                self._desk.close(self)

    def text(self, text: str) -> None:
        """See ``Page``."""

    def _change(self, step: int) -> None:
        self._options = stepped(self._options, OPTIONS[self._chosen], step)
