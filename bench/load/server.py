"""A server in a process of its own, to be measured from outside, on Linux."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

_PATIENCE: Final = 60.0
_PORT: Final = re.compile(r"-p (\d+)\s")
_PROCESS_CPU: Final = 2  # as clock_getcpuclockid(3) makes the number of a clock


class Failed(Exception):
    """A process that was started has died, or has not done in time what it was told."""


class Server(NamedTuple):
    """A server that listens."""

    pid: int
    port: int
    folder: Path

    @property
    def cpu(self) -> float:
        """Seconds of the processor's time that it has used so far, all threads and processes together."""
        return sum(time.clock_gettime(~pid << 3 | _PROCESS_CPU) for pid in self._processes)

    @property
    def kilobytes(self) -> int:
        """Its resident memory."""
        told = [Path(f"/proc/{pid}/status").read_text() for pid in self._processes]
        return sum(int(status.partition("VmRSS:")[2].split()[0]) for status in told)

    @property
    def _processes(self) -> list[int]:
        """Its own, and with doors its children."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text()
        return [self.pid, *map(int, children.split())]

    def spare_core(self) -> None:
        """Have its coordinators run where the clients do: on its own core are doors alone."""
        for pid in self._processes:
            if "coordinator" in Path(f"/proc/{pid}/cmdline").read_text().split("\0"):
                for thread in Path(f"/proc/{pid}/task").iterdir():
                    os.sched_setaffinity(int(thread.name), os.sched_getaffinity(0))

    def begin_profile(self) -> None:
        """Have ``serve.py`` look at what it is doing from now on."""
        (self.folder / "profile.json").unlink(missing_ok=True)
        os.kill(self.pid, signal.SIGUSR1)

    def profile(self) -> dict[str, float]:
        """Return what it has been doing: seconds of the processor's time by subject."""
        os.kill(self.pid, signal.SIGUSR2)
        end = time.monotonic() + _PATIENCE
        while not (told := self.folder / "profile.json").exists():
            if time.monotonic() >= end:
                raise Failed("the server writes no profile")
            time.sleep(0.05)
        found: dict[str, float] = json.loads(told.read_text())
        return found


@contextmanager
def started(
    command: Sequence[str], folder: Path, cwd: Path | None = None, **settings: str
) -> Iterator[Server]:
    """It listens until left, logs to ``folder``, and has ``settings`` as variables. Raises ``Failed``."""
    with (folder / "server.log").open("ab") as log:
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            env={**os.environ, **settings},
            cwd=cwd,
            text=True,
        )
    assert process.stdout is not None
    late = threading.Timer(_PATIENCE, process.kill)
    late.start()
    try:
        found = next(filter(None, map(_PORT.search, process.stdout)), None)
        late.cancel()
        if found is None:
            raise Failed("the server does not listen")
        yield Server(process.pid, int(found[1]), folder)
    except (Failed, OSError) as error:
        said = [str(error)]
        if process.poll() is not None:
            lines = (folder / "server.log").read_text(errors="replace").splitlines()
            said += [f"The server has ended ({process.returncode}).", *lines[-20:]]
        raise Failed("\n".join(said)) from error
    finally:
        late.cancel()
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


@contextmanager
def with_doors(doors: int, folder: Path, core: int) -> Iterator[Server]:
    """``tide serve --doors``, with the doors on this core."""
    with tide(folder, core, TIDE_DOORS=str(doors)) as server:
        server.spare_core()
        yield server


def tide(
    folder: Path, core: int, checkout: Path | None = None, **settings: str
) -> AbstractContextManager[Server]:
    """``tide serve`` as it comes, with all its limits; of another version, if its ``checkout`` is given."""
    python = str(checkout / ".venv/bin/python") if checkout else sys.executable
    command = [python, "-P", str(Path(__file__).with_name("serve.py").resolve())]
    command += [str(core), str(folder / "profile.json"), "--host", "127.0.0.1", "--ssh-port", "0"]
    command += ["--state", str(folder / "state"), "--keys", str(folder / "keys")]
    settings = {"TIDE_LOG": "json", "TIDE_TELNET_PORT": "0", **settings}
    return started(command, folder, checkout, **settings)


def wish(folder: Path, core: int) -> AbstractContextManager[Server]:
    """Return the yardstick in Go."""
    return started([sys.executable, "-m", "bench.load.wish", str(core), str(folder)], folder)


def bare(folder: Path, core: int) -> AbstractContextManager[Server]:
    """Asyncssh alone."""
    return started([sys.executable, "-m", "bench.load.bare", str(core), str(folder)], folder)
