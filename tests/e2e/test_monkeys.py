"""Twelve clients that press whatever is offered: briefly, in memory, always the same way."""

import os
import subprocess
import sys

import pytest

from tests.support.patience import PATIENCE


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_is_pressed_it_holds_together(seed: int) -> None:
    # In a process of its own: sets have an order, too, and a run is to be repeated by its seed.
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.e2e.monkeys", "--memory", str(seed), "--turns", "700"],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
        check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
