"""Nodes and services are killed, paused and cut off: nothing that was acknowledged is lost."""

import random
from pathlib import Path

import pytest

from tests.e2e.cluster_kill import run, told
from tests.support import nats, postgres

FAULTS = 10
"""`make cluster-kill` does 200."""


@pytest.mark.slow
async def test_faults_of_nodes_and_services_lose_nothing(tmp_path: Path) -> None:
    postgres.needed()
    nats.needed()
    seed = random.SystemRandom().randrange(1 << 32)
    outcome = await run(tmp_path, FAULTS, seed)
    report = [f"seed {seed}:", *told(outcome), *outcome.wrong]
    assert not outcome.wrong, "\n".join(report)
    assert sum(outcome.faults.values()) == FAULTS
    assert outcome.games >= 3
    assert outcome.acknowledged > 50
