"""The operators' page with its lists and orders, and the page on which players write a report."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from typing_extensions import override

from server.coordinator.messages import operator_orders as asked
from server.coordinator.messages.operator_orders import (
    Action,
    OperatorReply,
    PersonRow,
    Row,
    TableFacts,
    TournamentFacts,
)
from server.fullscreen.context import SessionContext
from server.fullscreen.pages.lists import Choice, ChoicePage, ListPage, ask_yes_or_no
from server.fullscreen.pages.page import BACK, DOWN, FAR, STOP_TYPING
from server.fullscreen.pages.reading import ReadingPage, Sections, help_lines, rows_of
from server.fullscreen.widgets.boxes import Pane, are_beside
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.lookup import Words, _, p_
from server.session.account import OperatorActions
from server.storage.moderation import AuditRow, BanRow, MuteRow, ReportRow
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Row as FrameRow
from server.terminal.drawing.frame import Span, fit, row, text_width
from server.terminal.keys.bindings import AnyKey, Key, KeyTable
from server.text import operator_orders, refusals
from server.text.operator_orders import (
    ORDERS,
    Order,
    OrderKey,
    outcome_in_words,
    place_in_words,
    row_in_words,
)
from server.text.server_messages import report_in_words
from server.text.times import moment_in_words, span_in_words
from server.timers import OneTimer


def tab_row(names: Sequence[str], chosen: int, width: int) -> FrameRow:
    """Return the names of the lists; if there is no room, only that of the chosen one."""
    texts = [f"[{name}]" if at == chosen else f" {name} " for at, name in enumerate(names)]
    if 2 + sum(map(text_width, texts)) > width:
        here = f"[{names[chosen]}]"
        return row("  ", ("strong", here), ("dim", f"  {chosen + 1}/{len(names)}"))
    styles = ["strong" if at == chosen else "dim" for at in range(len(texts))]
    return row(" ", *zip(styles, texts, strict=True))


def subject_of(row: Row | None) -> str:
    """Return the object of a row as it is typed in orders."""
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
    """Return the title of a row's menu."""
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
    """Return a row as a line, the most important first."""
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
    """A player's report about somebody."""

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
        """Send the typed report; the input line stays until it is accepted."""
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


REFRESH_SECONDS: Final = 5.0
"""Seconds between two refreshes of the list."""
_LISTS: Final[tuple[tuple[str, Action, type[Row]], ...]] = (
    (p_("operators", "people"), asked.SeePeople(), PersonRow),
    (p_("operators", "tables"), asked.SeeTables(), asked.TableFacts),
    (p_("operators", "reports"), asked.SeeReports(), ReportRow),
    (p_("operators", "bans"), asked.SeeBans(), BanRow),
    (p_("operators", "log"), asked.SeeAudit(), AuditRow),
)
"""The tabs: name, order, and kind of rows (bans also have ``MuteRow``)."""


OperatorKey = Key["OperatorsPage"]


def _key_of(order: Order, key: OrderKey) -> OperatorKey:
    """Return a key that gives an order."""
    begin = (order.usage.split()[0], *key.more.split())
    return Key(
        key.name,
        does=lambda page: page.ask_for(key.ask, *begin),
        when=lambda page: page.suits(key),
        footer=key.footer,
        what=key.hint or order.meaning,
    )


_ORDERS: Final = [(key, _key_of(order, key)) for order in ORDERS for key in order.keys]
SERVER_KEYS: Final = [key for of, key in _ORDERS if of.row is None]
"""The keys of the server's menu."""
_BAN: Final = OperatorKey(
    "b",
    does=lambda page: page.ask_how_to_ban(),
    when=lambda page: isinstance(page.chosen, PersonRow),
    footer=_("ban"),
    what=_("keep somebody out"),
)
_CLOSED: Final = OperatorKey(
    "o",
    does=lambda page: page.show_closed(),
    when=lambda page: isinstance(page.chosen, ReportRow),
    footer=_("all of them"),
    what=_("show closed reports, too"),
)
_OF_ROWS: Final = [
    *((of.row, key) for of, key in _ORDERS if of.row is not None),
    (PersonRow, _BAN),
    (ReportRow, _CLOSED),
]
ROW_KEYS: Final = [key for _kind, key in _OF_ROWS]
"""The keys for the chosen row."""


class OperatorsPage(ListPage[Row]):
    """People, tables, reports, bans and the audit log."""

    TITLE = _("Operators")
    LARGEST = Size(150, 60)
    KEYS = KeyTable["OperatorsPage"](
        Key(
            *("up", "k"),
            does=lambda page: page.move(-1),
            help=_("Up Down\tchoose; below the list is all that is known about the chosen one"),
        ),
        DOWN,
        *FAR,
    )

    def __init__(self, context: SessionContext, operator: OperatorActions) -> None:
        super().__init__(context)
        self._operator: Final = operator
        self._tab = 0
        self._looks: Final = [look for _name, look, _kind in _LISTS]
        self._rows: tuple[Row, ...] | None = None
        self._more = False
        """There are rows beyond those shown."""
        self._grown = False
        """Whether rows beyond the first answer have been read, too."""
        self._about: Row | None = None
        """The row that was chosen at the last key: it may be gone before a menu is closed."""
        self._timer: Final = OneTimer(context.clock)

    @override
    def opened(self) -> None:
        self.load()
        self._plan()

    @override
    def closed(self) -> None:
        super().closed()
        self._timer.cancel()

    def _plan(self) -> None:
        self._timer.after(REFRESH_SECONDS, self._refresh)

    def _refresh(self) -> None:
        """Refresh the list, unless something is being typed, or earlier entries are being read."""
        self._plan()
        if self.is_on_top and self.entry is None and not self._grown:
            self.load(again=True)

    # ---------------------------------------------------------------- the picture

    @override
    def head(self, width: int) -> Sequence[FrameRow]:
        tabs = tuple([self.words.p("operators", name) for name, _look, _kind in _LISTS])
        return (tab_row(tabs, self._tab, width),)

    @override
    def line(self, item: Row, width: int) -> Span:
        return ("text", short_row(item, width, self.words))

    @override
    def nothing(self) -> Sequence[str]:
        if self._rows is None:
            return (self.words.t("One moment..."),)
        return (operator_orders.nothing_in_words(self._look, self.words),)

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        if self.chosen is None:
            return ()
        told = operator_orders.row_in_words(self.chosen, self.words)
        whole = told == short_row(self.chosen, size.columns, self.words)
        if (
            whole
            and text_width(told) <= size.columns - 5
            and not are_beside(size, self.context.look)
        ):
            return ()  # the list has it
        title = title_of(self.chosen, self.words)
        return (Pane(title, partial(paragraph, told, style="dim"), least=2),)

    @property
    def _look(self) -> Action:
        return self._looks[self._tab]

    @override
    def items(self) -> Sequence[Row]:
        return self._rows or ()

    @property
    def acts(self) -> bool:
        """Whether there is a key for the chosen row."""
        return bool(self._usable(ROW_KEYS))

    def suits(self, key: OrderKey) -> bool:
        """Return whether a key applies to the chosen row, or to the server, now."""
        if key.row is None:
            return key.when(self.context.closing_time)
        return isinstance(self.chosen, key.row) and key.when(self.chosen)

    def _usable(self, keys: Sequence[OperatorKey]) -> list[OperatorKey]:
        return [key for key in keys if key.when is None or key.when(self)]

    # ---------------------------------------------------------------- the keys

    @override
    def press(self, key: AnyKey | None, name: str) -> None:
        self._about = self.chosen
        super().press(key, name)

    def turn(self, by: int) -> None:
        self.show((self._tab + by) % len(_LISTS))

    def show(self, tab: int) -> None:
        self._tab = tab
        self._rows, self._at = None, 0
        self.load()

    @override
    def move(self, step: int) -> None:
        self._at = max(0, self.at + step)
        if self._at >= len(self.items()) and self._more:
            self._load_more()

    @KEYS.add(
        "enter",
        footer=_("what to do"),
        shown=lambda page: page.acts,
        help=_("Enter\twhat can be done with the chosen one"),
    )
    def open_menu(self) -> None:
        """Open the chosen row's menu."""
        if self.chosen is not None and self.acts:
            self._choose_from(title_of(self.chosen, self.words), ROW_KEYS)

    KEYS.include(
        Key(
            *("tab", "right"),
            does=lambda page: page.turn(1),
            footer=_("next list"),
            help=_("Tab, 1 to 5\tthe next list, or this one: people, tables, reports, bans, log"),
        ),
        Key("left", "s-tab", does=lambda page: page.turn(-1)),
        Key(*"12345", takes=lambda page, number: page.show(int(number) - 1)),
    )

    @KEYS.add("h", footer=_("the server"))
    def open_server_menu(self) -> None:
        """Open the server's menu."""
        self._about = None
        self._choose_from(self.words.t("The server"), SERVER_KEYS)

    @KEYS.add("?", "f1", footer=_("help"))
    def show_help(self) -> None:
        title = self.words.t("Operators")
        self.context.open(ReadingPage(self.context, title, partial(help_lines, self._help())))

    def _help(self) -> Sections:
        """Return the sections of the help."""
        t = self.words.t

        done = [
            f"{key.names[0]}\t{self.words.p('operators', name)}: {t(key.what)}"
            for name, _look, kind in _LISTS
            for rows, key in _OF_ROWS
            if issubclass(kind, rows)
        ]
        served = ", ".join(t(key.footer) for key in SERVER_KEYS)
        good_to_know = (
            t("A time is a number and a letter: 30m, 2h, 7d, 4w; a ban may last for ever."),
            t("Every action asks for confirmation, except messages: Enter sends them."),
            t(
                "Whatever an operator does or looks at goes into the log, and so does what "
                "was refused. Nobody can change the log."
            ),
            t("Nobody sees a hidden hand, a sealed bid or an invitation word here."),
            t('The same commands work in line mode ("admin help") and as "tide admin" in a shell.'),
        )
        return (
            (t("The lists"), rows_of(self.KEYS, self.words)),
            (t("What can be done"), [*done, f"h\t{t('The server')}: {served}"]),
            (t("Good to know"), good_to_know),
        )

    KEYS.include(*ROW_KEYS)

    KEYS.include(
        Key(
            "r",
            does=lambda page: page.load(),
            footer=_("refresh"),
            help=_("r\trefresh now (it refreshes by itself every few seconds)"),
        ),
        Key(
            *("escape", "q", "!"),
            does=lambda page: page.go_back(),
            footer=_("back"),
            help=_("Esc, !\tback to where you were"),
        ),
    )

    def load(self, *, again: bool = False) -> None:
        look, operator = self._look, self._operator

        async def work() -> None:
            told = await operator.act(look, again=again)
            # A refresh that fails leaves the list as it is.
            if look == self._look and (told.ok or not again or told.code == "not_operator"):
                self._show_reply(told)

        self.spawn(work())

    def _choose_from(self, title: str, keys: Sequence[OperatorKey]) -> None:
        words = self.words
        choices = [
            Choice(
                key.names[0],
                words.t(key.footer),
                "" if key.what == key.footer else words.t(key.what),
                partial(key.do, self, key.names[0]),
            )
            for key in self._usable(keys)
        ]
        self.context.open(ChoicePage(self.context, title, choices))

    # ---------------------------------------------------------------- what the keys for rows do

    def show_closed(self) -> None:
        """Show closed reports, too, or no longer."""
        if isinstance(look := self._look, asked.SeeReports):
            self._looks[self._tab] = asked.SeeReports(not look.closed)
            self.load()

    def ask_for(self, label: str, *begin: str) -> None:
        """Ask for the rest of an order; without a label, it has none."""
        order = (*begin, *filter(None, [subject_of(self._about)]))
        if label:
            label = self.words.t(label)
            self.ask(label, partial(self._order, label, order))
        else:
            self._order("", order, "")

    def _order(self, label: str, begin: tuple[str, ...], typed: str) -> None:
        """Give an order whose rest has been typed."""
        order = (*begin, *typed.split())
        try:
            action = operator_orders.parse_order(order)
        except operator_orders.BadOperatorCommand as problem:
            self.context.say("error", problem.in_words(self.words))
            self.ask(label, partial(self._order, label, begin), typed)
            return
        if label and not operator_orders.asks_first(action):
            self._do(action)
        else:
            question = self.words.t("Do this?")
            ask_yes_or_no(self.context, question, " ".join(order), lambda: self._do(action))

    def ask_how_to_ban(self) -> None:
        """Ask for the kind of a ban, before its time and reason."""
        words, name = self.words, subject_of(self._about)
        hints = {
            "key": words.t("whoever uses it, from anywhere"),
            "name": words.t("whoever has that name, or a similar one"),
            "address": words.t("whoever connects from there"),
            "network": words.t("whoever connects from that network"),
        }
        ban = partial(self.ask_for, _("How long, and why? (7d shouting; ever: for good)"), "ban")
        choices = [
            Choice(str(n), operator_orders.kind_in_words(kind, words), hint, partial(ban, kind))
            for n, (kind, hint) in enumerate(hints.items(), 1)
        ]
        title = words.t("Ban {name} by what?", name=name)
        self.context.open(ChoicePage(self.context, title, choices))

    # ---------------------------------------------------------------- doing it

    def _do(self, action: Action) -> None:
        async def work() -> None:
            words, told = self.words, await self._operator.act(action)
            if told.ok:
                self.context.say("notice", operator_orders.done_in_words(action, told, words))
            else:
                self._refused(told)
            self._show_reply(await self._operator.act(self._look))

        self.context.spawn(work())

    def _load_more(self) -> None:
        """Read the audit log before its last entry shown; other lists are never that long."""
        before = self._rows or ()
        last = before[-1] if before else None
        if not isinstance(last, AuditRow):
            return
        self._more = False

        async def work() -> None:
            told = await self._operator.act(asked.SeeAudit(last.id))
            if told.ok and self._rows is before:
                self._rows, self._more = (*before, *told.rows), told.left_out > 0
                self._grown = True
            self.context.changed()

        self.spawn(work())

    def _show_reply(self, told: OperatorReply) -> None:
        self._more, self._grown = told.left_out > 0, False
        if told.ok:
            chosen, at = (type(self.chosen), subject_of(self.chosen)), self.at
            self._rows = told.rows
            rows = [(type(row), subject_of(row)) for row in told.rows]
            self._at = rows.index(chosen) if chosen in rows else at
        else:
            self._rows = ()
            self._refused(told)
        self.context.changed()

    def _refused(self, told: OperatorReply) -> None:
        self.context.say("error", refusals.refusal_of_order(told, self.words))
