"""The help page: the rules in our own words, as this table plays them, and the keys of the pages."""

from typing import Final

from server.coordinator.messages import Status
from server.fullscreen.chat.overlay import ChatOverlay
from server.fullscreen.context import SessionContext
from server.fullscreen.key_overrides import ACTIONS
from server.fullscreen.lobby.page import LobbyPage
from server.fullscreen.menus.change_keys import TABLE_KEYS
from server.fullscreen.pages.from_table_actions import MEETING
from server.fullscreen.pages.help_text import Sections, TextPage, rows_of, rules
from server.fullscreen.pages.page import CHAT, CHAT_LOG
from server.fullscreen.standings.final_page import FinalPage
from server.fullscreen.waiting.page import WaitingPage
from server.i18n.lookup import _
from server.session.rules_text import Section

_CHAT: Final = (CHAT, *ChatOverlay.KEYS, CHAT_LOG)
_OF_THE_TABLE: Final = tuple(key for key in TABLE_KEYS if key not in _CHAT)
_MEETING: Final = tuple(
    dict.fromkeys(
        key
        for key in (
            *LobbyPage.KEYS,
            *WaitingPage.KEYS,
            *(each for each in _OF_THE_TABLE if each.section == MEETING),
            *FinalPage.KEYS,
        )
        if key not in _CHAT
    )
)
_REDRAW: Final = _("Ctrl-L\tredraw the screen")


class HelpPage(TextPage):
    """The rules as this table plays them, and the keys."""

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context, self._sections)
        table = context.table
        self._meeting = context.greeted if table is None else table.info.status is Status.OPEN
        """Asked for where people meet, not where they play."""

    def _sections(self) -> Sections:
        words, own, table = self.words, self.context.own_keys, self.context.table
        kept = [
            key
            for key in _OF_THE_TABLE
            if not (key.action in own and len(key.names[0]) == 1) and not key.section
        ]
        meeting = (words.t(MEETING), rows_of(_MEETING, words))
        sections: list[Section] = [
            *rules(table.info.options if table is not None else None, self.context.look),
            (words.t("Keys"), (*rows_of(kept, words), words.t(_REDRAW))),
            (words.t("Chat"), rows_of(_CHAT, words)),
        ]
        sections.insert(0 if self._meeting else len(sections), meeting)
        if own:
            what = {key.action: key.what for key in reversed(TABLE_KEYS)}
            mine = [f"{own[each]}\t{words.t(what[each])}" for each in ACTIONS if each in own]
            sections.append((words.t("Your own keys"), tuple(mine)))
        return sections
