"""An operator never sees a sealed bid or a hidden hand: nothing that is told or logged depends on them."""

import asyncio
import tempfile
from pathlib import Path

import msgspec
import pytest
import structlog
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.editions import Rules
from server.coordinator import messages as m
from server.coordinator.messages.operator_orders import SeeAudit, SeePeople, SeeTables
from tests.support.operators import EXAMPLES, place

OPTIONS = m.TableOptions(Rules(players=3), m.Pace.UNTIMED)
LAST = (SeePeople(), SeeTables(), SeeAudit())


async def all_that_is_told(folder: Path, seed: bytes, choices: tuple[int, int]) -> list[object]:
    """Everything that comes out of the office, and into the logs, while two of three have bid."""
    with structlog.testing.capture_logs() as logs:
        async with place(folder, seed=lambda: seed) as here:
            here.authorize("ada")
            ada = await here.enter("ada", "192.0.2.1")
            bo, cem = await here.enter("bo", "192.0.2.2"), await here.enter("cem", "192.0.2.3")
            await ada.do(m.CreateTable(OPTIONS))
            (table,) = here.world.lobby.feed.snapshot().tables
            for one in (bo, cem):
                await one.do(m.JoinTable(table.id))
            await ada.do(m.StartGame())
            for one, choice in zip((bo, cem), choices, strict=True):
                snapshot = one.reader.updates[-1].table
                assert snapshot is not None
                assert snapshot.own is not None
                await one.do(m.PlaceBid(snapshot.own.hand[choice], 0, 0))
            told = [await ada.act(action) for action in (*EXAMPLES.values(), *LAST)]
            audit = await here.audit()
    # What tables draw by chance themselves is no secret of a game.
    ours = [log for log in logs if log["event"] in {"operator", "operator_failed", "report"}]
    return [msgspec.json.encode(told), repr(audit), ours]


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(
    seeds=st.tuples(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32)),
    choices=st.tuples(*[st.tuples(st.integers(0, 11), st.integers(0, 11))] * 2),
)
def test_what_operators_see_does_not_depend_on_hands_and_bids(
    seeds: tuple[bytes, bytes], choices: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    async def both() -> list[list[object]]:
        with tempfile.TemporaryDirectory() as folder:
            return [
                await all_that_is_told(Path(folder), seed, chosen)
                for seed, chosen in zip(seeds, choices, strict=True)
            ]

    one, other = asyncio.run(both())
    assert one == other


async def test_the_game_was_in_progress_when_they_looked(tmp_path: Path) -> None:
    told, audit, logs = await all_that_is_told(tmp_path, b"s" * 32, (0, 0))
    assert b'"status":"playing"' in told  # type: ignore[operator]
    assert "'kick'" in str(audit)
    assert logs
