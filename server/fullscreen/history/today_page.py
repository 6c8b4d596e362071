"""Today's tide: what it is, the way into it, who made most; and yesterday's, with every game to see again."""

from typing import Final

from typing_extensions import override

from server.coordinator.events.days import DayPage
from server.coordinator.messages import PlayToday
from server.fullscreen.context import SessionContext
from server.fullscreen.history.pages import open_game
from server.fullscreen.pages.loaded_page import AGAIN, LoadedPage, fetch
from server.fullscreen.pages.page import BACK, DOWN, UP, ListPage
from server.fullscreen.pages.reading_page import closed_by
from server.fullscreen.replay.page import ReplayPage
from server.fullscreen.standings.finished_game_pages import SharePage
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.catalogues import gettext_noop as _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, Span
from server.terminal.keys.key_table import Key, KeyTable
from server.text.times import day_in_words
from server.text.today import day_lines, no_tries, try_in_words


class TodayPage(LoadedPage, ListPage):
    """A day, today or the one before, and its table."""

    KEYS = KeyTable["TodayPage"](UP, DOWN)

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        assert context.account.library is not None
        self._library: Final = context.account.library
        self.before = 0
        """Which day: so many days ago."""
        self._found: DayPage | None = None
        self._loaded = False

    @override
    def opened(self) -> None:
        self._load()

    @property
    def playable(self) -> bool:
        """Whether this player can begin, or go on."""
        return self._found is not None and self._found.playable

    @property
    def replayable(self) -> bool:
        """Whether the game that is chosen can be seen again: before the day is over only one's own."""
        if self._found is None or not self._found.tries:
            return False
        own = self._found.tries[self._chosen].player == self.context.player.id
        return self._found.closed or own

    @property
    def shareable(self) -> bool:
        """Whether this player has made something of the day."""
        found = self._found
        return found is not None and found.own_try(self.context.player.id) is not None

    @property
    @override
    def count(self) -> int:
        return len(self._found.tries) if self._found else 0

    @override
    def frame(self, size: Size) -> Frame:
        words, width, found = self.words, size.columns, self._found
        title = words.t("Yesterday's tide") if self.before else words.t("Today's tide")
        if not self._loaded:
            return self.framed(title, self.waiting_rows(width), size)
        if found is None:
            text = words.t("Today's tide is not played on this server.")
            if self.before:
                text = words.t("There was none.")
            return self.framed(title, paragraph(text, width), size)
        body: list[Row] = []
        for line in day_lines(found, self.context.clock.time(), words):
            body += paragraph(line, width)
        body.append(BLANK)
        if not found.tries:
            body += paragraph(no_tries(found, words), width, "dim")
        tries, me = found.tries, self.context.player.name

        def told(number: int) -> Span:
            style = "strong" if tries[number].name == me else "text"
            return (style, try_in_words(tries[number], words))

        body += self.listed(told, size, 4 + len(body))
        return self.framed(title, body, size, aside=day_in_words(found.day, words))

    @KEYS.add("enter", footer=_("play"), when=lambda page: page.playable)
    def play(self) -> None:
        """Begin, or go on."""
        self.context.do(PlayToday(), lambda: self.context.close(self))

    @KEYS.add("enter", footer=_("replay"), when=lambda page: page.replayable)
    def replay(self) -> None:
        """Show the game that is chosen."""
        if self._found is not None and self.replayable:
            number = self._found.tries[self._chosen].game
            load = open_game(self.context, number, lambda game: ReplayPage(self.context, game))
            fetch(self, load)

    @KEYS.add(*("tab", "y"), footer=_("yesterday"), shown=lambda page: not page.before)
    def turn(self) -> None:
        """To the day before, or back."""
        self.before = 1 - self.before
        self._found, self._chosen, self._loaded = None, 0, False
        self._load()

    @KEYS.add("s", footer=_("share"), when=lambda page: page.shareable)
    def share(self) -> None:
        """Show what there is to tell others."""
        self.context.open(SharePage(self.context, self._found))

    KEYS.include(
        Key(
            "tab",
            does=lambda page: page.turn(),
            footer=_("today"),
            shown=lambda page: page.before > 0,
        ),
        AGAIN,
        BACK,
        closed_by("d"),
    )

    def _load(self) -> None:
        before = self.before

        async def load() -> None:
            found = await self._library.day(before)
            if before == self.before:
                self._found, self._loaded = found, True

        self.read(load())
