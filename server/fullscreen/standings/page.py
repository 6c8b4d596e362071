"""The pages after a stage and after the game."""

from collections.abc import Sequence
from contextlib import suppress

from typing_extensions import override

from engine.views import TableView
from server.coordinator.events.days import is_day
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import CHAT, CHAT_LOG, HELP, TO_LEAVE, TOURNAMENTS, Page, menu
from server.fullscreen.pages.reading_page import SCROLL, ReadingPage, closed_by
from server.fullscreen.standings.stage import stage_screen
from server.fullscreen.standings.view import final_lines
from server.fullscreen.table.next_round import next_round_said
from server.fullscreen.table.overlay_pages import LogPage
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.catalogues import gettext_noop as _
from server.playback.reveal_player import SummaryScene
from server.session.account import GameLibrary, day_played
from server.session.tutorial import lesson_in_words
from server.storage.store import StoreError
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, row, wrap
from server.terminal.keys.key_table import Key, KeyTable
from server.text.highlights import shared_own, shared_text
from server.text.today import place_in_words
from server.viewmodels.standings import code_of, hands_in_words, title_of
from server.viewmodels.table import seat_names


class StagePage(Page):
    """A stage has been scored; Space goes on."""

    CHATS = True
    LARGEST = Size(164, 30)
    KEYS = KeyTable["StagePage"](
        CHAT,
        CHAT_LOG,
        Key(" ", does=lambda page: page.context.reveal.skip(), footer=_("go on")),
        Key("L", "tab", does=lambda page: page.show_page(LogPage), footer=_("log")),
        TO_LEAVE,
    )

    @override
    def frame(self, size: Size) -> Frame:
        context, table = self.context, self.table
        scene = context.reveal.scene
        assert isinstance(scene, SummaryScene)
        info = context.reveal.played_by or table.info
        said = context.said if context.said[1] else ("strong", context.lesson)
        if not said[1] and not scene.last:
            said = next_round_said(table, context.clock.time(), context.look)
        return stage_screen(info, scene, table.seat, said, self.footer(), size, context.look)


class HandsPage(ReadingPage):
    """All hands of a finished game."""

    TITLE = _("All hands of this game")
    KEYS = KeyTable["HandsPage"](*ReadingPage.KEYS, closed_by("h"))

    @override
    def lines(self, width: int) -> Sequence[Row]:
        table = self.context.table
        rows: list[Row] = []
        for line in hands_in_words(table.info, self.context.words) if table is not None else ():
            rows += [*paragraph(line, width), BLANK]
        return rows[:-1]


class SharePage(ReadingPage):
    """A game that is over as a text to copy: nothing stands beside it."""

    TITLE = _("To share")
    KEYS = KeyTable["SharePage"](*ReadingPage.KEYS, closed_by("s"))

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._place = ""

    @override
    def opened(self) -> None:
        library = self.context.account.library
        if library is not None and is_day(self.table.info.event):
            self.spawn(self._find_place(library))

    async def _find_place(self, library: GameLibrary) -> None:
        with suppress(StoreError):  # the rest can be told without it
            found = await day_played(library, self.table.info.event)
            self._place = place_in_words(found, self.context.player.id, self.words)
            self.context.changed()

    @override
    def lines(self, width: int) -> Sequence[Row]:
        context, table, words = self.context, self.context.table, self.context.words
        if table is None or table.table is None:
            return []
        unicode, way_in, info = context.abilities.unicode, context.facts().way_in, table.info
        if info.event:
            own = shared_own(
                *(table.table, table.seat, info.event, info.title, words),
                place=self._place,
                way_in=way_in,
            )
            told = [own]
        else:
            names = seat_names(info)
            told = shared_text(table.table, names, words, unicode=unicode, way_in=way_in)
        lines = [row(("text", part)) for line in told for part in wrap(line, width - 1)]
        more = words.t(
            "Copy these lines. With its record, tide replay --svg makes a picture of them."
        )
        return [*lines, BLANK, *paragraph(more, width, "dim", "")]


class FinalPage(ReadingPage):
    """The game is over: standings, hands, the seed; another game?"""

    CHATS = SAYS = True
    SHARE = 1.0
    LARGEST = None
    CHAT_ROWS = 2
    KEYS = KeyTable["FinalPage"](
        *ReadingPage.KEYS[1:-2],
        CHAT,
        CHAT_LOG,
        Key(
            "r",
            does=lambda page: page.context.play_again(),
            when=lambda page: page.plays and not page.table.info.event,
            footer=_("another game"),
            shown=lambda page: page.plays and not page.context.learns and not page.table.info.event,
        ),
        Key(
            "r",
            does=lambda page: page.context.play_again(),
            when=lambda page: page.plays and page.context.learns,
            footer=_("a whole game"),
        ),
        TOURNAMENTS,
        SCROLL,
        Key(
            "h",
            does=lambda page: page.show_page(HandsPage),
            footer=_("all hands"),
            help=_("h, g\twhen the game is over: all hands; this game again, from its beginning"),
        ),
        Key(
            "g",
            does=menu("this_game"),
            when=lambda page: bool(page.context.account.library),
            footer=_("replay"),
        ),
        Key(
            "s",
            does=lambda page: page.show_page(SharePage),
            when=lambda page: bool(page.view.winners),
            footer=_("share"),
            help=_("s\twhen the game is over: a text about it, to copy for others"),
        ),
        Key(
            "d",
            does=lambda page: page.context.play_deal(code_of(page.table.info)),
            when=lambda page: bool(page.table.info.seed),
            footer=_("same deal"),
            help=_("d\twhen the game is over, or in a replay: the same deal again, against bots"),
        ),
        Key(
            "v",
            does=menu("review"),
            when=lambda page: page.plays and bool(page.context.account.library),
            footer=_("review"),
            help=_("v\twhen the game is over: your bids beside those of the strongest bot"),
        ),
        HELP,
        Key("L", "tab", does=lambda page: page.show_page(LogPage), footer=_("log")),
        Key("o", does=menu("settings")),
        TO_LEAVE,
    )

    @property
    def view(self) -> TableView:
        assert self.table.table is not None
        return self.table.table

    @override
    def title(self) -> str:
        return title_of(self.view, self.context.words)

    @override
    def lines_on(self, size: Size) -> Sequence[Row]:
        info, seat = self.table.info, self.table.seat
        if seat >= 0 and seat_names(info)[seat] != self.context.player.name:
            seat = -1  # somebody else played there
        lines = final_lines(info, self.view, seat, size, self.context.look)
        said: list[Row] = []
        for lesson in self.context.guide.unread:
            text = lesson_in_words(lesson, self.context.words)
            said += paragraph(text, size.columns, "strong")
        return [*said, BLANK, *lines] if said else lines

    @override
    def room_on(self, size: Size) -> int:
        room = super().room_on(size)
        return room - self.CHAT_ROWS if self.context.book.spoken else room

    @property
    def plays(self) -> bool:
        """Somebody who has played, not only watched."""
        return self.table.seat >= 0
