"""What pages to be read have in common: scrolling, and any of a few keys to go back."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import ClassVar, Final

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import BACK, Page
from server.fullscreen.widgets.boxes import Pane, are_beside, has_boxes, joined, panes
from server.fullscreen.widgets.chrome import paragraphs
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Row
from server.terminal.keys.key_table import Key, KeyTable

SCROLL: Final["Key[ReadingPage]"] = Key(
    *("up", "k"), does=lambda page: page.scroll(-1), footer=_("scroll"), label=_("Up Down")
)
PAGING: Final["tuple[Key[ReadingPage], ...]"] = (
    Key("pageup", does=lambda page: page.scroll(1 - page.room)),
    Key("pagedown", does=lambda page: page.scroll(page.room - 1)),
    Key("home", does=lambda page: page.scroll(-page.end)),
    Key("end", does=lambda page: page.scroll(page.end)),
)
SCROLLING: Final["tuple[Key[ReadingPage], ...]"] = (
    Key("down", "j", "enter", does=lambda page: page.scroll(1)),
    *PAGING,
    Key(" ", does=lambda page: page.scroll(page.room - 1)),
)
TAB: Final[Key[Page]] = Key("tab", does=lambda page: page.go_back())


class ReadingPage(Page):
    """Subclasses say what there is to read."""

    SAYS = False
    LARGEST: ClassVar[Size | None] = Size(104, 56)
    SHARE: ClassVar[float] = 0.3
    """How far the crest below the title has come, from 0 to 1."""
    KEYS = KeyTable["ReadingPage"](SCROLL, *SCROLLING, BACK, TAB)
    HEADING: ClassVar[str] = ""
    """The title of the pane for what there is to read; empty where it is not in one."""
    SHARES: ClassVar[tuple[int, int]] = (3, 2)
    """How wide that pane is, and what is beside it."""

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

    def heading(self) -> str:
        """What stands above the pane for what there is to read."""
        return self.words.t(self.HEADING)

    def beside(self, size: Size) -> Sequence[Pane]:
        """Panes beside what there is to read, where there is room; else they are read below it."""
        return ()

    def together(self, lines: Sequence[Row], side: Sequence[Pane], width: int) -> Sequence[Row]:
        """What there is to read, with what would stand beside it."""
        return [*lines, *joined(side, width)]

    @override
    def frame(self, size: Size) -> Frame:
        look, inside = self.context.look, self.body_size(size)
        if not self.HEADING or not has_boxes(inside, look):
            lines, room = self.lines_on(size), self.room_on(size)
            if self.HEADING:
                lines = self.together(lines, self.beside(size), size.columns)
            end = max(0, len(lines) - room)
            top = min(self._top, end)
            return self._with_keys(lines[top : top + room], size, room, end)
        apart, room = are_beside(inside, look), inside.rows - 2
        side, lengths = self.beside(inside), list[int]()

        def read(width: int) -> Sequence[Row]:
            lines = self.lines_on(Size(width, size.rows - 2))
            lines = lines if apart else self.together(lines, side, width)
            lengths.append(len(lines))
            return lines

        main = Pane(self.heading(), read, top=self._top, grows=True)
        body = panes([[main], side] if apart and side else [[main]], inside, look, self.SHARES)
        return self._with_keys(body, size, room, max(0, lengths[0] - room))

    def _with_keys(self, body: Sequence[Row], size: Size, room: int, end: int) -> Frame:
        """Framed; the keys that scroll are told where there is something to scroll."""
        frame = self.framed(
            *(self.title(), body, size),
            keys=self.footer() if end else self.footer(SCROLL),
            aside=self.aside(),
            share=self.SHARE,
        )
        return frame.telling(partial(self._saw, room, end))

    def _saw(self, room: int, end: int) -> None:
        self.room, self.end = room, end

    def room_on(self, size: Size) -> int:
        """How many rows fit at a time on such a screen."""
        return self.body_size(size).rows

    def scroll(self, rows: int) -> None:
        """Down by so many rows."""
        self._top = max(0, min(self._top + rows, self.end))


class SentencesPage(ReadingPage):
    """Sentences below a title."""

    def __init__(
        self, context: SessionContext, title: str, told: Callable[[], Iterable[str]]
    ) -> None:
        super().__init__(context)
        self._title: Final = title
        self._told: Final = told

    @override
    def title(self) -> str:
        return self._title

    @override
    def lines(self, width: int) -> Sequence[Row]:
        return paragraphs(self._told(), width, apart=True)
