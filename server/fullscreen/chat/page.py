"""The chat page: everything that was heard, the newest at the end."""

from collections.abc import Sequence

from typing_extensions import override

from server.coordinator.messages import ChatLine
from server.fullscreen.chat.view import ChatRow, chat_rows
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import CHAT
from server.fullscreen.pages.reading_page import ReadingPage, closed_by
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.catalogues import Words
from server.session.chat_history import ChatHistory
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Row
from server.text.chat import age_in_words, said_in_words, who_in_words


class ChatPage(ReadingPage):
    """All that was heard, scrolled to the end."""

    CHATS = True
    KEYS = (*ReadingPage.KEYS, CHAT, closed_by("m"))

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._at_end = True

    @override
    def title(self) -> str:
        return self.context.words.t("Chat")

    @override
    def lines(self, width: int) -> Sequence[Row]:
        context = self.context
        rows = present_chat(context.book.lines, context.book, context.clock.time(), context.words)
        if not rows:
            return paragraph(context.words.t("Nothing has been said yet."), width)
        return chat_rows(rows, width, context.look)

    @override
    def frame(self, size: Size) -> Frame:
        if self._at_end:
            self._top = 1_000_000
        return super().frame(size)

    @override
    def scroll(self, rows: int) -> None:
        self._top = min(self._top, self.end)
        super().scroll(rows)
        self._at_end = self._top >= self.end


def present_chat(
    lines: Sequence[ChatLine], book: ChatHistory, now: float, words: Words
) -> tuple[ChatRow, ...]:
    """The rows of these ``lines`` of the ``book``, as they are to be read ``now``."""
    rows = []
    for line in lines:
        who = who_in_words(line, book.me, book.place, words)
        age = age_in_words(line, now, words)
        rows.append(
            ChatRow(
                f"{who} ({age})" if age else who,
                said_in_words(line, words),
                line.sender == book.me,
                book.is_for_me(line),
                line.old,
            )
        )
    return tuple(rows)
