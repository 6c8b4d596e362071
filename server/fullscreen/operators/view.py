"""The lists of operators, and the page on which everybody tells them about somebody."""

from collections.abc import Sequence
from functools import partial

from typing_extensions import override

from server.coordinator.messages.operator_orders import PersonRow, Row, TableFacts, TournamentFacts
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.lists import ListPage
from server.fullscreen.pages.page import BACK, STOP_TYPING
from server.fullscreen.widgets.boxes import Pane
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.lookup import Words, _
from server.storage.moderation import AuditRow, BanRow, MuteRow, ReportRow
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Row as FrameRow
from server.terminal.drawing.frame import Span, fit, row, text_width
from server.terminal.keys.key_table import Key, KeyTable
from server.text.happenings import report_in_words
from server.text.operator_orders import outcome_in_words, place_in_words, row_in_words
from server.text.times import moment_in_words, span_in_words


def tab_row(names: Sequence[str], chosen: int, width: int) -> FrameRow:
    """What lists there are, or where there is no room, which one this is."""
    texts = [f"[{name}]" if at == chosen else f" {name} " for at, name in enumerate(names)]
    if 2 + sum(map(text_width, texts)) > width:
        here = f"[{names[chosen]}]"
        return row("  ", ("strong", here), ("dim", f"  {chosen + 1}/{len(names)}"))
    styles = ["strong" if at == chosen else "dim" for at in range(len(texts))]
    return row(" ", *zip(styles, texts, strict=True))


def subject_of(row: Row | None) -> str:
    """What orders call what a row is about."""
    match row:
        case None:
            return ""
        case PersonRow() | MuteRow():
            return row.name
        case TableFacts():
            return row.code or row.title
        case TournamentFacts():
            return row.code
        case _:
            return str(row.id)


def title_of(row: Row, words: Words) -> str:
    """What the menu of what can be done with a row is called."""
    match row:
        case TableFacts():
            return words.t("Table {title}", title=row.title)
        case ReportRow():
            return words.t("Report {number}", number=row.id)
        case BanRow():
            return words.t("Ban {number}", number=row.id)
        case AuditRow():
            return f"{row.action} {row.about}".strip()
        case _:
            return subject_of(row)


def short_row(row: Row, width: int, words: Words) -> str:
    """One row in one line, most important first."""
    match row:
        case PersonRow():
            since = span_in_words(row.seconds, words)
            place = place_in_words(row, words)
            if width < 60:
                return f"{fit(row.name, 13)}{row.address}"
            return f"{fit(row.name, 13)}{fit(place, 22)} {fit(row.address, 24)} {since}"
        case AuditRow():
            when = moment_in_words(row.made, words).removesuffix(" UTC")
            what = f"{row.action} {row.about}".strip()
            ended = "" if row.outcome == "ok" else f": {outcome_in_words(row.outcome, words)}"
            if width < 60:
                return f"{row.name or row.who} {what}{ended}"
            return f"{when}  {fit(row.name or row.who, 13)}{what}{ended}"
        case TableFacts() | TournamentFacts() | ReportRow() | BanRow() | MuteRow():
            return row_in_words(row, words)


class ReportPage(ListPage[str]):
    """A report about somebody, written line by line."""

    TITLE = _("Report somebody to the operators")
    TYPED = (
        Key("enter", does=lambda page: page.send(), typing=True, footer=_("send")),
        STOP_TYPING,
    )
    KEYS = KeyTable["ReportPage"](*ListPage.KEYS)

    def __init__(self, context: SessionContext) -> None:
        super().__init__(context)
        self._about = ""

    @override
    def items(self) -> Sequence[str]:
        return (*self.context.people_here, self.words.t("somebody else"))

    @override
    def line(self, item: str, width: int) -> Span:
        return ("text", item)

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        told = self.words.t(
            "Operators of this server read what you write, with your name and the table. Nobody "
            "else does. Their answer reaches you here, or on your next visit."
        )
        return (Pane(self.words.t("Operators"), partial(paragraph, told), least=2),)

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

    @KEYS.add("enter", footer=_("choose"))
    def choose(self) -> None:
        names, words = self.context.people_here, self.words
        self._about = names[self.at] if self.at < len(names) else ""
        label = words.t("The name, and what has happened:")
        if self._about:
            label = words.t("What has {name} done?", name=self._about)
        self.ask(label, lambda _text: None)

    KEYS.include(BACK)
