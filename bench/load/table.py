"""Five scripted players at a table of theirs: sitting down, bidding, and how long all five screens take."""

import asyncio
import random
import time
from contextlib import suppress
from typing import Final

from bench.load.lines import Clients
from bench.load.player import PATIENCE, Player

SEATS: Final = 5
_CODE: Final = r"code (?:to join|that invites): ((?:[bdklmnprstvz][aeiou]){4})"
"""The text of the game, and that of an earlier version."""
_UNANSWERED: Final = 2.0
"""Seconds after which a bid is taken for one that could not be made: an eliminated player's."""
_BEFORE: Final = 0.5
"""Seconds before the first bid at which the players move to a card; not all as a stretch begins."""


class Watch:
    """One key press, and the screens that are still to show it."""

    def __init__(self, players: list[Player], *marks: bytes) -> None:
        self.marks: Final = marks
        self.missing: Final = set(players)
        self.wanted: Final = len(players)
        self.seen: Final = asyncio.Event()
        self.last = 0.0
        self.pressed = time.perf_counter()

    def heard(self, player: Player, data: bytes) -> None:
        """Bytes came in on one of the screens."""
        if player in self.missing and any(mark in data for mark in self.marks):
            self.missing.discard(player)
            self.last = max(self.last, player.arrived)
            if not self.missing:
                self.seen.set()


class Table:
    """Five players of the game."""

    marks: tuple[bytes, ...] = ("▐█▌".encode(), b"next round")
    """What a bid adds to every screen: a card face down, or the last round of a stage, if that follows."""
    begun: bytes = b"Choose"
    """What a game that has begun shows on every screen."""
    keys: tuple[str, ...] = ("\r", "   \r")
    """What bids; the second, should something else have been on the screen."""

    def __init__(self, first: int, chance: random.Random) -> None:
        """Players are numbered from ``first``."""
        self.players: Final = [Player(first + seat) for seat in range(SEATS)]
        self.delays: list[float] = []
        """Seconds from a key press to the last byte of the change on the last of the screens."""
        self.unanswered = self.torn = 0
        """Bids that changed nothing (those of eliminated players), or only some of the screens in time."""
        self._chance: Final = chance
        self._watch: Watch | None = None
        self._start = 0.0
        """Where the round began, in rounds from the beginning of the next stretch of playing."""
        self._turn = 0
        self._plan = self._next_round()
        for player in self.players:
            player.heard = self._heard

    async def open(self, clients: Clients) -> str:
        """The first player opens the table; its code."""
        owner = self.players[0]
        owner.look(on=True)
        await owner.come(clients)
        for keys, seen in (("", "You are"), ("l", "lobby"), ("n", "New table")):
            await owner.through(keys, seen)
        owner.press("\x1b[B")
        await owner.through("\x1b[C", r"layers +< +5 +>")
        found = await owner.through("\r", _CODE)
        owner.look(on=False)
        return found[1]

    async def start(self, share: float) -> None:
        """The first round begins, and is played so far that ``share`` of it is over."""
        self._start = -share
        await self._begin()
        self._choose()
        await asyncio.sleep(_BEFORE)
        while self._turn < SEATS and self._plan[self._turn][1] < share:
            await self._bid(self._plan[self._turn][0])
            self._turn += 1

    async def _begin(self) -> None:
        await asyncio.sleep(0.2)
        self._watch = watch = Watch(self.players, self.begun)
        self.players[0].press("\r")
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await watch.seen.wait()
        self._watch = None

    async def play(self, begin: float, seconds: float, rounds: int) -> None:
        """Play a round in each of so many times ``seconds``, from ``begin`` (``time.perf_counter``) on."""
        self.delays, self.unanswered, self.torn = [], 0, 0
        end = begin + rounds * seconds
        start = begin + self._start * seconds
        while True:
            while self._turn < SEATS:
                player, share = self._plan[self._turn]
                at = start + share * seconds
                if at >= end:
                    self._start = (start - end) / seconds
                    await _until(end)
                    return
                await _until(at - min(_BEFORE, (at - begin) / 2))
                if not self._turn:
                    self._choose()
                await _until(at)
                await self._bid(player)
                self._turn += 1
            start += seconds
            self._turn, self._plan = 0, self._next_round()

    def _next_round(self) -> list[tuple[Player, float]]:
        """Draw who bids when, as a share of the round."""
        # The first third of a round is for looking at the last one's reveal.
        return [
            (player, 0.33 + 0.66 * (number + self._chance.random() * 0.6) / SEATS)
            for number, player in enumerate(self._chance.sample(self.players, SEATS))
        ]

    def _choose(self) -> None:
        """Everybody moves to a card, and closes what is still shown, at a stage's end two rounds and its
        results: such a screen would show nothing of the next round. Who is out of the stage has no card, and
        closes them with Space alone.
        """
        for player in self.honest:
            self._move(player)

    def _move(self, player: Player) -> None:
        player.press("   " + self._chance.choice(("\x1b[C", "\x1b[D")))

    @property
    def honest(self) -> list[Player]:
        """Players that are to see what changes here."""
        return [each for each in self.players if not each.bad]

    async def _bid(self, player: Player) -> None:
        if player.lost or player.bad == "flooding" or not self.honest:
            return  # has gone, or bid already, or there is nobody to see it
        for keys in self.keys:
            self._watch = watch = Watch(self.honest, *self.marks)
            player.press(keys)
            with suppress(TimeoutError):
                async with asyncio.timeout(_UNANSWERED):
                    await watch.seen.wait()
            if len(watch.missing) < watch.wanted:
                if not player.bad:
                    self.torn += bool(watch.missing)
                    took = watch.last - watch.pressed
                    self.delays.append(_UNANSWERED if watch.missing else took)
                break
        else:
            self.unanswered += 1
        self._watch = None

    def _heard(self, player: Player, data: bytes) -> None:
        if self._watch is not None:
            self._watch.heard(player, data)


class PeerTable(Table):
    """Sessions on wish or asyncssh alone: those with the same login suffix see each other's keys."""

    keys = ("s",)

    async def open(self, clients: Clients) -> str:
        """Have everybody come in the same way."""
        code = f"t{self.players[0].number}"
        await self.players[0].come(clients, f"+{code}")
        return code

    async def _begin(self) -> None:
        """Do nothing: there is nothing to start."""

    def _move(self, player: Player) -> None:
        player.press("t")  # takes back what ``keys`` did, so that it can be seen again


async def _until(when: float) -> None:
    await asyncio.sleep(max(0.0, when - time.perf_counter()))
