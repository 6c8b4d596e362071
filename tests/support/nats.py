"""A NATS server for tests, of Debian's package."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def nats_server(*options: str) -> Iterator[str]:
    """The URL of one, as long as it is needed. Skips the test where there is none."""
    pytest.importorskip("nats", reason="without nats-py (make install-cluster)")
    program = shutil.which("nats-server", path="/usr/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        pytest.skip("NATS (Debian: nats-server) is not installed")
    command = [program, "-a", "127.0.0.1", "-p", "-1", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            said = ""
            while "Server is ready" not in said:
                line = server.stderr.readline()
                assert line, said
                said += line
            found = re.search(r"client connections on (\S+:\d+)", said)
            assert found
            yield f"nats://{found[1]}"
        finally:
            server.kill()
