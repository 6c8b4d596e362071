"""``tide serve`` as players reach it by Dropbear's ``dbclient``: routers, small boards, phones."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.servers import AT_ONCE, Server
from tests.support.windows import Window

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("dbclient"), reason="no dbclient here"),
]


def test_a_command_is_answered(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        done = subprocess.run(
            ["dbclient", "-y", "-p", str(server.ssh_port), "ada+guest@localhost", "help"],
            env={**server.environ, "HOME": str(tmp_path)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )
    assert "ssh -p PORT NAME@HOST" in done.stdout


@pytest.mark.skipif(not shutil.which("dropbearkey"), reason="no dropbearkey here")
def test_a_round_is_played(tmp_path: Path) -> None:
    """With keys of two kinds, and without one."""
    with Server(tmp_path, **AT_ONCE) as server:
        for name, kind in (("ada", "ed25519"), ("bo", "rsa"), ("cem", "")):
            key = tmp_path / name
            if kind:
                made = ["dropbearkey", "-t", kind, "-f", str(key)]
                subprocess.run(made, check=True, capture_output=True)
            command = ["dbclient", "-y", "-p", str(server.ssh_port), *(("-i", key) if kind else ())]
            with Window([*command, f"{name}@localhost"], env={"HOME": str(tmp_path)}) as player:
                player.wait_for(f"You are {name}.")
                player.press("b")
                player.wait_for("your hand", "round 1/12")
                card = re.search(r"your hand\D*(\d+)", player.text)
                assert card
                player.press(f"{card[1]}\r")
                player.wait_for("Space next")
                player.press(" ")
                player.wait_for("round 2/12")
                player.press("\x03")
                player.wait_for("Disconnect, keep the seat")
                player.press("d")
                player.wait_for_end()
                assert f"Goodbye, {name}." in player.text
