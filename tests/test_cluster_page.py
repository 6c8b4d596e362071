"""What docs/cluster.md tells an operator to do is done, but for what needs root, other machines or a service
manager.
"""

import re
import subprocess
import textwrap
from pathlib import Path
from typing import Final

import psycopg
import pytest

from server.coordinator.nodes.lease import SECONDS
from server.runtime.process import ORDERED
from server.storage.statedir import KEY
from tests.support.nats import nats_server, program
from tests.support.patience import PATIENCE
from tests.support.postgres import PostgresServer, needed, programs
from tests.support.servers import TIDE, Server, environment
from tests.support.state_dirs import filled, tide

pytestmark = pytest.mark.slow

PAGE: Final = (Path(__file__).resolve().parent.parent / "docs" / "cluster.md").read_text()
_NOT_HERE: Final = re.compile(r"^systemctl .*\n", re.MULTILINE)


def block(kind: str) -> str:
    """The one of this kind."""
    (found,) = re.findall(rf"^ *```{kind}\n(.*?)^ *```$", PAGE, re.MULTILINE | re.DOTALL)
    return textwrap.dedent(found)


class Machine:
    """One where nobody is root: its files are below ``place``."""

    def __init__(self, place: Path, postgres: Path) -> None:
        self.state: Final = place / "lib"
        self.settings: Final = place / "etc"
        self._environ: Final = {
            **environment(),
            "PGHOST": str(postgres),
            "PGUSER": "postgres",
            "TIDE_STATE": str(place / "none"),
        }
        self._places: Final = {
            "/var/lib/tide": str(self.state),
            "/etc/tide": str(self.settings),
            "/opt/tide/bin/tide": str(TIDE),
            "runuser -u postgres -- ": f"{programs()}/",
            "runuser -u tide -- ": "",
        }
        for folder in (self.state, self.settings):
            folder.mkdir(mode=0o700)

    def here(self, text: str) -> str:
        """With the places of this machine."""
        for there, place in self._places.items():
            text = text.replace(there, place)
        return text

    def run(self, kind: str, typed: str = "") -> str:
        """What the commands of a block say; they succeed."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", self.here(_NOT_HERE.sub("", block(f"sh {kind}")))],
            input=typed,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env=self._environ,
            start_new_session=True,  # or the password is asked for on our terminal
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def node(self, name: str) -> Server:
        return Server(
            self.settings.parent,
            TIDE_CONFIG=str(self.settings / "tide.toml"),
            TIDE_NODE=name,
            TIDE_STATE=str(self.state / name),
            TIDE_KEYS=str(self.state / "keys"),
            TIDE_METRICS_PORT="0",
        )


@pytest.fixture
def postgres() -> PostgresServer:
    """As Debian sets it up: the role ``postgres`` is its administrator, and there is no other one."""
    needed()
    server = PostgresServer()
    server.sql("CREATE ROLE postgres SUPERUSER LOGIN")
    url = server.url("postgres").replace("//tide@", "//postgres@")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER ROLE tide RENAME TO initial")
    return server


def nodes(listed: str) -> list[str]:
    return [line.split()[0] for line in listed.splitlines()[1:]]


def test_an_operator_goes_to_several_nodes_and_back(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    machine = Machine(tmp_path, postgres.folder)
    filled(machine.state, 3)
    before = tide("records", "list", "--state", machine.state).out
    key = (machine.state / KEY).read_bytes()
    try:
        with nats_server("--user", "tide", "--pass", "PASSWORD") as bus:
            machine.run("database", "PASSWORD\n" * 2)
            url = f"postgresql://tide:PASSWORD@/tide?host={postgres.folder}\n"
            (machine.settings / "database.url").write_text(url)
            (machine.settings / "bus.url").write_text(bus.replace("//", "//tide:PASSWORD@") + "\n")
            (machine.settings / "tide.toml").write_text(machine.here(block("toml")))

            said = machine.run("move")
            assert "Copied" in said
            assert f"has been copied to {machine.state}/keys/{KEY}" in said
            assert not (machine.state / "tide.db").exists()
            first, second = machine.node("game-a"), machine.node("game-b")
            with first, second:
                assert nodes(machine.run("look")) == ["game-a", "game-b"]
                count = "SELECT COUNT(*) FROM pg_stat_activity WHERE usename = 'tide'"
                assert postgres_says(postgres, count) <= 2 * 5
                machine.run("upgrade")
                assert first.process.wait(PATIENCE) == ORDERED
                assert nodes(machine.run("look")) == ["game-b"]
                assert second.stop() == 0
            assert "Copied" in machine.run("back")
    finally:
        postgres.stop_for_good()
    assert tide("records", "list", "--state", machine.state).out == before
    assert (machine.state / KEY).read_bytes() == key
    with Server(
        tmp_path, TIDE_STATE=str(machine.state), TIDE_KEYS=str(machine.state / "keys")
    ) as alone:
        assert alone.logged("open")["database"] == "known"
        assert alone.stop() == 0


def postgres_says(server: PostgresServer, query: str) -> int:
    url = server.url("postgres").replace("//tide@", "//postgres@")
    with psycopg.connect(url) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row
    return int(row[0])


@pytest.mark.parametrize("kind", ["nats", "nats-cluster"])
def test_nats_understands_its_settings(tmp_path: Path, kind: str) -> None:
    nats = program()
    if nats is None:
        pytest.skip("NATS (Debian: nats-server) is not installed")
    (tmp_path / "nats.conf").write_text(block(kind))
    command = [nats, "-t", "-c", str(tmp_path / "nats.conf")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_page_is_right_about_the_lease() -> None:
    assert f"a lease of {['', 'one', 'two', 'three'][int(SECONDS)]} seconds" in PAGE
