"""A player's own pages: settings, account, games by correspondence, the question before leaving."""

from collections.abc import Sequence
from functools import partial

from typing_extensions import override

from server.coordinator.events.days import is_day
from server.coordinator.messages import (
    DAY,
    CorrespondenceGame,
    GoToLobby,
    JoinTable,
    LeaveTable,
    Status,
    Update,
)
from server.fullscreen.context import SessionContext
from server.fullscreen.menus.help import KeysPage
from server.fullscreen.pages.lists import Choice, ChoicePage, FormPage, ListPage
from server.fullscreen.pages.page import BACK, STATISTICS
from server.fullscreen.pages.reading import ReadingPage
from server.fullscreen.widgets.boxes import WHOLE, Pane, has_boxes
from server.fullscreen.widgets.chrome import paragraph
from server.i18n.lookup import _
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import BLANK, Frame, Row, Span, row
from server.terminal.keys.bindings import Key, KeyTable
from server.text.people import account_in_words, traffic_in_words
from server.text.times import time_in_words
from server.viewmodels.lobby import briefly_in_words, facts_of
from server.viewmodels.table_options import OptionLine, options_in_words


class SettingsPage(FormPage):
    """The list of settings, changed in place."""

    TITLE = _("Settings")
    KEYS = KeyTable["SettingsPage"](
        Key("enter", does=lambda page: page.go_back(), footer=_("done")), *FormPage.KEYS, BACK
    )

    @override
    def items(self) -> Sequence[OptionLine]:
        words, own, facts = self.words, len(self.context.own_keys), self.context.facts()
        keys = OptionLine(
            words.t("Keys at the table"),
            words.n("{count} of your own", "{count} of your own", own) if own else words.t("usual"),
            words.t("choose your own; help shows them"),
            lambda _: self.show_page(KeysPage),
        )
        plain = OptionLine(
            words.t("Plain lines"),
            words.t("no"),
            words.t("sentences instead of screens, also for screen readers"),
            lambda _: self._to_lines(),
        )
        sent, more = traffic_in_words(facts, words)
        traffic = OptionLine(words.t("Sent so far"), sent, more, fixed=True)
        return (*self.context.settings(), keys, plain, *([traffic] if facts.sent else ()))

    def _to_lines(self) -> None:
        self.context.set_abilities(lines=True)
        self.context.leave()


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


class CorrespondencePage(ListPage[CorrespondenceGame]):
    """The player's games by correspondence, those that wait first; Enter goes to one."""

    TITLE = _("Games by correspondence")
    KEYS = KeyTable["CorrespondencePage"](*ListPage.KEYS)
    _table = ""
    """The code of the chosen one: it stays chosen when others come before it."""

    @override
    def items(self) -> Sequence[CorrespondenceGame]:
        return self.context.correspondence

    @override
    def opened(self) -> None:
        super().opened()
        self._keep()

    @override
    def updated(self, update: Update) -> None:
        self._keep()

    def _keep(self) -> None:
        codes = [game.table for game in self.items()]
        self._at = codes.index(self._table) if self._table in codes else 0
        self._table = codes[self._at] if codes else ""

    @override
    def move(self, step: int) -> None:
        super().move(step)
        self._table = self.chosen.table if self.chosen is not None else ""

    @override
    def aside(self) -> str:
        return self.context.own_games.said

    @override
    def line(self, item: CorrespondenceGame, width: int) -> Span:
        name, now = self.context.player.name, self.context.clock.time()
        return ("strong" if item.waits else "text", briefly_in_words(item, name, now, self.words))

    @override
    def nothing(self) -> Sequence[str]:
        said = self.words.t(
            "You have no games by correspondence. In one, a round may take a day, and nobody "
            'has to be there at the same time. Open a table with the pace "by correspondence" '
            "(n in the lobby), and send its invitation to your friends."
        )
        return (said,)

    @override
    def beside(self, size: Size) -> Sequence[Pane]:
        if (game := self.chosen) is None:
            return ()
        title = self.words.t("the chosen game")
        if not has_boxes(size, self.context.look):
            return (Pane(title, partial(self._told, game), least=WHOLE),)
        return (Pane(title, lambda width: self._told(game, width) + self._options(game, width)),)

    def _told(self, game: CorrespondenceGame, width: int) -> list[Row]:
        """All that there is to know of it, here."""
        name, now = self.context.player.name, self.context.clock.time()
        others, *facts = facts_of(game, name, now, self.words)
        rows = paragraph(f"{game.title} ({game.table}): {others}", width, "strong")
        for fact in facts:
            style = "warm" if game.waits and fact == facts[-1] else "text"
            rows += paragraph(fact, width, style)
        return rows

    def _options(self, game: CorrespondenceGame, width: int) -> list[Row]:
        return paragraph(", ".join(options_in_words(game.options, self.words)), width, "dim")

    @KEYS.add("enter", footer=_("go there"), shown=lambda page: bool(page.items()))
    def go(self) -> None:
        """Where one plays live one has to stay, and is told so."""
        here = self.context.table
        if here is not None and here.info.id == self._table:
            self.go_back()
        elif self._table:
            self.context.do(JoinTable(self._table))

    KEYS.include(BACK)


class LeavePage(ChoicePage):
    """Asks where to: stay, the lobby, or out."""

    WAY_OUT = True
    COMMON = ()  # Ctrl-C asks nothing that is asked already
    KEYS = KeyTable["LeavePage"](*ChoicePage.KEYS, Key("n", does=lambda page: page.go_back()))

    _answers = False
    """A letter answers: the player has seen the question. What comes with the key that has asked it may be
    text, and Ctrl-C asks also where a terminal is too small to show the question.
    """

    @override
    def opened(self) -> None:
        self._answers = False

    @override
    def frame(self, size: Size) -> Frame:
        return super().frame(size).telling(self._was_seen)

    @override
    def small_frame(self, size: Size) -> Frame:
        """The answers alone; without room for all of them, there is no way out that is seen."""
        width, rows = max(10, size.columns), list[Row]()
        for number, choice in enumerate(self.items()):
            mark, style = ("> ", "selected") if number == self.at else ("  ", "text")
            rows += paragraph(f"{choice.key} {choice.label}", width, style, mark)
        if len(rows) > size.rows:
            return super().small_frame(size)
        return Frame(tuple(rows)).telling(self._was_seen)

    def _was_seen(self) -> None:
        self._answers = True

    @override
    def other(self, name: str) -> None:
        # No pasted line leaves a table, wherever it is split.
        if self._answers and not (self.context.at_once and self.context.table is not None):
            super().other(name)

    @override
    def title(self) -> str:
        words = self.words
        here = self.context.table is not None
        return words.t("Leave this table?") if here else words.t("Leave Turn the Tide?")

    @override
    def items(self) -> Sequence[Choice]:
        context, words, table = self.context, self.words, self.context.table
        stay = Choice("s", words.t("Stay"), words.t("nothing changes"), lambda: None)
        if table is None:
            leave = words.t("Yes, leave the server")
            return (stay, Choice("y", leave, words.t("see you soon"), context.leave))
        seated, out = table.seat >= 0, words.t("Leave the server")
        of_cup = table.info.event and not is_day(table.info.event)
        back = words.t("a bot bids for you until you are back; press e to return")
        if context.corresponds:
            return self._by_correspondence(table.info.status, stay)
        if table.info.status is not Status.PLAYING or not seated:
            free = words.t("your seat becomes free") if seated else words.t("you stop watching")
            if seated and of_cup and table.info.status is Status.OPEN:
                free = back
            return (
                stay,
                Choice("l", words.t("To the lobby"), free, self._to_lobby),
                Choice("d", out, words.t("see you soon"), context.leave),
            )
        if is_day(table.info.event):
            waits = words.t("the game waits for you; d brings you back")
            to_lobby = Choice("g", words.t("To the lobby"), waits, self._to_lobby)
            return (stay, to_lobby, Choice("d", out, self._way_back(), context.leave))
        given_up, end = words.t("Give the game up, to the lobby"), words.t("End the game and leave")
        kept = words.t("Disconnect, keep the seat")
        if context.player.guest and not context.way_back:  # alone, with the server inside
            lobby_hint = words.t("bots play on without you")
            out_choice = Choice("d", end, words.t("nothing is kept"), context.leave)
        else:
            lobby_hint = words.t("a bot plays on for you, for good; the result stays yours")
            out_choice = Choice("d", kept, self._way_back(), context.leave)
        if of_cup:
            given_up, lobby_hint = words.t("To the lobby"), back
        # Not l, which is the next card.
        return (stay, Choice("g", given_up, lobby_hint, self._to_lobby), out_choice)

    def _by_correspondence(self, status: Status, stay: Choice) -> Sequence[Choice]:
        """Return the choices in a game by correspondence: one may go anywhere.

        The game is left only on purpose.
        """
        words = self.words
        kept = words.t("your seat is kept; y brings you back")
        lobby = Choice("l", words.t("To the lobby"), kept, lambda: self.context.do(GoToLobby()))
        out = Choice("d", words.t("Leave the server"), self._way_back(), self.context.leave)
        if status is Status.PLAYING:
            hint = words.t("a bot plays on for you, for good; the result stays yours")
            leave = Choice("g", words.t("Give the game up"), hint, self._to_lobby)
        else:
            hint = words.t("your seat becomes free")
            leave = Choice("g", words.t("Give up your seat"), hint, self._to_lobby)
        return (stay, lobby, leave, out)

    def _to_lobby(self) -> None:
        self.context.do(LeaveTable())

    def _way_back(self) -> str:
        words, login = self.words, self.context.way_back
        table = self.context.table
        if login and table is not None and 0 < table.info.kept_for < DAY:
            return words.t(
                "to go on within {time}, log in as {login}",
                time=time_in_words(round(table.info.kept_for), words),
                login=login,
            )
        if login:
            return words.t("to go on, log in as {login}", login=login)
        return words.t("come back with the same key and go on")
