"""prompt_toolkit's Application, cut down to what one of many sessions in one process needs.

The application edits text, keeps the focus and runs until told to end. It does not draw (its layout costs
sixty times what ours does), reads nothing by itself, and leaves what belongs to the process alone:
signals, the loop's exception handler, the breakpoint hook.
"""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from functools import lru_cache

from prompt_toolkit.application import Application, application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Filter
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding.key_processor import KeyProcessor
from prompt_toolkit.layout import BufferControl, Layout, Window
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.renderer import Renderer
from prompt_toolkit.styles import BaseStyle, DummyStyle

from server.ui.editing import BINDINGS


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
"""The focus of every session in which nothing is typed."""


class SessionApplication(Application[None]):
    """One for each session; `play` it in a context of its own (`create_app_session`)."""

    def __init__(self, redraw: Callable[[], None]):
        self._redraw_session = redraw
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

    async def play(self) -> None:
        """Until `finish`. This is ``run_async`` without what is for one terminal in one process: it neither
        reads nor draws by itself, handles no signals, and takes a fifth of the time and memory.
        """
        self.loop = loop = asyncio.get_running_loop()
        self._loop_thread = threading.current_thread()
        self.future = loop.create_future()
        self._is_running = True
        try:
            with set_app(self):
                self.context = contextvars.copy_context()
                self.reset()
                self._pre_run()
                self._redraw_session()
                await self.future
        finally:
            self._is_running = False
            self.loop = self.future = self._loop_thread = None
            await self.cancel_and_wait_for_background_tasks()

    def focus(self, entry: Buffer | None) -> None:
        """Give editing keys to ``entry``."""
        if entry is None:
            self.layout = _IDLE
        elif self.layout.current_buffer is not entry:
            self.layout = Layout(Window(BufferControl(entry)))
            entry.load_history_if_not_yet_loaded()

    def finish(self, error: BaseException | None = None) -> None:
        """End `play`, at once or as soon as it begins; only the first call counts."""
        if self.future is not None and not self.future.done():
            if error is None:
                self.future.set_result(None)
            else:
                self.future.set_exception(error)

    def invalidate(self) -> None:
        """What prompt_toolkit thinks has changed is on our screen, if it is anywhere."""

    def _create_merged_style(self, include_default_pygments_style: Filter) -> BaseStyle:
        return _STYLE  # it draws nothing
