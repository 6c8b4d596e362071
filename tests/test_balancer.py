"""HAProxy, as the pages and ``deploy`` set it up, in front of nodes that hang or die."""

import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.support import haproxy
from tests.support.haproxy import SETTINGS, Balancer
from tests.support.patience import eventually

_NODE: Final = """
import socketserver, sys
class Node(socketserver.BaseRequestHandler):
    def handle(self):
        if self.request.recv(12, 256) == b"\\r\\n\\r\\n\\0\\r\\nQUIT\\n":
            self.request.sendall(b"SSH-2.0-" + sys.argv[1].encode() + b"\\r\\n")
            while self.request.recv(4096): pass
class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    def handle_error(self, *_): pass
with Server(("127.0.0.1", 0), Node) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
"""
"""Says its name in the first line of SSH to whoever begins with a PROXY header."""


@contextmanager
def nodes(*names: str) -> Iterator[dict[str, tuple[subprocess.Popen[str], int]]]:
    """Their processes and ports."""
    with ExitStack() as stack:
        made = {}
        for name in names:
            command = [sys.executable, "-c", _NODE, name]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            stack.enter_context(process)
            stack.callback(process.kill)
            assert process.stdout
            made[name] = process, int(process.stdout.readline())
        yield made


@contextmanager
def balanced(settings: str) -> Iterator[tuple[Balancer, dict[str, subprocess.Popen[str]]]]:
    """HAProxy with the nodes of these settings, which it has found well."""
    haproxy.needed()
    names = dict.fromkeys(re.findall(r"server (\S+) \S+:2222", settings))
    # The path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="tide-") as folder, nodes(*names) as made:
        ports = {name: port for name, (_, port) in made.items()}
        through = Balancer(Path(folder), settings, ports, {})
        with through.running():
            eventually(through.all_checked)
            yield through, {name: process for name, (process, _) in made.items()}


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_node_that_hangs_is_left_out(settings: str) -> None:
    with balanced(SETTINGS[settings]) as (through, processes):
        hangs, *others = processes
        inside = [through.come() for _ in processes]
        assert sorted(name for _, name in inside) == sorted(processes)
        processes[hangs].send_signal(signal.SIGSTOP)
        try:
            eventually(lambda: through.status(hangs) == {"DOWN"})
            # Whoever was connected to it is told, and can come in again.
            (cut,) = [line for line, name in inside if name == hangs]
            assert not others or not cut.recv(1)
            again = [through.come() for _ in others]
            assert all(name in others for _, name in again)
        finally:
            processes[hangs].send_signal(signal.SIGCONT)
        eventually(lambda: through.status(hangs) == {"UP"})


@pytest.mark.parametrize("settings", [name for name in SETTINGS if name != "hosting.md"])
def test_who_comes_just_after_a_node_has_died_is_let_in_by_another(settings: str) -> None:
    with balanced(SETTINGS[settings]) as (through, processes):
        inside = [through.come() for _ in processes]
        dies, *others = processes
        processes[dies].kill()
        processes[dies].wait()
        inside = [*inside, *(through.come() for _ in processes)]
        assert all(name in others for _, name in inside[len(processes) :])
