"""`kill -9` at any instant, then start again: nothing that was acknowledged is lost."""

import random
from pathlib import Path

import pytest

from tests.e2e.killing import run
from tests.support.nats import nats_server
from tests.support.postgres import shared_server

KILLS = 8
"""`make kill` does 500."""
ON_POSTGRESQL = 6
"""Each time the lease of the one before has to be over first."""


@pytest.mark.slow
@pytest.mark.parametrize("product", ["sqlite", "postgresql"])
async def test_kills_at_any_instant_lose_nothing(tmp_path: Path, product: str) -> None:
    seed = random.SystemRandom().randrange(1 << 32)
    if product == "postgresql":
        with nats_server() as bus:
            outcome = await run(
                tmp_path, kills := ON_POSTGRESQL, seed, shared_server().empty(), bus
            )
    else:
        outcome = await run(tmp_path, kills := KILLS, seed)
    assert not outcome.wrong, f"seed {seed}:\n" + "\n".join(outcome.wrong)
    assert outcome.kills == kills
    assert outcome.games >= 3
    assert outcome.sealed > 8
