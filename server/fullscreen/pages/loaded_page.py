"""Pages whose content has to be read first."""

from collections.abc import Sequence
from typing import Any, Final, Generic, TypeVar

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import BACK, Page
from server.fullscreen.pages.reading_page import SCROLL, SCROLLING, TAB, ReadingPage
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.lookup import _
from server.terminal.drawing.frame import Row
from server.terminal.keys.key_table import Key, KeyTable

T = TypeVar("T")

AGAIN: Final["Key[LoadedPage[Any]]"] = Key(
    "enter",
    does=lambda page: page.opened(),
    when=lambda page: bool(page.unread),
    footer=_("try again"),
)
"""Comes after what else Enter does on a ``LoadedPage``."""


class LoadedPage(Page, Generic[T]):
    """``opened`` begins to read what it shows; until that is there, it shows ``waiting_rows``."""

    unread = ""
    """Why it could not be read; empty while nothing has gone wrong."""
    _reading: object = None

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._found: T | None = None

    @override
    def opened(self) -> None:
        """In place of whatever was to be read before."""
        reading = self._reading = object()
        self.unread = ""

        async def read() -> None:
            found = await self.load()
            if self._reading is reading:
                self._found = found

        def failed(why: str) -> None:
            if self._reading is reading:
                self.unread = why

        self.fetch(read(), failed)

    async def load(self) -> T | None:
        """What there is to read. Raises ``StoreError``."""
        raise NotImplementedError

    def waiting_rows(self, width: int) -> list[Row]:
        """That it is being read, or why it could not be."""
        return paragraph(self.unread or self.words.t("One moment..."), width, "dim")


class Fetched(LoadedPage[T], ReadingPage):
    """What there is to read has to be asked for."""

    KEYS = KeyTable[Any](SCROLL, *SCROLLING, AGAIN, BACK, TAB)

    def told(self, found: T, width: int) -> list[Row]:
        """What there is to read of it."""
        raise NotImplementedError

    @override
    def lines(self, width: int) -> Sequence[Row]:
        if self._found is not None:
            return self.told(self._found, width)
        return self.waiting_rows(width)
