"""What operators prepare for, on real nodes while programs play: PostgreSQL fails over to its synchronous
standby, NATS servers of a cluster go, and a house moves to another machine with a dump.

python -m tests.e2e.nodes.failover [killed|paused|buses|moved]
"""

import asyncio
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from itertools import cycle
from pathlib import Path
from typing import Final

from typing_extensions import override

from tests.e2e.card_programs import Party
from tests.e2e.cluster import NAMES, Cluster, ClusterNode
from tests.e2e.cluster_kill import ClusterOutcome, judge, run, told, until
from tests.e2e.forwarding import Forwarder, Streams
from tests.e2e.killing import USUAL
from tests.support.nats import PASSWORD, NatsServer
from tests.support.patience import PATIENCE
from tests.support.postgres import PostgresServer, programs

_TABLES: Final = 3
_BIDS: Final = 5
"""So many are acknowledged at each table until a step counts as done."""
_AWAY_SECONDS: Final = 1.0
"""From the end of a primary until its standby is promoted."""
_OTHERS: Final = ("x", "y")
"""Nodes on another machine."""
_USERS: Final = "SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'tide'"


class House(Cluster):
    """Nodes with a PostgreSQL server and its standby, and with three NATS servers."""

    def __init__(self, place: Path, chance: random.Random) -> None:
        super().__init__(place, chance)
        self.told: list[str] = []
        """What was measured."""
        self.servers: list[PostgresServer] = []
        """The primary, its standby, and the one on another machine."""
        self.buses: list[NatsServer] = []

    @override
    async def start(self, **settings: str) -> None:
        primary = self._server(PostgresServer(synchronous_standby_names="standby"))
        standby = self._server(PostgresServer(primary))
        self.postgres = primary
        hosts = f"host={primary.folder},{standby.folder}"
        self.url = f"{primary.empty().partition('?')[0]}?{hosts}&target_session_attrs=read-write"
        self._has(_three_buses())
        await self._begin(NAMES, settings)
        await asyncio.to_thread(self._balance)
        self.watch()

    async def restored(self, dump: Path, keys: Path) -> None:
        """Begin with a dump, on another machine, where nodes are called otherwise. Those that have ended
        leave their ports, which the balancer knows.
        """
        self.postgres = self._server(PostgresServer())
        self.url = self.postgres.empty()
        await _typed("pg_restore", "--no-owner", "--dbname", self.url, str(dump))
        self._has([NatsServer()])
        shutil.copytree(keys, self.place / "keys-there")
        ended, began = self.nodes, time.monotonic()
        ports = [{"TIDE_SSH_PORT": str(it.server.ssh_port)} for it in ended.values()]
        await self._begin(_OTHERS, {"TIDE_KEYS": str(self.place / "keys-there")}, ports)
        self.nodes |= ended
        self.told.append(f"the nodes were open after {time.monotonic() - began:.1f} s")

    def _server(self, made: PostgresServer) -> PostgresServer:
        self.servers.append(made)
        self._stack.callback(made.stop_for_good)
        return made

    def _has(self, buses: list[NatsServer]) -> None:
        self.buses = buses
        for bus in buses:
            self._stack.callback(bus.kill)

    async def _begin(
        self,
        names: tuple[str, ...],
        settings: dict[str, str],
        ports: Sequence[dict[str, str]] = ({}, {}, {}),
    ) -> None:
        self.nodes = {}
        for name, port in zip(names, ports or ({}, {}), strict=False):
            place = self.place / name
            place.mkdir(parents=True)
            needs = {
                "TIDE_DATABASE_URL": self.url,
                "TIDE_BUS_URL": ",".join(it.url for it in self.buses),
                "TIDE_KEYS": str(self.place / "keys"),
                "TIDE_PROXIES": "127.0.0.1",
            }
            server = self.kind(place, "--node", name, **{**USUAL, **needs, **settings, **port})
            ways = Forwarder(_nowhere), Forwarder(_nowhere)
            self.nodes[name] = ClusterNode(name, server, *ways)
        await self.launch_all()

    async def dump(self) -> Path:
        """As an operator makes one."""
        file = self.place / "tide.dump"
        await _typed("pg_dump", "--format=custom", "--file", str(file), self.url)
        return file

    async def fail_over(self, began: float) -> None:
        """Soon the standby is the primary."""
        await asyncio.sleep(_AWAY_SECONDS)
        self.postgres = self.servers[1]
        await asyncio.to_thread(self.postgres.promote)
        self.told.append(f"the standby was the primary after {time.monotonic() - began:.1f} s")

    async def goes_on(self, what: str, since: float = 0.0, bids: int = _BIDS) -> None:
        """Until so many more are acknowledged at each table; how long one went without any since then."""
        now, limit = time.monotonic(), time.monotonic() + PATIENCE
        before = [_bids(it) for it in self.parties]
        last, longest = [(bids, since or now) for bids in before], 0.0
        while min(count - was for (count, _), was in zip(last, before, strict=True)) < bids:
            if now > limit:
                self.wrong.append(f"{what}: it does not go on")
                return
            await asyncio.sleep(0.01)
            now = time.monotonic()
            longest = max(longest, *(now - at for _, at in last))
            last = [
                (count, now if count > was else at)
                for (was, at), count in zip(last, map(_bids, self.parties), strict=True)
            ]
        self.told.append(f"{what}: no bid at some table for {longest:.1f} s")


def _bids(party: Party) -> int:
    return sum(it.bids for it in party.programs)


async def _nowhere() -> Streams:
    raise OSError("nothing is forwarded here")


def _three_buses() -> list[NatsServer]:
    with socket.socket() as a, socket.socket() as b, socket.socket() as c:
        for free in (a, b, c):
            free.bind(("127.0.0.1", 0))
        routes = [f"nats://route:for-tests@127.0.0.1:{it.getsockname()[1]}" for it in (a, b, c)]
    usual = (*PASSWORD, "--cluster_name", "tide", "--routes", ",".join(routes))
    return [NatsServer(*usual, "--cluster", it) for it in routes]


async def _typed(program: str, *arguments: str) -> None:
    folder = programs()
    assert folder
    command = [str(folder / program), *arguments]
    done = await asyncio.to_thread(
        lambda: subprocess.run(command, capture_output=True, text=True, check=False)
    )
    assert not done.returncode, done.stderr


# ---------------------------------------------------------------- what happens


async def killed(house: House) -> None:
    """The primary dies, and its standby takes its place."""
    await house.goes_on("before")
    began = time.monotonic()
    await asyncio.to_thread(house.postgres.stop)
    await house.fail_over(began)
    await house.goes_on("primary killed", began)


async def paused(house: House) -> None:
    """The primary is stopped, and wakes up when its standby is the primary, too."""
    await house.goes_on("before")
    former, began = house.postgres, time.monotonic()
    former.send(signal.SIGSTOP)
    await house.fail_over(began)
    await house.goes_on("primary stopped", began)
    former.send(signal.SIGCONT)
    await house.goes_on("former primary awake", bids=4 * _BIDS)
    # A node that starts now finds two that take connections, the former one first.
    node = house.nodes[NAMES[0]]
    await node.server.stopped()
    began = time.monotonic()
    await house.launch(node)
    house.told.append(f"a node was open after {time.monotonic() - began:.1f} s")
    await house.goes_on("with a node that was started", bids=4 * _BIDS)
    ((users,),) = await asyncio.to_thread(former.sql, _USERS)
    house.told.append(f"the former primary has {users} connections")
    await asyncio.to_thread(former.stop)


async def buses(house: House) -> None:
    """Of three NATS servers one dies, then the next one; later the third one hangs."""
    await house.goes_on("before")
    first, second, third = house.buses
    for bus, what in ((first, "one"), (second, "two")):
        began = time.monotonic()
        bus.kill()
        await house.goes_on(f"{what} of three NATS servers killed", began)
    for bus in (first, second):
        await asyncio.to_thread(bus.start)
    began = time.monotonic()
    third.send(signal.SIGSTOP)
    await house.goes_on("the third one stopped", began)
    third.send(signal.SIGCONT)
    await house.goes_on("awake", bids=2 * _BIDS)


async def moved(house: House) -> None:
    """A dump is made while people play, and tried on another machine; then the house goes there."""
    await house.goes_on("before")
    known, dump = [it.copied() for it in house.parties], await house.dump()
    for copied, party in zip(known, house.parties, strict=True):
        for program, same in zip(copied.programs, party.programs, strict=True):
            # Not what was replaced meanwhile.
            program.acknowledged = dict(program.acknowledged.items() & same.acknowledged.items())
    await _try(dump, known, house)
    await house.goes_on("meanwhile", bids=1)
    began = time.monotonic()
    await asyncio.gather(*(it.server.stopped() for it in house.nodes.values()))
    dump = await house.dump()
    for server in house.servers:
        await asyncio.to_thread(server.stop)
    await house.restored(dump, house.place / "keys")
    await house.goes_on("moved", began)


async def _try(dump: Path, parties: list[Party], house: House) -> None:
    """The same people play to the end there, too."""
    copy, outcome = House(house.place / "copy", house.chance), ClusterOutcome()
    copy.place.mkdir(mode=0o700)
    try:
        await copy.restored(dump, house.place / "keys")
        copy.watch()
        copy.parties = parties
        ports = cycle([it.server.ssh_port for it in copy.nodes.values()])
        playing = [
            asyncio.create_task(each.play(next(ports)))
            for party in parties
            for each in party.programs
        ]
        await copy.goes_on("played")
        for party in parties:
            party.ending = True
        await until(lambda: all(it.at_rest for it in parties), outcome, parties)
        for party in parties:
            party.over = True
        await asyncio.wait(playing, timeout=PATIENCE)
        await judge(copy, parties, outcome)
    finally:
        copy.end_all()
    house.told += [f"the copy: {it}" for it in copy.told]
    house.wrong += [f"the copy: {it}" for it in outcome.wrong]


SCENARIOS: Final = {it.__name__: it for it in (killed, paused, buses, moved)}


async def play(place: Path, scenario: Callable[[House], Awaitable[None]], seed: int) -> list[str]:
    """What was measured; raises ``AssertionError`` with all that is wrong."""
    house = House(place, random.Random(seed))
    outcome = await run(place, 0, seed, _TABLES, lambda _house, _faults: scenario(house), house)
    lines = [*house.told, *told(outcome)]
    assert not outcome.wrong, "\n".join([*lines, *outcome.wrong])
    return lines


def main() -> None:
    chosen = [it for it in sys.argv[1:] if it in SCENARIOS] or list(SCENARIOS)
    seed = random.SystemRandom().randrange(1 << 32)
    for name in chosen:
        print(f"{name}:", flush=True)
        with tempfile.TemporaryDirectory(prefix=f"tide-{name}-") as folder:
            lines = asyncio.run(play(Path(folder), SCENARIOS[name], seed))
        print("\n".join(f"  {it}" for it in lines), flush=True)


if __name__ == "__main__":
    main()
