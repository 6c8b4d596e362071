"""Nodes and services are killed, paused and cut off: nothing that was acknowledged is lost."""

import random
from pathlib import Path

import pytest

from tests.e2e.cluster_faults import KINDS
from tests.e2e.cluster_kill import run, told
from tests.support import haproxy, nats, postgres


@pytest.mark.slow
async def test_faults_of_nodes_and_services_lose_nothing(tmp_path: Path) -> None:
    postgres.needed()
    nats.needed()
    haproxy.needed()
    seed = random.SystemRandom().randrange(1 << 32)
    outcome = await run(tmp_path, len(KINDS), seed, tables=3)
    report = [f"seed {seed}:", *told(outcome), *outcome.wrong]
    assert not outcome.wrong, "\n".join(report)
    assert outcome.faults == dict.fromkeys((it.name for it in KINDS), 1)
    assert outcome.games >= 3
    assert outcome.acknowledged > 50
