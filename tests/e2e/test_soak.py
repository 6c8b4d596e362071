"""A server that is played on, dropped from and attacked: `make soak` does it for as long as asked."""

import random
from pathlib import Path

import pytest

from tests.e2e.soak import Size, run

SMALL = Size(tables=1, telnet=0, programs=0, wanderers=0, watchers=2, droppers=24, attackers=8)
WARM = Size(tables=1, telnet=1, programs=1, wanderers=0, watchers=1, droppers=8, attackers=8)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
async def test_nothing_is_lost_and_nothing_left_over(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    outcome = await run(tmp_path, seed, size=SMALL, warm=WARM)
    assert not outcome.wrong, f"seed {seed}:\n" + "\n".join(outcome.wrong)
    assert (outcome.waves, outcome.games, outcome.alone) == (2, 2, 2)
    assert outcome.attacks.total() == 16
    assert outcome.came.total() > 8
