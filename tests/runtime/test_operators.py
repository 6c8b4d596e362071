"""A real server, as its operator has it: the door changes while it runs, and it tells how it is."""

import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.metrics import get
from tests.support.patience import PATIENCE
from tests.support.servers import Server, playing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("ssh"), reason="no ssh here"),
]


def comes_in(server: Server) -> bool:
    """Whether somebody without a key gets an answer."""
    done = subprocess.run(
        [*server.ssh("-o", "IdentityFile=none"), "help"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode == 0


def test_the_door_is_changed_by_sighup(tmp_path: Path) -> None:
    file = tmp_path / "any.toml"
    file.write_text("")
    with Server(tmp_path, "--config", str(file)) as server:
        server.logged("open")
        for times, (access, open_to_all) in enumerate((("keys", False), ("open", True)), 1):
            file.write_text(f'access = "{access}"\nnotice = "{times}"\n')
            server.send(signal.SIGHUP)
            assert server.logged("settings_reread", times)["changed"] == ["access", "notice"]
            assert comes_in(server) is open_to_all
        assert server.stop() == 0


def test_figures_and_health_of_a_server_that_is_played_on(tmp_path: Path) -> None:
    with Server(tmp_path, TIDE_METRICS_PORT="0") as server:
        port = server.logged("open")["metrics_port"]
        assert isinstance(port, int)
        with playing(server) as ada:
            assert get(port, "/healthz").body == "ok\n"
            told = get(port, "/metrics")
            assert told.figure("tide_sessions", line="ssh", face="screen") == 1
            assert told.figure("tide_games_begun_total") == 1
            assert told.figure("tide_key_to_frame_seconds_count") >= 1
            assert told.figure("tide_tables", status="playing") == 1
            server.send(signal.SIGTERM)
            ada.wait_for("The server shuts down in")
            assert get(port, "/healthz")[::2] == (503, "draining: no new games\n")
            server.send(signal.SIGINT)
            ada.wait_for_end()
        assert server.wait() == 0
