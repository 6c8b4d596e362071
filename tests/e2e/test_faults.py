"""A server, its disk and its database are broken: nothing that was acknowledged is lost, and no
connection ends of a door that lives.
"""

import random
from pathlib import Path

import pytest

from tests.e2e.faults import run
from tests.support import postgres

EACH_KIND = {"server": 4, "doors": 10, "postgresql": 6}
"""`make soak KIND=faults` has more."""
KILLS = 4
"""`make soak KIND=faults ARGS="server kills 500"` does more."""


@pytest.mark.slow
@pytest.mark.parametrize("on", EACH_KIND)
async def test_faults_lose_nothing_that_was_acknowledged(tmp_path: Path, on: str) -> None:
    await lose_nothing(tmp_path, on, "faults", EACH_KIND[on])


@pytest.mark.slow
@pytest.mark.parametrize("on", EACH_KIND)
async def test_kills_at_any_instant_lose_nothing(tmp_path: Path, on: str) -> None:
    await lose_nothing(tmp_path, on, "kills", KILLS)


async def lose_nothing(place: Path, on: str, what: str, count: int) -> None:
    if on == "postgresql":
        postgres.needed()
    seed = random.SystemRandom().randrange(1 << 32)
    outcome = await run(place, on, what, count, seed)
    assert not outcome.wrong, "\n".join([f"seed {seed}: {outcome}", *outcome.wrong])
    assert outcome.faults.total() >= count
    assert outcome.games >= 3
    assert outcome.acknowledged > 50
