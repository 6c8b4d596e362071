"""A server that is played on, dropped from and attacked for as long as asked; then nothing may be lost,
and nothing left over.

python -m tests.e2e.soak MINUTES [SEED]
"""

import asyncio
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.records.record_format import parse
from engine.records.replay import check_seed
from tests.e2e.crowd import plays_as_program, plays_by_telnet, wanders, watches
from tests.e2e.enemies import WAYS, Ports, attacks, drops
from tests.e2e.flatness import grown, in_short
from tests.e2e.players import Table
from tests.e2e.soaked import WatchedServer
from tests.support.patience import PATIENCE
from tests.support.servers import TIDE

_LINE_HOLDS = PATIENCE / 30, PATIENCE / 4
"""Seconds after which a player's line drops: one must have time to sit down."""
_LOG_BYTES = 16 * 1024 * 1024
"""Of the database's write-ahead log, which begins anew when it is long."""
_AT_A_TIME = 4
"""So many enemies at the same time."""
_TRIES = 3
"""Of one kind of attack, after which one must have got in: on a busy machine some are too late for that."""


@dataclass(frozen=True)
class Size:
    """How many take part in each wave."""

    tables: int = 4
    """With two people each."""
    telnet: int = 2
    programs: int = 2
    wanderers: int = 4
    watchers: int = 6
    droppers: int = 48
    attackers: int = len(WAYS)


@dataclass
class Outcome:
    """What a run has come to."""

    waves: int = 0
    games: int = 0
    """Played to the end by people, and found in the archive."""
    alone: int = 0
    """Of people by telnet and of programs, against bots."""
    records: int = 0
    """Verified, those of games that bots have ended included."""
    drops: int = 0
    attacks: Counter[str] = field(default_factory=Counter)
    came: Counter[str] = field(default_factory=Counter)
    """Of the attacks, those that got as far as a connection or a login."""
    counts: list[dict[str, Any]] = field(default_factory=list)
    """Before and after."""
    kept: dict[str, int] = field(default_factory=dict)
    """In the database, after."""
    wrong: list[str] = field(default_factory=list)

    def note(self, problems: list[str]) -> None:
        """Something is wrong, and who follows the run sees it now."""
        self.wrong += problems
        for problem in problems:
            tell(problem)


class Soak:
    """One run."""

    def __init__(self, place: Path, seed: int) -> None:
        self.outcome = Outcome()
        self.server = WatchedServer(place)
        self._chance = random.Random(seed)
        self._ports = Ports(0, 0)
        self._played: list[Table] = []
        self._alone: list[str] = []
        """Names of those who have played against bots."""
        self._left: list[asyncio.StreamReader] = []
        """Connections that it is the server's turn to end."""

    async def run(self, seconds: float, size: Size, warm: Size) -> Outcome:
        """See ``run``."""
        outcome, begun = self.outcome, time.monotonic()
        self._ports = await self.server.ports()
        # What is made once and kept is made in the first waves: caches, pools, ratings.
        while not outcome.waves or time.monotonic() - begun < seconds / 4:
            await self._wave(warm)
        outcome.counts.append(await self._quiet(None))
        while outcome.waves < 2 or time.monotonic() - begun < seconds:
            await self._wave(size)
        outcome.counts.append(await self._quiet(outcome.counts[0]))
        outcome.note(grown(*outcome.counts))
        outcome.note(
            [
                f"{kind}: none of {many} attacks got anywhere, so nothing was tried"
                for kind, many in outcome.attacks.items()
                if many >= _TRIES and not outcome.came[kind]
            ]
        )
        self._look_at_the_disk()
        if status := await self.server.stopped():
            outcome.note([f"the server ended with {status}"])
        self._judge()
        return outcome

    # ------------------------------------------------------------ who comes

    async def _wave(self, size: Size) -> None:
        """Everybody at once; over when every game is."""
        outcome, ports, chance = self.outcome, self._ports, self._chance
        wave, first = outcome.waves, len(self._played)
        tables = [Table(first + number, chance) for number in range(size.tables)]
        self._played += tables
        alone = {
            f"{kind}{wave}x{number}": plays(ports, f"{kind}{wave}x{number}")
            for kind, plays, many in (
                ("tel", plays_by_telnet, size.telnet),
                ("api", plays_as_program, size.programs),
            )
            for number in range(many)
        }
        self._alone += alone
        everybody: dict[str, Coroutine[Any, Any, Any]] = {
            **{f"table {table.number}": self._to_the_end(table) for table in tables},
            **alone,
            **{f"eye{number}": watches(ports, f"eye{number}") for number in range(size.watchers)},
            **{
                f"wan{number}": wanders(ports, f"wan{number}", chance)
                for number in range(size.wanderers)
            },
            "drops": self._drops(size.droppers),
            "attacks": self._harm(size.attackers),
        }
        running = {asyncio.create_task(each, name=name) for name, each in everybody.items()}
        done, late = await asyncio.wait(running, timeout=PATIENCE)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        outcome.note([f"wave {wave + 1}: {task.get_name()} takes too long" for task in late])
        for task in done:
            if problem := task.exception():
                outcome.note([f"wave {wave + 1}: {task.get_name()}: {problem!r}"])
            elif last := task.result():
                outcome.note(
                    [f"wave {wave + 1}: {task.get_name()} could not play on after: {last}"]
                )
        self._stuck(tables)
        outcome.waves += 1
        tell(f"wave {outcome.waves} is over: {in_short(await self.server.counts())}")

    def _stuck(self, tables: list[Table]) -> None:
        for player in (player for table in tables for player in table.players if not player.over):
            self.outcome.note([f"{player.name} is stuck at:\n{player.seen}"])

    async def _to_the_end(self, table: Table) -> None:
        """Lines drop now and then; whoever was cut off comes back to the seat."""
        while not table.over:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._chance.uniform(*_LINE_HOLDS)):
                    await table.visit(self._ports.ssh)

    async def _drops(self, many: int) -> None:
        for _ in range(many):
            await drops(self._ports, self.outcome.drops)
            self.outcome.drops += 1

    async def _harm(self, many: int) -> None:
        for first in range(0, many, _AT_A_TIME):
            begun = self.outcome.attacks.total()
            done = await asyncio.gather(
                *(
                    attacks(self._ports, begun + number, self._chance, self._left)
                    for number in range(min(_AT_A_TIME, many - first))
                )
            )
            self.outcome.attacks.update(kind for kind, _ in done)
            self.outcome.came.update(kind for kind, came in done if came)

    # ------------------------------------------------------------ what is left

    async def _quiet(self, before: dict[str, Any] | None) -> dict[str, Any]:
        """How much there is when everybody has gone, also those whom the server has to send away."""
        try:
            async with asyncio.timeout(PATIENCE):
                for reader in self._left:
                    with suppress(ConnectionError):
                        while await reader.read(65_536):
                            pass
        except TimeoutError:
            self.outcome.note(["the server has not hung up on somebody who says nothing"])
        self._left.clear()
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            kept = self.server.kept()
            if not kept["tables"] and not kept["guests"]:
                break
            await asyncio.sleep(0.5)
        found = await self.server.quiet(before)
        tell(in_short(found))
        return found

    def _look_at_the_disk(self) -> None:
        outcome = self.outcome
        outcome.kept = kept = self.server.kept()
        for what in ("tables", "entries", "guests"):
            if kept[what]:
                outcome.note([f"nobody is here, and {kept[what]} {what} are still on the disk"])
        if kept["log bytes"] > _LOG_BYTES:
            outcome.note([f"the write-ahead log has {kept['log bytes']} bytes"])

    def _judge(self) -> None:
        outcome, place = self.outcome, self.server.place
        database = sqlite3.connect(place / "state" / "tide.db")
        contents = [content for (content,) in database.execute("SELECT content FROM records")]
        database.close()
        outcome.records = len(contents)
        names = Counter(name for content in contents for name in parse(content).players)
        for table in self._played:
            outcome.games += table.over
            for player in table.players:
                outcome.note(player.lost)
        people = [player.name for table in self._played for player in table.players]
        for name in (*people, *self._alone):
            if names[name] != 1:
                outcome.note([f"{name} is in {names[name]} records"])
        outcome.alone = sum(names[name] for name in self._alone)
        for content in contents:
            outcome.note([str(doubt) for doubt in check_seed(parse(content))])
        self._verify(place, contents)
        for line in self.server.log.read_text().splitlines():
            if '"level": "error"' in line or "Traceback" in line:
                outcome.note([line[:500]])

    def _verify(self, place: Path, contents: list[str | bytes]) -> None:
        file = place / "records.jsonl"
        file.write_bytes(b"\n".join(_line(content) for content in contents))
        for command in ("verify", "referee"):
            done = subprocess.run(
                [TIDE, command, file],
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, "TIDE_STATE": str(place / "state")},
            )
            if done.returncode:
                self.outcome.note([f"tide {command}: {done.stdout[-500:]}{done.stderr[-500:]}"])


async def run(
    place: Path,
    seed: int,
    *,
    seconds: float = 0.0,
    size: Size | None = None,
    warm: Size | None = None,
) -> Outcome:
    """At least one wave to warm up (with as many as ``warm``) and one more, and as many as begin within
    ``seconds``.
    """
    size = size or Size()
    soak = Soak(place, seed)
    try:
        return await soak.run(seconds, size, warm or size)
    finally:
        soak.server.close()


def tell(what: str) -> None:
    """Say how far a long run has come."""
    if os.environ.get("TIDE_SOAK_TELLS"):
        print(f"{time.strftime('%H:%M:%S')} {what}", flush=True)


def _line(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def main() -> None:
    minutes = float(sys.argv[1]) if sys.argv[1:] else 1.0
    seed = int(sys.argv[2]) if sys.argv[2:] else random.SystemRandom().randrange(1 << 32)
    print(f"{minutes:g} minutes, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as place:
        outcome = asyncio.run(run(Path(place), seed, seconds=60 * minutes))
    print(
        f"{outcome.waves} waves, {outcome.games} games, {outcome.alone} against bots, "
        f"{outcome.records} records verified, {outcome.drops} dropped lines, "
        f"{outcome.attacks.total()} attacks of {len(outcome.attacks)} kinds, "
        f"{outcome.came.total()} of which got in\n"
        f"before: {in_short(outcome.counts[0])}\nafter:  {in_short(outcome.counts[1])}\n"
        f"on the disk: {', '.join(f'{count} {what}' for what, count in outcome.kept.items())}"
    )
    for wrong in outcome.wrong:
        print(wrong)
    if outcome.wrong:
        print(f"once more, with the same seed: make soak ARGS='{minutes:g} {seed}'")
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()
