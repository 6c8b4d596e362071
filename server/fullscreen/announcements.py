"""What the server says, laid over whatever is on the screen: long enough to be read, whatever is typed.

And the notice that it is about to go down.
"""

from typing import Final

from server.terminal.capabilities import Size
from server.terminal.drawing.frame import (
    BLANK,
    Frame,
    Row,
    fit,
    overlay,
    row_width,
    says_nothing,
    wrap,
)

SURE_SECONDS: Final = 6.0
"""For so long no key takes it away ..."""
LONGEST_SECONDS: Final = 60.0
"""... and after so long it goes by itself."""

_MOST_ROWS: Final = 8
_TOP: Final = 2
"""Below the title, and where the game stands."""


class Banner:
    """What stands there now. Times are seconds of one clock."""

    def __init__(self) -> None:
        self._said: list[tuple[str, float]] = []
        """Each text, and since when it stands there."""

    def say(self, text: str, now: float) -> None:
        """From now on this stands there."""
        self._said = [*self._said[-2:], (text, now)]

    def look(self, now: float) -> float:
        """Take away what is too old; in how many seconds to look again, 0 for never."""
        self.keep(now - LONGEST_SECONDS)
        return self._said[0][1] + LONGEST_SECONDS - now if self._said else 0.0

    def keep(self, since: float) -> None:
        """Take away what has stood there since before that."""
        self._said = self._said and [(text, when) for text, when in self._said if when > since]

    def over(self, frame: Frame, size: Size) -> Frame:
        """The frame, with what there is to say on it."""
        if not self._said:
            return frame
        lines = [line for text, _ in self._said for line in wrap(text, size.columns - 4)]
        rows = [*frame.rows, *([BLANK] * (size.rows - len(frame.rows)))]
        for number, line in enumerate(lines[: min(_MOST_ROWS, size.rows - 2)]):
            rows[_TOP + number] = (("", " "), ("selected", fit(f" {line}", size.columns - 2)))
        return frame._replace(rows=tuple(rows))


def with_notice(frame: Frame, text: str, size: Size) -> Frame:
    """``frame`` with ``text``, which fits a row, where it hides nothing.

    On the water, a rule or a blank row, the first there is; without any, on the keys at the bottom.
    """
    notice: Row = (("warm", f" {text} "),)
    rows = list(frame.rows)
    silent = (number for number, row in enumerate(rows) if says_nothing(row))
    number = next(silent, len(rows) - 1)
    rows[number] = overlay(rows[number], max(0, (size.columns - row_width(notice)) // 2), notice)
    return frame._replace(rows=tuple(rows))
