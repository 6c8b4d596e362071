"""A server that cannot rely on its database any more: everybody hears it, and the process ends."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from server.storage.databases.database import DAMAGED, UNKNOWN
from tests.support.faulty_disk import faulty, shim
from tests.support.servers import TIDE, Server, playing, tide
from tests.support.windows import Window

pytestmark = pytest.mark.slow
__all__ = ["faulty", "shim"]


def fail_syncs(state: Path) -> None:
    (state.with_name("image") / "fail").touch()


def take_away(state: Path) -> None:
    (state / "tide.db").rename(state.with_name("elsewhere.db"))


@pytest.mark.skipif(not shutil.which("ssh"), reason="no ssh here")
@pytest.mark.parametrize(
    ("break_it", "status", "advice"),
    [(fail_syncs, UNKNOWN, "start the server again"), (take_away, DAMAGED, "removed or replaced")],
)
def test_players_and_the_host_are_told(
    faulty: dict[str, str],
    tmp_path: Path,
    break_it: Callable[[Path], None],
    status: int,
    advice: str,
) -> None:
    with Server(tmp_path, **faulty) as server:
        with playing(server) as ada, Window(server.ssh(name="bo")) as bo:
            bo.wait_for("You are bo.")
            break_it(tmp_path / "state")
            ada.press("\r")
            for window in (ada, bo):
                window.wait_for_end()
                assert "cannot rely on its database any more" in window.text
                assert "your hand" not in window.text, "the terminal is as it was"
        assert server.wait() == status
    log = server.log.read_text()
    assert log.count("storage_lost") == 1
    last = log.splitlines()[-1]
    assert last.startswith("tide: ")
    assert advice in last


def test_a_damaged_database_is_not_tried_again(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir(0o700)
    (state / "tide.db").write_bytes(b"something else\n" * 1000)
    ended = tide(
        "serve", TIDE_STATE=str(state), TIDE_KEYS=str(tmp_path / "keys"), TIDE_SSH_PORT="0"
    )
    assert ended.returncode == DAMAGED
    assert "tide backup" in ended.stderr
    unit = Path("deploy/tide.service").read_text(encoding="utf-8")
    (prevented,) = (it for it in unit.splitlines() if it.startswith("RestartPreventExitStatus="))
    assert str(DAMAGED) in prevented.partition("=")[2].split()
    assert str(UNKNOWN) not in prevented.partition("=")[2].split()


def test_a_game_at_this_terminal_says_so_and_gives_it_back(tmp_path: Path) -> None:
    """Its database is in memory: only a fault of this machine can break it."""
    (tmp_path / "sitecustomize.py").write_text(
        "from server.storage.databases.sqlite import SqliteConnection as It\n"
        "commit, count = It.commit, [0]\n"
        "def broken(self):\n"
        "    commit(self)\n"
        "    count[0] += 1\n"
        "    if count[0] == 6:\n"
        "        raise MemoryError\n"
        "It.commit = broken\n"
    )
    with Window([TIDE, "play"], env={**os.environ, "PYTHONPATH": str(tmp_path)}) as window:
        assert window.wait_for_end() == UNKNOWN
        assert "cannot rely on its database" in window.text
        assert "tide play" in window.text
