"""Opens the pages that many others lead to."""

from typing import Final

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


class MenuOpener(Menus):
    """Without a server some of it leads nowhere."""

    def __init__(self, desk: SessionContext, chat: ChatOverlay | None = None) -> None:
        """Without a server there is no ``chat``."""
        self._desk: Final = desk
        self._chat: Final = chat

    @override
    def help(self, *, meeting: bool = False, replay: TableOptions | None = None) -> None:
        self._desk.open(HelpPage(self._desk, meeting=meeting, replay=replay))

    @override
    def settings(self) -> None:
        self._desk.open(SettingsPage(self._desk))

    @override
    def keys(self) -> None:
        self._desk.open(KeysPage(self._desk))

    @override
    def account(self) -> None:
        self._desk.open(AccountPage(self._desk))

    @override
    def games(self) -> None:
        if library := self._desk.account.library:
            self._desk.open(GamesPage(self._desk, library))

    @override
    def leave(self) -> None:
        self._desk.open(LeavePage(self._desk))

    @override
    def operators(self) -> None:
        desk, office = self._desk, self._desk.account.office
        desk.open(OperatorsPage(desk, office) if office is not None else ReportPage(desk))

    @override
    def chat(self) -> None:
        if self._chat is not None:
            self._chat.line.open()

    @override
    def chat_log(self) -> None:
        self._desk.open(ChatPage(self._desk))
