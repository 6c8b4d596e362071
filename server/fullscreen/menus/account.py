"""The account page: how this player comes back, and how another device becomes the same player."""

from collections.abc import Sequence

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import menu
from server.fullscreen.pages.reading_page import ReadingPage, closed_by
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.catalogues import gettext_noop as _
from server.terminal.drawing.frame import BLANK, Row, row
from server.terminal.keys.key_table import Key, KeyTable
from server.text.account import account_in_words


class AccountPage(ReadingPage):
    """How this player comes back, and how another device becomes the same player."""

    KEYS = KeyTable["AccountPage"]()
    ACTION = "account"

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._link = ""

    @property
    def may_link(self) -> bool:
        """There is an account that another device could open, too."""
        return not self.context.player.guest

    @override
    def title(self) -> str:
        return self.words.t("You are {name}", name=self.context.player.name)

    @override
    def lines(self, width: int) -> Sequence[Row]:
        words, player = self.words, self.context.player
        ask = words.t(
            "To play as yourself on another device, with another key: press n for a code."
        )
        back = self.context.way_back
        lines: list[Row] = []
        for text in account_in_words(player.name, back, self._link, ask, words, guest=player.guest):
            lines += [BLANK] if lines else []
            if text.startswith(f"{player.name}+"):
                lines.append(row("      ", ("strong", text)))
            else:
                lines += paragraph(text, width)
        return lines

    @KEYS.add("n", when=lambda page: page.may_link)
    def new_code(self) -> None:
        self._link = self.context.account.link_code()

    KEYS.include(
        Key(
            "s",
            does=menu("statistics"),
            when=lambda page: bool(page.context.account.library),
            footer=_("statistics"),
        ),
        *ReadingPage.KEYS,
        closed_by("a"),
    )
