"""The lists of operators, and the page on which everybody tells them about somebody."""

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from server.coordinator.messages.operator_orders import PersonRow, Row, TableFacts, TournamentFacts
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.page import BACK, ListPage, PromptPage, T
from server.fullscreen.widgets.chrome import menu_row, paragraph, window
from server.fullscreen.widgets.drawing import shorten, wrap_to
from server.i18n.lookup import Words, _
from server.storage.moderation import AuditRow, BanRow, MuteRow, ReportRow
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, fit, row, text_width
from server.terminal.drawing.frame import Row as FrameRow
from server.terminal.keys.key_table import Key, KeyTable
from server.text.operator_orders import outcome_in_words, place_in_words, row_in_words
from server.text.server_messages import report_in_words
from server.text.times import moment_in_words, span_in_words


class ListedPage(PromptPage, ListPage[T]):
    """A list, of which one row is told in full."""

    LARGEST = Size(150, 60)
    KEYS = KeyTable[Any]()

    def listed(
        self, title: str, head: Sequence[FrameRow], rows: Sequence[str], detail: str, size: Size
    ) -> Frame:
        """``detail`` is the chosen row in full, or what is said where there is none."""
        width, body, chosen = size.columns, [*head], self.at
        if self.entry is not None:
            # On a row of its own: what is typed may be long.
            body += [*paragraph(self._label, width, "warm"), BLANK]
        prompt_at = len(body) - 1
        free = self.body_size(size).rows - len(body) - 1
        glyphs = self.context.look.glyphs
        if rows and detail == rows[chosen] and text_width(detail) <= width - 3:
            detail = ""  # the list has it
        lines = wrap_to(detail, width - 3, max(1, free - 1), glyphs) if detail else ()
        told, room = [row("  ", ("dim", line)) for line in lines], free - len(lines)
        for number in window(len(rows), chosen, max(1, room)):
            text = shorten(rows[number], width - 3, glyphs)
            body.append(menu_row(number == chosen, (("text", text),), width))
        if rows and told:
            body.append(BLANK)
        return self.with_prompt(self.framed(title, [*body, *told], size), prompt_at, "", width - 1)


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
