"""Work in pieces: one piece in a turn, whoever it belongs to."""

import asyncio
import gc
import weakref
from collections import deque
from collections.abc import Callable

import pytest

from server.ui.turns import Turns, turns_of


class Loop:
    """Calls back when told to."""

    def __init__(self) -> None:
        self.soon: deque[Callable[[], None]] = deque()
        self.turns = Turns(self.soon.append)

    def turn(self) -> None:
        """One turn: everything that was ready when it began."""
        for _ in range(len(self.soon)):
            self.soon.popleft()()


def work(done: list[str], name: str, pieces: int) -> Callable[[], bool]:
    left = iter(range(pieces - 1, -1, -1))

    def piece() -> bool:
        done.append(name)
        return next(left) > 0

    return piece


def test_those_who_have_more_take_turns_and_each_turn_is_one_piece() -> None:
    loop, done = Loop(), list[str]()
    loop.turns.join(work(done, "a", 4))
    loop.turns.join(work(done, "b", 2))
    assert done == []
    loop.turn()
    assert done == ["a"]
    loop.turns.join(work(done, "c", 1))
    for _ in range(6):
        before = len(done)
        loop.turn()
        assert len(done) == before + 1
    assert "".join(done) == "abacbaa"
    assert not loop.soon
    loop.turns.join(work(done, "d", 1))
    loop.turn()
    assert done[-1] == "d"


def test_whoever_fails_loses_the_turn_and_nobody_else_does() -> None:
    loop, done = Loop(), list[str]()

    def fails() -> bool:
        raise RuntimeError("a mistake")

    loop.turns.join(fails)
    loop.turns.join(work(done, "b", 2))
    with pytest.raises(RuntimeError, match="a mistake"):
        loop.turn()
    loop.turn()
    loop.turn()
    assert done == ["b", "b"]
    assert not loop.soon


def test_all_sessions_of_a_loop_share_their_turns_and_do_not_keep_the_loop() -> None:
    async def own() -> Turns:
        done: list[str] = []
        turns = turns_of(asyncio.get_running_loop())
        turns.join(work(done, "a", 2))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert done == ["a", "a"]
        assert turns is turns_of(asyncio.get_running_loop())
        return turns

    first, second = asyncio.new_event_loop(), asyncio.new_event_loop()
    assert first.run_until_complete(own()) is not second.run_until_complete(own())
    gone = weakref.ref(first)
    first.close()
    second.close()
    del first, second
    gc.collect()
    assert gone() is None
