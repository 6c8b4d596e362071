"""prompt_toolkit's Input from the channel of one player: hundreds of keys at once a few at a time."""

from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding.key_processor import KeyPress
from typing_extensions import override

from server.terminal.keys.bursts import Bursts
from server.terminal.keys.key_decoder import KeyDecoder
from server.terminal.meter import Meter
from server.timers import OneTimer, Timers

KEYS_A_TURN = 16
"""Keys of one session that are pressed before others have their turn: about a millisecond's worth."""

MOST_AHEAD = 8192
"""Keys of one session that wait to be pressed, beyond which those that come are dropped. As nothing is read
meanwhile, so many come only of a few bytes that were compressed.
"""


class KeyListener(Protocol):
    """Listener for pressed keys."""

    @property
    def entry(self) -> Buffer | None:
        """The line that is typed into."""

    @property
    def slow(self) -> bool:
        """The line is slow: an arrow key may arrive split."""

    @property
    def accepts_keys(self) -> bool:
        """Keys mean something: there is something to see, and the session is not over."""

    def pressed(self) -> None:
        """Keys were pressed, all that had come: draw."""

    def answered(self, text: str) -> None:
        """The terminal has sent the operating system command ``text``: see ``KeyDecoder``."""

    def fail(self, error: Exception) -> None:
        """A key has led to a mistake; what was pressed behind it is dropped."""


class SessionInput(DummyInput):
    """Keys from the characters that come in, until it is closed."""

    def __init__(self, listener: KeyListener, timers: Timers, meter: Meter) -> None:
        self._listener: Final = listener
        self._meter: Final = meter
        self._decoder: Final = KeyDecoder(listener.answered)
        self._ready: Callable[[], None] | None = None
        self._closed = False
        self._flush_later: Final = OneTimer(timers)
        # Keys that are still to be pressed: those that came together, and how long after the last picture;
        # and what is left of those that are being pressed.
        self._ahead: Final[deque[tuple[float, list[KeyPress]]]] = deque()
        self._now: list[KeyPress] = []
        self.bursts: Final = Bursts(timers, self._press)
        self.pressing = False
        """Keys are pressed just now."""

    def feed(self, data: str) -> None:
        """The terminal has sent ``data``; how it was split does not matter."""
        self._flush_later.cancel()
        # The transport may have held back the rest of what came so fast.
        self._decoder.slow = len(data) > KEYS_A_TURN or self._listener.slow
        keys = self._decoder.feed(data)
        if (delay := self._decoder.delay) is not None and not self._closed:
            self._flush_later.after(delay, self._flush)
        self._queue(keys)

    def _flush(self) -> None:
        if self._meter.waits and (delay := self._decoder.delay) is not None:
            self._flush_later.after(delay, self._flush)  # the rest may still be held back
        else:
            self._queue(self._decoder.flush())

    def _queue(self, keys: list[KeyPress]) -> None:
        """Press these, which came together: the first of them at once, unless others wait before them."""
        # Those from before the first frame were meant for something else.
        if keys and self._listener.accepts_keys and self._waiting <= MOST_AHEAD:
            typing = self._listener.entry is not None
            self.bursts.come(keys, behind=self._waiting > 0, typing=typing)

    def _press(self, pause: float, keys: list[KeyPress]) -> None:
        idle = not self._waiting
        self._ahead.append((pause, keys))
        if idle:
            self._meter.do("keys", self._press_some)

    @property
    def _waiting(self) -> int:
        return len(self._now) + sum(len(keys) for _, keys in self._ahead)

    def _press_some(self) -> None:
        """Have the next keys pressed, the rest in other turns, and shown what has come of all."""
        if self._ready is None or not self._listener.accepts_keys:
            self._forget()
            return
        if not self._now and self._ahead:
            pause, keys = self._ahead.popleft()
            typing = self._listener.entry is not None
            self._now = self.bursts.take(keys, pause, typing=typing)
        self.pressing = True
        try:
            self._ready()
        except Exception as error:
            self._forget()
            self.pressing = False
            self._listener.fail(error)
            return
        finally:
            self.pressing = False
        self.bursts.shown()
        if self._waiting:
            self._meter.later("keys", self._press_some)
        else:
            self._listener.pressed()

    @override
    def read_keys(self) -> list[KeyPress]:
        keys = self._now[:KEYS_A_TURN]
        del self._now[:KEYS_A_TURN]
        return keys

    def drop(self) -> None:
        """Do not press the rest of what has come with the key that is pressed."""
        self._now.clear()

    @override
    def typeahead_hash(self) -> str:
        """For all sessions: nothing is ever kept."""
        return ""

    # ------------------------------------------------------------------- for prompt_toolkit

    @override
    def attach(self, input_ready_callback: Callable[[], None]) -> "SessionInput":
        self._ready = input_ready_callback
        return self

    def __enter__(self) -> None:
        """It is attached already."""

    def __exit__(self, *_: object) -> None:
        self._ready = None
        self._forget()

    def _forget(self) -> None:
        """Press nothing of what has come."""
        self._ahead.clear()
        self._now.clear()
        self.bursts.forget()
        self._flush_later.cancel()

    @property
    @override
    def closed(self) -> bool:
        return self._closed

    @override
    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._forget()
            if self._ready is not None:
                self._ready()  # it looks whether there will be more, and ends the application
