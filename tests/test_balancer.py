"""HAProxy, as the pages and ``deploy`` set it up, in front of nodes that hang or die."""

import csv
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.support.patience import PATIENCE, eventually

ROOT: Final = Path(__file__).resolve().parent.parent
HAPROXY: Final = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")

pytestmark = pytest.mark.skipif(not HAPROXY, reason="there is no haproxy here")

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


def of_page(name: str) -> str:
    (found,) = re.findall(r"```haproxy\n(.*?)```", (ROOT / "docs" / name).read_text(), re.DOTALL)
    return textwrap.dedent(found)


SETTINGS: Final = {
    "cluster.md": of_page("cluster.md"),
    "hosting.md": of_page("hosting.md"),
    "haproxy.cfg": (ROOT / "deploy" / "haproxy.cfg").read_text(),
}


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


class Balancer:
    """HAProxy with these settings; only the addresses are others."""

    def __init__(self, folder: Path, settings: str, ports: Mapping[str, int]) -> None:
        self.folder: Final = folder
        self._lines: Final[list[socket.socket]] = []
        for name, port in ports.items():
            settings = re.sub(rf"server {name} \S+", f"server {name} 127.0.0.1:{port}", settings)
        settings = re.sub(r"bind :(\d+)", rf"bind {folder}/\1", settings)
        # More connections than a test may have.
        settings = re.sub(r"maxconn \d+", "maxconn 100", settings)
        (folder / "cfg").write_text(f"global\n  stats socket {folder}/stats\n{settings}")

    @contextmanager
    def running(self) -> Iterator[None]:
        with subprocess.Popen(
            [str(HAPROXY), "-db", "-f", str(self.folder / "cfg")], stderr=subprocess.DEVNULL
        ) as process:
            try:
                eventually((self.folder / "stats").exists)
                yield
            finally:
                process.kill()
                for line in self._lines:
                    line.close()

    def _connected(self, name: str) -> socket.socket:
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(PATIENCE)
        line.connect(str(self.folder / name))
        return line

    def stats(self) -> dict[tuple[str, str], dict[str, str]]:
        """By section and server."""
        with self._connected("stats") as line:
            line.sendall(b"show stat\n")
            with line.makefile() as answer:
                said = answer.read().removeprefix("# ")
        return {(row["pxname"], row["svname"]): row for row in csv.DictReader(said.splitlines())}

    def all_checked(self) -> bool:
        """By what they say: who only accepts connections is not."""
        checked = [row["check_status"] for row in self.stats().values() if row["check_status"]]
        assert "L4OK" not in checked
        return bool(checked) and all(it == "L7OK" for it in checked)

    def status(self, node: str) -> set[str]:
        """Of a node, in all sections; without how many checks in a row have said something else."""
        rows = self.stats()
        return {rows[key]["status"].split()[0] for key in rows if key[1] == node}

    def come(self) -> tuple[socket.socket, str]:
        """Connect; the first line, empty when the connection ended without one."""
        line = self._connected("2222")
        self._lines.append(line)
        with line.makefile() as said:
            return line, said.readline().removeprefix("SSH-2.0-").strip()


@contextmanager
def balanced(settings: str) -> Iterator[tuple[Balancer, dict[str, subprocess.Popen[str]]]]:
    """HAProxy with the nodes of these settings, which it has found well."""
    names = dict.fromkeys(re.findall(r"server (\S+) \S+:2222", settings))
    # The path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="tide-") as folder, nodes(*names) as made:
        ports = {name: port for name, (_, port) in made.items()}
        through = Balancer(Path(folder), settings, ports)
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
