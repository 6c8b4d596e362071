"""A server, its disk and its database are broken: nothing that was acknowledged is lost."""

import random
from pathlib import Path

import pytest

from tests.e2e.faults import run
from tests.support import postgres

FAULTS = {"sqlite": 4, "postgresql": 7}
"""Each kind once; `make faults` has more."""


@pytest.mark.slow
@pytest.mark.parametrize("product", FAULTS)
async def test_faults_lose_nothing_that_was_acknowledged(tmp_path: Path, product: str) -> None:
    if product == "postgresql":
        postgres.needed()
    seed = random.SystemRandom().randrange(1 << 32)
    outcome = await run(tmp_path, product, FAULTS[product], seed, tables=3)
    assert not outcome.wrong, "\n".join([f"seed {seed}: {outcome}", *outcome.wrong])
    assert outcome.faults.total() == FAULTS[product]
    assert outcome.games >= 3
    assert outcome.acknowledged > 50
