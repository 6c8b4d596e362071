"""From characters to lines: what somebody types without a full screen."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from server.terminal.drawing.frame import cell_width, text_width

LONGEST: Final = 500
"""Characters of a line that are kept; what comes after them is dropped."""

_ERASE: Final = frozenset("\b\x7f")
_KILL: Final = "\x15"
_INTERRUPT: Final = "\x03"
_END: Final = "\x04"
_ESCAPE: Final = "\x1b"
_UP: Final = "\x1b[A"


@dataclass(slots=True, eq=False, kw_only=True)
class LineTyping:
    """Puts lines together. With ``echo`` the far end shows nothing by itself, and is told what was typed, in
    rows of at most ``width()`` columns, so that we know where its cursor is; ``cursor``: it can be placed.
    ``line`` gets every line without its end, ``leave`` is called for Ctrl-C and Ctrl-D.
    """

    echo: bool
    write: Callable[[str], None]
    line: Callable[[str], None]
    leave: Callable[[], None]
    width: Callable[[], int] = lambda: 79
    cursor: bool = False
    _typed: str = ""
    _rows: list[str] = field(default_factory=lambda: [""])
    """The same as it is shown."""
    _after_return: bool = False
    _in_sequence: str = ""

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
        shown: list[str] = []
        for char in text:
            self._type(char, shown)
        self._show(shown)

    def _type(self, char: str, shown: list[str]) -> None:
        ended, self._after_return = self._after_return, char == "\r"
        if self._in_sequence or char == _ESCAPE:
            self._skip_sequence(char)
        elif char in "\r\n":
            # A return may be CR, LF, CR LF or (telnet) CR NUL: all are one.
            if not (char == "\n" and ended):
                if self.echo:
                    shown.append("\r\n")
                self._show(shown)
                line, self._typed, self._rows = self._typed, "", [""]
                self.line(line)
        elif char in _ERASE:
            self._erase(shown)
        elif char == _KILL:
            shown.append(self.taken_away)
            self._typed, self._rows = "", [""]
        elif char in (_INTERRUPT, _END):
            self._show(shown)
            self.leave()
        elif char.isprintable() and len(self._typed) < LONGEST:
            self._typed += char
            if self.echo:
                self._append(char, shown)

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

    def _skip_sequence(self, char: str) -> None:
        """Arrow keys and the like mean nothing here, and their letters are not typed text."""
        self._in_sequence += char
        started = len(self._in_sequence) > 1
        if (
            (started and self._in_sequence[1] not in "[O")
            or (len(self._in_sequence) > 2 and "@" <= char <= "~")
            or len(self._in_sequence) > 16
        ):
            self._in_sequence = ""

    def _show(self, shown: list[str]) -> None:
        if self.echo and shown:
            self.write("".join(shown))
        shown.clear()
