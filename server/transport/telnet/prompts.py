"""At the door of the telnet line: nobody is known by a key here, so a name is asked for, and where there is
one, the server's word before it.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from server.coordinator.people.rejoin import plain_code
from server.i18n.catalogues import Words
from server.terminal.line_input import LineTyping
from server.terminal.text_layout import wrap
from server.transport.access.login_name import Login, parse_login

_MOST_ANSWERS: Final = 5
"""So often somebody may ask for help before a name is taken for what it is."""

_AHEAD: Final = 256
"""Characters typed while a word is being looked at that are kept."""

_NARROWEST: Final = 20
"""Columns; on less, breaking lines makes nothing better."""

# Programs that have come to the wrong place: browsers, SSH and TLS clients.
_LOST: Final = re.compile(r"(GET|HEAD|POST|PUT|OPTIONS|CONNECT) \S+ HTTP/\d|SSH-\d\.\d|\x16\x03")


class NamePrompt:
    """Says what there is to say, and asks for a name in one line.

    ``come_in`` is called with the answer, once; ``leave`` instead of it when nobody wants to come in.
    """

    def __init__(
        self,
        words: Words,
        *,
        said: Sequence[str],
        width: int,
        write: Callable[[str], None],
        come_in: Callable[[Login], None],
        leave: Callable[[], None],
    ) -> None:
        """``said`` are paragraphs that come before the question. Lines are broken at ``width`` columns; 0
        leaves that to the terminal.
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
        self._ask(*said)

    def _ask(self, *lines: str) -> None:
        words = self._words
        question = words.t("Your name, or your rejoin code (Enter for neither, ? for help):")
        self._write(broken((*lines, question), self._width) + " ")

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


class PasswordPrompt:
    """Asks for the server's word.

    ``says`` is asked whether a word is the right one, and tells what there is to say when it is not; an empty
    answer opens the door. Then ``come_in`` is called with what has been typed since.
    """

    def __init__(
        self,
        words: Words,
        *,
        said: Sequence[str],
        width: int,
        write: Callable[[str], None],
        says: Callable[[str], Awaitable[str]],
        come_in: Callable[[str], None],
        leave: Callable[[], None],
    ) -> None:
        """Needs a running event loop. ``said`` and ``width`` are as for ``NamePrompt``."""
        self._words: Final = words
        self._width: Final = width
        self._write: Final = write
        self._says: Final = says
        self._come_in: Final = come_in
        self._leave: Final = leave
        self._ahead = ""
        self._checking: asyncio.Task[None] | None = None
        self._wrong = 0
        self._typing: Final = LineTyping(
            echo=False, write=write, line=self._answered, leave=self.close
        )
        self._ask(*said, words.t("Whoever invited you here knows this server's password."))

    def feed(self, text: str) -> str:
        """Something was typed; nothing of it is left over."""
        for at, char in enumerate(text):
            if self._checking is not None:
                self._ahead += text[at:][: _AHEAD - len(self._ahead)]
                break
            self._typing.feed(char)
        return ""

    def close(self) -> None:
        """Nobody wants to come in any more."""
        self.forget()
        self._leave()

    def forget(self) -> None:
        """The line has gone."""
        if self._checking is not None:
            self._checking.cancel()

    def _ask(self, *lines: str) -> None:
        self._write(broken((*lines, self._words.t("Server word:")), self._width) + " ")

    def _answered(self, line: str) -> None:
        if _LOST.match(line.strip()):
            self.close()
        else:
            self._checking = asyncio.get_running_loop().create_task(self._check(line))

    async def _check(self, line: str) -> None:
        refusal = await self._says(line)
        self._checking = None
        ahead, self._ahead = self._ahead, ""
        self._write("\r\n")
        if not refusal:
            self._come_in(ahead)
            return
        self._wrong += 1
        if self._wrong < _MOST_ANSWERS:
            self._ask(refusal)
            self.feed(ahead)
        else:
            self._write(f"{refusal}\r\n")
            self.close()


def broken(paragraphs: Iterable[str], width: int) -> str:
    """Paragraphs, one below the other, for so many columns; with one left for the cursor."""
    if width <= _NARROWEST:
        return "\r\n".join(paragraphs)
    return "\r\n".join(line for each in paragraphs for line in wrap(each, width - 1))


def login_of(answer: str) -> Login:
    """What an answer means: a rejoin code, also one typed with blanks, or a name and its suffixes."""
    code, plus, suffixes = answer.partition("+")
    if plain_code(code):
        return parse_login(f"+{plain_code(code)}{plus}{suffixes}")
    return parse_login(answer)
