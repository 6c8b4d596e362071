"""Lines pasted into a terminal that does not mark what is pasted must press no keys but in the line."""

from collections.abc import Callable
from typing import Final

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from server.terminal.keys.line_edit import LineBuffer
from server.terminal.prompt_toolkit_hooks import FLUSH
from server.terminal.timers import EventLoopTimers, TimerHandle

PASTE_GAP = 0.2
"""Seconds within which the next piece of a paste comes."""

LONG_PASTE = 64
"""Keys that came together from which on the rest of them may have been held back ..."""

LONG_PASTE_GAP = 1.5
"""... and for how many seconds: the transport reads what comes too fast in helpings, up to a second apart."""

ESCAPE: Final = (KeyPress(Keys.Escape, ""), FLUSH)


class UnmarkedPaste:
    """Watches keys that come together. Nobody types lines that fast."""

    __slots__ = (
        "_close_line",
        "_deaf_until",
        "_entry",
        "_gap",
        "_line_timer",
        "_opened",
        "_pasted",
        "_pasting_until",
        "_timers",
        "_typing",
    )

    def __init__(
        self,
        timers: EventLoopTimers,
        entry: Callable[[], Buffer | None],
        close_line: Callable[[], None],
    ) -> None:
        """``entry`` is the line that is open, ``close_line`` closes it."""
        self._timers: Final = timers
        self._entry: Final = entry
        self._close_line: Final = close_line
        self._pasted = False  # the keys that are pressed now
        self._pasting_until = 0.0  # so were those before: the next may go on with it
        self._gap = PASTE_GAP
        self._deaf_until = 0.0  # the line has closed: the rest of the paste is for nobody
        self._line_timer: TimerHandle | None = None  # a line is kept open for the rest of the paste
        self._typing = self._opened = False

    def begin(self, keys: list[KeyPress]) -> bool:
        """These are pressed next, which came together. Returns whether they are for nobody."""
        self._pasted = len(keys) > 1 and any(
            not isinstance(key.key, Keys) and key is not FLUSH and before.key is not Keys.Escape
            for before, key in zip((FLUSH, *keys), keys, strict=False)
        )
        if not self._pasted:
            return False
        self.stop()
        self._gap = LONG_PASTE_GAP if len(keys) >= LONG_PASTE else PASTE_GAP
        now = self._timers.time()
        if now < self._deaf_until and self._entry() is None:
            self._deaf_until = now + self._gap
            return True
        return False

    def end(self) -> None:
        """All of them have been pressed."""
        if self._pasted:  # from here on, not from its beginning: it may have waited for many turns
            self._pasting_until = self._timers.time() + self._gap
        self._opened = self._pasted = False

    @property
    def waits(self) -> bool:
        """A line is only open because more of it may come: any other key is meant for what is below it."""
        return self._line_timer is not None and not self._pasted

    def before_key(self) -> None:
        """The next one is pressed."""
        self._typing = self._entry() is not None

    def after_key(self) -> None:
        """It has been."""
        self._opened = not self._typing and self._entry() is not None

    def enter(self, press: Callable[[], None], *, last: bool) -> bool:
        """Enter ends a line of several, or just a line. Returns whether those that came with it, of which it
        may be the ``last``, are for nobody.
        """
        line = self._entry()
        pasting = self._pasted or self._timers.time() < self._pasting_until
        # Who sends "/", Enter and a digit together has just opened the line, and wants a phrase.
        if not isinstance(line, LineBuffer) or self._opened or not pasting:
            press()
            return False
        line.more_follows = True
        press()
        line.more_follows = False
        if self._entry() is None:
            self._deaf_until = self._timers.time() + self._gap
            return True
        if last:
            self._line_timer = self._timers.call_later(self._gap, self._nothing_followed)
        return False

    def stop(self) -> None:
        """No line is kept open any more."""
        if self._line_timer is not None:
            self._line_timer.cancel()
            self._line_timer = None

    def _nothing_followed(self) -> None:
        self._line_timer = None
        self._close_line()
