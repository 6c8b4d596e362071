"""A server that is played on, dropped from and attacked for as long as asked; then nothing may be lost,
and nothing left over.

python -m tests.e2e.soak MINUTES [SEED]
"""

import asyncio
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.record import parse
from engine.replay import check_seed
from tests.e2e.crowd import Ports, attacks, drops, plays_by_telnet, watches
from tests.e2e.killing import AT_ONCE
from tests.e2e.players import Table

PATIENCE = 90.0
"""Seconds after which what does not happen is taken to be stuck."""
TIDE = Path(sys.executable).with_name("tide")
_SSH = re.compile(r"ssh -p (\d+) ")
_TELNET = re.compile(r"telnet \S+ (\d+)")
_MOST_KEPT = 60_000
"""Objects in all caches together when they are full, roughly and twice."""
_LINE_HOLDS = 3.0, 20.0
"""Seconds after which a player's line drops."""
_A_FEW = 3
"""Objects of a kind that come and go."""


@dataclass(frozen=True)
class Size:
    """How many take part in each wave."""

    tables: int = 4
    """With two people each."""
    telnet: int = 2
    watchers: int = 6
    droppers: int = 48
    attackers: int = 16
    interrupted: int = 2
    """Tables at which the server is restarted in the end."""


@dataclass
class Outcome:
    """What a run has come to."""

    waves: int = 0
    games: int = 0
    """Played to the end by people, and found in the archive."""
    interrupted: int = 0
    """Of these, those that went on after a restart."""
    drops: int = 0
    attacks: int = 0
    counts: list[dict[str, Any]] = field(default_factory=list)
    """Before and after."""
    wrong: list[str] = field(default_factory=list)


class Server:
    """A real one, in a process of its own, which can be asked how much there is of everything."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.log = place / "log"
        self._process: asyncio.subprocess.Process | None = None
        self._questions = self._answers = -1

    async def start(self) -> Ports:
        environ = {name: value for name, value in os.environ.items() if name[:5] != "TIDE_"}
        environ |= {f"TIDE_TIMING_{name.upper()}": "0" for name in AT_ONCE}
        environ |= {
            "TIDE_STATE": str(self.place / "state"),
            "TIDE_KEYS": str(self.place / "keys"),
            "TIDE_SSH_PORT": "0",
            "TIDE_TELNET_PORT": "0",
            "TIDE_HOST": "127.0.0.1",
            "TIDE_LOG": "json",
            "TIDE_TIMING_OVER": "1",
            "TIDE_STOP_SECONDS": "0",
            "TIDE_LIMITS_STUCK_SECONDS": "3",
            "TIDE_LIMITS_LOGIN_SECONDS": "20",
            # Everybody comes from two addresses; the enemies' one is to feel the limits all the same.
            "TIDE_LIMITS_ATTEMPTS": "40",
            "TIDE_LIMITS_ATTEMPTS_SECONDS": "1",
        }
        theirs, self._questions = os.pipe()
        self._answers, back = os.pipe()
        command = [sys.executable, "-m", "tests.e2e.watched", str(theirs), str(back)]
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *command, env=environ, stdout=subprocess.PIPE, stderr=log, pass_fds=(theirs, back)
            )
        os.close(theirs)
        os.close(back)
        assert self._process.stdout is not None
        said = ""
        async with asyncio.timeout(PATIENCE):
            while line := await self._process.stdout.readline():
                said += line.decode()
                ssh, telnet = _SSH.search(said), _TELNET.search(said)
                if ssh and telnet:
                    return Ports(int(ssh[1]), int(telnet[1]))
        raise AssertionError(f"the server did not open:\n{self.log.read_text()[-3000:]}")

    async def counts(self) -> dict[str, Any]:
        """How much there is now of everything."""
        os.write(self._questions, b"?\n")
        return await asyncio.to_thread(self._read)

    def _read(self) -> dict[str, Any]:
        said = b""
        while not said.endswith(b"\n"):
            said += os.read(self._answers, 65_536)
        found: dict[str, Any] = json.loads(said)
        return found

    async def stop(self) -> int:
        """Ask it to stop; its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            status = await self._process.wait()
        os.close(self._questions)
        os.close(self._answers)
        return status


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
    warm = warm or size
    chance = random.Random(seed)
    server, outcome = Server(place), Outcome()
    begun = time.monotonic()
    played: list[Table] = []
    ports = await server.start()
    # What is made once and kept is made in the first waves: caches, pools, ratings.
    while not outcome.waves or time.monotonic() - begun < seconds / 4:
        await _wave(ports, warm, chance, outcome, played)
    outcome.counts.append(await _quiet(server, None))
    while outcome.waves < 2 or time.monotonic() - begun < seconds:
        await _wave(ports, size, chance, outcome, played)
    outcome.counts.append(await _quiet(server, outcome.counts[0]))
    outcome.wrong += _grown(*outcome.counts)
    await _interrupted(server, ports, size.interrupted, chance, outcome, played)
    _judge(server, outcome, played)
    return outcome


async def _wave(
    ports: Ports, size: Size, chance: random.Random, outcome: Outcome, played: list[Table]
) -> None:
    """Everybody at once; over when every game is."""
    first = len(played)
    tables = [Table(first + number, chance) for number in range(size.tables)]
    played += tables
    names = [f"tel{outcome.waves}x{number}" for number in range(size.telnet)]
    by_telnet: Any = []
    try:
        async with asyncio.timeout(PATIENCE):
            *_, by_telnet = await asyncio.gather(
                *(_to_the_end(table, ports, chance) for table in tables),
                *(watches(ports, f"eye{number}") for number in range(size.watchers)),
                _one_after_the_other(drops, ports, size.droppers),
                _harm(ports, size, chance),
                asyncio.gather(*(plays_by_telnet(ports, name) for name in names)),
            )
    except TimeoutError:
        stuck = [player for table in tables for player in table.players if not player.over]
        outcome.wrong += [f"{player.name} is stuck at:\n{player.seen}" for player in stuck]
    if not all(by_telnet) or len(by_telnet) != size.telnet:
        outcome.wrong.append("a game over telnet did not come to its end")
    outcome.waves += 1
    _tell(f"wave {outcome.waves} is over")
    outcome.drops += size.droppers
    outcome.attacks += size.attackers


async def _to_the_end(table: Table, ports: Ports, chance: random.Random) -> None:
    """Lines drop now and then; whoever was cut off comes back to the seat."""
    while not table.over:
        with suppress(TimeoutError):
            async with asyncio.timeout(chance.uniform(*_LINE_HOLDS)):
                await table.visit(ports.ssh)


async def _one_after_the_other(what: Any, ports: Ports, times: int) -> None:
    for number in range(times):
        await what(ports, number)


async def _harm(ports: Ports, size: Size, chance: random.Random) -> None:
    for number in range(0, size.attackers, 4):
        await asyncio.gather(*(attacks(ports, number + n, chance) for n in range(4)))


async def _quiet(server: Server, before: dict[str, Any] | None) -> dict[str, Any]:
    """The counts once everybody has gone: when they no longer fall, or are what they were before."""
    last = await server.counts()
    still = 0
    end = time.monotonic() + 60
    while time.monotonic() < end and still < 8:
        await asyncio.sleep(0.25)
        now = await server.counts()
        if before is not None and not _grown(before, now):
            return now
        fell = any(_sum(now[what]) < _sum(last[what]) for what in ("descriptors", "objects"))
        still = 0 if fell or before is not None else still + 1
        last = now
    return last


def _sum(counted: dict[str, int]) -> int:
    return sum(counted.values())


def _grown(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """What there is more of than there was."""
    found = []
    if after["tasks"] > before["tasks"]:
        found.append(f"{before['tasks']} tasks before, {after['tasks']} after")
    opened = Counter(after["descriptors"]) - Counter(before["descriptors"])
    found += [f"{count} more open: {kind}" for kind, count in opened.items()]
    if after["kept"] > _MOST_KEPT:
        found.append(f"{after['kept']} pictures are kept")
    more = Counter(after["objects"]) - Counter(before["objects"])
    return found + [f"{count} more of {kind}" for kind, count in more.items() if count > _A_FEW]


async def _interrupted(
    server: Server,
    ports: Ports,
    number: int,
    chance: random.Random,
    outcome: Outcome,
    played: list[Table],
) -> None:
    """Games in the middle of which the server is restarted go on, and come to their end."""
    tables = [Table(len(played) + one, chance) for one in range(number)]
    playing = asyncio.gather(*(table.visit(ports.ssh) for table in tables))
    async with asyncio.timeout(PATIENCE):
        # What people see tells nobody when it changes.
        while not all(player.sealed for table in tables for player in table.players):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    outcome.interrupted = sum(not table.over for table in tables)
    if status := await server.stop():
        outcome.wrong.append(f"the server ended with {status}")
    await playing
    ports = await server.start()
    try:
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(_to_the_end(table, ports, chance) for table in tables))
    except TimeoutError:
        outcome.wrong.append("a game did not go on after the restart")
    played += tables
    if status := await server.stop():
        outcome.wrong.append(f"the server ended with {status} after the restart")


def _judge(server: Server, outcome: Outcome, played: list[Table]) -> None:
    database = sqlite3.connect(server.place / "state" / "tide.db")
    contents = [content for (content,) in database.execute("SELECT content FROM records")]
    database.close()
    names = Counter(name for content in contents for name in parse(content).players)
    for table in played:
        for player in table.players:
            outcome.wrong += player.lost
            if names[player.name] != 1:
                outcome.wrong.append(f"{player.name} is in {names[player.name]} records")
        outcome.games += table.over
    for content in contents:
        outcome.wrong += [str(doubt) for doubt in check_seed(parse(content))]
    file = server.place / "records.jsonl"
    file.write_bytes(b"\n".join(_line(content) for content in contents))
    for command in ("verify", "referee"):
        done = subprocess.run(
            [TIDE, command, file],
            capture_output=True,
            text=True,
            check=False,
            env=_elsewhere(server),
        )
        if done.returncode:
            outcome.wrong.append(f"tide {command}: {done.stdout[-500:]}{done.stderr[-500:]}")
    for line in server.log.read_text().splitlines():
        if '"level": "error"' in line or "Traceback" in line:
            outcome.wrong.append(line[:500])


def _tell(what: str) -> None:
    if os.environ.get("TIDE_SOAK_TELLS"):
        print(f"{time.strftime('%H:%M:%S')} {what}", flush=True)


def _line(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _elsewhere(server: Server) -> dict[str, str]:
    return {**os.environ, "TIDE_STATE": str(server.place / "state")}


def main() -> None:
    minutes = float(sys.argv[1]) if sys.argv[1:] else 1.0
    seed = int(sys.argv[2]) if sys.argv[2:] else random.SystemRandom().randrange(1 << 32)
    print(f"{minutes:g} minutes, seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as place:
        outcome = asyncio.run(run(Path(place), seed, seconds=60 * minutes))
    before, after = (
        (one["tasks"], _sum(one["descriptors"]), _sum(one["objects"])) for one in outcome.counts
    )
    print(
        f"{outcome.waves} waves, {outcome.games} games ({outcome.interrupted} of them across a restart), "
        f"{outcome.drops} dropped lines, {outcome.attacks} attacks\n"
        f"tasks, descriptors, objects: {before} before, {after} after"
    )
    for wrong in outcome.wrong:
        print(wrong)
    sys.exit(bool(outcome.wrong))


if __name__ == "__main__":
    main()
