"""For how long a table was without service."""

import random
from pathlib import Path

import pytest

from tests.e2e.cluster import Cluster, Fault
from tests.e2e.service import without_service


@pytest.mark.parametrize(
    ("dark", "seconds"),
    [
        pytest.param([], 12.0, id="all of the time"),
        pytest.param([(1.5, 9.0)], 4.0, id="from the first answer of PostgreSQL"),
        pytest.param([(0.2, 0.8), (13.5, 20.0)], 12.0, id="as PostgreSQL was away at other times"),
    ],
)
def test_a_table_is_without_service(
    tmp_path: Path, dark: list[tuple[float, float]], seconds: float
) -> None:
    faults = [Fault("node killed", 2.0, 8.0), Fault("NATS killed", 20.0, 21.0)]
    cluster = Cluster(tmp_path, random.Random(1), faults=faults, dark=dark)
    times = without_service(
        cluster,
        [[it / 10 for it in range(300)], [0.5, 1.0, *(it / 10 for it in range(130, 300))]],
    )
    assert times.by_kind["node killed"] == [pytest.approx(seconds)]
    assert times.by_kind["NATS killed"] == [pytest.approx(0.1)]
    assert len(times.long) == (seconds > 10.0)
