"""The question before leaving: nothing ever ends without an answer to it."""

from collections.abc import Callable
from typing import NamedTuple

from prompt_toolkit.buffer import Buffer

from server.coordinator.messages import DAY, LeaveTable, Status
from server.fullscreen.context import SessionContext
from server.fullscreen.widgets.question import QuestionChoice, ask_screen
from server.terminal.capabilities import Size
from server.terminal.frame import Frame
from server.text.rounds import time_in_words


class _Choice(NamedTuple):
    answer: QuestionChoice
    take: Callable[[], None]


class LeavePage:
    """Asks where to: stay, the lobby, or out."""

    entry: Buffer | None = None

    def __init__(self, desk: SessionContext) -> None:
        self._desk = desk
        self._chosen = 0

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        title, choices = self._question()
        answers = tuple(choice.answer for choice in choices)
        return ask_screen(title, answers, self._chosen % len(answers), size, self._desk.look)

    def key(self, name: str) -> None:
        """See ``Page``."""
        _, choices = self._question()
        match name:
            case "up" | "k" | "left":
                self._chosen = (self._chosen - 1) % len(choices)
            case "down" | "j" | "right" | "tab":
                self._chosen = (self._chosen + 1) % len(choices)
            case "enter":
                choices[self._chosen % len(choices)].take()
            case "escape" | "n":
                self._stay()
            case _:
                for choice in choices:
                    if choice.answer.key == name:
                        choice.take()
                        return

    def text(self, text: str) -> None:
        """See ``Page``."""

    def _stay(self) -> None:
        self._desk.close(self)

    def _to_lobby(self) -> None:
        self._desk.close(self)
        self._desk.do(LeaveTable())

    def _way_back(self) -> str:
        words, login = self._desk.words, self._desk.way_back
        table = self._desk.table
        if login and table is not None and 0 < table.info.kept_for < DAY:
            return words.t(
                "to go on within {time}, log in as {login}",
                time=time_in_words(round(table.info.kept_for), words),
                login=login,
            )
        if login:
            return words.t("to go on, log in as {login}", login=login)
        return words.t("come back with the same key and go on")

    def _question(self) -> tuple[str, tuple[_Choice, ...]]:
        words, table = self._desk.words, self._desk.table
        stay = _Choice(QuestionChoice("s", words.t("Stay"), words.t("nothing changes")), self._stay)
        if table is None:
            out = QuestionChoice("y", words.t("Yes, leave the server"), words.t("see you soon"))
            return words.t("Leave Turn the Tide?"), (stay, _Choice(out, self._desk.leave))
        seated = table.seat >= 0
        playing = table.info.status is Status.PLAYING and seated
        if playing:
            lobby = QuestionChoice(
                "g",  # not l, which is the next card
                words.t("Give the game up, to the lobby"),
                words.t("a bot plays on for you, for good; the result stays yours"),
            )
            out = QuestionChoice("d", words.t("Disconnect, keep the seat"), self._way_back())
            if self._desk.player.guest and not self._desk.way_back:  # alone, with the server inside
                lobby = lobby._replace(hint=words.t("bots play on without you"))
                out = QuestionChoice(
                    "d", words.t("End the game and leave"), words.t("nothing is kept")
                )
        else:
            lobby = QuestionChoice(
                "l",
                words.t("To the lobby"),
                words.t("your seat becomes free") if seated else words.t("you stop watching"),
            )
            out = QuestionChoice("d", words.t("Leave the server"), words.t("see you soon"))
        return (
            words.t("Leave this table?"),
            (stay, _Choice(lobby, self._to_lobby), _Choice(out, self._desk.leave)),
        )
