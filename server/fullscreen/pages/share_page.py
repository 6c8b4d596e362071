"""The page with a text to copy for others."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.loaded_page import AGAIN, LoadedPage
from server.fullscreen.pages.page import BACK
from server.fullscreen.pages.reading_page import SCROLL, SCROLLING, TAB, ReadingPage
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.lookup import _
from server.session.sharing import Shared
from server.terminal.capabilities import Copying
from server.terminal.drawing.frame import BLANK, Row, row, wrap
from server.terminal.keys.key_table import KeyTable
from server.text.sharing import copied_in_words, copying_in_words


class SharePage(LoadedPage[Shared], ReadingPage):
    """What ``find`` finds (``session.sharing``), as lines to copy: nothing stands beside them."""

    TITLE = _("Share this game")
    KEYS = KeyTable["SharePage"](SCROLL, *SCROLLING, AGAIN)

    def __init__(
        self, context: SessionContext, find: Callable[..., Awaitable[Shared | None]]
    ) -> None:
        super().__init__(context)
        self._find: Final = find
        self.copied = False
        """They have been sent to the terminal."""

    @override
    async def load(self) -> Shared | None:
        return await self._find(unicode=self.context.abilities.unicode)

    @property
    def copies(self) -> bool:
        """There is something to copy, and a terminal that may be able to."""
        return self._found is not None and self.context.abilities.copies is not Copying.NEVER

    @KEYS.add("c", footer=_("copy"), shown=lambda page: page.copies and not page.copied)
    def copy(self) -> None:
        """Have the terminal put the lines on the clipboard."""
        if self._found is not None and self.copies:
            self.context.copy("\n".join(self._found.lines))
            self.copied = True

    KEYS.include(BACK, TAB)

    @override
    def lines(self, width: int) -> Sequence[Row]:
        words, told, copies = self.words, self._found, self.context.abilities.copies
        if told is None:
            return self.waiting_rows(width)
        lines = [row(("text", part)) for line in told.lines for part in wrap(line, width - 1)]
        if self.copied:
            said = copied_in_words(copies, words)
        elif self.copies:
            said = f"{words.t('c copies these lines.')} {copying_in_words(copies, words)}"
        else:
            said = copying_in_words(copies, words)
        style = "good" if self.copied else "text"
        return [
            *lines,
            BLANK,
            *paragraph(said, width, style, ""),
            *paragraph(told.note, width, "dim", ""),
            *paragraph(told.counts, width, "dim", ""),
        ]
