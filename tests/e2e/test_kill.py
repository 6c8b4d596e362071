"""`kill -9` at any instant, then start again: nothing that was acknowledged is lost."""

import random
from pathlib import Path

import pytest

from tests.e2e.killing import run
from tests.support.postgres import shared_server

KILLS = 8
"""`make kill` does 500."""


@pytest.mark.slow
@pytest.mark.parametrize("product", ["sqlite", "postgresql"])
async def test_kills_at_any_instant_lose_nothing(tmp_path: Path, product: str) -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    url = shared_server().empty() if product == "postgresql" else ""
    outcome = await run(tmp_path, KILLS, seed, url)
    assert not outcome.wrong, f"seed {seed}:\n" + "\n".join(outcome.wrong)
    assert outcome.kills == KILLS
    assert outcome.games >= 3
    assert outcome.sealed > 8
