"""A NATS server for tests, of Debian's package."""

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from tests.support.patience import PATIENCE

PASSWORD: Final = ("--user", "tide", "--pass", "for-tests")
"""Options of a server that lets nobody else in; what is given in their place has to as well."""


def program() -> str | None:
    return shutil.which("nats-server", path="/usr/sbin:/usr/bin:/usr/local/bin")


def needed() -> None:
    """Skip the test where there is no NATS."""
    pytest.importorskip("nats", reason="without nats-py (make install-cluster)")
    if program() is None:
        pytest.skip("NATS (Debian: nats-server) is not installed")


class NatsServer:
    """One server on a free port of the loopback interface, which it keeps when it is started again."""

    def __init__(self, *options: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: Final[int] = free.getsockname()[1]
        self._options: Final = options
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Return when it accepts connections."""
        found = program()
        assert found
        self._process = subprocess.Popen(
            [found, "-a", "127.0.0.1", "-p", str(self.port), *(self._options or PASSWORD)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1.0).close()
            except OSError:
                assert self._process.poll() is None, "nats-server ended"
                assert time.monotonic() < limit, "nats-server does not open"
                time.sleep(0.02)
            else:
                return

    @property
    def url(self) -> str:
        """For nodes."""
        return f"nats://tide:for-tests@127.0.0.1:{self.port}"

    def send(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def nats_server(*options: str) -> Iterator[str]:
    """The URL of one, as long as it is needed. Skips the test where there is none."""
    needed()
    server = NatsServer(*options)
    try:
        yield f"nats://127.0.0.1:{server.port}" if options else server.url
    finally:
        server.kill()
