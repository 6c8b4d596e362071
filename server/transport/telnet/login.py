"""Logging in over telnet, which has no keys: the server's password where there is one, and a name."""

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from server.cleaning import notice_lines
from server.coordinator.people.names import plain_code
from server.i18n.lookup import Words, _, languages, words_for
from server.session.commands import Verb, full_word
from server.session.table_in_sentences import lobby_lines
from server.terminal.drawing.frame import wrap
from server.terminal.keys.lines import LineTyping
from server.text.server_messages import ENDINGS
from server.transport.access.limiter import Reason
from server.transport.access.login import Login, parse_login
from server.transport.access.password import AccessPolicy
from server.transport.session.server import GameServer

_MOST_ANSWERS: Final = 5
"""Wrong passwords, or answers that are not a name, after which the connection ends."""

_TYPED_AHEAD: Final = 8192
"""Characters of type-ahead that are kept."""

_NARROWEST: Final = 20
"""Columns; on fewer, lines are not wrapped."""

# Any blank separates words: a password after a tab must not become part of the name.
_BLANK: Final = re.compile(r"[^\S\r\n]")

# What clients of other protocols send first: HTTP, RTSP, SIP, SSH, TLS, SMTP, IRC and FTP.
_LOST: Final = re.compile(
    r"[A-Z]+ \S+ (HTTP|RTSP|SIP)/\d|SSH-\d\.\d|\x16\x03|(EHLO|HELO|NICK|PASS|USER) \S"
)
# What scanners for open routers (such as Mirai) type after a user and a password.
_BUSYBOX: Final = re.compile(r"(/bin/)?busybox\b|/bin/", re.IGNORECASE)
_FOR_A_SHELL: Final = frozenset({"enable", "system", "shell", "linuxshell", "sh"})
_FIRST_LINES: Final = 10
"""Lines in which a scanner is looked for: no player types two such words there."""

# What MUD clients send by themselves; only the name in it counts. Abbreviations need something after the
# name: people may be called Co.
_MUD_LOGIN: Final = re.compile(
    r"[/@]?(?:(?:connect|create|log[io]n|register)(?:[\s:]+(?P<named>.*))?"
    r"|(?:con?|conn|cre?|cd|ch|user|player|new)\s+(?P<short>(?:\"[^\"]+\"|\S+)\s.+))",
    re.IGNORECASE,
)
_NAME_OF_LOGIN: Final = re.compile(r"""\"([^\"]*)\"|'([^']*)'|[\"']?([^\s\"'=:,;/|]*)""")
_LEAVING: Final = frozenset({"exit", "logout", "bye"})

NO_NAME: Final = _("You have not given a name: connect again when you are ready.")


@dataclass(eq=False)
class LoginTerminal:
    """A connection during the login: paragraphs out, text lines in."""

    words: Words
    write: Callable[[str], None]
    hide: Callable[[bool], None]
    """Turns the echo off or on."""
    width: int
    """Columns at which lines are wrapped; 0 leaves that to the terminal."""
    ahead: str = field(default="", init=False)
    """Type-ahead."""
    _answer: asyncio.Future[str] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._typing = LineTyping(
            echo=False, write=self.write, line=self._answered, leave=lambda: self._answered(None)
        )

    def say(self, *paragraphs: str) -> None:
        """Show paragraphs, one below the other."""
        self.write(self._broken(paragraphs) + "\r\n")

    async def ask(self, *paragraphs: str) -> str:
        """Show paragraphs, the last of them a question, and return the line that is typed then.

        Raises ``EOFError`` when the connection ends, or the client speaks another protocol.
        """
        self.write(self._broken(paragraphs) + " ")
        self._answer = asyncio.get_running_loop().create_future()
        ahead, self.ahead = self.ahead, ""
        self.feed(ahead)
        return await self._answer

    def feed(self, text: str) -> None:
        """Take typed text."""
        text = _BLANK.sub(" ", text)
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
        """Wrap paragraphs, but for indented ones, which are to be copied."""
        if self.width <= _NARROWEST:
            return "\r\n".join(paragraphs)
        # One column is for the cursor.
        width = self.width - 1
        lines = ((each,) if each.startswith(" ") else wrap(each, width) for each in paragraphs)
        return "\r\n".join(chain.from_iterable(lines))


@dataclass(eq=False)
class ScannerWatch:
    """Tells scanners that look for an open shell from players, by what they type first."""

    _line: str = ""
    _lines: int = 0
    _tried: set[str] = field(default_factory=set)

    def tries_shells(self, text: str) -> bool:
        """Add typed text, and return whether it is a scanner's by now."""
        if self._lines > _FIRST_LINES:
            return False
        *lines, rest = re.split(r"[\r\n]+", self._line + text)
        self._line = rest[:_TYPED_AHEAD]
        self._lines += len(lines)
        self._tried.update(line.strip().lower() for line in lines if is_for_a_shell(line))
        return len(self._tried) > 1 or any(map(_BUSYBOX.match, self._tried))


def is_for_a_shell(line: str) -> bool:
    """Return whether a line is what scanners type after a login."""
    line = line.strip().lower()
    return line in _FOR_A_SHELL or _BUSYBOX.match(line) is not None


async def login(
    terminal: LoginTerminal, server: GameServer, address: str, advice: str, *, encrypted: bool
) -> Login:
    """Ask for the password and a login name; ``advice`` is a command for an encrypted connection.

    Raises ``EOFError`` when the login has failed, for a reason that has been shown.
    """
    words, policy = terminal.words, server.access
    said = [words.t("Turn the Tide, a card game for three to six players.")]
    encrypted_way = [f"  {advice}"] if advice else []
    if policy.keys_only:
        said.append(
            words.t("Only players whose SSH key this server knows may come in: telnet has no keys.")
        )
        if advice:
            said += [words.t("With such a key:"), *encrypted_way]
        server.limiter.refuse(Reason.KEY, address)
        terminal.say(*said)
        raise EOFError
    if not encrypted:
        warning = words.t("This line is not encrypted: others may be able to read it.")
        if advice:
            warning += " " + words.t("Encrypted:")
        said += [warning, *encrypted_way]
    if policy.asks_password:
        await _ask_password(terminal, policy, address, said)
        said = []
    said += notice_lines(server.settings.notice)
    return await _ask_name(terminal, server, address, said)


async def _ask_password(
    terminal: LoginTerminal, policy: AccessPolicy, address: str, said: list[str]
) -> None:
    words = terminal.words
    terminal.hide(True)
    said.append(words.t("Whoever invited you here knows this server's password."))
    for _attempt in range(_MOST_ANSWERS):
        password = await terminal.ask(*said, words.t("Server password:"))
        check = await policy.check_password(password, address)
        terminal.write("\r\n")
        if check.id:
            terminal.hide(False)
            return
        said = [check.refusal(words)]
    terminal.say(*said)
    raise EOFError


async def _ask_name(
    terminal: LoginTerminal, server: GameServer, address: str, said: list[str]
) -> Login:
    words = terminal.words
    others = [words_for(each) for each in languages() if each != words.language]
    said = [*said, " ".join(each.t("In English: NAME+en.") for each in others)]
    question = words.t("Your name, or your rejoin code (Enter for neither, ? for help):")
    for _attempt in range(_MOST_ANSWERS):
        answer = (await terminal.ask(*said, question)).strip()
        word = answer.removeprefix("/")
        verbs = {full_word(word, each) for each in (words, *others)}
        if answer == "?" or Verb.HELP in verbs:
            said = _help(words)
        elif Verb.WHO in verbs:
            lobby = await server.coordinator.lobby_now()
            here = next(lobby_lines(lobby, words)) if lobby.players else words.t("Nobody is here.")
            said = [here]
        elif Verb.QUIT in verbs or word.lower() in _LEAVING:
            terminal.say(words.t("Goodbye."))
            raise EOFError
        elif is_for_a_shell(answer):
            server.limiter.refuse(Reason.SHELL, address)
            said = [words.t(ENDINGS["shell"])]
            if not _BUSYBOX.match(answer):
                hint = words.t(
                    "If that is your name, connect again and type: connect {name}", name=answer
                )
                said.append(hint)
            terminal.say(*said)
            raise EOFError
        elif (sent := _MUD_LOGIN.fullmatch(answer)) is None:
            return login_of(answer)
        elif name := _name_of(sent["named"] or sent["short"] or ""):
            return login_of(name)
        else:
            said = [words.t("Type your name after that, or just your name.")]
    terminal.say(words.t(NO_NAME))
    raise EOFError


def _help(words: Words) -> list[str]:
    return [
        words.t("Type the name that you want to be called by, and press Enter."),
        words.t(
            "After it you can add more: NAME+plain for sentences instead of a full screen,"
            " NAME+LANGUAGE for another language ({languages}), NAME+CODE for the table with that"
            " code, NAME+watch to watch.",
            languages=", ".join(languages()),
        ),
        words.t("Guests come back with the rejoin code that they were given."),
        words.t(
            '"who": who is here; "quit": leave; "connect NAME": for a name that is one of these words.'
            " No password is needed, and one that follows a name is dropped."
        ),
    ]


def _name_of(sent: str) -> str:
    """Return the name in what a MUD client sends after its command."""
    found = _NAME_OF_LOGIN.match(sent)
    return next(filter(None, found.groups()), "").strip() if found else ""


def login_of(answer: str) -> Login:
    """Parse an answer: a rejoin code, perhaps with blanks in it, or a login name."""
    code, plus, suffixes = answer.partition("+")
    if plain_code(code):
        return parse_login(f"+{plain_code(code)}{plus}{suffixes}")
    return parse_login(answer)
