"""A server in a process of its own, to be measured from outside, on Linux."""

import json
import os
import re
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

_PATIENCE: Final = 60.0
_PORT: Final = re.compile(rb"-p (\d+)\s")
_PROCESS_CPU: Final = 2  # as clock_getcpuclockid(3) makes the number of a clock
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """A process that was started has died, or has not done in time what it was told."""


class ServerProcess:
    """Use as a context manager: it listens when that is entered, and is gone when that is left."""

    def __init__(
        self, command: Sequence[str], folder: Path, cwd: Path | None = None, **settings: str
    ) -> None:
        """What it logs goes to ``folder``; ``settings`` are variables of its environment."""
        self._command: Final = command
        self._settings: Final = settings
        self._cwd: Final = cwd
        self._log: Final = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def pid(self) -> int:
        """Of the process."""
        assert self._process is not None
        return self._process.pid

    @property
    def cpu(self) -> float:
        """Seconds of the processor's time that it has used so far, all threads together."""
        return cpu_seconds(self.pid)

    @property
    def kilobytes(self) -> int:
        """Its resident memory."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])

    def __enter__(self) -> Self:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, **self._settings},
                cwd=self._cwd,
            )
        try:
            self.port = self._wait_for_port()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def last_words(self) -> str:
        """The end of what it has logged, when it has ended by itself; else empty."""
        if self._process is None or self._process.poll() is None:
            return ""
        lines = self._log.read_text(errors="replace").splitlines()
        return "\n".join([f"The server has ended ({self._process.returncode}).", *lines[-20:]])

    def _wait_for_port(self) -> int:
        assert self._process is not None
        assert self._process.stdout is not None
        output = self._process.stdout.fileno()
        said = b""
        end = time.monotonic() + _PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            while time.monotonic() < end:
                if selector.select(1.0):
                    said += (read := os.read(output, 65536))
                    if found := _PORT.search(said):
                        return int(found[1])
                    if not read:
                        break
        raise Failed(f"the server did not start:\n{self._log.read_text()}")


class TideServer(ServerProcess):
    """``tide serve`` as it comes, with all its limits; of another version, if its installed ``checkout`` is
    given.
    """

    def __init__(
        self, folder: Path, core: int, checkout: Path | None = None, **settings: str
    ) -> None:
        self._profile: Final = folder / "profile.json"
        python = str(checkout / ".venv/bin/python") if checkout else sys.executable
        command = [python, "-P", str(Path(__file__).with_name("serve.py").resolve())]
        command += [str(core), str(self._profile), "--host", "127.0.0.1", "--ssh-port", "0"]
        command += ["--state", str(folder / "state"), "--keys", str(folder / "keys")]
        settings = {"TIDE_LOG": "json", "TIDE_TELNET_PORT": "0", **settings}
        super().__init__(command, folder, checkout, **settings)

    def begin_profile(self) -> None:
        """Look at what it is doing from now on."""
        self._profile.unlink(missing_ok=True)
        os.kill(self.pid, signal.SIGUSR1)

    def profile(self) -> dict[str, float]:
        """What it has been doing: seconds of the processor's time by subject."""
        os.kill(self.pid, signal.SIGUSR2)
        end = time.monotonic() + _PATIENCE
        while not self._profile.exists():
            if time.monotonic() >= end:
                raise Failed("the server writes no profile")
            time.sleep(0.05)
        found: dict[str, float] = json.loads(self._profile.read_text())
        return found


class WishServer(ServerProcess):
    """The yardstick in Go."""

    def __init__(self, folder: Path, core: int) -> None:
        super().__init__([sys.executable, "-m", "bench.load.wish", str(core), str(folder)], folder)


def cpu_seconds(pid: int) -> float:
    """What a process has used of the processor so far, all threads together."""
    return time.clock_gettime(~pid << 3 | _PROCESS_CPU)


def busy_seconds(core: int) -> float:
    """The time that a core was busy with anything so far, and that the host took from it."""
    stat = Path("/proc/stat").read_text()
    user, nice, system, _idle, _wait, irq, softirq, steal = map(
        int, stat.partition(f"cpu{core} ")[2].split()[:8]
    )
    return (user + nice + system + irq + softirq + steal) / _TICKS


class Shares:
    """Of one core, 1.0 being all of it; measured from when this is made until it is asked."""

    def __init__(self, server: ServerProcess, core: int) -> None:
        self._server, self._core = server, core
        self._then: Final = self._now()

    def _now(self) -> tuple[float, ...]:
        return (
            time.perf_counter(),
            self._server.cpu,
            time.process_time(),
            busy_seconds(self._core),
        )

    def told(self) -> dict[str, Any]:
        """``cpu``: the server's seconds; ``server``, ``clients`` (this process), ``others`` on its core."""
        seconds, server, clients, busy = (
            now - then for now, then in zip(self._now(), self._then, strict=True)
        )
        here = clients if os.sched_getaffinity(0) == {self._core} else 0.0
        others = max(0.0, busy - server - here)
        return {
            "cpu": server,
            "server": server / seconds,
            "clients": clients / seconds,
            "others": others / seconds,
        }
