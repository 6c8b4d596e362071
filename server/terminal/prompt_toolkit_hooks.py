"""Where we reach into prompt_toolkit's private parts (seen in 3.0.53), each with its reason.

``tests/terminal/test_prompt_toolkit_hooks.py`` fails when the library renames one of them; ``pyproject.toml``
leaves the next minor version out.
"""

import asyncio
import threading
from collections.abc import Callable
from contextvars import copy_context
from functools import cached_property
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import AppSession, _current_app_session
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.cache import SimpleCache
from prompt_toolkit.clipboard import Clipboard, InMemoryClipboard
from prompt_toolkit.input import DummyInput, Input
from prompt_toolkit.key_binding import key_processor
from prompt_toolkit.key_binding.key_bindings import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.output import DummyOutput, Output
from typing_extensions import override

FLUSH: Final[KeyPress] = key_processor._Flush
"""After an Esc that stands alone: the key processor would wait for what may follow it."""

UNDONE: Final = 100
"""So many changes of a line can be undone."""
_KEYS_CACHED: Final = 256


class SharedApplication(Application[None]):
    """One of many in a process: it leaves alone what belongs to all of them, and what is the same in each is
    the class's: the attributes of a stock one, such as its layout.
    """

    def __init__(self, input: Input, output: Output) -> None:
        """The original makes 260 KB, 250 of them key bindings for which our key processor never asks."""
        self.input, self.output = input, output
        self._is_running = False
        self._background_tasks = set()
        self.context = self.future = self.loop = self._loop_thread = None

    @cached_property
    def clipboard(self) -> Clipboard:  # type: ignore[override]
        """Nearly nobody cuts anything."""
        return InMemoryClipboard()

    @override
    async def run_async(
        self,
        pre_run: Callable[[], None] | None = None,
        set_exception_handler: bool = False,
        handle_sigint: bool = False,
        slow_callback_duration: float = 0.1,
    ) -> None:
        """As the original, but for what a process has one of: signal handlers, the loop's exception handler,
        ``sys.breakpointhook``, how slow a callback may be, and what was typed ahead, of which the original
        keeps something for every session that ever was (docs/prompt-toolkit.md). It is run once, so nothing
        is reset: neither what is new nor what others share.
        """
        assert not self._is_running, "Application is already running."
        self.loop = asyncio.get_running_loop()
        self._loop_thread = threading.current_thread()
        self.future = self.loop.create_future()
        self._is_running = True
        # What a key begins and outlives the session keeps its context: the application goes, in the end.
        session, self.context = AppSession(), copy_context()
        session.app = self
        self.context.run(_current_app_session.set, session)
        try:
            self.context.run(self._pre_run, pre_run)
            with self.input.attach(self._read_in_context):
                self._redraw()
                await self.future
        finally:
            try:
                self._redraw(render_as_done=True)
            finally:
                self.renderer.reset()
                self._is_running = False
                session.app = self.future = self.loop = self._loop_thread = None
                await self.cancel_and_wait_for_background_tasks()

    def _read_in_context(self) -> None:
        assert self.context is not None
        self.context.copy().run(self._read)

    def _read(self) -> None:
        if not self._is_running:
            return
        self.key_processor.feed_multiple(self.input.read_keys())
        self.key_processor.process_keys()
        # The original does so with every frame; only a key can have begun a line.
        self.current_buffer.load_history_if_not_yet_loaded()
        if self.input.closed and self.future is not None and not self.future.done():
            self.future.set_exception(EOFError())

    def redraw(self, render_as_done: bool = False) -> None:
        """Draw now; ``invalidate`` draws when it is time."""
        # The original also looks through the layout for what has changed in it: ours never changes. And it
        # counts, and fires two events, to which nobody listens.
        if not self._is_running or self.context is None:
            return
        if render_as_done:
            self.context.copy().run(self.renderer.erase)
        else:
            self.context.copy().run(self.renderer.render, self, self.layout)

    _redraw = redraw


_STOCK: Final = Application[None](
    layout=Layout(Window()), full_screen=True, input=DummyInput(), output=DummyOutput()
)
for _name in vars(_STOCK).keys() - {"clipboard"}:
    setattr(SharedApplication, _name, getattr(_STOCK, _name))


class BoundedKeyBindings(KeyBindings):
    """Remembers what a few hundred keys do. The original remembers 11,000, and players type any character."""

    def __init__(self) -> None:
        super().__init__()
        self._get_bindings_for_keys_cache = SimpleCache(maxsize=_KEYS_CACHED)
        self._get_bindings_starting_with_keys_cache = SimpleCache(maxsize=_KEYS_CACHED)


class BoundedBuffer(Buffer):
    """Keeps no more of what was typed than can be wanted back: the original keeps every change of a line for
    as long as it is not finished, which for who types and takes back all night is gigabytes.
    """

    @override
    def save_to_undo_stack(self, clear_redo_stack: bool = True) -> None:
        super().save_to_undo_stack(clear_redo_stack)
        del self._undo_stack[:-UNDONE]
