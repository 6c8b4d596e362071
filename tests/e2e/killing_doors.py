"""Kill the coordinator and the doors of a real server while real clients play, and look at what is left.

``make kill-doors``, or python -m tests.e2e.killing_doors 500 [SEED]
"""

import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address
from pathlib import Path
from statistics import median, quantiles
from typing import Final

import asyncssh

from tests.e2e.killing import Outcome, judge, kills_and_seed, new_server
from tests.e2e.players import Player, Table
from tests.support.clients import Program, connect, program
from tests.support.patience import PATIENCE
from tests.support.servers import Server, tide

DOORS: Final = 2
TABLES: Final = 3
"""At which people play at any time."""
LONGEST: Final = 1.5
"""Seconds between two kills at most."""
COORDINATOR: Final = "coordinator"
_ASK_EVERY: Final = 0.02
_NOTICED: Final = 5.0
"""Seconds within which a client has noticed that its door has died."""


@dataclass
class Doors(Outcome):
    """What a run has come to."""

    away: list[float] = field(default_factory=list)
    """For how many seconds each kill of a coordinator left a program without an answer."""
    cut: int = 0
    """Connections that ended with their door."""


def processes(server: Server) -> dict[str, list[int]]:
    """The children of a server by their names: ``coordinator`` (two), ``door 1`` and so on."""
    parent = server.process.pid
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    found: dict[str, list[int]] = {}
    for child in children:
        with suppress(OSError):
            words = Path(f"/proc/{child}/cmdline").read_text().split("\0")
            for at, word in enumerate(words):
                if word in {COORDINATOR, "door"}:
                    name = word if word == COORDINATOR else f"{word} {words[at + 1]}"
                    found.setdefault(name, []).append(int(child))
                    break
    return found


class Seat:
    """A player who comes from an address of his or her own, again whenever the line drops."""

    def __init__(self, player: Player, table: Table, address: str, run: "Run") -> None:
        self.player, self.table, self.address, self.run = player, table, address, run
        self.door = f"door {int(IPv4Address(address)) % DOORS + 1}"

    async def stay(self) -> None:
        while not self.player.over:
            visits = self.player.visits
            await self.player.visit(
                self.run.port, self.table, local_addr=(self.address, 0), host="127.0.0.1"
            )
            if self.player.visits > visits:
                self.run.ended(self)
                await asyncio.sleep(_ASK_EVERY)


class Run:
    """One server with doors, players at tables, and who kills."""

    def __init__(self, place: Path, kills: int, seed: int, url: str) -> None:
        self.chance: Final = random.Random(seed)
        self.server: Final = new_server(
            place,
            *("--doors", str(DOORS)),
            **({"TIDE_DATABASE_URL": url} if url else {}),
        )
        self.outcome: Final = Doors()
        self.port = 0
        self._kept: Final = place / "state" / "tide.db"
        self._url: Final = url
        self._wanted: Final = kills
        self._tables: Final[list[Table]] = []
        self._doors_killed: Final[list[tuple[str, float]]] = []
        self._enough = False
        """There have been as many kills as wanted."""
        self._ends: Final[list[tuple[Seat, float]]] = []

    def ended(self, seat: Seat) -> None:
        """A connection has ended."""
        if not seat.player.over:
            self._ends.append((seat, time.monotonic()))

    async def run(self) -> Doors:
        await self.server.started()
        self.port = self.server.ssh_port
        try:
            playing = asyncio.create_task(self._play())
            asking = asyncio.create_task(self._ask())
            while self.outcome.kills < self._wanted:
                await asyncio.sleep(self.chance.uniform(0.0, LONGEST))
                self._kill()
            self._enough = True
            try:
                async with asyncio.timeout(2 * PATIENCE):
                    await playing
            except TimeoutError:
                stuck = [
                    player for table in self._tables for player in table.players if not player.over
                ]
                self.outcome.wrong += [f"{each.name} is stuck at:\n{each.seen}" for each in stuck]
            asking.cancel()
            await asyncio.gather(asking, playing, return_exceptions=True)
            if status := await self.server.stopped():
                self.outcome.wrong.append(f"the server ended with {status}")
        finally:
            self.server.close()
        self._count_ends()
        if self._url:
            copied = tide("database", "copy", self._url, str(self._kept))
            assert not copied.returncode, copied.stderr
        judge(self.server, self._kept, self._tables, self.outcome)
        self.outcome.wrong = [each for each in self.outcome.wrong if not self._is_expected(each)]
        return self.outcome

    def _is_expected(self, wrong: str) -> bool:
        """Whether it follows from a kill: the parent logs each, and a bot bids for a player who is away for
        long because his or her own door was killed.
        """
        away = {seat.player.name for seat, _ in self._ends}
        name, _, what = wrong.partition(": ")
        return "process_ended" in wrong or (what == "a bot has bid" and name in away)

    async def _play(self) -> None:
        """Keep ``TABLES`` tables playing until there were enough kills."""

        async def one(number: int) -> None:
            while not self._enough:
                table = Table(len(self._tables), self.chance)
                self._tables.append(table)
                await asyncio.gather(
                    *(
                        Seat(player, table, f"127.0.{number}.{10 + place}", self).stay()
                        for place, player in enumerate(table.players)
                    )
                )

        await asyncio.gather(*(one(number) for number in range(TABLES)))

    async def _ask(self) -> None:
        """Ask again and again, and note how long there was no answer."""
        while True:
            with suppress(OSError, asyncssh.Error, AssertionError):
                async with connect(self.port, "asker", local_addr=("127.0.0.1", 0)) as client:
                    asker: Program = await program(client)
                    while True:
                        asked_at = time.monotonic()
                        await asker.do("followed")
                        if (took := time.monotonic() - asked_at) > 10 * _ASK_EVERY:
                            self.outcome.away.append(took)
                        await asyncio.sleep(_ASK_EVERY)
            await asyncio.sleep(_ASK_EVERY)

    def _kill(self) -> None:
        """Any child at any instant, also while it starts."""
        found = processes(self.server)
        if not found:
            return
        name = COORDINATOR if self.chance.random() < 0.5 else self.chance.choice(sorted(found))
        for child in found.get(name, [])[: 1 if self.chance.random() < 0.9 else 2]:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
                self.outcome.kills += 1
                if name != COORDINATOR:
                    self._doors_killed.append((name, time.monotonic()))

    def _count_ends(self) -> None:
        """Each end of a connection belongs to a kill of its door just before."""
        for seat, at in self._ends:
            if any(
                door == seat.door and killed <= at <= killed + _NOTICED
                for door, killed in self._doors_killed
            ):
                self.outcome.cut += 1
            else:
                name = seat.player.name
                self.outcome.wrong.append(f"{name}: the connection ended, and {seat.door} lived")


async def run(place: Path, kills: int, seed: int, url: str = "") -> Doors:
    """Play and kill; in the end let everybody finish, and compare. ``url``: as in ``killing.run``."""
    return await Run(place, kills, seed, url).run()


def main() -> None:
    kills, seed = kills_and_seed()
    with tempfile.TemporaryDirectory() as place:
        outcome = asyncio.run(run(Path(place), kills, seed))
    print(
        f"{outcome.kills} kills, {outcome.cut} connections cut with their door, {outcome.games} games, "
        f"{outcome.sealed} acknowledged bids"
    )
    if len(outcome.away) > 1:
        late = quantiles(outcome.away, n=20)[-1]
        print(f"without an answer: median {median(outcome.away):.2f} s, 95% {late:.2f} s")
    for wrong in outcome.wrong:
        print(wrong)
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()
