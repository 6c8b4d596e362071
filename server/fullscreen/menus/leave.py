"""The question before leaving: nothing ever ends without an answer to it."""

from collections.abc import Sequence

from typing_extensions import override

from server.coordinator.events.days import is_day
from server.coordinator.messages import DAY, GoToLobby, LeaveTable, Status
from server.fullscreen.pages.choice_page import Choice, ChoicePage
from server.fullscreen.widgets.chrome import paragraph
from server.terminal.capabilities import Size
from server.terminal.drawing.frame import Frame, Row
from server.terminal.keys.key_table import Key, KeyTable
from server.text.times import time_in_words


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
        """Who plays so may go anywhere; the game is left only on purpose."""
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
