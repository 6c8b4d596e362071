"""prompt_toolkit's Application, cut down to what one of many sessions in one process needs.

The application edits text, and remembers what was cut. It does not draw (its layout costs sixty times what
ours does), reads nothing by itself, and leaves what belongs to the process alone: signals, the loop's
exception handler, the breakpoint hook.
"""

import contextvars
from functools import lru_cache
from typing import Final

from prompt_toolkit.application import Application, application, create_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Filter
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding.key_processor import KeyPress, KeyProcessor
from prompt_toolkit.layout import BufferControl, Layout, Window
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.renderer import Renderer
from prompt_toolkit.styles import BaseStyle, DummyStyle

from server.terminal.edit_bindings import BINDINGS


def _share_between_sessions() -> None:
    """Make what every Application builds for itself only once for all of them (it never changes).

    250 KB and 2.6 ms a session.
    """
    for name in ("load_key_bindings", "load_page_navigation_bindings"):
        setattr(application, name, lru_cache(maxsize=1)(getattr(application, name)))


_share_between_sessions()


class _Drawless(Renderer):
    """Stands where the Application's own renderer was; the session draws."""

    def __init__(self) -> None:
        # Without the original's caches and cursor position requests.
        self.waiting_for_cpr_tasks: list[object] = []

    def reset(self, _scroll: bool = False, leave_alternate_screen: bool = True) -> None:
        """Nothing is kept here."""

    def erase(self, leave_alternate_screen: bool = True) -> None:
        """Nothing was drawn here."""

    def request_absolute_cursor_position(self) -> None:
        """No queries: their answers would be taken for keys."""

    @property
    def waiting_for_cpr(self) -> bool:
        """Never."""
        return False


INPUT, OUTPUT = DummyInput(), DummyOutput()
_RENDERER = _Drawless()
_STYLE = DummyStyle()
_IDLE = Layout(Window())
"""The focus while nothing is typed."""


class SessionApplication(Application[None]):
    """One for each session in which something has been typed: what it takes is half of what a player who only
    plays cards has. It is never run: what it is given to edit, it edits at once.
    """

    def __init__(self) -> None:
        super().__init__(
            layout=_IDLE,
            input=INPUT,
            output=OUTPUT,
            max_render_postpone_time=None,  # else it spins for up to 10 ms a redraw
            terminal_size_polling_interval=None,
        )
        self.renderer = _RENDERER
        self.key_processor = KeyProcessor(BINDINGS)
        # No key waits for another: the decoder has put them together already.
        self.timeoutlen = None  # type: ignore[assignment]
        self.here: Final = contextvars.Context().run(self._surroundings)
        """Where prompt_toolkit finds this one when it asks for its current application."""

    def _surroundings(self) -> contextvars.Context:
        with create_app_session(input=INPUT, output=OUTPUT) as session:
            session.app = self
            return contextvars.copy_context()

    def edit(self, entry: Buffer, keys: list[KeyPress]) -> None:
        """Press ``keys`` in ``entry``."""
        self.here.run(self._edit, entry, keys)

    def _edit(self, entry: Buffer, keys: list[KeyPress]) -> None:
        if self.layout.current_buffer is not entry:
            self.layout = Layout(Window(BufferControl(entry)))
            entry.load_history_if_not_yet_loaded()
        self.key_processor.feed_multiple(keys)
        self.key_processor.process_keys()

    def rest(self) -> None:
        """Nothing is typed now: let go of what was."""
        self.layout = _IDLE

    def invalidate(self) -> None:
        """What prompt_toolkit thinks has changed is on our screen, if it is anywhere."""

    def _create_merged_style(self, include_default_pygments_style: Filter) -> BaseStyle:
        return _STYLE  # it draws nothing


@lru_cache(maxsize=1)
def idle() -> SessionApplication:
    """The application of all who type nothing: lines are begun, and pasted into, in its context. It edits
    none, so that it remembers nothing of anybody's.
    """
    return SessionApplication()
