"""How the commands of line mode answer: sentences to a terminal, a screen at a time where they are many."""

import asyncio
import re
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from server.coordinator.clock import Clock
from server.coordinator.messages import TableSnapshot
from server.coordinator.ports import Visit
from server.linemode.paging import Pager
from server.linemode.replay import PastGames
from server.session.account import Account
from server.session.client import SessionClient
from server.session.settings import Verbosity
from server.storage.store import StoreError
from server.terminal.capabilities import Capabilities, Terminal
from server.terminal.drawing.frame import text_width
from server.terminal.drawing.text_layout import wrap
from server.terminal.keys.line_input import LineTyping
from server.terminal.output_budget import Budget

HANGING: Final = "  "
"""What the second and later lines of a sentence begin with."""

_CONTROL: Final = re.compile(r"[\x07\x1b]")


class LineContext(SessionClient):
    """The client, and how to answer. Only ``session.py`` makes one."""

    _typing: LineTyping

    def __init__(
        self,
        terminal: Terminal,
        visit: Visit,
        clock: Clock,
        account: Account | None,
        abilities: Capabilities | None,
        budget: Budget | None,
    ) -> None:
        super().__init__(visit.player, clock, abilities or terminal.abilities, account, visit)
        self.reading: Final = Pager()
        """What is left of the last long answer."""
        self.past: Final = PastGames()
        """The games that are over, as this player has asked for them."""
        self.question: Callable[[], None] | None = None
        """What ``yes`` would do."""
        self.spectators_told = ""
        """The table at which it has been told that only spectators hear this one."""
        self.wants_other = False
        """The player asked for the full screen; the session has ended for that."""
        self._terminal: Final = terminal
        self._budget: Final = budget or Budget()
        self._over: Final = asyncio.Event()
        self._unsaid: list[str] | None = None
        self._missed = False
        self._telling = False
        """What is said now is news, and no answer."""

    @property
    def here(self) -> TableSnapshot:
        """The table where the player is, for commands that are carried out only at one."""
        assert self.table is not None
        return self.table

    @property
    def seen(self) -> TableSnapshot:
        """The table that is asked about: while a game is told again, that of the replay."""
        return self.past.table or self.here

    @property
    def talk(self) -> Verbosity:
        """How much is said unasked."""
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
        typed, before = self._typing.pending, ""
        if typed:
            blank = "\x1b[K" if self._terminal.abilities.cursor else " " * text_width(typed) + "\r"
            before = f"\r{blank}"
        shown = (part for line in lines for part in self._broken(line))
        text = before + "".join(f"{line}\r\n" for line in shown) + typed
        self._terminal.write(text)
        if not self._telling:
            self._budget.charge(text)

    def _broken(self, line: str) -> tuple[str, ...]:
        """``line`` as it fits the terminal. One that shows by itself what is typed breaks lines by itself,
        or is no terminal but a program, such as a MUD client.
        """
        text = _CONTROL.split(line, maxsplit=1)[0]
        if self._terminal.abilities.echoes or text_width(text) <= self.width:
            return (line,)
        # Hanging, so that nothing that somebody says can begin a line as if the server said it.
        *first, last = wrap(text, self.width, HANGING)
        # What calls the player back to the table follows the sentence, and is not for reading.
        return (*first, last + line[len(text) :])

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
        self.reading.begin(lines, then)
        self.read_on()

    def read_on(self) -> None:
        """Say what comes next of it."""
        self.say(*self.reading.go_on(self._terminal.size, self.words))

    def fetch(self, load: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do what has to ask the database first."""

        async def fetched() -> None:
            try:
                await load()
            except StoreError:
                self.say(self.words.t("That could not be read just now: try again later."))

        self.spawn(fetched())

    def ask(self, question: str, then: Callable[[], None]) -> None:
        """Ask something; ``yes`` does it."""
        self.question = then
        self.say(question)

    def end(self, *lines: str) -> None:
        """Say the last words, and leave."""
        self.say(*lines)
        self.done = True
        self._over.set()

    def goodbye(self) -> None:
        """Leave because the player wants to."""
        self.end(self.words.t("Goodbye, {name}.", name=self.player.name))

    def show_screen(self) -> None:
        """End this session for the full screen."""
        self.wants_other = True
        self.set_abilities(lines=False)
        self.end()
