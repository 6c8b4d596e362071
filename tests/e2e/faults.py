"""Break a server, its disk and its database while people and programs play, and compare what is left with
what they were told.

python -m tests.e2e.faults server|doors|postgresql faults|kills 100 [SEED]

Kills happen at random, most of them once somebody has been answered again; of other faults all kinds, in
turn.
"""

import asyncio
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from statistics import median, quantiles
from typing import Final

import pytest

from engine.records.record_format import Record, parse
from tests.e2e.houses import Fault, House, PostgresHouse, until
from tests.e2e.players import Player, Table
from tests.support.card_programs import CardProgram, Party
from tests.support.kept import compared, entries_of, played_again
from tests.support.servers import Server

PARTIES: Final = 3
"""Of programs: three, four and five, with rounds of 10, 20 and 30 seconds."""
TABLES: Final = 2
"""At which two people play by their screens."""
GAP: Final = (0.3, 1.5)
"""Seconds between two faults; then all tables are waited for ..."""
LONG: Final = 12.0
"""... but no longer than this."""
KILLS: Final = {
    "server": ("server killed",),
    "doors": ("coordinator killed", "coordinator killed", "coordinators killed", "door killed"),
    "postgresql": ("coordinator killed", "door killed", "server killed"),
}
"""What is killed."""
AT_ONCE: Final = 0.1
"""Share of kills after which nobody waits for anything, ..."""
MOST: Final = 4.0
"""... and seconds until the next one after others, at most. A spare coordinator takes two to be there."""
_ASK_EVERY: Final = 0.05
_EXPECTED: Final = frozenset(
    {
        "coordinator_silent",
        "process_ended",
        "season_not_closed",
        "storage_checkpoint_failed",
        "storage_failed",
        "storage_job_failed",
        "storage_lost",
        "storage_stuck",
        "storage_trouble",
        "table_conflict",
        "today_not_refreshed",
    }
)
"""Errors that are logged while something is broken."""


class Asker:
    """Asks for the same thing again and again, by the system's ssh."""

    def __init__(self, house: House, number: int) -> None:
        self.name: Final = f"asker{number}"
        self.address: Final = f"127.0.100.{number}"
        self.ends: Final[list[float]] = []
        self.answers: Final[list[tuple[float, float]]] = []
        """When something was asked, and answered."""
        self._house: Final = house

    def has_answer_since(self, at: float) -> bool:
        """Whether something that was asked since then has been answered."""
        return bool(self.answers) and self.answers[-1][0] >= at

    async def ask(self) -> None:
        """Until cancelled."""
        while True:
            command = self._house.server.ssh("-4", "-b", self.address, name=self.name)
            process = await asyncio.create_subprocess_exec(
                *command,
                "api",
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            try:
                with suppress(OSError):
                    await self._talk(process)
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
            await asyncio.sleep(_ASK_EVERY)

    async def _talk(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin
        assert process.stdout
        asked = 0.0
        async for line in process.stdout:
            if not line.endswith(b"\n"):  # the rest went down with the door
                break
            said = json.loads(line)
            if "ok" in said and asked:
                if said["ok"]:
                    self.answers.append((asked, time.monotonic()))
                await asyncio.sleep(_ASK_EVERY)
            elif asked:
                continue
            asked = time.monotonic()
            process.stdin.write(b'{"do": "followed"}\n')
        if asked:
            self.ends.append(time.monotonic())


@dataclass
class Outcome:
    """What a run has come to."""

    faults: Counter[str] = field(default_factory=Counter)
    away: dict[str, list[float]] = field(default_factory=dict)
    """By kind, seconds from each fault until anybody was answered again."""
    games: int = 0
    acknowledged: int = 0
    cut: int = 0
    """Connections that ended with their door, or with everything."""
    refusals: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """Everything that was lost, or is not as it should be."""

    def __str__(self) -> str:
        lines = [
            f"{self.faults.total()} faults, {self.games} games, {self.acknowledged} acknowledged bids, "
            f"{self.cut} connections cut; refused: {dict(self.refusals.most_common())}"
        ]
        for kind, found in sorted(self.away.items()):
            late = quantiles(found, n=20)[-1] if len(found) > 1 else found[0]
            lines.append(
                f"{self.faults[kind]:5} {kind}: {median(found):.2f} s, 95% {late:.2f} s, "
                f"worst {max(found):.2f} s"
            )
        return "\n".join(lines)


class Run:
    """A server, those who play, and what happens to it."""

    def __init__(self, house: House, seed: int) -> None:
        self.house: Final = house
        self.outcome: Final = Outcome()
        self._chance: Final = random.Random(seed)
        self._parties: Final = [
            Party(number, 3 + number % 3, 10 + 10 * (number % 3), random.Random(seed + number))
            for number in range(PARTIES)
        ]
        self._programs: Final = [it for party in self._parties for it in party.programs]
        self._askers: Final = [Asker(house, number) for number in (1, 2)]
        self._tables: Final[list[Table]] = []
        self._enough = False
        """There have been as many faults as wanted."""

    @property
    def _players(self) -> list[Player]:
        return [player for table in self._tables for player in table.players]

    async def run(self, faults: int, kills: Sequence[str]) -> Outcome:
        """Play, break things, mend them, let everybody finish, and compare."""
        await self.house.start()
        try:
            asking = [asyncio.create_task(each.ask()) for each in self._askers]
            playing = [asyncio.create_task(each.play(self._port)) for each in self._programs]
            screens = [asyncio.create_task(self._screens(number)) for number in range(TABLES)]
            done = await until(lambda: all(party.begun for party in self._parties))
            for fault in islice(cycle(reversed(self.house.kinds.values())), faults):
                await self._break(fault)
            for kind in kills:
                await self._kill(self.house.kinds[kind])
            self._enough = True
            for party in self._parties:
                party.ending = True
            done = done and await until(self._has_ended)
            if not done:
                self.outcome.wrong += ["stuck:", *(it.seen for it in self._programs)]
                self.outcome.wrong += [it.seen for it in self._players if not it.over]
                self.outcome.wrong += [f"{it.name}: {it.answers[-1:]}" for it in self._askers]
            for party in self._parties:
                party.over = True
            for task in (*asking, *screens):
                task.cancel()
            ended = await asyncio.gather(*playing, *asking, *screens, return_exceptions=True)
            for error in ended:
                if isinstance(error, Exception):
                    self.outcome.wrong += traceback.format_exception(error)
            kept = await self.house.close()
        finally:
            await self.house.end_all()
        self._judge(kept)
        return self.outcome

    def _port(self) -> int:
        return self.house.server.ssh_port

    def _has_ended(self) -> bool:
        last = max((harm.ended for harm in self.house.harms), default=0.0)
        answered = all(it.has_answer_since(last) for it in self._askers)
        games_over = all(it.at_rest for it in self._parties) and all(
            it.over for it in self._players
        )
        return answered and games_over

    async def _screens(self, number: int) -> None:
        """Play one game after the other by screens."""
        while not self._enough:
            table = Table(len(self._tables), self._chance)
            self._tables.append(table)
            for place, player in enumerate(table.players):
                player.address = f"127.0.{50 + number}.{1 + place}"
            await asyncio.gather(*(player.stay(self._port, table) for player in table.players))

    async def _kill(self, kill: Fault) -> None:
        began = time.monotonic()
        await kill()
        if self._chance.random() > AT_ONCE:
            await until(lambda: any(it.has_answer_since(began) for it in self._askers), LONG)
            await asyncio.sleep(self._chance.uniform(0.0, MOST))

    async def _break(self, fault: Fault) -> None:
        began = time.monotonic()
        await fault()
        await asyncio.sleep(self._chance.uniform(*GAP))
        await until(lambda: all(it.has_answer_since(began) for it in self._askers))
        await until(lambda: all(it.served and it.served[-1] > began for it in self._parties), LONG)

    # ------------------------------------------------------------ what is left

    def _judge(self, kept: Path) -> None:
        outcome, house = self.outcome, self.house
        database = sqlite3.connect(kept)
        outcome.wrong += [*house.wrong, *compared(database, self._parties)]
        outcome.wrong += [*self._lost_by_screens(database), *self._ended()]
        for server in house.servers:
            outcome.wrong += _logged(server)
        (outcome.games,) = database.execute("SELECT COUNT(*) FROM records").fetchone()
        database.close()
        outcome.acknowledged += sum(it.bids for it in self._programs)
        for it in self._programs:
            outcome.refusals.update(it.refusals)
        answers = [each for asker in self._askers for each in asker.answers]
        for harm in house.harms:
            outcome.faults[harm.kind] += 1
            answered = [at for asked, at in answers if asked >= harm.began]
            if answered:
                outcome.away.setdefault(harm.kind, []).append(min(answered) - harm.began)

    def _lost_by_screens(self, database: sqlite3.Connection) -> Iterator[str]:
        """Each has a record of the game, and each bid that was acknowledged is kept. (What came after it may
        have replaced it.)
        """
        records: dict[str, list[tuple[str, Record]]] = {}
        for origin, content in database.execute("SELECT origin, content FROM records"):
            record = parse(content)
            records.setdefault(record.players[0], []).append((origin, record))
        for table in self._tables:
            found = records.get(table.players[0].name, [])
            if len(found) != 1:
                yield f"{table.players[0].name} has {len(found)} records"
                continue
            ((origin, record),) = found
            bids, wrong = played_again(record, entries_of(database, origin), origin)
            yield from wrong
            for player in table.players:
                self.outcome.acknowledged += sum(map(len, player.sealed.values()))
                # A bot bids for somebody who is away for long, as after the end of the own door.
                yield from (it for it in player.lost if not (player.ends and "a bot has bid" in it))
                seat = record.players.index(player.name)
                for when, cards in player.sealed.items():
                    for card in cards.difference(there := bids.get((*when, seat), ())):
                        yield f"{player.name}: {card} was sealed in {when}; kept are {there}"

    def _ended(self) -> Iterator[str]:
        """Connections that have ended, while the door lived."""
        everybody: list[CardProgram | Player | Asker] = [
            *self._programs,
            *self._askers,
            *self._players,
        ]
        for each in everybody:
            for at in each.ends:
                self.outcome.cut += 1
                if not self.house.may_end(each.address, at):
                    yield f"{each.name}, {each.address}: the connection ended, and its door lived"


def _logged(server: Server) -> Iterator[str]:
    """Mistakes of ours."""
    ended = Counter[str]()
    for line in server.log.read_text().splitlines():
        if not line.startswith("{"):
            # It says why it does not start while a database is not there.
            if not line.startswith("tide: "):
                yield line[:500]
            continue
        logged = json.loads(line)
        if logged["event"] == "game_over":
            ended[f"{logged['table']} {logged['game']}"] += 1
        failed = logged["level"] in ("error", "critical")
        if failed and (logged["event"] not in _EXPECTED or "Traceback" in line):
            yield line[:2000]
    yield from (f"{game} ended {times} times" for game, times in ended.items() if times > 1)


@contextmanager
def small_disk() -> Iterator[Path]:
    """A directory on a disk of its own; its path is short, as that of a socket must be."""
    with tempfile.TemporaryDirectory(prefix="tide-") as place:
        command = ["mount", "-t", "tmpfs", "-o", "size=192m,mode=755", "tmpfs", place]
        mounted = subprocess.run(command, check=False, capture_output=True, text=True)
        if mounted.returncode:
            pytest.skip(f"no tmpfs can be mounted here: {mounted.stderr.strip()}")
        try:
            yield Path(place)
        finally:
            subprocess.run(["umount", "-l", place], check=True)


async def run(place: Path, on: str, seed: int, *, faults: int = 0, kills: int = 0) -> Outcome:
    """Break a ``server``, one with ``doors``, or two with doors on ``postgresql``: so many faults, all kinds
    in turn, its own ones first, then so many kills at random.
    """
    chance = random.Random(seed)
    house_type = PostgresHouse if on == "postgresql" else House
    with small_disk() as disk:
        house = house_type(place, disk, chance, doors=2 * (on != "server"))
        return await Run(house, seed).run(faults, chance.choices(KILLS[on], k=kills))


def main() -> None:
    on, what, count = sys.argv[1:4]
    seed = int(sys.argv[4]) if sys.argv[4:] else random.SystemRandom().randrange(1 << 32)
    print(f"{count} {what} of {on}, seed {seed}", flush=True)
    place = Path(tempfile.mkdtemp(prefix="tide-faults-"))
    outcome = asyncio.run(run(place, on, seed, **{what: int(count)}))
    print(outcome, *outcome.wrong, sep="\n")
    print(f"the log is in {place}")
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()
