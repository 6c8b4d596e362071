"""The parent of a coordinator and its doors: it starts again what has ended, and holds the ports meanwhile.

Two processes run as coordinator. The one that has the lock of the state directory serves, the other waits for
it with everything imported. A child ends when its standard input does, so none outlives its parent.
"""

import asyncio
import os
import secrets
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

import structlog

from server.runtime.process import ALIVE, ORDERED, READY, STOPPING, SdNotify
from server.storage.databases.database import DAMAGED
from server.timers import OneTimer, SystemClock, Tasks

log = structlog.get_logger("server")

WAITING: Final = "STATUS=waiting"
"""What a coordinator tells that waits for the lock."""
_FINAL: Final = {0, ORDERED, DAMAGED}
"""Statuses of a coordinator after which none is started."""
_SOON: Final = 0.1
_LATE: Final = 10.0
"""Seconds before a child is started again: the first, doubled each time that it ends before it is ready."""
_SILENT_SECONDS: Final = 6.0
"""How long a coordinator may be silent before it is killed, so that the spare one takes over."""
_WATCHED: Final = {"WATCHDOG_USEC": f"{_SILENT_SECONDS:.0f}000000", "WATCHDOG_PID": ""}
_STOP_SECONDS: Final = 5.0
"""How long doors may take to end before they are killed."""


class Program(NamedTuple):
    """What a child runs."""

    name: str
    """For the log: ``coordinator``, ``door 2``."""
    command: Sequence[str]
    sockets: Sequence[int] = ()
    """Descriptors that are left open for it."""


class Child:
    """One run of a program."""

    def __init__(self, program: Program, process: asyncio.subprocess.Process) -> None:
        self.program: Final = program
        self.process: Final = process
        self.told = ""
        """What it has told last: ``WAITING``, ``READY``, ``STOPPING``, or nothing yet."""
        self.replaced = False
        """Another one runs in its place already."""
        self._silent: Final = OneTimer(asyncio.get_running_loop())

    @property
    def name(self) -> str:
        """Name of this process, unique among all that run."""
        name = self.program.name
        return f"{name} ({self.process.pid})" if self.replaced else name

    def send(self, number: int) -> None:
        """Send a signal; it does not matter if it has ended."""
        with suppress(ProcessLookupError):
            self.process.send_signal(number)

    def heard(self, told: str) -> None:
        """Take what it has told; one that has told that it is alive is killed when it does so no more."""
        if told == ALIVE:
            self._silent.after(_SILENT_SECONDS, self._kill)
        elif told in {WAITING, READY, STOPPING}:
            self.told = told

    def ended(self) -> None:
        """Note that it runs no more."""
        self._silent.cancel()

    def _kill(self) -> None:
        log.error("coordinator_silent", seconds=_SILENT_SECONDS)
        self.send(signal.SIGKILL)


class Supervisor:
    """Keeps two coordinators and some doors until told to stop."""

    def __init__(
        self,
        coordinator: Program | None,
        doors: Sequence[Program],
        ended: Callable[[int], object] = lambda _: None,
    ) -> None:
        """Without a ``coordinator``, doors have one elsewhere. ``ended`` is called with the process number of
        each child that has ended.
        """
        self._coordinator: Final = coordinator
        self._doors: Final = doors
        self._ended: Final = ended
        self.children: Final[list[Child]] = []
        """The children that run now."""
        self._work: Final = Tasks()
        self._news: Final = asyncio.Event()
        self._status: int | None = None
        self._stops = 0
        """How often it was told to stop."""
        self._upgrading = False

    async def run(self) -> int:
        """Start everything, and keep it running until told to stop; the status of the coordinator.

        SIGTERM has the coordinator end politely, SIGINT or a second SIGTERM at once; one more kills all.
        SIGHUP is for all children, SIGUSR1 for ``upgrade``.
        """
        loop, service, clock = asyncio.get_running_loop(), SdNotify(), SystemClock()
        terminals = tuple(filter(os.isatty, (0, 1, 2)))
        loop.add_signal_handler(signal.SIGTERM, self._stop, signal.SIGTERM)
        loop.add_signal_handler(signal.SIGINT, self._stop, signal.SIGINT)
        loop.add_signal_handler(signal.SIGHUP, self._hang_up, terminals)
        loop.add_signal_handler(signal.SIGUSR1, lambda: self._work.spawn(self.upgrade()))
        try:
            for program in filter(None, (self._coordinator, self._coordinator, *self._doors)):
                self._work.spawn(self._keep(program))
            self._work.spawn(service.keep_telling(clock))
            await self.until(lambda: self.serving or self._ending)
            if self.serving:
                service.tell(READY)
            await self.until(lambda: self._ending)
            service.tell(STOPPING)
            return await self._end()
        finally:
            self._stops += 1
            self._send(signal.SIGKILL)
            await self.until(lambda: not self.children)
            await self._work.end()

    async def upgrade(self) -> None:
        """Replace everything by what is installed now. Nobody's connection ends: the next coordinator does
        what it does when its predecessor has crashed, and a door that is replaced ends when nobody is left
        in it.
        """
        if self._upgrading or self._ending:
            return
        self._upgrading = True
        log.info("upgrade")
        doors = [each for each in self.children if each.program in self._doors]
        for child in sorted(self._coordinators(), key=lambda it: it.told == READY):
            self._replace(child, signal.SIGKILL)
            await self.until(lambda: self._waiting or self._ending)
        for child in doors:
            self._replace(child, signal.SIGTERM)
        self._upgrading = False

    async def until(self, happened: Callable[[], object]) -> None:
        """Wait until this is true of the children."""
        while not happened():
            self._news.clear()
            await self._news.wait()

    def _replace(self, child: Child, number: int) -> None:
        """End a child by this signal, and start another one in its place, if none has been already."""
        if not child.replaced:
            child.replaced = True
            self._work.spawn(self._keep(child.program))
            child.send(number)

    @property
    def serving(self) -> bool:
        """All doors are open: there is a coordinator, here or elsewhere."""
        return {child.name for child in self.ready} >= {door.name for door in self._doors}

    @property
    def names(self) -> list[str]:
        """The names of what should serve; a coordinator may be waiting for another machine to end."""
        here = [child.name for child in self.ready if child.program is self._coordinator]
        return here + [door.name for door in self._doors]

    @property
    def ready(self) -> list[Child]:
        """The children that serve, also those that another one has replaced."""
        return [child for child in self.children if child.told == READY]

    @property
    def _waiting(self) -> bool:
        """There is a spare coordinator that has not been replaced."""
        return any(child.told == WAITING and not child.replaced for child in self._coordinators())

    @property
    def _ending(self) -> bool:
        return self._stops > 0 or self._status is not None

    def _coordinators(self) -> list[Child]:
        return [child for child in self.children if child.program is self._coordinator]

    def _send(self, number: int) -> None:
        for child in self.children:
            child.send(number)

    def _stop(self, number: int) -> None:
        self._stops += 1
        self._news.set()
        if self._stops > 1:
            self._send(signal.SIGINT if self._stops == 2 else signal.SIGKILL)
        else:
            for child in self._coordinators():
                child.send(number if child.told == READY else signal.SIGKILL)

    def _hang_up(self, terminals: Sequence[int]) -> None:
        """Have all children reload, unless the window in which they were started has been closed."""
        if all(map(os.isatty, terminals)):
            self._send(signal.SIGHUP)
        else:
            self._stop(signal.SIGINT)

    async def _end(self) -> int:
        """Wait for the coordinator, then for the doors."""
        for child in self._coordinators():
            if self._status is not None:
                child.send(signal.SIGKILL)
        await self.until(lambda: not self._coordinators())
        for child in self.children:
            # A coordinator of ours has sent everybody away.
            child.send(signal.SIGINT if self._status is None else signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(_STOP_SECONDS):
                await self.until(lambda: not self.children)
        return self._status or 0

    async def _keep(self, program: Program) -> None:
        """Run a program again and again."""
        pause = _SOON
        while True:
            child, status = await self._run(program)
            if child.replaced:
                return
            if program is self._coordinator and status in _FINAL:
                self._status = status
            if self._ending:
                return
            log.error("process_ended", process=program.name, status=status)
            pause = _SOON if child.told == READY else min(2 * pause, _LATE)
            await asyncio.sleep(pause)

    async def _run(self, program: Program) -> tuple[Child, int]:
        """Run it once; its status, or the signal that has killed it as a negative number."""
        with self._notices() as (address, listening):
            process = await asyncio.create_subprocess_exec(
                *program.command,
                stdin=asyncio.subprocess.PIPE,
                start_new_session=True,  # what the terminal sends is for the parent
                pass_fds=program.sockets,
                env={**os.environ, "NOTIFY_SOCKET": address, **_WATCHED},
            )
            child = Child(program, process)
            self.children.append(child)
            if self._ending:
                child.send(signal.SIGKILL)
            loop = asyncio.get_running_loop()
            loop.add_reader(listening, self._hear, child, listening)
            try:
                return child, await process.wait()
            finally:
                loop.remove_reader(listening)
                child.ended()
                self.children.remove(child)
                self._ended(process.pid)
                self._news.set()

    @contextmanager
    def _notices(self) -> Iterator[tuple[str, socket.socket]]:
        """A socket for what a child tells by ``SdNotify``, and its address, which others cannot guess."""
        name = f"tide-{secrets.token_hex(16)}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
            listening.bind(f"\0{name}")
            listening.setblocking(False)
            yield f"@{name}", listening

    def _hear(self, child: Child, listening: socket.socket) -> None:
        with suppress(BlockingIOError, UnicodeDecodeError):
            child.heard(listening.recv(256).decode("ascii"))
            self._news.set()
