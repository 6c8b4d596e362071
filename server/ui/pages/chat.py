"""The chat page: everything that was heard, the newest at the end."""

from collections.abc import Sequence

from server.ui.desk import Desk
from server.ui.frame import Frame, Row
from server.ui.pages.reading import ReadingPage
from server.ui.present_chat import present_chat
from server.ui.screens.chat import chat_rows
from server.ui.screens.chrome import paragraph
from server.ui.terminal import Size


class ChatPage(ReadingPage):
    """See the module."""

    same_key = "m"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._at_end = True

    def title(self) -> str:
        """See ``ReadingPage``."""
        return self._desk.words.t("Chat")

    def lines(self, width: int) -> Sequence[Row]:
        """See ``ReadingPage``."""
        desk = self._desk
        rows = present_chat(desk.book.lines, desk.book, desk.clock.time(), desk.words)
        if not rows:
            return paragraph(desk.words.t("Nothing has been said yet."), width)
        return chat_rows(rows, width, desk.look)

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        if self._at_end:
            self._top = 1_000_000
        return super().frame(size)

    def key(self, name: str) -> None:
        """See ``Page``."""
        self._top = min(self._top, self._end)
        super().key(name)
        self._at_end = self._top >= self._end
