"""prompt_toolkit's Input from the channel of one player: hundreds of keys at once a few at a time.

What is pasted into a terminal that does not mark it comes as keys, and must press none but in the line that
was open: where none is, it counts as text that was pasted. Nobody types that fast.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from typing_extensions import override

from server.terminal.fair_queue import FairQueue
from server.terminal.keys.key_decoder import KeyDecoder
from server.terminal.keys.line_edit import LineBuffer
from server.terminal.prompt_toolkit_hooks import FLUSH
from server.terminal.timers import EventLoopTimers, TimerHandle

KEYS_A_TURN = 16
"""Keys of one session that are pressed before others have their turn: about a millisecond's worth."""

GREEDY_SECONDS = 2.0
"""So long after a session has sent more keys than that together, nothing that it asks for is done at once.
The transport reads what comes too fast in helpings, up to a second apart.
"""

PASTE_GAP = 0.2
"""Seconds within which the next piece of a paste comes."""

LONG_PASTE = 64
"""Keys that came together from which on the rest of them may have been held back ..."""

LONG_PASTE_GAP = 1.5
"""... and for how many seconds: the transport reads what comes too fast in helpings, up to a second apart."""

BURST: Final = 4
"""Characters that come together from which on nobody has typed them, unless a key was held down."""

OPENS_A_LINE: Final = "/"
"""What such text may begin with to be typed after all."""

_ESCAPE: Final = (KeyPress(Keys.Escape, ""), FLUSH)


class KeyListener(Protocol):
    """Who presses the keys."""

    @property
    def entry(self) -> Buffer | None:
        """The line that is typed into."""

    @property
    def hears(self) -> bool:
        """Keys mean something: there is something to see, and the session is not over."""

    def pressed(self, *, more: bool, greedy: bool) -> None:
        """Keys were pressed: draw. ``more`` are still to come; ``greedy``: so many that others go first."""

    def fail(self, error: Exception) -> None:
        """A key has led to a mistake; what was pressed behind it is dropped."""


class SessionInput(DummyInput):
    """Keys from the characters that come in, until it is closed."""

    def __init__(
        self, listener: KeyListener, timers: EventLoopTimers, throttled: FairQueue
    ) -> None:
        """``throttled`` is the queue for keys beyond a session's share."""
        self._listener: Final = listener
        self._timers: Final = timers
        self._throttled: Final = throttled
        self._decoder: Final = KeyDecoder()
        self._ready: Callable[[], None] | None = None
        self._closed = False
        self._flush_timer: TimerHandle | None = None
        # Keys that are still to be pressed; those that came together are kept together.
        self._ahead: Final[list[list[KeyPress]]] = []
        self._begun = False  # some of the keys that came together have been pressed
        self._greedy_until = 0.0
        self.pressing = False
        """Keys are pressed just now."""
        self._pasted = False  # they are a paste
        self._pasting_until = 0.0  # so were those before: the next may go on with it
        self._gap = PASTE_GAP
        self._deaf_until = 0.0  # the line has closed: the rest of the paste is for nobody
        self._deaf_to_all = False  # also a single key: the whole paste was for no line
        self._line_timer: TimerHandle | None = None  # a line is kept open for the rest of the paste
        self._typing = self._opened = False  # before this key; by it

    def feed(self, data: str) -> None:
        """The terminal has sent ``data``; how it was split does not matter."""
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None
        keys = self._decoder.feed(data)
        delay = self._decoder.delay
        if delay is not None and not self._closed:
            self._flush_timer = self._timers.call_later(delay, self._flush)
        self._take(keys)

    def _flush(self) -> None:
        self._flush_timer = None
        self._take(self._decoder.flush())

    def _take(self, keys: list[KeyPress]) -> None:
        """Press these, which came together: the first of them at once, unless others wait before them."""
        if not keys or not self._listener.hears:
            return  # those from before the first frame were meant for something else
        self._ahead.append(keys)
        if len(self._ahead) == 1 and (self._greedy or self._press_some()):
            self._throttled.join(self._press_some)

    @property
    def _greedy(self) -> bool:
        return self._timers.time() < self._greedy_until

    def _press_some(self) -> bool:
        """Have the next keys pressed, and shown what has come of them; whether there are more."""
        if self._ready is None or not self._listener.hears:
            self._ahead.clear()
            return False
        self.pressing = True
        try:
            self._ready()
        except Exception as error:
            self._ahead.clear()
            self._begun = self._opened = self._pasted = self.pressing = False
            self._listener.fail(error)
            return False
        finally:
            self.pressing = False
        if not self._ahead[0]:
            if self._pasted:
                # From here on, not from its beginning: it may have waited for many turns.
                self._pasting_until = self._timers.time() + self._gap
            self._begun = self._opened = self._pasted = False
            del self._ahead[0]
        if self._ahead:
            self._greedy_until = self._timers.time() + GREEDY_SECONDS
        self._listener.pressed(more=bool(self._ahead), greedy=self._greedy)
        return bool(self._ahead)

    @override
    def read_keys(self) -> list[KeyPress]:
        if not self._ahead:
            return []
        together = self._ahead[0]
        if not self._begun:
            self._begun = True
            self._begin(together)
        keys = together[:KEYS_A_TURN]
        del together[:KEYS_A_TURN]
        return keys

    # ------------------------------------------------------------------- pastes that are not marked

    def _begin(self, keys: list[KeyPress]) -> None:
        """These are pressed next, which came together: unless they are for nobody."""
        self._pasted = len(keys) > 1 and any(
            not isinstance(key.key, Keys) and key is not FLUSH and before.key is not Keys.Escape
            for before, key in zip((FLUSH, *keys), keys, strict=False)
        )
        line_is_kept = self._line_timer is not None
        self._keep_no_line()
        if self._pasted:
            self._gap = LONG_PASTE_GAP if len(keys) >= LONG_PASTE else PASTE_GAP
        now = self._timers.time()
        rest = self._pasted or (self._deaf_to_all and any(map(_is_typed, keys)))
        if self._listener.entry is None and now < self._deaf_until and rest:
            self._deaf_until = now + self._gap
            keys.clear()
        elif self._pasted and self._listener.entry is None:
            text = _pasted_text(keys)
            self._deaf_to_all = bool(text)
            if text:
                self._deaf_until = now + self._gap
                line = text.partition("\n")[0]
                # A line that was typed ahead is kept, but only another Enter ends it.
                opens = line.startswith(OPENS_A_LINE)
                one = [KeyPress(Keys.BracketedPaste, text)]
                keys[:] = [KeyPress(char, char) for char in line] if opens else one
        elif line_is_kept and not self._pasted and self._line_is_empty():
            keys[:0] = _ESCAPE  # they are meant for what is below it

    def before_key(self, _processor: object) -> None:
        """The next one is pressed."""
        self._typing = self._listener.entry is not None

    def after_key(self, _processor: object) -> None:
        """It has been."""
        self._opened = not self._typing and self._listener.entry is not None

    def enter(self, press: Callable[[], None], following: int) -> bool:
        """Enter is pressed, with so many keys that have been read to follow: it ends a line of several, or
        just a line. Returns whether those, and the others that came with them, are for nobody.
        """
        line, now = self._listener.entry, self._timers.time()
        # Who sends "/", Enter and a digit together has just opened the line, and wants a phrase.
        pasting = not self._opened and (self._pasted or now < self._pasting_until)
        if not isinstance(line, LineBuffer) or not pasting:
            press()
            return False
        line.more_follows = True
        press()
        line.more_follows = False
        together = self._ahead[0] if self._ahead else []
        if self._listener.entry is None:
            self._deaf_until, self._deaf_to_all = now + self._gap, False
            together.clear()
            return True
        if not following and not together:
            self._line_timer = self._timers.call_later(self._gap, self._close_line)
        return False

    def _close_line(self) -> None:
        """Nothing more has come of what was pasted: the line that was kept open for it closes."""
        self._line_timer = None
        if self._line_is_empty():
            self._take([*_ESCAPE])

    def _line_is_empty(self) -> bool:
        entry = self._listener.entry
        return entry is not None and not entry.text

    def _keep_no_line(self) -> None:
        if self._line_timer is not None:
            self._line_timer.cancel()
            self._line_timer = None

    # ------------------------------------------------------------------- for prompt_toolkit

    @override
    @contextmanager
    def attach(self, input_ready_callback: Callable[[], None]) -> Iterator[None]:
        self._ready = input_ready_callback
        try:
            yield
        finally:
            self._ready = None
            self._stop()

    def _stop(self) -> None:
        self._ahead.clear()
        self._keep_no_line()
        if self._flush_timer is not None:
            self._flush_timer.cancel()
            self._flush_timer = None

    @property
    @override
    def closed(self) -> bool:
        return self._closed

    @override
    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._stop()
            if self._ready is not None:
                self._ready()  # it looks whether there will be more, and ends the application


def _is_typed(key: KeyPress) -> bool:
    """Whether it would go into a line, or end it."""
    return key.key in (Keys.ControlM, Keys.ControlI) or (
        not isinstance(key.key, Keys) and key is not FLUSH
    )


def _pasted_text(keys: list[KeyPress]) -> str:
    """The text that came as these keys; empty if they may have been pressed one by one."""
    if not all(map(_is_typed, keys)):
        return ""
    blanks = {Keys.ControlM: "\n", Keys.ControlI: " "}
    text = "".join(key.data or blanks[Keys(key.key)] for key in keys)
    letters = text.replace("\n", "")
    return text if len(letters) >= BURST and len(set(letters)) > 1 else ""
