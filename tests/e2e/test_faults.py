"""A server, its disk and its database are broken: nothing that was acknowledged is lost, and no
connection ends of a door that lives.
"""

import random
from pathlib import Path

import pytest

from tests.e2e.faults import run
from tests.support import postgres

FAULTS = {"server": 4, "doors": 10, "postgresql": 6}
KILLS = 4
"""At any instant. `make soak KIND=faults` does more of both."""


@pytest.mark.slow
@pytest.mark.parametrize("on", FAULTS)
async def test_faults_and_kills_at_any_instant_lose_nothing(tmp_path: Path, on: str) -> None:
    if on == "postgresql":
        postgres.needed()
    seed = random.SystemRandom().randrange(1 << 32)
    outcome = await run(tmp_path, on, seed, faults=FAULTS[on], kills=KILLS)
    assert not outcome.wrong, "\n".join([f"seed {seed}: {outcome}", *outcome.wrong])
    assert outcome.faults.total() >= FAULTS[on] + KILLS
    assert outcome.games >= 3
    assert outcome.acknowledged > 50
