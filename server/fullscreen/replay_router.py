"""A replay without a server behind it."""

from typing import Final

from server.coordinator.messages import Player
from server.coordinator.time_source import Clock
from server.fullscreen.context import SessionContext
from server.fullscreen.page_map import MENUS
from server.fullscreen.pages.page import PageScreen
from server.fullscreen.replay.page import ReplayPage
from server.playback.replayed_game import ReplayedGame
from server.session.client import Visitor
from server.terminal.capabilities import Capabilities


class ReplayRouter(PageScreen):
    """Shows one game until the viewer has seen enough."""

    def __init__(self, game: ReplayedGame, clock: Clock, abilities: Capabilities) -> None:
        who = Visitor(Player("", "", True), clock, abilities)
        super().__init__(SessionContext(who, self.changed))
        self.context.menus = {**MENUS, "leave": self._leave}
        self.replay: Final = ReplayPage(self.context, game, self.context.leave)
        self.context.open(self.replay)
        self.hung_up = False
        """The viewer has left with Ctrl-C, and wants nothing more."""

    def _leave(self, _context: SessionContext) -> None:
        """There is nothing to leave but what is seen."""
        page = self.page
        if page.entry is None:
            self.hung_up = page is self.replay
            page.go_back()
        page.entry = None
