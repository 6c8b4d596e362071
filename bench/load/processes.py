"""What the system knows of a process: its share of a core, its memory. Linux only, like pinning."""

import ctypes
import os
import resource
import signal
import time
from pathlib import Path
from typing import Final, NamedTuple

_PR_SET_PDEATHSIG: Final = 1  # from sys/prctl.h
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """A process that was started has died, or has not done in time what it was told."""


class Memory(NamedTuple):
    """Kilobytes."""

    rss: int
    pss: int


def memory(pid: int) -> Memory:
    """How much memory a process has: all of its pages, and its share of those that others use as well."""
    found = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, value, *_ = line.split()
        found[name] = int(value)
    return Memory(found["Rss:"], found["Pss:"])


def end_with_parent() -> None:
    """Have the system end this process when the one that started it is gone, however that happened."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def most_descriptors() -> int:
    """How many files and sockets a process may have open at most."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def descriptors(pid: int) -> int:
    """How many files and sockets a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def cpu_seconds(pid: int) -> float:
    """The processor's time that a process has used so far, all threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def busy_seconds(core: int) -> float:
    """The time that a core was busy with anything so far, and that the host took from it."""
    for line in Path("/proc/stat").read_text().splitlines():
        name, *numbers = line.split()
        if name == f"cpu{core}":
            user, nice, system, _idle, _wait, irq, softirq, steal = map(int, numbers[:8])
            return (user + nice + system + irq + softirq + steal) / _TICKS
    raise LookupError(core)


class Shares(NamedTuple):
    """Of one core, 1.0 being all of it."""

    server: float
    clients: float
    others: float
    """What anything else took of the server's core."""
    others_beside: float
    """What anything else took of the clients' cores, of one core."""


IDLE: Final = Shares(0.0, 0.0, 0.0, 0.0)


class Meter:
    """Measures shares from when it is made."""

    def __init__(self, server: int, clients: list[int], core: int, cores: list[int]) -> None:
        """Processes by id, and the cores that they are pinned to."""
        self._server, self._clients = server, clients
        self._core, self._cores = core, cores
        self._since: Final = time.perf_counter()
        self._start: Final = self._now()

    def _now(self) -> tuple[float, float, float, float]:
        return (
            cpu_seconds(self._server),
            sum(map(cpu_seconds, self._clients)),
            busy_seconds(self._core),
            sum(map(busy_seconds, self._cores)),
        )

    @property
    def seconds(self) -> float:
        """How long it has been measuring."""
        return time.perf_counter() - self._since

    def shares(self) -> Shares:
        """Since the beginning."""
        seconds = self.seconds
        server, clients, core, cores = (
            (now - then) / seconds for now, then in zip(self._now(), self._start, strict=True)
        )
        if self._cores == [self._core]:
            return Shares(server, clients, max(0.0, core - server - clients), 0.0)
        return Shares(server, clients, max(0.0, core - server), max(0.0, cores - clients))
