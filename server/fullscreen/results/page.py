"""The pages after a stage and after the game."""

from collections.abc import Sequence
from typing import Final

from prompt_toolkit.buffer import Buffer

from server.fullscreen.context import SessionContext
from server.fullscreen.history.pages import GamesPage
from server.fullscreen.menus.help import HelpPage
from server.fullscreen.menus.leave import LeavePage
from server.fullscreen.menus.settings import SettingsPage
from server.fullscreen.pages.reading_page import ReadingPage
from server.fullscreen.results.hands_page import HandsPage
from server.fullscreen.results.view import final_lines, stage_screen
from server.fullscreen.table.log_page import LogPage
from server.fullscreen.widgets.chrome import page, paragraph
from server.playback.reveal_player import RevealPlayer, SummaryScene
from server.session.lessons import lesson_in_words
from server.terminal.capabilities import Size
from server.terminal.frame import BLANK, Frame, Row
from server.viewmodels.results import FinalModel
from server.viewmodels.results_presenter import present_final, present_stage
from server.viewmodels.table_presenter import seat_names

CHAT_ROWS: Final = 2
"""Rows that the standings leave to what is said about the game."""


class StagePage:
    """A stage has been scored; Space goes on."""

    __slots__ = ("_desk", "_show")

    entry: Buffer | None = None

    def __init__(self, desk: SessionContext, show: RevealPlayer) -> None:
        self._desk = desk
        self._show = show

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
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
        return stage_screen(model, table.seat, said, size, look)

    def key(self, name: str) -> None:
        """See ``Page``."""
        if name == "l":
            self._desk.open(LogPage(self._desk))
        elif name in ("escape", "q"):
            self._desk.open(LeavePage(self._desk))
        elif name == " ":
            self._show.skip()

    def text(self, text: str) -> None:
        """See ``Page``."""


class FinalPage(ReadingPage):
    """The game is over: standings, hands, the seed; another game?"""

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

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        desk, words, table = self._desk, self._desk.words, self._desk.table
        assert table is not None
        lines = self.lines(size.columns)
        self._room = size.rows - 3 - (size.rows >= 20) - bool(desk.said[1])
        if desk.book.spoken:
            self._room -= CHAT_ROWS
        self._end = max(0, len(lines) - self._room)
        top = max(0, min(self._top, self._end))
        keys: list[tuple[str, str]] = []
        if table.seat >= 0:
            label = words.t("a whole game") if desk.learns else words.t("another game")
            keys.append(("r", label))
        if self._end:
            keys.append((words.t("Up Down"), words.t("scroll")))
        keys += [
            ("h", words.t("all hands")),
            ("?", words.t("help")),
            ("l", words.t("the last stage")),
        ]
        if desk.account.library is not None:
            keys.append(("g", words.t("replay")))
        keys.append(("Esc", words.t("leave")))
        shown = lines[top : top + self._room]
        title = self._model().title
        return page(title, shown, tuple(keys), desk.said, size, desk.look, share=1.0)

    def key(self, name: str) -> None:
        """See ``Page``."""
        desk, table = self._desk, self._desk.table
        match name:
            case "r" if table is not None and table.seat >= 0:
                desk.play_again()
            case "l" | "L":
                desk.open(LogPage(desk))
            case "h":
                desk.open(HandsPage(desk))
            case "g" if desk.account.library:
                desk.open(GamesPage(desk, desk.account.library))
            case "?" | "f1":
                desk.open(HelpPage(desk))
            case "o":
                desk.open(SettingsPage(desk))
            case "escape" | "q":
                desk.open(LeavePage(desk))
            case _:
                super().key(name)
