"""Opens the pages that many others lead to."""

from collections.abc import Callable, Mapping
from typing import Final

from server.fullscreen.chat.overlay import ChatPage
from server.fullscreen.context import Menu, SessionContext
from server.fullscreen.history.pages import GamesPage
from server.fullscreen.menus.account import AccountPage
from server.fullscreen.menus.help import HelpPage
from server.fullscreen.menus.leave import LeavePage
from server.fullscreen.menus.settings import SettingsPage
from server.fullscreen.operators.page import OperatorsPage
from server.fullscreen.operators.report_page import ReportPage
from server.fullscreen.pages.page import Page


def _opens(page: Callable[[SessionContext], Page]) -> Callable[[SessionContext], None]:
    return lambda context: context.open(page(context))


def _operators(context: SessionContext) -> Page:
    """For an operator what they can do; for everybody else the way to tell them about somebody."""
    operator_actions = context.account.operator_actions
    if operator_actions is None:
        return ReportPage(context)
    return OperatorsPage(context, operator_actions)


MENUS: Final[Mapping[Menu, Callable[[SessionContext], None]]] = {
    "account": _opens(AccountPage),
    "chat_log": _opens(ChatPage),
    "games": _opens(GamesPage),
    "help": _opens(HelpPage),
    "leave": _opens(LeavePage),
    "operators": _opens(_operators),
    "settings": _opens(SettingsPage),
}
