"""Commands that read records end, whatever has no end."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE
from tests.support.state_dirs import tide

TIDE = Path(sys.executable).with_name("tide")
READ_RECORDS = [
    ["replay"],
    ["review"],
    ["statistics", "ada"],
    ["verify"],
    ["referee"],
    ["records", "import"],
]


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
@pytest.mark.parametrize("command", READ_RECORDS, ids=" ".join)
def test_a_device_without_end(command: list[str], device: str) -> None:
    done = tide(*command, device)
    assert done.status == 1
    assert f"{device}: record 1: longer than" in done.err


@pytest.mark.parametrize("line", ["", "{}", "[", "rubbish"])
def test_a_pipe_without_end(line: str) -> None:
    with subprocess.Popen(["yes", line], stdout=subprocess.PIPE) as endless:
        done = subprocess.run(
            [TIDE, "verify", "-"], stdin=endless.stdout, capture_output=True, text=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
        endless.kill()
    assert done.returncode == 1
    assert "standard input: " in done.stderr
