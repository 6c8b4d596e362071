"""From characters to lines: what somebody types without a full screen."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 500
"""Characters of a line that are kept; what comes after them is dropped."""

_ERASE: Final = frozenset("\b\x7f")
_KILL: Final = "\x15"
_INTERRUPT: Final = "\x03"
_END: Final = "\x04"
_ESCAPE: Final = "\x1b"


@dataclass(slots=True, eq=False, kw_only=True)
class LineTyping:
    """Puts lines together. With ``echo`` the far end shows nothing by itself, and is told what was typed;
    ``line`` gets every line without its end, ``leave`` is called for Ctrl-C and Ctrl-D.
    """

    echo: bool
    write: Callable[[str], None]
    line: Callable[[str], None]
    leave: Callable[[], None]
    _typed: str = ""
    _after_return: bool = False
    _in_sequence: str = ""

    @property
    def pending(self) -> str:
        """What has been typed of a line so far and must be shown again after other text, when echoing."""
        return self._typed if self.echo else ""

    def feed(self, text: str) -> None:
        """Characters have come; they may begin or end anywhere."""
        shown: list[str] = []
        for char in text:
            self._take(char, shown)
        self._show(shown)

    def _take(self, char: str, shown: list[str]) -> None:
        ended, self._after_return = self._after_return, char == "\r"
        if self._in_sequence or char == _ESCAPE:
            self._skip_sequence(char)
        elif char in "\r\n":
            # A return may be CR, LF, CR LF or (telnet) CR NUL: all are one.
            if not (char == "\n" and ended):
                if self.echo:
                    shown.append("\r\n")
                self._show(shown)
                line, self._typed = self._typed, ""
                self.line(line)
        elif char in _ERASE:
            if self._typed:
                self._typed = self._typed[:-1]
                shown.append("\b \b")
        elif char == _KILL:
            shown.append("\b \b" * len(self._typed))
            self._typed = ""
        elif char in (_INTERRUPT, _END):
            self._show(shown)
            self.leave()
        elif char.isprintable() and len(self._typed) < LONGEST:
            self._typed += char
            shown.append(char)

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
