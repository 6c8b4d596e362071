"""How the commands of line mode answer: sentences to a terminal, a screen at a time where they are many."""

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Final

from typing_extensions import override

from server.coordinator.messages import TableSnapshot
from server.linemode.narration import LineReplay
from server.session.client import SessionClient, Visitor
from server.session.learning import Puzzle, Puzzles
from server.session.preferences import Verbosity
from server.session.sharing import GameList
from server.terminal.capabilities import Terminal
from server.terminal.drawing.frame import text_width, wrap
from server.terminal.keys.line_input import LineTyping

HANGING: Final = "  "
"""What the second and later lines of a sentence begin with."""

_LEAST: Final = 5
"""Rows of a piece of a long answer, however small the screen."""

_CONTROL: Final = re.compile(r"[\x07\x1b]")


class LineContext(SessionClient):
    """The client, and how to answer. Only ``session.py`` makes one."""

    _typing: LineTyping

    def __init__(self, terminal: Terminal, who: Visitor) -> None:
        super().__init__(who)
        self._unread: Sequence[str] = ()
        """What is left of the last long answer."""
        self._after_it: Callable[[], None] | None = None
        """Fetches what comes after that."""
        self.games = GameList()
        """The list told last: games are called by their numbers in it, from 1."""
        self.replay: LineReplay | None = None
        """The game that is told again."""
        self.question: Callable[[], None] | None = None
        """What ``yes`` would do."""
        self.puzzles: Puzzles | None = None
        self.puzzle: Puzzle | None = None
        """The one that is to be answered."""
        self.spectators_told = ""
        """The table at which it has been told that only spectators hear this one."""
        self.wants_other = False
        """The player asked for the full screen; the session has ended for that."""
        self._terminal: Final = terminal
        self._over: Final = asyncio.Event()
        self._unsaid: list[str] | None = None
        self._missed = False

    @property
    def here(self) -> TableSnapshot:
        """The table where the player is, for commands that are carried out only at one."""
        assert self.table is not None
        return self.table

    @property
    def seen(self) -> TableSnapshot:
        """The table that is asked about: while a game is told again, that of the replay."""
        return self.replayed or self.here

    @property
    def replayed(self) -> TableSnapshot | None:
        """The table of the game that is told again, at this moment."""
        return self.replay.now() if self.replay is not None else None

    @property
    def talk(self) -> Verbosity:
        """Amount that is said unasked."""
        return Verbosity(self.preferences.talk)

    @property
    def width(self) -> int:
        """Columns of a line, with one left for the cursor."""
        return self._terminal.size.columns - 1

    def say(self, *lines: str) -> None:
        """Write lines, all in one piece."""
        lines = tuple(line for line in lines if line)
        if not lines:
            return
        if self._unsaid is not None:
            self._unsaid += lines
            return
        if not self._terminal.writable:
            self._missed = True
            return
        said = "".join(f"{part}\r\n" for line in lines for part in self._broken(line))
        self._terminal.write(self._typing.taken_away + said + self._typing.pending)

    def say_not_listed(self, word: str) -> None:
        """Say why a list follows, if there is such a ``word``."""
        if word:
            self.say(self.words.t('"{word}" is not one of these:', word=word))

    def _broken(self, line: str) -> tuple[str, ...]:
        """``line`` as it fits the terminal, if lines are to be broken for it."""
        text = _CONTROL.split(line, maxsplit=1)[0]
        wraps = self._terminal.abilities.wraps or self.abilities.reader
        if wraps or text_width(text) <= self.width:
            return (line,)
        # Hanging, so that nothing that somebody says can begin a line as if the server said it.
        *first, last = wrap(text, self.width, HANGING)
        # What calls the player back to the table follows the sentence, and is not for reading.
        return (*first, last + line[len(text) :])

    @override
    def together(self, work: Callable[[], None]) -> None:
        """Everything said by ``work`` leaves as one write."""
        self._unsaid = []
        try:
            work()
        finally:
            said, self._unsaid = self._unsaid, None
            self.say(*said)

    def read(self, lines: Sequence[str], then: Callable[[], None] | None = None) -> None:
        """Say a long answer a screen at a time; ``then`` fetches what comes after it."""
        self._unread, self._after_it = lines, then
        self.read_on()

    def read_on(self) -> bool:
        """Say what comes next of it, or have that fetched. False when nothing was left of it."""
        words, size = self.words, self._terminal.size
        if not self._unread:
            then, self._after_it = self._after_it, None
            if then is not None:
                then()
            return then is not None
        room, said = max(_LEAST, size.rows - 2), 0
        for line in self._unread:
            room -= max(1, -(-text_width(line) // size.columns))
            if room < 0 and said:
                break
            said += 1
        piece, self._unread = self._unread[:said], self._unread[said:]
        more = words.t('There is more: type "more", or press Enter.') if self._after_it else ""
        if count := len(self._unread):
            more = words.n(
                '{count} more line: type "more", or press Enter.',
                '{count} more lines: type "more", or press Enter.',
                count,
            )
        self.say(*piece, more)
        return True

    @override
    def complain(self, why: str) -> None:
        self.say(why)

    def ask(self, question: str, then: Callable[[], None]) -> None:
        """Ask something; ``yes`` does it."""
        self.question = then
        self.say(question)

    def end(self, *lines: str) -> None:
        """Say the last words, and leave."""
        self.say(*lines)
        self.done = True
        self._over.set()

    @override
    def leave(self) -> None:
        self.end()

    def goodbye(self) -> None:
        """Leave because the player wants to."""
        self.end(self.words.t("Goodbye, {name}.", name=self.player.name))
