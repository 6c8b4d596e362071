"""Opens the pages that many others lead to."""

from dataclasses import dataclass

from typing_extensions import override

from server.coordinator.messages import TableOptions
from server.fullscreen.chat.overlay import ChatOverlay
from server.fullscreen.chat.page import ChatPage
from server.fullscreen.context import Menus, SessionContext
from server.fullscreen.history.pages import GamesPage
from server.fullscreen.menus.account import AccountPage
from server.fullscreen.menus.help import HelpPage
from server.fullscreen.menus.keys import KeysPage
from server.fullscreen.menus.leave import LeavePage
from server.fullscreen.menus.settings import SettingsPage
from server.fullscreen.operators.page import OperatorsPage
from server.fullscreen.operators.report_page import ReportPage


@dataclass
class MenuOpener(Menus):
    """Without a server some of it leads nowhere."""

    desk: SessionContext
    overlay: ChatOverlay | None = None
    """The chat; there is none without a server."""

    @override
    def help(self, *, meeting: bool = False, replay: TableOptions | None = None) -> None:
        self.desk.open(HelpPage(self.desk, meeting=meeting, replay=replay))

    @override
    def settings(self) -> None:
        self.desk.open(SettingsPage(self.desk))

    @override
    def keys(self) -> None:
        self.desk.open(KeysPage(self.desk))

    @override
    def account(self) -> None:
        self.desk.open(AccountPage(self.desk))

    @override
    def games(self) -> None:
        if library := self.desk.account.library:
            self.desk.open(GamesPage(self.desk, library))

    @override
    def leave(self) -> None:
        self.desk.open(LeavePage(self.desk))

    @override
    def operators(self) -> None:
        desk, office = self.desk, self.desk.account.office
        desk.open(OperatorsPage(desk, office) if office is not None else ReportPage(desk))

    @override
    def chat(self) -> None:
        if self.overlay is not None:
            self.overlay.line.open()

    @override
    def chat_log(self) -> None:
        self.desk.open(ChatPage(self.desk))
