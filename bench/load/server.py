"""A server in a process of its own, to be measured from outside."""

import json
import os
import re
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from bench.load.processes import Failed
from bench.load.wish import build

_PATIENCE: Final = 30.0
_PORT: Final = re.compile(rb"-p (\d+)")
_BOTH: Final = re.compile(rb"-p (\d+).*\n *telnet \S+ (\d+)", re.DOTALL)


class ServerProcess:
    """Use as a context manager: it listens when that is entered, and is gone when that is left."""

    ready = _PORT
    """What it prints once it listens, with the port in it, and one for telnet if it has that."""

    def __init__(
        self,
        command: list[str],
        environment: dict[str, str],
        folder: Path,
        checkout: Path | None = None,
    ) -> None:
        """What it logs goes to ``folder``. It runs in ``checkout``, or where this process does."""
        self._checkout: Final = checkout
        self._command: Final = command
        self._environment: Final = environment
        self._log: Final = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0
        self.telnet = 0
        """The port for telnet; 0 without."""

    @property
    def pid(self) -> int:
        """Of the process."""
        assert self._process is not None
        return self._process.pid

    def __enter__(self) -> Self:
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, **self._environment},
                cwd=self._checkout,
            )
        try:
            self.port, self.telnet = self._wait_for_ports()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def last_words(self) -> str:
        """The end of what it has logged, when it has ended by itself; else empty."""
        if self._process is None or self._process.poll() is None:
            return ""
        lines = self._log.read_text(errors="replace").splitlines()
        return "\n".join([f"The server has ended ({self._process.returncode}).", *lines[-20:]])

    def _end(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _wait_for_ports(self) -> tuple[int, int]:
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
                    if found := self.ready.search(said):
                        port, *others = map(int, found.groups())
                        return port, sum(others)
                    if not read:
                        break
        raise Failed(f"the server did not start:\n{self._log.read_text()}")


class TideServer(ServerProcess):
    """``tide serve`` with everything as it comes, the limits included; of another version, if its installed
    ``checkout`` is given.
    """

    ready = _BOTH

    def __init__(self, folder: Path, core: int, checkout: Path | None = None) -> None:
        self._profile: Final = folder / "profile.json"
        python = str(checkout / ".venv/bin/python") if checkout else sys.executable
        command = [python, "-m", "bench.load.serve", str(core), str(self._profile)]
        command += ["--host", "127.0.0.1", "--ssh-port", "0"]
        command += ["--state", str(folder / "state"), "--keys", str(folder / "keys")]
        super().__init__(command, {"TIDE_LOG": "json", "TIDE_TELNET_PORT": "0"}, folder, checkout)

    def begin_profile(self) -> None:
        """Look at what it is doing from now on."""
        self._profile.unlink(missing_ok=True)
        os.kill(self.pid, signal.SIGUSR1)

    def profile(self) -> dict[str, Any]:
        """What it has been doing: samples by function, at the top (``own``) or anywhere (``all``)."""
        os.kill(self.pid, signal.SIGUSR2)
        end = time.monotonic() + _PATIENCE
        while not self._profile.exists():
            if time.monotonic() >= end:
                raise Failed("the server writes no profile")
            time.sleep(0.05)
        found: dict[str, Any] = json.loads(self._profile.read_text())
        return found


class WishServer(ServerProcess):
    """The yardstick in Go."""

    def __init__(self, folder: Path, core: int) -> None:
        binary = build(folder)
        command = [sys.executable, "-m", "bench.load.wish", str(core), str(binary)]
        super().__init__(command, {}, folder)


class PeerServer(ServerProcess):
    """One of the yardsticks in ``bench.load.peers``."""

    def __init__(self, folder: Path, core: int, kind: str) -> None:
        command = [sys.executable, "-m", "bench.load.peers", kind, str(core)]
        super().__init__(command, {}, folder)
