"""What a process with a thousand prompt_toolkit Applications needs besides; ``application`` imports it.

An Application is made for a process of its own: it loads its own copy of the default key bindings (250 KB)
and takes over what a process has one of.
"""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache, partial
from typing import Final

from prompt_toolkit.application import application
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.key_binding.key_processor import KeyProcessor
from typing_extensions import override

from server.library_hooks import check_hooks, check_replaced

SHARED: Final = ("load_key_bindings", "load_page_navigation_bindings")
"""Loaded once for all: nothing is ever added to these."""


def no_winch_signal_handler(handler: Callable[[], None]) -> AbstractContextManager[None]:
    """Leave SIGWINCH alone: the size of the server's own terminal is no player's."""
    return nullcontext()


for name in (*SHARED, "attach_winch_signal_handler"):
    check_replaced("prompt_toolkit", application, name)
    original = getattr(application, name)
    setattr(application, name, cache(original) if name in SHARED else no_winch_signal_handler)

if sys.breakpointhook is sys.__breakpointhook__:
    # An Application that runs takes the hook over, unless somebody else has.
    sys.breakpointhook = partial(sys.__breakpointhook__)


class PageKeyProcessor(KeyProcessor):
    """For the keys of the page alone."""

    @override
    def empty_queue(self) -> list[KeyPress]:
        """Keeps nothing: the original hands what a session leaves behind on to the next one's Application."""
        super().empty_queue()
        return []


check_hooks("prompt_toolkit", PageKeyProcessor)
