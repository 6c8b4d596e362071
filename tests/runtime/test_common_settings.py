"""Nodes that differ in what they must have in common: the log says in what."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from server.coordinator.time_source import Clock
from server.runtime.nodes.common_settings import Agreement, common
from server.settings.settings import Settings
from server.storage.statedir import KEY
from server.timers import Timer
from server.transport.access import password
from tests.support.nodes import House, house


class WrongClock(Clock):
    def __init__(self, clock: Clock, fast: float) -> None:
        self._clock = clock
        self.fast = fast

    def time(self) -> float:
        return self._clock.time() + self.fast

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        return self._clock.call_at(when - self.fast, callback)


def agreement(
    here: House, name: str, settings: Callable[[], Settings], clock: Clock | None = None
) -> Agreement:
    peers = here.nodes[name].node.peers
    return Agreement(peers, lambda: common(settings()), clock or here.clock)


def told(lines: list[Any]) -> list[tuple[str, str, str]]:
    return [
        (line["event"], line["node"], line.get("differ", ""))
        for line in lines
        if line["event"].startswith("nodes_")
    ]


async def test_the_log_says_in_what_nodes_differ_until_they_do_not(tmp_path: Path) -> None:
    settings = {}
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / KEY).write_bytes(b"the same")
        settings[name] = Settings(keys=tmp_path / name, node=name, metrics_port=ord(name))
    async with house("a", "b") as here:
        a = agreement(here, "a", lambda: settings["a"])
        agreement(here, "b", lambda: settings["b"])
        with capture_logs() as lines:
            a.changed()
            await here.clock.advance(1.0)
        assert told(lines) == []

        password.write(tmp_path / "a" / password.FILE, "sesame")
        settings["a"] = replace(settings["a"], access="password")
        with capture_logs() as lines:
            for _ in range(2):
                a.changed()
                await here.clock.advance(1.0)
        differ = f"access, keys/{password.FILE}"
        assert sorted(told(lines)) == [("nodes_differ", name, differ) for name in "ab"]

        (tmp_path / "b" / password.FILE).write_bytes((tmp_path / "a" / password.FILE).read_bytes())
        settings["b"] = replace(settings["b"], access="password")
        with capture_logs() as lines:
            a.changed()
            await here.clock.advance(1.0)
        assert sorted(told(lines)) == [("nodes_alike", name, "") for name in "ab"]


async def test_nodes_that_meet_are_compared(tmp_path: Path) -> None:
    async with house("a", "b") as here:
        agreement(here, "a", lambda: Settings(keys=tmp_path, notice="hello"))
        with capture_logs() as lines:
            agreement(here, "b", lambda: Settings(keys=tmp_path))
            here.nodes["b"].bus.up = False
            await here.clock.advance(1.0)
            here.nodes["b"].bus.up = True
            await here.clock.advance(2.0)
        assert ("nodes_differ", "b", "notice") in told(lines)


@pytest.mark.parametrize(("fast", "differ"), [(0.9, False), (1.5, True), (-1.5, True)])
async def test_nodes_have_one_time(tmp_path: Path, fast: float, differ: bool) -> None:
    async with house("a", "b") as here:
        agreement(here, "a", lambda: Settings(keys=tmp_path), WrongClock(here.clock, fast))
        b = agreement(here, "b", lambda: Settings(keys=tmp_path))
        with capture_logs() as lines:
            b.changed()
            await here.clock.advance(1.0)
        told_of = [("nodes_differ", name, "clock") for name in "ab"]
        assert sorted(told(lines)) == (told_of if differ else [])


async def test_clocks_that_drift_apart_are_noticed(tmp_path: Path) -> None:
    async with house("a", "b") as here:
        drifting = WrongClock(here.clock, 0.0)
        agreement(here, "a", lambda: Settings(keys=tmp_path), drifting)
        agreement(here, "b", lambda: Settings(keys=tmp_path))
        for fast, event in ((2.0, "nodes_differ"), (0.0, "nodes_alike")):
            drifting.fast = fast
            with capture_logs() as lines:
                await here.clock.advance(130.0)
            assert {(line[0], line[1]) for line in told(lines)} == {(event, "a"), (event, "b")}
