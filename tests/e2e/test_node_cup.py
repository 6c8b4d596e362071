"""A small tournament on three real nodes, while those that run it go."""

import random
from pathlib import Path

import pytest

from tests.e2e.node_cup import hold
from tests.support import haproxy, nats, postgres


@pytest.mark.slow
async def test_a_tournament_goes_on_whichever_node_goes(tmp_path: Path) -> None:
    postgres.needed()
    nats.needed()
    haproxy.needed()
    seed = random.SystemRandom().randrange(1 << 32)
    outcome = await hold(tmp_path, 12, seed, rounds=3, stages=1)
    assert not outcome.wrong(12), f"seed {seed}"
