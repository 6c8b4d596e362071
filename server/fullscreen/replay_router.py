"""A replay by itself, without a server behind it."""

from typing import Final

from typing_extensions import override

from server.coordinator.clock import Clock
from server.coordinator.messages import Player
from server.fullscreen.context import SessionContext
from server.fullscreen.menus.opener import MENUS
from server.fullscreen.pages.page import Page, PageScreen
from server.fullscreen.replay.page import ReplayPage
from server.playback.recorded_game import RecordedGame
from server.terminal.capabilities import Capabilities, Size
from server.terminal.drawing.frame import Frame


class ReplayRouter(PageScreen):
    """Shows one game until the viewer has seen enough."""

    def __init__(self, game: RecordedGame, clock: Clock, abilities: Capabilities) -> None:
        super().__init__(SessionContext(Player("", "", True), clock, abilities, self.changed))
        self.context.menus = {**MENUS, "leave": self._leave}
        self.page: Final = ReplayPage(self.context, game, self.context.leave)
        self.context.open(self.page)

    @property
    @override
    def focus(self) -> Page:
        top = self.context.overlays[-1]
        assert isinstance(top, Page)
        return top

    @override
    def picture(self, size: Size) -> Frame:
        return self.focus.frame(size)

    def _leave(self, _context: SessionContext) -> None:
        """There is nothing to leave but what is seen."""
        page = self.focus
        if page.entry is None:
            page.go_back()
        page.entry = None
