"""That the soak would notice: what it counts sees every kind of leak, and what it compares tells it."""

import asyncio
import os
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from server.networks import LogThrottle, RateLimiter
from server.settings.settings import ServerLimits
from server.terminal.drawing.caches import Memo, cached_by_identity
from server.transport.access import limiter
from server.transport.access.limiter import ConnectionLimiter
from tests.e2e.flatness import grown
from tests.e2e.watched import counted

MANY = 16
"""As many connections as a small soak has at least."""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
async def test_leaks_of_every_kind_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    new_server = ConnectionLimiter(ServerLimits(), lambda: 0.0)
    monkeypatch.setattr(new_server, "text", "x", raising=False)
    monkeypatch.setattr(limiter, "seen", [], raising=False)
    remembered = cache(lambda number: number)
    with ExitStack() as planted:
        before = counted()
        kept = [RateLimiter(1, 1.0) for _ in range(MANY)]
        for number in range(MANY):
            new_server._limit_log._logged[f"192.0.2.{number}"] = LogThrottle()
            remembered(number)
            planted.callback(asyncio.create_task(asyncio.sleep(3600)).cancel)
            planted.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        limiter.seen.extend(range(MANY))  # type: ignore[attr-defined]
        new_server.text += "x" * 256 * MANY  # type: ignore[attr-defined]
        found = "\n".join(grown(before, counted()))
    for leak in (
        f"{len(kept)} more of server.networks.RateLimiter",
        f"{MANY} more of server.networks.LimitLog._logged",
        f"{MANY} more of server.transport.access.limiter.ConnectionLimiter.text",
        f"{MANY} more of server.transport.access.limiter.seen",
        f"{MANY} more of {__name__}.test_leaks_of_every_kind_are_noticed.<locals>.<lambda>()",
        f"{before['tasks']} tasks before, {before['tasks'] + MANY} after",
        f"{MANY} more open: /dev/null",
    ):
        assert leak in found


def test_what_a_cache_of_a_fixed_size_keeps_is_no_leak() -> None:
    @cached_by_identity(1)
    def made_of(view: object) -> object:
        return view

    before = counted()
    for _ in range(MANY):
        made_of(RateLimiter(1, 1.0))
    assert not [one for one in grown(before, counted()) if "RateLimiter" in one]


def test_what_was_shown_last_is_no_leak_however_large() -> None:
    memo: Memo[int] = Memo()
    memo.of(len, ())
    before = counted()
    memo.of(len, tuple(range(1000)))
    assert not [one for one in grown(before, counted()) if "Memo" in one]


NOTHING: dict[str, Any] = {
    "tasks": 5, "threads": 6, "descriptors": {"socket": 9}, "objects": {}, "held": {}, "everything": 100_000,
    "resident": 100_000,
}  # fmt: skip


@pytest.mark.parametrize(
    ("what", "now"),
    [
        ("tasks", 6),
        ("threads", 60),
        ("descriptors", {"socket": 10}),
        ("objects", {"server.x.Y": 4}),
        ("held", {"server.x.Y._z": 13}),
        ("held", {"server.coordinator.chat.ChatRoom._history": 5000}),
        ("held", {"server.networks.RateLimiter._whole": 121}),
        ("everything", 105_000),
        ("resident", 120_000),
    ],
)
def test_what_is_more_than_comes_and_goes_is_told(what: str, now: object) -> None:
    assert len(grown(NOTHING, NOTHING | {what: now})) == 1


@pytest.mark.parametrize(
    ("what", "now"),
    [
        ("tasks", 4),
        ("threads", 7),
        ("descriptors", {"socket": 8}),
        ("objects", {"server.x.Y": 3}),
        ("held", {"server.x.Y._z": 12}),
        ("held", {"server.coordinator.chat.ChatRoom._history": 800}),
        ("held", {"server.networks.RateLimiter._whole": 40}),
        ("everything", 101_000),
        ("resident", 105_000),
    ],
)
def test_what_comes_and_goes_is_not(what: str, now: object) -> None:
    assert grown(NOTHING, NOTHING | {what: now}) == []
