"""Logging in over telnet, which has no keys: the server's password where there is one, and a name."""

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from server.cleaning import notice_lines
from server.coordinator.people.people import plain_code
from server.i18n.lookup import Words, languages, words_for
from server.terminal.drawing.frame import wrap
from server.terminal.keys.line_input import LineTyping
from server.transport.access.limiter import Reason
from server.transport.access.login_name import Login, parse_login
from server.transport.access.policy import AccessPolicy
from server.transport.session.server import GameServer

_MOST_ANSWERS: Final = 5
"""Wrong passwords after which the connection ends; requests for help after which an answer is a name."""

_TYPED_AHEAD: Final = 1024
"""Characters typed before they are asked for that are kept."""

_NARROWEST: Final = 20
"""Columns; on less, breaking lines makes nothing better."""

# Programs that have come to the wrong place: browsers, SSH and TLS clients.
_LOST: Final = re.compile(r"(GET|HEAD|POST|PUT|OPTIONS|CONNECT) \S+ HTTP/\d|SSH-\d\.\d|\x16\x03")


@dataclass(eq=False)
class LoginTerminal:
    """A connection while somebody logs in: paragraphs out, lines in."""

    words: Words
    write: Callable[[str], None]
    hide: Callable[[bool], None]
    """Keeps what is typed from the screen, or shows it again."""
    width: int
    """Columns at which lines are broken; 0 leaves that to the terminal."""
    ahead: str = field(default="", init=False)
    """What has been typed and not been asked for yet."""
    _answer: asyncio.Future[str] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._typing = LineTyping(
            echo=False, write=self.write, line=self._answered, leave=lambda: self._answered(None)
        )

    def say(self, *paragraphs: str) -> None:
        """Show them, one below the other."""
        self.write(self._broken(paragraphs) + "\r\n")

    async def ask(self, *paragraphs: str) -> str:
        """The line typed after these, a question the last. Raises ``EOFError`` when nobody comes in any more,
        or it is a program that got lost.
        """
        self.write(self._broken(paragraphs) + " ")
        self._answer = asyncio.get_running_loop().create_future()
        ahead, self.ahead = self.ahead, ""
        self.feed(ahead)
        return await self._answer

    def feed(self, text: str) -> None:
        """Somebody has typed."""
        for at, char in enumerate(text):
            if self._answer is None or self._answer.done():
                self.ahead += text[at:][: _TYPED_AHEAD - len(self.ahead)]
                return
            self._typing.feed(char)

    def _answered(self, line: str | None) -> None:
        if self._answer is None or self._answer.done():
            return
        if line is None or _LOST.match(line.strip()):
            self._answer.set_exception(EOFError())
        else:
            self._answer.set_result(line)

    def _broken(self, paragraphs: Iterable[str]) -> str:
        if self.width <= _NARROWEST:
            return "\r\n".join(paragraphs)
        # One column is left for the cursor.
        return "\r\n".join(line for each in paragraphs for line in wrap(each, self.width - 1))


async def login(
    terminal: LoginTerminal, server: GameServer, address: str, advice: str, *, encrypted: bool
) -> Login:
    """Who somebody wants to be; ``advice`` is how to come in encrypted. Raises ``EOFError`` when nobody comes
    in; the reason has been said.
    """
    words, policy = terminal.words, server.access
    said = [words.t("Turn the Tide, a card game for three to six players.")]
    if policy.keys_only:
        said.append(
            words.t("Only players whose SSH key this server knows may come in: telnet has no keys.")
        )
        if advice:
            said.append(words.t("With such a key: {command}", command=advice))
        server.limiter.refuse(Reason.KEY, address)
        terminal.say(*said)
        raise EOFError
    if not encrypted:
        warning = words.t("This line is not encrypted: others may be able to read it.")
        if advice:
            warning += " " + words.t("Encrypted: {command}", command=advice)
        said.append(warning)
    if policy.asks_word:
        await _ask_password(terminal, policy, address, said)
        said = []
    return await _ask_name(terminal, [*said, *notice_lines(server.settings.notice)])


async def _ask_password(
    terminal: LoginTerminal, policy: AccessPolicy, address: str, said: list[str]
) -> None:
    words = terminal.words
    terminal.hide(True)
    said.append(words.t("Whoever invited you here knows this server's password."))
    for _ in range(_MOST_ANSWERS):
        password = await terminal.ask(*said, words.t("Server password:"))
        heard = await policy.says(password, address)
        terminal.write("\r\n")
        if heard.word:
            terminal.hide(False)
            return
        said = [heard.refusal(words)]
    terminal.write(f"{said[0]}\r\n")
    raise EOFError


async def _ask_name(terminal: LoginTerminal, said: list[str]) -> Login:
    words = terminal.words
    others = [words_for(each) for each in languages() if each != words.language]
    said = [*said, " ".join(each.t("In English: NAME+en.") for each in others)]
    question = words.t("Your name, or your rejoin code (Enter for neither, ? for help):")
    helping = [
        words.t("Type the name that you want to be called by, and press Enter."),
        words.t(
            "After it you can add more: NAME+plain for sentences instead of a full screen,"
            " NAME+LANGUAGE for another language ({languages}), NAME+CODE for the table with that"
            " code, NAME+watch to watch.",
            languages=", ".join(languages()),
        ),
        words.t("Guests come back with the rejoin code that they were given."),
    ]
    answer = (await terminal.ask(*said, question)).strip()
    for _ in range(_MOST_ANSWERS - 1):
        if answer.lower() not in {"?", "help"}:
            break
        answer = (await terminal.ask(*helping, question)).strip()
    return login_of(answer)


def login_of(answer: str) -> Login:
    """What an answer means: a rejoin code, also one typed with blanks, or a name and its suffixes."""
    code, plus, suffixes = answer.partition("+")
    if plain_code(code):
        return parse_login(f"+{plain_code(code)}{plus}{suffixes}")
    return parse_login(answer)
