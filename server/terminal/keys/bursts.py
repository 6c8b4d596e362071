"""Text that is pasted into a terminal that does not mark it: it comes as keys, and must press none of them.

A hand presses one key after the other. Of what comes at once while no line is open, only this is pressed:
digits and blanks, with which a card is typed, and an Enter behind them; one key, once or held down, and an
Enter behind it; three keys without Enter, which a slow line may have gathered; keys that print nothing. All
else is text. "/" opens the line into which it goes.
"""

import re
from collections.abc import Callable
from math import inf
from typing import Final

from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from server.timers import OneTimer, Timers

TOGETHER: Final = 0.001
"""Seconds within which hardly anybody, only a program, answers what a key has drawn."""

HELD_ALONE: Final = 0.05
"""Seconds for which a letter that comes so soon is held: a pasted line goes on behind it, and ends with
Enter. Where nothing follows, it is an answer.
"""

LONG: Final = 64
"""Keys at once from which on the transport may have held back the rest of a paste ..."""

HELD_BACK: Final = 0.6
"""... for less than so many seconds."""

OPENS_A_LINE: Final = "/"

_BY_HAND: Final = re.compile(r"[0-9 ]{0,9}\r?|[^\r]{0,3}|[^\r]\r|/\r[0-9]?")
"""Repeated keys once. The last is a phrase of the chat."""


class Bursts:
    """Tells what has come at once, and what of it is to be pressed."""

    def __init__(self, timers: Timers, press: Callable[[float, list[KeyPress]], None]) -> None:
        """``press`` is called with keys that belong together, and the seconds since the last picture."""
        self._timers: Final = timers
        self._press: Final = press
        self._shown_at = -inf
        self._held: list[KeyPress] = []
        self._held_timer: Final = OneTimer(timers)
        self._typed = ""
        """By hand, as far as can be told; repeated keys once."""
        self._text = 0
        """The number of characters, where that cannot be."""

    @property
    def is_text(self) -> bool:
        """Nobody types like this: it is for a line only."""
        return self._text > 0

    @property
    def at_once(self) -> bool:
        """More than one key is in it."""
        return len(self._typed) > 1

    def come(self, keys: list[KeyPress], *, behind: bool, typing: bool) -> None:
        """Have these pressed, which have come together, perhaps ``behind`` others that wait.

        ``typing``: a line is open. Without, a letter that comes too soon is held.
        """
        first = not (behind or self._held)
        pause = self._timers.time() - self._shown_at if first else 0.0
        if first and not typing and self._may_be_more(keys, pause):
            self._held = keys
            self._held_timer.after(HELD_ALONE, self._nothing_follows)
        else:
            keys, self._held = self._held + keys, []
            self._held_timer.cancel()
            self._press(pause, keys)

    def _nothing_follows(self) -> None:
        keys, self._held = self._held, []
        self._press(inf, keys)

    def shown(self) -> None:
        """A picture has been sent: what comes at once answers nothing that is in it."""
        self._shown_at = self._timers.time()

    def forget(self) -> None:
        """Press nothing of what is held."""
        self._held.clear()
        self._held_timer.cancel()

    def _may_be_more(self, keys: list[KeyPress], pause: float) -> bool:
        """Return whether ``keys`` are one letter that may be a piece of a paste.

        Or else it answers what is on the screen: only what follows can tell.
        """
        letter = len(keys) == 1 and _character(keys[0]) not in ("", "\r")
        return letter and pause < TOGETHER and not self.is_text and "\r" not in self._typed

    def take(self, keys: list[KeyPress], pause: float, *, typing: bool) -> list[KeyPress]:
        """Return what is to be pressed of ``keys``; while it ``is_text``, only into a line.

        They have come ``pause`` seconds after those before them. ``typing``: a line is open.
        """
        if pause >= (HELD_BACK if self._text > LONG else TOGETHER):
            self._typed, self._text = "", 0
        before = self._typed
        characters = [_character(key) for key in keys]
        for char in characters:
            self._add(char)
        text = "".join(characters).replace("\r", "\n")
        pasted = [KeyPress(Keys.BracketedPaste, text)]
        if not self.is_text:
            return keys
        if typing:
            return pasted if "\n" in text[:-1] else keys
        if before:
            return []
        return keys if text[0] == OPENS_A_LINE else pasted

    def _add(self, char: str) -> None:
        if self._text:
            self._text += 1
        elif not char:
            self._typed = ""
        elif char != self._typed[-1:]:
            self._typed += char
            self._text = 0 if _BY_HAND.fullmatch(self._typed) else len(self._typed)


def _character(key: KeyPress) -> str:
    """What a terminal sends for ``key``; empty for more than one character, or a paste that is marked."""
    if not isinstance(key.key, Keys):
        return key.key
    prefix, _, letter = key.key.value.partition("-")
    return chr(ord(letter) & 0x1F) if prefix == "c" and len(letter) == 1 else ""
