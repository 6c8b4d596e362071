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
@pytest.mark.parametrize("kind", ["ed25519", "rsa", ""])
def test_a_round_is_played(tmp_path: Path, kind: str) -> None:
    """With a key, and without one."""
    key = tmp_path / "key"
    if kind:
        subprocess.run(["dropbearkey", "-t", kind, "-f", key], check=True, capture_output=True)
    with Server(tmp_path, **AT_ONCE) as server:
        command = ["dbclient", "-y", "-p", str(server.ssh_port), *(("-i", key) if kind else ())]
        with Window([*command, "ada@localhost"], env={"HOME": str(tmp_path)}) as ada:
            ada.wait_for("You are ada.")
            ada.press("b")
            ada.wait_for("your hand", "round 1/12")
            card = re.search(r"your hand\D*(\d+)", ada.text)
            assert card
            ada.press(f"{card[1]}\r")
            ada.wait_for("round 2/12")
            ada.press("\x03")
            ada.wait_for("Disconnect, keep the seat")
            ada.press("d")
            ada.wait_for_end()
            assert "Goodbye, ada." in ada.text
