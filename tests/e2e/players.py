"""Players who come over real SSH, know only their screens, and note what the server acknowledged."""

import asyncio
import random
import re
import time
from collections.abc import Callable
from typing import Any

import asyncssh

from tests.support.clients import Screen, connect
from tests.support.patience import PATIENCE

HEAD = re.compile(r"stage (\d+)/\d+ . round (\d+)/")
SEALED = re.compile(r"(?:Your|The) (\d+) is sealed")
CODE = re.compile(r"code to join: (\w+)")
CALLED = re.compile(r"You are (?!watching)(\S+)\.$", re.MULTILINE)
WAY_BACK = re.compile(r"(\S+): log in as this to come back")

_SHORT = "\x1b[B\x1b[B\x1b[D\x1b[D\r"
"""Makes a table for a game of two stages of the form for a new one."""
_SETTLED = 0.02
"""Seconds without news after which a screen is believed."""
_QUIET = 0.4
"""Seconds without news after which a player does something all the same."""


class Player:
    """Plays one game, over as many connections as it takes."""

    def __init__(self, name: str, key: asyncssh.SSHKey | None, chance: random.Random) -> None:
        self.name = name
        self.login = name
        """What to log in as; a guest's code comes to it."""
        self.sealed: dict[tuple[int, int], set[int]] = {}
        """Every card that the server has said is sealed, by stage and round from 0."""
        self.rounds: set[tuple[int, int]] = set()
        """Those in which the own hand was shown."""
        self._asked: tuple[int, int] | None = None
        """The round for which a bid is on the way."""
        self.over = False
        self.visits = 0
        self.address = "127.0.0.1"
        self.ends: list[float] = []
        """When a connection has ended."""
        self.seen = ""
        """The screen as it was last looked at."""
        self.lost: list[str] = []
        """What did not survive; a test wants it empty."""
        self._opened = False
        self._pressed = ""
        """On the way to the table, the last time."""
        self._key = key
        self._chance = chance

    async def stay(self, port: Callable[[], int], table: "Table") -> None:
        """Play until the game is over, coming back whenever the line drops."""
        while not self.over:
            visits = self.visits
            await self.visit(port(), table)
            if self.visits > visits and not self.over:
                self.ends.append(time.monotonic())
            await asyncio.sleep(_SETTLED)

    async def visit(self, port: int, table: "Table") -> None:
        """Come in and play, until the line drops or the game is over."""
        try:
            keys = [self._key] if self._key else []
            here = (self.address, 0)
            async with connect(
                port, self.login, keys, login_timeout=PATIENCE, local_addr=here
            ) as client:
                screen = Screen()
                channel, _ = await client.create_session(
                    lambda: screen, term_type="xterm-kitty", term_size=(80, 24), encoding=None
                )
                self.visits += 1
                await self._play(channel, screen, table)
        except (OSError, asyncssh.Error):
            return

    async def _play(self, channel: Any, screen: Screen, table: "Table") -> None:
        first = True
        self._opened, self._asked, self._pressed = False, None, ""
        while not self.over and not screen.closed:
            quiet = not await screen.news(_QUIET)
            while await screen.news(_SETTLED):
                if screen.closed:
                    return
            self.seen = text = screen.text
            if first and (found := HEAD.search(text)):
                first = False
                self._check_return(text, (int(found[1]) - 1, int(found[2]) - 1))
            keys = self._answer(text, table, quiet)
            if keys and not screen.closed:
                channel.write(keys.encode())

    def _answer(self, text: str, table: "Table", quiet: bool) -> str:
        """What to press, seeing this; ``quiet`` when it has been there for a while."""
        if "Final standings" in text:
            self.over = True
            return ""
        if "Space shows the standings" in text or "You get the hand" in text:
            return " "
        if "Press Space to go on" in text or "Space next" in text:
            return " "
        if "A bot bids for you" in text:
            self.lost.append(f"{self.name}: a bot has bid")
            return "h"
        if (head := HEAD.search(text)) and "your hand" in text:
            when = int(head[1]) - 1, int(head[2]) - 1
            self.rounds.add(when)
            return self._bid(text, when, quiet)
        keys = self._sit_down(text, table, quiet)
        # What has been pressed and is not answered yet would be pressed on the next screen, and mean
        # something else there.
        again, self._pressed = keys == self._pressed, keys
        return keys if quiet or not again else ""

    def _bid(self, text: str, when: tuple[int, int], quiet: bool) -> str:
        if sealed := SEALED.search(text):
            new = int(sealed[1]) not in self.sealed.setdefault(when, set())
            self.sealed[when].add(int(sealed[1]))
            # Now and then another card: a bid may be replaced until the reveal.
            return self._chosen(text, when, 0.2) if new or quiet else ""
        if "hoose a card" in text:
            return self._chosen(text, when, 1.0) if quiet or self._asked != when else ""
        # Something else is said in that place; a key wipes it away.
        return "h" if quiet else ""

    def _chosen(self, text: str, when: tuple[int, int], likely: float) -> str:
        """Type some card's number and bid it."""
        hand = next(row for row in text.split("\n") if "your hand" in row)
        cards = re.findall(r"\d+", hand)
        if not cards or self._chance.random() >= likely:
            return ""
        self._asked = when
        return f"{self._chance.choice(cards)}\r"

    @property
    def begun(self) -> bool:
        """Whether a bid was made. Who bids last in every round never hears that a bid is sealed."""
        return self._asked is not None or bool(self.sealed)

    def _check_return(self, text: str, now: tuple[int, int]) -> None:
        """Back after a kill: what was sealed in this round must still be, or have been replaced since."""
        if now in self.sealed and SEALED.search(text) is None and "hoose a card" in text:
            self.lost.append(f"{self.name}: the bid of {now} is gone")
        ahead = [when for when in self.sealed if when > now]
        if ahead:
            self.lost.append(f"{self.name}: back in {now}, was in {max(ahead)}")

    def _sit_down(self, text: str, table: "Table", quiet: bool) -> str:
        if found := CALLED.search(text):
            # Not as wanted, where a kill came between being let in and learning one's code.
            self.name = found[1]
        if found := WAY_BACK.search(text):
            self.login = found[1]
        if "play at once, against bots" in text:
            return "l"
        if "Log of this stage" in text:  # that key, pressed once more at the table
            return "\x1b"
        if "New table" in text:
            # Once: a second Enter could start the table that the first one has opened. If that came to
            # nothing, as when the coordinator died, all begins again.
            keys = _SHORT if not self._opened else "\x1b" if quiet else ""
            self._opened = keys != "\x1b"
            return keys
        if found := CODE.search(text):
            return self._wait(text, found[1], table)
        if "code of the table" in text:
            return f"{table.code}\r" if table.code else "\x1b"
        if "Lobby" in text.split("\n", maxsplit=1)[0]:
            if table.players[0] is self:
                return "n" if not table.code else ""
            return "c" if table.code else ""
        return ""

    def _wait(self, text: str, code: str, table: "Table") -> str:
        table.code = code
        here = all(player.name in text for player in table.players)
        return "\r" if table.players[0] is self and here else ""


class Table:
    """Players who play one game together."""

    def __init__(self, number: int, chance: random.Random) -> None:
        self.number = number
        self.code = ""
        self.players = [
            # One with a key, one who has only the code to come back with.
            Player(f"key{number}", asyncssh.generate_private_key("ssh-ed25519"), chance),
            Player(f"code{number}", None, chance),
        ]

    @property
    def over(self) -> bool:
        return all(player.over for player in self.players)

    async def visit(self, port: int) -> None:
        """Everybody who has not seen the end comes in, and comes back as long as the server is up."""
        await asyncio.gather(
            *(player.visit(port, self) for player in self.players if not player.over)
        )
