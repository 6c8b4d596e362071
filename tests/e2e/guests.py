"""People who come to a club evening, and those of them who read lines."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import asyncssh

from tests.support.clients import connect
from tests.support.patience import PATIENCE

if TYPE_CHECKING:
    from tests.e2e.evening import Evening

CODE: Final = re.compile(r"code (\w+)[,.:]")
_HAND: Final = re.compile(r"Your hand: ([\d ]+)\.")
_OVER: Final = "Standings: "
_ROUND: Final = re.compile(r"^Round (\d+): tides", re.MULTILINE)

PAUSE: Final = 6.0
"""Seconds between two words of one person, on average: the house lets nobody say more for long."""
SECRET: Final = "hazelnut"
"""The invitation word of the private table."""
MIDDLE: Final = range(2, 8)
"""Rounds in which a game is surely not over before a word arrives."""

_NEW: Final = {
    "open": "new 4 players 2 stages untimed",
    "rated": "new 4 players 4 stages untimed rated",
    "private": "new 3 players 1 stage untimed",
}


class Guest:
    """Somebody at a place (a table, or ``lobby``), with or without a seat."""

    reads_all = True

    def __init__(self, evening: "Evening", name: str, place: str, *, seated: bool = True) -> None:
        self.evening: Final = evening
        self.name: Final = name
        self.place: Final = place
        self.seated: Final = seated and place != "lobby"
        self.here = False
        """At the place."""
        self.knows = False
        """Was told the invitation word, or tried it."""
        self.round = 0
        """Of the game that goes on; 0 between games."""
        self.bids = 0
        self.games = 0
        self.key: Final = asyncssh.generate_private_key("ssh-ed25519")

    @property
    def read(self) -> str:
        """Everything that this person was shown."""
        raise NotImplementedError

    def read_during(self, game: int) -> str:
        """What this person was shown until that game was over, counted from 0; rather less than more."""
        raise NotImplementedError

    async def come(self) -> None:
        """Stay until the evening is over."""
        raise NotImplementedError

    @asynccontextmanager
    async def connected(self, *command: str) -> AsyncIterator[asyncssh.SSHClientProcess[str]]:
        """Over ssh, with a key of one's own and without a terminal."""
        async with connect(self.evening.port, self.name, [self.key]) as client:
            yield await client.create_process(*command, encoding="utf-8", errors="replace")

    @property
    def owner(self) -> bool:
        """The first who was to sit at a table opens it."""
        first = next(
            guest for guest in self.evening.guests if guest.place == self.place and guest.seated
        )
        return first is self

    def full(self) -> bool:
        """Whether everybody has come to whom a seat at this place was promised."""
        wanted = [guest for guest in self.evening.guests if guest.place == self.place]
        return all(guest.here for guest in wanted if guest.seated)

    def others(self, *, seated: bool | None = None) -> "list[Guest]":
        """Everybody of this place, also who is still to come and is told what was said before."""
        return [
            guest
            for guest in self.evening.guests
            if guest.place == self.place and seated in (None, guest.seated)
        ]

    def something_to_say(self) -> tuple[str, str]:
        """The verb of line mode, and what follows it; for a direct word the name as well."""
        evening = self.evening
        others = [
            guest
            for guest in evening.guests
            if guest is not self and guest.here and not (guest.place == "rated" and guest.seated)
        ]
        rated_player = self.place == "rated" and self.seated
        if others and not rated_player and evening.chance.random() < 0.25:
            to = evening.chance.choice(others)
            return "tell", f"{to.name} {evening.word(self, [to], [])}"
        if self.place == "lobby":
            return "say", evening.word(self, evening.at("lobby"), evening.guests)
        if self.place == "rated" and not self.seated:
            played = [guest for guest in evening.at("rated", seated=True) if guest.reads_all]
            if not all(guest.round in MIDDLE for guest in played):
                return "", ""
            return "say", evening.word(
                self,
                evening.at("rated", seated=False),
                self.others(seated=False),
                game=max(guest.games for guest in played),
            )
        return "say", evening.word(self, evening.at(self.place), self.others())


class LineGuest(Guest):
    """Reads sentences over ssh without a terminal, and knows nothing else."""

    def __init__(self, evening: "Evening", name: str, place: str, *, seated: bool = True) -> None:
        super().__init__(evening, name, place, seated=seated)
        self._read: Final[list[str]] = []
        self._unread = ""
        self._news: Final = asyncio.Event()
        self._asked = False

    @property
    def read(self) -> str:
        return "".join(self._read)

    def read_during(self, game: int) -> str:
        return "".join(self.read.split(_OVER)[: game + 1])

    async def come(self) -> None:
        """Stay until the evening is over."""
        async with self.connected() as process:
            listening = asyncio.create_task(self._listen(process))
            try:
                await asyncio.gather(self._play(process), self._talk(process))
                process.stdin.write("quit\nyes\n")
                async with asyncio.timeout(PATIENCE):
                    await process.wait_closed()
            finally:
                listening.cancel()

    async def _listen(self, process: asyncssh.SSHClientProcess[str]) -> None:
        while text := await process.stdout.read(65536):
            self._read.append(text)
            self._unread += text
            self._news.set()

    async def _talk(self, process: asyncssh.SSHClientProcess[str]) -> None:
        while not await passed(self.evening.quiet, self.evening.chance.expovariate(1 / PAUSE) + 1):
            if self.here:
                verb, words = self.something_to_say()
                if verb:
                    process.stdin.write(f"{verb} {words}\n")

    async def _play(self, process: asyncssh.SSHClientProcess[str]) -> None:
        while not self.evening.over.is_set():
            for line in self._to_type():
                if line.isdecimal():
                    await passed(self.evening.over, self.evening.chance.uniform(0.5, 2.0))
                process.stdin.write(f"{line}\n")
            try:
                async with asyncio.timeout(0.5):
                    await self._news.wait()
            except TimeoutError:
                continue
            self._news.clear()

    def _to_type(self) -> list[str]:
        heard, self._unread = self._unread, ""
        if not self.here:
            return self._go(heard)
        if not self.seated:
            return []
        rounds = list(_ROUND.finditer(heard))
        # The last card of a hand is bid by itself, so a game may end in one breath.
        if heard.rfind(_OVER) > (rounds[-1].start() if rounds else -1):
            self.round, self.games, self._asked = 0, self.games + 1, False
            return ["again"]
        if rounds:
            self.round, self._asked = int(rounds[-1][1]), True
            return ["hand"]
        if self._asked and (hand := _HAND.findall(heard)):
            self._asked = False
            self.bids += 1
            return [self.evening.chance.choice(hand[-1].split())]
        if self.owner and not self.round and not self.games and self.full():
            return ["start"]
        return []

    def _go(self, heard: str) -> list[str]:
        """On the way to the place."""
        evening = self.evening
        if self.place == "lobby":
            self.here = " here: " in self.read
            return [] if self.here else ["lobby"]
        if self.seated and self.owner:
            if found := CODE.search(self.read):
                evening.codes[self.place], self.here = found[1], True
                self.knows = self.place == "private"
                return [f"private {SECRET}"] if self.knows else []
            return [_NEW[self.place]] if not self._asked and self._set_asked() else []
        code = evening.codes.get(self.place)
        if code is None:
            return []
        self.here = code in heard and "Table " in heard
        if self.here:
            self._asked = False
            return []
        self.knows = self.place == "private"
        word = f" {SECRET}" if self.knows else ""
        return [f"{'join' if self.seated else 'watch'} {code}{word}"]

    def _set_asked(self) -> bool:
        self._asked = True
        return True


async def passed(event: asyncio.Event, seconds: float) -> bool:
    """Wait so long at most; whether it has happened."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True
