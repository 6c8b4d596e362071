"""What is pasted into a terminal that does not mark it: it comes as keys, and must press none but in the line
that was open. Where none is, it counts as text that was pasted. Nobody types that fast.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from math import inf
from typing import Final, Protocol

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from server.terminal.prompt_toolkit_hooks import FLUSH
from server.timers import OneTimer, Timers

PASTE_GAP = 0.2
"""Seconds within which the next piece of a paste comes."""

LONG_PASTE = 64
"""Keys that came together from which on the rest of them may have been held back ..."""

LONG_PASTE_GAP = 1.5
"""... and for how many seconds: the transport reads what comes too fast in small helpings, 0.4 s apart."""

BURST: Final = 4
"""Characters that come together from which on nobody has typed them, unless a key was held down."""

OPENS_A_LINE: Final = "/"
"""What such text may begin with to be typed after all."""

NEWLINE: Final = "newline"
"""What Enter is called that ends a line of which more have been pasted: another may follow at once."""

_ESCAPE: Final = (KeyPress(Keys.Escape, ""), FLUSH)


class Lines(Protocol):
    """Who has lines typed."""

    @property
    def entry(self) -> Buffer | None:
        """The line that is typed into."""


class PasteState(Enum):
    """What is known of the keys that come."""

    IDLE = auto()
    """They are pressed one by one."""
    MARKED = auto()
    """They are the lines of a paste that the terminal has marked."""
    PASTING = auto()
    """They belong to a paste: Enter ends one line of several."""
    LINE_KEPT = auto()
    """They go into a line that has ended and stays open for the next; a single key means what is below."""
    DEAF = auto()
    """The line has closed: the rest of the paste is for nobody."""
    DEAF_TO_KEYS = auto()
    """The same where no line was open: a single key may be the end of it, too."""


_PIECES: Final = PasteState.PASTING, PasteState.DEAF, PasteState.DEAF_TO_KEYS


class Pastes:
    """The pastes of one terminal: a state that ends with time."""

    def __init__(
        self, lines: Lines, timers: Timers, press: Callable[[list[KeyPress]], None]
    ) -> None:
        """``press`` has keys pressed that nobody has sent."""
        self._lines: Final = lines
        self._timers: Final = timers
        self._press: Final = press
        self._state = PasteState.IDLE
        self._until = inf
        self._gap = PASTE_GAP
        self._close_later: Final = OneTimer(timers)
        self.opened = False
        """The key that was pressed last, of those that came together, has opened the line."""

    @property
    def state(self) -> PasteState:
        """As it is now."""
        if self._timers.time() >= self._until:
            self._enter(PasteState.IDLE)
        return self._state

    def _enter(self, state: PasteState, seconds: float = inf) -> None:
        self._state, self._until = state, self._timers.time() + seconds

    def begin(self, keys: list[KeyPress]) -> list[KeyPress]:
        """These came together and are next. Returns what is to be pressed for them."""
        state, line = self.state, self._lines.entry
        self.opened = False
        self.stop()
        if pasted := _is_paste(keys):
            goes_on = state is not PasteState.IDLE and self._gap == LONG_PASTE_GAP
            self._gap = LONG_PASTE_GAP if goes_on or len(keys) >= LONG_PASTE else PASTE_GAP
        if line is None:
            deaf = pasted and state is PasteState.DEAF
            if deaf or (state is PasteState.DEAF_TO_KEYS and any(map(_is_typed, keys))):
                self._enter(state, self._gap)
                return []
            if pasted and (text := _pasted_text(keys)):
                self._enter(PasteState.DEAF_TO_KEYS, self._gap)
                if not text.startswith(OPENS_A_LINE):
                    return [KeyPress(Keys.BracketedPaste, text)]
                # A line that was typed ahead is kept, but only another Enter ends it.
                return [KeyPress(char, char) for char in text.partition("\n")[0]]
        if state is PasteState.LINE_KEPT:
            self._enter(PasteState.IDLE)
            if not pasted and line is not None and not line.text:
                return [*_ESCAPE, *keys]
        if pasted:
            self._enter(PasteState.PASTING)
        return keys

    def pressed(self, *, more: bool) -> None:
        """All that came together has been pressed: the next piece may come from here on, for pressing it may
        have waited for many turns; ``more`` has come already, and may wait for as many.
        """
        if more:
            self.stop()
            self._until = inf
        elif self._state in _PIECES and self._until == inf:
            self._enter(self._state, self._gap)

    def ends_a_line(self, line: Buffer) -> bool:
        """Whether Enter, pressed now, ends a line of several."""
        if self.state is PasteState.PASTING:
            # Who sends "/", Enter and a digit together has just opened the line, and wants a phrase.
            return not self.opened or bool(line.text)
        return self._state is PasteState.MARKED

    def line_ended(self, *, last: bool) -> bool:
        """It has, as the ``last`` key that has come. Returns whether the rest of them is for nobody."""
        if self._state is PasteState.MARKED:
            return False
        if self._lines.entry is None:
            self._enter(PasteState.DEAF, self._gap)
            return True
        if last:
            self._enter(PasteState.LINE_KEPT)
            self._close_later.after(self._gap, self._close_line)
        return False

    def _close_line(self) -> None:
        """Nothing more has come of what was pasted."""
        self.stop()
        self._enter(PasteState.IDLE)
        if (line := self._lines.entry) is not None and not line.text:
            self._press([*_ESCAPE])

    @contextmanager
    def marked(self) -> Iterator[None]:
        """Lines are pasted that the terminal has marked."""
        before = self._state, self._until
        self._enter(PasteState.MARKED)
        try:
            yield
        finally:
            self._state, self._until = before

    def failed(self) -> None:
        """A key has led to a mistake; those behind it are dropped."""
        if self._state is PasteState.PASTING:
            self._enter(PasteState.IDLE)

    def stop(self) -> None:
        """Keep no line open."""
        self._close_later.cancel()


def _is_paste(keys: list[KeyPress]) -> bool:
    """Whether there is a character among several keys, but for what Alt was held with."""
    return len(keys) > 1 and any(
        not isinstance(key.key, Keys) and key is not FLUSH and before.key is not Keys.Escape
        for before, key in zip((FLUSH, *keys), keys, strict=False)
    )


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
