"""From characters to lines: what somebody types without a full screen."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Final

from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from server.terminal.drawing.frame import cell_width, text_width
from server.terminal.keys.key_decoder import KeyDecoder, key_of
from server.terminal.keys.line_edit import LONGEST

_UP: Final = "\x1b[A"


@dataclass(slots=True, eq=False, kw_only=True)
class LineTyping:
    """Puts lines together. With ``echo`` the far end shows nothing by itself, and is told what was typed, in
    rows of at most ``width()`` columns, so that we know where its cursor is; ``cursor``: it can be placed.
    ``line`` gets every line without its end, ``leave`` is called for Ctrl-C and Ctrl-D, with which what was
    begun is dropped. ``now`` is a clock in seconds.
    """

    echo: bool
    write: Callable[[str], None]
    line: Callable[[str], None]
    leave: Callable[[], None]
    width: Callable[[], int] = lambda: 79
    cursor: bool = False
    now: Callable[[], float] = time.monotonic
    _typed: str = ""
    _rows: list[str] = field(default_factory=lambda: [""])
    """The same as it is shown."""
    _decoder: KeyDecoder = field(default_factory=KeyDecoder)
    _fed: float = 0.0

    def __post_init__(self) -> None:
        self._decoder.slow = True  # Esc means nothing here, and may be waited for

    @property
    def begun(self) -> bool:
        """Something of a line has been typed."""
        return bool(self._typed)

    @property
    def pending(self) -> str:
        """What has been typed of a line so far and must be shown again after other text, when echoing."""
        return "\r\n".join(self._rows)

    @property
    def taken_away(self) -> str:
        """What takes that from the screen; where rows above the last cannot be reached, they stay."""
        if not self.pending:
            return ""
        if self.cursor:
            return "\r" + _UP * (len(self._rows) - 1) + "\x1b[J"
        if len(self._rows) > 1:
            return "\r\n"
        return "\r" + " " * text_width(self.pending) + "\r"

    def feed(self, text: str) -> None:
        """Characters have come; they may begin or end anywhere."""
        fed, self._fed = self._fed, self.now()
        keys = self._decoder.flush() if self._fed - fed >= (self._decoder.delay or inf) else []
        shown: list[str] = []
        self._press([*keys, *self._decoder.feed(text)], shown)
        self._show(shown)

    def _press(self, keys: Iterable[KeyPress], shown: list[str]) -> None:
        for key in keys:
            match key.key:
                case Keys.BracketedPaste:
                    for char in key.data:
                        self._press(key_of(char), shown)
                case Keys.ControlM:
                    if self.echo:
                        shown.append("\r\n")
                    self._show(shown)
                    line, self._typed, self._rows = self._typed, "", [""]
                    self.line(line)
                case Keys.ControlH:
                    self._erase(shown)
                case Keys.ControlU:
                    self._drop(shown)
                case Keys.ControlC | Keys.ControlD:
                    self._drop(shown)
                    self._show(shown)
                    self.leave()
                case char if not isinstance(char, Keys) and len(self._typed) < LONGEST:
                    self._typed += char
                    if self.echo:
                        self._append(char, shown)

    def _drop(self, shown: list[str]) -> None:
        shown.append(self.taken_away)
        self._typed, self._rows = "", [""]

    def _append(self, char: str, shown: list[str]) -> None:
        if text_width(self._rows[-1]) + cell_width(char) > max(2, self.width()):
            self._rows.append("")
            shown.append("\r\n")
        self._rows[-1] += char
        shown.append(char)

    def _erase(self, shown: list[str]) -> None:
        """Rub out what was typed last, with the marks on it."""
        end = len(self._typed)
        while end > 1 and not cell_width(self._typed[end - 1]):
            end -= 1
        gone, self._typed = self._typed[max(0, end - 1) :], self._typed[: max(0, end - 1)]
        if not self.echo or not gone:
            return
        # What has no columns of its own may have changed those of its neighbour: terminals differ.
        again = self.cursor and not all(map(cell_width, gone))
        shown.append(self.taken_away if again else "\b \b" * text_width(gone))
        self._rows[-1] = self._rows[-1].removesuffix(gone)
        up = len(self._rows) > 1 and not self._rows[-1]
        if up:
            self._rows.pop()
        if again:
            shown.append(self.pending)
        elif up and self.cursor:
            shown.append(f"{_UP}\x1b[{text_width(self._rows[-1])}C")
        elif up:  # and there is no way there: what is left is shown once more
            shown.append("\r\n" + self.pending)

    def _show(self, shown: list[str]) -> None:
        if self.echo and shown:
            self.write("".join(shown))
        shown.clear()
