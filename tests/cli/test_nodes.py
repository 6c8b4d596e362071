"""``tide nodes`` and ``tide drain``, as an operator runs them."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import asyncssh
import pytest

from server.runtime.process import ORDERED
from tests.support.nats import nats_server
from tests.support.postgres import shared_server
from tests.support.servers import Server, tide
from tests.support.windows import Window

pytestmark = pytest.mark.slow


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The settings that nodes have in common."""
    with nats_server() as bus:
        url = shared_server().empty()
        keys = str(tmp_path / "keys")
        yield {"TIDE_DATABASE_URL": url, "TIDE_BUS_URL": bus, "TIDE_KEYS": keys}


def test_nodes_are_listed_and_one_after_the_other_ends(
    tmp_path: Path, shared: dict[str, str]
) -> None:
    servers = []
    with ExitStack() as stack:
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
            server = Server(tmp_path / name, TIDE_NODE=name, **shared)
            servers.append(stack.enter_context(server))
        listed = tide("nodes", **shared)
        assert listed.returncode == 0, listed.stderr
        lines = [line.split() for line in listed.stdout.splitlines()]
        assert lines[0] == ["NODE", "STATE", "TABLES", "LEASE", "BUS"]
        assert [(it[0], it[1], it[2], it[-1]) for it in lines[1:]] == [
            ("a", "ready", "0", "yes"),
            ("b", "ready", "0", "yes"),
        ]
        plain = json.loads(tide("nodes", "--json", **shared).stdout)
        assert [it["name"] for it in plain] == ["a", "b"]
        assert all(0 < it["lease"] <= 3 for it in plain)

        unknown = tide("drain", "c", **shared)
        assert unknown.returncode == 1
        assert "there is no node c; there are: a, b" in unknown.stderr
        drained = tide("drain", "a", **shared)
        assert drained.returncode == 0, drained.stderr
        assert "a has ended" in drained.stdout
        assert servers[0].process.wait() == ORDERED
        last = tide("drain", "b", **shared)
        assert last.returncode == 1
        assert "the only node" in last.stderr
        assert servers[1].stop() == 0
    assert tide("nodes", **shared).stdout == "No node is running.\n"


def test_who_is_erased_is_connected_to_no_node_any_more(
    tmp_path: Path, shared: dict[str, str]
) -> None:
    """The command is run on a machine without one."""
    mine = tmp_path / "id"
    asyncssh.generate_private_key("ssh-ed25519").write_private_key(mine)
    mine.chmod(0o600)
    (tmp_path / "a").mkdir()
    with Server(tmp_path / "a", TIDE_NODE="a", **shared) as server:
        with Window(server.ssh("-i", str(mine), name="ada+plain")) as ada:
            ada.wait_for("You are ada")
            told = tide("forget", "ada", "--yes", TIDE_STATE=str(tmp_path / "b"), **shared)
            assert (told.returncode, told.stderr) == (0, "")
            ada.wait_for("An operator has ended your connection")
            ada.wait_for_end()
        assert server.stop() == 0


def test_without_the_settings_of_nodes_one_line_says_so() -> None:
    for command in (("nodes",), ("drain", "a")):
        done = tide(*command)
        assert done.returncode == 2
        assert "TIDE_DATABASE_URL" in done.stderr
    done = tide("nodes", TIDE_DATABASE_URL="postgresql://db/tide")
    assert done.returncode == 2
    assert "--bus" in done.stderr
