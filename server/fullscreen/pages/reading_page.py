"""What pages to be read have in common: scrolling, and any of a few keys to go back."""

from collections.abc import Sequence

from prompt_toolkit.buffer import Buffer

from server.fullscreen.context import SessionContext
from server.fullscreen.widgets.reading import reading_room, reading_screen
from server.session.key_preferences import meant
from server.terminal.capabilities import Size
from server.terminal.frame import Frame, Row


class ReadingPage:
    """Subclasses say what there is to read."""

    entry: Buffer | None = None
    same_key = ""
    """The key that opened the page closes it too."""

    def __init__(self, desk: SessionContext) -> None:
        self._desk = desk
        self._top = 0
        self._room = 20
        self._end = 0

    def title(self) -> str:
        """Of the page."""
        raise NotImplementedError

    def aside(self) -> str:
        """At the right of the title."""
        return ""

    def lines(self, width: int) -> Sequence[Row]:
        """All there is to read."""
        raise NotImplementedError

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        lines = self.lines(size.columns)
        # Only the picture knows how much fits; the keys need it to stop at the end.
        self._room = reading_room(size)
        self._end = max(0, len(lines) - self._room)
        look = self._desk.look
        return reading_screen(self.title(), lines, self._top, self.aside(), size, look)

    def key(self, name: str) -> None:
        """See ``Page``."""
        match name:
            case "up" | "k":
                self._top -= 1
            case "down" | "j" | "enter":
                self._top += 1
            case "pageup":
                self._top -= self._room - 1
            case "pagedown" | " ":
                self._top += self._room - 1
            case "home":
                self._top = 0
            case "end":
                self._top = self._end
            case "escape" | "q" | "tab":
                self._desk.close(self)
            case _ if meant(name, self._desk.own_keys).lower() == self.same_key:
                self._desk.close(self)
        self._top = max(0, min(self._top, self._end))

    def text(self, text: str) -> None:
        """See ``Page``."""
