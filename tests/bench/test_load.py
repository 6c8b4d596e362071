"""The load harness works: a few tables of real players, on a real server. Nothing here is about time."""

import sys
from unittest.mock import patch

import pytest

from bench.load import measure as measuring
from bench.load import table
from bench.load.figures import NOTHING, interval, percentile, spread
from bench.load.measure import as_clients, measure, run
from bench.load.report import load_figures
from bench.load.serve import BESIDE, REST, SUBJECTS
from bench.load.server import bare

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pins processes and reads /proc")


@pytest.mark.slow
def test_tables_play_beside_nuisances() -> None:
    with (
        patch.multiple(measuring, PRESSES=1, _REST=0.5),
        patch.object(table, "_UNANSWERED", 0.3),
        as_clients() as cores,
    ):
        made = measure("ours", 10, 1.0, cores, profiled=True, nuisances=("resizing",), logins=5)
        result = run(made)
    honest = result.honest
    assert honest is not None
    assert honest.heard.delays.n > 0
    assert honest.heard.lost == 0
    assert honest.payload > 0
    assert honest.round_ms > honest.frame_ms > 0
    assert result.login_ms > 0
    assert set(result.profile) <= {*SUBJECTS, BESIDE, REST}
    assert sum(result.profile.values()) > 0
    assert not [problem for problem in result.problems if "time" not in problem]
    (spoilt,) = result.spoilt
    assert (spoilt.how, spoilt.apart) == ("resizing", False)
    assert (spoilt.quiet[0].heard.honest, spoilt.beside.heard.honest) == (10, 9)
    assert spoilt.ratio > 0
    assert [row["sessions"] for row in load_figures([result])["rows"]] == [10]


@pytest.mark.slow
def test_asyncssh_alone_shows_what_others_do() -> None:
    with patch.multiple(measuring, PRESSES=1, _REST=0.5), as_clients() as cores:
        result = run(measure("asyncssh", 10, 1.0, cores, bare, logins=5))
    assert not result.problems
    assert result.honest is not None
    assert result.honest.heard.delays.n == 10
    assert result.login_ms > 0


def test_percentiles_and_intervals() -> None:
    ordered = [float(number) for number in range(1, 101)]
    assert percentile(ordered, 0.99) == 99
    assert percentile(ordered, 1.0) == 100
    assert percentile([7.0], 0.99) == 7
    assert spread([0.002, 0.001, 0.004]) == (3, 2.0, 4.0)
    assert spread([]) == NOTHING
    # Student's t for 3 and for 9 degrees of freedom is 3.182 and 2.262.
    low, high = interval([1.0, 2.0, 3.0, 4.0])
    assert (high - low) / 2 == pytest.approx(3.182 * 1.29099 / 2, rel=0.01)
    low, high = interval([float(number) for number in range(10)])
    assert (low + high) / 2 == pytest.approx(4.5)
    assert (high - low) / 2 == pytest.approx(2.262 * 3.02765 / 10**0.5, rel=0.001)
