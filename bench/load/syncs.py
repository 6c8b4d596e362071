"""How long the disk takes to keep something, without any of ours: every bid waits for that."""

import os
import subprocess
import sys
import tempfile
import threading
import time
from types import TracebackType
from typing import Final, NamedTuple, Self

from bench.load.figures import NOTHING, Spread, spread, table

_TIMES: Final = 150
_PAUSE: Final = 0.02


class Syncs(NamedTuple):
    """Milliseconds of a sync, pinned to the server's core."""

    disk: Spread
    text: str


def syncs(core: int) -> Syncs:
    """Measure it in a process of its own."""
    command = [sys.executable, "-m", "bench.load.syncs", str(core)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = spread(map(float, said.split()))
    text = table(
        ("4 KB written and synced", "p50 ms", "p99 ms", "worst ms"),
        [(tempfile.gettempdir(), f"{found.p50:.1f}", f"{found.p99:.1f}", f"{found.worst:.1f}")],
    )
    return Syncs(found, text)


class Meanwhile:
    """Measures it while something else goes on: use as a context manager. Every bid waits as long."""

    def __init__(self) -> None:
        self.found = NOTHING
        """Milliseconds, once that is over."""
        self._over: Final = threading.Event()
        self._seconds: Final[list[float]] = []
        self._thread: Final = threading.Thread(target=self._measure)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()
        self.found = spread(self._seconds)

    def _measure(self) -> None:
        with tempfile.TemporaryFile() as file:
            while not self._over.wait(_PAUSE):
                began = time.perf_counter()
                os.pwrite(file.fileno(), b"y" * 4096, 4096 * len(self._seconds))
                os.fdatasync(file.fileno())
                self._seconds.append(time.perf_counter() - began)


def main() -> None:
    """Print the seconds of each."""
    os.sched_setaffinity(0, {int(sys.argv[1])})
    with tempfile.TemporaryFile() as file:
        file.write(b"x" * 4096 * _TIMES)
        os.fsync(file.fileno())
        for number in range(_TIMES):
            begin = time.perf_counter()
            os.pwrite(file.fileno(), b"y" * 4096, 4096 * number)
            os.fdatasync(file.fileno())
            print(time.perf_counter() - begin)
            time.sleep(_PAUSE)


if __name__ == "__main__":
    main()
