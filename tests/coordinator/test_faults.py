"""Everything that can go wrong with one server, by lot; `python -m tests.support.faults 1 100 50` tries
more than this.
"""

import pytest

from tests.support.faults import Faults


@pytest.mark.parametrize(("seed", "steps"), [(1, 15), (2, 15), (3, 15), (4, 15)])
async def test_some_seconds_after_random_faults_all_is_right_and_games_go_on(
    seed: int, steps: int
) -> None:
    await Faults(seed).run(steps)
