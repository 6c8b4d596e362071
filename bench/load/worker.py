"""One process full of players, told what to do by lines of JSON: ``python -m bench.load.worker``.

It answers each line with one. Its garbage collector is off: its pauses would be taken for the server's.
"""

import asyncio
import gc
import json
import logging
import os
import random
import resource
import sys
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import asyncssh

from bench.load.bot_table import ExpertTable, MasterTable
from bench.load.client import Clients, Where
from bench.load.peer_table import EchoTable, StockTable
from bench.load.player import Player
from bench.load.table import SEATS, Sent, Table

BAD_EVERY: Final = 20
"""Of so many tables one has a nuisance among honest players: one player in a hundred."""
APART_EVERY: Final = 100
"""Of so many tables one has nobody but nuisances: again one player in a hundred."""
KINDS_OF_NUISANCES: Final = 3
_APART: Final = 10
"""The first of these; it has none of the others."""


KINDS: Final[dict[str, type[Table]]] = {
    "tide": Table,
    "expert": ExpertTable,
    "master": MasterTable,
    "echo": EchoTable,
    "stock": StockTable,
    "wish": StockTable,
}


class Worker:
    """See the module."""

    def __init__(self, cores: list[int], where: dict[str, Any]) -> None:
        os.sched_setaffinity(0, cores)
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        logging.getLogger("asyncssh").setLevel(logging.CRITICAL)
        self._clients: Final = Clients(Where(**where))
        self._tables: list[Table] = []
        self._spent: set[Table] = set()
        """Those that have had nuisances."""
        self._chance: Final = random.Random(1)

    async def knock(self, first: int, count: int, at_once: int) -> dict[str, Any]:
        """Connect so many players as fast as it goes, ``at_once`` at a time; they leave again."""
        players = [Player(first + number) for number in range(count)]
        begin = time.perf_counter()
        failed = await self._all([self._come(player) for player in players], at_once)
        took = time.perf_counter() - begin
        for player in players:
            player.leave()
        return {"seconds": took, "first_frames": _first_frames(players), "failed": failed}

    async def seat(
        self, first: int, tables: int, looked_at: int, at_once: int, kind: str = "tide"
    ) -> dict[str, Any]:
        """Seat players at so many tables; the screens of the first ``looked_at`` tables are looked at."""
        begin = time.perf_counter()
        make = KINDS[kind]
        made = [
            make(first + number * SEATS, looked_at=number < looked_at, chance=self._chance)
            for number in range(tables)
        ]
        failed = await self._all([self._fill(table, n) for n, table in enumerate(made)], at_once)
        took = time.perf_counter() - begin
        self._tables += made
        gc.collect()
        gc.freeze()
        players = [player for table in made for player in table.players]
        return {
            "seconds": took,
            "first_frames": _first_frames(players),
            "failed": failed,
            "telnet": sum(player.telnet for player in players),
        }

    async def start(self, seconds: float) -> dict[str, Any]:
        """Begin all games, spread over a time; each is then at another point of its round."""

        async def begin(number: int, table: Table) -> None:
            share = number / len(self._tables)
            await asyncio.sleep(seconds * share)
            await table.start(share)

        await asyncio.gather(*(begin(n, table) for n, table in enumerate(self._tables)))
        return {}

    async def play(self, rounds: int, seconds: float) -> dict[str, Any]:
        """Everybody plays so many rounds."""
        before = self._sent()
        begin = time.perf_counter()
        await asyncio.gather(*(table.play(begin, seconds, rounds) for table in self._tables))
        sent = self._sent().since(before)
        played = [table.played for table in self._tables if table not in self._spent]
        honest = sum(not player.bad for player in self._players)
        return {
            "delays": [delay for each in played for delay in each.delays],
            "unanswered": sum(each.unanswered for each in played),
            "torn": sum(each.torn for each in played),
            "rounds": rounds,
            "lost": sum(player.lost for player in self._players if not player.bad),
            "honest": honest,
            "payload": dict(sent.payload),
            "wire": dict(sent.wire),
            "frames": dict(sent.frames),
        }

    async def spoil(self, how: str, kind: int, *, apart: bool) -> dict[str, Any]:
        """One player in a hundred becomes such a nuisance, the ``kind``-th of all, at tables of their own or
        among others. Each has tables that none had before: afterwards they are in no step with their players,
        and are not measured any more.
        """
        found = [
            player
            for n, table in enumerate(self._tables)
            for player in _nuisances(table, n - kind, apart)
        ]
        for player in found:
            player.turn_bad(how)
        return {"bad": len(found)}

    async def mend(self) -> dict[str, Any]:
        """The nuisances become honest again; how many of them the server has let go."""
        self._spent |= {table for table in self._tables if any(each.bad for each in table.players)}
        bad = [player for player in self._players if player.bad]
        await asyncio.gather(*(player.turn_good() for player in bad))
        return {"lost": sum(player.lost for player in bad)}

    async def check(self) -> dict[str, Any]:
        """Look whether the screens are right."""
        looked_at = [table for table in self._tables if table.looked_at]
        found = await asyncio.gather(*(table.check() for table in looked_at))
        wrong = [each for one in found for each in one]
        return {"screens": SEATS * len(looked_at), "wrong": wrong}

    async def end(self) -> dict[str, Any]:
        """Everybody hangs up."""
        for player in self._players:
            player.leave()
        await asyncio.sleep(0.5)
        self._tables.clear()
        self._spent.clear()
        gc.unfreeze()
        gc.collect()
        return {}

    # ------------------------------------------------------------ inside

    @property
    def _players(self) -> list[Player]:
        return [player for table in self._tables for player in table.players]

    def _sent(self) -> Sent:
        sent = Sent.nothing()
        for table in self._tables:
            sent.add(table.sent())
        return sent

    async def _come(self, player: Player) -> None:
        await player.come(self._clients)

    async def _fill(self, table: Table, number: int) -> None:
        code = await table.open(self._clients)
        for seat in range(1, table.seats):
            player = table.players[seat]
            small = any(
                player in _nuisances(table, number - kind, apart)
                for apart in (False, True)
                for kind in range(KINDS_OF_NUISANCES)
            )
            await table.join(self._clients, code, seat, small=small)

    async def _all(self, work: list[Coroutine[Any, Any, None]], at_once: int) -> list[str]:
        """Do all of it, so many at a time; what has failed."""
        turn = asyncio.Semaphore(at_once)
        failed: list[str] = []

        async def one(each: Coroutine[Any, Any, None]) -> None:
            async with turn:
                try:
                    await each
                except (OSError, TimeoutError, asyncssh.Error, AssertionError) as error:
                    failed.append(f"{type(error).__name__}: {error}")

        await asyncio.gather(*map(one, work))
        return failed


def _nuisances(table: Table, number: int, apart: bool) -> list[Player]:
    """Who becomes a nuisance at the table of that number."""
    if apart:
        return table.players if number % APART_EVERY == _APART else []
    return [] if number % BAD_EVERY else table.players[-1:]


def _first_frames(players: list[Player]) -> list[float]:
    return [player.first_frame for player in players if player.first_frame]


async def main() -> None:
    """Obey until the input ends."""
    gc.disable()
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=1 << 24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    worker: Worker | None = None
    while line := await reader.readline():
        order = json.loads(line)
        what = order.pop("do")
        if worker is None:
            worker = Worker(**order)
            answer: dict[str, Any] = {}
        else:
            do: Callable[..., Awaitable[dict[str, Any]]] = getattr(worker, what)
            answer = await do(**order)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main())
