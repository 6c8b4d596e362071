"""Sixteen people, three tables, and nobody is shown what is not theirs."""

import random
import shutil
from pathlib import Path

import pytest

from tests.e2e.evening import spend


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("tmux") and shutil.which("ssh")), reason="tmux or ssh is not installed"
)
async def test_an_evening_at_the_club(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    evening = await spend(tmp_path, seed, least=5.0, most=240.0)
    wrong = [*evening.missing(), *evening.wrong]
    assert not wrong, f"seed {seed}:\n" + "\n".join(wrong)
