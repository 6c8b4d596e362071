"""A server, its disk and its database, and everything that can be done to them."""

import asyncio
import ctypes
import os
import random
import signal
import socket
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from ipaddress import IPv4Address
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from server.storage.statedir import DOORS, LOCK
from tests.support.certificates import make, put
from tests.support.forwarding import Forwarder, Streams
from tests.support.patience import PATIENCE
from tests.support.postgres import PostgresServer
from tests.support.servers import LASTING, Server, tide

SHORTLY: Final = (0.2, 4.0)
"""Seconds for which something is broken."""
HASTY: Final = 0.2
"""Share of servers that are killed while they are starting."""
ANSWERS: Final = (1, 5)
"""So many are lost in a row."""
COORDINATOR: Final = "coordinator"
_LOOK_AGAIN: Final = 0.05
_NOTICED: Final = 5.0
"""Seconds within which a client has noticed that its door has gone."""
_PIDFD_GETFD: Final = 438


Fault = Callable[[], Awaitable[None]]
"""Breaks something and, unless that mends itself, mends it."""


class Harm(NamedTuple):
    """Something that was done."""

    kind: str
    began: float
    door: str | None
    """Whose connections may end with it: those of one door, or with "" of all."""
    ended: float


async def until(happened: Callable[[], object], seconds: float = PATIENCE) -> bool:
    """Whether it has happened by then."""
    limit = time.monotonic() + seconds
    while not happened() and time.monotonic() < limit:  # noqa: ASYNC110
        await asyncio.sleep(_LOOK_AGAIN)
    return bool(happened())


def processes(server: Server) -> dict[str, list[int]]:
    """The children of a server by their names: ``coordinator`` (two), ``door 1`` and so on."""
    parent = server.process.pid
    found: dict[str, list[int]] = {}
    with suppress(OSError):
        for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
            with suppress(OSError):
                words = Path(f"/proc/{child}/cmdline").read_text().split("\0")
                for at, word in enumerate(words):
                    if word in {COORDINATOR, "door"}:
                        name = word if word == COORDINATOR else f"{word} {words[at + 1]}"
                        found.setdefault(name, []).append(int(child))
                        break
    return found


def serving(server: Server) -> int:
    """The coordinator that has the lock, or had it last."""
    return int(Path(server.environ["TIDE_STATE"], LOCK).read_text())


def last_opened(server: Server) -> str:
    """When one of its coordinators began to serve; "" if none has."""
    opened = [it["timestamp"] for it in server.events if it["event"] == "coordinator_open"]
    return str(opened[-1]) if opened else ""


def free_port() -> int:
    """A port of the loopback interface that nobody uses now."""
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


class House:
    """A server, and what it keeps everything in. ``disk`` is small, and can be filled."""

    def __init__(self, place: Path, disk: Path, chance: random.Random, doors: int = 0) -> None:
        self.place: Final = place
        self.disk: Final = disk
        self.chance: Final = chance
        self.doors: Final = doors
        self.servers = [self._new_server(place, disk / "state")]
        """Those that use one database."""
        self.harms: Final[list[Harm]] = []
        self.wrong: list[str] = []
        self.kinds: Final = dict[str, Fault]()
        if doors:
            self._offer(
                *(self.coordinator_killed, self.coordinators_killed, self.coordinator_stopped),
                *(self.coordinator_paused, self.door_killed, self.door_stopped, self.line_cut),
            )
        else:
            self._offer(self.server_stopped)
        self._offer(self.server_killed, self.server_ended, self.disk_full)

    @property
    def server(self) -> Server:
        """The one whose coordinator has opened last: people come to its doors."""
        return max(self.servers, key=last_opened)

    def _new_server(self, place: Path, state: Path, *options: str) -> Server:
        settings = {"TIDE_STATE": str(state), "TIDE_DOORS": str(self.doors)}
        made = Server(place, *options, **{**LASTING, **settings})
        made.ssh_port = free_port()
        made.environ["TIDE_SSH_PORT"] = str(made.ssh_port)
        return made

    def _offer(self, *kinds: Fault) -> None:
        self.kinds.update({kind.__name__.replace("_", " "): kind for kind in kinds})

    async def start(self) -> None:
        """Until people may come in."""
        await self._launch()

    async def close(self) -> Path:
        """End it; the database as a file."""
        if status := await self.server.stopped():
            self.wrong.append(f"the last server ended with {status}")
        return self.disk / "state" / "tide.db"

    async def end_all(self) -> None:
        """End whatever still runs, whatever has happened."""
        for server in self.servers:
            await asyncio.to_thread(server.close)

    def may_end(self, address: str, at: float) -> bool:
        """Whether the connection of this address could end at that time: not while its door lived."""
        door = f"door {int(IPv4Address(address)) % self.doors + 1}" if self.doors else ""
        return any(
            harm.door in {"", door} and harm.began <= at <= harm.ended + _NOTICED
            for harm in self.harms
        )

    @contextmanager
    def _harm(self, kind: str, door: str | None = None) -> Iterator[None]:
        began = time.monotonic()
        at = len(self.harms)
        self.harms.append(Harm(kind, began, door, began + PATIENCE))
        try:
            yield
        finally:
            self.harms[at] = Harm(kind, began, door, time.monotonic())

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

    # ------------------------------------------------------------ all of it

    async def server_killed(self) -> None:
        with self._harm("server killed", ""):
            self.server.kill()
            await asyncio.to_thread(self.server.wait)
            while self.chance.random() < HASTY:
                self.server.launch()
                await asyncio.sleep(self.chance.uniform(0.0, 0.8))
                self.server.close()
            await self._launch()

    async def server_ended(self) -> None:
        with self._harm("server ended", ""):
            if status := await self.server.stopped():
                self.wrong.append(f"a server that was asked to stop ended with {status}")
            await self._launch()

    async def server_stopped(self) -> None:
        with self._harm("server stopped", ""), stopped(self.server.process.pid):
            await self._a_while()

    async def disk_full(self) -> None:
        with self._harm("disk full"):
            ballast = self.disk / "ballast"
            with suppress(OSError), ballast.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(4096))
            await self._a_while()
            ballast.unlink()

    # ------------------------------------------------------------ one process

    def _coordinators(self) -> list[int]:
        """The one that serves first; also those that are starting."""
        found = processes(self.server).get(COORDINATOR, [])
        with suppress(OSError, ValueError):
            return sorted(found, key=serving(self.server).__ne__)
        return found

    def _door(self) -> tuple[str, int]:
        found = {name: it for name, it in processes(self.server).items() if name != COORDINATOR}
        name = self.chance.choice(sorted(found) or [""])
        return name, (found.get(name) or [0])[-1]

    async def _kill_coordinators(self, kind: str, most: int) -> None:
        for child in self._coordinators()[:most]:
            with self._harm(kind), suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)

    async def coordinator_killed(self) -> None:
        await self._kill_coordinators("coordinator killed", 1)

    async def coordinators_killed(self) -> None:
        """Also the spare one, and any that is starting."""
        await self._kill_coordinators("coordinators killed", 9)

    async def coordinator_stopped(self) -> None:
        """For longer than its parent waits for an answer of it, which then kills it."""
        child, *_ = self._coordinators()
        with self._harm("coordinator stopped"), stopped(child):
            if not await until(lambda: child not in self._coordinators()):
                self.wrong.append("a coordinator that says nothing was not replaced")

    async def coordinator_paused(self) -> None:
        child, *_ = self._coordinators()
        with self._harm("coordinator paused"), stopped(child):
            await self._a_while()

    async def door_killed(self) -> None:
        name, child = self._door()
        if child:
            with self._harm("door killed", name), suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)

    async def door_stopped(self) -> None:
        name, child = self._door()
        with self._harm("door stopped", name), stopped(child):
            await self._a_while()

    async def line_cut(self) -> None:
        """The line between a door and the coordinator breaks, and both live."""
        _, child = self._door()
        with self._harm("line cut"):
            for line in sockets_of(child):
                with line, suppress(OSError):
                    if line.family == socket.AF_UNIX and str(line.getpeername()).endswith(DOORS):
                        line.shutdown(socket.SHUT_RDWR)


@contextmanager
def stopped(*pids: int) -> Iterator[None]:
    """Have processes, some of which may have ended, do nothing meanwhile."""

    def send(number: int) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    send(signal.SIGSTOP)
    try:
        yield
    finally:
        send(signal.SIGCONT)


def sockets_of(pid: int) -> Iterator[socket.socket]:
    """Copies of those that another process of ours has."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    process = os.pidfd_open(pid)
    try:
        for opened in os.listdir(f"/proc/{pid}/fd"):
            with suppress(OSError):
                if os.readlink(f"/proc/{pid}/fd/{opened}").startswith("socket:"):
                    copied = call(_PIDFD_GETFD, process, int(opened), 0)
                    if copied < 0:
                        raise OSError(ctypes.get_errno(), "a socket of another process")
                    yield socket.socket(fileno=copied)
    finally:
        os.close(process)


class PostgresHouse(House):
    """Two servers with doors on PostgreSQL, which has a primary and its standby. One of them has the
    coordinator for the doors of both; the other one waits until it is gone.
    """

    def __init__(self, place: Path, disk: Path, chance: random.Random, doors: int) -> None:
        super().__init__(place, disk, chance, doors)
        made, ports = [make("a"), make("b")], [free_port(), free_port()]
        self.servers = []
        for here, there in ((0, 1), (1, 0)):
            folder = place / "ab"[here]
            for others in ("doors", "coordinators"):
                put(folder / "keys", made[here], others, other=made[there])
            listen, door_of = (f"127.0.0.1:{ports[each]}" for each in (here, there))
            options = ("--doors-listen", listen, "--door-of", door_of)
            self.servers.append(self._new_server(folder, folder / "state", *options))
        self._databases: list[PostgresServer] = []
        """Each may be the primary; the other one follows it."""
        self._primary = 0
        self._ways: Final[dict[Server, list[Forwarder]]] = {}
        """Those of a server to each of the databases."""
        self._offer(
            *(self.database_killed, self.database_stopped, self.database_slow),
            *(self.answers_to_commit_lost, self.failover, self.failover_from_a_stopped_one),
        )
        self._offer(self.server_stopped, self.server_cut_off)

    async def start(self) -> None:
        first = await asyncio.to_thread(PostgresServer, place=self.disk, max_wal_size="64MB")
        name = first.empty().partition("?")[0].rpartition("/")[2]
        self._databases = [first, first]
        await self._follow()
        for server in self.servers:
            ways = self._ways[server] = [Forwarder(partial(self._reach, at)) for at in (0, 1)]
            for way in ways:
                await way.start()
            hosts = ",".join(f"127.0.0.1:{way.port}" for way in ways)
            server.environ["TIDE_DATABASE_URL"] = f"postgresql://tide@{hosts}/{name}"
        await super().start()
        self.servers[1].launch()

    async def close(self) -> Path:
        leader = self.server
        for server in self.servers:
            if server is not leader:
                server.close()
        await super().close()
        kept = self.place / "copy.db"
        url = self.server.environ["TIDE_DATABASE_URL"]
        copied = await asyncio.to_thread(tide, "database", "copy", url, str(kept))
        assert not copied.returncode, copied.stderr
        return kept

    async def end_all(self) -> None:
        await super().end_all()
        for way in chain(*self._ways.values()):
            await way.close()
        for database in self._databases:
            database.stop_for_good()

    async def _reach(self, at: int) -> Streams:
        return await asyncio.open_unix_connection(str(self._databases[at].folder / ".s.PGSQL.5432"))

    # ------------------------------------------------------------ one server of two

    async def server_killed(self) -> None:
        with self._harm("server killed", ""):
            first = self.server
            first.kill()
            await asyncio.to_thread(first.wait)
            await self._is_replaced(first)
            first.launch()

    async def server_ended(self) -> None:
        with self._harm("server ended", ""):
            first = self.server
            if status := await first.stopped():
                self.wrong.append(f"a server that was asked to stop ended with {status}")
            await self._is_replaced(first)
            first.launch()

    async def server_stopped(self) -> None:
        """All its processes, until the other one serves and for a while longer."""
        with self._harm("server stopped", ""):
            first, child = self.server, serving(self.server)
            with stopped(first.process.pid, *chain(*processes(first).values())):
                await self._is_replaced(first)
                await self._a_while()
            await self._has_noticed(first, child)

    async def server_cut_off(self) -> None:
        """Nothing arrives between the server and its database any more; its doors keep their connections."""
        with self._harm("server cut off"):
            first, child = self.server, serving(self.server)
            for way in self._ways[first]:
                way.stop()
            await self._is_replaced(first)
            await self._a_while()
            for way in self._ways[first]:
                way.go_on()
            await self._has_noticed(first, child)

    async def _is_replaced(self, first: Server) -> None:
        """Wait until the other one has the coordinator."""
        if not await until(lambda: self.server is not first):
            self.wrong.append("no server has taken over")

    async def _has_noticed(self, first: Server, child: int) -> None:
        """Wait until the coordinator that has been replaced has ended by itself."""
        if not await until(lambda: child not in processes(first).get(COORDINATOR, ())):
            self.wrong.append("a coordinator went on that another one has taken over from")

    # ------------------------------------------------------------ the database

    async def disk_full(self) -> None:
        await super().disk_full()
        # They end where there is no room for their logs.
        for database in self._databases:
            if not await asyncio.to_thread(database.runs):
                await asyncio.to_thread(database.start)

    async def database_killed(self) -> None:
        with self._harm("database killed"):
            primary = self._databases[self._primary]
            await asyncio.to_thread(primary.stop)
            await self._a_while()
            await asyncio.to_thread(primary.start)

    async def database_stopped(self) -> None:
        """All its processes."""
        with self._harm("database stopped"):
            primary = self._databases[self._primary]
            primary.send(signal.SIGSTOP)
            try:
                await self._a_while()
            finally:
                primary.send(signal.SIGCONT)

    async def database_slow(self) -> None:
        with self._harm("database slow"):
            for way in self._ways[self.server]:
                way.delay = 0.1
            await self._a_while()
            for way in self._ways[self.server]:
                way.delay = 0.0

    async def answers_to_commit_lost(self) -> None:
        with self._harm("answers to COMMIT lost"):
            way = self._ways[self.server][self._primary]
            way.lose_answers(b"COMMIT\0", self.chance.randint(*ANSWERS))
            await until(lambda: not way.losing, 2 * SHORTLY[1])
            way.lose_answers(b"", 0)

    async def failover(self) -> None:
        with self._harm("failover"):
            await asyncio.to_thread(self._databases[self._primary].stop)
            await self._fail_over()
        await self._follow()

    async def failover_from_a_stopped_one(self) -> None:
        """It is killed, but only after its standby has taken over."""
        with self._harm("failover from a stopped one"):
            self._databases[self._primary].send(signal.SIGSTOP)
            await self._fail_over()
        await self._follow()

    async def _fail_over(self) -> None:
        old, self._primary = self._databases[self._primary], 1 - self._primary
        new = self._databases[self._primary]
        await asyncio.to_thread(new.promote)
        # Nothing follows it yet, so that no COMMIT may wait for that.
        await asyncio.to_thread(wait_for, new, "")
        await self._a_while()
        await asyncio.to_thread(old.stop_for_good)

    async def _follow(self) -> None:
        """Have the primary followed by a new standby, for which every COMMIT waits."""
        primary = self._databases[self._primary]
        self._databases[1 - self._primary] = await asyncio.to_thread(
            PostgresServer, primary, place=self.disk, max_wal_size="64MB"
        )
        await asyncio.to_thread(wait_for, primary, "standby")


def wait_for(primary: PostgresServer, standby: str) -> None:
    """Have every COMMIT wait for the standby of this name, or for none."""
    primary.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{standby}'")
    primary.sql("SELECT pg_reload_conf()")
