"""All players on one server, in this process."""

import asyncio
import random
import time
from collections.abc import Awaitable, Iterable
from statistics import median
from typing import Final, NamedTuple

import asyncssh

from bench.load.figures import NOTHING, Spread, spread
from bench.load.lines import Clients
from bench.load.player import Player
from bench.load.table import SEATS, PeerTable, Table

BAD_EVERY: Final = 20  # of so many tables one has a nuisance among honest players: 1 % of all
APART_EVERY: Final = 100  # of so many tables one has nobody but nuisances: again 1 %
KINDS_OF_NUISANCES: Final = 3
_APART: Final = 10  # the first of these; it has none of the others


class Heard(NamedTuple):
    """What a stretch of playing was for honest players."""

    delays: Spread = NOTHING
    """Milliseconds from a key press to the last byte of the change on the last screen of the table."""
    frames: int = 0
    payload: int = 0
    """Bytes."""
    unanswered: int = 0
    torn: int = 0
    lost: int = 0
    honest: int = 0

    @classmethod
    def of(cls, rounds: list["Heard"]) -> "Heard":
        """Return all of them; of delays the medians, in which a bad moment of the machine counts once."""
        numbers, *middles = zip(*(each.delays for each in rounds), strict=True)
        sums = (sum(counts) for counts in zip(*(each[1:5] for each in rounds), strict=True))
        return cls._make((Spread(sum(numbers), *map(median, middles)), *sums, *rounds[-1][5:]))


class Crowd:
    """The players on one server."""

    def __init__(self, port: int) -> None:
        self._clients: Final = Clients(port)
        self._chance: Final = random.Random(1)
        self.tables: Final[list[Table]] = []
        self._spent: Final[set[Table]] = set()
        """Tables that have had nuisances."""
        self._next = 0

    @property
    def players(self) -> list[Player]:
        """Players that are seated."""
        return [player for table in self.tables for player in table.players]

    async def knock(self, count: int, at_once: int) -> list[str]:
        """Connect so many players, ``at_once`` at a time, who leave again; what has failed."""
        players = [Player(self._next + number) for number in range(count)]
        self._next += count
        found = await _all((player.come(self._clients) for player in players), at_once)
        for player in players:
            player.leave()
        return found

    async def seat(self, tables: int, who: str = "ours", at_once: int = 16) -> list[str]:
        """Seat players at so many tables of who serves them; what has failed."""
        first = -(-self._next // SEATS) * SEATS
        kind = Table if who == "ours" else PeerTable
        made = [kind(first + number * SEATS, self._chance) for number in range(tables)]
        self._next = first + tables * SEATS
        filled = (self._fill(each, number) for number, each in enumerate(made, len(self.tables)))
        found = await _all(filled, at_once)
        self.tables.extend(made)
        return found

    async def _fill(self, table: Table, number: int) -> None:
        code = await table.open(self._clients)
        for player in table.players[1:]:
            small = any(
                player in _nuisances(table, number - kind, apart)
                for apart in (False, True)
                for kind in range(KINDS_OF_NUISANCES)
            )
            await player.come(self._clients, f"+{code}", small=small)

    async def start(self, seconds: float) -> None:
        """Begin all games, spread over a time; each is then at another point of its round."""

        async def begin(number: int, table: Table) -> None:
            share = number / len(self.tables)
            await asyncio.sleep(seconds * share)
            await table.start(share)

        await asyncio.gather(*(begin(n, table) for n, table in enumerate(self.tables)))

    async def play(self, rounds: int, seconds: float) -> Heard:
        """Play so many rounds at all tables."""
        honest = [player for player in self.players if not player.bad]
        frames, payload = _sent(honest)
        begin = time.perf_counter()
        await asyncio.gather(*(table.play(begin, seconds, rounds) for table in self.tables))
        more_frames, more_payload = _sent(honest)
        played = [table for table in self.tables if table not in self._spent]
        return Heard(
            spread(delay for each in played for delay in each.delays),
            more_frames - frames,
            more_payload - payload,
            sum(each.unanswered for each in played),
            sum(each.torn for each in played),
            sum(player.lost for player in honest),
            len(honest),
        )

    def spoil(self, how: str, kind: int, *, apart: bool) -> int:
        """Make one player in a hundred such a nuisance, the ``kind``-th of all, at tables of their own or
        among others; how many. Each has tables that none had before: afterwards they are in no step with
        their players, and are not measured any more.
        """
        found = [
            player
            for n, table in enumerate(self.tables)
            for player in _nuisances(table, n - kind, apart)
        ]
        for player in found:
            player.turn_bad(how)
        return len(found)

    def mend(self) -> None:
        """Hang up the nuisances."""
        self._spent.update(table for table in self.tables if table.honest != table.players)
        for player in self.players:
            if player.bad:
                player.leave()

    def end(self) -> None:
        """Hang up everybody."""
        for player in self.players:
            player.leave()
        self.tables.clear()


def _sent(players: list[Player]) -> tuple[int, int]:
    return sum(each.frames for each in players), sum(each.payload for each in players)


def _nuisances(table: Table, number: int, apart: bool) -> list[Player]:
    """Choose who becomes a nuisance at the table of that number."""
    if apart:
        return table.players if number % APART_EVERY == _APART else []
    return [] if number % BAD_EVERY else table.players[-1:]


async def _all(work: Iterable[Awaitable[None]], at_once: int) -> list[str]:
    """Do all of it, so many at a time, and return what has failed."""
    turn = asyncio.Semaphore(at_once)
    failed: list[str] = []

    async def one(each: Awaitable[None]) -> None:
        async with turn:
            try:
                await each
            except (OSError, TimeoutError, asyncssh.Error) as error:
                failed.append(f"{type(error).__name__}: {error}")

    await asyncio.gather(*map(one, work))
    return failed
