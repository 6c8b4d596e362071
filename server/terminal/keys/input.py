"""prompt_toolkit's Input from the channel of one player: hundreds of keys at once a few at a time."""

from collections.abc import Callable
from typing import Final, Protocol

from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding.key_processor import KeyPress
from typing_extensions import override

from server.terminal.fair_queue import Queues
from server.terminal.keys.key_decoder import KeyDecoder
from server.terminal.keys.pastes import Lines, Pastes
from server.timers import OneTimer, Timers

KEYS_A_TURN = 16
"""Keys of one session that are pressed before others have their turn: about a millisecond's worth."""

FLOOD = 256
"""Keys of one session that wait to be pressed, beyond which they wait behind all who have fewer."""
MOST_AHEAD = 1024
"""And beyond which those that come are dropped."""

GREEDY_SECONDS = 2.0
"""So long after a session has sent more keys than that together, nothing that it asks for is done at once.
The transport reads what comes too fast in helpings, up to half a second apart.
"""


class KeyListener(Lines, Protocol):
    """Who is told that keys were pressed."""

    @property
    def accepts_keys(self) -> bool:
        """Keys mean something: there is something to see, and the session is not over."""

    def pressed(self, *, more: bool, greedy: bool) -> None:
        """Keys were pressed: draw. ``more`` are still to come; ``greedy``: so many that others go first."""

    def answered(self, text: str) -> None:
        """The terminal has sent the operating system command ``text``: see ``KeyDecoder``."""

    def fail(self, error: Exception) -> None:
        """A key has led to a mistake; what was pressed behind it is dropped."""


class SessionInput(DummyInput):
    """Keys from the characters that come in, until it is closed."""

    def __init__(self, listener: KeyListener, timers: Timers, queues: Queues) -> None:
        self._listener: Final = listener
        self._timers: Final = timers
        self._queues: Final = queues
        self._decoder: Final = KeyDecoder(listener.answered)
        self._ready: Callable[[], None] | None = None
        self._closed = False
        self._flush_later: Final = OneTimer(timers)
        # Keys that are still to be pressed; those that came together are kept together.
        self._ahead: Final[list[list[KeyPress]]] = []
        self._begun = False  # some of the keys that came together have been pressed
        self._greedy_until = 0.0
        self.pressing = False
        """Keys are pressed just now."""
        self.pastes: Final = Pastes(listener, timers, self._queue)

    def feed(self, data: str) -> None:
        """The terminal has sent ``data``; how it was split does not matter."""
        self._flush_later.cancel()
        keys = self._decoder.feed(data)
        if (delay := self._decoder.delay) is not None and not self._closed:
            self._flush_later.after(delay, self._flush)
        self._queue(keys)

    def _flush(self) -> None:
        self._queue(self._decoder.flush())

    def _queue(self, keys: list[KeyPress]) -> None:
        """Press these, which came together: the first of them at once, unless others wait before them."""
        if not keys or not self._listener.accepts_keys or self._waiting > MOST_AHEAD:
            return  # those from before the first frame were meant for something else
        self._ahead.append(keys)
        if len(self._ahead) == 1 and (self._greedy or self._press_some()):
            self._wait()

    @property
    def _waiting(self) -> int:
        return sum(map(len, self._ahead))

    def _wait(self) -> None:
        queue = self._queues.floods if self._waiting > FLOOD else self._queues.throttled
        queue.join(self._take_turn)

    def _take_turn(self) -> bool:
        if self._press_some():
            self._wait()
        return False

    @property
    def _greedy(self) -> bool:
        return self._timers.time() < self._greedy_until

    def _press_some(self) -> bool:
        """Have the next keys pressed, and shown what has come of them; whether there are more."""
        if self._ready is None or not self._listener.accepts_keys:
            self._ahead.clear()
            return False
        self.pressing = True
        try:
            self._ready()
        except Exception as error:
            self._ahead.clear()
            self._begun = self.pressing = False
            self.pastes.failed()
            self._listener.fail(error)
            return False
        finally:
            self.pressing = False
        if not self._ahead[0]:
            self.pastes.pressed(more=len(self._ahead) > 1)
            self._begun = False
            del self._ahead[0]
        if self._ahead:
            self._greedy_until = self._timers.time() + GREEDY_SECONDS
        self._listener.pressed(more=bool(self._ahead), greedy=self._greedy)
        return bool(self._ahead)

    @override
    def read_keys(self) -> list[KeyPress]:
        if not self._ahead:
            return []
        if not self._begun:
            self._begun = True
            self._ahead[0] = self.pastes.begin(self._ahead[0])
        together = self._ahead[0]
        keys = together[:KEYS_A_TURN]
        del together[:KEYS_A_TURN]
        return keys

    def line_ended(self, *, last: bool) -> bool:
        """Enter has ended a line of several that were pasted, as the ``last`` key that was read. Returns
        whether what has been read is for nobody.
        """
        together = self._ahead[0] if self._ahead else []
        dropped = self.pastes.line_ended(last=last and not together)
        if dropped:
            together.clear()
        return dropped

    # ------------------------------------------------------------------- for prompt_toolkit

    @override
    def attach(self, input_ready_callback: Callable[[], None]) -> "SessionInput":
        self._ready = input_ready_callback
        return self

    def __enter__(self) -> None:
        """It is attached already."""

    def __exit__(self, *_: object) -> None:
        self._ready = None
        self._stop()

    def _stop(self) -> None:
        self._ahead.clear()
        self.pastes.stop()
        self._flush_later.cancel()

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
