"""Where we reach into prompt_toolkit's private parts (seen in 3.0.53), each with its reason.

``tests/terminal/test_prompt_toolkit_hooks.py`` fails when the library renames one of them; ``pyproject.toml``
leaves the next minor version out.
"""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import Final

from prompt_toolkit.application import Application, application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.cache import SimpleCache
from prompt_toolkit.filters import Filter
from prompt_toolkit.key_binding import key_processor
from prompt_toolkit.key_binding.key_bindings import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.styles import BaseStyle, DummyStyle
from typing_extensions import override

FLUSH: Final[KeyPress] = key_processor._Flush
"""After an Esc that stands alone: the key processor would wait for what may follow it."""

UNDONE: Final = 100
"""So many changes of a line can be undone."""
_KEYS_CACHED: Final = 256
_STYLE: Final = DummyStyle()


@contextmanager
def _no_signal_handler(handler: Callable[[], None]) -> Generator[None, None, None]:
    yield


def _share_between_sessions() -> None:
    """Every Application builds 250 KB of default bindings, in 2.6 ms: all of ours use the same. And each
    would take the process's one handler for SIGWINCH from the one before.
    """
    for name in ("load_key_bindings", "load_page_navigation_bindings"):
        setattr(application, name, lru_cache(maxsize=1)(getattr(application, name)))
    application.attach_winch_signal_handler = _no_signal_handler


_share_between_sessions()


class SharedApplication(Application[None]):
    """An Application of which there are many in one process: it leaves alone what belongs to all of them."""

    @override
    def _enable_breakpointhook(self) -> AbstractContextManager[None]:  # type: ignore[override]
        return nullcontext()  # it is the process's

    @override
    def _create_merged_style(self, include_default_pygments_style: Filter) -> BaseStyle:
        return _STYLE  # our themes say how things look; the default ones are 30 KB a session

    def redraw(self) -> None:
        """Draw now; ``invalidate`` draws when it is time."""
        self._redraw()


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
