"""Nodes whose machines have wrong clocks have one time, and lose nothing while PostgreSQL stops."""

import random
from pathlib import Path

import pytest

from tests.e2e.cluster_kill import told
from tests.e2e.wrong_clocks import run
from tests.support import haproxy, nats, postgres


@pytest.mark.slow
async def test_machines_with_wrong_clocks_have_one_time(tmp_path: Path) -> None:
    postgres.needed()
    nats.needed()
    haproxy.needed()
    seed = random.SystemRandom().randrange(1 << 32)
    outcome = await run(tmp_path, 2, seed)
    assert not outcome.wrong, "\n".join([f"seed {seed}:", *told(outcome), *outcome.wrong])
    assert outcome.games >= 3
    assert outcome.acknowledged > 30
