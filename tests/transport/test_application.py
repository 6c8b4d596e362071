"""What runs for each player who has come in."""

import gc

import pytest

from server.terminal.application import PlayerApplication
from tests.fuzz.callers import comes_in
from tests.fuzz.harness import in_a_hurry
from tests.fuzz.servers import a_place


@pytest.mark.slow
def test_a_session_that_came_in_is_a_running_application() -> None:
    def running() -> int:
        return sum(
            isinstance(one, PlayerApplication) and one.is_running for one in gc.get_objects()
        )

    async def main() -> None:
        async with a_place() as place:
            before = running()
            _, first, _ = await comes_in(place)
            assert running() == before + 1
            _, second, _ = await comes_in(place)
            assert running() == before + 2
            first.abort()
            second.abort()
        gc.collect()
        assert running() <= before

    in_a_hurry(main)
