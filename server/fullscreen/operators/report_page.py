"""The page on which everybody tells the operators about somebody."""

from collections.abc import Sequence

from typing_extensions import override

from server.fullscreen.context import SessionContext
from server.fullscreen.operators.view import ListedPage
from server.fullscreen.pages.page import BACK, ListPage
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame
from server.terminal.keys.key_table import Key, KeyTable
from server.text.server_messages import report_in_words


class ReportPage(ListedPage[str]):
    """A report about somebody, written line by line."""

    KEYS = KeyTable["ReportPage"]()

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._about = ""

    @override
    def frame(self, size: Size) -> Frame:
        words = self.words
        title = words.t("Report somebody to the operators")
        told = words.t(
            "Operators of this server read what you write, with your name and the table. Nobody "
            "else does. Their answer reaches you here, or on your next visit."
        )
        return self.listed(title, (), self.items(), told, size)

    @override
    def items(self) -> Sequence[str]:
        return (*self.context.people_here, self.words.t("somebody else"))

    @KEYS.add("enter", typing=True, footer=_("send"))
    def send(self) -> None:
        """It has been typed; the line stays until it has been taken."""
        context = self.context
        about, text = self._about, self.entry.text.strip() if self.entry is not None else ""
        if not about:
            about, _gap, text = text.partition(" ")

        async def work() -> None:
            code = await context.account.report(about, text)
            said = report_in_words(code, about, context.words)
            done = code in ("ok", "cut")
            context.say("notice" if done else "error", said)
            if done:
                context.close(self)
            context.changed()

        context.spawn(work())

    KEYS.include(
        Key("escape", does=lambda page: page.stop_typing(), typing=True, footer=_("back")),
        *ListPage.KEYS,
    )

    @KEYS.add("enter", footer=_("choose"))
    def choose(self) -> None:
        names, words = self.context.people_here, self.words
        self._about = names[self.at] if self.at < len(names) else ""
        label = words.t("The name, and what has happened:")
        if self._about:
            label = words.t("What has {name} done?", name=self._about)
        self.ask(label, lambda _text: None)

    KEYS.include(BACK)
