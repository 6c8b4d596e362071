"""Break a server, its disk and its database while programs play, and compare what is left with what they were
told.

python -m tests.e2e.faults sqlite|postgresql 100 [SEED]
"""

import asyncio
import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.killing import USUAL
from tests.support.card_programs import Party
from tests.support.forwarding import Forwarder, Streams
from tests.support.kept import compared
from tests.support.patience import PATIENCE
from tests.support.postgres import PostgresServer
from tests.support.servers import Server, tide

TABLES: Final = 4
"""Of three, four and five people, with rounds of 10, 20 and 30 seconds."""
SHORTLY: Final = (0.2, 4.0)
"""Seconds for which something is broken."""
GAP: Final = (0.3, 1.5)
"""Between two faults; then all tables are waited for ..."""
LONG: Final = 12.0
"""... but no longer than this."""
ANSWERS: Final = (1, 5)
"""So many are lost in a row."""
_EXPECTED: Final = frozenset(
    {
        "season_not_closed",
        "storage_checkpoint_failed",
        "storage_failed",
        "storage_job_failed",
        "storage_stuck",
        "storage_trouble",
        "table_conflict",
        "today_not_refreshed",
    }
)
"""Errors that are logged while something is broken."""


@dataclass
class Outcome:
    """What a run has come to."""

    faults: Counter[str] = field(default_factory=Counter)
    games: int = 0
    acknowledged: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """Everything that was lost, or is not as it should be."""

    def __str__(self) -> str:
        return (
            f"{dict(self.faults)}: {self.games} games, {self.acknowledged} acknowledged bids; "
            f"refused: {dict(self.refusals.most_common())}"
        )


class House:
    """A server, and what it keeps everything in. ``disk`` is small, and can be filled."""

    def __init__(self, place: Path, disk: Path, chance: random.Random) -> None:
        self.place: Final = place
        self.disk: Final = disk
        self.chance: Final = chance
        self.server = Server(place, **{**USUAL, "TIDE_STATE": str(disk / "state")})
        self.kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "killed": self._kill,
            "ended": self._end,
            "stopped": self._stop,
            "disk full": self._fill,
        }
        self.wrong: list[str] = []
        self.asked = 0

    async def start(self) -> None:
        await self._launch()
        self.server.environ["TIDE_SSH_PORT"] = str(self.server.ssh_port)

    async def close(self) -> Path:
        """End it; the database as a file."""
        if status := await self.server.stopped():
            self.wrong.append(f"the last server ended with {status}")
        return self.disk / "state" / "tide.db"

    async def _launch(self) -> None:
        """Until it is open: it does not start without its database."""
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                await self.server.started()
            except AssertionError:
                if time.monotonic() > limit:
                    raise
                await asyncio.sleep(0.5)
            else:
                return

    async def _a_while(self) -> None:
        await asyncio.sleep(self.chance.uniform(*SHORTLY))

    # ------------------------------------------------------------ what can happen

    async def _kill(self) -> None:
        self.server.kill()
        await asyncio.to_thread(self.server.wait)
        await self._launch()

    async def _end(self) -> None:
        if status := await self.server.stopped():
            self.wrong.append(f"a server that was asked to stop ended with {status}")
        await self._launch()

    async def _stop(self) -> None:
        self.server.send(signal.SIGSTOP)
        try:
            await self._a_while()
        finally:
            self.server.send(signal.SIGCONT)

    async def _fill(self) -> None:
        ballast = self.disk / "ballast"
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))
        await self._a_while()
        ballast.unlink()


class PostgresHouse(House):
    """The same with PostgreSQL, and a way to it that can be cut."""

    async def start(self) -> None:
        self.postgres = await asyncio.to_thread(
            PostgresServer, place=self.disk, max_wal_size="64MB"
        )
        database = self.postgres.empty().partition("?")[0].rpartition("/")[2]
        self.way = Forwarder(self._reach)
        await self.way.start()
        self.url = f"postgresql://tide@127.0.0.1:{self.way.port}/{database}"
        self.server.environ |= {"TIDE_DATABASE_URL": self.url}
        self.server.environ["TIDE_STATE"] = str(self.place / "state")
        self.kinds |= {
            "database killed": self._kill_database,
            "database stopped": self._stop_database,
            "answers to COMMIT lost": self._lose_answers,
        }
        await super().start()

    async def close(self) -> Path:
        await super().close()
        kept = self.place / "copy.db"
        copied = await asyncio.to_thread(tide, "database", "copy", self.url, str(kept))
        assert not copied.returncode, copied.stderr
        await self.way.close()
        return kept

    async def _reach(self) -> Streams:
        return await asyncio.open_unix_connection(str(self.postgres.folder / ".s.PGSQL.5432"))

    async def _fill(self) -> None:
        await super()._fill()
        # It ends where there is no room for its log.
        if not await asyncio.to_thread(self.postgres.runs):
            await asyncio.to_thread(self.postgres.start)

    async def _kill_database(self) -> None:
        await asyncio.to_thread(self.postgres.stop)
        await self._a_while()
        await asyncio.to_thread(self.postgres.start)

    async def _stop_database(self) -> None:
        """All its processes."""
        self.postgres.send(signal.SIGSTOP)
        try:
            await self._a_while()
        finally:
            self.postgres.send(signal.SIGCONT)

    async def _lose_answers(self) -> None:
        self.way.lose_answers(b"COMMIT\0", self.chance.randint(*ANSWERS))
        await until(lambda: not self.way.losing, LONG)
        self.way.lose_answers(b"", 0)


async def run(place: Path, product: str, faults: int, seed: int, tables: int = TABLES) -> Outcome:
    """Play, break things, mend them, let everybody finish, and compare."""
    outcome, chance = Outcome(), random.Random(seed)
    with ExitStack() as stack:
        kind = PostgresHouse if product == "postgresql" else House
        house = kind(place, stack.enter_context(small_disk()), chance)
        stack.callback(_end_all, house)
        await house.start()
        parties = [
            Party(number, 3 + number % 3, 10 + 10 * (number % 3), random.Random(seed + number))
            for number in range(tables)
        ]
        programs = [it for party in parties for it in party.programs]
        playing = [asyncio.create_task(it.play(house.server.ssh_port)) for it in programs]
        try:
            done = await until(lambda: all(party.begun for party in parties))
            for number in range(faults):
                await _break(house, parties, [*house.kinds][number % len(house.kinds)], outcome)
            for party in parties:
                party.ending = True
            done = done and await until(lambda: all(party.at_rest for party in parties))
            if not done:
                outcome.wrong += ["stuck:", *(it.seen for it in programs)]
        finally:
            for party in parties:
                party.over = True
            await asyncio.gather(*playing)
        kept = sqlite3.connect(await house.close())
        outcome.wrong += [*house.wrong, *compared(kept, parties), *_logged(house.server)]
        (outcome.games,) = kept.execute("SELECT COUNT(*) FROM records").fetchone()
        kept.close()
        outcome.acknowledged = sum(it.bids for it in programs)
        for it in programs:
            outcome.refusals.update(it.refusals)
    return outcome


async def _break(house: House, parties: list[Party], kind: str, outcome: Outcome) -> None:
    began = time.monotonic()
    await house.kinds[kind]()
    outcome.faults[kind] += 1
    await asyncio.sleep(house.chance.uniform(*GAP))
    await until(lambda: all(it.served and it.served[-1] > began for it in parties), LONG)


async def until(happened: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Whether it has happened by then."""
    limit = time.monotonic() + seconds
    while not happened() and time.monotonic() < limit:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    return happened()


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


def _end_all(house: House) -> None:
    house.server.kill()
    if isinstance(house, PostgresHouse):
        house.postgres.stop_for_good()


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


def main() -> None:
    product, faults = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if sys.argv[3:] else random.SystemRandom().randrange(1 << 32)
    print(f"{faults} faults on {product}, seed {seed}", flush=True)
    place = Path(tempfile.mkdtemp(prefix="tide-faults-"))
    outcome = asyncio.run(run(place, product, faults, seed))
    print(outcome, *outcome.wrong, sep="\n")
    print(f"the log is in {place}")
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()
