"""What pages to be read have in common: scrolling, and any of a few keys to go back."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import BACK, Page
from server.i18n.catalogues import gettext_noop as _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Row
from server.terminal.keys.key_table import Key, KeyTable

SCROLL: Final["Key[ReadingPage]"] = Key(
    *("up", "k"), does=lambda page: page.scroll(-1), footer=_("scroll"), label=_("Up Down")
)
PAGING: Final["tuple[Key[ReadingPage], ...]"] = (
    Key("pageup", does=lambda page: page.scroll(1 - page.room)),
    Key("pagedown", " ", does=lambda page: page.scroll(page.room - 1)),
    Key("home", does=lambda page: page.scroll(-page.end)),
    Key("end", does=lambda page: page.scroll(page.end)),
)
SCROLLING: Final["tuple[Key[ReadingPage], ...]"] = (
    Key("down", "j", "enter", does=lambda page: page.scroll(1)),
    *PAGING,
)


def closed_by(*names: str) -> Key[Page]:
    """The key that opened a page closes it, too."""
    return Key(*names, does=lambda page: page.go_back())


class ReadingPage(Page):
    """Subclasses say what there is to read."""

    SAYS = False
    LARGEST: ClassVar[Size | None] = Size(104, 56)
    SHARE: ClassVar[float] = 0.3
    """How far the crest below the title has come, from 0 to 1."""
    KEYS = KeyTable["ReadingPage"](SCROLL, *SCROLLING, BACK, closed_by("tab"))
    ACTION: ClassVar[str] = ""
    """What opened the page: the key that the player has chosen for that closes it, too."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._top = 0
        self.room: int = 20
        """Rows that fit at a time, as far as has been seen: the keys need it to stop at the end."""
        self.end: int = 0
        """The row that is the first one there."""

    def lines(self, width: int) -> Sequence[Row]:
        """All there is to read."""
        raise NotImplementedError

    def lines_on(self, size: Size) -> Sequence[Row]:
        """The same for such a screen."""
        return self.lines(size.columns)

    def aside(self) -> str:
        """What stands at the right of the title."""
        return ""

    @override
    def frame(self, size: Size) -> Frame:
        lines, room = self.lines_on(size), self.room_on(size)
        end = max(0, len(lines) - room)
        top = min(self._top, end)
        frame = self.framed(
            *(self.title(), lines[top : top + room], size),
            keys=self.footer() if end else self.footer(SCROLL),
            aside=self.aside(),
            share=self.SHARE,
        )
        return frame.telling(partial(self._saw, room, end))

    def _saw(self, room: int, end: int) -> None:
        self.room, self.end = room, end

    def room_on(self, size: Size) -> int:
        """How many rows fit at a time on such a screen."""
        return size.rows - 3 - (size.rows >= 20) - bool(self.said[1])

    def scroll(self, rows: int) -> None:
        """Down by so many rows."""
        self._top = max(0, min(self._top + rows, self.end))

    @override
    def other(self, name: str) -> None:
        if self.ACTION and name == self.context.own_keys.get(self.ACTION):
            self.go_back()
