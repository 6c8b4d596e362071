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

    context: SessionContext
    overlay: ChatOverlay | None = None
    """The chat; there is none without a server."""

    @override
    def help(self, *, meeting: bool = False, replay: TableOptions | None = None) -> None:
        self.context.open(HelpPage(self.context, meeting=meeting, replay=replay))

    @override
    def settings(self) -> None:
        self.context.open(SettingsPage(self.context))

    @override
    def keys(self) -> None:
        self.context.open(KeysPage(self.context))

    @override
    def account(self) -> None:
        self.context.open(AccountPage(self.context))

    @override
    def games(self) -> None:
        if library := self.context.account.library:
            self.context.open(GamesPage(self.context, library))

    @override
    def leave(self) -> None:
        self.context.open(LeavePage(self.context))

    @override
    def operators(self) -> None:
        context, operator_actions = self.context, self.context.account.operator_actions
        context.open(
            OperatorsPage(context, operator_actions)
            if operator_actions is not None
            else ReportPage(context)
        )

    @override
    def chat(self) -> None:
        if self.overlay is not None:
            self.overlay.line.open()

    @override
    def chat_log(self) -> None:
        self.context.open(ChatPage(self.context))
