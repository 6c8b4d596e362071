"""At the door of the telnet line: nobody is known by a key here, so a name is asked for."""

import re
from collections.abc import Callable
from textwrap import wrap
from typing import Final

from server.coordinator.rejoin import plain_code
from server.transport.login import Login, parse_login
from server.ui.i18n import Words
from server.ui.lines.typing import LineTyping

_MOST_ANSWERS: Final = 5
"""So often somebody may ask for help before a name is taken for what it is."""

_NARROWEST: Final = 20
"""Columns; on less, breaking lines makes nothing better."""

# Programs that have come to the wrong place: browsers, SSH and TLS clients.
_LOST: Final = re.compile(r"(GET|HEAD|POST|PUT|OPTIONS|CONNECT) \S+ HTTP/\d|SSH-\d\.\d|\x16\x03")


class Door:
    """Says where one is, and asks for a name in one line.

    ``come_in`` is called with the answer, once; ``leave`` instead of it when nobody wants to come in.
    """

    def __init__(
        self,
        words: Words,
        *,
        warning: str,
        width: int,
        write: Callable[[str], None],
        come_in: Callable[[Login], None],
        leave: Callable[[], None],
    ) -> None:
        """``warning`` is said before anything is asked; empty when there is nothing to warn of. Lines are
        broken at ``width`` columns; 0 leaves that to the terminal.
        """
        self._words: Final = words
        self._width: Final = width
        self._write: Final = write
        self._come_in: Final = come_in
        self._leave: Final = leave
        self._answers = 0
        self._open = True
        self._typing: Final = LineTyping(
            echo=False, write=write, line=self._answered, leave=self._left
        )
        greeting = words.t("Turn the Tide, a card game for three to six players.")
        lines = [greeting, *filter(None, [warning])]
        self._ask(*lines)

    def _ask(self, *lines: str) -> None:
        words = self._words
        question = words.t("Your name, or your rejoin code (Enter for neither, ? for help):")
        said = [part for line in (*lines, question) for part in self._broken(line)]
        self._write("\r\n".join(said) + " ")

    def _broken(self, line: str) -> list[str]:
        # With a column left for the cursor.
        return wrap(line, self._width - 1) if self._width > _NARROWEST else [line]

    def feed(self, text: str) -> str:
        """Something was typed. Returns what is left of it for the game, once the door is open."""
        for at, char in enumerate(text):
            self._typing.feed(char)
            if not self._open:
                return text[at + 1 :]
        return ""

    def _answered(self, line: str) -> None:
        answer = line.strip()
        self._answers += 1
        if _LOST.match(answer):
            self._left()
        elif answer.lower() in {"?", "help"} and self._answers < _MOST_ANSWERS:
            self._ask(*self._help())
        else:
            self._open = False
            self._come_in(login_of(answer))

    def _left(self) -> None:
        self._open = False
        self._leave()

    def _help(self) -> tuple[str, ...]:
        words = self._words
        return (
            words.t("Type the name that you want to be called by, and press Enter."),
            words.t(
                "After it you may say more: NAME+plain for sentences instead of a full screen,"
                " NAME+de, NAME+pt or NAME+en for a language, NAME+CODE for the table with that code,"
                " NAME+watch to look on."
            ),
            words.t(
                "Whoever was here as a guest comes back with the rejoin code that was told then."
            ),
        )


def login_of(answer: str) -> Login:
    """What an answer means: a rejoin code, also one typed with blanks, or a name and its suffixes."""
    code, plus, suffixes = answer.partition("+")
    if plain_code(code):
        return parse_login(f"+{plain_code(code)}{plus}{suffixes}")
    return parse_login(answer)
