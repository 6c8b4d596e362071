"""The load harness works: a few tables of real players, on a real server. Nothing here is about time."""

import os
import sys

import pytest

from bench.load.client import CLASSICAL
from bench.load.figures import NOTHING, percentile, spread
from bench.load.stage import Cores, Plan, knock, measure, measure_peer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pins processes and reads /proc")


def cores() -> Cores:
    """All of them for everybody: other tests run as well."""
    first, *others = sorted(os.sched_getaffinity(0))
    return Cores(first, others[:1] or [first])


@pytest.mark.slow
def test_tables_play_and_their_screens_are_right() -> None:
    plan = Plan(seconds=6.0, presses=1, looked_at=1, nuisances=(("deaf",),))
    result = measure(10, cores(), plan, profiled=True)
    honest = result.rounds["all honest"]
    assert honest.delays.n > 0
    assert honest.heard["lost"] == 0
    assert honest.payload > 0
    assert honest.wire > honest.payload
    assert result.screens == 5
    assert not [problem for problem in result.problems if "time" not in problem]
    assert result.rounds["1 % deaf"].heard["honest"] == 9
    assert result.profile["samples"] > 0


@pytest.mark.slow
def test_a_yardstick_plays_along() -> None:
    result = measure_peer("echo", 5, cores(), Plan(seconds=2.0, presses=1))
    assert result.rounds["all honest"].delays.n > 0


def test_people_come_in() -> None:
    rate, first_frames, _, cpu_ms = knock(cores(), 5, CLASSICAL, at_once=2)
    assert rate > 0
    assert first_frames.n == 5
    assert cpu_ms >= 0


def test_percentiles() -> None:
    ordered = [float(number) for number in range(1, 101)]
    assert percentile(ordered, 0.99) == 99
    assert percentile(ordered, 1.0) == 100
    assert percentile([7.0], 0.99) == 7
    assert spread([0.002, 0.001, 0.004]) == (3, 2.0, 4.0, 4.0)
    assert spread([]) == NOTHING
