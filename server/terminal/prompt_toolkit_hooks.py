"""What a process with a thousand prompt_toolkit Applications needs besides; ``application`` imports it.

An Application is made for a process of its own: it loads its own copy of the default key bindings (250 KB)
and takes over what a process has one of.
"""

import sys
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache, partial
from typing import Final

from prompt_toolkit.application import application
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.key_binding.key_processor import KeyProcessor
from typing_extensions import override

from server.library_hooks import check_replaced
from server.terminal.keys.lines import EDITING

SHARED: Final = ("load_key_bindings", "load_page_navigation_bindings")
"""Loaded once for all: nothing is ever added to these."""


for name in (*SHARED, "attach_winch_signal_handler"):
    check_replaced("prompt_toolkit", application, name)
    original = getattr(application, name)
    # SIGWINCH is left alone: the size of the server's own terminal is no player's.
    setattr(application, name, cache(original) if name in SHARED else lambda _: nullcontext())

if sys.breakpointhook is sys.__breakpointhook__:
    # An Application that runs takes the hook over, unless somebody else has.
    sys.breakpointhook = partial(sys.__breakpointhook__)


class PageKeyProcessor(KeyProcessor):
    """Has keys pressed on the page; those that it has no use for edit the line that is being typed."""

    def __init__(self, press: Callable[[KeyPress], bool]) -> None:
        """``press`` returns whether the page has a use for a key."""
        super().__init__(EDITING)
        self._press: Final = press
        self._ahead: deque[KeyPress] = deque()

    @override
    def feed_multiple(self, key_presses: list[KeyPress], first: bool = False) -> None:
        self._ahead = deque(key_presses)
        while self._ahead:
            pressed = self._ahead.popleft()
            if not self._press(pressed):
                self.feed(pressed)
                self.process_keys()

    def drop(self) -> None:
        """Press nothing of what has come together with the key that is being pressed."""
        self._ahead.clear()
