"""The page that is shown where somebody is, and pages that many others lead to; replays alone."""

from collections.abc import Callable, Mapping
from typing import Final

from server.coordinator.messages import Player, Status
from server.fullscreen.context import Menu, SessionContext
from server.fullscreen.history.pages import (
    GamesPage,
    StatisticsPage,
    replay_this_game,
    review_newest,
)
from server.fullscreen.history.today_page import TodayPage
from server.fullscreen.lobby.big_screen import JoinPage, StandingsPage
from server.fullscreen.lobby.page import LobbyPage
from server.fullscreen.lobby.waiting_page import WaitingPage
from server.fullscreen.menus.help import HelpPage, PuzzlePage
from server.fullscreen.menus.player import AccountPage, CorrespondencePage, LeavePage, SettingsPage
from server.fullscreen.menus.title import TitlePage
from server.fullscreen.operators import OperatorsPage, ReportPage
from server.fullscreen.pages.page import Page, PageScreen
from server.fullscreen.pages.reading import PlainPage
from server.fullscreen.replay.page import ReplayPage
from server.fullscreen.standings.pages import FinalPage, StagePage
from server.fullscreen.table.page import TablePage
from server.fullscreen.tournaments.list_page import TournamentsPage
from server.playback import ReplayedGame, SummaryScene
from server.session.client import Visitor
from server.terminal.capabilities import Capabilities
from server.timers import Clock


def page_of_place(context: SessionContext) -> type[Page]:
    """Return the page of where the player is, or what stands in for one that cannot be drawn."""
    table, scene = context.table, context.reveal.scene
    page: type[Page] = TablePage
    if table is None:
        page = LobbyPage if context.greeted else TitlePage
        if context.standings is not None:
            page = StandingsPage if context.standings else JoinPage
    elif isinstance(scene, SummaryScene):
        page = StagePage
    elif table.info.status is Status.OPEN or table.table is None:
        page = WaitingPage
    elif table.info.status is Status.OVER and scene is None:
        page = FinalPage
    return PlainPage if page in context.broken else page


def _opens(page: Callable[[SessionContext], Page]) -> Callable[[SessionContext], None]:
    return lambda context: context.open(page(context))


def _operators(context: SessionContext) -> Page:
    """For an operator what they can do; for everybody else the way to tell them about somebody."""
    actions = context.account.operator_actions
    return ReportPage(context) if actions is None else OperatorsPage(context, actions)


MENUS: Final[Mapping[Menu, Callable[[SessionContext], None]]] = {
    "account": _opens(AccountPage),
    "correspondence": _opens(CorrespondencePage),
    "games": _opens(GamesPage),
    "help": _opens(HelpPage),
    "leave": _opens(LeavePage),
    "operators": _opens(_operators),
    "puzzles": _opens(PuzzlePage),
    "review": review_newest,
    "settings": _opens(SettingsPage),
    "statistics": _opens(StatisticsPage),
    "tournaments": _opens(TournamentsPage),
    "this_game": replay_this_game,
    "today": _opens(TodayPage),
}
"""Opens the pages that many others lead to."""


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
