"""Three nodes on which programs play for hours: in the end nothing may be lost, and nothing left over.

python -m tests.e2e.nodes.soak MINUTES [PROGRAMS] [SEED]

In waves: programs play together at tables that stay, others come, open tables, watch and drop their lines.
Between two waves nobody is there, and it is counted how much there is of everything.
"""

import asyncio
import random
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.e2e.card_programs import Party
from tests.e2e.cluster import Cluster
from tests.e2e.cluster_kill import ClusterOutcome, judge, told, until
from tests.e2e.crowd import plays_as_program, plays_by_telnet, wanders, watches
from tests.e2e.enemies import Ports, drops
from tests.e2e.flatness import grown, in_short, summed
from tests.e2e.soaked import Watched
from tests.support.patience import PATIENCE

AT_A_TABLE: Final = 5
_THINK_SECONDS: Final = 2.0
_WAVES: Final = 8
_SEEN_EVERY: Final = 60.0
_SETTINGS: Final = {
    # What guests have left is gone before it is counted what is left.
    "TIDE_TIMING_OPEN_SEAT": "2",
    "TIDE_TIMING_SUSPEND": "2",
    "TIDE_TIMING_GUESTS": "10",
    "TIDE_LIMITS_LOGIN_SECONDS": "20",
    "TIDE_LIMITS_IDLE_CONNECTION_SECONDS": "10",
}


@dataclass
class Soaked:
    """What a run has come to."""

    played: ClusterOutcome = field(default_factory=ClusterOutcome)
    waves: int = 0
    visitors: int = 0
    """Who came besides."""
    counts: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """By node: after each wave."""

    @property
    def wrong(self) -> list[str]:
        """What there is more of than after the first quarter, and everything else. Tables move from node to
        node, so what belongs to them is counted on all nodes together.
        """
        waves = [summed(counts) for counts in zip(*self.counts.values(), strict=True)]
        return grown(waves[(len(waves) - 1) // 4], waves[-1]) + self.played.wrong


class Waves:
    """One run."""

    def __init__(self, cluster: Cluster, chance: random.Random, programs: int) -> None:
        self.soaked = Soaked()
        self.parties = [
            Party(number, AT_A_TABLE, 60, random.Random(chance.random()))
            for number in range(programs // AT_A_TABLE)
        ]
        for party in self.parties:
            party.think = _THINK_SECONDS
        self._cluster = cluster
        self._chance = chance

    async def wave(self, seconds: float) -> None:
        """Everybody comes, plays, and goes."""
        played = self.soaked.played
        for party in self.parties:
            # Who comes too late for the next game would have no seat.
            party.over, party.ending = False, True
            for program in party.programs:
                program.state = {}
        ports = [
            Ports(it.server.ssh_port, it.server.telnet_port) for it in self._cluster.nodes.values()
        ]
        playing = [
            asyncio.create_task(program.play(ports[number % len(ports)].ssh))
            for party in self.parties
            for number, program in enumerate(party.programs)
        ]
        await until(lambda: all(it.at_rest for it in self.parties), played, self.parties)
        for party in self.parties:
            party.ending = False
        visiting = [asyncio.create_task(self._visits(it, seconds)) for it in ports]
        problems = await asyncio.gather(*visiting, return_exceptions=True)
        for party in self.parties:
            party.ending = True
        played.wrong += [f"a visitor: {it!r}" for it in problems if it]
        await until(lambda: all(it.at_rest for it in self.parties), played, self.parties)
        for party in self.parties:
            party.over = True
        _, late = await asyncio.wait(playing, timeout=PATIENCE)
        for task in late:
            task.cancel()
            played.wrong.append("a program does not end")
        self.soaked.waves += 1
        for name, node in self._cluster.nodes.items():
            assert isinstance(node.server, Watched)
            counts = self.soaked.counts.setdefault(name, [])
            counts.append(await node.server.quiet())
            tell(f"wave {self.soaked.waves}, {name}: {in_short(counts[-1])}")

    async def _visits(self, ports: Ports, seconds: float) -> None:
        """One after the other, to a node."""
        end, chance = time.monotonic() + seconds, self._chance
        while time.monotonic() < end:
            self.soaked.visitors += 1
            name = f"v{self.soaked.visitors}"
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    match chance.randrange(5):
                        case 0:
                            await plays_by_telnet(ports, name)
                        case 1:
                            await plays_as_program(ports, name)
                        case 2:
                            await watches(ports, name)
                        case 3:
                            await wanders(ports, name, chance)
                        case _:
                            await drops(ports, self.soaked.visitors)
            await asyncio.sleep(chance.uniform(0.0, 2.0))


async def _tell_of(cluster: Cluster, parties: list[Party]) -> None:
    """Now and then: memory and descriptors of each node, as the system counts them."""
    while True:
        seen = []
        for name, node in cluster.nodes.items():
            own = Path("/proc", str(node.server.process.pid))
            pages = int((own / "statm").read_text().split()[1])
            seen.append(f"{name} {pages / 256:.0f} MiB, {len(list((own / 'fd').iterdir()))} open")
        bids = sum(it.bids for party in parties for it in party.programs)
        tell(f"{'; '.join(seen)}; {bids} bids")
        await asyncio.sleep(_SEEN_EVERY)


async def run(place: Path, seed: int, seconds: float, programs: int) -> Soaked:
    """At least two waves."""
    chance, began = random.Random(seed), time.monotonic()
    cluster = Cluster(place, chance, Watched)
    waves = Waves(cluster, chance, programs)
    try:
        await cluster.start(**_SETTINGS)
        telling = asyncio.create_task(_tell_of(cluster, waves.parties))
        while waves.soaked.waves < 2 or time.monotonic() - began < seconds:
            await waves.wave(seconds / _WAVES)
        telling.cancel()
        waves.soaked.played.seconds = time.monotonic() - began
        await judge(cluster, waves.parties, waves.soaked.played)
    finally:
        cluster.end_all()
    return waves.soaked


def tell(what: str) -> None:
    """To who follows a long run."""
    print(f"{time.strftime('%H:%M:%S')} {what}", flush=True)


def main() -> None:
    minutes = float(sys.argv[1]) if sys.argv[1:] else 120.0
    programs = int(sys.argv[2]) if sys.argv[2:] else 200
    seed = int(sys.argv[3]) if sys.argv[3:] else random.SystemRandom().randrange(1 << 32)
    print(f"{minutes:g} minutes, {programs} programs, seed {seed}", flush=True)
    place = Path(tempfile.mkdtemp(prefix="tide-node-soak-"))
    soaked = asyncio.run(run(place, seed, 60 * minutes, programs))
    print("\n".join([f"{soaked.waves} waves, {soaked.visitors} visitors", *told(soaked.played)]))
    if wrong := soaked.wrong:
        print("\n".join(wrong))
        print(f"logs are in {place}")
    else:
        shutil.rmtree(place)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
