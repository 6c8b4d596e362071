"""The load harness works: a few tables of real players, on a real server. Nothing here is about time."""

import asyncio
import json
import os
import random
import sys
from argparse import Namespace
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pyte
import pytest

from bench.frame import QUIET, Picture, seat_frame
from bench.load import stage, thinkers
from bench.load.__main__ import FULL
from bench.load.client import CLASSICAL, Where
from bench.load.crowd import joined
from bench.load.figures import BY_CLIENTS, NOTHING, percentile, spread
from bench.load.line import PER_ADDRESS, Line, Wish, address_of
from bench.load.player import Player
from bench.load.processes import IDLE, Failed
from bench.load.report import marks, nuisances_table, profile_table
from bench.load.serve import Sampler
from bench.load.stage import (
    Cores,
    Plan,
    Result,
    Round,
    Spoilt,
    fits,
    knock,
    measure,
    measure_peer,
    tried,
)
from bench.load.table import Sent, Table
from bench.load.telnet import TelnetLine
from bench.load.wish import SEALED, screen
from bench.load.worker import Worker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="pins processes and reads /proc")


def cores() -> Cores:
    """All of them for everybody: other tests run as well."""
    first, *others = sorted(os.sched_getaffinity(0))
    return Cores(first, others[:1] or [first])


@pytest.mark.slow
def test_tables_play_and_their_screens_are_right() -> None:
    plan = Plan(seconds=4.0, presses=1, looked_at=1, nuisances=("deaf", "resizing"), tries=1)
    result = measure(10, cores(), plan, looked_into=True)
    honest = result.honest
    assert honest is not None
    assert honest.delays.n > 0
    assert honest.heard["lost"] == 0
    assert honest.payload > 0
    assert honest.wire > honest.payload
    assert sum(kind.payload for kind in honest.kinds.values()) == pytest.approx(honest.payload)
    assert result.telnet == 1
    assert result.screens == 5
    assert not [problem for problem in result.problems if "time" not in problem]
    assert [(each.how, each.apart) for each in result.spoilt] == [
        ("deaf", False),
        ("resizing", False),
    ]
    assert [each.quiet.heard["honest"] for each in result.spoilt] == [10, 10]
    assert [each.beside.heard["honest"] for each in result.spoilt] == [9, 9]
    assert all(each.ratio > 0 for each in result.spoilt)
    assert len(nuisances_table(result).splitlines()) == 6


@pytest.mark.slow
def test_a_yardstick_plays_along() -> None:
    result = measure_peer("echo", 5, cores(), Plan(seconds=2.0, presses=1))
    assert result.honest is not None
    assert result.honest.delays.n > 0


@pytest.mark.slow
def test_people_come_in() -> None:
    found = knock(cores(), 5, CLASSICAL, at_once=2, profiled=True)
    assert sum(found.profile["layers"].values()) == found.profile["samples"]
    assert found.rate > 0
    assert found.first_frames.n == 5
    assert not found.problems


def test_what_fails_is_a_problem_and_the_rest_goes_on() -> None:
    problems: list[str] = []
    with tried(problems):
        raise Failed("a worker has died")
    assert problems == ["given up: a worker has died"]
    assert not fits(1)
    assert "descriptors" in fits(1 << 40)
    with patch("bench.load.stage.most_descriptors", return_value=1 << 50):
        assert not fits(5000)
        assert "tables" in fits(5005)


@pytest.mark.slow
def test_tables_with_bots_that_think_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    thinkers.measure(cores(), Namespace(expert=1, master=1, seconds=6.0, rounds=2))
    table, _, figures = capsys.readouterr().out.partition("figures ")
    assert "1 of expert, 1 of master" in table
    told = json.loads(figures)
    assert told["p99"] > 0
    assert told["thinking"] > 0


def test_a_plan_is_bounded() -> None:
    plan = Plan(seconds=15.0, presses=400)
    assert [plan.rounds(size) for size in (5, 200, 400, 5000)] == [4, 2, 1, 1]
    assert sum(plan.estimate(size, looked_into=size == 1900) for size in FULL) < 12 * 60


async def test_nuisances_sit_among_others_or_apart() -> None:
    worker = Worker([*os.sched_getaffinity(0)], Where(0, CLASSICAL, False, 0)._asdict())
    tables = [Table(5 * n, looked_at=False, chance=random.Random(1)) for n in range(200)]
    worker._tables = tables
    with patch.object(Player, "turn_bad", _bad):
        assert await worker.spoil("deaf", 0, apart=False) == {"bad": 10}
        assert {sum(bool(player.bad) for player in table.players) for table in tables} == {0, 1}
        for table in tables:
            for player in table.players:
                player.bad = ""
        assert await worker.spoil("deaf", 0, apart=True) == {"bad": 10}
        assert {sum(bool(player.bad) for player in table.players) for table in tables} == {0, 5}


def _bad(player: Player, how: str) -> None:
    player.bad = how


def test_a_player_who_is_out_closes_a_held_reveal() -> None:
    # Arrows do that for who has a card to choose; a screen that is held would show no bid of the next round.
    pressed: list[str] = []
    table = Table(0, looked_at=False, chance=random.Random(1))
    with patch.object(Player, "press", lambda _player, keys: pressed.append(keys)):
        table._choose()
    assert [keys[0] for keys in pressed] == [" "] * 5


def test_who_limits_a_figure_is_said() -> None:
    assert marks(IDLE) == ""
    assert marks(IDLE._replace(clients=0.95)) == BY_CLIENTS
    assert marks(IDLE._replace(clients=0.95, server=0.95)) == ""
    assert marks(IDLE._replace(others=0.2)) == "disturbed"
    assert marks(IDLE, spread([0.001] * 98 + [0.1] * 2)) == "slow disk"


def test_what_others_have_disturbed_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    slow, ready = spread([0.5] * 3), spread([0.001] * 3)
    disks = iter((slow, ready, ready, slow, ready, ready))
    played: list[Round] = []

    def play(*_given: object) -> Round:
        found = Round(NOTHING, IDLE, 1.0, 0, {"torn": 0, "unanswered": 0, "lost": 0}, next(disks))
        played.append(found)
        return found

    monkeypatch.setattr(stage, "play", play)
    monkeypatch.setattr(stage, "_REST", 0.0)
    result, orders = Result(100), []

    def order(do: str, **_more: object) -> dict[str, int]:
        orders.append(do)
        return {"bad": 1, "lost": 0}

    crowd: Any = SimpleNamespace(order=order)
    stage._spoil(result, crowd, crowd, Cores(0, [1]), Plan(), "deaf", True)
    assert orders == ["spoil", "mend"] * 3
    assert result.spoilt == [Spoilt("deaf", True, played[4], played[5], 0)]


def test_answers_of_several_workers_become_one() -> None:
    one = {"seconds": 1.0, "delays": [1], "frames": {"a bid": 2}, "lost": 1}
    other = {"seconds": 3.0, "delays": [2], "frames": {"a bid": 3, "other": 1}, "lost": 0}
    assert joined([one, other]) == {
        "seconds": 3.0,
        "delays": [1, 2],
        "frames": {"a bid": 5, "other": 1},
        "lost": 1,
    }


def test_bytes_are_counted_from_where_a_stretch_began() -> None:
    total = Sent.nothing()
    total.add(Sent(Counter({"a bid": 10}), Counter({"a bid": 15}), Counter({"a bid": 1})))
    before = Sent(*(counted.copy() for counted in total))
    total.add(Sent(Counter({"a bid": 3}), Counter({"a bid": 4}), Counter({"a bid": 1})))
    assert total.since(before) == ({"a bid": 3}, {"a bid": 4}, {"a bid": 1})


def test_players_come_from_many_addresses() -> None:
    addresses = Counter(map(address_of, range(5000)))
    assert max(addresses.values()) == PER_ADDRESS
    assert all(address.startswith("127.") for address in addresses)


def test_a_profile_says_what_a_moment_belongs_to(tmp_path: Path) -> None:
    sampler = Sampler(tmp_path / "profile.json")
    sampler.look(0, sys._getframe())
    sampler.look(0, None)
    sampler.write()
    found = json.loads((tmp_path / "profile.json").read_text())
    assert found["samples"] == sum(found["layers"].values()) == 2
    (name,) = found["own"]
    assert name == f"tests/bench/test_load:{sys._getframe().f_code.co_name}"
    assert found["all"][name] == 1
    assert "| the rest |" in profile_table(found)


def test_the_yardstick_in_go_shows_the_same_screen() -> None:
    shown = json.loads(screen())
    glass = pyte.Screen(80, 24)
    rows = shown["seats"][3]
    rows[shown["status"]] = shown["quiet"] * 4 + shown["sealed"]
    pyte.Stream(glass).feed("\r\n".join(rows))
    wanted = seat_frame(Picture((*QUIET[:4], SEALED)), 3).rows
    assert [row.rstrip() for row in glass.display][: len(wanted)] == [
        "".join(text for _, text in row).rstrip() for row in wanted
    ]


class Heard:
    """See ``line.Far``."""

    def __init__(self) -> None:
        self.text = b""

    def came(self, line: Line, data: bytes) -> None:
        self.text += data

    def dropped(self) -> None:
        self.text += b"<gone>"


class Wire(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""

    def write(self, data: object) -> None:
        assert isinstance(data, bytes)
        self.written += data


async def test_a_telnet_player_answers_as_a_terminal_does() -> None:
    heard, wire = Heard(), Wire()
    line = TelnetLine(heard, Wish("p1", 1, "xterm-16color", (80, 24)))
    line.connection_made(wire)
    line.data_received(b"\xff\xfd\x18\xff\xfa\x18\x01\xff")
    assert wire.written == b"\xff\xfb\x18"
    line.data_received(b"\xf0\xff\xfd\x1f\xff\xfd\xc9")
    answered = b"\xff\xfa\x18\x00xterm-16color\xff\xf0"
    answered += b"\xff\xfb\x1f\xff\xfa\x1f\x00\x50\x00\x18\xff\xf0\xff\xfc\xc9"
    assert wire.written.removeprefix(b"\xff\xfb\x18") == answered
    assert not line.asked.done()
    line.data_received(b"Your name: ")
    assert line.asked.done()
    line.data_received(b"a \xff\xf1screen")
    line.connection_lost(None)
    assert heard.text == b"a screen<gone>"
    assert line.received == 36


def test_percentiles() -> None:
    ordered = [float(number) for number in range(1, 101)]
    assert percentile(ordered, 0.99) == 99
    assert percentile(ordered, 1.0) == 100
    assert percentile([7.0], 0.99) == 7
    assert spread([0.002, 0.001, 0.004]) == (3, 2.0, 4.0, 4.0)
    assert spread([]) == NOTHING
