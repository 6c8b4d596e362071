"""Five scripted players at a table of theirs: sitting down, bidding, and how long all five screens take."""

import asyncio
import random
import re
import time
from collections import Counter
from contextlib import suppress
from typing import Final, NamedTuple

from bench.load.client import Clients
from bench.load.player import Player

SEATS: Final = 5
TELNET_SEAT: Final = 1
TELNET_EVERY: Final = 2
"""At every second table one player has come by telnet: one in ten."""
_CODE: Final = re.compile(r"\b((?:[bdklmnprstvz][aeiou]){4})\b")
_UNANSWERED: Final = 1.0
"""Seconds after which a bid is taken for one that could not be made: an eliminated player's ..."""
_LONGEST: Final = 4.0
"""... or more, up to this, where other bids have taken long as well."""
_BEFORE: Final = 0.5
"""Seconds before the first bid at which the players move to a card."""
_REVEAL: Final = 2.5
"""Seconds after the last bid in which frames belong to the reveal."""
_REPAINT: Final = 5.0
"""Seconds in which a screen is painted anew, or is taken for a wrong one."""
_OWN: Final = 0.25
"""Seconds after an own key in which frames answer it."""


class Watch:
    """One key press, and the screens that are still to show it."""

    def __init__(self, players: list[Player], mark: bytes) -> None:
        self.mark: Final = mark
        self.missing: Final = set(players)
        self.wanted: Final = len(players)
        self.seen: Final = asyncio.Event()
        self.last = 0.0
        self.pressed = time.perf_counter()

    def heard(self, player: Player, data: bytes) -> None:
        """Bytes came in on one of the screens."""
        if player in self.missing and self.mark in data:
            self.missing.discard(player)
            self.last = max(self.last, player.arrived)
            if not self.missing:
                self.seen.set()


class Played:
    """What came of the rounds that a table has played."""

    def __init__(self) -> None:
        self.delays: list[float] = []
        """Seconds from a key press to the last byte of the change on the last of the screens."""
        self.unanswered = 0
        """Bids that changed nothing: those of eliminated players."""
        self.torn = 0
        """Bids that only some of the screens showed in time."""


class Sent(NamedTuple):
    """By the kind of frame: bytes of payload, the same as TCP carries them, and how many frames."""

    payload: Counter[str]
    wire: Counter[str]
    frames: Counter[str]

    @classmethod
    def nothing(cls) -> "Sent":
        """To begin with."""
        return cls(Counter(), Counter(), Counter())

    def add(self, other: "Sent") -> None:
        """And this as well."""
        for mine, more in zip(self, other, strict=True):
            mine.update(more)

    def since(self, before: "Sent") -> "Sent":
        """Without what had been sent ``before``."""
        return Sent(*(now - then for now, then in zip(self, before, strict=True)))


class Turn(NamedTuple):
    """Who bids when, as a share of the round."""

    player: Player
    share: float


class Table:
    """Five players."""

    mark: bytes = "▐█▌".encode()
    """A card face down: what a bid adds to every screen at the table."""
    begun: bytes = b"Choose"
    """What a game that has begun shows on every screen."""
    keys: tuple[str, ...] = ("\r", " \r")
    """What bids; the second, should something else have been on the screen."""
    seats: int = SEATS
    """Of people."""

    def __init__(self, first: int, *, looked_at: bool, chance: random.Random) -> None:
        """Players are numbered from ``first``; only the one who opens the table needs a terminal unless it
        is ``looked_at``.
        """
        self.players: Final = [
            Player(
                first + seat,
                looked_at=looked_at or seat == 0,
                telnet=seat == TELNET_SEAT and not first // SEATS % TELNET_EVERY,
            )
            for seat in range(self.seats)
        ]
        self.looked_at: Final = looked_at
        self.played = Played()
        self._chance: Final = chance
        self._watch: Watch | None = None
        self._slowest = 0.0
        """Seconds that a bid has taken at most."""
        self._revealed = 0.0
        self._moved: dict[Player, float] = {}
        self._start = 0.0
        """Where the round began, in rounds from the beginning of the next stretch of playing."""
        self._turn = 0
        self._plan = self._next_round()
        for player in self.players:
            player.heard = self._heard

    # ------------------------------------------------------------ sitting down

    async def open(self, clients: Clients) -> str:
        """The first player opens the table; its code."""
        owner = self.players[0]
        await owner.come(clients)
        await through(owner, "", "You are")
        await through(owner, "l", "lobby")
        await through(owner, "n", "New table")
        owner.press("\x1b[B")
        await through(owner, "\x1b[C", r"layers +< +5 +>")
        await through(owner, "\r", "code that invites")
        found = _CODE.search(owner.look().text)
        assert found, owner.look().text
        if not self.looked_at:
            owner.screen = None
        return found[1]

    async def join(self, clients: Clients, code: str, seat: int, *, small: bool = False) -> None:
        """Another player takes a seat."""
        await self.players[seat].come(clients, f"+{code}", small=small)

    async def start(self, share: float) -> None:
        """The first round begins, and is played so far that ``share`` of it is over."""
        self._start = -share
        await self._begin()
        self._choose()
        await asyncio.sleep(_BEFORE)
        while self._turn < self.seats and self._plan[self._turn].share < share:
            await self._bid(self._plan[self._turn].player)
            self._turn += 1

    async def _begin(self) -> None:
        await asyncio.sleep(0.2)
        self._watch = watch = Watch(self.players, self.begun)
        self.players[0].press("\r")
        with suppress(TimeoutError):
            async with asyncio.timeout(_REPAINT):
                await watch.seen.wait()
        self._watch = None

    # ------------------------------------------------------------ playing

    async def play(self, begin: float, seconds: float, rounds: int) -> None:
        """Go on for so many times ``seconds``, a round in each, from ``begin`` (``time.perf_counter``) on."""
        self.played = Played()
        end = begin + rounds * seconds
        start = begin + self._start * seconds
        while True:
            while self._turn < self.seats:
                turn = self._plan[self._turn]
                at = start + turn.share * seconds
                if at >= end:
                    self._start = (start - end) / seconds
                    await _until(end)
                    return
                await _until(at - _BEFORE)
                if not self._turn:
                    self._choose()
                await _until(at)
                await self._bid(turn.player)
                self._turn += 1
            self._revealed = time.perf_counter()
            start += seconds
            self._turn, self._plan = 0, self._next_round()

    def _next_round(self) -> list[Turn]:
        # The first third of a round is for looking at the last one's reveal.
        return [
            Turn(player, 0.33 + 0.66 * (number + self._chance.random() * 0.6) / self.seats)
            for number, player in enumerate(self._chance.sample(self.players, self.seats))
        ]

    def _choose(self) -> None:
        """Everybody moves to a card, and closes a reveal that is still held: such a screen would show nothing
        of the next round. Who is out of the stage has no card, and closes it with Space alone.
        """
        for player in self.players:
            if not player.bad:
                self._move(player)

    def _move(self, player: Player) -> None:
        self._moved[player] = time.perf_counter()
        player.press(" " + self._chance.choice(("\x1b[C", "\x1b[D")))

    def _watchers(self, player: Player) -> list[Player]:
        """Who is to see a change that ``player`` makes."""
        return [each for each in self.players if not each.bad]

    async def _bid(self, player: Player) -> None:
        if player.bad == "flooding" or not self._watchers(player):
            return  # has bid already, or there is nobody to see it
        played = self.played
        for keys in self.keys:
            self._watch = watch = Watch(self._watchers(player), self.mark)
            player.press(keys)
            patience = min(_LONGEST, max(_UNANSWERED, 3 * self._slowest))
            try:
                async with asyncio.timeout(patience):
                    await watch.seen.wait()
            except TimeoutError:
                if len(watch.missing) < watch.wanted:
                    if not player.bad:
                        played.torn += 1
                        played.delays.append(patience)  # at least
                    break
            else:
                if not player.bad:
                    delay = watch.last - watch.pressed
                    self._slowest = max(self._slowest, delay)
                    played.delays.append(delay)
                break
        else:
            played.unanswered += 1
        self._watch = None

    def _heard(self, player: Player, data: bytes) -> None:
        if self._watch is not None:
            self._watch.heard(player, data)
        player.count(self._kind(player, data), data)

    def _kind(self, player: Player, data: bytes) -> str:
        now = time.perf_counter()
        if self.mark in data:
            return "a bid"
        if now - self._moved.get(player, 0.0) < _OWN:
            return "an own key"
        if now - self._revealed < _REVEAL:
            return "the reveal"
        return "the clock and the rest"

    # ------------------------------------------------------------ looking at the screens

    async def check(self) -> list[str]:
        """Whether all screens at this table are what a repaint makes of them; what is wrong."""
        wrong = []
        await asyncio.sleep(_REVEAL)
        for player in self.players:
            if player.bad:
                continue
            said = ""
            for _ in range(3):  # a clock may tick in between
                before = player.look().cells()
                drawn = player.packets
                player.press("\x0c")
                with suppress(TimeoutError):
                    async with asyncio.timeout(_REPAINT):
                        while player.packets == drawn:
                            await player.news()
                await asyncio.sleep(0.1)
                if player.packets == drawn:
                    said = "was not painted anew in time"
                    continue
                if before == player.look().cells():
                    break
                said = "is not what a repaint of it shows"
            else:
                wrong.append(f"the screen of {player.name} {said}:\n{player.look().text}")
        return wrong

    def sent(self) -> Sent:
        """To all honest players so far."""
        sent = Sent.nothing()
        for player in self.players:
            if not player.bad:
                sent.add(Sent(player.kinds, player.wires, player.frames))
        return sent


async def through(player: Player, keys: str, seen: str) -> None:
    """Press ``keys``, and wait until ``seen`` is on the screen."""
    player.press(keys)
    await player.sees(lambda text: re.search(seen, text))


async def _until(when: float) -> None:
    await asyncio.sleep(max(0.0, when - time.perf_counter()))
