"""HAProxy, as the pages and ``deploy`` set it up."""

import csv
import os
import re
import shutil
import socket
import subprocess
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.support.patience import PATIENCE, eventually

_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_PROGRAM: Final = shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def needed() -> None:
    """Skip the test where there is no HAProxy."""
    if _PROGRAM is None:
        pytest.skip("HAProxy (Debian: haproxy) is not installed")


def _of_page(name: str) -> str:
    (found,) = re.findall(r"```haproxy\n(.*?)```", (_ROOT / "docs" / name).read_text(), re.DOTALL)
    return textwrap.dedent(found)


SETTINGS: Final = {
    "cluster.md": _of_page("cluster.md"),
    "hosting.md": _of_page("hosting.md"),
    "haproxy.cfg": (_ROOT / "deploy" / "haproxy.cfg").read_text(),
}
"""By the file where they are."""


class Balancer:
    """HAProxy with these settings; only the addresses are others."""

    def __init__(
        self, folder: Path, settings: str, ports: Mapping[str, int], bind: Mapping[str, str]
    ) -> None:
        """``ports`` of the servers, by their names there; ``bind`` says where people come in, by the port
        there; elsewhere it is a socket in ``folder`` with that name.
        """
        self._folder: Final = folder
        self._lines: Final[list[socket.socket]] = []
        for name, port in ports.items():
            settings = re.sub(rf"server {name} \S+", f"server {name} 127.0.0.1:{port}", settings)
        settings = re.sub(
            r"bind :(\d+)", lambda it: f"bind {bind.get(it[1], folder / it[1])}", settings
        )
        # More connections than a test may have.
        settings = re.sub(r"maxconn \d+", "maxconn 100", settings)
        (folder / "cfg").write_text(f"global\n  stats socket {folder}/stats\n{settings}")

    @contextmanager
    def running(self) -> Iterator[None]:
        with subprocess.Popen(
            [str(_PROGRAM), "-db", "-f", str(self._folder / "cfg")], stderr=subprocess.DEVNULL
        ) as process:
            try:
                eventually((self._folder / "stats").exists)
                yield
            finally:
                process.kill()
                for line in self._lines:
                    line.close()

    def _connected(self, name: str) -> socket.socket:
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(PATIENCE)
        line.connect(str(self._folder / name))
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
