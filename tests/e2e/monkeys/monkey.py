"""Somebody at a terminal who presses keys, and looks whether what comes of it is as it should be."""

import random
import re
from collections import deque
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Final

from tests.e2e.monkeys.company import APOLOGIES, WORD, Company, Said
from tests.e2e.monkeys.lines import House, Line, Size, Who
from tests.e2e.monkeys.sight import ENTER, ESC, NOTHING, Offer, Sight, look

SIZES: Final[tuple[Size, ...]] = (
    (30, 8), (40, 15), (40, 24), (60, 20), (80, 24), (80, 24), (100, 30), (132, 43), (200, 60), (300, 80),
)  # fmt: skip
_LONGEST_WAIT: Final = 40.0
"""Seconds for which a page may say that it wants a moment."""
_WAY_HOME: Final = 20
"""Keys by which the lobby or the title is reached from anywhere."""
_EXCUSES: Final = (
    "Your {card} is sealed; another card replaces it.",
    "The {card} is sealed.",
    "No game has been finished yet.",
    "You have not finished a game yet.",
    "The game is paused. r goes on.",
)
"""What stands on the screen for as long as it is the reason why a key changes nothing."""


class Gone(Exception):
    """The session is over; what was wanted there is given up."""


@dataclass(frozen=True)
class Seat:
    """At what a monkey sits."""

    who: Who
    line: str = "ssh"
    size: Size = (80, 24)
    suffix: str = ""
    """Of the name it logs in with."""

    @property
    def reads_lines(self) -> bool:
        return "+plain" in self.suffix


class Monkey:
    """``turn`` is entered for each thing it does; in it nobody else does anything, unless the house is a real
    one.
    """

    def __init__(
        self,
        seat: Seat,
        company: Company,
        house: House,
        turn: AbstractAsyncContextManager[object],
        chance: random.Random,
    ) -> None:
        self.seat, self.company, self.house = seat, company, house
        self.chance: Final = chance
        self._turn: Final = turn
        self.line: Line | None = None
        self.sight = Sight((), None, (), 0, (), ())
        self.before = self.sight
        """What there was to see when the last key was pressed."""
        self.done: Final[deque[str]] = deque(maxlen=30)
        """The last keys, and where they were pressed."""
        self.addressed = ""
        """Whom the line that it types is for, as its own keys have it."""
        self.half = ""
        """A word in a line that is not finished ..."""
        self._half_gone = False
        """... and that has been out of sight since."""
        self._waiting = 0.0
        """Since when the page has asked for a moment; 0 when it does not."""
        self._unread = 0
        self._failed = 0
        self.told: set[str] = set()
        """Keys that a help page has told."""
        self.names: Final = company.names
        company.names.append(self.me)

    @property
    def me(self) -> str:
        return self.seat.who.name

    def found(self, kind: str, text: str) -> None:
        """Something is wrong: tell it with the last keys and what is seen."""
        screen = "\n".join(row for row in self.sight.rows if row) or self.unread[-1500:]
        who = f"{self.me}, {self.seat.who.language}, {self.seat.line}{self.seat.suffix}"
        keys = "\n    ".join(self.done)
        self.company.found(kind, f"{text}\n  {who}; the last keys:\n    {keys}\n{screen}")

    # ---------------------------------------------------------------- doing

    async def do(self, what: str, act: Callable[[Line], object], seconds: float = 0.0) -> None:
        """One thing, after which so many seconds pass at least. Raises ``Gone``."""
        async with self._turn:
            line = self.line
            if line is None:
                raise Gone
            self._look()
            if line.ended:
                self._over()
            self.before = self.sight
            self.done.append(f"{self.sight.page or '-':<24} {what}")
            self.company.turns += 1
            act(line)
            await self.house.rest(line, seconds)
            self._look()
            if line.ended:
                self._over()

    def hang_up(self) -> None:
        """Leave nothing behind."""
        if self.line is not None:
            self.line.drop()
        self.line, self.addressed, self.half = None, "", ""

    def _over(self) -> None:
        self.hang_up()
        raise Gone

    async def press(self, keys: str, seconds: float = 0.0) -> None:
        """Press one key, or send what is a paste or a line for a terminal: all at once."""
        recalled = re.search(rf": ({WORD.pattern})$", self.sight.prompt)
        if keys == ENTER and recalled and self.sight.whom and not self.addressed:  # said once more
            self.company.say_again(recalled[1], self.me, self.sight.whom)
        await self.do(repr(keys), lambda line: line.send(keys), seconds)

    async def type(self, text: str) -> None:
        """Character by character."""
        await self.do(f"types {text!r}", lambda line: list(map(line.send, text)))

    async def wait(self, seconds: float = 0.0) -> None:
        """Do nothing for a while."""
        await self.do(f"waits {seconds:g} s", lambda line: None, seconds)

    async def resize(self, size: Size) -> None:
        """Take another window."""
        await self.do(f"resizes to {size}", lambda line: line.resize(size), 0.6)

    async def come(self, suffix: str = "") -> None:
        """Connect, perhaps while an earlier line is still there. Whoever comes gets something to see before
        the first key.
        """
        who, seat = self.seat.who, self.seat
        login = f"{who.name}+{who.language}{seat.suffix}{suffix}{who.back and f'+{who.back}'}"
        async with self._turn:
            self.done.append(f"{'':<24} comes as {login}")
            self.company.turns += 1
            old, self.line = self.line, await self.house.connect(who, login, seat.line, seat.size)
            if old is not None:
                old.drop()
            self._unread, self._waiting = 0, 0.0
            self._look()
            blank = not self.sight.text if not seat.reads_lines else not self.unread.strip()
            if blank and not self.line.ended:
                await self.house.rest(self.line, 3 * self.house.patience)
                self._look()
                if not (self.sight.text or self.unread.strip()):
                    self.found("blank", f"{self.me} has come and sees nothing")
            if not self.line.ended:
                self._failed = 0
                return
            self._failed += 1
            if self._failed > 1:  # what keeps this one out is known by now
                name = f"{who.name.rstrip('0123456789')}{self.company.turns}"
                self.names[self.names.index(self.me)] = name
                fresh = replace(who, name=name, seed=self.chance.randbytes(32), back="")
                self.seat = replace(seat, who=fresh)
        self._over()

    async def drop(self) -> None:
        """Have the line cut."""
        await self.do("drops", lambda line: None)
        self.hang_up()

    # ---------------------------------------------------------------- keys that are offered

    async def take(self, *texts: str) -> bool:
        """Press the key that is said to do one of these, if there is one."""
        offer = self.sight.offers(*texts)
        if offer is not None:
            await self.try_out(offer)
        return offer is not None

    async def try_out(self, offer: Offer) -> None:
        """Press what is offered. It changes the picture, or the screen says why not."""
        self.company.tried[self.sight.page, offer] += 1
        for again in (False, True):
            if again:
                await self.press(NOTHING)  # what was said before may be said again
                if offer not in (*self.sight.footer, *self.sight.answers):
                    return
            for keys in offer.presses:
                await self.press(keys, 0.0 if not again else 1.0)
                if self.sight != self.before:
                    return
        if not self.sight.says_why and not any(map(self.sight.says, _EXCUSES)):
            said = f"{offer.key!r} is said to do {offer.label!r} and does nothing"
            self.found(f"dead key: {self.sight.page}: {offer.key} {offer.label}", said)

    async def go_home(self) -> bool:
        """To the lobby or the title, by keys that are shown."""
        for _ in range(_WAY_HOME):
            if not self.sight.footer:
                return False  # too small, or lines
            if self.sight.title or (self.sight.lobby and not self.sight.offers("done", "say it")):
                return True
            offer = self.sight.offers("To the lobby", "Give the game up, to the lobby", "No")
            if offer is None or not self.sight.question:
                ways_out = [one for one in self.sight.footer if one.key == "Esc"]
                offer = (ways_out or self.sight.footer)[-1]
            await self.press(offer.presses[0], 1.0)
        if self.sight.footer and not self.sight.lobby and not self.sight.title:
            self.found(f"no way home: {self.sight.page}", "the shown keys do not lead home")
        return False

    # ---------------------------------------------------------------- looking

    @property
    def unread(self) -> str:
        """What has come since the last look."""
        return self.line.terminal.heard[self._unread :] if self.line is not None else ""

    def read(self) -> str:
        """The same, which is read then."""
        text = self.unread
        self._unread += len(text)
        return text

    def _look(self) -> None:
        assert self.line is not None
        screen = self.line.terminal.screen
        if self.seat.reads_lines:
            text = " ".join(self.unread.split())
            lines = self.unread.splitlines()
        else:
            if not screen.dirty and self.sight.rows:
                return
            screen.dirty.clear()
            self.sight = look(screen)
            text, lines = self.sight.text, list(self.sight.rows)
            if self.sight.cursor:  # what is being typed is nobody's line
                del lines[self.sight.cursor[1]]
            self.told.update(key for offer in self.sight.told for key in offer.presses)
            self._look_at_lines_typed()
        self.company.seen(self.sight)
        if not self.seat.who.keyed and (
            code := re.search(rf"{self.me}\d*\+([a-z0-9-]{{14}})\b", text)
        ):
            self.seat.who.back = code[1]
        for apology in APOLOGIES:
            if apology in text:
                self.found("an apology", f"the server apologizes: {apology}")
        for each in lines:
            if wrong := self.company.heard(self.me, each):
                self.found("a line that went elsewhere", wrong)

    def _look_at_lines_typed(self) -> None:
        sight, now = self.sight, self.company.now()
        if self.addressed and sight.whom not in ("", self.addressed):
            if not sight.says("You are somewhere else now: check who reads this."):
                said = f"begun for {self.addressed}, and now it is for {sight.whom}"
                self.found("a line changed whom it is for", said)
            self.addressed = sight.whom
        if self.half:
            seen = any(self.half in row for row in sight.rows)
            if seen and self._half_gone:
                self.found("half a line came back", f"{self.half} is there again")
                self.half = ""
            self._half_gone = not seen
        if not sight.says("One moment..."):
            self._waiting = 0.0
        elif not self._waiting:
            self._waiting = now
        elif now - self._waiting > _LONGEST_WAIT:
            self.found(f"waits for ever: {sight.page}", f"for {now - self._waiting:.0f} s")

    def begins_half_a_line(self, word: str) -> None:
        """It has typed this, and does not finish it."""
        self.half, self._half_gone = word, False

    async def says(self, word: str) -> None:
        """Press Enter below a line with this word in it, which is then said to whom the prompt named."""
        await self.press(ENTER)
        if self.sight.whom and word in self.sight.prompt:  # it is asked whether that is meant
            self.company.said[word] = Said(self.me, self.sight.whom)
            self.addressed = self.sight.whom
            await self.press(ENTER)
        self.addressed = ""

    async def escape(self) -> None:
        """Out of a line, or whatever is open."""
        self.addressed = self.half = ""
        await self.press(ESC)
