"""A question with a few answers, each of which does something."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from prompt_toolkit.buffer import Buffer

from server.fullscreen.context import SessionContext
from server.fullscreen.widgets.question import QuestionChoice, ask_screen
from server.terminal.capabilities import Size
from server.terminal.frame import Frame


class Choice(NamedTuple):
    """One answer: the key that gives it, what it is called, what follows from it."""

    key: str
    label: str
    hint: str
    take: Callable[[], None]


class ChoicePage:
    """Goes when it has been answered, or with Esc."""

    entry: Buffer | None = None

    def __init__(
        self, desk: SessionContext, title: str, choices: Sequence[Choice], chosen: int = 0
    ) -> None:
        self._desk: Final = desk
        self._title: Final = title
        self._choices: Final = tuple(choices)
        self._chosen = chosen

    def frame(self, size: Size) -> Frame:
        """See ``Page``."""
        answers = tuple(QuestionChoice(one.key, one.label, one.hint) for one in self._choices)
        return ask_screen(self._title, answers, self._chosen, size, self._desk.look)

    def key(self, name: str) -> None:
        """See ``Page``."""
        match name:
            case "up" | "k" | "left":
                self._chosen = (self._chosen - 1) % len(self._choices)
            case "down" | "j" | "right" | "tab":
                self._chosen = (self._chosen + 1) % len(self._choices)
            case "enter":
                self._take(self._choices[self._chosen])
            case "escape":
                self._desk.close(self)
            case _:
                for choice in self._choices:
                    if choice.key == name:
                        self._take(choice)
                        return

    def text(self, text: str) -> None:
        """See ``Page``."""

    def _take(self, choice: Choice) -> None:
        self._desk.close(self)
        choice.take()
