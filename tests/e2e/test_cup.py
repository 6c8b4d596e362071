"""A small tournament over real connections, with drop-outs and a kill."""

import random
from pathlib import Path

import pytest

from tests.e2e.cup import hold


@pytest.mark.slow
async def test_a_tournament_that_is_killed_in_the_middle(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    outcome = await hold(tmp_path, 12, seed, rounds=2, stages=1)
    assert not outcome.wrong(12), f"seed {seed}"
