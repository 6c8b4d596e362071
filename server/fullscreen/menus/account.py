"""The account page: how this player comes back, and how another device becomes the same player."""

from collections.abc import Sequence
from functools import partial

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import STATISTICS
from server.fullscreen.pages.reading_page import ReadingPage
from server.fullscreen.widgets.boxes import Pane
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Row, row
from server.terminal.keys.key_table import KeyTable
from server.text.account import account_in_words


class AccountPage(ReadingPage):
    """How this player comes back, and how another device becomes the same player."""

    KEYS = KeyTable["AccountPage"]()
    HEADING = _("your account")

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._link = ""

    @override
    def title(self) -> str:
        return self.words.t("You are {name}", name=self.context.player.name)

    @override
    def lines(self, width: int) -> Sequence[Row]:
        return self._drawn(self._told()[0], width)

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        words, others = self.words, self._told()[1]
        title = words.t("with a key") if self.context.player.guest else words.t("another device")
        return (Pane(title, partial(self._drawn, others)),) if others else ()

    def _told(self) -> tuple[Sequence[str], Sequence[str]]:
        """What there is to say of this device and of others, or for a guest, of keys."""
        words, player = self.words, self.context.player
        ask = words.t(
            "To play as yourself on another device, with another key: press n for a code."
        )
        back = self.context.way_back
        told = account_in_words(player.name, back, self._link, ask, words, guest=player.guest)
        own = len(told) - 1 if player.guest or not self._link else 1
        return told[: max(1, own)], told[max(1, own) :]

    def _drawn(self, told: Sequence[str], width: int) -> list[Row]:
        lines: list[Row] = []
        for text in told:
            lines += [BLANK] if lines else []
            if text.startswith(f"{self.context.player.name}+"):
                lines.append(row("      ", ("strong", text)))
            else:
                lines += paragraph(text, width)
        return lines

    @KEYS.add("n", when=lambda page: not page.context.player.guest)
    def new_code(self) -> None:
        self.spawn(self._ask_for_code())

    async def _ask_for_code(self) -> None:
        self._link = await self.context.account.link_code()

    KEYS.include(STATISTICS, *ReadingPage.KEYS)
