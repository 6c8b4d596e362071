"""Chat on the full screen, laid over whatever page is shown: what was said, and the line being typed."""

from collections.abc import Sequence
from typing import Final

from server.coordinator.messages import ChatLine
from server.fullscreen.chat.input import ChatInput
from server.fullscreen.chat.page import present_chat
from server.fullscreen.chat.view import ChatRow, fitting, with_mark, with_panel
from server.fullscreen.context import SessionContext
from server.fullscreen.widgets.drawing import Region
from server.terminal.capabilities import Size
from server.terminal.drawing.caches import LastValue
from server.terminal.drawing.frame import Frame, Span

_BESIDE: Final = 40
"""Lines of which as many as fit are shown beside something else."""


class ChatOverlay:
    """The line being typed and what was said last, over any page."""

    def __init__(self, context: SessionContext) -> None:
        self._context: Final = context
        self.line: Final = ChatInput(context)
        """What keys are for while it is open."""
        self._rows: Final[LastValue[tuple[ChatRow, ...]]] = LastValue()
        self._shown = False
        """The last frame had all that was to be read, or room for it."""
        self._notice: Span = ("", "")
        """The last line that was shown as a notice, because there was no room."""

    @property
    def is_open(self) -> bool:
        """Keys are for the chat, not for the page."""
        return self.line.is_open

    # ---------------------------------------------------------------- the picture

    def over(
        self, frame: Frame, region: Region | None, size: Size, *, read: bool, marked: bool
    ) -> Frame:
        """``frame`` with the chat; ``read``: it shows all of it already, ``marked``: it may have a mark of
        what is unread.
        """
        context, self._shown = self._context, read or self.is_open
        context.book.want(context.preferences.chat)
        if self.is_open:
            frame = self.line.over(frame, () if read else self._said(), size)
        elif region is not None:
            lines = self._said()
            # What a few free rows cannot show whole is still to be read.
            self._shown = (
                not region.headless or fitting(lines, region, context.look) >= context.book.unread
            )
            if lines or (self._lobby_has_company and not region.headless):
                frame = with_panel(frame, lines, region, context.look)
        if self._shown:
            context.book.read()
        if marked and not self.is_open:
            frame = with_mark(frame, context.book.unread, size, context.look)
        return frame

    @property
    def repeats(self) -> bool:
        """Whether the last frame has a line as a notice, too: the first line of all makes room for itself."""
        return self._shown and bool(self._notice[1]) and self._context.notice is self._notice

    @property
    def _lobby_has_company(self) -> bool:
        """This is the lobby, and somebody else is here to talk to: that is worth an empty panel."""
        context = self._context
        return (
            context.table is None and context.lobby is not None and len(context.lobby.players) > 1
        )

    def _said(self) -> tuple[ChatRow, ...]:
        """What was said here, as much of it as any screen shows beside something else."""
        book, words, now = self._context.book, self._context.words, self._context.clock.time()

        def make() -> tuple[ChatRow, ...]:
            lines = [line for line in book.lines if book.concerns(line)][-_BESIDE:]
            return present_chat(lines, book, now, words)

        return self._rows.get((book.version, words, now // 60), make)

    # ---------------------------------------------------------------- hearing and saying

    def hear(self, lines: Sequence[ChatLine]) -> None:
        """These have come, and whatever else there is to know."""
        context, book = self._context, self._context.book
        book.want(context.preferences.chat)
        book.moved(context.table.info.id if context.table is not None else "")
        fresh = [line for line in book.hear(lines) if not line.old and book.concerns(line)]
        if not fresh:
            return
        if caller := book.calls(fresh):
            context.call(context.words.t("{name} speaks to you.", name=caller))
        if not self._shown:
            (row,) = present_chat(fresh[-1:], book, context.clock.time(), context.words)
            context.notify(f"{row.who}: {row.said}")
            self._notice = self._context.notice
