"""The pages after a stage and after the game."""

from collections.abc import Sequence
from typing import Final

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import CHAT, CHAT_LOG, HELP, TO_LEAVE, Page
from server.fullscreen.pages.reading_page import SCROLL, ReadingPage
from server.fullscreen.results.hands_page import HandsPage
from server.fullscreen.results.view import final_lines, stage_screen
from server.fullscreen.table.log_page import LogPage
from server.fullscreen.widgets.chrome import page, paragraph
from server.i18n.catalogues import gettext_noop as _
from server.playback.reveal_player import RevealPlayer, SummaryScene
from server.session.lessons import lesson_in_words
from server.terminal.capabilities import Size
from server.terminal.frame import BLANK, Frame, Row
from server.terminal.key_table import Key
from server.viewmodels.results import FinalModel
from server.viewmodels.results_presenter import present_final, present_stage
from server.viewmodels.table_presenter import seat_names

CHAT_ROWS: Final = 2
"""Rows that the standings leave to what is said about the game."""


class StagePage(Page):
    """A stage has been scored; Space goes on."""

    __slots__ = ("_show",)

    CHATS = True
    KEYS = (
        CHAT,
        CHAT_LOG,
        Key(" ", does=lambda page: page.go_on(), footer=_("go on")),
        Key("l", does=lambda page: page.open_log(), footer=_("log")),
        TO_LEAVE,
    )

    def __init__(self, desk: SessionContext, show: RevealPlayer) -> None:
        super().__init__(desk)
        self._show = show

    @override
    def frame(self, size: Size) -> Frame:
        scene, table, look = self._show.scene, self._desk.table, self._desk.look
        assert isinstance(scene, SummaryScene)
        assert table is not None
        model = present_stage(
            self._show.played_by or table.info,
            scene.view,
            scene.result,
            look.words,
            scene.stage,
            scene.last,
        )
        desk = self._desk
        said = desk.said if desk.said[1] else ("strong", desk.lesson)
        return stage_screen(model, table.seat, said, self.footer(), size, look)

    def go_on(self) -> None:
        """It has been read."""
        self._show.skip()

    def open_log(self) -> None:
        """What happened in it."""
        self._desk.open(LogPage(self._desk))


class FinalPage(ReadingPage):
    """The game is over: standings, hands, the seed; another game?"""

    CHATS = True
    KEYS = (
        *ReadingPage.KEYS[1:-2],
        CHAT,
        CHAT_LOG,
        Key(
            "r",
            does=lambda page: page.again(),
            when=lambda page: page.plays,
            footer=_("another game"),
            shown=lambda page: page.plays and not page.learns,
        ),
        Key(
            "r",
            does=lambda page: page.again(),
            when=lambda page: page.plays and page.learns,
            footer=_("a whole game"),
        ),
        SCROLL,
        Key(
            "h",
            does=lambda page: page.open_hands(),
            footer=_("all hands"),
            help=_("h, g\twhen the game is over: all hands; games to see again, this one too"),
        ),
        HELP,
        Key("l", "L", does=lambda page: page.open_log(), footer=_("the last stage")),
        Key(
            "g",
            does=lambda page: page.menus.games(),
            when=lambda page: page.library,
            footer=_("replay"),
        ),
        Key("o", does=lambda page: page.menus.settings()),
        TO_LEAVE,
    )

    def _model(self) -> FinalModel:
        table = self._desk.table
        assert table is not None
        assert table.table is not None
        return present_final(table.info, table.table, self._desk.words)

    def lines(self, width: int) -> Sequence[Row]:
        """See ``ReadingPage``."""
        table = self._desk.table
        assert table is not None
        seat = table.seat
        if seat >= 0 and seat_names(table.info)[seat] != self._desk.player.name:
            seat = -1  # somebody else played there
        lines = final_lines(self._model(), seat, width, self._desk.look)
        said: list[Row] = []
        for lesson in self._desk.guide.unread:
            said += paragraph(lesson_in_words(lesson, self._desk.words), width, "strong")
        return [*said, BLANK, *lines] if said else lines

    @override
    def frame(self, size: Size) -> Frame:
        desk = self._desk
        lines = self.lines(size.columns)
        self.room = size.rows - 3 - (size.rows >= 20) - bool(desk.said[1])
        if desk.book.spoken:
            self.room -= CHAT_ROWS
        self.end = max(0, len(lines) - self.room)
        top = max(0, min(self._top, self.end))
        shown = lines[top : top + self.room]
        title = self._model().title
        return page(title, shown, self.footer(), desk.said, size, desk.look, share=1.0)

    @property
    def plays(self) -> bool:
        """Somebody who has played, not only watched."""
        table = self._desk.table
        return table is not None and table.seat >= 0

    @property
    def learns(self) -> bool:
        """It was a first game, after which there is a whole one."""
        return self._desk.learns

    @property
    def library(self) -> bool:
        """There are games to see again."""
        return self._desk.account.library is not None

    def again(self) -> None:
        """Another game."""
        self._desk.play_again()

    def open_hands(self) -> None:
        """What everybody had."""
        self._desk.open(HandsPage(self._desk))

    def open_log(self) -> None:
        """What happened in the last stage."""
        self._desk.open(LogPage(self._desk))
