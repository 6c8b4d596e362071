"""What only some servers need can be left out of one's mind: whole games are played over SSH without it."""

import subprocess
import sys

import pytest

from tests.support.patience import PATIENCE

WITHOUT = """
import sys
from importlib.abc import MetaPathFinder

class Refuses(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        for refused in {refused!r}:
            if name == refused or name.startswith(refused + "."):
                raise ImportError(name + " is left out")

sys.meta_path.insert(0, Refuses())
for refused in {refused!r}:
    try:
        __import__(refused)
    except ImportError:
        continue
    sys.exit(refused + " is there")
import pytest
sys.exit(pytest.main([*sys.argv[1:], "-k", "whole or standings", "-n0", "-q", "-p", "no:cacheprovider"]))
"""

GAMES = "tests/transport/test_games.py"


@pytest.mark.slow
@pytest.mark.parametrize(
    "refused",
    [
        ("server.coordinator.tournaments",),
    ],
)
def test_whole_games_over_ssh_without(refused: tuple[str, ...]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(refused=refused), GAMES],
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    assert " passed" in ran.stdout
