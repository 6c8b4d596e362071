"""The load harness works: a few tables of real players, on a real server. Nothing here is about time."""

import json
import random
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyte
import pytest

from bench.load import measure as measuring
from bench.load.crowd import Crowd, Heard
from bench.load.figures import BY_CLIENTS, NOTHING, Spread, interval, percentile, spread
from bench.load.lines import PER_ADDRESS, address_of
from bench.load.measure import Cores, Round, as_clients, measure, run
from bench.load.player import Player
from bench.load.report import load_figures, load_table, nuisances_table, subjects_table
from bench.load.serve import BESIDE, REST, SUBJECTS, Sampler, subject_of
from bench.load.server import bare
from bench.load.table import Table, Watch
from bench.load.wish import SEALED, screen

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pins processes and reads /proc")
IDLE = {"cpu": 0.0, "server": 0.0, "clients": 0.0, "others": 0.0}


@pytest.mark.slow
def test_tables_play_beside_nuisances() -> None:
    with patch.object(measuring, "PRESSES", 1), as_clients() as cores:
        made = measure("ours", 10, 4.0, cores, profiled=True, nuisances=("deaf",), logins=5)
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
    assert (spoilt.how, spoilt.apart) == ("deaf", False)
    assert (spoilt.quiet[0].heard.honest, spoilt.beside.heard.honest) == (10, 9)
    assert spoilt.ratio > 0
    assert len(nuisances_table(result).splitlines()) == 5
    assert "| ours, 10 |" in load_table([result], 4.0)
    assert [row["sessions"] for row in load_figures([result])["rows"]] == [10]


def test_a_bad_moment_is_in_one_round_of_several() -> None:
    rounds = [
        Heard(Spread(100, p50, p99), 1000, 50_000, 3, torn, lost, 10 - lost)
        for p50, p99, torn, lost in ((4, 15, 0, 0), (5, 200, 2, 1), (3, 16, 0, 1))
    ]
    assert Heard.of(rounds) == Heard(Spread(300, 4, 16), 3000, 150_000, 9, 2, 1, 9)
    assert Heard.of(rounds[:1]) == rounds[0]


def test_what_fails_is_a_problem_of_its_size() -> None:
    def no_server(_folder: Path, _core: int) -> Any:
        raise OSError("no server")

    result = run(measure("ours", 10, 4.0, Cores(0, {0}), no_server))
    assert result.problems == ["given up: no server"]
    assert not result.honest


@pytest.mark.slow
def test_asyncssh_alone_shows_what_others_do() -> None:
    with patch.object(measuring, "PRESSES", 1), as_clients() as cores:
        result = run(measure("asyncssh", 10, 4.0, cores, bare, logins=5))
    assert not result.problems
    assert result.honest is not None
    assert result.honest.heard.delays.n == 10
    assert result.login_ms > 0


def test_nuisances_sit_among_others_or_apart() -> None:
    crowd = Crowd(0)
    crowd.tables.extend(Table(5 * number, random.Random(1)) for number in range(200))

    def bad_at_tables() -> set[int]:
        return {sum(bool(player.bad) for player in table.players) for table in crowd.tables}

    with patch.object(Player, "turn_bad", _bad):
        assert crowd.spoil("deaf", 0, apart=False) == 10
        assert bad_at_tables() == {0, 1}
        for player in crowd.players:
            player.bad = ""
        assert crowd.spoil("deaf", 0, apart=True) == 10
        assert bad_at_tables() == {0, 5}


def test_tables_that_had_nuisances_are_not_measured_again() -> None:
    crowd = Crowd(0)
    crowd.tables.extend(Table(5 * number, random.Random(1)) for number in range(100))
    left = set[int]()
    with (
        patch.object(Player, "turn_bad", _bad),
        patch.object(Player, "leave", lambda player: left.add(player.number)),
    ):
        for kind, how in enumerate(("deaf", "resizing")):
            crowd.spoil(how, kind, apart=False)
            crowd.mend()
            bad = {player.number for player in crowd.players if player.bad}
            assert left == bad
            assert len(bad) == len(crowd._spent) == 5 * (kind + 1)


def _bad(player: Player, how: str) -> None:
    player.bad = how


def test_a_player_who_is_out_closes_a_held_reveal() -> None:
    # Arrows do that for who has a card to choose; a screen that is held would show no bid of the next round.
    pressed: list[str] = []
    table = Table(0, random.Random(1))
    with patch.object(Player, "press", lambda _player, keys: pressed.append(keys)):
        table._choose()
    # At a stage's end: a round, the last one, and the results.
    assert [keys[:3] for keys in pressed] == ["   "] * 5


def test_who_bids_last_before_the_last_round_sees_the_round_at_once() -> None:
    table = Table(0, random.Random(1))
    first, last, *_ = table.players
    watch = Watch([first, last], *table.marks)
    watch.heard(first, "\x1b[15;63H\x1b[36m▐█▌".encode())
    watch.heard(last, b"\x1b[1;76H\x1b[1;37m60")
    assert watch.missing == {last}
    watch.heard(last, b"\x1b[C\x1b[2mnext round: 1:15 to bid\x1b[K")
    assert watch.seen.is_set()


def played(**shares: float) -> Round:
    return Round(Heard(spread([0.001] * 3)), IDLE | shares, 1)


def test_who_limits_a_figure_is_said() -> None:
    assert played().marks == ""
    assert played(clients=0.95).marks == BY_CLIENTS
    assert played(clients=0.95, server=0.95).marks == ""
    assert played(others=0.2).marks == "disturbed"


def test_players_come_from_many_addresses() -> None:
    addresses = [address_of(number) for number in range(5000)]
    assert max(map(addresses.count, addresses[:50])) == PER_ADDRESS
    assert all(address.startswith("127.") for address in addresses)


def test_a_profile_adds_up_by_subject(tmp_path: Path) -> None:
    sampler = Sampler(tmp_path / "profile.json")
    sampler.begin()
    sampler.look(0, sys._getframe())
    sampler.look(0, None)
    sampler.write()
    found = json.loads((tmp_path / "profile.json").read_text())
    assert set(found) == {subject_of(sys._getframe()), REST, BESIDE}
    rows = subjects_table({"pages": 1.0, "drawing": 3.0}, 8.0, "a round").splitlines()
    assert len(rows) == 2 + len(SUBJECTS) + 3
    assert rows[2:4] == ["| pages | 2.00 | 25% |", "| drawing | 6.00 | 75% |"]
    assert rows[-1] == "| **a round** | **8.00** |  |"


def test_the_yardstick_in_go_shows_the_same_screen() -> None:
    shown = json.loads(screen())
    glass = pyte.Screen(80, 24)
    rows = shown["seats"][3]
    rows[shown["status"]] = shown["quiet"] * 4 + shown["sealed"]
    pyte.Stream(glass).feed("\r\n".join(rows))
    assert "your hand" in "\n".join(glass.display)
    assert SEALED in glass.display[shown["status"]]


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
