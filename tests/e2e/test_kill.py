"""`kill -9` at any instant, then start again: nothing that was acknowledged is lost."""

import random
from pathlib import Path

import pytest

from tests.e2e.killing import run

KILLS = 20
"""`make kill` does 500."""


@pytest.mark.slow
async def test_kills_at_any_instant_lose_nothing(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    outcome = await run(tmp_path, KILLS, seed)
    assert not outcome.wrong, f"seed {seed}:\n" + "\n".join(outcome.wrong)
    assert outcome.kills == KILLS
    assert outcome.games >= 3
    assert outcome.sealed > 20
